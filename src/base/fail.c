/* SPDX-License-Identifier: MIT */
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>

bool fail(BillowError *error, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return false;
}
