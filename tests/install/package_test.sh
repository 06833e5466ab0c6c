#!/bin/sh
# SPDX-License-Identifier: MIT
# package_test.sh SOURCE BUILD: packs BUILD as a tarball and, if dpkg is installed, as a .deb, unpacks
# each into an empty folder, and uses the result. CPACK and PYTHON name tools. PYTHON, which needs
# NumPy, may be unset, and the programs that check manual pages and menus may be missing.
set -eu

source_dir=$1
build_dir=$2
cpack=${CPACK:-cpack}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

die() {
    printf 'package_test: %s\n' "$*" >&2
    exit 1
}

# pack KIND: writes one package into $work. It must not run make, since tests run in parallel on the
# finished build; hence the other generator.
pack() {
    "$cpack" --config "$build_dir/CPackConfig.cmake" -G "$1" -B "$work" \
        -D CPACK_CMAKE_GENERATOR=Ninja >"$work/log" 2>&1 || die "$(cat "$work/log")"
}

# quietly COMMAND...: prints the output of the command only if it fails.
quietly() {
    "$@" >"$work/log" 2>&1 || die "$* says: $(cat "$work/log")"
}

# use PREFIX: checks what an installed Billow must contain and do.
use() {
    prefix=$1
    (cd / && env -i PATH=/usr/bin:/bin "$prefix/bin/billow" --version) >/dev/null ||
        die "$prefix/bin/billow does not run"
    env -i PATH=/usr/bin:/bin "$prefix/bin/billow" render plume --grid 16 --frames 2 \
        --size 32x32 --quality draft --quiet --out "$work/plume.png" || die "$prefix/bin/billow does not draw"
    [ -s "$work/plume.png" ] || die 'nothing was drawn'
    rm "$work/plume.png"
    if [ -f "$prefix/lib/billow/billow_openvdb.so" ]; then
        env -i PATH=/usr/bin:/bin "$prefix/bin/billow" bake plume --grid 16 --frames 1 --quiet \
            --out "$work/plume.vdb" || die "$prefix/bin/billow does not write .vdb files"
        echo '{name: t, domain: {cells: 16}, initial: {vdb: plume.vdb}}' >"$work/t.yaml"
        env -i PATH=/usr/bin:/bin "$prefix/bin/billow" check "$work/t.yaml" >/dev/null ||
            die "$prefix/bin/billow does not read .vdb files"
        rm "$work/plume.vdb" "$work/t.yaml"
    fi
    if [ -n "${PYTHON:-}" ]; then
        mass=$(PYTHONPATH="$prefix/lib/python3/dist-packages" "$PYTHON" -B -c '
import billow
with billow.Simulation(nx=16, ny=16, nz=16, cell_size=1 / 16, emitters=[billow.Emitter()]) as sim:
    sim.step(0.1)
    print(sim.stats.mass > 0, billow.__file__)')
        [ "$mass" = "True $prefix/lib/python3/dist-packages/billow/__init__.py" ] ||
            die "Python says '$mass'"
    fi
    [ -n "$(ls "$prefix/share/man/man1/"billow.1*)" ] || die 'no manual page'
    page=$work/billow.1
    if [ -f "$prefix/share/man/man1/billow.1" ]; then
        cp "$prefix/share/man/man1/billow.1" "$page"
    else
        gzip -dc "$prefix/share/man/man1/billow.1.gz" >"$page"
    fi
    commands=$("$prefix/bin/billow" --help | sed -n '/^usage/,/^  billow/s/^  \([a-z]*\)  *[a-z].*/\1/p' |
        grep -vx billow)
    [ -n "$commands" ] || die "the help lists no commands"
    for command in $commands; do
        grep -q "^\.SS \"billow $command" "$page" || die "the manual page lacks '$command'"
    done
    if command -v mandoc >/dev/null; then
        said=$(mandoc -T lint "$page" || true)
        [ -z "$said" ] || die "$said"
    fi
    if command -v desktop-file-validate >/dev/null; then
        quietly desktop-file-validate "$prefix/share/applications/billow.desktop"
    fi
    if command -v appstreamcli >/dev/null; then
        quietly appstreamcli validate --no-net "$prefix/share/metainfo/"*.xml
    fi
    # A PNG has its width and height in bytes 16 to 23.
    for size in 16 32 48 64 128 256 512; do
        icon=$prefix/share/icons/hicolor/${size}x$size/apps/billow.png
        found=$(od -An -tu1 -j16 -N8 "$icon" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')
        [ "$found" = "$size $size" ] || die "$icon has $found pixels"
    done
    if command -v bash >/dev/null; then
        # shellcheck disable=SC2016 # bash's, not this shell's
        words=$(PATH="$prefix/bin:$PATH" bash -c '. "$1"; COMP_WORDS=(billow render --tr); COMP_CWORD=2
            _billow; echo "${COMPREPLY[*]}"' - "$prefix/share/bash-completion/completions/billow")
        [ "$words" = --transparent ] || die "bash completes '--tr' as '$words'"
    fi
}

pack TGZ
mkdir "$work/some where"
tar -C "$work/some where" -xzf "$work"/billow-*.tar.gz
moved=$(echo "$work/some where"/billow-*)
use "$moved"
if command -v ldd >/dev/null; then
    env -i PATH=/usr/bin:/bin ldd "$moved/bin/billow" >"$work/libraries"
    ! grep 'not found' "$work/libraries" || die 'the tarball lacks libraries'
    for library in libSDL2 libcjson libyaml; do
        grep -q "$library.*=> $moved/.*lib/billow/" "$work/libraries" ||
            die "$library does not come from the tarball: $(cat "$work/libraries")"
    done
    ! grep -E "lib(c|GL|X11|asound)\.so.*=> $work" "$work/libraries" ||
        die 'the tarball has libraries that must be those of the system'
fi

command -v dpkg-shlibdeps >/dev/null || exit 0
pack DEB
deb=$(echo "$work"/billow_*.deb)
mkdir "$work/root"
dpkg-deb -x "$deb" "$work/root"
use "$work/root/usr"
[ -z "$(find "$work/root/usr/lib" -path '*/billow/lib*')" ] || die 'the .deb brings what Debian has'
dpkg-deb -f "$deb" Depends >"$work/depends"
for library in libc6 libsdl2-2.0-0 libgomp1; do
    grep -q "$library" "$work/depends" || die "the .deb depends on $(cat "$work/depends")"
done
for file in copyright changelog.gz; do
    [ -s "$work/root/usr/share/doc/billow/$file" ] || die "the .deb lacks $file"
done
if command -v lintian >/dev/null; then
    lintian --fail-on error "$deb" >"$work/log" 2>&1 || die "$(cat "$work/log")"
fi
cmp "$source_dir/include/billow/billow.h" "$work/root/usr/include/billow/billow.h"
