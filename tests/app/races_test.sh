#!/bin/sh
# SPDX-License-Identifier: MIT
# races_test.sh PROGRAM SOURCE: makes the window use all its threads at once. The simulation runs, the
# scene file is saved again and again, a video is recorded, time goes back and forth, the brush draws
# and detonations go off, for $BILLOW_RACES_ROUNDS rounds (default 3). The test fails if ThreadSanitizer
# reports a race, in a PROGRAM built with it. SOURCE holds assets/ and shaders/.
set -u

program=$(realpath "$1") && source=$(realpath "$2") || exit 1
. "$(dirname "$0")/../screen_fixture.sh"
rounds=${BILLOW_RACES_ROUNDS:-3}

start_program() {
    (cd "$folder/captures" && exec "$program" run ../scene.yaml --grid 16 --size 320x180 \
        --rewind 40 --attract 0 --shaders ../shaders --json report.json) >"$folder/log" 2>&1 &
    window_process=$!
    find_window
    sleep 2
}

# Saves changes until it is told to stop: parameters, moved solids, another grid, a shader.
keep_saving() {
    turn=0
    while [ ! -e "$folder/stop" ]; do
        turn=$((turn + 1))
        case $((turn % 5)) in
        4) save "s/^domain:.*/domain: {size: [1, 1.$((turn / 5 % 2 * 2)), 1]}/" ;;
        0) save "s/^  vorticity:.*/  vorticity: $((turn % 9))/" ;;
        1) save "s/center: \[0.5, 0.[0-9]*/center: [0.5, 0.$((5 + turn % 5))/" ;;
        2) save "s/^name: .*/name: save-$turn/" ;;
        *) save 's/$//' "shaders/$shader" ;;
        esac
        sleep 1.4
    done
}

write_scene() {
    cat >"$folder/scene.yaml" <<'END'
name: races
title: All at once
domain: {size: [1, 1, 1]}
solver:
  vorticity: 4
fluid: {color: true}
tracers: {count: 100}
emitters: [{center: [0.5, 0.1, 0.5], size: 0.15, smoke: 8, heat: 300}]
solids: [{size: 0.1, center: [0.5, 0.7, 0.5]}]
timeline:
  - {key: fluid.buoyancy, values: [[0, 0.01], [2, 0.06], [9, 0.02]]}
END
}

key() {
    xdotool key --clearmodifiers "$1"
    sleep "${2:-0.3}"
}

drag() { # drag X1 Y1 X2 Y2
    xdotool mousemove "$1" "$2" mousedown 1
    for part in 1 2 3 4; do
        xdotool mousemove $(($1 + ($3 - $1) * part / 4)) $(($2 + ($4 - $2) * part / 4))
        sleep 0.2
    done
    xdotool mouseup 1
}

# One round of everything beside the simulation and the file.
play_round() {
    xdotool keydown BackSpace
    sleep 1
    xdotool keyup BackSpace
    key F10 1 # a recording begins
    drag 100 60 200 120
    key e
    drag 160 70 200 40 # the ball
    key F12
    key F
    key space
    key less
    key greater
    key period
    key space
    key Tab 1
    key Tab
    key ctrl+z
    key F10 1 # and ends
    key Left
    key Left
    key Right
    key R
}

# Saves one change more and waits until it is loaded, which a busy machine has perhaps not done with
# any other. There, an earlier key that undoes or goes back in time may take effect after this change, and
# bring back another name: then a change is saved once more.
load_last() {
    for try in 1 2 3 4; do
        save "s/^name: .*/name: save-last-$try/"
        window_name=save-last-$try
        wait_for 60 find_named && sleep 3 && find_named && break
    done
    find_named
    check $? "the file is loaded again" "$(xdotool getwindowname "$window" 2>&1)"
}

find_named() {
    xdotool search --onlyvisible --name "$window_name" >/dev/null 2>&1
}

recordings() {
    find "$folder/captures" -name '*.bwr' | wc -l
}

# A recording ends without a file where the scene starts again, or time goes back, before its first step.
# If that happened to all of them, records once more, now that no file changes.
record_last() {
    for try in 1 2 3 4; do
        [ "$(recordings)" -eq 0 ] || return
        key F10 3
        key F10 3
    done
}

finish() {
    : >"$folder/stop"
    wait "$saver"
    load_last
    record_last
    xdotool key --clearmodifiers ctrl+q
    for _ in $(seq 600); do
        kill -0 "$window_process" 2>/dev/null || break
        sleep 0.1
    done
    if kill -0 "$window_process" 2>/dev/null; then
        give_up "it still runs a minute after Ctrl+Q"
    fi
    wait "$window_process"
    status=$?
    window_process=
    grep -q 'WARNING: ThreadSanitizer' "$folder/log"
    [ $? -ne 0 ]
    check $? "no race" "$(grep -c 'WARNING: ThreadSanitizer' "$folder/log") reports"
    sed -i '/^billow: notice: .* is not made; this makes it: /d' "$folder/log"
    # Clang's OpenMP advises an option of ThreadSanitizer that would hide races in copies of structs.
    sed -i '/ignore_noninstrumented_modules/d' "$folder/log"
    [ "$status" -eq 0 ] && [ ! -s "$folder/log" ]
    check $? "it ends with status 0 and no words" "status $status"
    [ "$failures" -eq 0 ] || head -n 200 "$folder/log"
}

# Everything must have happened.
check_traces() {
    seen=$(recordings)
    [ "$seen" -gt 0 ]
    check $? "hands were recorded" "$seen"
    seen=$(find "$folder/captures" -name '*.png' | wc -l)
    [ "$seen" -gt 0 ]
    check $? "and pictures" "$seen"
    seen=$(sed -n 's/^.*"steps":[[:space:]]*\([0-9]*\).*/\1/p' "$folder/captures/report.json")
    [ "${seen:-0}" -gt 20 ]
    check $? "while the simulation ran" "${seen:-no} steps"
    sed -n 's/^.*"scene":[[:space:]]*"\(.*\)".*/\1/p' "$folder/captures/report.json" |
        grep -q "^$window_name\$"
    check $? "of the file that was loaded last" "$(grep scene "$folder/captures/report.json")"
}

for tool in Xvfb xdotool; do
    command -v "$tool" >/dev/null || give_up "$tool is not installed"
done
mkdir "$folder/captures"
write_scene
cp -r "$source/shaders" "$folder/shaders"
chmod -R u+w "$folder"
shader=$(basename "$(grep -l "void main" "$folder"/shaders/*.frag | head -n 1)")
start_server 640x360
start_program
keep_saving &
saver=$!
for _ in $(seq "$rounds"); do
    kill -0 "$window_process" 2>/dev/null || break
    play_round
done
finish
check_traces
[ "$failures" -eq 0 ]
