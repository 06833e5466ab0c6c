# SPDX-License-Identifier: MIT
# Makes the headers' plain comments such as Doxygen reads, so that the headers themselves need no
# markup: the comment at a file's head stays as it stands, one on lines of its own is about what
# follows, one behind code is about that code.
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
