#!/bin/sh
# SPDX-License-Identifier: MIT
# soak_sim.sh PROGRAM FOLDER: takes 100,000 steps ($BILLOW_SOAK_STEPS) at 32x32x32, on one thread and on
# two. The states must have the same bits, memory must not grow, and the mass budget must close. The
# figures stay in FOLDER.
set -u

program=$(realpath "$1") || exit 1
folder=$2
steps=${BILLOW_SOAK_STEPS:-100000}
failures=0
running=

trap '[ -n "$running" ] && kill "$running" 2>/dev/null' EXIT
trap 'exit 1' INT TERM

check() { # check STATUS WHAT SAW
    if [ "$1" -eq 0 ]; then
        echo "ok: $2 ($3)"
    else
        echo "FAILED: $2; saw $3"
        failures=$((failures + 1))
    fi
}

# simulate THREADS: writes statistics to THREADS.json and resident kB once a second to THREADS.memory.
simulate() {
    "$program" sim plume --grid 32 --set solver.advection=conservative --steps "$steps" \
        --threads "$1" --json "$folder/$1.json" --force --quiet >"$folder/$1.log" 2>&1 &
    running=$!
    : >"$folder/$1.memory"
    while kill -0 "$running" 2>/dev/null; do
        awk '/VmRSS/ { print $2 }' "/proc/$running/status" >>"$folder/$1.memory" 2>/dev/null
        sleep 1
    done
    wait "$running"
    status=$?
    running=
    check "$status" "$steps steps on $1 thread(s)" "status $status, $(grep '^billow:' "$folder/$1.log")"
}

figure() { # figure THREADS NAME: of the JSON
    sed -n "s/^.*\"$2\":[[:space:]]*\"\{0,1\}\([^\",]*\).*/\1/p" "$folder/$1.json" | head -n 1
}

# The maximum of the second half of the run is compared with that of the second tenth, when all memory is
# allocated. The program keeps eight bytes per step for its median. At the end it measures the memory
# bandwidth, in arrays that it frees again.
check_memory() { # check_memory THREADS
    seen=$(awk '{ kb[NR] = $1 }
        END {
            for (n = 1; n <= NR; n++) {
                if (n > NR / 10 && n <= NR / 5 + 1 && kb[n] > early) early = kb[n]
                if (n > NR / 2 && n <= 0.9 * NR && kb[n] > late) late = kb[n]
            }
            print early + 0, late + 0
        }' "$folder/$1.memory")
    early=${seen% *} late=${seen#* }
    [ "$early" -gt 0 ] && [ "$late" -gt 0 ] && [ "$late" -le $((early + 256 + steps / 128)) ]
    check $? "memory is flat on $1 thread(s)" "$early kB early, $late kB late"
}

check_mass() { # check_mass THREADS
    seen=$(awk -v drift="$(figure "$1" mass_drift)" -v sources="$(figure "$1" mass_sources)" \
        'BEGIN { print (sources > 0 ? drift / sources : 1) }')
    awk -v share="$seen" 'BEGIN { exit !(share < 1e-4 && share > -1e-4) }'
    check $? "all smoke is accounted for to 1e-4" "$seen of $(figure "$1" mass_sources) m3"
}

mkdir -p "$folder" || exit 1
for threads in 1 2; do
    simulate "$threads"
    check_memory "$threads"
    check_mass "$threads"
done
[ -n "$(figure 1 state_hash)" ] && [ "$(figure 1 state_hash)" = "$(figure 2 state_hash)" ]
check $? "one and two threads come to the same bits" "$(figure 1 state_hash) and $(figure 2 state_hash)"
[ "$failures" -eq 0 ]
