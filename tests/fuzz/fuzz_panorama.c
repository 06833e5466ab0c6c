/* SPDX-License-Identifier: MIT
 * Panoramas: .hdr files of Radiance. What is taken holds finite light within its limit. */
#include "fuzz.h"

#include "io/panorama_file.h"

#include <stdlib.h>
#include <string.h>

/* A picture of more pixels than this, which runs can make of few bytes, is not tried, bytes. */
enum { SIZE_MAX_TRIED = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    PanoramaFile panorama = {0};
    BillowError error;
    memset(&error, 0, sizeof error);
    if (size > SIZE_MAX_TRIED)
        return 0;
    bool read = panorama_file_read_hdr(data, size, &panorama, &error);
    if (read) {
        fuzz_count("were taken");
        FUZZ_HOLDS(panorama.width == 2 * panorama.height);
        FUZZ_HOLDS(panorama.height >= PANORAMA_HEIGHT_MIN &&
                   panorama.height <= PANORAMA_HEIGHT_MAX);
        for (size_t n = 0; n < (size_t)panorama.width * (size_t)panorama.height * 3; n++)
            FUZZ_HOLDS(panorama.rgb[n] >= 0 && panorama.rgb[n] <= PANORAMA_RADIANCE_MAX);
    } else {
        FUZZ_HOLDS(error.text[0] != '\0');
        if (strstr(error.text, "row ") != NULL)
            fuzz_count("had a good head");
    }
    panorama_file_free(&panorama);
    return 0;
}

/* Changes the head, or the rows behind it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size_t rows = 0;
    for (size_t n = 0; n + 2 < size && rows == 0; n++)
        if (memcmp(data + n, "+X ", 3) == 0)
            for (rows = n; rows < size && data[rows] != '\n';)
                rows++;
    rows = rows < size ? rows : 0;
    switch (fuzz_random(&seed, 8)) {
    case 0:
        return fuzz_mutate_part(data, size, most, 0, size);
    case 1:
        return fuzz_mutate_text(data, size, most, 0, rows, &seed);
    case 2:
    case 3:
        return fuzz_mutate_part(data, size, most, rows, size);
    default:
        return fuzz_mutate_inside(data, size, rows, size, &seed);
    }
}
