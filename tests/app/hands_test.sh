#!/bin/sh
# SPDX-License-Identifier: MIT
# hands_test.sh PROGRAM: strokes in the real window are recorded, and replayed in a window of another
# size and without one, on another number of threads and with other instruction sets: each state has the
# recorded hash. A recording is written also if the window is interrupted, and a damaged one is refused.
set -u

program=$(realpath "$1") || exit 1
. "$(dirname "$0")/../screen_fixture.sh"

start_server 800x500
record=$folder/hands.bwr
(cd "$folder" && exec "$program" run sphere --grid 24 --size 480x320 --record-input "$record" --quiet) \
    >"$folder/log" 2>&1 &
window_process=$!
find_window
sleep 0.5
xdotool_drag 240 250 300 120
xdotool key e
xdotool_drag 240 160 180 160
xdotool_drag 200 200 280 220
sleep 2
kill -TERM "$window_process"
wait "$window_process"
window_process=
test -s "$record"
check $? "an interrupted window writes its recording" "$(cat "$folder/log")"

for seconds in 6 30; do # the longer on a busy machine
    BILLOW_SIMD=avx2 "$program" run --replay "$record" --threads 3 --size 300x200 --exact --seconds "$seconds" \
        --json "$folder/report.json" --force >"$folder/replay.log" 2>&1
    status=$?
    hashes=$(sed -n 's/.*"replay_hashes":[[:space:]]*\([0-9]*\).*/\1/p' "$folder/report.json")
    test "${hashes:-0}" -gt 3 && break
done
test "$status" = 0
check $? "a replay on 3 threads, avx2, has no difference" "$(cat "$folder/replay.log")"
test "${hashes:-0}" -gt 3
check $? "its states have the recorded hashes" "${hashes:-none}"

BILLOW_SIMD=sse2 "$program" render --replay "$record" --quality draft --size 64x48 --threads 1 --out "$folder/hands.png" >"$folder/draw.log" 2>&1
check $? "what a window recorded is drawn without one, with the recorded hashes" "$(cat "$folder/draw.log")"
"$program" run --replay "$record" --grid 32 --seconds 1 --size 300x200 >"$folder/grid.log" 2>&1 &&
    grep -q "its states are not compared" "$folder/grid.log"
check $? "a window replays it on other cells" "$(cat "$folder/grid.log")"

head -c 1000 "$record" >"$folder/cut.bwr"
"$program" run --replay "$folder/cut.bwr" --seconds 1 >"$folder/cut.log" 2>&1
test $? = 1 && grep -q "it is damaged: its checksum is wrong" "$folder/cut.log"
check $? "a cut recording is refused" "$(cat "$folder/cut.log")"

refuses() { # refuses STATUS MESSAGE ARGUMENT...
    wanted=$1 message=$2
    shift 2
    "$program" run "$@" >"$folder/refused.log" 2>&1
    test $? = "$wanted" && grep -q -e "$message" "$folder/refused.log"
    check $? "refused: $*" "$(cat "$folder/refused.log")"
}
refuses 2 "--replay contains its scene: give no SCENE, --resume or --kiosk" plume --replay "$record"
refuses 2 "--record-input records a scene from its start: give no --replay" plume --kiosk \
    --record-input "$folder/other.bwr"
# The recording contains the mesh.
sed "s/^emitters:/emitters:\n  - {mesh: ball.obj, size: 0.2}/" "$(dirname "$0")/../../assets/scenes/plume.yaml" \
    >"$folder/ball.yaml"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >"$folder/ball.obj"
(cd "$folder" && "$program" run ball.yaml --grid 24 --seconds 1 --size 300x200 --record-input ball.bwr \
    --quiet) >"$folder/ball.log" 2>&1
rm "$folder/ball.obj"
"$program" render --replay "$folder/ball.bwr" --quality draft --size 64x48 --out "$folder/ball.png" >>"$folder/ball.log" 2>&1
check $? "a recording contains the meshes of its scene" "$(cat "$folder/ball.log")"
"$program" render --replay "$folder/ball.bwr" --grid 32 --quality draft --size 64x48 --out "$folder/finer.png" --quiet \
    >>"$folder/ball.log" 2>&1
check $? "its meshes are used on other cells" "$(cat "$folder/ball.log")"
(
    unset DISPLAY
    export SDL_VIDEODRIVER=x11
    refuses 1 "a replay needs a window, and there is no display to open one on" --replay "$record"
    refuses 1 "--record-input needs a window, and there is no display to open one on" plume \
        --record-input "$folder/other.bwr"
    exit $((failures > 0))
) || failures=$((failures + 1))

# Another first hash, and the checksum of what is then in the file, which ends with its hashes.
python3 - "$record" "$folder/wrong.bwr" <<'END'
import sys, zlib
data = bytearray(open(sys.argv[1], "rb").read()[:-4])
count = next(n for n in range(1, 1000) if data[-16 * n - 4 : -16 * n] == n.to_bytes(4, "little"))
data[15 - 16 * count] ^= 1
open(sys.argv[2], "wb").write(data + zlib.crc32(data).to_bytes(4, "little"))
END
refuses 1 "wrong.bwr: the replay differs from the recording from step [0-9]* on" --replay "$folder/wrong.bwr" \
    --exact --seconds 8 --size 300x200
exit $((failures > 0))
