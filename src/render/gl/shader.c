/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "render/gl/shader.h"
#include "base/embed.h"
#include "base/fail.h"
#include "base/grow.h"
#include "base/hash.h"
#include "io/paths.h"
#include <ctype.h>
#include <dirent.h>
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
    const char *folder;      /* NULL: the embedded files */
    const char *definitions; /* lines to insert below #version, or "" */
    BillowError *error;
    char *text;
    size_t length, capacity;
    char files[SHADER_SOURCE_FILES_MAX][128]; /* names; file i is files[i] */
    int file_count;
} ShaderSource;

static bool append(ShaderSource *source, const char *text, size_t length)
{
    char *longer = grow(source->text, &source->capacity, source->length + length + 1, 1);
    if (longer == NULL)
        return fail(source->error, "shader %s: no memory to read it", source->files[0]);
    source->text = longer;
    memcpy(source->text + source->length, text, length);
    source->length += length;
    source->text[source->length] = 0;
    return true;
}

/* Appends a #line directive that gives the next line the number of line `line` of file `file`. */
static bool append_place(ShaderSource *source, int line, int file)
{
    char text[64];
    int length = snprintf(text, sizeof text, "#line %d\n", file * SHADER_SOURCE_LINES + line);
    return append(source, text, (size_t)length);
}

/* Reads a file of the folder; the caller frees it. Returns NULL and a message on failure. */
static char *read_from_folder(const ShaderSource *source, const char *name)
{
    char path[PATHS_SIZE];
    struct stat status;
    size_t length;
    snprintf(path, sizeof path, "%s/%s", source->folder, name);
    if (stat(source->folder, &status) == 0 && S_ISDIR(status.st_mode))
        return whole_file_read(path, 1 << 20, &length, source->error);
    fail(source->error, "%s: there is no such folder of shaders", source->folder);
    return NULL;
}

static const char *find_embedded(const ShaderSource *source, const char *name)
{
    for (const EmbeddedFile *file = embedded_shaders; file->name != NULL; file++)
        if (strcmp(file->name, name) == 0)
            return file->text;
    fail(source->error, "shader %s: no shader of this name is built in", name);
    return NULL;
}

/* Appends a file and its includes, unless it is already included. */
static bool append_file(ShaderSource *source, const char *name)
{
    for (int i = 0; i < source->file_count; i++)
        if (strcmp(source->files[i], name) == 0)
            return true;
    if (source->file_count == SHADER_SOURCE_FILES_MAX)
        return fail(source->error, "shader %s: it includes more than %d files", source->files[0],
                    SHADER_SOURCE_FILES_MAX);
    char *read = source->folder != NULL ? read_from_folder(source, name) : NULL;
    const char *line = source->folder != NULL ? read : find_embedded(source, name);
    if (line == NULL)
        return false;
    int file = source->file_count++;
    snprintf(source->files[file], sizeof source->files[file], "%s", name);
    /* The first file starts with #version, which must be the first line. */
    bool good = file == 0 || append_place(source, 1, file);
    for (int number = 1; *line != 0 && good; number++) {
        const char *start = line + strspn(line, " \t");
        size_t length = strcspn(line, "\n");
        char included[128];
        if (*start == '#' && sscanf(start, "#include \"%127[^\"\n]\"", included) == 1)
            good = append_file(source, included) && append_place(source, number + 1, file);
        else if (strncmp(line, "#version", 8) == 0)
            good = append(source, GLSL_VERSION, strlen(GLSL_VERSION)) &&
                   append(source, source->definitions, strlen(source->definitions)) &&
                   append_place(source, number + 1, file);
        else
            good = append(source, line, length) && append(source, "\n", 1);
        line += length + (line[length] == '\n');
    }
    free(read);
    return good;
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

/* Fails with the first line of a driver's log, rewritten as "file:line: text". */
static bool fail_to_compile(const ShaderSource *source, const char *log)
{
    int place = 0;
    const char *words = log;
    bool placed = find_place(log, &place, &words);
    int file = place / SHADER_SOURCE_LINES, line = place % SHADER_SOURCE_LINES;
    placed = placed && file < source->file_count;
    char number[16] = "";
    if (placed)
        snprintf(number, sizeof number, ":%d", line);
    if (words[0] == 0 || words[0] == '\n')
        words = "does not compile, and the graphics driver does not say why";
    return fail(source->error, "%s%s%s%s: %.*s", source->folder != NULL ? source->folder : "",
                source->folder != NULL ? "/" : "", source->files[placed ? file : 0], number,
                (int)strcspn(words, "\n"), words);
}

uint64_t shader_source_stamp(const char *folder)
{
    DIR *entries = opendir(folder);
    if (entries == NULL)
        return 0;
    uint64_t stamp = 1;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        if (!paths_end_in(entry->d_name, ".glsl") && !paths_end_in(entry->d_name, ".vert") &&
            !paths_end_in(entry->d_name, ".frag"))
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

#define PROGRAM_FILES(name, vertex, fragment, definitions) {#name, vertex, fragment, definitions},
static const ProgramFiles program_files[] = {SHADER_PROGRAM_LIST(PROGRAM_FILES)};

/* Preprocessor symbol of each ShaderMarch flag and of each ShaderPicture flag, in their order. */
static const char *const march_symbols[] = {
    "SOLIDS", "EMISSION", "FLAME",  "COLOR", "THROUGH",   "LAMPS", "TINT",    "CUBIC",
    "JOINED", "SPECTRAL", "MOTION", "RAMP",  "GLOW_RAMP", "SLAB",  "ARRIVED", "MET"};
static const char *const picture_symbols[] = {"SOLIDS",      "DEVELOP", "AGX",   "BLOOM",
                                              "TRANSPARENT", "TINT",    "LAMPS", "GLOW",
                                              "SKY",         "GRADE",   "HAZE",  "MET"};

#define SAMPLER_NAME(name, sampler) sampler,
static const char *const sampler_names[] = {SHADER_UNIT_LIST(SAMPLER_NAME)};

/* Compiles a shader stage. Returns 0 and a message on failure. */
static GLuint compile(GLenum stage, const char *folder, const char *file, const char *definitions,
                      BillowError *error)
{
    ShaderSource source = {.folder = folder, .definitions = definitions, .error = error};
    bool loaded = append_file(&source, file) && append(&source, "", 0);
    GLuint shader = loaded ? glCreateShader(stage) : 0;
    if (shader != 0) {
        const GLchar *text = source.text;
        GLint length = (GLint)source.length, compiled = GL_FALSE;
        gl_check_label(GL_SHADER, shader, file);
        glShaderSource(shader, 1, &text, &length);
        glCompileShader(shader);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
        if (!compiled) {
            char log[2048] = "";
            glGetShaderInfoLog(shader, sizeof log, NULL, log);
            fail_to_compile(&source, log);
            glDeleteShader(shader);
            shader = 0;
        }
    } else if (loaded && gl_check(file, error)) {
        fail(error, "OpenGL: the shader %s cannot be created", file);
    }
    free(source.text);
    return shader;
}

static GLuint link_program(const ProgramFiles *files, const char *folder, BillowError *error)
{
    static const GLenum stages[2] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
    const char *const names[2] = {files->vertex, files->fragment};
    GLuint program = glCreateProgram();
    GLint linked = program != 0;
    if (!linked)
        fail(error, "OpenGL: no program for the shaders %s and %s can be created", files->vertex,
             files->fragment);
    for (int stage = 0; stage < 2 && linked; stage++) {
        GLuint shader = compile(stages[stage], folder, names[stage], files->definitions, error);
        linked = shader != 0;
        if (linked)
            glAttachShader(program, shader);
        glDeleteShader(shader); /* once it is detached */
    }
    if (linked) {
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &linked);
        if (!linked) {
            char log[400] = "";
            glGetProgramInfoLog(program, sizeof log, NULL, log);
            for (char *c = log; *c != 0; c++)
                *c = *c == '\n' ? ' ' : *c;
            fail(error, "shaders %s and %s do not link: %s", files->vertex, files->fragment,
                 log[0] != 0 ? log : "the graphics driver does not say why");
        }
    }
    if (!linked) {
        glDeleteProgram(program);
        return 0;
    }
    gl_check_label(GL_PROGRAM, program, files->label);
    GLuint block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX)
        glUniformBlockBinding(program, block, SHADER_FRAME_BINDING);
    glUseProgram(program);
    for (int unit = 0; unit < SHADER_UNITS; unit++)
        glUniform1i(glGetUniformLocation(program, sampler_names[unit]), unit);
    glUseProgram(0);
    return program;
}

GLuint shader_set_program(ShaderSet *set, ShaderProgram program, BillowError *error)
{
    if (set->programs[program] == 0)
        set->programs[program] = link_program(&program_files[program], set->folder, error);
    return set->programs[program];
}

/* Returns the program for a set of features, and compiles it on first use. Returns 0 and a message
 * on failure. */
static GLuint compiled(GLuint *program, ProgramFiles files, const char *const *symbols,
                       int features, const char *folder, BillowError *error)
{
    char text[384] = "";
    for (int bit = 0, used = 0; features >> bit != 0; bit++)
        if (features >> bit & 1)
            used += snprintf(text + used, sizeof text - (size_t)used, "#define %s\n", symbols[bit]);
    files.definitions = text;
    if (*program == 0)
        *program = link_program(&files, folder, error);
    return *program;
}

GLuint shader_set_march(ShaderSet *set, int march, BillowError *error)
{
    const ProgramFiles files = {"march", "screen.vert", "raymarch.frag", NULL};
    return compiled(&set->marches[march], files, march_symbols, march, set->folder, error);
}

GLuint shader_set_picture(ShaderSet *set, ShaderPass pass, int picture, BillowError *error)
{
    static const ProgramFiles files[SHADER_PASSES] = {
        [SHADER_COMPOSITE] = {"composite", "screen.vert", "composite.frag", NULL},
        [SHADER_DEVELOP] = {"develop", "screen.vert", "develop.frag", NULL},
        [SHADER_DEPTH] = {"depth", "screen.vert", "depth.frag", NULL}};
    return compiled(&set->pictures[pass][picture], files[pass], picture_symbols, picture,
                    set->folder, error);
}

/* Compiles every program of a user's shader folder, and each pass with all of its features. Errors
 * are thus reported at once, not when a scene first needs the program. */
static bool compiles_all(ShaderSet *set, BillowError *error)
{
    const int march = SHADER_MARCH_SLAB - 1 + SHADER_MARCH_MET, picture = SHADER_PICTURE_SETS - 1;
    bool good = true;
    for (int i = 0; i < SHADER_PROGRAMS && good; i++)
        good = shader_set_program(set, (ShaderProgram)i, error) != 0;
    return good && shader_set_march(set, SHADER_MARCH_JOINED, error) != 0 &&
           shader_set_march(set, march - SHADER_MARCH_JOINED, error) != 0 &&
           shader_set_march(set, march - SHADER_MARCH_JOINED - SHADER_MARCH_MET, error) != 0 &&
           shader_set_picture(set, SHADER_COMPOSITE, SHADER_PICTURE_SKY, error) != 0 &&
           shader_set_picture(set, SHADER_COMPOSITE, picture - SHADER_PICTURE_SKY, error) != 0 &&
           shader_set_picture(set, SHADER_COMPOSITE,
                              picture - SHADER_PICTURE_SKY - SHADER_PICTURE_MET, error) != 0 &&
           shader_set_picture(set, SHADER_DEVELOP, picture, error) != 0 &&
           shader_set_picture(set, SHADER_DEPTH, SHADER_PICTURE_SOLIDS, error) != 0;
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
    for (int pass = 0; pass < SHADER_PASSES && like != NULL; pass++)
        for (int picture = 0; picture < SHADER_PICTURE_SETS && good; picture++)
            if (like->pictures[pass][picture] != 0)
                good = shader_set_picture(set, (ShaderPass)pass, picture, error) != 0;
    if (like == NULL) /* the first set starts with the programs that most pictures need */
        good = good &&
               shader_set_picture(set, SHADER_COMPOSITE, SHADER_PICTURE_DEVELOP, error) != 0 &&
               shader_set_picture(set, SHADER_DEVELOP, 0, error) != 0;
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
