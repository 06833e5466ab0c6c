#!/bin/sh
# SPDX-License-Identifier: MIT
# hands_test.sh PROGRAM: strokes in the real window are recorded, and replayed in windows of another
# size, on another number of threads and with other instruction sets: each state has the recorded
# hash. A recording is written also if the window is interrupted, and a damaged one is refused.
set -u

program=$(realpath "$1") || exit 1
. "$(dirname "$0")/screen_fixture.sh"
failed=0
check() { # check WHAT COMMAND...
    what=$1
    shift
    "$@" || { echo "hands_test: $what" >&2; failed=1; }
}

xdotool_drag() { # X1 Y1 X2 Y2
    xdotool mousemove "$1" "$2" mousedown 1
    for part in 1 2 3 4 5 6 7 8; do
        xdotool mousemove $(($1 + ($3 - $1) * part / 8)) $(($2 + ($4 - $2) * part / 8))
        sleep 0.05
    done
    xdotool mouseup 1
}

open_display() { :; }
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
check "no recording was written: $(cat "$folder/log")" test -s "$record"

replay() { # replay THREADS SIZE SIMD
    BILLOW_SIMD=$3 "$program" run --replay "$record" --threads "$1" --size "$2" --exact --seconds 8 \
        --json "$folder/report.json" --force >"$folder/replay.log" 2>&1
    check "the replay on $1 threads, $3 failed: $(cat "$folder/replay.log")" test $? = 0
    hashes=$(sed -n 's/.*"replay_hashes":[[:space:]]*\([0-9]*\).*/\1/p' "$folder/report.json")
    check "$1 threads, $3: ${hashes:-no} hashes" test "${hashes:-0}" -gt 3
}
replay 1 300x200 sse2
replay 3 640x360 avx2

head -c 1000 "$record" >"$folder/cut.bwr"
"$program" run --replay "$folder/cut.bwr" --seconds 1 >"$folder/cut.log" 2>&1
check "a cut recording was played" test $? = 1
check "$(cat "$folder/cut.log")" grep -q "damaged" "$folder/cut.log"
"$program" run plume --replay "$record" >"$folder/cut.log" 2>&1
check "--replay with a scene" test $? = 2
exit $failed
