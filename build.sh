#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs packages, configures and compiles: from a fresh machine to a running Billow. See usage.
set -eu

program_packages='gcc g++ make cmake pkg-config libsdl2-dev libcglm-dev libepoxy-dev libimgui-dev
          libstb-dev libpng-dev libyaml-dev libcjson-dev libgl1-mesa-dri libopenexr-dev
          libopenvdb-dev libnanovdb-dev libboost-dev libtbb-dev zlib1g-dev libfreetype-dev
          libfontconfig-dev libzstd-dev libenet-dev libsodium-dev libwebsockets-dev
          fonts-dejavu-core'
web_packages='emscripten cmake make python3 gcc libcglm-dev dpkg-dev'
test_packages='libcmocka-dev xvfb xdotool imagemagick python3-numpy ffmpeg gnuplot-nox
          doxygen mandoc desktop-file-utils file libopenmpi-dev openmpi-bin locales'

usage() {
    cat <<'END'
usage: ./build.sh build                 install what is missing, build build/release/billow
       ./build.sh run [ARGUMENT...]     the same, then start `billow run ARGUMENT...`
       ./build.sh test [OPTION...]      the same, then build and run every test, or those that
                                        options of CTest choose, as --tests-regex golden
       ./build.sh web [--serve]         install what is missing, build the page build/web, serve it

Packages come from apt (Debian, Ubuntu), as root or through sudo, and are printed before they are
installed. On other systems the script names them. Afterwards plain CMake works:
    cmake --preset release && cmake --build --preset release && ctest --preset release
END
}

say() {
    printf 'build.sh: %s\n' "$*"
}

complain() {
    say "$@" >&2
}

# Prints those of the named packages that are not installed for this machine's architecture.
missing_packages() {
    native=$(dpkg --print-architecture)
    for package in "$@"; do
        # shellcheck disable=SC2016 # the fields are dpkg-query's, not the shell's
        dpkg-query -W -f '${db:Status-Status} ${Architecture}\n' "$package" 2>/dev/null |
            grep -q -x -e "installed $native" -e 'installed all' || printf ' %s' "$package"
    done
}

apt_get() {
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive apt-get "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive apt-get "$@"
    fi
}

# Installs the packages that are missing. Returns false if it cannot; the libraries may have been
# installed in another way, so CMake decides whether anything is missing.
provide_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        return 1
    fi
    missing=$(missing_packages "$@")
    if [ -z "$missing" ]; then
        return 0
    fi
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        complain "cannot install, being neither root nor able to use sudo; missing:$missing"
        return 1
    fi
    say "installing with apt-get:$missing"
    apt_get update || complain 'apt-get could not refresh its lists; trying with the old ones'
    # shellcheck disable=SC2086 # a list of words
    if ! apt_get install --no-install-recommends -y $missing; then
        complain "apt-get did not install:$missing"
        return 1
    fi
}

name_packages() {
    cat <<END
Billow needs a C and a C++ compiler, CMake 3.22, pkg-config, SDL 2, cglm, epoxy, Dear ImGui (with a
pkg-config file and its SDL 2 and OpenGL 3 back ends), libpng with zlib, libyaml and cJSON, and ENet,
libsodium and libwebsockets for sharing a scene with other machines and browsers. It uses FreeType
with fontconfig for letters, OpenEXR 3.1 for .exr files, OpenVDB with TBB and Boost for .vdb files,
zstd for going back in time, and MPI for clusters, and works without these. At run time ffmpeg makes
videos and gnuplot draws plots. The tests need cmocka, Xvfb, xdotool, ImageMagick, NumPy, ffmpeg,
gnuplot and the sources of glibc's locales, and check more with MPI, Doxygen, mandoc and
desktop-file-utils. Names of the packages:
  apt     apt-get install $program_packages
  tests   $test_packages
  dnf     dnf install gcc gcc-c++ make cmake pkgconf-pkg-config SDL2-devel cglm-devel
          libepoxy-devel imgui-devel stb-devel libpng-devel libyaml-devel cjson-devel
          mesa-dri-drivers openexr-devel openvdb-devel boost-devel tbb-devel
          zlib-devel libzstd-devel enet-devel libsodium-devel libwebsockets-devel
          freetype-devel fontconfig-devel dejavu-sans-fonts
  tests   libcmocka-devel xorg-x11-server-Xvfb xdotool ImageMagick python3-numpy ffmpeg-free
          gnuplot-minimal openmpi-devel
  pacman  pacman -S gcc make cmake pkgconf sdl2 cglm libepoxy imgui stb libpng libyaml cjson mesa
          openexr openvdb boost onetbb zlib zstd enet libsodium libwebsockets freetype2
          fontconfig ttf-dejavu
  tests   cmocka xorg-server-xvfb xdotool imagemagick python-numpy ffmpeg gnuplot openmpi
  brew    brew install cmake pkg-config libomp sdl2 cglm libepoxy imgui libpng libyaml cjson
          openexr openvdb boost tbb enet libsodium libwebsockets freetype fontconfig
          font-dejavu
  tests   cmocka imagemagick numpy ffmpeg gnuplot, xdotool and XQuartz for Xvfb
END
}

# Configures in build/release. A tree that was moved or copied after it was built loses its cache,
# which CMake would refuse.
configure() {
    cache=$root/build/release/CMakeCache.txt
    if [ -f "$cache" ] && ! grep -q -x -F "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
        rm -rf -- "$cache" "$root/build/release/CMakeFiles"
    fi
    command -v cmake >/dev/null && (cd -- "$root" && cmake --preset release "$@")
}

# prepare PACKAGES [OPTION...]: installs packages and configures the build, or exits.
prepare() {
    packages=$1
    shift
    complete=yes
    # shellcheck disable=SC2086 # a list of words
    provide_packages $packages || complete=no
    if configure "$@"; then
        return 0
    fi
    if [ "$complete" = no ]; then
        complain 'something is missing, and this script could not install it.'
        name_packages >&2
    else
        complain 'CMake could not configure the build; its message above says why.'
    fi
    exit 1
}

compile() {
    (cd -- "$root" && cmake --build --preset release --parallel "$cores" "$@")
}

build_program() {
    prepare "$program_packages"
    compile --target installable
}

# Unpacks Debian's sources of libraries that Emscripten has not into build/web-sources.
fetch_sources() {
    folder=$root/build/web-sources
    mkdir -p -- "$folder/lists/partial"
    cd -- "$folder"
    # shellcheck disable=SC2016 # the fields are apt-get's, not the shell's
    apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' \
        'Created-By: Packages' | sed -n 's/ \(Debian\|Ubuntu\)$//p' | awk '!seen[$0]++' >sources.list
    set -- -qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o "Dir::State::lists=$folder/lists"
    for library in libyaml cjson zlib libsodium; do
        found=$(find . -maxdepth 1 -type d -name "$library-*")
        [ -z "$found" ] || continue
        [ -n "${fresh-}" ] || apt-get "$@" update || return 1
        fresh=yes
        say "unpacking Debian's sources of $library"
        # A mirror may list a new version before it has its files, or after it has lost them.
        for version in $(apt-cache "$@" madison "$library" | awk '{ print $3 }' | sort -Vru); do
            if apt-get "$@" source "$library=$version" >/dev/null; then
                continue 2
            fi
        done
        return 1
    done
    cd -- "$root"
}

build_page() {
    # shellcheck disable=SC2086 # a list of words
    provide_packages $web_packages || complain 'something is missing; trying without it'
    if ! fetch_sources; then
        complain 'the sources of libyaml, cJSON, zlib and libsodium could not be fetched by apt-get source'
        exit 1
    fi
    cd -- "$root"
    cmake --preset web
    cmake --build --preset web --parallel "$cores"
}

cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)

# wrong_usage MESSAGE: prints it with the usage and exits.
wrong_usage() {
    complain "$1"
    usage >&2
    exit 2
}

command=${1:---help}
[ $# -eq 0 ] || shift
case $command in
    run | test) ;;
    web)
        [ "${1:---serve}" = --serve ] || wrong_usage "'web' takes --serve, but got '$1'"
        [ $# -le 1 ] || wrong_usage "'web' takes one argument, but got '$2' too"
        ;;
    build | -h | --help)
        [ $# -eq 0 ] || wrong_usage "'$command' takes no argument, but got '$1'"
        ;;
    *) wrong_usage "'$command' is not known here" ;;
esac
case $command in
    build)
        build_program
        say "built $root/build/release/billow"
        ;;
    run)
        build_program
        exec "$root/build/release/billow" run "$@"
        ;;
    test)
        prepare "$program_packages $test_packages" -DBILLOW_TESTS=ON
        compile
        # Two more than there are cores, since tests of windows, ranks and sessions often wait.
        cd -- "$root" && ctest --preset release --parallel $((cores + 2)) "$@"
        ;;
    web)
        build_page
        say "built the page $root/build/web"
        [ $# -eq 0 ] || exec python3 "$root/src/web/serve.py" "$root/build/web"
        ;;
    *) usage ;;
esac
