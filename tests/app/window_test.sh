#!/bin/sh
# SPDX-License-Identifier: MIT
# window_test.sh PROGRAM: plays in the window as a person would, on a display of its own, and checks the
# screen.
set -u

program=$(realpath "$1") || exit 1
. "$(dirname "$0")/../screen_fixture.sh"

# An X server can end when its last client disconnects. A program that connects, disconnects and connects
# again would find none.
check_one_connection() {
    start_server 1024x768 -terminate
    (cd "$folder" && exec "$program" run --grid 16 --size 64x48 --seconds 1 --json report.json) \
        >"$folder/log" 2>&1
    status=$?
    grep -q '"scene":[[:space:]]*"play"' "$folder/report.json"
    check $? "without a scene it plays play" "$(grep scene "$folder/report.json")"
    kill "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    server=
    [ "$status" -eq 0 ] && [ ! -e "$folder/plume.png" ] && [ ! -e "$folder/play.png" ]
    check $? "it connects to the display once and stays" "status $status, $(cat "$folder/log")"
    # The number of the server that has ended may be another test's by now.
    (cd "$folder" && DISPLAY=:4917 exec "$program" run plume --grid 16 --size 64x48) >"$folder/log" 2>&1
    grep -q "no display.*:4917" "$folder/log"
    check $? "a display that is not there is named" "$(cat "$folder/log")"
}

start_program() { # start_program SCENE
    mkdir -p "$folder/captures"
    (cd "$folder/captures" && exec "$program" run "$1" --grid 16 --threads 1 --size 640x360 --seconds 400) \
        >"$folder/log" 2>&1 &
    window_process=$!
    find_window
}

# area [WIDTH HEIGHT]: the picture between the line of figures and the hints.
area() {
    echo "${1:-640}x$((${2:-360} - 60))+0+30"
}

key() {
    xdotool key --clearmodifiers "$1"
    sleep "${2:-0.1}"
}

away() { # the mouse, whose cursor would be in the picture
    xdotool mousemove 630 350
}

# drag BUTTON X1 Y1 X2 Y2: moves in steps, as a hand does.
drag() {
    xdotool mousemove "$2" "$3" mousedown "$1"
    for step in 1 2 3 4 5 6 7 8 9 10; do
        xdotool mousemove $(($2 + ($4 - $2) * step / 10)) $(($3 + ($5 - $3) * step / 10))
        sleep 0.05
    done
    xdotool mouseup "$1"
}

is_drawn() { # is_drawn NAME
    shot "$1"
    [ "$(colors "$1")" -gt 500 ]
}

check_picture() {
    wait_for 20 is_drawn start
    check $? "the picture is not blank" "$(colors start) colours"
    sleep 1 # and some smoke has come
}

check_pause() {
    key space
    still still
    sleep 1
    shot still_later
    seen=$(difference still still_later)
    [ "$seen" -eq 0 ]
    check $? "space pauses" "$seen pixels moving"
    key space
    comes still going 200 "space goes on"
}

# After pause and reset there is no smoke: all smoke that appears comes from the brush.
check_brush() {
    key space
    key r
    away
    still empty
    drag 1 280 120 360 220
    for _ in 1 2 3 4 5 6; do
        key period
    done
    away
    comes empty brushed 300 "a left drag brings smoke"
}

# Each brush acts on resting smoke for some steps, and is compared with those steps alone.
brush_once() { # brush_once NAME DRAGGED
    key r
    xdotool key --repeat 70 --delay 4 period
    sleep 0.5
    still ready
    [ "$2" = yes ] && xdotool mousemove 290 170 mousedown 1
    for place in 300 312 324 336 348 360; do
        [ "$2" = yes ] && xdotool mousemove "$place" 170
        sleep 0.3 # the hand is seen there, and then goes on with the step
        xdotool key period
    done
    sleep 0.1
    [ "$2" = yes ] && xdotool mouseup 1
    away
    still "$1"
    convert "$folder/$1.ppm" -crop 640x140+0+50 +repage "$folder/$1.ppm" # without any words
}

check_tools() {
    brush_once untouched no
    brush_once untouched_again no
    noise=$(difference untouched untouched_again)
    for tool in push smoke heat suck vortex detonate; do
        case $tool in
            push) key shift+b ;;
            *) key b ;;
        esac
        for _ in 1 2 3; do # on a busy machine the drag may arrive after the steps that it should change
            brush_once "$tool" yes
            seen=$(difference untouched "$tool")
            [ "$seen" -le $((150 + 2 * noise)) ] || break
        done
        [ "$seen" -gt $((150 + 2 * noise)) ]
        check $? "the brush's $tool changes the smoke" "$seen pixels changed, $noise without"
    done
    for _ in vortex suck heat smoke; do
        key shift+b
    done
}

# A handle is visible only while handles are on. That of a lamp is where the lamp is.
check_handles() {
    still without_handles
    key l
    comes without_handles with_handles 200 "L shows handles"
    key l
    goes without_handles without_again 100 "L again hides them"
}

check_view() {
    still before_turn
    drag 3 320 180 420 200
    away
    comes before_turn turned 1000 "a right drag turns the view"
    still turned
    drag 2 320 180 380 180
    away
    comes turned moved 1000 "a middle drag moves the view"
    still moved
    xdotool mousemove 320 180 click 4 click 4 click 4
    away
    comes moved zoomed 1000 "the wheel zooms"
}

# Paused, so that only the picture's refinement changes pixels, far fewer than a slice covers.
check_slice() {
    still no_slice
    key f
    key f
    key f
    comes no_slice slice_drawn 50000 "F draws a slice"
    still slice
    key bracketright
    key bracketright
    key bracketright
    comes slice slice_moved 30000 "] moves it"
    still slice_moved
    key c
    comes slice_moved slice_lines 4000 "C draws lines of equal value"
    key c
    for _ in 1 2 3; do
        xdotool key shift+f
        sleep 0.2
    done
    goes no_slice slice_gone 10000 "shift F goes back to none"
}

check_help() {
    still no_help
    key F1
    comes no_help help 5000 "F1 shows the help"
    key F1
    goes no_help help_gone 500 "F1 hides the help"
}

check_detonation() {
    still quiet
    xdotool mousemove 320 150
    sleep 0.3
    key e 0.2
    away
    for _ in 1 2 3 4 5 6; do
        key period
    done
    comes quiet blast 300 "E detonates"
    key space
}

# Succeeds if the title is none of these.
has_other_title() {
    grab=$(xdotool getwindowname "$window")
    for old in "$@"; do
        [ "$grab" = "$old" ] && return 1
    done
    return 0
}

has_title() {
    grab=$(xdotool getwindowname "$window")
    [ "$grab" = "$1" ]
}

check_scene() {
    key r
    first=$(xdotool getwindowname "$window")
    key 2
    wait_for 15 has_other_title "$first"
    check $? "2 changes the scene" "the title '$grab'"
    second=$grab
    key Next
    wait_for 15 has_other_title "$first" "$second"
    check $? "page down changes to the next" "the title '$grab'"
    key Prior
    wait_for 15 has_title "$second"
    check $? "page up changes to the one before" "the title '$grab'"
}

has_captures() { # has_captures FILES...
    for file in "$@"; do
        [ -s "$folder/captures/$file" ] || return 1
    done
}

check_screenshot() {
    key F12
    wait_for 30 has_captures explosion-0001.png
    key F12
    wait_for 30 has_captures explosion-0002.png
    check $? "F12 saves numbered pictures" "$(cd "$folder/captures" && echo *)"
    seen=$(identify -format '%m %wx%h' "$folder/captures/explosion-0001.png" 2>&1)
    [ "$seen" = "PNG 640x360" ]
    check $? "they are as large as the window" "$seen"
}

has_dot() {
    take 90x30+550+330 recording
    seen=$(convert "$folder/recording.ppm" -fuzz 2% -fill black \
        +opaque 'rgb(235,41,31)' -format '%k' info:)
    [ "$seen" -gt 1 ]
}

# What one does is recorded without a wait, and its states are those of the replay. A video that is
# given up leaves its recording.
check_video() {
    key F10
    wait_for 20 has_dot
    check $? "a red dot shows meanwhile" "$seen colours"
    key e
    sleep 2
    key F10
    wait_for 60 has_captures billow-explosion-1.bwr
    check $? "F10 records what one does" "$(ls "$folder/captures")"
    sleep 1
    key ctrl+F10
    "$program" render --replay "$folder/captures/billow-explosion-1.bwr" --quality draft --frames 2 \
        --size 640x360 --out "$folder/explosion.mp4" >"$folder/replay.log" 2>&1
    check $? "a video is drawn of it" "$(cat "$folder/replay.log")"
    "$program" render --replay "$folder/captures/billow-explosion-1.bwr" --quality draft \
        --size 64x48 --out "$folder/explosion.png" >"$folder/replay.log" 2>&1
    check $? "its states are those of the window" "$(cat "$folder/replay.log")"
    seen=$(ls "$folder/captures")
    [ ! -e "$folder/captures/billow-explosion-1.mp4" ]
    check $? "a video that is given up leaves no part" "$seen"
}

# filled NAME WIDTH HEIGHT CROP: succeeds if that part has colours.
filled() {
    shot "$1" "$2" "$3"
    seen=$(convert "$folder/$1.ppm" -crop "$4" +repage -format '%k' info:)
    [ "$seen" -gt 20 ]
}

check_resize() {
    xdotool windowsize "$window" 800 500
    wait_for 15 filled resized 800 500 150x420+650+0
    check $? "the picture fills the window after a resize" "$seen colours in its new part"
    key space
    still resized_still 800 500
    drag 3 320 180 420 200
    comes resized_still resized_turned 1000 "it answers after a resize" 800 500
}

size_of_window() {
    xdotool getwindowgeometry "$window" | awk '/Geometry/ { print $2 }'
}

has_size() {
    seen=$(size_of_window)
    [ "$seen" = "$1" ]
}

# There is no window manager to do this.
check_full_screen() {
    before=$(size_of_window)
    key F11
    wait_for 15 has_size 1024x768
    check $? "F11 fills the screen" "$seen"
    wait_for 15 filled full 1024 768 150x600+870+0
    check $? "so does the picture" "$seen colours at its right edge"
    key F11
    wait_for 15 has_size "$before"
    check $? "F11 again gives the window back" "$seen, before $before"
}

ended() {
    ! kill -0 "$window_process" 2>/dev/null
}

check_quit() {
    xdotool key Escape key Escape
    if ! wait_for 20 ended; then
        check 1 "Esc quits" "it still running after 20 s"
        return
    fi
    wait "$window_process"
    status=$?
    window_process=
    [ "$status" -eq 0 ]
    check $? "Esc quits with status 0" "status $status"
    [ "$status" -eq 0 ] || sed 's/^/    /' "$folder/log"
}

# The panel with a mouse: three values are dragged, two changes undone, the scene saved and opened. The
# first values have their heading at 127.
check_panel() {
    start_program plume
    wait_for 20 is_drawn panel_start
    key space
    still no_panel
    key Tab
    comes no_panel panel_open 5000 "Tab shows the panel"
    drag 3 460 60 520 90 # which would turn the view
    still panel_closed 270
    still panel_open
    xdotool mousemove 470 127 click 1 # the first values
    comes panel_open panel_values 500 "a click closes their heading"
    xdotool mousemove 470 127 click 1
    sleep 0.5
    for row in 168 207 248; do # smoke, heat and vorticity
        drag 1 520 "$row" 560 "$row"
        sleep 0.3
    done
    sleep 0.5
    still panel_dragged 270
    for picture in panel_closed panel_dragged; do # without the words above it
        convert "$folder/$picture.ppm" -crop 270x180+0+120 +repage "$folder/$picture.ppm"
    done
    seen=$(difference panel_closed panel_dragged)
    [ "$seen" -lt 2000 ] # a view that turns changes tens of thousands
    check $? "drags in the panel leave the picture alone" "$seen pixels changed"
    key ctrl+z 0.3
    key ctrl+z 0.3
    key ctrl+s
    wait_for 15 has_captures plume.yaml
    key ctrl+z 0.3
    key ctrl+s
    wait_for 15 has_captures plume-2.yaml
    saved="$folder/captures/plume.yaml"
    "$program" check "$folder/captures/plume-2.yaml" --write "$folder/before.yaml" >"$folder/log" 2>&1 &&
        "$program" check "$saved" --write "$folder/again.yaml" >>"$folder/log" 2>&1 &&
        cmp -s "$saved" "$folder/again.yaml"
    check $? "Ctrl S saves scenes that load" "$(cat "$folder/log")"
    seen=$(diff "$folder/before.yaml" "$folder/again.yaml" | grep -c '^[<>]')
    diff "$folder/before.yaml" "$folder/again.yaml" | grep -q '> *smoke: ' && [ "$seen" -le 2 ]
    check $? "of three changes one was left, and one more undone" "$seen lines differ"
    key ctrl+y 0.3
    key ctrl+o 0.6
    xdotool type --delay 40 plume-2
    sleep 0.6
    key Return 2
    key ctrl+s
    wait_for 15 has_captures plume-3.yaml
    cmp -s "$folder/captures/plume-2.yaml" "$folder/captures/plume-3.yaml"
    check $? "what was saved opens again" "$(ls "$folder/captures" | tr '\n' ' ')"
    shot panel_open
    key Tab
    comes panel_open panel_gone 5000 "Tab hides the panel"
    check_quit
}

pixel() { # pixel PICTURE X Y
    convert "$folder/$1.ppm" -crop "1x1+$2+$3" +repage -format '%[pixel:p{0,0}]' info:
}

# A ball in the middle of a picture without smoke: after a drag it is no longer where it was.
check_solid() {
    printf '%s\n' 'solids: [{size: 0.15, center: [0.5, 0.5, 0.5]}]' \
        'solid: {color: [0.8, 0.1, 0.1]}' 'camera: {target: [0.5, 0.5, 0.5], elevation: 5}' \
        >"$folder/ball.yaml"
    start_program "$folder/ball.yaml"
    wait_for 20 is_drawn ball
    key space
    key r
    still ball
    xdotool mousemove 320 180 mousedown 1
    for place in 340 360 380 400 420; do
        xdotool mousemove "$place" 180
        sleep 0.05
    done
    for _ in 1 2 3 4 5 6; do
        xdotool key period # key's --clearmodifiers would let the button go
        sleep 0.1
    done
    xdotool mouseup 1
    key period 0.3
    away
    comes ball ball_moved 2000 "a left drag on a solid moves it"
    still ball_moved
    before=$(pixel ball 310 150)
    seen=$(pixel ball_moved 310 150)
    [ "$seen" != "$before" ]
    check $? "it is no longer where it was" "$seen, before $before"
    check_quit
}

# A missing capability of the machine gives one line. Output of libraries is not counted.
check_lacks() { # check_lacks WHAT WORDS VARIABLE=VALUE
    (cd "$folder" && exec env "$3" "$program" run plume --grid 16 --size 64x48 --seconds 1) \
        >"$folder/log" 2>&1
    status=$?
    seen=$(grep -v '^libGL error' "$folder/log")
    [ "$status" -eq 1 ] && [ "$(echo "$seen" | wc -l)" -eq 1 ] && echo "$seen" | grep -q "$2"
    check $? "$1 is said in a line" "status $status, $seen"
}

# A window of one pixel, of none, hidden, and shown again.
check_sizes() {
    for size in "1 1" "1 300" "3000 2"; do
        xdotool windowsize "$window" $size
        sleep 0.3
    done
    xdotool windowunmap "$window"
    sleep 0.5
    xdotool windowmap "$window"
    xdotool windowsize "$window" 640 360
    xdotool windowmove "$window" 0 0
    xdotool windowfocus "$window" # which it lost with its place on the screen
    wait_for 15 is_drawn sized
    check $? "it draws again after the smallest sizes" "$(colors sized) colours"
}

# The display ends while the window is open.
check_lost_display() {
    start_program plume
    sleep 1
    kill -9 "$server"
    wait "$server" 2>/dev/null
    server=
    if ! wait_for 20 ended; then
        check 1 "it ends with its display" "it still running after 20 s"
        return
    fi
    wait "$window_process"
    status=$?
    window_process=
    [ "$status" -eq 1 ] && [ "$(wc -l <"$folder/log")" -eq 1 ] &&
        grep -q "the display $DISPLAY has gone, and the window with it" "$folder/log"
    check $? "it ends with its display and says so" "status $status, $(cat "$folder/log")"
}

for tool in Xvfb xdotool convert identify ffprobe; do
    command -v "$tool" >/dev/null || give_up "$tool is not installed"
done
check_one_connection
start_server 1024x768
start_program plume
check_picture
check_pause
check_brush
check_tools
check_handles
check_view
check_slice
check_help
check_detonation
check_scene
check_screenshot
check_video
check_resize
check_full_screen
check_sizes
check_quit
check_solid
check_panel
check_lacks "a GL too old" "no context of version 3.3" MESA_GL_VERSION_OVERRIDE=2.1
check_lacks "a missing driver" "libgl1-mesa-dri" GALLIUM_DRIVER=none
check_lost_display
[ "$failures" -eq 0 ]
