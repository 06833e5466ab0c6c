#!/bin/sh
# SPDX-License-Identifier: MIT
# autosave_test.sh PROGRAM: plays in the real window, kills it, and resumes from the automatic
# checkpoint and from that of F5.
set -u

program=$(realpath "$1") || exit 1
. "$(dirname "$0")/../screen_fixture.sh"

# start OPTIONS...: starts the window in the folder of the test.
start() {
    (cd "$folder" && exec "$program" run --size 480x300 --attract 0 \
        "$@") >"$folder/log" 2>&1 &
    window_process=$!
    find_window
}

has() { # has FILES
    ls $1 >/dev/null 2>&1
}

steps_of() { # of a checkpoint that is whole
    "$program" check "$1" 2>&1 | sed -n 's/.*: ok, a checkpoint of .* after \([0-9]*\) steps.*/\1/p'
}

leave() {
    xdotool key ctrl+q
    wait "$window_process"
    check $? "the window is left" "status $?"
    window_process=
}

start_server 640x480
state=$folder/state/billow

start plume --grid 16 --autosave 0.5
wait_for 30 has "$state/autosave-$window_process.ckpt"
check $? "it is saved by itself" "$(ls "$state" 2>&1)"
kill -KILL "$window_process"
wait "$window_process" 2>/dev/null
window_process=
own=$(ls "$state"/autosave-*.ckpt)
before=$(steps_of "$own")

touch "$state/autosave-4298967296.ckpt" # no process has such a number
start --resume "$own" --autosave 1000
sleep 1
xdotool key F5
wait_for 30 has "$folder/plume-1.ckpt"
check $? "F5 keeps one" "$(ls "$folder")"
[ -e "$state/broken-off.ckpt" ] && grep -q "broken off; 'billow run --resume .*broken-off.ckpt'" "$folder/log"
check $? "the next says that one was broken off" "$(cat "$folder/log")"
kept=$(steps_of "$folder/plume-1.ckpt")
[ -n "$before" ] && [ -n "$kept" ] && [ "$kept" -ge "$before" ]
check $? "which went on from the one before" "$before steps, then $kept"
xdotool key F9
sleep 1
kill -USR2 "$window_process"
wait_for 30 grep -q "notice: wrote .*/autosave-$window_process.ckpt" "$folder/log"
check $? "SIGUSR2 has it saved" "$(cat "$folder/log")"
[ -n "$(steps_of "$state/autosave-$window_process.ckpt")" ]
check $? "whole" "$(ls "$state")"
kill -HUP "$window_process"
wait "$window_process"
status=$?
window_process=
[ "$status" -eq 129 ]
check $? "the window closes when its terminal does" "status $status"
last=$(steps_of "$state/last.ckpt")
[ -n "$last" ] && [ "$last" -ge "$kept" ]
check $? "the last state is kept" "$last steps"
left=$(ls "$state")
[ "$left" = "autosave-4298967296.ckpt
broken-off.ckpt
last.ckpt" ]
check $? "nothing else is" "$left"

rm -r "$folder/state"
start "$folder/plume-1.ckpt" --no-autosave
sleep 1
kill -USR2 "$window_process"
wait_for 30 grep -q "SIGUSR2 writes no checkpoint, because --autosave is 0" "$folder/log"
check $? "SIGUSR2 harms nothing" "$(cat "$folder/log")"
leave
[ ! -e "$folder/state" ] && [ "$(wc -l <"$folder/log")" -eq 1 ]
check $? "nothing is saved where that is not wanted" "$(cat "$folder/log")"
[ "$failures" -eq 0 ]
