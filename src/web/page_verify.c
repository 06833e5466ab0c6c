/* SPDX-License-Identifier: MIT */
#include "web/page.h"

#include "base/number.h"
#include "verify/verify.h"

#include <emscripten.h>
#include <emscripten/threading.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const VerifyCase light_cases[] = {{.name = NULL}}, cloud_cases[] = {{.name = NULL}};

static struct Results {
    pthread_mutex_t mutex; /* guards all members */
    char text[1 << 15];
    size_t length;
    char copy[1 << 15]; /* what page_verify_results returned last */
} results = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void put(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    pthread_mutex_lock(&results.mutex);
    size_t room = sizeof results.text - results.length;
    int more = number_vprint(results.text + results.length, room, format, values);
    if (more < 0 || (size_t)more >= room)
        abort(); /* the list is too short: no row may be missing */
    results.length += (size_t)more;
    pthread_mutex_unlock(&results.mutex);
    va_end(values);
}

static bool go_on(void *context, double share)
{
    (void)context;
    (void)share;
    return true;
}

static void run_case(const VerifyCase *of)
{
    VerifyRun run = {.of = of, .go_on = go_on};
    verify_run(&run);
    for (int i = 0; i < run.row_count; i++) {
        const VerifyRow *row = &run.rows[i];
        put("%s\t%s\t%.6g\t", of->name, row->what, row->measured);
        if (isnan(row->reference))
            put("\t");
        else
            put("%.6g\t", row->reference);
        put("%s\t%s\t%s\n", row->error, row->tolerance, verify_verdict_name(row->verdict));
    }
    if (run.failed)
        put("%s\t%s\t\t\t\t\tfailed\n", of->name, run.error.text);
    verify_finish(&run);
}

static void *run_all(void *unused)
{
    const VerifyCase *of;
    for (int index = 0; (of = verify_case(index)) != NULL; index++)
        if (of->quick)
            run_case(of);
    put("\n");
    return unused;
}

EMSCRIPTEN_KEEPALIVE int page_verify_start(void)
{
    pthread_t thread;
    return emscripten_has_threading_support() && pthread_create(&thread, NULL, run_all, NULL) == 0;
}

EMSCRIPTEN_KEEPALIVE int page_verify_case(int index)
{
    const VerifyCase *of = verify_case(index);
    if (of != NULL && of->quick)
        run_case(of);
    if (of == NULL)
        put("\n");
    return of != NULL;
}

EMSCRIPTEN_KEEPALIVE const char *page_verify_results(void)
{
    pthread_mutex_lock(&results.mutex);
    memcpy(results.copy, results.text, results.length + 1);
    pthread_mutex_unlock(&results.mutex);
    return results.copy;
}
