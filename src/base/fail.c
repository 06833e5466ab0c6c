/* SPDX-License-Identifier: MIT */
#include "fail.h"

#include "number.h"

#include <stdarg.h>

bool fail(BillowError *error, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        number_vprint(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return false;
}

int control_length(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] != 0 && (byte[0] < 0x20 || byte[0] == 0x7f))
        return 1;
    if (byte[0] == 0xc2 && byte[1] >= 0x80 && byte[1] <= 0x9f)
        return 2;
    if (byte[0] == 0xd8 && byte[1] == 0x9c) /* U+061C */
        return 2;
    if (byte[0] != 0xe2 || byte[1] == 0)
        return 0;
    bool marks = byte[1] == 0x80 && (byte[2] == 0x8e || byte[2] == 0x8f);  /* U+200E, U+200F */
    bool embeds = byte[1] == 0x80 && byte[2] >= 0xaa && byte[2] <= 0xae;   /* U+202A to U+202E */
    bool isolates = byte[1] == 0x81 && byte[2] >= 0xa6 && byte[2] <= 0xa9; /* U+2066 to U+2069 */
    return marks || embeds || isolates ? 3 : 0;
}

void mask_controls(char *text)
{
    char *to = text;
    while (*text != 0) {
        int length = control_length(text);
        *to++ = length > 0 ? '?' : *text;
        text += length > 0 ? length : 1;
    }
    *to = 0;
}
