#!/bin/sh
# SPDX-License-Identifier: MIT
# promises_test.sh SOURCE: every test that docs/promises.md names exists.
set -eu

cd "$1"
missing=0
named=$(grep -o '`[a-z]*_[a-z_]*`' docs/promises.md | tr -d '`' | sort -u |
    grep -E '^(test|replay|fuzz|soak|faults|kill|races|machine|openmp|install)_')
[ "$(echo "$named" | wc -l)" -gt 20 ]
for name in $named; do
    [ -n "$(find tests -name "$name.c*")" ] || [ -e "tests/fuzz/fuzz_${name#*_}.c" ] ||
        grep -qE "billow_run\\($name " tests/CMakeLists.txt tests/*/CMakeLists.txt || {
        echo "FAILED: docs/promises.md names $name, which is no test"
        missing=1
    }
done
exit $missing
