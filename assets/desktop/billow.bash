# SPDX-License-Identifier: MIT
# Completion for bash. It asks the program itself, so that it knows what this billow knows.
_billow()
{
    local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
    local commands words=
    commands=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | sort -u)
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="$commands $("$program" scenes 2>/dev/null | sed -n 's/^\([a-z-]*\) .*/\1/p') --help --version"
    elif [[ $current == -* ]]; then
        words=$("$program" "$command" --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p')
    elif "$program" "$command" --help 2>/dev/null | grep -q '^usage:.*\(SCENE\|FILE\)'; then
        words=$("$program" scenes 2>/dev/null | sed -n 's/^ *\([a-z][a-z-]*\) .*/\1/p')
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [ "$COMP_CWORD" -gt 1 ] && [[ $current != -* ]]; then
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -o filenames -F _billow billow
