#!/bin/sh
# SPDX-License-Identifier: MIT
# sound_test.sh PROGRAM: what the window gives to a device for sound, which here is a file.
set -u

program=$(realpath "$1") || exit 1
. "$(dirname "$0")/../screen_fixture.sh"
heard=$folder/heard.raw
export SDL_DISKAUDIOFILE="$heard"
unset SDL_AUDIODRIVER

run() { # run DRIVER OPTIONS...: a window that closes by itself; its lines are in $folder/lines
    driver=$1
    shift
    (cd "$folder" && SDL_AUDIODRIVER=$driver exec "$program" run fire --grid 24 --refine 1 \
        --threads 1 --size 160x96 --seconds 0.5 "$@") >"$folder/lines" 2>&1
}

# loud: whether the newest 40 ms that the device took hold any sound
loud() {
    [ "$(tail -c 16384 "$heard" 2>/dev/null | tr -d '\000' | wc -c)" -gt 0 ]
}

await() { # await STATE WHAT: until the sound is loud, or silent
    for _ in $(seq 300); do
        state=silent
        loud && state=loud
        [ "$state" = "$1" ] && break
        sleep 0.1
    done
    [ "$state" = "$1" ]
    check $? "$2" "$state"
}

start_server 640x480
run disk --mute
check $? "a muted window plays" "$(cat "$folder/lines")"
[ ! -e "$heard" ]
check $? "and opens no device" "$(ls "$folder")"
run nowhere
check $? "a window without a device plays" "status $?"
[ ! -s "$folder/lines" ]
check $? "and says nothing of it" "$(cat "$folder/lines")"

(cd "$folder" && SDL_AUDIODRIVER=disk exec "$program" run fire --grid 24 --refine 1 --threads 1 \
    --size 320x192 --attract 0 --no-autosave) >>"$folder/log" 2>&1 &
window_process=$!
find_window
await loud "fire is heard"
xdotool key --clearmodifiers m
await silent "M turns the sound off"
xdotool key --clearmodifiers m
await loud "and on"
xdotool key --clearmodifiers space
await silent "a pause is silent"
xdotool key --clearmodifiers space
await loud "what goes on is heard"
xdotool key --clearmodifiers ctrl+q
wait "$window_process"
check $? "the window ends" "status $?"
window_process=
exit $((failures > 0))
