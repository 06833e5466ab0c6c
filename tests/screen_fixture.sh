# SPDX-License-Identifier: MIT
# Tests of the real window source this file. It gives them a folder and a display, which it removes at
# the end, and counts their checks. Windows keep what they save by themselves in that folder, not in
# the user's, where a test that was killed would leave a broken-off session to the next one.
folder=$(mktemp -d)
export XDG_STATE_HOME="$folder/state"
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
    # -noreset: a reset after the last client would turn away a program that starts meanwhile.
    Xvfb -displayfd 3 -screen 0 "${screen}x24" -nolisten tcp -noreset -nocursor -fbdir "$folder" "$@" \
        3>"$folder/display" 2>/dev/null &
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

# Waits for the window of $window_process, which has $window_name (default Billow) in its title. Sets
# $window, and places and focuses the window, since there is no window manager. Keys go to the window with
# the focus: xdotool key --window would send a key's release to a window that its press has closed, and
# the key would stay down for the next program.
find_window() {
    window=
    for _ in $(seq 600); do
        window=$(xdotool search --onlyvisible --name "${window_name:-Billow}" 2>/dev/null | head -n 1)
        [ -n "$window" ] && break
        kill -0 "$window_process" 2>/dev/null || give_up "the program ended before its window came"
        sleep 0.1
    done
    [ -n "$window" ] || give_up "no window came"
    xdotool windowmove "$window" 0 0 2>/dev/null
    xdotool windowfocus "$window" 2>/dev/null
}

# save SED [FILE]: changes FILE, or the scene, with a sed script. The new file is renamed over the old.
save() {
    file=$folder/${2:-scene.yaml}
    sed "$1" "$file" >"$file.new" && mv "$file.new" "$file"
}

# wait_end WHAT: waits for the program to end, with status 0 and no output.
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

# -- pictures of the screen, $folder/NAME.ppm, by screen_pictures.c. The test defines area [WIDTH HEIGHT],
# which prints the part of the screen that its pictures show.
pictures=$(dirname "${program:-}")/tests/screen_pictures

take() { # take WIDTHxHEIGHT+X+Y NAME
    "$pictures" take "$folder/Xvfb_screen0" "$1" "$folder/$2.ppm"
}

shot() { # shot NAME [WIDTH HEIGHT]
    take "$(area "${2:-}" "${3:-}")" "$1"
}

# The number of pixels by which two pictures differ, each by more than 2 percent.
difference() {
    "$pictures" difference "$folder/$1.ppm" "$folder/$2.ppm"
}

colors() {
    "$pictures" colors "$folder/$1.ppm"
}

# still NAME [WIDTH HEIGHT]: takes the picture once it no longer changes, and the processes of window and
# display sleep.
still() {
    "$pictures" still "$folder/Xvfb_screen0" "$(area "${2:-}" "${3:-}")" "$folder/$1.ppm" \
        "$window_process" "$server"
}

# comes FROM TO PIXELS WHAT [WIDTH HEIGHT]: waits until the picture differs from FROM by more than so many
# pixels, and keeps it as TO. goes waits until it differs by fewer.
comes() {
    wait_picture -gt "$@"
}

goes() {
    wait_picture -lt "$@"
}

wait_picture() {
    relation=$1 from=$2 to=$3 pixels=$4 what=$5
    shift 5
    for _ in $(seq 300); do # on a busy machine a paused picture takes long to become fine
        shot "$to" "$@"
        seen=$(difference "$from" "$to")
        [ "$seen" "$relation" "$pixels" ] && break
        sleep 0.1
    done
    [ "$seen" "$relation" "$pixels" ]
    check $? "$what" "$seen pixels changed"
}

# wait_for SECONDS COMMAND...: repeats the command until it succeeds.
wait_for() {
    tries=$(($1 * 5))
    shift
    for _ in $(seq "$tries"); do
        "$@" && return 0
        sleep 0.2
    done
    return 1
}

# xdotool_drag X1 Y1 X2 Y2: drags with the left button.
xdotool_drag() {
    xdotool mousemove "$1" "$2" mousedown 1
    for part in 1 2 3 4 5 6 7 8; do
        xdotool mousemove $(($1 + ($3 - $1) * part / 8)) $(($2 + ($4 - $2) * part / 8))
        sleep 0.05
    done
    xdotool mouseup 1
}
