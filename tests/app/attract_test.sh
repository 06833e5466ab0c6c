#!/bin/sh
# SPDX-License-Identifier: MIT
# attract_test.sh PROGRAM: leaves the window alone until it plays by itself, gives input again, and
# tests the kiosk, on a display of its own. The title of the window names the scene that plays.
set -u

program=$(realpath "$1") || exit 1
. "$(dirname "$0")/../screen_fixture.sh"

start_program() { # start_program OPTIONS...
    mkdir -p "$folder/captures"
    (cd "$folder/captures" && exec "$program" run --grid 16 --threads 1 --size 320x180 "$@") \
        >"$folder/log" 2>&1 &
    window_process=$!
    find_window
}

title() {
    xdotool getwindowname "$window"
}

# wait_title WORDS [SECONDS]: waits until the title is that of a scene or, with !, is not.
wait_title() {
    for _ in $(seq $((${2:-20} * 5))); do
        case $1 in
        !*) [ "$(title)" != "${1#!} - Billow" ] && return 0 ;;
        *) [ "$(title)" = "$1 - Billow" ] && return 0 ;;
        esac
        sleep 0.2
    done
    return 1
}

# Left alone, the window plays by itself. Any input brings the person's scene back, and does what it
# always does; only Esc and F2 do nothing else then.
check_show() {
    start_program mushroom --attract 1
    wait_title mushroom
    wait_title !mushroom
    check $? "left alone it plays other scenes" "the title '$(title)'"
    sleep 1
    xdotool mousemove 100 100 mousemove 160 120
    wait_title mushroom
    check $? "the mouse brings the scene back" "the title '$(title)'"
    wait_title !mushroom
    check $? "left alone again it plays again" "the title '$(title)'"
    xdotool key Escape
    wait_title mushroom
    check $? "Esc brings the scene back and does not quit" "the title '$(title)'"
    xdotool key space
    sleep 2
    wait_title mushroom 1
    check $? "it does not play while it is paused" "the title '$(title)'"
    xdotool key F2
    wait_title !mushroom
    check $? "F2 plays, paused or not" "the title '$(title)'"
    xdotool click 1
    wait_title mushroom
    check $? "a click brings the scene back" "the title '$(title)'"
    sleep 2
    wait_title mushroom 1
    check $? "it is paused as it was" "the title '$(title)'"
    xdotool key Escape key Escape
    wait_end "Esc, pressed twice, quits"
}

check_kiosk() {
    printf '%s\n' 'name: own' 'title: Own' >"$folder/captures/own.yaml"
    start_program own.yaml --kiosk --attract 2
    seen=$(xdotool getwindowgeometry "$window" | awk '/Geometry/ { print $2 }')
    [ "$seen" = 800x450 ]
    check $? "a kiosk fills the screen" "$seen"
    wait_title own
    check $? "it plays its own scene first" "the title '$(title)'"
    sleep 1
    xdotool key 3
    wait_title fire
    check $? "a visitor's first key chooses a scene" "the title '$(title)'"
    xdotool key F12 key F11 key Escape key Escape
    sleep 1
    seen=$(cd "$folder/captures" && echo *)
    kill -0 "$window_process" 2>/dev/null && [ "$seen" = own.yaml ]
    check $? "Esc does not end it and F12 saves nothing" "$seen"
    seen=$(xdotool getwindowgeometry "$window" | awk '/Geometry/ { print $2 }')
    [ "$seen" = 800x450 ]
    check $? "F11 does not make it small" "$seen"
    wait_title !fire
    check $? "left alone it plays on" "the title '$(title)'"
    xdotool key ctrl+q
    wait_end "Ctrl+Q quits"
}

check_hold() {
    start_program --kiosk
    sleep 1
    xdotool keydown Escape
    wait_end "Esc held for three seconds quits"
    xdotool keyup Escape
}

# From the start the screen is black or filled: no text without a picture, no picture of half the
# size. Each frame of the film is reduced to ten numbers, from top to bottom.
check_first_picture() {
    ffmpeg -v error -f x11grab -draw_mouse 0 -framerate 30 -video_size 800x450 -i "$DISPLAY" \
        -c:v ffv1 "$folder/start.mkv" </dev/null &
    camera=$!
    wait_for 20 test -s "$folder/start.mkv"
    start_program own.yaml --kiosk # the scene of check_kiosk is bright everywhere
    sleep 2
    kill -INT "$camera"
    wait "$camera"
    xdotool key ctrl+q
    wait_end "Ctrl+Q quits at once"
    seen=$(ffmpeg -v error -i "$folder/start.mkv" -vf scale=1:10:flags=area,format=gray \
        -f rawvideo - | od -An -v -tu1 -w10 | awk '
        { least = 255; most = 0 }
        { for (i = 1; i <= NF; i++) { least = $i < least ? $i : least; most = $i > most ? $i : most } }
        most > 2 { filled += least >= 10; half += least < 10 }
        END { printf "%d filled, %d not", filled, half }')
    [ "${seen% filled, 0 not}" != "$seen" ] && [ "${seen%% *}" -gt 0 ]
    check $? "a kiosk's first picture fills the screen" "$seen"
}

for tool in Xvfb xdotool ffmpeg; do
    command -v "$tool" >/dev/null || give_up "$tool is not installed"
done
start_server 800x450
check_show
check_kiosk
check_hold
check_first_picture
[ "$failures" -eq 0 ]
