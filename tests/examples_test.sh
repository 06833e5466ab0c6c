#!/bin/sh
# SPDX-License-Identifier: MIT
# examples_test.sh FOLDER: runs the examples built in FOLDER and checks their output and files.
set -eu

programs=$(cd -- "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"

die() {
    printf 'examples_test: %s\n' "$*" >&2
    exit 1
}

# levels FILE HEADER_BYTES: the number of different byte values in a picture.
levels() {
    tail -c +$(($2 + 1)) "$1" | od -An -v -tu1 -w1 | sort -u | wc -l
}

"$programs/headless" slice.pgm >headless.txt || die 'headless failed'
tail -n 1 headless.txt | grep -q -E '^hash [0-9a-f]{16}, slice in slice\.pgm$' ||
    die "headless says '$(tail -n 1 headless.txt)'"
[ "$(awk '$1 == "2.00" { print ($2 > 0.02 && $2 < 0.03) }' headless.txt)" = 1 ] ||
    die "headless has the wrong amount of smoke: $(cat headless.txt)"
[ "$(head -n 2 slice.pgm | tr '\n' ' ')" = 'P5 48 72 ' ] || die 'slice.pgm is no picture of 48 x 72'
[ "$(wc -c <slice.pgm)" -eq $((13 + 48 * 72)) ] || die 'slice.pgm has a wrong size'
[ "$(levels slice.pgm 13)" -gt 50 ] || die 'slice.pgm shows no smoke'
if "$programs/headless" nowhere/slice.pgm >/dev/null 2>complaint.txt; then
    die 'headless writes where it cannot'
fi
grep -q nowhere/slice.pgm complaint.txt || die "headless complains '$(cat complaint.txt)'"

"$programs/own_renderer" front.ppm >/dev/null || die 'own_renderer failed'
[ "$(wc -c <front.ppm)" -eq $((13 + 3 * 48 * 72)) ] || die 'front.ppm has a wrong size'
[ "$(levels front.ppm 13)" -gt 100 ] || die 'front.ppm shows no smoke'

# The ball falls at first, the plume lifts it by more than a radius, and it falls again.
"$programs/couple_solid" >ball.txt || die 'couple_solid failed'
awk '{ height = $5 }
     NR == 1 || (!rose && height < lowest) { lowest = height }
     height > lowest + 0.1 { rose = 1 }
     height > highest { highest = height }
     END { exit !(lowest < 0.95 && rose && height < highest - 0.1) }' ball.txt ||
    die "the ball does not go up and down: $(cat ball.txt)"

# The smoke of the plume rises. A build of the solver alone has no scenes.
if [ -e "$programs/scene" ]; then
    "$programs/scene" >plume.txt || die 'scene failed'
    awk '/smoke up to/ { if ($6 <= top) bad = 1; top = $6; count++ }
         END { exit !(count == 3 && !bad && top > 0.3) }' plume.txt ||
        die "the smoke does not rise: $(cat plume.txt)"
    if "$programs/scene" plumme >/dev/null 2>complaint.txt; then
        die 'scene loads what does not exist'
    fi
    grep -q "did you mean 'plume'" complaint.txt || die "scene complains '$(cat complaint.txt)'"
fi
