#!/bin/sh
# SPDX-License-Identifier: MIT
# kill_test.sh PROGRAM TIMES: kills the program without warning at random moments while it writes
# pictures, volumes and a video. Whatever has its name then is whole: the same, to the byte, as what a
# run writes that nobody disturbs. What a killed run leaves hidden disturbs none that follows.
set -u

program=$(realpath "$1") || exit 1
times=$2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
cd "$folder" || exit 1
unset DISPLAY WAYLAND_DISPLAY
export OMP_WAIT_POLICY=passive
failures=0
kills=0
found=0

fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

now() {
    date +%s.%N
}

# The same files, but for a .vdb, each of which has a number of its own in it: as long; and for the
# times in a .csv: as many lines.
same() { # same FILE WANTED
    case "$1" in
    *.vdb) [ "$(wc -c <"$1")" -eq "$(wc -c <"$2")" ] ;;
    *.csv) [ "$(wc -l <"$1")" -eq "$(wc -l <"$2")" ] ;;
    *) cmp -s "$1" "$2" ;;
    esac
}

compare() { # compare WHAT, in the folder of the killed run
    for file in *; do
        case "$file" in billow-*-*.tmp) continue ;; esac # the next run removes it
        [ -e "$file" ] || continue
        found=$((found + 1))
        if [ ! -e "../whole/$file" ]; then
            fail "$1: left $file, which no whole run writes"
        elif ! same "$file" "../whole/$file"; then
            fail "$1: $file is not whole"
        fi
    done
}

# kill_often SEED NAME OPTIONS...
kill_often() {
    seed=$1
    name=$2
    shift 2
    rm -rf whole killed
    mkdir whole killed
    start=$(now)
    (cd whole && "$program" "$@" --threads 1 >log 2>&1) || fail "$name: $(cat whole/log)"
    # Moments of that time and a little more, spread evenly and shaken.
    awk -v seed="$seed" -v n="$times" -v start="$start" -v end="$(now)" 'BEGIN {
        srand(seed)
        for (i = 0; i < n; i++)
            printf "%.4f\n", (end - start) * 1.05 * (i + rand()) / n
    }' >moments
    rm whole/log
    [ -n "$(ls whole)" ] || fail "$name: a whole run wrote nothing"
    while read -r moment; do
        rm -rf killed/*
        (cd killed && exec "$program" "$@" --threads 1 >/dev/null 2>&1) &
        process=$!
        sleep "$moment"
        kill -9 $process 2>/dev/null && kills=$((kills + 1))
        wait $process 2>/dev/null
        (cd killed && compare "$name" && exit "$failures")
        failures=$?
        found=$((found + $(ls killed | wc -l)))
    done <moments
    # Once more, in the company of all that was left hidden.
    (cd killed && "$program" "$@" --threads 1 --force >../log 2>&1) || fail "$name: $(cat log)"
    (cd killed && compare "$name, after the others" && exit "$failures")
    failures=$?
    [ "$(ls killed)" = "$(ls whole)" ] || fail "$name: the last run left $(ls killed | tr '\n' ' ')"
    echo "$name: killed $kills times so far, $found whole files found"
}

picture="--grid 12 --size 64x48"
kill_often 1 pictures render plume --frames 6 --out 'f_%d.png' $picture
kill_often 2 volumes bake plume --frames 6 --out 'f_%d.vti' --grid 24
"$program" bake plume --frames 1 --out a.vdb --grid 12 >/dev/null 2>&1 &&
    kill_often 3 vdb bake plume --frames 6 --out 'f_%d.vdb' --grid 24
command -v ffmpeg >/dev/null && kill_often 4 video render plume --quality draft --frames 12 --out a.mp4 $picture
kill_often 5 flipbook render plume --flipbook 3x2 --out a.png $picture
kill_often 6 figures sim plume --steps 30 --grid 12 --csv a.csv
[ "$found" -gt 0 ] || fail "no file was found whole"
[ "$failures" -eq 0 ]
