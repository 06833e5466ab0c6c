/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "io/gnuplot.h"

#include "base/fail.h"
#include "io/child.h"
#include "io/text_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECONDS_MOST 60.0 /* s; a drawing usually takes a fraction of a second */

static bool run(const char *const *arguments, BillowError *error)
{
    Child child;
    BillowError reason;
    char why[400];
    if (!child_start(&child, arguments, false, -1, &reason))
        return fail(error,
                    "plots need gnuplot, and it cannot be run: %.200s; install gnuplot (on "
                    "Debian and Ubuntu the package gnuplot-nox)",
                    reason.text);
    return child_end(&child, SECONDS_MOST, why, sizeof why) || fail(error, "gnuplot: %.300s", why);
}

bool gnuplot_available(BillowError *error)
{
    static const char *const arguments[] = {"gnuplot", "--version", NULL};
    return run(arguments, error);
}

void gnuplot_text(FILE *script, const char *text)
{
    fputc('"', script);
    while (*text != 0) {
        int length = text_letter_length((const unsigned char *)text);
        if (*text == '"' || *text == '\\')
            fputc('\\', script);
        if (length == 0)
            fputc('?', script);
        else
            fwrite(text, 1, (size_t)length, script);
        text += length > 0 ? length : 1;
    }
    fputc('"', script);
}

/* Makes a descriptor that gnuplot inherits and opens by its number. The script and the drawing are
 * files without names, so that nothing is left behind, however this program ends. */
static int share(FILE *stream)
{
    return stream != NULL ? dup(fileno(stream)) : -1; /* the copy by dup stays open in the child */
}

bool gnuplot_open(Gnuplot *plot, int width, int height, const char *title, BillowError *error)
{
    *plot = (Gnuplot){.script = tmpfile(), .drawing = tmpfile()};
    if (plot->script == NULL || plot->drawing == NULL) {
        fail(error, "gnuplot: no temporary file: %s", english_error(errno));
        gnuplot_abandon(plot);
        return false;
    }
    fprintf(plot->script,
            "set terminal svg size %d,%d noenhanced font 'DejaVu Sans,13' background '#ffffff'\n"
            "set encoding utf8\n"
            "set border linecolor '#888888'\n"
            "set grid linecolor '#dddddd' linetype 1 linewidth 0.5\n"
            "set title ",
            width, height);
    gnuplot_text(plot->script, title);
    fputc('\n', plot->script);
    return true;
}

void gnuplot_abandon(Gnuplot *plot)
{
    if (plot->script != NULL)
        fclose(plot->script);
    if (plot->drawing != NULL)
        fclose(plot->drawing);
    *plot = (Gnuplot){.script = NULL};
}

/* Reads the whole drawing, which the caller frees. NULL and a message: gnuplot wrote none. */
static char *read_drawing(FILE *drawing, BillowError *error)
{
    long length = fseek(drawing, 0, SEEK_END) == 0 ? ftell(drawing) : -1;
    char *text = length > 0 ? malloc((size_t)length + 1) : NULL;
    rewind(drawing);
    if (text != NULL && fread(text, 1, (size_t)length, drawing) == (size_t)length) {
        text[length] = 0;
        if (strstr(text, "<svg") != NULL && strstr(text, "</svg>") != NULL)
            return text;
    }
    free(text);
    fail(error, "gnuplot: it left no whole drawing");
    return NULL;
}

bool gnuplot_draw(Gnuplot *plot, bool inline_html, FILE *stream, BillowError *error)
{
    char script_path[32], output[64];
    int script = share(plot->script), drawing = share(plot->drawing);
    snprintf(script_path, sizeof script_path, "/dev/fd/%d", script);
    snprintf(output, sizeof output, "set output '/dev/fd/%d'", drawing);
    const char *const arguments[] = {"gnuplot", "-d", "-e", output, script_path, NULL};
    bool good = script >= 0 && drawing >= 0 && fflush(plot->script) == 0 && !ferror(plot->script);
    if (!good)
        fail(error, "gnuplot: no temporary file: %s", english_error(errno));
    else
        good = lseek(script, 0, SEEK_SET) == 0 && run(arguments, error);
    if (script >= 0)
        close(script);
    if (drawing >= 0)
        close(drawing);
    char *text = good ? read_drawing(plot->drawing, error) : NULL;
    if (text != NULL)
        fputs(inline_html ? strstr(text, "<svg") : text, stream);
    free(text);
    gnuplot_abandon(plot);
    return text != NULL;
}
