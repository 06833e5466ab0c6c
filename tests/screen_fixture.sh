# SPDX-License-Identifier: MIT
# For the tests that play in the real window: a folder and a display of their own, which end with them,
# and the account of their checks. Sourced by them.
folder=$(mktemp -d)
server=
window_process=
failures=0

clean_up() {
    [ -n "$window_process" ] && kill "$window_process" 2>/dev/null
    [ -n "$server" ] && kill "$server" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

check() { # check STATUS WHAT SAW
    if [ "$1" -eq 0 ]; then
        echo "ok: $2 ($3)"
    else
        echo "FAILED: $2; saw $3"
        failures=$((failures + 1))
    fi
}

give_up() {
    echo "FAILED: $1"
    sed 's/^/    /' "$folder/log" 2>/dev/null
    exit 1
}

start_server() { # start_server WIDTHxHEIGHT OPTIONS...
    screen=$1
    shift
    : >"$folder/display"
    Xvfb -displayfd 3 -screen 0 "${screen}x24" -nolisten tcp "$@" 3>"$folder/display" 2>/dev/null &
    server=$!
    for _ in $(seq 100); do
        [ -s "$folder/display" ] && break
        sleep 0.1
    done
    [ -s "$folder/display" ] || give_up "Xvfb did not start"
    DISPLAY=":$(cat "$folder/display")"
    export DISPLAY
    unset SDL_VIDEODRIVER WAYLAND_DISPLAY
}
