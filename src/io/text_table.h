/* SPDX-License-Identifier: MIT
 *
 * Markdown tables whose columns are padded, so that the text itself is aligned. A column without
 * text below its heading is omitted. The caller adds the same cells in two passes: the first pass
 * measures the columns, the second prints them.
 *
 *     TextTable table = {.stream = stdout};
 *     while (text_table_pass(&table)) {
 *         text_table_cell(&table, "grid");           // the first row is the heading
 *         text_table_cell(&table, "ms");
 *         for (...) {
 *             text_table_row(&table);
 *             text_table_cell(&table, "%d", grid);
 *             text_table_cell(&table, "%.2f", ms);
 *         }
 *     }
 */
#ifndef IO_TEXT_TABLE_H
#define IO_TEXT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

enum { TEXT_TABLE_COLUMNS_MAX = 24 };

typedef struct TextTable {
    FILE *stream;
    bool left; /* alignment of the cells: true: left, for words; false: right, for numbers */
    int pass;  /* 1: measuring widths; 2: printing */
    int row, column, columns;
    int width[TEXT_TABLE_COLUMNS_MAX];
    bool used[TEXT_TABLE_COLUMNS_MAX]; /* whether a column has text below its heading */
} TextTable;

/* Starts the next pass over the table. Returns true for the two passes, measuring and printing, and
 * then false. */
bool text_table_pass(TextTable *table);
/* Ends the current row and starts the next. */
void text_table_row(TextTable *table);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
/* Adds a cell to the row, up to 127 bytes of UTF-8. "" is an empty cell. */
void text_table_cell(TextTable *table, const char *format, ...);

/* Number of bytes of the UTF-8 sequence at `text`; 0 if the sequence is invalid or XML does not
 * allow its character. */
int text_letter_length(const unsigned char *text);
/* Writes text into XML or HTML. Markup characters are escaped. Control characters and bytes that
 * are not UTF-8 become '?'. */
void text_markup(FILE *stream, const char *text);

#endif
