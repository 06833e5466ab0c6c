/* SPDX-License-Identifier: MIT
 * Recordings of hands: read and, where they are taken, written and read again to the same bytes.
 * The first byte says whether the checksum is corrected first. */
#include "fuzz.h"

#include "replay_file.h"
#include "turn.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void check_commands(const SimRecording *recording)
{
    for (int c = 0; c < recording->count; c++)
        FUZZ_HOLDS(turn_takes(&recording->commands[c].command, NULL));
}

/* Each turn is written as it was read. */
static void write_again(const SimRecording *recording)
{
    for (int c = 0; c < recording->count; c++) {
        if (recording->commands[c].command.kind == SIM_SETTINGS)
            continue; /* a scene's text is not written as it was read */
        TurnBytes bytes = {NULL, 0, 0, false}, again = {NULL, 0, 0, false};
        SimRecording copy = {.steps = 0};
        BillowError error;
        static const Scene none;
        const Scene *scene = &none;
        turn_write(&bytes, &recording->commands[c], 1);
        TurnReader from = {bytes.bytes, bytes.count, 0};
        FUZZ_HOLDS(!bytes.failed && turn_read(&from, &copy, &scene, &error) && copy.count == 1);
        turn_write(&again, copy.commands, 1);
        FUZZ_HOLDS(again.count == bytes.count &&
                   memcmp(again.bytes, bytes.bytes, bytes.count) == 0);
        sim_recording_free(&copy);
        free(bytes.bytes);
        free(again.bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ReplayFile file;
    BillowError error = {{0}};
    if (size < 1)
        return 0;
    const size_t count = size - 1;
    uint8_t *bytes = malloc(size);
    FUZZ_HOLDS(bytes != NULL);
    memcpy(bytes, data + 1, count);
    if ((data[0] & 1) != 0 && count >= 4) {
        uint32_t sum = (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, count - 4);
        for (int b = 0; b < 4; b++)
            bytes[count - 4 + (size_t)b] = (uint8_t)(sum >> (8 * b));
    }
    if (replay_file_parse(bytes, count, &file, &error)) {
        check_commands(&file.recording);
        write_again(&file.recording);
        replay_file_free(&file);
    } else {
        FUZZ_HOLDS(error.text[0] != '\0');
    }
    free(bytes);
    return 0;
}
