#!/bin/sh
# SPDX-License-Identifier: MIT
# blender_test.sh BILLOW ZIP SCRIPT FOLDER: runs the tests of the add-on in Blender, without a window and
# with settings of its own. Exit status 77: Blender is not installed.
set -eu

billow=$1 zip=$2 script=$3 folder=$4

if ! command -v blender >/dev/null; then
    echo 'blender_test: Blender is not installed: nothing was tested'
    exit 77
fi

rm -rf -- "$folder"
mkdir -p -- "$folder"
export BLENDER_USER_SCRIPTS="$folder/scripts" BLENDER_USER_CONFIG="$folder/config"
export BLENDER_USER_EXTENSIONS="$folder/extensions"
if ! blender -b --factory-startup -noaudio --python "$script" -- "$zip" "$billow" "$folder/bakes" \
    >"$folder/log" 2>&1 || ! grep -q '^addon tests: all passed' "$folder/log"; then
    grep -v '^Fra:' "$folder/log" >&2
    exit 1
fi
grep '^ok:' "$folder/log"
rm -rf -- "$folder"
