#!/bin/sh
# SPDX-License-Identifier: MIT
# reload_test.sh PROGRAM SOURCE: saves the files that the window plays, as an editor does, and checks the
# screen, on a display of its own. SOURCE holds assets/ and shaders/.
set -u

program=$(realpath "$1") && source=$(realpath "$2") || exit 1
. "$(dirname "$0")/../screen_fixture.sh"

start_program() {
    (cd "$folder" && exec "$program" run scene.yaml --grid 16 --refine 1 --size 640x360 --seconds 200 \
        --shaders shaders --set sky.intensity=1 --json report.json) >"$folder/log" 2>&1 &
    window_process=$!
    find_window
    sleep 2
}

# The number of pixels of the panel that shows errors.
plate() {
    take 640x360+0+0 shot
    convert "$folder/shot.ppm" -fuzz 6% -transparent '#5f1a1d' -alpha extract -negate \
        -format '%[fx:int(mean*w*h)]' info:
}

# A channel of the mean colour of the picture, or an expression of r, g and b, in thousandths.
mean() {
    take 640x270+0+60 shot
    convert "$folder/shot.ppm" -scale 1x1! -format "%[fx:int(1000*$1)]" info:
}

# until WHAT CONDITION...: waits 10 s or more for the condition.
until_so() {
    what=$1
    shift
    for _ in $(seq 20); do
        if "$@"; then
            check 0 "$what" "$*"
            return
        fi
        sleep 0.5
    done
    check 1 "$what" "$*; plate $(plate), green $(mean g), $(xdotool getwindowname "$window")"
}

has_plate() { [ "$(plate)" -gt 500 ]; }
has_none() { [ "$(plate)" -lt 50 ]; }
is_called() { [ "$(xdotool getwindowname "$window")" = "$1 - Billow" ]; }
is_green() { [ "$(mean '(g-b)')" -gt 60 ]; }
is_blue() { [ "$(mean '(b-r)')" -gt 0 ]; }
runs() { kill -0 "$window_process" 2>/dev/null; }

check_scene() {
    until_so "at first nothing is wrong" has_none
    until_so "the sky is blue" is_blue
    save 's/^sky:.*/&\
  horizon: [0.1, 1, 0.1]\
  zenith: [0.1, 1, 0.1]/'
    until_so "a sky that is saved green is green" is_green
    save 's/^name: .*/name: other/'
    until_so "a saved name is the window's" is_called other
    cp "$folder/scene.yaml" "$folder/good.yaml"
    save 's/smoke:/smokee:/'
    until_so "a wrong key is said over the picture" has_plate
    is_green && runs
    check $? "the last good scene goes on" "green $(mean g)"
    : >"$folder/scene.yaml.new" && rm "$folder/scene.yaml"
    sleep 1
    cp "$folder/good.yaml" "$folder/scene.yaml"
    until_so "a mended file takes the message away" has_none
}

check_shaders() {
    shader=$(grep -l "void main" "$folder"/shaders/*.frag | head -n 1)
    shader=shaders/$(basename "$shader")
    cp "$folder/$shader" "$folder/good.frag"
    save 's/void main/void mein/' "$shader"
    until_so "a broken shader is said over the picture" has_plate
    cp "$folder/good.frag" "$folder/$shader"
    until_so "a mended one takes that away" has_none
}

# --grid overrides the file: 16 cells along the longest edge.
check_grid() {
    save 's/^  size: \[2, 2, 2\].*/  size: [1, 2, 1]/; s/^name: .*/name: slim/'
    until_so "another box is played" is_called slim
    sleep 1
    xdotool key --clearmodifiers ctrl+q
    wait "$window_process"
    status=$?
    window_process=
    [ "$status" -eq 0 ] && [ ! -s "$folder/log" ]
    check $? "nothing is said on the terminal" "status $status, $(cat "$folder/log")"
    tr -d ' \t\n' <"$folder/report.json" | grep -q '"grid":\[8,16,8\]'
    check $? "on the command line's grid" "$(grep grid "$folder/report.json")"
}

for tool in Xvfb xdotool convert; do
    command -v "$tool" >/dev/null || give_up "$tool is not installed"
done
sed 's/^  kind: sky/  kind: gradient/' "$source/assets/scenes/plume.yaml" >"$folder/scene.yaml"
cp -r "$source/shaders" "$folder/shaders"
chmod -R u+w "$folder"
start_server 1024x768
start_program
check_scene
check_shaders
check_grid
[ "$failures" -eq 0 ]
