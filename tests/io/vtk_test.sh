#!/bin/sh
# SPDX-License-Identifier: MIT
# vtk_test.sh BILLOW SCRIPT FOLDER: VTK's own reader opens a baked .vti. Exit status 77: VTK for Python is
# not installed.
set -eu

billow=$1
script=$2
folder=$3

for python in python3 /usr/bin/python3; do
    if command -v "$python" >/dev/null && "$python" -c 'import vtkmodules' 2>/dev/null; then
        rm -rf -- "$folder"
        mkdir -- "$folder"
        cd -- "$folder"
        "$billow" bake gases --grid 16x24x8 --frames 2 --fps 25 --quiet --out p_%d.vti \
            --set fluid.fire=true
        "$python" "$script" p_2.vti
        cd /
        rm -rf -- "$folder"
        exit
    fi
done
echo 'vtk_test: no Python here has VTK: nothing was tested'
exit 77
