/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "render/gl/shader.h"
#include "base/embed.h"
#include "base/fail.h"
#include "base/hash.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* -- source text ------------------------------------------------------------------------------- */

/* Source text of a shader. A line `#include "name"` inserts the named file, at most once per
 * shader. Each file has its own range of line numbers, so that a driver's message can be traced
 * back to the file. */

/* Line n of file i has the number i * SHADER_SOURCE_LINES + n. GLSL can also number files, but most
 * of Mesa's messages leave that number out. */
#define SHADER_SOURCE_LINES 10000

typedef struct ShaderSource {
    char *text;
    size_t length, capacity;
    char files[SHADER_SOURCE_FILES_MAX][128]; /* names; file i is files[i] */
    int file_count;
} ShaderSource;

#define FILE_BYTES_MAX (1 << 20)

static void shader_source_destroy(ShaderSource *source)
{
    free(source->text);
    *source = (ShaderSource){0};
}

static bool append(ShaderSource *source, const char *text, size_t length, BillowError *error)
{
    if (source->length + length + 1 > source->capacity) {
        size_t capacity = 2 * (source->length + length + 1);
        char *grown = realloc(source->text, capacity);
        if (grown == NULL)
            return fail(error, "shader %s: no memory to read it", source->files[0]);
        source->text = grown;
        source->capacity = capacity;
    }
    memcpy(source->text + source->length, text, length);
    source->length += length;
    source->text[source->length] = 0;
    return true;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Reads a file as a string with a terminating 0. Returns NULL and a message on failure. */
static char *read_from_folder(const char *folder, const char *name, BillowError *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    char *text = stream != NULL ? malloc(FILE_BYTES_MAX + 1) : NULL;
    if (text == NULL) {
        int problem = errno;
        if (!is_folder(folder))
            fail(error, "%s: there is no such folder of shaders", folder);
        else
            fail(error, "%s: the shader cannot be read: %s", path, english_error(problem));
        if (stream != NULL)
            fclose(stream);
        return NULL;
    }
    size_t length = fread(text, 1, FILE_BYTES_MAX + 1, stream);
    bool good = !ferror(stream) && length <= FILE_BYTES_MAX;
    if (good)
        text[length] = 0;
    else
        fail(error, "%s: the shader cannot be read: %s", path,
             ferror(stream) ? english_error(errno) : "it is larger than 1 MiB");
    fclose(stream);
    if (!good) {
        free(text);
        return NULL;
    }
    return text;
}

static char *read_embedded(const char *name, BillowError *error)
{
    for (const EmbeddedFile *file = embedded_shaders; file->name != NULL; file++) {
        if (strcmp(file->name, name) != 0)
            continue;
        char *text = malloc(file->length + 1);
        if (text == NULL) {
            fail(error, "shader %s: no memory to read it", name);
            return NULL;
        }
        memcpy(text, file->text, file->length + 1);
        return text;
    }
    fail(error, "shader %s: no shader of this name is built in", name);
    return NULL;
}

/* Extracts the name from a line `#include "name"`. Returns false for other lines. */
static bool include_name(const char *line, size_t length, char name[128])
{
    char copy[256];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, line, length);
    copy[length] = 0;
    return sscanf(copy, " #include \"%127[^\"]\"", name) == 1;
}

static bool append_file(ShaderSource *source, const char *folder, const char *name,
                        const char *definitions, BillowError *error);

/* Appends a #line directive that gives the next line the number of line `line` of file `file`. */
static bool append_place(ShaderSource *source, int line, int file, BillowError *error)
{
    char text[64];
    int length = snprintf(text, sizeof text, "#line %d\n", file * SHADER_SOURCE_LINES + line);
    return append(source, text, (size_t)length, error);
}

static bool append_lines(ShaderSource *source, const char *folder, const char *text, int file,
                         const char *definitions, BillowError *error)
{
    int number = 1;
    for (const char *line = text; *line != 0; number++) {
        size_t length = strcspn(line, "\n");
        char name[128];
        if (include_name(line, length, name)) {
            if (!append_file(source, folder, name, "", error) ||
                !append_place(source, number + 1, file, error))
                return false;
        } else if (strncmp(line, "#version", 8) == 0) {
            if (!append(source, GLSL_VERSION, strlen(GLSL_VERSION), error) ||
                !append(source, definitions, strlen(definitions), error) ||
                !append_place(source, number + 1, file, error))
                return false;
        } else if (!append(source, line, length, error) || !append(source, "\n", 1, error)) {
            return false;
        }
        line += length + (line[length] == '\n');
    }
    return true;
}

static bool append_file(ShaderSource *source, const char *folder, const char *name,
                        const char *definitions, BillowError *error)
{
    for (int i = 0; i < source->file_count; i++)
        if (strcmp(source->files[i], name) == 0)
            return true; /* the file is already included */
    if (source->file_count == SHADER_SOURCE_FILES_MAX)
        return fail(error, "shader %s: it includes more than %d files", source->files[0],
                    SHADER_SOURCE_FILES_MAX);
    char *text =
        folder != NULL ? read_from_folder(folder, name, error) : read_embedded(name, error);
    if (text == NULL)
        return false;
    int file = source->file_count++;
    snprintf(source->files[file], sizeof source->files[file], "%s", name);
    /* The first file starts with #version, which must be the first line. */
    bool placed = file == 0 || append_place(source, 1, file, error);
    bool done = placed && append_lines(source, folder, text, file, definitions, error);
    free(text);
    return done;
}

/* Loads a file and its includes. folder: NULL for the embedded files. definitions: lines to insert
 * below #version, or "". */
static bool shader_source_load(ShaderSource *source, const char *folder, const char *name,
                               const char *definitions, BillowError *error)
{
    *source = (ShaderSource){0};
    if (append_file(source, folder, name, definitions, error) && append(source, "", 0, error))
        return true;
    shader_source_destroy(source);
    return false;
}

/* Finds the line number and the message in a driver's log. Drivers write "0:12(5): error: words"
 * (Mesa), "0(12) : error C0000: words" or "ERROR: 0:12: words": two numbers, separated by ':' or
 * '('. The second number is the line. */
static bool find_place(const char *log, int *line, const char **words)
{
    for (const char *at = log; *at != 0 && *at != '\n'; at++) {
        int used = 0;
        if (!isdigit((unsigned char)*at) || sscanf(at, "%*d%*[:(]%d%n", line, &used) != 1 ||
            used == 0)
            continue;
        at += used;
        at += strspn(at, "0123456789():, ");
        *words = at;
        return true;
    }
    return false;
}

/* Rewrites the first line of a driver's log as "file:line: text". */
static void shader_source_explain(const ShaderSource *source, const char *folder, const char *log,
                                  char *message, size_t size)
{
    int place = 0;
    const char *words = log;
    bool placed = find_place(log, &place, &words);
    int file = place / SHADER_SOURCE_LINES, line = place % SHADER_SOURCE_LINES;
    placed = placed && file < source->file_count;
    const char *name = source->files[placed ? file : 0];
    const char *slash = folder != NULL ? "/" : "";
    if (folder == NULL)
        folder = "";
    int length = (int)strcspn(words, "\n");
    if (length == 0)
        snprintf(message, size,
                 "%s%s%s: does not compile, and the graphics driver does not say why", folder,
                 slash, name);
    else if (placed)
        snprintf(message, size, "%s%s%s:%d: %.*s", folder, slash, name, line, length, words);
    else
        snprintf(message, size, "%s%s%s: %.*s", folder, slash, name, length, words);
}

uint64_t shader_source_stamp(const char *folder)
{
    DIR *entries = opendir(folder);
    if (entries == NULL)
        return 0;
    uint64_t stamp = 1;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending == NULL || (strcmp(ending, ".glsl") != 0 && strcmp(ending, ".vert") != 0 &&
                               strcmp(ending, ".frag") != 0))
            continue;
        char path[4096];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &status) != 0)
            continue;
        uint64_t hash = hash_bytes(HASH_START, entry->d_name, strlen(entry->d_name));
        hash = hash_add(hash, (uint64_t)status.st_mtim.tv_sec);
        hash = hash_add(hash, (uint64_t)status.st_mtim.tv_nsec);
        /* A sum, since the order of a folder's files is not defined. */
        stamp += hash_add(hash, (uint64_t)status.st_size);
    }
    closedir(entries);
    return stamp;
}

/* -- programs ---------------------------------------------------------------------------------- */

typedef struct ProgramFiles {
    const char *label, *vertex, *fragment, *definitions;
} ProgramFiles;

static const ProgramFiles program_files[SHADER_PROGRAMS] = {
    [SHADER_BACKDROP] = {"backdrop", "screen.vert", "backdrop.frag", ""},
    [SHADER_SLICE] = {"slice", "screen.vert", "slice.frag", ""},
    [SHADER_SLICE_SOLIDS] = {"slice with solids", "screen.vert", "slice.frag", "#define SOLIDS\n"},
    [SHADER_OVERLAY] = {"overlay", "overlay.vert", "overlay.frag", ""},
    [SHADER_TRACERS] = {"tracers", "tracer.vert", "tracer.frag", ""},
    [SHADER_TRACERS_SOLIDS] = {"tracers with solids", "tracer.vert", "tracer.frag",
                               "#define SOLIDS\n"},
    [SHADER_HAZE] = {"haze", "screen.vert", "haze.frag", ""},
    [SHADER_HAZE_SOLIDS] = {"haze with solids", "screen.vert", "haze.frag", "#define SOLIDS\n"},
    [SHADER_SPARKS] = {"sparks", "spark.vert", "spark.frag", ""},
    [SHADER_SPARKS_SOLIDS] = {"sparks with solids", "spark.vert", "spark.frag", "#define SOLIDS\n"},
    [SHADER_SMOOTH] = {"smooth", "screen.vert", "smooth.frag", ""},
    [SHADER_NEIGHBOURS] = {"neighbours", "screen.vert", "neighbours.frag", ""},
    [SHADER_NEIGHBOURS_MOTION] = {"neighbours that move", "screen.vert", "neighbours.frag",
                                  "#define MOTION\n"},
    [SHADER_ACCUMULATE] = {"accumulate", "screen.vert", "accumulate.frag", ""},
    [SHADER_SHARPEN] = {"sharpen", "screen.vert", "sharpen.frag", ""},
    [SHADER_REDUCE] = {"reduce", "screen.vert", "reduce.frag", ""},
    [SHADER_BLOOM_DOWN] = {"bloom down", "screen.vert", "bloom_down.frag", ""},
    [SHADER_BLOOM_UP] = {"bloom up", "screen.vert", "bloom_up.frag", ""},
    [SHADER_METER] = {"meter", "screen.vert", "meter.frag", ""},
    [SHADER_PROBE_PHASE] = {"probe of the phase function", "screen.vert", "probe.frag",
                            "#define PHASE\n"},
    [SHADER_PROBE_TONE] = {"probe of the film curve", "screen.vert", "probe.frag", ""},
    [SHADER_PROBE_TONE_AGX] = {"probe of AgX", "screen.vert", "probe.frag", "#define AGX\n"},
};

/* Preprocessor definition of each ShaderMarch flag, in the order of the flags. */
static const char *const march_definitions[] = {
    "#define SOLIDS\n", "#define EMISSION\n",  "#define FLAME\n",    "#define COLOR\n",
    "#define DETAIL\n", "#define THROUGH\n",   "#define LAMPS\n",    "#define TINT\n",
    "#define CUBIC\n",  "#define JOINED\n",    "#define SPECTRAL\n", "#define MOTION\n",
    "#define RAMP\n",   "#define GLOW_RAMP\n", "#define SLAB\n",     "#define ARRIVED\n"};

/* Preprocessor definition of each ShaderPicture flag, in the order of the flags. */
static const char *const picture_definitions[] = {
    "#define SOLIDS\n",      "#define DEVELOP\n", "#define AGX\n",   "#define BLOOM\n",
    "#define TRANSPARENT\n", "#define TINT\n",    "#define LAMPS\n", "#define GLOW\n",
    "#define SKY\n",         "#define GRADE\n",   "#define HAZE\n"};

static const char *const sampler_names[SHADER_UNITS] = {
    [SHADER_UNIT_DENSITY] = "density_volume",
    [SHADER_UNIT_TEMPERATURE] = "temperature_volume",
    [SHADER_UNIT_LIGHT] = "light_volume",
    [SHADER_UNIT_BRICKS] = "brick_volume",
    [SHADER_UNIT_SOLID] = "solid_volume",
    [SHADER_UNIT_SHADE] = "shade_volume",
    [SHADER_UNIT_COLOR] = "color_volume",
    [SHADER_UNIT_FLAME] = "flame_volume",
    [SHADER_UNIT_TEXTURE_0] = "rest_volume_0",
    [SHADER_UNIT_TEXTURE_1] = "rest_volume_1",
    [SHADER_UNIT_DETAIL] = "detail_volume",
    [SHADER_UNIT_AMBIENT] = "ambient_volume",
    [SHADER_UNIT_LAMPS] = "lamp_volume",
    [SHADER_UNIT_MOTION] = "motion_volume",
    [SHADER_UNIT_RAMP] = "ramp_volume",
    [SHADER_UNIT_BLACKBODY] = "blackbody_table",
    [SHADER_UNIT_SMOKE] = "smoke",
    [SHADER_UNIT_SMOKE_BEHIND] = "smoke_behind",
    [SHADER_UNIT_SMOKE_MEAN] = "smoke_mean",
    [SHADER_UNIT_SMOKE_MARGIN] = "smoke_margin",
    [SHADER_UNIT_SMOKE_DISPLACEMENT] = "smoke_displacement",
    [SHADER_UNIT_THROUGH] = "through_smoke",
    [SHADER_UNIT_THROUGH_BEHIND] = "through_behind",
    [SHADER_UNIT_SLICE_VALUES] = "slice_values",
    [SHADER_UNIT_SLICE_COLORS] = "slice_colors",
    [SHADER_UNIT_SLICE_UNDER] = "slice_under",
    [SHADER_UNIT_LINEAR] = "linear_picture",
    [SHADER_UNIT_LEVEL] = "level_picture",
    [SHADER_UNIT_BACKDROP] = "backdrop",
    [SHADER_UNIT_BLUE_NOISE] = "blue_noise",
    [SHADER_UNIT_GROUND_NOISE] = "ground_noise",
    [SHADER_UNIT_GROUND_OCCLUSION] = "ground_occlusion",
    [SHADER_UNIT_GROUND_GLOW] = "ground_glow",
    [SHADER_UNIT_HAZE] = "haze_shift",
    [SHADER_UNIT_SURROUNDINGS] = "surroundings_map",
    [SHADER_UNIT_RAYS] = "ray_states",
};

/* Compiles a shader stage. Returns 0 and a message on failure. */
static GLuint compile(GLenum stage, const char *folder, const char *file, const char *definitions,
                      BillowError *error)
{
    ShaderSource source;
    if (!shader_source_load(&source, folder, file, definitions, error))
        return 0;
    GLuint shader = glCreateShader(stage);
    if (shader == 0) {
        shader_source_destroy(&source);
        (void)(gl_check(file, error) &&
               fail(error, "OpenGL: the shader %s cannot be created", file));
        return 0;
    }
    gl_check_label(GL_SHADER, shader, file);
    const GLchar *text = source.text;
    GLint length = (GLint)source.length;
    glShaderSource(shader, 1, &text, &length);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (!compiled) {
        char log[2048] = "", message[480];
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        shader_source_explain(&source, folder, log, message, sizeof message);
        fail(error, "%s", message);
        glDeleteShader(shader);
        shader = 0;
    }
    shader_source_destroy(&source);
    return shader;
}

static bool check_link(GLuint program, const ProgramFiles *files, BillowError *error)
{
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked)
        return true;
    char log[400] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    for (char *c = log; *c != 0; c++)
        *c = *c == '\n' ? ' ' : *c;
    return fail(error, "shaders %s and %s do not link: %s", files->vertex, files->fragment,
                log[0] != 0 ? log : "the graphics driver does not say why");
}

static void connect(GLuint program)
{
    GLuint block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX)
        glUniformBlockBinding(program, block, SHADER_FRAME_BINDING);
    glUseProgram(program);
    for (int unit = 0; unit < SHADER_UNITS; unit++)
        glUniform1i(glGetUniformLocation(program, sampler_names[unit]), unit);
    glUseProgram(0);
}

static GLuint link_program(const ProgramFiles *files, const char *folder, BillowError *error)
{
    GLuint vertex = compile(GL_VERTEX_SHADER, folder, files->vertex, files->definitions, error);
    if (vertex == 0)
        return 0;
    GLuint fragment =
        compile(GL_FRAGMENT_SHADER, folder, files->fragment, files->definitions, error);
    if (fragment == 0) {
        glDeleteShader(vertex);
        return 0;
    }
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    if (!check_link(program, files, error)) {
        glDeleteProgram(program);
        return 0;
    }
    gl_check_label(GL_PROGRAM, program, files->label);
    connect(program);
    return program;
}

GLuint shader_set_program(ShaderSet *set, ShaderProgram program, BillowError *error)
{
    if (set->programs[program] == 0)
        set->programs[program] = link_program(&program_files[program], set->folder, error);
    return set->programs[program];
}

/* Returns the program for a set of definitions, and compiles it on first use. Returns 0 and a
 * message on failure. */
static GLuint compiled(GLuint *program, ProgramFiles files, const char *const *definitions,
                       int features, const char *folder, BillowError *error)
{
    if (*program != 0)
        return *program;
    char text[384] = "";
    for (int bit = 0; features >> bit != 0; bit++)
        if (features >> bit & 1)
            strcat(text, definitions[bit]);
    files.definitions = text;
    *program = link_program(&files, folder, error);
    return *program;
}

GLuint shader_set_march(ShaderSet *set, int march, BillowError *error)
{
    const ProgramFiles files = {"march", "screen.vert", "raymarch.frag", NULL};
    return compiled(&set->marches[march], files, march_definitions, march, set->folder, error);
}

GLuint shader_set_picture(ShaderSet *set, ShaderPass pass, int picture, BillowError *error)
{
    static const ProgramFiles files[SHADER_PASSES] = {
        [SHADER_COMPOSITE] = {"composite", "screen.vert", "composite.frag", NULL},
        [SHADER_DEVELOP] = {"develop", "screen.vert", "develop.frag", NULL},
        [SHADER_DEPTH] = {"depth", "screen.vert", "depth.frag", NULL}};
    return compiled(&set->pictures[pass][picture], files[pass], picture_definitions, picture,
                    set->folder, error);
}

/* Compiles every program of a user's shader folder, and each pass with all of its features. Errors
 * are thus reported at once, not when a scene first needs the program. */
static bool compiles_all(ShaderSet *set, BillowError *error)
{
    const int march = SHADER_MARCH_SLAB - 1, picture = SHADER_PICTURE_SETS - 1;
    bool good = true;
    for (int i = 0; i < SHADER_PROGRAMS && good; i++)
        good = shader_set_program(set, (ShaderProgram)i, error) != 0;
    return good && shader_set_march(set, SHADER_MARCH_JOINED, error) != 0 &&
           shader_set_march(set, march - SHADER_MARCH_JOINED, error) != 0 &&
           shader_set_picture(set, SHADER_COMPOSITE, SHADER_PICTURE_SKY, error) != 0 &&
           shader_set_picture(set, SHADER_COMPOSITE, picture - SHADER_PICTURE_SKY, error) != 0 &&
           shader_set_picture(set, SHADER_DEVELOP, picture, error) != 0 &&
           shader_set_picture(set, SHADER_DEPTH, SHADER_PICTURE_SOLIDS, error) != 0;
}

/* Whether a set without a set to replace compiles a later pass's program at once. */
static bool is_first(int pass, int picture)
{
    return (pass == SHADER_COMPOSITE && picture == SHADER_PICTURE_DEVELOP) ||
           (pass == SHADER_DEVELOP && picture == 0);
}

bool shader_set_create(ShaderSet *set, const char *folder, const ShaderSet *like,
                       BillowError *error)
{
    *set = (ShaderSet){.folder = folder};
    bool good = true;
    for (int i = 0; i < SHADER_PROGRAMS && good; i++)
        if (i < SHADER_SMOOTH || (like != NULL && like->programs[i] != 0))
            good = shader_set_program(set, (ShaderProgram)i, error) != 0;
    for (int march = 0; march < SHADER_MARCH_SETS && good; march++)
        if (march == 0 || (like != NULL && like->marches[march] != 0))
            good = shader_set_march(set, march, error) != 0;
    for (int pass = 0; pass < SHADER_PASSES; pass++)
        for (int picture = 0; picture < SHADER_PICTURE_SETS && good; picture++)
            if (like != NULL ? like->pictures[pass][picture] != 0 : is_first(pass, picture))
                good = shader_set_picture(set, (ShaderPass)pass, picture, error) != 0;
    good = good && (folder == NULL || compiles_all(set, error));
    if (!good)
        shader_set_destroy(set);
    return good;
}

void shader_set_destroy(ShaderSet *set)
{
    for (int i = 0; i < SHADER_PROGRAMS; i++)
        glDeleteProgram(set->programs[i]);
    for (int march = 0; march < SHADER_MARCH_SETS; march++)
        glDeleteProgram(set->marches[march]);
    for (int pass = 0; pass < SHADER_PASSES; pass++)
        for (int picture = 0; picture < SHADER_PICTURE_SETS; picture++)
            glDeleteProgram(set->pictures[pass][picture]);
    *set = (ShaderSet){0};
}
