#!/bin/sh
# SPDX-License-Identifier: MIT
# window_test.sh PROGRAM: plays in the window as a person would, on a display of its own, and looks at
# the screen.
set -u

program=$(realpath "$1") || exit 1
. "$(dirname "$0")/screen_fixture.sh"

# Such a server ends when its last client leaves, so that a program that looks for it, leaves and
# comes back finds none.
check_one_connection() {
    start_server 1024x768 -terminate
    (cd "$folder" && exec "$program" run plume --grid 16 --size 64x48 --seconds 1) \
        >"$folder/log" 2>&1
    status=$?
    kill "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    server=
    [ "$status" -eq 0 ] && [ ! -e "$folder/plume.png" ]
    check $? "it connects to the display once and stays" "status $status, $(cat "$folder/log")"
    (cd "$folder" && exec "$program" run plume --grid 16 --size 64x48) >"$folder/log" 2>&1
    grep -q "no display.*$DISPLAY" "$folder/log"
    check $? "a display that has gone is named" "$(cat "$folder/log")"
}

start_program() { # start_program SCENE
    mkdir -p "$folder/captures"
    (cd "$folder/captures" && exec "$program" run "$1" --grid 32 --size 640x360 --seconds 200) \
        >"$folder/log" 2>&1 &
    window_process=$!
    window=
    for _ in $(seq 200); do
        window=$(xdotool search --onlyvisible --name Billow 2>/dev/null | head -n 1)
        [ -n "$window" ] && break
        kill -0 "$window_process" 2>/dev/null || give_up "the program ended before its window came"
        sleep 0.1
    done
    [ -n "$window" ] || give_up "no window came"
    # Without a window manager nobody else gives it the place and the keys.
    xdotool windowmove "$window" 0 0 2>/dev/null
    xdotool windowfocus "$window" 2>/dev/null
}

# The picture below the line of figures and above the hints: shot NAME [WIDTH HEIGHT]
shot() {
    import -window root -crop "${2:-640}x$((${3:-360} - 60))+0+30" +repage "$folder/$1.png"
}

colors() {
    identify -format '%k' "$folder/$1.png"
}

# Pixels of two pictures that differ by more than 2 percent.
difference() {
    compare -metric AE -fuzz 2% "$folder/$1.png" "$folder/$2.png" null: 2>&1 |
        awk '{ printf "%d", $1 }'
}

key() {
    xdotool key --clearmodifiers "$1"
    sleep "${2:-0.6}"
}

# drag BUTTON X1 Y1 X2 Y2: in steps, as a hand does.
drag() {
    xdotool mousemove "$2" "$3" mousedown "$1"
    for step in 1 2 3 4 5 6 7 8 9 10; do
        xdotool mousemove $(($2 + ($4 - $2) * step / 10)) $(($3 + ($5 - $3) * step / 10))
        sleep 0.05
    done
    xdotool mouseup "$1"
}

check_picture() {
    sleep 2
    shot start
    seen=$(colors start)
    [ "$seen" -gt 500 ]
    check $? "the picture is not blank" "$seen colours"
}

# What stands still is drawn better and better, and then no more: until four pictures in a row are
# the same, 20 s at most.
settle() {
    same=0
    shot settled
    for _ in $(seq 40); do
        sleep 0.5
        mv "$folder/settled.png" "$folder/settling.png"
        shot settled
        if [ "$(difference settling settled)" -eq 0 ]; then same=$((same + 1)); else same=0; fi
        [ "$same" -eq 3 ] && return
    done
}

check_pause() {
    key space 1
    settle
    shot still
    sleep 1
    shot still_later
    seen=$(difference still still_later)
    [ "$seen" -eq 0 ]
    check $? "space pauses" "$seen pixels moving"
    key space 1
    shot going
    seen=$(difference still going)
    [ "$seen" -gt 200 ]
    check $? "space goes on" "$seen pixels changed"
}

# Paused and reset there is no smoke, so what comes with the brush is the brush's.
check_brush() {
    key space 0.3
    key r 0.6
    xdotool mousemove 630 350
    sleep 0.6
    shot empty
    drag 1 280 120 360 220
    for _ in 1 2 3 4 5 6; do
        key period 0.1
    done
    xdotool mousemove 630 350
    sleep 0.8
    shot brushed
    seen=$(difference empty brushed)
    [ "$seen" -gt 300 ]
    check $? "a left drag brings smoke" "$seen pixels changed"
}

# Each tool on the smoke that stands still, for some steps, beside what those steps do alone.
brush_once() { # brush_once NAME DRAGGED
    key r 0.4
    for _ in $(seq 70); do
        xdotool key period
    done
    sleep 1
    [ "$2" = yes ] && xdotool mousemove 290 170 mousedown 1
    for place in 300 312 324 336 348 360; do
        [ "$2" = yes ] && xdotool mousemove "$place" 170
        xdotool key period
        sleep 0.1
    done
    [ "$2" = yes ] && xdotool mouseup 1
    xdotool mousemove 630 350
    sleep 1.5
    import -window root -crop 640x140+0+80 +repage "$folder/$1.png" # without any words
}

check_tools() {
    brush_once untouched no
    brush_once untouched_again no # differs by how far the picture has been refined
    noise=$(difference untouched untouched_again)
    for tool in heat suck vortex detonate push smoke; do
        key b 0.3
        brush_once "$tool" yes
        seen=$(difference untouched "$tool")
        [ "$seen" -gt $((150 + 2 * noise)) ]
        check $? "the brush's $tool changes the smoke" "$seen pixels changed, $noise without"
    done
}

# Seen while a handle is on the screen and gone with it; a lamp's is where the lamp is.
check_handles() {
    shot without_handles
    key l 0.8
    shot with_handles
    seen=$(difference without_handles with_handles)
    [ "$seen" -gt 200 ]
    check $? "L shows handles" "$seen pixels changed"
    key l 0.8
    shot without_again
    seen=$(difference without_handles without_again)
    [ "$seen" -lt 100 ]
    check $? "L again hides them" "$seen pixels left"
}

check_view() {
    shot before_turn
    drag 3 320 180 420 200
    xdotool mousemove 630 350
    sleep 0.8
    shot turned
    seen=$(difference before_turn turned)
    [ "$seen" -gt 1000 ]
    check $? "a right drag turns the view" "$seen pixels changed"
    drag 2 320 180 380 180
    xdotool mousemove 630 350
    sleep 0.8
    shot moved
    seen=$(difference turned moved)
    [ "$seen" -gt 1000 ]
    check $? "a middle drag moves the view" "$seen pixels changed"
    xdotool mousemove 320 180 click 4 click 4 click 4
    xdotool mousemove 630 350
    sleep 0.8
    shot zoomed
    seen=$(difference moved zoomed)
    [ "$seen" -gt 1000 ]
    check $? "the wheel zooms" "$seen pixels changed"
}

# Pixels in the colour that a slice has where its numbers are least.
least_colored() {
    convert "$folder/$1.png" -alpha off -fuzz 12% -fill white -opaque 'srgb(51,0,69)' \
        -fuzz 0 -fill black +opaque white -format '%[fx:int(mean*w*h)]' info:
}

# While paused, so that nothing else changes.
check_slice() {
    key f
    key f
    key f 1
    shot slice
    seen=$(least_colored slice)
    [ "$seen" -gt 2000 ]
    check $? "F draws a slice" "$seen pixels in its first colour"
    key bracketright
    key bracketright
    key bracketright 1
    shot slice_moved
    seen=$(difference slice slice_moved)
    [ "$seen" -gt 500 ]
    check $? "] moves it" "$seen pixels changed"
    key c 1
    shot slice_lines
    seen=$(difference slice_moved slice_lines)
    [ "$seen" -gt 200 ]
    check $? "C draws lines of equal value" "$seen pixels changed"
    key c
    for _ in 1 2 3; do
        xdotool key shift+f
        sleep 0.3
    done
    sleep 1
    shot slice_gone
    seen=$(least_colored slice_gone)
    [ "$seen" -lt 100 ]
    check $? "shift F goes back to none" "$seen pixels left"
}

check_help() {
    shot no_help
    key F1 1.2
    shot help
    seen=$(difference no_help help)
    [ "$seen" -gt 5000 ]
    check $? "F1 shows the help" "$seen pixels changed"
    key F1 1.2
    shot help_gone
    seen=$(difference no_help help_gone)
    [ "$seen" -lt 500 ]
    check $? "F1 hides the help" "$seen pixels left"
}

check_detonation() {
    shot quiet
    xdotool mousemove 320 150
    sleep 0.3
    key e 0.2
    xdotool mousemove 630 350
    for _ in 1 2 3 4 5 6; do
        key period 0.1
    done
    sleep 0.6
    shot blast
    seen=$(difference quiet blast)
    [ "$seen" -gt 300 ]
    check $? "E detonates" "$seen pixels changed"
    key space
}

check_scene() {
    key r 0.3
    key 2 2
    grab=$(xdotool getwindowname "$window")
    [ "$grab" != "$1" ]
    check $? "2 changes the scene" "the title '$grab'"
    second=$grab
    key Next 2
    grab=$(xdotool getwindowname "$window")
    [ "$grab" != "$1" ] && [ "$grab" != "$second" ]
    check $? "page down changes to the next" "the title '$grab'"
    key Prior 2
    grab=$(xdotool getwindowname "$window")
    [ "$grab" = "$second" ]
    check $? "page up changes to the one before" "the title '$grab'"
}

check_screenshot() {
    key F12 0.5
    key F12 0.5
    for _ in $(seq 50); do
        [ "$(find "$folder/captures" -name '*-000[12].png' | wc -l)" -eq 2 ] && break
        sleep 0.2
    done
    seen=$(cd "$folder/captures" && echo *)
    [ -s "$folder/captures/explosion-0001.png" ] && [ -s "$folder/captures/explosion-0002.png" ]
    check $? "F12 saves numbered pictures" "$seen"
    seen=$(identify -format '%m %wx%h' "$folder/captures/explosion-0001.png" 2>&1)
    [ "$seen" = "PNG 640x360" ]
    check $? "they are as large as the window" "$seen"
}

# Words over the picture do not get into it; a resize ends it.
check_video() {
    key F10 0.5
    seen=0
    for _ in $(seq 20); do
        import -window root -crop 90x30+550+330 +repage "$folder/recording.png"
        seen=$(convert "$folder/recording.png" -fuzz 2% -fill black \
            +opaque 'rgb(235,41,31)' -format '%k' info:)
        [ "$seen" -gt 1 ] && break
        sleep 0.5
    done
    [ "$seen" -gt 1 ]
    check $? "a red dot shows meanwhile" "$seen colours"
    sleep 1
    key F10 0.1
    for _ in $(seq 50); do
        [ -e "$folder/captures/billow-explosion-1.mp4" ] && break
        sleep 0.1
    done
    key F10 3
    xdotool windowsize "$window" 600 340
    for _ in $(seq 50); do
        [ -e "$folder/captures/billow-explosion-2.mp4" ] && break
        sleep 0.1
    done
    xdotool windowsize "$window" 640 360
    for number in 1 2; do
        seen=$(ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames \
            -of csv=p=0 "$folder/captures/billow-explosion-$number.mp4" 2>&1)
        echo "$seen" | grep -q '^640,360,[1-9]'
        check $? "F10 records a video" "$seen"
    done
}

check_resize() {
    xdotool windowsize "$window" 800 500
    sleep 2
    shot resized 800 500
    seen=$(convert "$folder/resized.png" -crop 150x420+650+0 +repage -format '%k' info:)
    [ "$seen" -gt 20 ]
    check $? "the picture fills the window after a resize" "$seen colours in its new part"
    shot resized_again 800 500
    key space 1
    shot resized_still 800 500
    drag 3 320 180 420 200
    sleep 0.8
    shot resized_turned 800 500
    seen=$(difference resized_still resized_turned)
    [ "$seen" -gt 1000 ]
    check $? "it answers after a resize" "$seen pixels changed"
}

size_of_window() {
    xdotool getwindowgeometry "$window" | awk '/Geometry/ { print $2 }'
}

# There is no window manager here to do it for the program.
check_full_screen() {
    before=$(size_of_window)
    key F11 2
    seen=$(size_of_window)
    [ "$seen" = 1024x768 ]
    check $? "F11 fills the screen" "$seen"
    shot full 1024 768
    seen=$(convert "$folder/full.png" -crop 150x600+870+0 +repage -format '%k' info:)
    [ "$seen" -gt 20 ]
    check $? "so does the picture" "$seen colours at its right edge"
    key F11 2
    seen=$(size_of_window)
    [ "$seen" = "$before" ]
    check $? "F11 again gives the window back" "$seen, before $before"
}

check_quit() {
    xdotool key Escape
    for _ in $(seq 100); do
        kill -0 "$window_process" 2>/dev/null || break
        sleep 0.1
    done
    if kill -0 "$window_process" 2>/dev/null; then
        check 1 "Esc quits" "it still running after 10 s"
        return
    fi
    wait "$window_process"
    status=$?
    window_process=
    [ "$status" -eq 0 ]
    check $? "Esc quits with status 0" "status $status"
    [ "$status" -eq 0 ] || sed 's/^/    /' "$folder/log"
}

# The panel with a mouse: three values are dragged, two of that undone, the scene saved and opened.
# Its rows stand 21 points apart, the first group, of scenes, at 59.
check_panel() {
    start_program plume
    sleep 2
    key space 0.5
    key Tab 1
    drag 3 460 60 520 90 # which would turn the view
    sleep 0.8
    shot panel_closed 270
    xdotool mousemove 400 206 click 1 # the fluid's values
    sleep 0.8
    for row in 227 248 269; do
        drag 1 340 "$row" 400 "$row"
        sleep 0.3
    done
    sleep 0.5
    shot panel_dragged 270
    seen=$(difference panel_closed panel_dragged)
    [ "$seen" -lt 200 ]
    check $? "drags in the panel leave the picture alone" "$seen pixels changed"
    key ctrl+z
    key ctrl+z
    key ctrl+s 1
    key ctrl+z 0.6
    key ctrl+s 1
    saved="$folder/captures/plume.yaml"
    "$program" check "$folder/captures/plume-2.yaml" --write "$folder/before.yaml" >"$folder/log" 2>&1 &&
        "$program" check "$saved" --write "$folder/again.yaml" >>"$folder/log" 2>&1 &&
        cmp -s "$saved" "$folder/again.yaml"
    check $? "Ctrl S saves scenes that load" "$(cat "$folder/log")"
    seen=$(diff "$folder/before.yaml" "$folder/again.yaml" | grep -c '^[<>]')
    diff "$folder/before.yaml" "$folder/again.yaml" | grep -q '> *buoyancy: ' && [ "$seen" -le 2 ]
    check $? "of three changes one was left, and one more undone" "$seen lines differ"
    key ctrl+y 0.6
    xdotool mousemove 400 59 click 1 # the scenes, and the file that was saved last
    sleep 1.5
    xdotool mousemove 573 80 click 1
    sleep 2
    key ctrl+s 1
    cmp -s "$folder/captures/plume-2.yaml" "$folder/captures/plume-3.yaml"
    check $? "what was saved opens again" "$(ls "$folder/captures" | tr '\n' ' ')"
    key Tab 1
    shot panel_gone
    seen=$(colors panel_gone)
    [ "$seen" -gt 500 ]
    check $? "Tab hides the panel" "$seen colours"
    check_quit
}

pixel() { # pixel PICTURE X Y
    convert "$folder/$1.png" -crop "1x1+$2+$3" +repage -format '%[pixel:p{0,0}]' info:
}

# A ball in the middle of a picture without smoke: where it was there is none, once it was dragged.
check_solid() {
    printf '%s\n' 'solids: [{size: 0.15, center: [0.5, 0.5, 0.5]}]' \
        'solid: {color: [0.8, 0.1, 0.1]}' 'camera: {target: [0.5, 0.5, 0.5], elevation: 5}' \
        >"$folder/ball.yaml"
    start_program "$folder/ball.yaml"
    sleep 2
    key space 0.5
    key r 0.6
    shot ball
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
    xdotool mousemove 630 350
    sleep 0.8
    shot ball_moved
    seen=$(difference ball ball_moved)
    [ "$seen" -gt 2000 ]
    check $? "a left drag on a solid moves it" "$seen pixels changed"
    before=$(pixel ball 310 150)
    seen=$(pixel ball_moved 310 150)
    [ "$seen" != "$before" ]
    check $? "it is no longer where it was" "$seen, before $before"
    check_quit
}

# What a machine lacks is said in a line, and what others print about it is theirs.
check_lacks() { # check_lacks WHAT WORDS VARIABLE=VALUE
    (cd "$folder" && exec env "$3" "$program" run plume --grid 16 --size 64x48 --seconds 1) \
        >"$folder/log" 2>&1
    status=$?
    seen=$(grep -v '^libGL error' "$folder/log")
    [ "$status" -eq 1 ] && [ "$(echo "$seen" | wc -l)" -eq 1 ] && echo "$seen" | grep -q "$2"
    check $? "$1 is said in a line" "status $status, $seen"
}

# A window of a pixel, of none, hidden and shown again.
check_sizes() {
    for size in "1 1" "1 300" "3000 2"; do
        xdotool windowsize "$window" $size
        sleep 0.5
    done
    xdotool windowunmap "$window"
    sleep 0.5
    xdotool windowmap "$window"
    xdotool windowsize "$window" 640 360
    xdotool windowmove "$window" 0 0
    xdotool windowfocus "$window" # which it lost with its place on the screen
    sleep 2
    shot sized
    seen=$(colors sized)
    [ "$seen" -gt 500 ]
    check $? "it draws again after the smallest sizes" "$seen colours"
}

# The display goes away with the window on it.
check_lost_display() {
    start_program plume
    sleep 1
    kill -9 "$server"
    wait "$server" 2>/dev/null
    server=
    for _ in $(seq 50); do
        kill -0 "$window_process" 2>/dev/null || break
        sleep 0.1
    done
    if kill -0 "$window_process" 2>/dev/null; then
        check 1 "it ends with its display" "it still running after 5 s"
        return
    fi
    wait "$window_process"
    status=$?
    window_process=
    [ "$status" -eq 1 ] && [ "$(wc -l <"$folder/log")" -eq 1 ] &&
        grep -q "display $DISPLAY has gone" "$folder/log"
    check $? "it ends with its display and says so" "status $status, $(cat "$folder/log")"
}

for tool in Xvfb xdotool import compare identify ffprobe; do
    command -v "$tool" >/dev/null || give_up "$tool is not installed"
done
check_one_connection
start_server 1024x768
start_program plume
title=$(xdotool getwindowname "$window")
check_picture
check_pause
check_brush
check_tools
check_handles
check_view
check_slice
check_help
check_detonation
check_scene "$title"
check_screenshot
check_video
check_resize
check_full_screen
check_sizes
check_quit
check_solid
check_panel
check_lacks "a GL too old" "offers: 2.1" MESA_GL_VERSION_OVERRIDE=2.1
check_lacks "a missing driver" "3.3 core is needed" LIBGL_DRIVERS_PATH=/nonexistent
check_lost_display
[ "$failures" -eq 0 ]
