#!/bin/sh
# SPDX-License-Identifier: MIT
# blender_test.sh BILLOW SCRIPT FOLDER: opens a baked sequence in Blender, checks grids, position and
# number of frames, and renders smoke from it with Cycles. Exit status 77: Blender is not installed.
set -eu

billow=$1
script=$2
folder=$3

if ! command -v blender >/dev/null; then
    echo 'blender_test: Blender is not installed: nothing was tested'
    exit 77
fi

rm -rf -- "$folder"
mkdir -- "$folder"
cd -- "$folder"

fail() {
    echo "blender_test: $*" >&2
    cat blender.log >&2
    exit 1
}

# render FIRST PICTURE FRAME
render() {
    blender -b --factory-startup -noaudio --python "$script" -- "$1" "$2" "$3" 96 96 4 \
        >blender.log 2>&1 || fail "Blender ended with $?"
    [ -s "$2" ] || fail "there is no $2"
}

"$billow" bake plume --grid 24 --frames 6 --fps 4 --quiet --out p_%04d.vdb >/dev/null
render p_0001.vdb smoke.png 6
grep -q 'billow: 6 frames, grids density temperature velocity' blender.log ||
    fail 'the sequence is not what was baked'

# In Blender the box of 2 m spans 0 to 2 in x and z and -2 to 0 in y. Smoke rises along z from the
# floor. A cell is 2/24 m.
awk '/billow: smoke from/ {
        found = 1
        good = $4 > 0 && $8 < 2 && $5 > -2 && $9 < 0 && $6 < 0.09 && $10 > 0.7 && $10 < 2.01
    }
    END { exit !(found && good) }' blender.log || fail 'the smoke is not where it was baked'

# At least a twentieth of the pixels differ from the same picture without smoke.
"$billow" bake plume --grid 24 --frames 1 --quiet --out none.vdb --fields density >/dev/null \
    --set 'emitters[0].smoke=0' --set 'emitters[1].smoke=0' --set 'emitters[2].smoke=0'
render none.vdb none.png 1
differing=$(compare -metric AE -fuzz 12% smoke.png none.png null: 2>&1 || true)
[ "$differing" -gt 460 ] || fail "the smoke changes only $differing pixels"
cd /
rm -rf -- "$folder"
