/* SPDX-License-Identifier: MIT */
#include "base/fail.h"

#include "base/number.h"

#include <stdarg.h>

bool fail(BillowError *error, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        number_vprint(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        mask_text(error->text);
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

int character_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    int more = c[0] < 0x80 ? 0 : c[0] < 0xe0 ? 1 : c[0] < 0xf0 ? 2 : 3;
    if (c[0] == 0 || (c[0] >= 0x80 && c[0] < 0xc2) || c[0] > 0xf4)
        return 0;
    for (int i = 1; i <= more; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    bool longer = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool half = c[0] == 0xed && c[1] >= 0xa0; /* a surrogate, U+D800 to U+DFFF */
    bool beyond = c[0] == 0xf4 && c[1] >= 0x90;
    return longer || half || beyond ? 0 : more + 1;
}

void mask_text(char *text)
{
    char *to = text;
    while (*text != 0) {
        int control = control_length(text), length = character_length(text);
        if (control > 0 || length == 0) {
            *to++ = '?';
            text += control > 0 ? control : 1;
            continue;
        }
        while (length-- > 0)
            *to++ = *text++;
    }
    *to = 0;
}
