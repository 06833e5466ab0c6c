#!/bin/sh
# SPDX-License-Identifier: MIT
# session_test.sh PROGRAM [FOLDER]: plays a whole session in the real window, on a display of its own, as
# a person would. It drags a ball, detonates, changes values in the panel and undoes changes, saves and
# loads the scene, goes back in time and continues differently, takes pictures, resizes, and quits. The
# screen after each step goes to FOLDER, if given.
set -u

program=$(realpath "$1") || exit 1
kept=${2:-}
. "$(dirname "$0")/../screen_fixture.sh"
captures=$folder/captures
steps=0
mkdir "$captures"

# start_program SCENE: starts a window of 800x450 and waits for its first picture.
start_program() {
    (cd "$captures" && exec "$program" run "$1" --grid 32 --threads 1 --size 800x450 --attract 0) \
        >>"$folder/log" 2>&1 &
    window_process=$!
    find_window
    for _ in $(seq 150); do
        shot first
        [ "$(colors first)" -gt 500 ] && return
        sleep 0.2
    done
    give_up "no picture came"
}

area() {
    echo 800x450+0+0
}

keep() { # keep NAME: the screen after a step
    steps=$((steps + 1))
    [ -n "$kept" ] && import -window root "$kept/$(printf '%02d' $steps)-$1.png"
}

key() {
    xdotool key --clearmodifiers "$1"
    sleep "${2:-0.4}"
}

drag() { # drag X1 Y1 X2 Y2
    xdotool mousemove "$1" "$2"
    sleep 0.3
    xdotool mousedown 1
    for part in 1 2 3 4 5 6 7 8 9 10; do
        xdotool mousemove $(($1 + ($3 - $1) * part / 10)) $(($2 + ($4 - $2) * part / 10))
        sleep 0.1
    done
    sleep 0.3
    xdotool mouseup 1
}

memory() { # resident, kB
    awk '/VmRSS/ { print $2 }' "/proc/$window_process/status"
}

# A scene with a plume and a ball beside it.
write_scene() {
    cat >"$captures/session.yaml" <<'END'
name: session
title: A plume with a ball beside it
domain: {size: [1, 1, 1]}
emitters: [{center: [0.5, 0.1, 0.5], size: 0.1, smoke: 8, heat: 300}]
solids: [{size: 0.12, center: [0.2, 0.5, 0.5]}]
solid: {color: [0.8, 0.1, 0.1]}
camera: {target: [0.5, 0.5, 0.5], elevation: 5, azimuth: 0}
END
}

# Prints the centre of the red pixels of the ball as "X Y", or nothing if there are none.
ball() {
    convert "$folder/$1.ppm" -sample 25% -fx '(r > 2 * g && r > 2 * b && r > 0.15) ? 1 : 0' -trim \
        -format '%X %Y %w %h %[fx:maxima]' info: 2>/dev/null |
        awk '$5 == 1 { print int(4 * ($1 + $3 / 2)), int(4 * ($2 + $4 / 2)) }'
}

ball_beyond() { # ball_beyond X
    shot dragged
    now=$(ball dragged)
    [ "${now%% *}" -gt "$1" ]
}

step_ball() {
    shot before
    place=$(ball before)
    [ -n "$place" ]
    check $? "the ball is to be seen" "at '$place'"
    # shellcheck disable=SC2086
    set -- $place 0 0
    for _ in 1 2 3; do # on a busy machine a drag may begin and end between two pictures
        drag "$1" "$2" 520 225
        ! wait_for 10 ball_beyond $(($1 + 60)) || break
    done
    keep ball
    [ "${now%% *}" -gt $(($1 + 60)) ]
    check $? "the ball follows the mouse through the plume" "from '$place' to '$now'"
}

step_detonation() {
    key space
    still quiet
    xdotool mousemove 560 120
    sleep 0.3
    key e
    for _ in 1 2 3 4 5 6; do
        key period 0.1
    done
    comes quiet blast 300 "it detonates"
    keep detonation
    key space
}

saved() { # saved NUMBER: so many scenes have been
    [ "$(find "$captures" -name 'session-[0-9]*.yaml' | wc -l)" -ge "$1" ]
}

# The line at the bottom of the window, which says what a key did, is not read: the file counts.
step_save() { # step_save NUMBER
    xdotool key ctrl+s
    wait_for 10 saved "$1"
    check $? "the scene is saved" "$(cd "$captures" && echo *.yaml)"
    keep save
}

# Finds three values by their names, and drags each with the mouse.
change_values() {
    key Tab 1
    for value in fluid.weight fluid.viscosity fluid.cooling; do
        key ctrl+f 0.6
        xdotool type --delay 40 "$value"
        sleep 0.6
        xdotool mousemove 670 128
        sleep 0.4
        xdotool mousedown 1
        for way in 680 695 710 725; do
            xdotool mousemove "$way" 128
            sleep 0.2
        done
        xdotool mouseup 1
        sleep 0.6
    done
    keep panel
}

values_changed() { # values_changed NUMBER: of those three in that scene
    grep -c -E '^  (weight|viscosity|cooling):' "$captures/session-$1.yaml"
}

step_panel() {
    change_values
    step_save 1
    seen=$(values_changed 2)
    [ "$seen" -eq 3 ]
    check $? "three values are changed in the panel" "$seen"
    key ctrl+z
    key ctrl+z
    keep undo
    step_save 2
    seen=$(values_changed 3)
    [ "$seen" -eq 1 ]
    check $? "two changes are taken back" "$seen left"
    key Tab
}

saved_weight() {
    [ -s "$captures/session-4.yaml" ] && grep -q 'weight: 0.77' "$captures/session-4.yaml"
}

# The file that plays is edited. A scene saved afterwards has the edited values.
step_reload() {
    printf 'fluid: {weight: 0.77}\n' >>"$captures/session.yaml"
    sleep 2
    keep reload
    step_save 3
    saved_weight
    check $? "a scene edited outside is loaded again" "$(grep weight "$captures/session-4.yaml")"
}

step_rewind() {
    sleep 3
    key space
    still late
    xdotool keydown BackSpace
    sleep 3
    xdotool keyup BackSpace
    comes late early 300 "it goes back in time"
    still early
    keep rewind
    drag 500 100 600 200
    key space
    comes early branch 300 "and on from there, another way"
    keep branch
}

picture_there() {
    [ -s "$captures/session-0001.png" ]
}

step_screenshot() {
    key F12
    wait_for 20 picture_there
    check $? "F12 takes a picture" "$(identify -format '%m %wx%h' "$captures/session-0001.png" 2>&1)"
    keep screenshot
}

filled() { # the part that the window gained
    take 150x500+830+50 new
    seen=$(colors new)
    [ "$seen" -gt 20 ]
}

fills_screen() {
    seen=$(xdotool getwindowgeometry "$window" | awk '/Geometry/ { print $2 }')
    [ "$seen" = 1280x720 ]
}

step_sizes() {
    xdotool windowsize "$window" 1000 600
    wait_for 15 filled
    check $? "the picture fills the larger window" "$seen colours in its new part"
    keep resize
    key F11
    wait_for 15 fills_screen
    check $? "F11 fills the screen" "$seen"
    keep full
}

step_memory() { # step_memory START
    seen=$(memory)
    [ "$seen" -lt $(($1 + 700000)) ] # the past may take 512 MB of it, the panel's pictures some more
    check $? "memory stays bounded" "$1 kB at the start, $seen kB at the end"
}

step_quit() {
    xdotool key Escape key Escape
    wait_end "it quits"
}

for tool in Xvfb xdotool import identify convert; do
    command -v "$tool" >/dev/null || give_up "$tool is not installed"
done
[ -z "$kept" ] || mkdir -p "$kept"
write_scene
start_server 1280x720
start_program session.yaml
keep start
begun=$(memory)
step_ball
step_detonation
step_panel
step_reload
step_rewind
step_screenshot
step_sizes
step_memory "$begun"
step_quit
"$program" check "$captures/session-3.yaml" >"$folder/checked" 2>&1
check $? "what was saved is a scene" "$(cat "$folder/checked")"
: >"$folder/log"
start_program session-3.yaml
keep loaded
step_quit
[ "$failures" -eq 0 ]
