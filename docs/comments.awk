# SPDX-License-Identifier: MIT
# Turns the plain comments of the headers into Doxygen's, so that the headers need no markup. The
# comment at the head of a file is kept verbatim. A comment on its own lines describes what follows;
# a comment behind code describes that code.
function escaped(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/[<>*#@%&"]/, "\\\\&", text)
    return text
}

FNR == 1 && FILENAME ~ /\.md$/ { plain = 1 }
plain { print; next }

FNR == 1 && /^\/\*/ {
    print "/** @file"
    print "@verbatim"
    head = 1
    next
}
head {
    closed = index($0, "*/")
    text = closed ? substr($0, 1, closed - 1) : $0
    sub(/^ ?\* ?/, "", text)
    if (text != "" || started)
        print text
    started = started || text != ""
    if (closed) {
        print "@endverbatim */"
        head = 0
    }
    next
}
{
    out = ""
    if (!inside) {
        at = index($0, "/*")
        if (!at) {
            print
            next
        }
        code = substr($0, 1, at - 1)
        out = code (code ~ /[^ ]/ ? "/**<" : "/**")
        $0 = substr($0, at + 2)
        inside = 1
    } else if (sub(/^ \*\//, ""))
        $0 = "*/"
    else
        sub(/^ \* ?/, "")
    closed = index($0, "*/")
    print out escaped(closed ? substr($0, 1, closed - 1) : $0) (closed ? substr($0, closed) : "")
    inside = !closed
}
