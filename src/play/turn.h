/* SPDX-License-Identifier: MIT
 *
 * Turns: the commands before one step, as bytes.
 *
 *     turn     := step | number of commands | command...
 *     command  := kind | hand | values
 *
 * A step has 64 bits, a kind and a hand have 8 each, and other numbers 32, or 64 where they are
 * doubles. All are little-endian. The values of an emitter or a force are those of its table
 * (billow_parameters), in that order; a switch counts as a number, 0 or 1. Settings are the length
 * and the text of their scene. A change of any of this raises TURN_VERSION.
 *
 * Nothing that was read is trusted: every value is checked before a command is made of it. Bytes
 * from elsewhere cannot make the program read a file. */
#ifndef PLAY_TURN_H
#define PLAY_TURN_H

#include "play/sim_command.h"
#include "scene/scene_form.h"

#define TURN_VERSION 2u
enum { TURN_COMMANDS_MAX = 4096, TURN_SETTINGS_MAX = 1000, TURN_TEXT_MAX = 1 << 20 };

/* Bytes that are written one after the other. */
typedef struct TurnBytes {
    unsigned char *bytes;
    size_t count, room;
    bool failed; /* memory was short, or a command could not be written */
} TurnBytes;

/* Bytes that are read one after the other. */
typedef struct TurnReader {
    const unsigned char *bytes;
    size_t count, at;
} TurnReader;

void turn_put(TurnBytes *to, const void *bytes, size_t count);
void turn_put32(TurnBytes *to, uint32_t word);
void turn_put64(TurnBytes *to, uint64_t word);

/* Return false where the bytes end. */
bool turn_get32(TurnReader *from, uint32_t *word);
bool turn_get64(TurnReader *from, uint64_t *word);
/* Returns the next bytes; NULL if there are fewer. */
const unsigned char *turn_get(TurnReader *from, uint64_t count);

/* Values that are written to `to`, or where that is NULL read from `from`. Reading returns false
 * where the bytes end. */
typedef struct TurnLink {
    TurnBytes *to;
    TurnReader *from;
} TurnLink;

bool turn_link64(const TurnLink *link, uint64_t *word);
bool turn_link_double(const TurnLink *link, double *number);
/* Floats, or other values of 32 bits each. */
bool turn_link_words(const TurnLink *link, void *words, int count);
/* Reading also returns false for a number above `most`, and for a switch other than 0 and 1. */
bool turn_link_count(const TurnLink *link, uint32_t most, int *count);
bool turn_link_switch(const TurnLink *link, bool *on);
/* Values of an emitter, a force, a solid or the parameters. */
bool turn_link_table(const TurnLink *link, BillowTable table, void *base);

/* Whether all values are in their ranges. Emitters must have no mesh. */
bool turn_check_emitter(const BillowEmitter *emitter, BillowError *error);
bool turn_check_table(BillowTable table, const void *base, BillowError *error);

/* Whether a command can be part of a turn: it is ordered (sim_command.h), and its values are in
 * range. */
bool turn_takes(const SimCommand *command, BillowError *error);

/* Whether a scene needs files besides its shapes: numbered or moving meshes, volumes or a panorama.
 * The message names one. */
bool turn_needs_file(const Scene *scene, BillowError *error);
/* Whether the shapes of meshes and texts stay those of the scene before: turns have no shapes. The
 * message names the entry. */
bool turn_keeps_shapes(const Scene *before, const Scene *scene, BillowError *error);

/* Writes and reads the text of a scene. The folders of its meshes and fonts are replaced by
 * TURN_FOLDER, and a scene that names files elsewhere is not read. No file is looked at. */
#define TURN_FOLDER "/recorded/"
void turn_put_scene(TurnBytes *to, const Scene *scene);
bool turn_get_scene(TurnReader *from, Scene *scene, BillowError *error);

/* Writes and reads shapes of meshes and texts: their number, and for each its length, 64 bits, and
 * its bytes (scene_form.h). Free them with scene_shapes_free, also after a failure. */
void turn_put_shapes(TurnBytes *to, const SceneShape shapes[SCENE_SHAPES]);
bool turn_get_shapes(TurnReader *from, SceneShape shapes[SCENE_SHAPES], BillowError *error);
/* Makes room for so many bytes, which the caller writes. Returns NULL if memory is short. */
unsigned char *turn_put_room(TurnBytes *to, size_t count);

/* Writes a turn: commands of the same step, TURN_COMMANDS_MAX or fewer. */
void turn_write(TurnBytes *to, const SimRecorded *commands, int count);
/* Reads a turn and adds its commands to a recording. scene: the scene before the turn; the
 * recording's own scene replaces it where the turn has settings, which must suit the simulation of
 * the scene before. The step must not lie before that of the last command. */
bool turn_read(TurnReader *from, SimRecording *recording, const Scene **scene, BillowError *error);

#endif
