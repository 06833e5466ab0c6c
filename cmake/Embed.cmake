# SPDX-License-Identifier: MIT
# cmake -DOUTPUT=x.c -DSYMBOL=name -DFILES=a|b -P Embed.cmake
string(REPLACE "|" ";" files "${FILES}")
set(bodies "")
set(rows "")
set(index 0)
foreach(file IN LISTS files)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    get_filename_component(name ${file} NAME)
    get_filename_component(stem ${file} NAME_WE)
    file(STRINGS ${file} title REGEX "^title: " LIMIT_COUNT 1 ENCODING UTF-8)
    string(REGEX REPLACE "^title: *(.*[^ ]) *$" "\\1" title "${title}")
    string(REGEX REPLACE "^\"(.*)\"$" "\\1" title "${title}")
    string(REGEX REPLACE "([\\\"])" "\\\\\\1" title "${title}")
    string(APPEND bodies "static const unsigned char file_${index}[] = {${bytes}0x00};\n")
    string(APPEND rows
        "    {\"${name}\", (const char *)file_${index}, sizeof file_${index} - 1, "
        "\"${stem}\", \"${title}\"},\n")
    math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUTPUT} "/* Generated from the files it names. */\n#include \"base/embed.h\"\n${bodies}\n"
    "const EmbeddedFile ${SYMBOL}[] = {\n${rows}    {0, 0, 0, 0, 0},\n};\n")
