/* SPDX-License-Identifier: MIT
 * Recordings of hands: read and, where they are taken, written and read again to the same bytes.
 * The first byte says whether the checksum is corrected first. */
#include "fuzz.h"

#include "base/words.h"
#include "play/replay_file.h"
#include "play/turn.h"

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

/* Whether a refusal comes from behind the checksum. */
static bool from_inside(const char *message)
{
    return strstr(message, "checksum") == NULL &&
           strstr(message, "no recording of hands") == NULL &&
           strstr(message, "of the format") == NULL;
}

/* Changes the scene's text or what follows it, and corrects the length of the text. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    enum { TEXT = 1 + 8 + 4 + 8 + 4 }; /* flag, magic, version, no state, length of the text */
    const size_t length = size >= TEXT + 4 ? get32(data + TEXT - 4) : 0;
    if (size < TEXT + 4 || length > size - TEXT - 4 || fuzz_random(&seed, 16) == 0)
        return fuzz_mutate_part(data, size, most, 0, size);
    data[0] |= 1;
    const size_t rest = TEXT + length, end = size - 4;
    unsigned way = fuzz_random(&seed, 8);
    if (way >= 6)
        return fuzz_mutate_part(data, size, most, rest, end);
    if (way >= 2)
        return fuzz_mutate_inside(data, size, rest, end, &seed);
    size_t more = fuzz_mutate_text(data, size, most, TEXT, rest, &seed);
    put32(data + TEXT - 4, (uint32_t)(length + more - size));
    return more;
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
        put32(bytes + count - 4, sum);
    }
    bool taken = replay_file_parse(bytes, count, &file, &error);
    if (taken || from_inside(error.text))
        fuzz_count("passed the checksum");
    if (taken) {
        fuzz_count("were taken");
        check_commands(&file.recording);
        write_again(&file.recording);
        replay_file_free(&file);
    } else {
        FUZZ_HOLDS(error.text[0] != '\0');
    }
    free(bytes);
    return 0;
}
