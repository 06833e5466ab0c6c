#!/bin/sh
# SPDX-License-Identifier: MIT
# locale_test.sh PROGRAM: the same files, tables and messages in every locale. PROGRAM (in_locale.c)
# sets the locale that LC_ALL names, and runs a command of billow. LOCPATH holds the locales.
set -u

program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

check() { # check STATUS WHAT
    [ "$1" -eq 0 ] && return
    echo "wrong: $2"
    failures=$((failures + 1))
}

# same STATUS LINE [FILTER...]: runs a command line in the folders C and LOCALE, and compares the files
# that it writes there, its messages, and, through the filter, what else it prints.
same() {
    status=$1 line=$2
    shift 2
    [ $# -gt 0 ] || set -- cat
    for name in C $locales; do
        # shellcheck disable=SC2086 # the line's words
        (cd "$name" && LC_ALL=$name "$program" $line >../out 2>err
            echo "status $?" >>err; "$@" <../out >out)
    done
    for name in $locales; do
        diff -r C "$name" >differences
        check $? "$line in $name: $(head -c 400 differences)"
    done
    grep -q -x "status $status" C/err && [ "$(wc -c <C/out)" -gt 0 -o "$status" -ne 0 ]
    check $? "$line: $(cat C/err)"
}

# Messages. In Turkish i is not the small letter of I.
locales='de_DE.UTF-8 tr_TR.UTF-8 tr_TR.ISO-8859-9'
mkdir C $locales
for name in C $locales; do
    mkdir "$name/folder"
    echo 'emitters: [{shape: volume, mesh: missing.obj}]' >"$name/missing.yaml"
done
same 1 "check missing.yaml"
grep -q 'No such file or directory' C/err
check $? "the reason of the system: $(cat C/err)"
same 1 "check folder"
same 2 "render plume --replay missing.bwr"
same 2 "info missing.bwc"
same 2 "run PLUME.YAML"
same 2 "render plume --out INK.GIFF"
same 2 "check plume --set fluid.cooling=1,5"
same 2 "check plume --set fluid.cooling=-0.5"
same 2 "check plume --set domain.size=0.0001"
same 0 "check plume --ranks 2 --network 1.5,2.5" sed 's/predicted time.*//; s/computing from.*//'
same 2 "render plume --camera 30.5,10.25,99999999"
locales=de_DE.UTF-8

# Every built-in scene is read, written, and read again.
LC_ALL=C "$program" scenes >listed
scenes=$(sed -n 's/^\([a-z-]*\)  .*/\1/p' listed)
[ "$(echo "$scenes" | wc -l)" -ge 10 ]
check $? "at least ten scenes: $(cat listed)"
for scene in $scenes; do
    LC_ALL=C "$program" check "$scene" --write - >written 2>err
    for name in $locales; do
        LC_ALL=$name "$program" check "$scene" --write written.yaml --force >/dev/null 2>err &&
            LC_ALL=$name "$program" check written.yaml --write - >again 2>>err &&
            cmp written written.yaml && cmp written again
        check $? "$scene is read and written in $name: $(cat err)"
    done
done

# Meshes: the numbers of both text formats.
for name in C $locales; do
    cat >"$name/solid.obj" <<'END'
v -0.5 -0.25 -0.5
v 0.5 -0.25 -0.5
v 0 0.75 0
v 0 -0.25 0.5e0
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
END
    awk 'BEGIN { print "solid s" } /^v/ { v[++n] = $2 " " $3 " " $4 }
        /^f/ { print "facet normal 0 0 0\nouter loop"
            for (c = 2; c <= 4; c++) print "vertex " v[$c]
            print "endloop\nendfacet" } END { print "endsolid s" }' "$name/solid.obj" >"$name/solid.stl"
    for kind in obj stl; do
        cat >"$name/$kind.yaml" <<END
domain: {size: [1.25, 1.5, 1.25], cells: 12}
emitters: [{center: [0, -0.6, 0]}]
solids: [{shape: volume, mesh: solid.$kind, size: 0.3}]
timeline: [{key: solver.vorticity, values: [[0, 0.5], [1.5, 2.25]]}]
END
    done
done
for kind in obj stl; do
    same 0 "check $kind.yaml --write $kind-again.yaml --set fluid.cooling=0.25"
    same 0 "sim $kind.yaml --steps 2 --quiet --checkpoint ../$kind.bwc --force" sed '/^ms_step/,$d'
    same 0 "check ../$kind.bwc"
    same 0 "sim --resume ../$kind.bwc --steps 1 --quiet" sed '/^ms_step/,$d'
done

# Tables and volumes. The last column of the table is a time, and what JSON has before state_hash.
same 0 "sim plume --grid 12 --steps 3 --csv - --quiet" sed 's/,[^,]*$//'
same 0 "sim plume --grid 12 --steps 3 --json - --quiet" sed -n '/state_hash/,$p'
same 0 "bake plume --grid 12 --frames 2 --out plume_%d.vti --quiet --force"
same 0 "scenes --keys"
same 0 "verify --list"
same 0 "bench --help"
[ "$failures" -eq 0 ]
