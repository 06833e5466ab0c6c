#!/bin/sh
# SPDX-License-Identifier: MIT
# mpi_test.sh MPIRUN PROGRAM MPI_HASH: ranks under mpirun give the bits of one process, in states,
# checkpoints and files; what is wrong is said once; the death of a rank ends all.
set -u

mpirun=$1
program=$2
mpi_hash=$3
tests=$(cd "$(dirname "$0")" && pwd)
. "$tests/mpi_fixture.sh"

# The library.
alone=$("$mpi_hash" 1) || die 'the library does not run without mpirun'
while read -r count threads; do
    [ "$(ranks "$count" "$mpi_hash" "$threads" </dev/null)" = "$alone" ] ||
        die "$count ranks with $threads threads have another hash"
done <<'END'
2 2
3 1
4 1
END
ranks 6 "$mpi_hash" 1 >log 2>&1 && die '6 ranks were accepted'
grep -q '40 planes along z cannot be divided among 6 ranks; at most 5 ranks' log ||
    die 'too many ranks are not refused'

# The program: statistics once, checkpoints for any number of ranks, the same files.
simulate="$program sim plume --grid 32 --steps 6 --threads 1 --quiet"
hash_of() {
    sed -n 's/^state_hash *//p' "$1"
}
$simulate --checkpoint one.ckpt >one || die 'one process fails'
# shellcheck disable=SC2086 # a list of words
ranks 3 $simulate --checkpoint three.ckpt >three 2>log || die '3 ranks fail'
[ "$(hash_of one)" = "$(hash_of three)" ] || die '3 ranks have another hash'
[ "$(grep -c '^ranks  *3$' three)" = 1 ] || die 'the statistics are not printed once'
cmp -s one.ckpt three.ckpt || die '3 ranks write another checkpoint'
"$program" sim --resume three.ckpt --steps 6 --quiet --checkpoint one_more.ckpt >one
ranks 2 "$program" sim --resume three.ckpt --steps 6 --threads 1 --quiet --checkpoint two_more.ckpt \
    >two 2>log || die '2 ranks do not resume'
[ -n "$(hash_of one)" ] && [ "$(hash_of one)" = "$(hash_of two)" ] || die 'resumed runs differ'
cmp -s one_more.ckpt two_more.ckpt || die 'resumed runs write different checkpoints'

# Checkpoints of what every rank has whole: tracers and solids, and a box that grows.
for scene in explosion 'plume --set domain.unbounded.ceiling=true'; do
    simulate="$program sim $scene --grid 32 --steps 3 --threads 1 --quiet --force"
    $simulate --checkpoint one.ckpt >one || die "one process fails: $scene"
    # shellcheck disable=SC2086 # a list of words
    ranks 3 $simulate --checkpoint three.ckpt >three 2>log || die "3 ranks fail: $scene"
    cmp -s one.ckpt three.ckpt || die "3 ranks write another checkpoint: $scene"
    "$program" sim --resume one.ckpt --steps 1 --threads 1 --quiet >one
    ranks 2 "$program" sim --resume three.ckpt --steps 1 --threads 1 --quiet >two 2>log
    [ "$(hash_of one)" = "$(hash_of two)" ] || die "resumed runs differ: $scene"
done

# A checkpoint that cannot be written or read: one line, and the one before stays. Files may have
# 4.2 MB, since those that Open MPI 5 shares among ranks have 4 MB.
export OMPI_MCA_btl_sm_segment_size=65536
cp one.ckpt kept.ckpt
# shellcheck disable=SC2016 # the rank's own arguments
ranks 2 sh -c 'trap "" XFSZ; ulimit -f 8400; exec "$@"' limited "$program" sim plume --grid 80 \
    --steps 1 --threads 1 --quiet --force --checkpoint kept.ckpt >out 2>log &&
    die 'a full disk is not noticed'
[ "$(grep -c 'billow: kept.ckpt: could not be written completely: the file would be larger' log)" = 1 ] ||
    die 'a full disk is not said once'
cmp -s one.ckpt kept.ckpt || die 'a full disk damages the checkpoint before'
[ -z "$(find . -name 'billow-*.tmp')" ] || die 'a full disk leaves a temporary file'
mkdir elsewhere # a folder that the ranks do not share
# shellcheck disable=SC2016 # the rank's own arguments
ranks 2 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 0 ] || cd elsewhere; exec "$@"' apart "$program" \
    sim plume --grid 32 --steps 1 --threads 1 --quiet --force --checkpoint kept.ckpt >out 2>log &&
    die 'a folder that is not shared is not noticed'
[ "$(grep -c 'billow: .*: a rank cannot open it: No such file' log)" = 1 ] ||
    die 'the folder is not said once'
cmp -s one.ckpt kept.ckpt || die 'a folder that is not shared damages the checkpoint before'
[ -z "$(find . -name 'billow-*.tmp')" ] || die 'a folder that is not shared leaves a temporary file'
head -c 200000 one.ckpt >cut.ckpt
ranks 2 "$program" sim --resume cut.ckpt --steps 1 --quiet >log 2>&1 && die 'half a file is resumed'
[ "$(grep -c 'billow: cut.ckpt: the checkpoint is cut short' log)" = 1 ] ||
    die 'half a file is not said once'

# Frames, which all ranks write together: one .vdb, the same to the byte, or pieces of a .pvti.
upres='--set upres.factor=2 --set upres.erosion=0.5'
for scene in 'explosion --up y --float32' 'plume --set domain.unbounded.ceiling=true' \
    "explosion $upres" "plume --set domain.unbounded.ceiling=true $upres"; do
    bake="$program bake $scene --grid 24x32x40 --frames 2 --threads 1 --quiet --force"
    $bake --out one.vdb >log || die "bake fails: $scene"
    # shellcheck disable=SC2086 # a list of words
    ranks 3 $bake --out three.vdb >log 2>&1
    cmp -s one.vdb three.vdb || die "3 ranks bake another .vdb: $scene"
done
for up in y z; do
    bake="$program bake explosion --grid 24x32x40 --frames 2 --threads 1 --quiet --up $up"
    $bake --out one_$up.vti >log || die 'bake fails'
    # shellcheck disable=SC2086 # a list of words
    ranks 3 $bake --out three_${up}_%d.vti >log 2>&1 || die '3 ranks do not bake a .vti'
    python3 "$tests/pvti_read.py" three_${up}_2.pvti one_$up.vti ||
        die "3 ranks bake another .vti with $up up"
done
[ "$(grep -c 'file="three_z_[12].pvti"' three_z.pvd)" = 2 ] || die 'the list lacks frames'
bake="$program bake plume --frames 1 --threads 1 --quiet --out piece.vti"
touch piece_1.vti
# shellcheck disable=SC2086 # a list of words
ranks 2 $bake --grid 32 >log 2>&1 && die 'a file is overwritten'
[ "$(grep -c 'billow: piece_1.vti exists; --force overwrites it' log)" = 1 ] ||
    die 'a file that stands is not named once'
# shellcheck disable=SC2016,SC2086 # the rank's own arguments, a list of words
ranks 2 sh -c 'trap "" XFSZ; [ "$OMPI_COMM_WORLD_RANK" = 0 ] || ulimit -f 8400; exec "$@"' limited \
    $bake --grid 96 --force >out 2>log && die 'a piece that cannot be written is not noticed'
[ "$(grep -c 'billow: piece_1.vti: could not be written completely' log)" = 1 ] ||
    die 'a full disk is not said once'
[ ! -e piece.pvti ] && [ ! -e piece_0.vti ] || die 'a part of the pieces stays'
ranks 2 "$program" bake plume --grid 32 --frames 1 --threads 1 --quiet --out vti:- >two.vti 2>log
"$program" bake plume --grid 32 --frames 1 --threads 1 --quiet --out vti:- >one.vti
cmp -s one.vti two.vti || die '2 ranks write another file to standard output'

# The benchmark: strong and weak scaling, the same states, and a slow network. A grid is timed on no
# more ranks than it can be divided among.
ranks 3 "$program" bench --grids 24,16 --steps 5 --develop 0.01 --threads 1 --network 0.1,100 \
    --csv bench.csv --quiet >bench 2>log || die 'bench fails'
[ "$(cut -d, -f1,4,5 bench.csv | tail -9 | tr '\n' ' ')" = "strong,24,1 strong,24,2 strong,24,3 \
weak,48,2 weak,72,3 strong,16,1 strong,16,2 weak,32,2 weak,48,3 " ] || die 'bench lacks results'
[ "$(grep '^strong,24' bench.csv | cut -d, -f17 | sort -u | wc -l)" = 1 ] || die 'states differ'
ranks 2 "$program" bench --grids 32 --baseline >log 2>&1 && die 'bench takes --baseline'
[ "$(grep -c 'mpirun divides the steps that are timed, so --baseline has no meaning' log)" = 1 ] ||
    die 'an option without a meaning is not named once'
awk -F, '$1 == "strong" && $4 == 24 && $5 > 1 && ($10 < 1e5 || $16 < 8e-5 * $10) { bad = 1 }
    END { exit bad }' bench.csv || die 'the network does not delay'

# verify prints the table of one process. shear-wave has too few planes to be divided, and
# beer-lambert has no simulation: the first rank draws it, and the others need no OpenGL.
verify="$program verify shear-wave projection beer-lambert --threads 1 --quiet"
$verify | sed 's/ took .*//' >one || die 'verify fails'
# shellcheck disable=SC2016,SC2086 # the rank's own arguments, a list of words
ranks 3 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 0 ] ||
    export __EGL_VENDOR_LIBRARY_FILENAMES=/nowhere; exec "$@"' blind $verify >out 2>log || die 'verify fails on 3 ranks'
sed 's/ took .*//' out | cmp -s one - || die '3 ranks print another table'

# Commands that no ranks divide run once.
ranks 2 "$program" scenes >out 2>log || die 'scenes fails'
[ "$(grep -c "notice: 'billow scenes' is not divided; the first of 2 ranks runs it alone" log)" = 1 ] ||
    die 'that a rank runs it alone is not said once'
[ "$(grep -c '^plume' out)" = 1 ] || die 'scenes are not listed once'

# What is wrong is said once.
# said COUNT MESSAGE: the log has the message, so many times.
said() {
    [ "$(grep -c -F "billow: $2" log)" = "$1" ] || die "'$2' is not said once"
}
ranks 2 "$program" sim nothing >log 2>&1 && die 'a missing scene is accepted'
said 1 "there is no scene 'nothing'"
ranks 3 "$program" sim plume --grid 16 >log 2>&1 && die '3 ranks are accepted'
said 1 '16 planes along z cannot be divided among 3 ranks; at most 2 ranks'
# shellcheck disable=SC2016 # the rank's own arguments
ranks 2 sh -c 'exec "$1" sim "$(echo plume explosion | cut -d " " -f $((OMPI_COMM_WORLD_RANK + 1)))" --grid 32' \
    apart "$program" >log 2>&1 && die 'different scenes are accepted'
said 1 'the ranks have different scenes'
cp "$program" other && echo >>other
cp "$(dirname "$program")"/libbillow_mpi* .
# shellcheck disable=SC2016 # the rank's own arguments
ranks 2 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 0 ] && exec "$1" sim plume --grid 32; exec ./other sim plume --grid 32' \
    apart "$program" >log 2>&1 && die 'different builds are accepted'
said 1 'the ranks have different builds of Billow'
ranks 2 "$program" sim plume --grid 32 --json /nowhere/results.json >log 2>&1 &&
    die 'an impossible file is accepted'
said 1 '/nowhere/results.json'

# await FILE: waits until a run has written it, for at most half a minute.
await() {
    for _ in $(seq 150); do
        [ ! -s "$1" ] || return
        sleep 0.2
    done
    die "$1 is not written"
}

# whole CHECKPOINT: it is, and the log tells what it holds.
whole() {
    "$program" check "$1" >log 2>&1 || die 'the checkpoint of an interrupted run is not whole'
}

# Ctrl-C writes the checkpoint. mpirun then waits for the ranks as long as it is told. That of Open
# MPI 5 hands on none of their words any more, so that the number of steps must tell. A run that is
# stopped just after a checkpoint of its own tells nothing.
for _ in 1 2 3; do
    "$mpirun" --mca odls_base_sigkill_timeout 5 -n 2 "$program" sim plume --grid 32 \
        --steps 1000000 --threads 1 --quiet --checkpoint stopped.ckpt --every 97 >log 2>&1 &
    running=$!
    await stopped.ckpt
    kill -INT $running
    wait $running
    whole stopped.ckpt
    beyond=$(($(sed 's/.* after \([0-9]*\) steps.*/\1/' log) % 97))
    [ $beyond = 0 ] || break
    rm stopped.ckpt
done
[ $beyond != 0 ] || die 'Ctrl-C writes no checkpoint'

# SIGUSR2, which mpirun hands on as well, writes a checkpoint, and the run goes on, until SIGUSR1 ends it.
"$mpirun" --mca odls_base_sigkill_timeout 5 -n 2 "$program" sim plume --grid 32 --steps 1000000 \
    --threads 1 --checkpoint asked.ckpt --csv steps.csv >log 2>&1 &
running=$!
for _ in $(seq 150); do
    [ -z "$(find . -name 'billow-*.tmp')" ] || break
    sleep 0.2
done
kill -USR2 $running
await asked.ckpt
sleep 0.2
kill -USR1 $running
wait $running
grep -q 'notice: wrote asked.ckpt at ' log || die 'SIGUSR2 writes no checkpoint'
said 1 "interrupted; 'billow sim --resume asked.ckpt' continues"
whole asked.ckpt

# The death of a rank ends all, and leaves the last checkpoint.
# shellcheck disable=SC2016 # $$ is that of the rank
"$mpirun" -n 2 sh -c 'echo $$ >>pids; exec "$0" sim plume --grid 32 --steps 1000000 --threads 1 \
    --quiet --checkpoint last.ckpt --every 1' "$program" >log 2>&1 &
running=$!
await last.ckpt
sleep 0.5 # most of the time is spent on checkpoints
kill -KILL "$(head -1 pids)"
for wait in 1 2 3 4 5; do
    kill -0 $running 2>/dev/null || break
    sleep 1
done
kill -0 $running 2>/dev/null && die 'a rank died, and the others run on'
"$program" check last.ckpt >log 2>&1 || die 'the last checkpoint is not whole'
exit 0
