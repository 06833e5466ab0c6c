#!/bin/sh
# SPDX-License-Identifier: MIT
# examples_window_test.sh FOLDER: the window of the examples built in FOLDER. The title tells the state.
set -u

programs=$(realpath "$1") || exit 1
. "$(dirname "$0")/../screen_fixture.sh"

title_has() { # title_has WORDS: an extended regular expression
    seen=$(xdotool getwindowname "$window" 2>/dev/null)
    echo "$seen" | grep -q -E "$1"
}

drag() { # drag X Y: by 100 pixels to the right
    xdotool mousemove --window "$window" "$1" "$2" mousedown 1
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        xdotool mousemove_relative 10 0
        sleep 0.03
    done
    xdotool mouseup 1
}

start() { # start NAME [OPTION...]: opens the window of an example
    window_name=$1
    shift
    "$programs/$window_name" "$@" >"$folder/log" 2>&1 &
    window_process=$!
    find_window
}

end() { # ends the example
    xdotool key Escape
    wait_end "Escape ends $window_name"
}

start_server 1024x768

start stam2d --grid 32
wait_for 10 title_has 'mass 0,'
check $? "the box begins empty" "$seen"
drag 200 250
wait_for 10 title_has 'mass 0\.0*[1-9]'
check $? "the left button adds smoke" "$seen"
xdotool key space c
wait_for 10 title_has 'mass 0,'
check $? "c clears the box" "$seen"
end

start surface --cells 16
wait_for 10 title_has 'sphere, .* smoke [1-9]'
check $? "the sphere begins with bands of smoke" "$seen"
xdotool key 2 c
wait_for 10 title_has 'torus, .* smoke 0,'
check $? "2 and c show a torus without smoke" "$seen"
drag 250 420
wait_for 10 title_has 'smoke 0\.0*[1-9]'
check $? "the left button adds smoke to the torus" "$seen"
end

start pond
wait_for 10 title_has 'boat 0\.0 m/s, 0 elements, 0\.0 l of rain'
check $? "the pond begins still" "$seen"
xdotool keydown Up
wait_for 20 title_has 'boat [1-3]\.[0-9] m/s'
check $? "the up key drives the boat" "$seen"
xdotool keyup Up
drag 500 330
wait_for 10 title_has ', [1-9][0-9.]* l of rain'
check $? "the left button throws a stone" "$seen"
xdotool mousemove --window "$window" 400 300 mousedown 3 sleep 0.3 mouseup 3
wait_for 10 title_has '[1-9][0-9]* elements'
check $? "the right button pours dye" "$seen"
xdotool key x r
wait_for 10 title_has ' 0 elements.*raining$'
check $? "x takes the dye away, r lets it rain" "$seen"
end

start terrain
wait_for 10 title_has 'water [1-9][0-9.]* m3'
check $? "the valley has a lake" "$seen"
xdotool key w c
wait_for 10 title_has 'water 0\.000 m3'
check $? "w and c close the springs and take the water away" "$seen"
end

[ "$failures" -eq 0 ]
