#!/bin/sh
# SPDX-License-Identifier: MIT
# grid_test.sh PROGRAM: the real window changes its grid by itself, but not one that the user chose. The
# automatic checkpoints tell the grid.
set -u

program=$(realpath "$1") || exit 1
. "$(dirname "$0")/../screen_fixture.sh"

# The window starts on 48x48x48 cells. A step of this scene may take 0.5 s with --quality fine, so that
# the grid grows, or shrinks if a busy machine draws it late.
cat >"$folder/scene.yaml" <<'EOF'
domain: {size: 1, cells: 80}
time: {step: 0.25}
emitters:
  - {center: [0.5, 0.1, 0.5], size: 0.1, smoke: 2, heat: 50}
EOF

start() { # start OPTIONS...
    (cd "$folder" && exec "$program" run --size 240x160 --attract 0 \
        --autosave 0.5 --quality fine "$@") >"$folder/log" 2>&1 &
    window_process=$!
    find_window
}

leave() {
    xdotool key ctrl+q
    wait "$window_process"
    check $? "the window is left" "status $?"
    window_process=
}

describe() { # of the automatic checkpoint: "48x48x48 24", the grid and the steps
    "$program" check "$state/autosave-$window_process.ckpt" 2>/dev/null |
        sed -n 's/.* at \([0-9x]*\) after \([0-9]*\) steps.*/\1 \2/p'
}

has_changed() {
    seen=$(describe)
    [ -n "$seen" ] && [ "${seen%% *}" != 48x48x48 ]
}

has_steps() { # has_steps COUNT
    seen=$(describe)
    [ -n "$seen" ] && [ "${seen##* }" -ge "$1" ]
}

start_server 640x480
state=$folder/state/billow

start scene.yaml
wait_for 60 has_changed
check $? "the grid changes by itself" "$seen"
leave

start scene.yaml --grid 32
wait_for 60 has_steps 16
[ "${seen%% *}" = 32x32x32 ]
check $? "--grid keeps the grid" "$seen"
leave

last=$("$program" check "$state/last.ckpt" 2>&1)
start --resume "$state/last.ckpt"
wait_for 60 has_steps "$(($(echo "$last" | sed -n 's/.* after \([0-9]*\) steps.*/\1/p') + 12))"
[ "${seen%% *}" = 32x32x32 ]
check $? "a checkpoint keeps its grid" "$seen"
leave
[ ! -s "$folder/log" ]
check $? "nothing is said" "$(cat "$folder/log")"
[ "$failures" -eq 0 ]
