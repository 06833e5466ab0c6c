/* SPDX-License-Identifier: MIT */
#include "io/text_table.h"

#include "base/fail.h"

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

/* Number of characters in a UTF-8 text. */
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
    number_vprint(text, sizeof text, format, arguments);
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

int text_letter_length(const unsigned char *text)
{
    bool control = text[0] < 0x20 || text[0] == 0x7f;
    bool noncharacter = text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe;
    return control || noncharacter ? 0 : character_length((const char *)text);
}

void text_markup(FILE *stream, const char *text)
{
    while (*text != 0) {
        int length = text_letter_length((const unsigned char *)text);
        if (length == 0)
            fputc('?', stream);
        else if (*text == '&')
            fputs("&amp;", stream);
        else if (*text == '<')
            fputs("&lt;", stream);
        else if (*text == '>')
            fputs("&gt;", stream);
        else
            fwrite(text, 1, (size_t)length, stream);
        text += length > 0 ? length : 1;
    }
}
