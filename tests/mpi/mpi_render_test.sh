#!/bin/sh
# SPDX-License-Identifier: MIT
# mpi_render_test.sh MPIRUN PROGRAM: ranks draw the pictures of one process, no rank needs the memory of
# one process, and an error on any rank is said once.
set -u

mpirun=$1
program=$2
. "$(dirname "$0")/mpi_fixture.sh"
export LP_NUM_THREADS=1

# same FIRST SECOND: whether no channel of two 8-bit PNG files differs by more than 1.
cat >same.py <<'END'
import struct
import sys
import zlib


def pixels(path):
    data, at, packed = open(path, 'rb').read(), 8, b''
    while at < len(data):
        size, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b'IHDR':
            width, height, depth, color = struct.unpack('>IIBB', body[:10])
        packed += body if kind == b'IDAT' else b''
        at += 12 + size
    step = {2: 3, 6: 4}[color]
    rows, row, before = zlib.decompress(packed), width * step, bytearray(width * step)
    assert depth == 8
    out = []
    for y in range(height):
        filter, line = rows[y * (row + 1)], bytearray(rows[y * (row + 1) + 1:(y + 1) * (row + 1)])
        for i in range(row):
            a = line[i - step] if i >= step else 0
            b, c = before[i], before[i - step] if i >= step else 0
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[i] = (line[i] + [0, a, b, (a + b) // 2, nearest][filter]) & 255
        out.append(line)
        before = line
    return b''.join(out)


first, second = pixels(sys.argv[1]), pixels(sys.argv[2])
sys.exit(len(first) != len(second) or max(abs(a - b) for a, b in zip(first, second)) > 1)
END
same() {
    python3 same.py "$1" "$2"
}

# Pictures of one process and of ranks: smoke, flames with sparks, a box that every rank has whole, and
# what the first rank collects.
number=0
while read -r count arguments; do
    number=$((number + 1))
    draw="$program render $arguments --quality draft --size 64x48 --threads 1 --quiet"
    # shellcheck disable=SC2086 # a list of words
    $draw --out one_$number.png >log 2>&1 </dev/null || die "one process fails: $arguments"
    # shellcheck disable=SC2086 # a list of words
    ranks "$count" $draw --out many_$number.png >log 2>&1 </dev/null ||
        die "$count ranks fail: $arguments"
    same one_$number.png many_$number.png || die "$count ranks draw another picture: $arguments"
done <<'END'
3 fire --grid 48 --frames 4 --transparent
2 plume --grid 32 --frames 4 --set upres.factor=2 --set camera.shutter=0.02 --exposures 2
3 falling-ball --grid 32 --frames 4 --set upres.factor=3 --set upres.erosion=0.5
2 plume --grid 32 --frames 4 --set domain.unbounded.ceiling=true --slice speed
END

# A sequence, with what a loop draws again without smoke.
draw="$program render plume --grid 32 --frames 2 --loop 0.05 --size 64x48 --threads 1 --quiet"
$draw --out frame_%d.png >log 2>&1 || die 'one process fails to loop'
# shellcheck disable=SC2086 # a list of words
ranks 2 $draw --out loop_%d.png >log 2>&1 || die '2 ranks fail to loop'
for frame in 1 2; do
    same frame_$frame.png loop_$frame.png || die "2 ranks draw another frame $frame of a loop"
done

# Memory: each rank has its own planes, and the light of the box.
cat >peak.py <<'END'
import os
import resource
import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
with open(sys.argv[1] + os.environ.get('OMPI_COMM_WORLD_RANK', ''), 'w') as file:
    file.write('%d\n' % resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
END
for grid in 32 128; do # what the libraries need by themselves is in the smaller picture
    draw="$program render plume --quality draft --grid $grid --frames 1 --fps 200 --size 64x48 --threads 1 --quiet"
    python3 peak.py one_$grid. $draw --out one_$grid.png >log 2>&1 || die 'one process fails'
    # shellcheck disable=SC2086 # a list of words
    ranks 4 python3 peak.py rank_$grid. $draw --out four_$grid.png >log 2>&1 || die '4 ranks fail'
    same one_$grid.png four_$grid.png || die '4 ranks draw another picture'
done
one=$(($(cat one_128.) - $(cat one_32.)))
for rank in 0 1 2 3; do
    more=$(($(cat rank_128.$rank) - $(cat rank_32.$rank)))
    [ $((100 * more)) -lt $((75 * one)) ] ||
        die "128 cells take $more kB more than 32 on rank $rank, $one kB on one process"
done

# What is wrong on one rank is said once.
said() {
    [ "$(grep -c -F "billow: $1" log)" = 1 ] || die "'$1' is not said once"
}
# shellcheck disable=SC2016 # the rank's own arguments
ranks 2 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 0 ] || export __EGL_VENDOR_LIBRARY_DIRS=/nowhere
    exec "$@"' blind "$program" render plume --quality draft --grid 32 --frames 1 --quiet --out blind.png \
    >log 2>&1 && die 'a rank without OpenGL is not noticed'
said 'OpenGL: no EGL context'
ranks 2 "$program" render plume --quality draft --grid 32 --frames 1 --quiet --out /nowhere/a.png >log 2>&1 &&
    die 'an impossible file is accepted'
said '/nowhere/a.png'
exit 0
