#!/bin/sh
# SPDX-License-Identifier: MIT
# together_test.sh PROGRAM: three windows share a scene on loopback, with different instruction sets and
# numbers of threads: strokes, a detonation, a dragged ball, a pause, another scene, and one that comes
# later. No state differs. When the host ends, the others go on alone.
set -u

program=$(realpath "$1") || exit 1
. "$(dirname "$0")/../screen_fixture.sh"
port=$((20000 + $$ % 20000))

# window NAME: waits for a window that was not there before, and sets NAME to it.
seen=
window() {
    for _ in $(seq 1 200); do
        for id in $(xdotool search --onlyvisible --name 'Billow$' 2>/dev/null); do
            case " $seen " in *" $id "*) continue ;; esac
            seen="$seen $id"
            eval "$1=$id"
            return
        done
        sleep 0.1
    done
    check 1 "a window opens for $1" "$(cat "$folder"/*.log)"
}

# figure FILE NAME: a figure of a report.
figure() {
    sed -n "s/.*\"$2\":[[:space:]]*\([0-9]*\).*/\1/p" "$folder/$1.json"
}

# join NAME SIMD THREADS SECONDS
join() {
    BILLOW_SIMD=$2 "$program" run --join "127.0.0.1:$port" --key-file "$folder/key" --name "$1" --threads "$3" \
        --size 300x220 --seconds "$4" --json "$folder/$1.json" --force >"$folder/$1.log" 2>&1 &
}

start_server 1000x500
"$program" run sphere --host "127.0.0.1:$port" --key-file "$folder/key" --name Ann --threads 1 --grid 24 \
    --size 300x220 --json "$folder/Ann.json" >"$folder/Ann.log" 2>&1 &
host=$!
window_process=$host
window ann
for _ in $(seq 100); do
    [ -s "$folder/Ann.log" ] && break
    sleep 0.1
done
grep -q "^Others join with: billow run --join 127.0.0.1:$port$" "$folder/Ann.log" &&
    grep -q "^and the key in    $folder/key$" "$folder/Ann.log"
check $? "the host says how to join" "$(cat "$folder/Ann.log")"
grep -q -e "^or in a browser:  http://127.0.0.1:$port/[0-9a-f]*/$" -e '^No browser can join: ' "$folder/Ann.log"
check $? "the host gives a link for browsers, or says why there is none" "$(cat "$folder/Ann.log")"
grep -qx '[a-z0-9]\{7\}-[a-z0-9]\{7\}-[a-z0-9]\{7\}-[a-z0-9]\{7\}' "$folder/key" && test "$(wc -l <"$folder/key")" = 1 &&
    test "$(stat -c %a "$folder/key")" = 600
check $? "the key is in a file that the user alone may read" "$(ls -l "$folder/key"; cat "$folder/key")"
! grep -q -f "$folder/key" "$folder/Ann.log"
check $? "the log has no key" "$(cat "$folder/Ann.log")"
join Ben sse2 2 300
ben_process=$!
window ben
join Cleo avx2 1 300
cleo_process=$!
window cleo
xdotool windowmove "$ann" 0 0 windowmove "$ben" 320 0 windowmove "$cleo" 640 0
sleep 1
xdotool_drag 150 110 190 60 # Ann
xdotool_drag 470 160 500 90
xdotool_drag 790 110 740 60
xdotool mousemove 460 100
xdotool windowfocus "$ben" key e
sleep 1
xdotool windowfocus "$cleo" key space
sleep 0.5
xdotool windowfocus "$ann" key space
xdotool_drag 150 90 120 60
sleep 3
xdotool windowfocus "$cleo" key ctrl+q
wait "$cleo_process"
check $? "a window joins and leaves" "$(cat "$folder/Cleo.log")"
test "$(figure Cleo states_differed)" = 0 && test "$(figure Cleo states_compared)" -gt 3
check $? "none of its states differed" "$(cat "$folder/Cleo.json")"
xdotool windowfocus "$ann" key 3 # fire
sleep 1
for seconds in 5 20; do # the longer on a busy machine
    join Dan avx2 3 "$seconds"
    dan_process=$!
    xdotool_drag 150 130 170 60
    wait "$dan_process"
    status=$?
    test "$(figure Dan states_compared)" -gt 1 && break
done
test "$status" = 0
check $? "another joins the scene of then" "$(cat "$folder/Dan.log")"
test "$(figure Dan states_differed)" = 0 && test "$(figure Dan states_compared)" -gt 1
check $? "none of its states differed" "$(cat "$folder/Dan.json")"
grep -q '"scene":[[:space:]]*"fire"' "$folder/Dan.json"
check $? "it got the scene of then" "$(cat "$folder/Dan.json")"

echo ' aaaaaaa-bbbbbbb-ccccccc-ddddddd ' |
    "$program" run --join "127.0.0.1:$port" --key-file - --size 300x220 >"$folder/wrong.log" 2>&1
test $? = 1 && grep -q "cannot join 127.0.0.1:$port: nobody answered; is the key right?" "$folder/wrong.log"
check $? "another key is not answered" "$(cat "$folder/wrong.log")"

kill -TERM "$host"
wait "$host"
window_process=
test "$(figure Ann states_differed)" = 0 && test "$(figure Ann states_compared)" -gt 10
check $? "the host compared the states of all, and none differed" "$(cat "$folder/Ann.json")"
sleep 1
xdotool windowfocus "$ben" key ctrl+q
wait "$ben_process"
check $? "who is left goes on alone" "$(cat "$folder/Ben.log")"
test "$(figure Ben states_differed)" = 0 && test "$(figure Ben states_compared)" -gt 5 &&
    test "$(figure Ben steps)" -gt 100
check $? "none of its states differed" "$(cat "$folder/Ben.json")"

# A host without a window, and a window that shows what it computes.
"$program" sim sphere --serve "127.0.0.1:$((port + 1))" --key-file "$folder/served" --name Eve --threads 1 --grid 24 \
    >"$folder/Eve.log" 2>&1 &
served=$!
for _ in $(seq 100); do
    grep -q browser "$folder/Eve.log" && break
    sleep 0.1
done
grep -q "^or only watch:    billow run --watch 127.0.0.1:$((port + 1))$" "$folder/Eve.log"
check $? "a host without a window says how to watch" "$(cat "$folder/Eve.log")"
for seconds in 5 20; do # the longer on a busy machine
    "$program" run --watch "127.0.0.1:$((port + 1))" --key-file "$folder/served" --name Finn --size 300x220 --mute \
        --seconds "$seconds" --json "$folder/Finn.json" --force >"$folder/Finn.log" 2>&1
    status=$?
    test "$(figure Finn steps)" -gt 30 && break
done
test "$status" = 0 && test "$(figure Finn steps)" -gt 30
check $? "who watches gets state after state" "$(cat "$folder/Finn.log" "$folder/Finn.json")"
test "$(figure Finn simulated_seconds)" = 0 && test "$(figure Finn states_compared)" = 0
check $? "who watches computes none" "$(cat "$folder/Finn.json")"
for _ in $(seq 100); do
    grep -q "has left" "$folder/Eve.log" && break
    sleep 0.1
done
kill -TERM "$served"
wait "$served"
test $? = 143 && grep -qx "Finn watches" "$folder/Eve.log" && grep -qx "Finn has left" "$folder/Eve.log" &&
    grep -q '^[0-9]* steps, .* s of smoke, .* MB sent$' "$folder/Eve.log"
check $? "the host says who watched, and how far it came" "$(cat "$folder/Eve.log")"
"$program" sim sphere --serve "127.0.0.1:$((port + 1))" --steps 5 --grid 24 >"$folder/Eve.log" 2>&1
check $? "a host ends after so many steps" "$(cat "$folder/Eve.log")"

refuses() { # refuses STATUS MESSAGE ARGUMENT...
    expected=$1
    message=$2
    shift 2
    "$program" run "$@" >"$folder/refused.log" 2>&1
    test $? = "$expected" && grep -q -e "$message" "$folder/refused.log"
    check $? "refused: $*" "$(cat "$folder/refused.log")"
}
refuses 2 "plume is a scene: give it before --host" --host plume
refuses 2 "--join needs the key that the host shows: type it in a terminal, or give --key-file FILE" --join 127.0.0.1 </dev/null
refuses 2 "goes with --host, --join or --watch" plume --key-file "$folder/key"
refuses 2 "--join computes the host's smoke and --watch does not: give one of them" --join a --watch b
refuses 2 "--watch takes the host's scene" plume --watch 127.0.0.1 --key-file "$folder/key"
refuses 2 "--watch needs the key that the host shows" --watch 127.0.0.1 </dev/null
refuses 2 "takes the host's scene" plume --join 127.0.0.1 --key-file "$folder/key"
refuses 2 "--host shows a key: give no --kiosk" plume --host --kiosk
refuses 1 "no machine is known by the name no.such.machine.invalid" --join no.such.machine.invalid \
    --key-file "$folder/key"
echo 12345678 >"$folder/chosen"
: >"$folder/empty"
refuses 1 "this is no key: one has four groups of seven letters and digits" --join 127.0.0.1 --key-file "$folder/chosen"
refuses 1 "empty: there is no line in it" --join 127.0.0.1 --key-file "$folder/empty"
refuses 1 "standard input: there is no line in it" --join 127.0.0.1 --key-file - </dev/null
refuses 1 "missing: No such file" --join 127.0.0.1 --key-file "$folder/missing"
refuses 1 "exists" plume --host --key-file "$folder/chosen" --size 300x220
# Scenes with files other than the shapes' own: a panorama, and a moving mesh.
{
    printf '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 4\n'
    printf '\200%.0s' $(seq 32)
} >"$folder/sky.hdr"
for n in 1 2; do
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 %s\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' "$n" >"$folder/m_000$n.obj"
done
printf 'title: t\nsurroundings: {kind: hdri, file: sky.hdr}\n' >"$folder/sky.yaml"
printf 'title: t\nsolids: [{mesh: m_%%04d.obj, size: 0.1, center: [0.5, 0.5, 0.5]}]\n' >"$folder/moving.yaml"
refuses 1 "the scene needs the file .*sky.hdr, which a session does not send" "$folder/sky.yaml" --host --size 300x220
refuses 1 "the scene needs the file .*m_%04d.obj, which a session does not send" "$folder/moving.yaml" --host \
    --size 300x220
refuses 1 "a port is a number from 1 to 65535" plume --host 127.0.0.1:x --size 300x220
(
    unset DISPLAY
    export SDL_VIDEODRIVER=x11
    refuses 1 "--join needs a window, and there is no display to open one on" --join 127.0.0.1 --key-file "$folder/key"
    refuses 1 "--host needs a window, and there is no display to open one on" plume --host
    exit $((failures > 0))
) || failures=$((failures + 1))
exit $((failures > 0))
