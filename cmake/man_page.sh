#!/bin/sh
# SPDX-License-Identifier: MIT
# man_page.sh PROGRAM DATE: prints the manual page of Billow, made from the program's --help and
# COMMAND --help.
set -eu

program=$1
date=$2
version=$("$program" --version | sed -n '1s/^billow \([^ ,]*\).*/\1/p')
overview=$("$program" --help)

# Rows of "  name   text" down to the first blank line after them, as "name text".
commands=$(printf '%s\n' "$overview" | awk '/^  [a-z]/ { sub(/^  /, ""); print; seen = 1; next }
    seen { exit }')

# roff: turns help text into roff. In the list of options each row is "  --name VALUE   text"; its
# text, and the lines that continue it, start at column 28. Below the list, lines that start in the
# first column are text, and indented lines are kept as they are.
roff() {
    awk '
    function escaped(text) {
        gsub(/\\/, "\\e", text)
        gsub(/-/, "\\-", text)
        gsub(/\047/, "\\(aq", text)
        gsub(/\^/, "\\(ha", text)
        gsub(/`/, "\\(ga", text)
        gsub(/~/, "\\(ti", text)
        return text
    }
    function say(text) {
        sub(/^ +/, "", text)
        text = escaped(text)
        while (text != "") { # in lines of at most 80
            cut = length(text)
            if (cut > 78)
                for (cut = 78; cut > 1 && substr(text, cut, 1) != " "; cut--)
                    continue
            line = substr(text, 1, cut)
            sub(/ +$/, "", line)
            print (line ~ /^\./ ? "\\&" : "") line
            text = substr(text, cut + 1)
        }
    }
    function shown(on) {
        if (on && !showing)
            print ".PP\n.EX"
        if (!on && showing)
            print ".EE"
        showing = on
    }
    NR == 1 || /^usage: / { next }
    /^$/ { blank = 1; next }
    !notes && /^  [^ ]/ {
        row = substr($0, 3)
        at = match(row, /   ?[^ ]/) # two spaces or more part the name from its text
        name = at ? substr(row, 1, at - 1) : row
        words = split(name, word, " ")
        line = "\\fB" escaped(word[1]) "\\fR"
        for (n = 2; n <= words; n++)
            line = line " \\fI" escaped(word[n]) "\\fR"
        print ".TP\n" line
        if (at)
            say(substr(row, at))
        blank = 0
        next
    }
    !notes && /^   / { say($0); blank = 0; next }
    {
        notes = 1
        shown(/^ /)
        if (!showing && (blank || !text || /^--/)) # a line that starts with an option stands alone
            print ".PP"
        if (showing && blank && text)
            print ""
        if (showing)
            print escaped(substr($0, 1))
        else
            say($0)
        text = 1
        blank = 0
    }
    END { shown(0) }'
}

summary=$(printf '%s\n' "$overview" | sed -n '1s/^billow [^:]*: //p')
cat <<END
.\" Made by man_page.sh from what 'billow --help' says.
.TH BILLOW 1 "$date" "Billow $version" "User Commands"
.SH NAME
billow \- $summary
.SH SYNOPSIS
.B billow
.RI [ COMMAND ]
.RI [ OPERANDS ]
.RI [ OPTIONS ]
.SH DESCRIPTION
Billow simulates smoke and fire in a box and draws it: in a window to play in,
or as pictures.
Without a command it opens the window, where F1 shows the keys.
.PP
A
.I SCENE
is the name of a built\-in scene or a YAML file in SI units.
To write one, start from
.BR "billow scenes \-\-show plume" .
.SH COMMANDS
END
printf '%s\n' "$commands" | while read -r name text; do
    help=$("$program" "$name" --help)
    printf '.SS "%s"\n' "$(printf '%s\n' "$help" | sed -n 's/^usage: //p' | sed 's/-/\\-/g')"
    printf '%s.\n' "$text" | sed "s/-/\\\\-/g; s/'/\\\\(aq/g"
    printf '%s\n' "$help" | roff
done
cat <<'END'
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
Failed; one line on standard error says what, where and what would help.
.TP
.B 2
Wrong usage.
.TP
.B 128 + n
Ended by signal n: 130 by Ctrl\-C, 143 by SIGTERM;
files that were written are complete.
.SH ENVIRONMENT
.TP
.B BILLOW_SIMD
The instruction set of the solver, such as avx2, if the machine has it.
The results are the same.
.SH EXAMPLES
.EX
billow run explosion
billow render fire \-\-frames 90 \-\-out fire.png
billow scenes \-\-show plume > mine.yaml && billow run mine.yaml
billow bench \-\-grids 32,64,128
.EE
END
