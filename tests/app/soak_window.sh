#!/bin/sh
# SPDX-License-Identifier: MIT
# soak_window.sh PROGRAM FOLDER: lets the window play all scenes by itself for two hours
# ($BILLOW_SOAK_SECONDS), on a display of its own. Memory must not grow, the clock must not drift, and no
# message may appear. FOLDER/memory.txt has the second, resident kB and the scene.
set -u

program=$(realpath "$1") || exit 1
. "$(dirname "$0")/../screen_fixture.sh"
kept=$2
seconds=${BILLOW_SOAK_SECONDS:-7200}

# Notes the memory and the scene of the window every ten seconds until it ends.
watch() {
    begun=$(date +%s)
    while kill -0 "$window_process" 2>/dev/null; do
        kb=$(awk '/VmRSS/ { print $2 }' "/proc/$window_process/status" 2>/dev/null)
        [ -n "$kb" ] && echo "$(($(date +%s) - begun)) $kb $(title)"
        sleep 10
    done >"$kept/memory.txt"
}

title() {
    xdotool search --onlyvisible --name Billow getwindowname 2>/dev/null | head -n 1
}

play() {
    mkdir -p "$kept/empty"
    (cd "$kept/empty" && exec "$program" run --kiosk --grid 32 --rewind 64 --seconds "$seconds" \
        --json "$kept/report.json" --force) >"$kept/log" 2>&1 &
    window_process=$!
    watch
    wait "$window_process"
    status=$?
    window_process=
    [ "$status" -eq 0 ] && [ ! -s "$kept/log" ]
    check $? "it ends by itself and says nothing" "status $status, '$(cat "$kept/log")'"
    seen=$(ls "$kept/empty")
    [ -z "$seen" ]
    check $? "it leaves no file behind" "'$seen'"
    seen=$(cut -d ' ' -f 3- "$kept/memory.txt" | sort -u | wc -l)
    [ "$seen" -gt 1 ]
    check $? "it goes from scene to scene" "$seen"
}

# Scenes need different amounts of memory, so each part must have seen all of them. The maximum of the
# last third of the time is compared with that of the second.
check_memory() {
    seen=$(awk -v all="$seconds" '
        $1 > all / 3 && $1 <= 2 * all / 3 && $2 > early { early = $2 }
        $1 > 2 * all / 3 && $2 > late { late = $2 }
        $1 <= 600 && $2 > first { first = $2 }
        END { print early + 0, late + 0, first + 0 }' "$kept/memory.txt")
    # shellcheck disable=SC2086
    set -- $seen
    [ "$1" -gt 0 ] && [ "$2" -gt 0 ] && [ "$2" -le $(($1 + $1 / 50)) ]
    check $? "memory is flat" "kB at most in the second third $1, in the last $2, in 10 minutes $3"
}

figure() { # figure NAME: of the report
    sed -n "s/^.*\"$1\":[[:space:]]*\([^,]*\).*/\1/p" "$kept/report.json" | head -n 1
}

# All time of the clock was simulated, is owed to the last steps, or was dropped by a slow machine. The
# clock ran all the time except while scenes changed.
check_clock() {
    seen=$(awk -v clock="$(figure clock_seconds)" -v simulated="$(figure simulated_seconds)" \
        -v owed="$(figure owed_seconds)" -v dropped="$(figure dropped_seconds)" \
        'BEGIN { printf "%.9f", clock - simulated - owed - dropped }')
    awk -v drift="$seen" -v all="$(figure clock_seconds)" \
        'BEGIN { exit !(all > 0 && drift < 1e-6 * all && drift > -1e-6 * all) }'
    check $? "the clock does not drift" "$seen s: clock $(figure clock_seconds) s, simulated \
$(figure simulated_seconds), dropped $(figure dropped_seconds)"
    awk -v clock="$(figure clock_seconds)" -v all="$(figure seconds)" -v asked="$seconds" \
        'BEGIN { exit !(all >= asked && clock > 0.9 * all && clock <= all) }'
    check $? "time went by all the time" "$(figure clock_seconds) s of $(figure seconds) s"
}

for tool in Xvfb xdotool; do
    command -v "$tool" >/dev/null || give_up "$tool is not installed"
done
mkdir -p "$kept" && kept=$(realpath "$kept") || exit 1
start_server 640x360
play
check_memory
check_clock
[ "$failures" -eq 0 ]
