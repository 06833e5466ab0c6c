#!/bin/sh
# SPDX-License-Identifier: MIT
# coverage.sh BUILD [LEAST]: prints the share of lines that the tests have run in BUILD, a build of the
# preset "coverage", by folder and for the files with the smallest share. It fails if src/sim, src/scene
# or src/io has less than LEAST percent (default 90).
#
#     cmake --preset coverage -DBILLOW_TESTS=ON && cmake --build --preset coverage
#     ctest --preset coverage && tests/coverage.sh build/coverage
set -eu

build=$(realpath "$1")
least=${2:-90}
source=$(realpath "$(dirname "$0")/..")
lcov --version >/dev/null 2>&1 || {
    echo "skipped: lcov is not installed"
    exit 77
}
# These are the paths that the compiler noted. ccache may have made them relative to the build folders.
lcov --quiet --capture --directory "$build/src" --directory "$build/tests" \
    --output-file "$build/all.info" >"$build/lcov.log" 2>&1 || {
    cat "$build/lcov.log"
    exit 1
}
lcov --quiet --extract "$build/all.info" "$source/src/*" --output-file "$build/coverage.info"

# A record of lcov's: SF:file, then DA:line,count for each line, then end_of_record.
awk -v prefix="$source/" -v least="$least" '
    /^SF:/ { file = substr($0, 4); sub(prefix, "", file) }
    /^DA:/ {
        split(substr($0, 4), part, ",")
        lines[file]++
        if (part[2] > 0) ran[file]++
    }
    function percent(a, b) { return b > 0 ? 100 * a / b : 0 }
    END {
        for (file in lines) {
            folder = file
            sub("^src/", "", folder)
            sub("/.*", "", folder)
            all[folder] += lines[file]
            hit[folder] += ran[file]
        }
        printf "%-10s %7s %7s %7s\n", "folder", "lines", "run", "%"
        order = "sort"
        for (folder in all)
            printf "src/%-6s %7d %7d %7.1f\n", folder, all[folder], hit[folder],
                percent(hit[folder], all[folder]) | order
        close(order)
        print "\nfiles of sim, scene and io with least:"
        order = "sort -n | head -n 15"
        for (file in lines)
            if (file ~ "^src/(sim|scene|io)/")
                printf "%6.1f  %s (%d of %d not run)\n", percent(ran[file], lines[file]), file,
                    lines[file] - ran[file], lines[file] | order
        close(order)
        count = split("sim scene io", wanted, " ")
        for (w = 1; w <= count; w++)
            if (percent(hit[wanted[w]], all[wanted[w]]) < least) {
                printf "FAILED: src/%s has less than %g %%\n", wanted[w], least
                low = 1
            }
        exit low
    }' "$build/coverage.info"
