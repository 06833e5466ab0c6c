#!/bin/sh
# SPDX-License-Identifier: MIT
# install_test.sh SOURCE BUILD PROGRAM: installs BUILD into an empty folder, moves it, and builds a C
# and a C++ program against it, with pkg-config and with CMake's find_package. All four must run and
# print the same. PROGRAM is yes if the build has the program too. CC, CXX, CMAKE and PYTHON name the
# tools; PYTHON, which needs NumPy, may be unset.
set -eu

source_dir=$1
build_dir=$2
has_program=$3
cc=${CC:-cc}
cxx=${CXX:-c++}
cmake=${CMAKE:-cmake}
unset DESTDIR

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

die() {
    printf 'install_test: %s\n' "$*" >&2
    exit 1
}

for tool in "$cc" "$cxx" "$cmake" pkg-config; do
    command -v "$tool" >/dev/null || die "'$tool' is not installed"
done

"$cmake" --install "$build_dir" --prefix "$work/first" >"$work/log" || die "$(cat "$work/log")"
prefix=$work/moved
mv "$work/first" "$prefix"

for file in include/billow/billow.h include/billow/error.h; do
    [ -f "$prefix/$file" ] || die "$file was not installed"
done
for file in LICENSE README.md; do
    [ -n "$(find "$prefix/share/doc" -name $file)" ] || die "$file was not installed"
done
! grep -rIl -e "$source_dir" -e "$work/first" "$prefix" || die 'these files contain the path of the source or the prefix'
if [ "$has_program" = yes ]; then
    (cd / && "$prefix/bin/billow" --version) >/dev/null || die 'the installed program does not run'
fi

pc_file=$(find "$prefix" -name billow.pc)
[ -n "$pc_file" ] || die 'billow.pc was not installed'
PKG_CONFIG_PATH=$(dirname "$pc_file")
libdir=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH
export LD_LIBRARY_PATH="$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
flags=$(pkg-config --cflags --libs billow)
consumers=$source_dir/tests/install/consumer

# shellcheck disable=SC2086 # pkg-config's answer is a list of words
{
    "$cc" -std=c17 -Wall -Wextra -Werror "$consumers/consumer.c" -o "$work/pkg_c" $flags
    "$cxx" -std=c++17 -Wall -Wextra -Werror "$consumers/consumer.cpp" -o "$work/pkg_cxx" $flags
}

# by_cmake LANGUAGE COMPILER: builds $work/LANGUAGE/consumer with find_package.
by_cmake() {
    "$cmake" -S "$consumers" -B "$work/$1" "-DLANGUAGE=$1" "-DCMAKE_$1_COMPILER=$2" \
        "-DCMAKE_PREFIX_PATH=$prefix" >"$work/log" 2>&1 || die "$(cat "$work/log")"
    "$cmake" --build "$work/$1" >"$work/log" 2>&1 || die "$(cat "$work/log")"
}
by_cmake C "$cc"
by_cmake CXX "$cxx"

# Scenes, in a build that has them.
if [ "$has_program" = yes ]; then
    # shellcheck disable=SC2046 # as above
    "$cc" -std=c17 -Wall -Wextra -Werror "$source_dir/examples/scene.c" -o "$work/scene" \
        $(pkg-config --cflags --libs billow_scene)
    scene_said=$(cd / && "$work/scene" rolling-ball | tail -n 1)
    [ "${scene_said#hash }" != "$scene_said" ] || die "scene says '$scene_said'"
fi

expected=$("$work/pkg_c")
for program in pkg_cxx C/consumer CXX/consumer; do
    said=$("$work/$program")
    [ "$said" = "$expected" ] || die "$program says '$said', pkg_c '$expected'"
done

# The examples, built outside of the tree, and only optimised to be run.
build_type=Release
[ "$has_program" = no ] || build_type=Debug
"$cmake" -S "$source_dir/examples" -B "$work/examples" "-DCMAKE_C_COMPILER=$cc" "-DCMAKE_BUILD_TYPE=$build_type" \
    "-DCMAKE_PREFIX_PATH=$prefix" >"$work/log" 2>&1 || die "$(cat "$work/log")"
"$cmake" --build "$work/examples" >"$work/log" 2>&1 || die "$(cat "$work/log")"
if [ "$has_program" = yes ]; then
    [ "$(cd / && "$work/examples/scene" rolling-ball | tail -n 1)" = "$scene_said" ] ||
        die 'find_package builds another scene than pkg-config'
else # examples_test has tested the same programs in a build that has the program
    "$source_dir/tests/examples/examples_test.sh" "$work/examples" || die 'the examples, built outside of the tree'
fi

# The Python module finds the library that was installed with it.
if [ -n "${PYTHON:-}" ]; then
    said=$(env -u LD_LIBRARY_PATH PYTHONPATH="$prefix/lib/python3/dist-packages" "$PYTHON" -B -c '
import billow
sim = billow.Simulation(nx=64, ny=64, nz=64, emitters=[billow.Emitter()])
for step in range(100):
    sim.step(1 / 60)
print(sim.density.shape, sim.density.flags.owndata, 0.02 < sim.stats.mass < 0.023)')
    [ "$said" = '(64, 64, 64) False True' ] || die "Python says '$said'"
    if [ "$has_program" = yes ]; then
        env -u LD_LIBRARY_PATH PYTHONPATH="$prefix/lib/python3/dist-packages" "$PYTHON" -B -c '
import billow
billow.load_scene("plume", cells=16).step()' || die 'Python loads no scene'
        module=$(find "$prefix/lib" -name billow_openvdb.so)
        if [ -n "$module" ]; then # by billow-reader, which libbillow_scene finds
            "$prefix/bin/billow" bake plume --grid 16 --frames 1 --quiet --out "$work/smoke.vdb"
            echo '{name: t, domain: {cells: 16}, initial: {vdb: smoke.vdb}}' >"$work/t.yaml"
            env -u LD_LIBRARY_PATH PYTHONPATH="$prefix/lib/python3/dist-packages" "$PYTHON" -B -c '
import billow, sys
billow.load_scene(sys.argv[1]).step()' "$work/t.yaml" || die 'Python reads no .vdb file'
        fi
    fi
    if BILLOW_LIBRARY=/nowhere.so PYTHONPATH="$prefix/lib/python3/dist-packages" "$PYTHON" -B -c \
        'import billow' 2>"$work/log"; then
        die 'BILLOW_LIBRARY is not used'
    fi
    grep -q 'ImportError: libbillow could not be loaded: /nowhere.so' "$work/log" ||
        die "$(cat "$work/log")"
fi

# The default emitter releases 6/s in a sphere of 0.08 m: 0.000643 m3 in 0.05 s. Advection with linear
# interpolation loses or gains a little of it.
version=$(pkg-config --modversion billow)
echo "$expected" | awk -v version="$version" '
    $1 == version && $2 == "mass" && $3 > 0.00058 && $3 < 0.00071 &&
        $4 == "hash" && length($5) == 16 { good = 1 }
    END { exit !good }' || die "unexpected: '$expected' (pkg-config says version $version)"
echo "$expected"
