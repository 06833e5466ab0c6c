#!/bin/sh
# SPDX-License-Identifier: MIT
# blender_test.sh BILLOW SCRIPT FOLDER: a baked sequence opens in Blender with the grids, in the
# place and as many frames as baked, and Cycles renders smoke from it. Blender is used where it is
# installed; nothing else asks for it. Exit status 77: it is not.
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

# In Blender the box of 2 m spans x and z from 0 to 2 and y from -2 to 0, and smoke rises along z
# from the floor. Cells are 2/24 m.
awk '/billow: smoke from/ {
        found = 1
        good = $4 > 0 && $8 < 2 && $5 > -2 && $9 < 0 && $6 < 0.09 && $10 > 0.7 && $10 < 2.01
    }
    END { exit !(found && good) }' blender.log || fail 'the smoke is not where it was baked'

# Against the same picture without smoke many pixels differ: at least a twentieth of them.
"$billow" bake plume --grid 24 --frames 1 --quiet --out none.vdb --fields density >/dev/null \
    --set 'emitters[0].smoke=0' --set 'emitters[1].smoke=0' --set 'emitters[2].smoke=0'
render none.vdb none.png 1
differing=$(compare -metric AE -fuzz 12% smoke.png none.png null: 2>&1 || true)
[ "$differing" -gt 460 ] || fail "the smoke changes only $differing pixels"
cd /
rm -rf -- "$folder"
