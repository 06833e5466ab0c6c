#!/bin/sh
# SPDX-License-Identifier: MIT
# machine_test.sh PROGRAM: the program on machines that lack something: room on the disk, leave to write,
# a home, standard streams, threads, an encoder that lives.
set -u

program=$(realpath "$1") || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
cd "$folder" || exit 1
unset DISPLAY WAYLAND_DISPLAY OMP_NUM_THREADS
export OMP_WAIT_POLICY=passive
export program
small="--grid 12 --threads 1 --frames 2"
failures=0

check() { # check STATUS WHAT
    if [ "$1" -eq 0 ]; then
        echo "ok: $2"
    else
        echo "FAILED: $2; it said: $(head -c 500 err)"
        failures=$((failures + 1))
    fi
}

# refused STATUS TEXT COMMAND...: the status, and one line on standard error with the text.
refused() {
    wanted=$1
    text=$2
    shift 2
    "$@" >out 2>err
    status=$?
    [ $status -eq "$wanted" ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^billow: .*$text" err
    check $? "status $wanted and '$text'"
}

# done_in_silence WHAT COMMAND...
done_in_silence() {
    what=$1
    shift
    "$@" >out 2>err
    status=$?
    [ $status -eq 0 ] && [ ! -s err ]
    check $? "$what"
}

# mounted OPTIONS LINE: a line of shell in a file system of its own; 99 where it leaves a temporary file.
mounted() {
    unshare -rm sh -c "mkdir -p m && mount -t tmpfs -o $1 none m && cd m && { $2
        } ; status=\$?; ls -A | grep -q 'tmp\$' && status=99; exit \$status"
}

check_disk() {
    if ! mounted size=64k true >/dev/null 2>&1; then
        echo "left out: no file system can be made here"
        return
    fi
    none="No space left on device"
    # Room for some frames, not for all: those stay.
    for out in 'a_%d.vti size=64k' 'a_%d.png size=16k' 'a_%d.exr size=64k' 'a_%d.vdb size=96k'; do
        name=${out% *}
        verb=bake
        case $name in *.png | *.exr) verb="render --size 64x48" ;; esac
        "$program" $verb plume --grid 12 --refine 1 --threads 1 --frames 1 --out "probe_$name" >/dev/null 2>&1 || continue
        refused 1 "a_[2-9].*$none" mounted "${out#* }" "\"\$program\" $verb plume --grid 12 --refine 1 --threads 1 \
            --frames 30 --out '$name' && exit 97; code=\$?; ls | grep -q a_1 || code=98; (exit \$code)"
    done
    refused 1 "a.csv.*Read-only" mounted ro "\"\$program\" sim plume --grid 8 --steps 1 --csv a.csv"
    refused 1 "a.png.*$none" mounted size=4k "\"\$program\" render plume $small --out a.png"
    command -v ffmpeg >/dev/null || return
    refused 1 "a.mp4: .*$none" mounted size=8k \
        "\"\$program\" render plume --quality draft --grid 12 --refine 1 --frames 30 --size 320x240 --out a.mp4"
    refused 1 "a.gif: ffmpeg could not write it" mounted size=64k \
        "\"\$program\" render plume --quality draft --grid 12 --refine 1 --frames 30 --size 320x240 --out a.gif"
}

check_encoder() {
    command -v ffmpeg >/dev/null || return
    mkdir dying deaf
    # One that ends in the middle, and one that never looks at what it is given.
    printf '#!/bin/sh\nhead -c 20000 >/dev/null\nkill -9 $$\n' >dying/ffmpeg
    printf '#!/bin/sh\nexit 0\n' >deaf/ffmpeg
    chmod +x dying/ffmpeg deaf/ffmpeg
    video="render plume --quality draft --grid 12 --refine 1 --threads 1 --frames 40 --size 64x48 --out a.mp4"
    refused 1 "a.mp4: ffmpeg could not write it: it was ended by signal 9" \
        env PATH="$folder/dying:$PATH" "$program" $video
    refused 1 "a.mp4" env PATH="$folder/deaf:$PATH" "$program" $video
    [ -z "$(ls -A | grep -v '^\(out\|err\|m\|dying\|deaf\|probe.*\)$')" ]
    check $? "a dead encoder leaves nothing"
}

check_home() {
    unset MESA_SHADER_CACHE_DIR # which would do without a home
    picture="render plume $small --size 320x240 --slice speed --force"
    done_in_silence "no home" env -u HOME "$program" $picture --out a.png
    done_in_silence "a home that is not there" \
        env HOME=/no/such/home "$program" $picture --out a.png
    mounted ro true >/dev/null 2>&1 &&
        done_in_silence "a home that takes no files" mounted ro \
            "HOME=\$PWD '$program' $picture --out ../a.png"
    done_in_silence "no variable at all" env -i "$program" check text
}

check_streams() {
    refused 1 "standard output" sh -c '"$program" check fire >&-'
    sh -c '"$program" sim plume --grid 8 --steps 1 2>&-' >out 2>err
    check $? "no standard error, and none is needed"
    sh -c '"$program" sim plume --no-such-option 2>&-' >out 2>err
    [ $? -eq 2 ]
    check $? "no standard error, where one is needed"
    sh -c '"$program" check no.yaml 2>/dev/full' >out 2>err
    [ $? -eq 2 ]
    check $? "a full standard error"
    mkdir streams
    # What it opens must not land on a stream that is closed.
    (cd streams && sh -c '"$program" sim plume --grid 8 --steps 3 --csv a.csv --json b.json <&- >&- 2>&-')
    [ "$(wc -l <streams/a.csv)" -eq 4 ] && [ "$(head -c 1 streams/b.json)" = "{" ]
    check $? "files are whole without any stream"
}

check_threads() {
    hash=$("$program" sim plume $short | grep state_hash)
    # The library of threads says itself what it cannot read, and goes on.
    for count in 0 -1 abc 1e9; do
        saw=$(OMP_NUM_THREADS=$count "$program" sim plume $short 2>err | grep state_hash)
        [ -n "$hash" ] && [ "$saw" = "$hash" ]
        check $? "OMP_NUM_THREADS=$count, $saw"
    done
    refused 2 "OMP_NUM_THREADS=1000000000 cannot be used" \
        env OMP_NUM_THREADS=1000000000 "$program" sim plume $short
    for set in OMP_THREAD_LIMIT=1 OMP_DYNAMIC=true OMP_NUM_THREADS=64 OMP_STACKSIZE=64k; do
        saw=$(env $set "$program" sim plume $short --threads 3 2>err | grep state_hash)
        [ "$saw" = "$hash" ] && [ ! -s err ]
        check $? "$set, $saw"
    done
}

short="--grid 12 --steps 2 --quiet"
check_disk
check_encoder
check_streams
check_threads
check_home
[ "$failures" -eq 0 ]
