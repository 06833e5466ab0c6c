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

# -- examples with a window, run without it

# refuses STATUS WORDS PROGRAM ARGUMENTS...: the program ends with the status and one line that has the words.
refuses() {
    expected=$1 words=$2
    shift 2
    status=0
    "$@" >/dev/null 2>complaint.txt </dev/null || status=$?
    [ "$status" -eq "$expected" ] || die "'$*' ends with status $status, not $expected"
    { [ "$(wc -l <complaint.txt)" -eq 1 ] && grep -q -e "$words" complaint.txt; } ||
        die "'$*' complains '$(cat complaint.txt)', without '$words'"
}

# png_size FILE: "WIDTH HEIGHT".
png_size() {
    [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || die "$1 is no PNG file"
    tail -c +17 "$1" | head -c 8 | od -An -v -tu1 |
        awk '{ print $1 * 16777216 + $2 * 65536 + $3 * 256 + $4, $5 * 16777216 + $6 * 65536 + $7 * 256 + $8 }'
}

# keeps_the_rules NAME [SIGNALS]: what examples/common promises of every example with a window. The signals, beside
# INT, are handled there alone, so that one example gets them.
keeps_the_rules() {
    program=$programs/$1
    "$program" --help >help.txt || die "$1 --help failed"
    grep -q -e '--frames N' help.txt || die "$1 --help says '$(cat help.txt)'"
    grep -q -F "usage: $program [OPTIONS]" help.txt || die "$1 --help says '$(cat help.txt)'"
    "$program" --frames 1 --out one.png >/dev/null || die "$1 writes no picture"
    "$program" --frames 1 --out again.png >/dev/null
    "$program" --frames 2 --out two.PNG >/dev/null
    cmp -s one.png again.png || die "$1 gives another picture in a second run"
    ! cmp -s one.png two.PNG || die "$1 gives the same picture after 2 frames as after 1"
    refuses 1 'one.png exists; --force overwrites it' "$program" --frames 2 --out one.png
    cmp -s one.png again.png || die "$1 changed a file that it refused"
    "$program" --frames 2 --out one.png --force >/dev/null
    cmp -s one.png two.PNG || die "$1 --force does not overwrite"
    ln -s one.png link.png
    refuses 1 'link.png exists; --force overwrites it' "$program" --frames 1 --out link.png
    "$program" --frames 1 --out link.png --force >/dev/null
    { [ -L link.png ] && cmp -s one.png again.png; } || die "$1 --force does not write where a link leads"
    ln -s -f nothing.png link.png
    refuses 1 'link.png: cannot be written: target of the link: No such file' "$program" --frames 1 --out link.png
    refuses 1 'link.png: cannot be written: target of the link: No such file' "$program" --frames 1 --out link.png --force
    ln -s -f . link.png
    refuses 1 'link.png: cannot be written: it is a directory' "$program" --frames 1 --out link.png --force
    refuses 1 'nowhere/a.png: cannot be written: No such file' "$program" --frames 1 --out nowhere/a.png
    refuses 1 'one.png: could not be written completely: File too large' \
        limited "$program" --frames 2 --out one.png --force
    cmp -s one.png again.png || die "$1 spoils a file that it cannot write"
    refuses 2 'must end in .png or .mp4' "$program" --frames 1 --out a.gif
    refuses 2 'must be a whole number, 1 to 1000000, not' "$program" --frames 2.5
    refuses 2 '--frames needs a value: --frames N' "$program" --frames
    refuses 2 "there is no option '--wide'; '$program --help' lists them" "$program" --wide
    refuses 1 'standard output: No space left' full "$program" --help
    refuses 1 'standard output: No space left' full "$program" --frames 1
    refuses 1 'there is no display; add --frames [0-9]* --out FILE.png to' env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER "$program"
    refuses 1 'ffmpeg, which makes videos, cannot be started' env PATH=/nowhere "$program" --out none.MP4
    if command -v ffmpeg >/dev/null; then
        "$program" --frames 4 --out four.mp4 >/dev/null || die "$1 writes no video"
        [ "$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 four.mp4)" = 4 ] ||
            die "the video of $1 does not have 4 frames"
        for signal in INT ${2:-}; do
            is_interrupted "$signal" "$program"
        done
    fi
    refuses 130 ': interrupted$' env PATH="$work/dying:$PATH" "$program" --out none.mp4
    rm -f one.png again.png two.PNG link.png four.mp4
    [ -z "$(find . -name '*.tmp' -o -name 'none*' -o -name 'long*')" ] || die "$1 leaves files behind: $(ls)"
}

# limited PROGRAM ARGUMENTS...: runs the program where files hold at most 1 kB.
limited() {
    (
        trap '' XFSZ
        ulimit -f 2
        "$@"
    )
}

# full PROGRAM ARGUMENTS...: runs the program with its standard output on a full disk.
full() {
    "$@" >/dev/full
}

# An ffmpeg that interrupts the program while it waits to write the rest of the first frame, and then fails.
mkdir dying
# shellcheck disable=SC2016 # expanded by the script that is written
printf '#!/bin/sh\nhead -c 1 >/dev/null\nkill -INT "$PPID"\nexit 1\n' >dying/ffmpeg
chmod +x dying/ffmpeg

# is_interrupted SIGNAL PROGRAM: a signal to the process group, as by Ctrl-C, ends a long run with status 130. The
# program sleeps meanwhile, as if it were slow, so that an ffmpeg in its group would end first.
is_interrupted() {
    setsid env --default-signal="$1" "$2" --frames 1000000 --out long.mp4 2>complaint.txt &
    running=$!
    until [ -n "$(find . -name 'long.mp4.*.tmp' -size +0)" ]; do
        kill -0 "$running" 2>/dev/null || die "$2 ended before it was interrupted"
        sleep 0.1
    done
    kill -s STOP "$running"
    kill -s "$1" -- "-$running"
    sleep 0.3
    kill -s CONT "$running"
    status=0
    wait "$running" || status=$?
    [ "$status" -eq 130 ] || die "$2 ends with status $status by SIG$1: $(cat complaint.txt)"
    grep -q ': interrupted$' complaint.txt || die "$2 complains '$(cat complaint.txt)' by SIG$1"
}

if [ -e "$programs/stam2d" ]; then
    keeps_the_rules stam2d 'TERM HUP'
    "$programs/stam2d" --grid 32 --fixed --frames 40 --out smoke.png >stam2d.txt || die 'stam2d failed'
    grep -q -E '^stam2d: 32x32 cells, mass 0\.[0-9]+, float [0-9.]+ ms a step, fixed [0-9.]+ ms; ' stam2d.txt ||
        die "stam2d says '$(cat stam2d.txt)'"
    [ "$(png_size smoke.png)" = '1544 512' ] || die "smoke.png has the size $(png_size smoke.png)"
    refuses 2 '--grid: must be a whole number, 16 to 512, not' "$programs/stam2d" --grid 8
    refuses 2 '--viscosity: must be a number, 0 to 0.01, not' "$programs/stam2d" --viscosity nan
fi

# cube: a closed surface of quads; line 13 is its fifth face.
cube() {
    printf 'v %s\n' '0 0 0' '1 0 0' '0 1 0' '1 1 0' '0 0 1' '1 0 1' '0 1 1' '1 1 1'
    printf 'f %s\n' '1 3 4 2' '5 6 8 7' '1 2 6 5' '3 7 8 4' '1 5 7 3' '2 4 8 6'
}

if [ -e "$programs/surface" ]; then
    keeps_the_rules surface
    cube >cube.obj
    "$programs/surface" --shape cube.obj --cells 8 --frames 20 --out cube.png >surface.txt || die 'surface failed'
    grep -q -E '^surface: cube\.obj, 6 patches of 8x8 cells, smoke [0-9.]+, [0-9.]+ ms a step$' surface.txt ||
        die "surface says '$(cat surface.txt)'"
    [ "$(png_size cube.png)" = '640 640' ] || die "cube.png has the size $(png_size cube.png)"
    "$programs/surface" --shape torus --cells 8 --frames 2 >surface.txt || die 'surface --shape torus failed'
    grep -q '^surface: torus, 24 patches of 8x8 cells, smoke ' surface.txt || die "surface says '$(cat surface.txt)'"
    refuses 2 '--cells: must be a whole number, 4 to 128, not' "$programs/surface" --cells 2
    refuses 2 '--cells: must be a power of 2 from 4, not 12' "$programs/surface" --cells 12 --frames 1
    refuses 2 'torus: 24 faces with 128x128 cells each are more than' "$programs/surface" --shape torus --cells 128
    refuses 2 '--shape: must be sphere, torus or a FILE.obj, not' "$programs/surface" --shape cone --frames 1
    refuses 1 'none.obj: cannot be read: No such file' "$programs/surface" --shape none.obj --frames 1
    mkdir folder.obj
    refuses 1 'folder.obj: cannot be read: Is a directory' "$programs/surface" --shape folder.obj --frames 1
    rmdir folder.obj
    cube | sed 13d >open.obj
    refuses 1 'open.obj:.*: the surface is open: its edge between vertices' "$programs/surface" --shape open.obj --frames 1
    cube | sed '13s/ 3$//' >triangle.obj
    refuses 1 'triangle.obj:13: a face must have 4 corners, not 3' "$programs/surface" --shape triangle.obj --frames 1
    { cube && echo 'f 1 5 7 3'; } >thick.obj
    refuses 1 'thick.obj:.*: the edge between vertices .* has 3 faces, not 2' "$programs/surface" --shape thick.obj --frames 1
fi

# -- the pond, alone and two of them

# ends PROCESS STATUS NAME: waits for the end of a program started here.
ends() {
    status=0
    wait "$1" || status=$?
    [ "$status" -eq "$2" ] || die "$3 ends with status $status, not $2: $(cat "$3.txt" "$3.err")"
}

# says FILE WORDS PROCESS: waits until the running program has written the words.
says() {
    until grep -q -e "$2" "$1"; do
        kill -0 "$3" 2>/dev/null || die "a pond ends without '$2': $(cat "$1")"
        sleep 0.1
    done
}

# A master and a follower whose clocks differ, then a follower whose master is killed: it goes on alone.
two_ponds() {
    pond=$programs/pond place=127.0.0.1:$((32000 + $$ % 20000))
    "$pond" --listen "${place#*:}" --clock-offset 3.7 --clock-rate 1.01 --frames 1000000 >master.txt 2>>master.err &
    master=$!
    trap 'kill "$master" 2>/dev/null || true; rm -rf "$work"' EXIT
    for try in 1 2 3; do # on a busy machine the other's messages may come too late to measure its clock
        : >master.err
        "$pond" --peer "$place" --clock-offset -12 --clock-rate 0.97 --frames 90 >short.txt 2>short.err &
        short=$!
        says short.err 'in step' "$short"
        "$pond" --peer "$place" --frames 75 >third.txt 2>third.err & # the master has a partner
        third=$!
        ends "$short" 0 short
        # On a busy machine it may lose the other for a moment, and find it again.
        [ "$(grep -v '^pond: nothing heard from the other pond for ' short.err | sort -u)" = 'pond: in step with the other pond' ] ||
            die "a pond that follows says '$(cat short.err)'"
        ends "$third" 0 third
        [ "$(cat third.err)" = "pond: no pond answers at $place (none listens there, or it has a partner); going on alone" ] ||
            die "a third pond says '$(cat third.err)'"
        says master.err 'going on alone$' "$master" # and free for the next one
        grep -q -E 'in step: clock \+[0-9.]+ s, rate 1\.0[34][0-9]+, trip [0-9.]+ ms$' short.txt && break
        [ "$try" -lt 3 ] || die "a pond that follows says '$(cat short.txt)'"
    done
    refuses 1 "${place#*:}: no connection: Address already in use" "$pond" --listen "${place#*:}" --frames 1
    "$pond" --peer "$place" --frames 200 --out together.png >follower.txt 2>follower.err &
    follower=$!
    says follower.err 'in step' "$follower"
    kill -KILL "$master"
    wait "$master" 2>/dev/null || true
    ends "$follower" 0 follower
    grep -q 'going on alone$' follower.err || die "a pond whose master is gone says '$(cat follower.err)'"
    grep -q 'alone, the other is silent$' follower.txt || die "a pond alone says '$(cat follower.txt)'"
    [ "$(png_size together.png)" = '960 500' ] || die 'a pond alone writes no picture'
}

if [ -e "$programs/pond" ]; then
    keeps_the_rules pond
    "$programs/pond" --rain --frames 60 --out rain.png >pond.txt || die 'pond failed'
    grep -q -E '^pond: 2\.00 s, boat [1-3]\.[0-9] m/s, [0-9]+ elements, [1-9][0-9.]* l of rain, volume off by [0-9]e-0[3-9] l, raining$' pond.txt ||
        die "pond says '$(cat pond.txt)'"
    [ "$(png_size rain.png)" = '960 500' ] || die "rain.png has the size $(png_size rain.png)"
    refuses 2 "--listen: must be PORT or ADDRESS:PORT, not '70000'" "$programs/pond" --listen 70000
    refuses 2 "--peer: must be ADDRESS:PORT, not '7000'" "$programs/pond" --peer 7000
    refuses 2 "--peer: no IPv4 address of 'no..name' is found: " "$programs/pond" --peer no..name:7000
    refuses 2 '0.0.0.0:PORT lets other machines connect' "$programs/pond" --listen '*:7000'
    refuses 2 'exclude each other' "$programs/pond" --peer 127.0.0.1:7000 --listen 7000
    refuses 2 'need --listen or --peer' "$programs/pond" --clock-offset 3
    refuses 2 '--clock-rate: must be a number, 0.9 to 1.1, not' "$programs/pond" --clock-rate 2
    two_ponds
fi

if [ -e "$programs/terrain" ]; then
    keeps_the_rules terrain
    "$programs/terrain" --speed 4 --frames 30 --out valley.png >terrain.txt || die 'terrain failed'
    # 2 s of 3.1 m3/s into a lake of about 38 m3
    awk -F '[ ,]+' '/^terrain: 2\.0 s, water [0-9.]+ m3, poured [0-9.]+ m3, left 0\.000 m3, / {
             good = $5 == $8 && $8 > 40 && $8 < 50 }
         END { exit !good }' terrain.txt || die "terrain says '$(cat terrain.txt)'"
    [ "$(png_size valley.png)" = '960 600' ] || die "valley.png has the size $(png_size valley.png)"
    refuses 2 '--rate: must be a number, 0 to 10, not' "$programs/terrain" --rate 11
    refuses 2 '--speed: must be a number, 0.1 to 10, not' "$programs/terrain" --speed 0
fi
