/* SPDX-License-Identifier: MIT */
#include "text_table.h"

#include <assert.h>
#include <stdarg.h>

enum { PASS_MEASURE = 1, PASS_PRINT = 2, CELL_SIZE = 128 };

static void end_row(TextTable *table)
{
    if (table->pass != PASS_PRINT)
        return;
    fputs("|\n", table->stream);
    if (table->row > 0)
        return;
    for (int column = 0; column < table->columns; column++) {
        if (!table->used[column])
            continue;
        fputc('|', table->stream);
        for (int dash = 0; dash <= table->width[column]; dash++)
            fputc('-', table->stream);
        fputc(table->left ? '-' : ':', table->stream);
    }
    fputs("|\n", table->stream);
}

bool text_table_pass(TextTable *table)
{
    if (table->pass != 0)
        end_row(table);
    table->row = table->column = 0;
    table->pass++;
    return table->pass <= PASS_PRINT;
}

void text_table_row(TextTable *table)
{
    end_row(table);
    table->row++;
    table->column = 0;
}

/* Letters rather than bytes of UTF-8. */
static int count_letters(const char *text)
{
    int count = 0;
    for (; *text != 0; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

void text_table_cell(TextTable *table, const char *format, ...)
{
    char text[CELL_SIZE];
    int column = table->column++;
    assert(column < TEXT_TABLE_COLUMNS_MAX);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int length = count_letters(text);
    if (table->pass == PASS_PRINT) {
        int gap = table->used[column] ? table->width[column] - length : 0;
        if (table->used[column])
            fprintf(table->stream, "| %*s%s%*s ", table->left ? 0 : gap, "", text,
                    table->left ? gap : 0, "");
        return;
    }
    if (length > table->width[column])
        table->width[column] = length;
    if (column >= table->columns)
        table->columns = column + 1;
    table->used[column] |= table->row > 0 && length > 0;
}
