#!/bin/sh
# SPDX-License-Identifier: MIT
# draw.sh [PROGRAM]: draws Billow's icon anew by Billow itself, in the sizes that desktops ask for, into
# this folder. Needs ImageMagick's convert.
set -eu

folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
program=${1:-$folder/../../build/release/billow}
large=$(mktemp)
trap 'rm -f "$large" "$large.png"' EXIT

"$program" render explosion --frames 21 --grid 144 --size 1024x1024 --transparent --quiet \
    --camera 45,4,26 --set 'camera.target=[12, 5, 12]' --set picture.bloom=0 --out "$large.png"
# Cut to what is seen and scaled into squares.
for size in 16 32 48 64 128 256 512; do
    convert "$large.png" -channel A -level 3%,100% +channel -trim +repage -resize "${size}x$size" \
        -background none -gravity center -extent "${size}x$size" -strip \
        "PNG32:$folder/billow-$size.png"
done
