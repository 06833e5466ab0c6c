#!/bin/sh
# SPDX-License-Identifier: MIT
# hands_test.sh PROGRAM: strokes in the real window are recorded, and replayed in windows of another
# size, on another number of threads and with other instruction sets: each state has the recorded
# hash. A recording is written also if the window is interrupted, and a damaged one is refused.
set -u

program=$(realpath "$1") || exit 1
. "$(dirname "$0")/screen_fixture.sh"
xdotool_drag() { # X1 Y1 X2 Y2
    xdotool mousemove "$1" "$2" mousedown 1
    for part in 1 2 3 4 5 6 7 8; do
        xdotool mousemove $(($1 + ($3 - $1) * part / 8)) $(($2 + ($4 - $2) * part / 8))
        sleep 0.05
    done
    xdotool mouseup 1
}

start_server 800x500
record=$folder/hands.bwr
(cd "$folder" && exec "$program" run sphere --grid 24 --size 480x320 --record-input "$record" --quiet) \
    >"$folder/log" 2>&1 &
window_process=$!
find_window
sleep 2
xdotool_drag 240 250 300 120
xdotool key e
xdotool_drag 240 160 180 160
sleep 1
xdotool_drag 200 200 280 220
sleep 1
kill -INT "$window_process"
wait "$window_process"
window_process=
test -s "$record"
check $? "an interrupted window writes its recording" "$(cat "$folder/log")"

replay() { # replay THREADS SIZE SIMD
    BILLOW_SIMD=$3 "$program" run --replay "$record" --threads "$1" --size "$2" --exact --seconds 8 \
        --json "$folder/report.json" --force >"$folder/replay.log" 2>&1
    check $? "a replay on $1 threads, $3, has no difference" "$(cat "$folder/replay.log")"
    hashes=$(sed -n 's/.*"replay_hashes":[[:space:]]*\([0-9]*\).*/\1/p' "$folder/report.json")
    test "${hashes:-0}" -gt 3
    check $? "the states of $1 threads, $3, have the recorded hashes" "${hashes:-none}"
}
replay 1 300x200 sse2
replay 3 640x360 avx2

head -c 1000 "$record" >"$folder/cut.bwr"
"$program" run --replay "$folder/cut.bwr" --seconds 1 >"$folder/cut.log" 2>&1
test $? = 1 && grep -q "damaged" "$folder/cut.log"
check $? "a cut recording is refused" "$(cat "$folder/cut.log")"
"$program" run plume --replay "$record" >"$folder/cut.log" 2>&1
test $? = 2
check $? "--replay refuses a scene" "$(cat "$folder/cut.log")"
exit $((failures > 0))
