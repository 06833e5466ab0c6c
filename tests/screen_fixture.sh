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

# The window of $window_process, as $window: waited for, and given the place and the keys, as there is
# no window manager to do so.
find_window() {
    window=
    for _ in $(seq 600); do
        window=$(xdotool search --onlyvisible --name Billow 2>/dev/null | head -n 1)
        [ -n "$window" ] && break
        kill -0 "$window_process" 2>/dev/null || give_up "the program ended before its window came"
        sleep 0.1
    done
    [ -n "$window" ] || give_up "no window came"
    xdotool windowmove "$window" 0 0 2>/dev/null
    xdotool windowfocus "$window" 2>/dev/null
}

# save SED [FILE]: FILE, or the scene, changed by a script of sed, beside it and renamed over it.
save() {
    file=$folder/${2:-scene.yaml}
    sed "$1" "$file" >"$file.new" && mv "$file.new" "$file"
}

# wait_end WHAT: the program has ended, with status 0 and no words.
wait_end() {
    if ! wait_for 15 ended; then
        check 1 "$1" "it still running after 15 s"
        kill "$window_process"
        return
    fi
    wait "$window_process"
    status=$?
    window_process=
    [ "$status" -eq 0 ] && [ ! -s "$folder/log" ]
    check $? "$1 with status 0 and no words" "status $status, '$(cat "$folder/log")'"
}

ended() {
    ! kill -0 "$window_process" 2>/dev/null
}

# -- pictures of the screen, that a test's own shot NAME [WIDTH HEIGHT] puts at $folder/NAME.ppm

# Pixels of two pictures that differ by more than 2 percent.
difference() {
    compare -metric AE -fuzz 2% "$folder/$1.ppm" "$folder/$2.ppm" null: 2>&1 |
        awk '{ printf "%d", $1 }'
}

colors() {
    identify -format '%k' "$folder/$1.ppm"
}

# still NAME [WIDTH HEIGHT]: the picture once it stands: what stands still is drawn better and better,
# and then no more. Until it was the same three times in a row, or as often as $stands says.
still() {
    same=0
    shot "$@"
    for _ in $(seq 100); do
        sleep 0.2
        mv "$folder/$1.ppm" "$folder/before-it-stands.ppm"
        shot "$@"
        if [ "$(difference before-it-stands "$1")" -eq 0 ]; then same=$((same + 1)); else same=0; fi
        [ "$same" -eq "${stands:-3}" ] && return
    done
}

# comes FROM TO PIXELS WHAT [WIDTH HEIGHT]: waits until the picture, which is then TO, differs from FROM
# by more than so many pixels; and goes likewise, until it differs by fewer.
comes() {
    wait_picture -gt "$@"
}

goes() {
    wait_picture -lt "$@"
}

wait_picture() {
    relation=$1 from=$2 to=$3 pixels=$4 what=$5
    shift 5
    for _ in $(seq 60); do
        shot "$to" "$@"
        seen=$(difference "$from" "$to")
        [ "$seen" "$relation" "$pixels" ] && break
        sleep 0.1
    done
    [ "$seen" "$relation" "$pixels" ]
    check $? "$what" "$seen pixels changed"
}

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
    tries=$(($1 * 5))
    shift
    for _ in $(seq "$tries"); do
        "$@" && return 0
        sleep 0.2
    done
    return 1
}
