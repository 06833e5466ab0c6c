/* SPDX-License-Identifier: MIT
 * Pictures and fonts, read in this process, where sanitizers see more. The first byte selects the
 * kind of file: e for .exr, others for a font. */
#include "fuzz.h"

#include "reader/reader.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf memory_ran_out;

_Noreturn void reader_out_of_memory(void)
{
    longjmp(memory_ran_out, 1);
}

/* Pictures and drawings beyond this are not asked for, as in panorama_file.c and font.c. */
#define AREA_MAX (1 << 22)

void *reader_answer(ReaderAnswer *answer, size_t length)
{
    if (length > 16 * (size_t)AREA_MAX)
        reader_out_of_memory();
    *answer = (ReaderAnswer){malloc(length > 0 ? length : 1), length};
    FUZZ_HOLDS(answer->bytes != NULL);
    return answer->bytes;
}

static void try_kind(const ReaderKind *kind, uint32_t size_of, uint32_t content_of,
                     const uint8_t *data, size_t size)
{
    char text[] = "Smoke \xC3\xA9";
    BillowError error = {""};
    ReaderAnswer answer = {NULL, 0};
    char *bytes = malloc(size > 0 ? size : 1);
    FUZZ_HOLDS(bytes != NULL);
    memcpy(bytes, data, size);
    void *file = kind->open(bytes, size, &error);
    if (file == NULL) {
        FUZZ_HOLDS(error.text[0] != '\0');
        return;
    }
    if (kind->answer(file, size_of, text, sizeof text - 1, &answer, &error)) {
        int32_t edges[2];
        FUZZ_HOLDS(answer.length == sizeof edges);
        memcpy(edges, answer.bytes, sizeof edges);
        free(answer.bytes);
        answer.bytes = NULL;
        bool allowed = edges[0] > 0 && edges[1] > 0 && edges[0] <= AREA_MAX / edges[1];
        if (allowed && !kind->answer(file, content_of, text, 0, &answer, &error))
            FUZZ_HOLDS(error.text[0] != '\0');
    }
    free(answer.bytes);
    kind->close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || setjmp(memory_ran_out) != 0)
        return 0;
    if (data[0] == 'e' && reader_exr.open != NULL)
        try_kind(&reader_exr, ISOLATED_EXR_SIZE, ISOLATED_EXR_PIXELS, data + 1, size - 1);
    else if (data[0] != 'e' && reader_font.open != NULL)
        try_kind(&reader_font, ISOLATED_FONT_LINE, ISOLATED_FONT_INK, data + 1, size - 1);
    return 0;
}
