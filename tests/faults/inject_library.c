/* SPDX-License-Identifier: MIT
 * Failing calls of other libraries: threads, windows, fonts, meshes, PNG, EXR, JSON, YAML,
 * packing. */
#define _GNU_SOURCE
#include "inject.h"

#include <billow/error.h>
#include <cjson/cJSON.h>
#include <dlfcn.h>
#include <errno.h>
#include <png.h>
#include <pthread.h>
#include <SDL.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>
#include <zlib.h>

FAULTY(FAULT_THREAD, int, pthread_create,
       (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *data),
       (thread, attributes, run, data), return EAGAIN)

/* -- SDL, which leaves the reason behind */
FAULTY(FAULT_LIBRARY, int, SDL_InitSubSystem, (Uint32 parts), (parts), return SDL_OutOfMemory())
FAULTY(FAULT_LIBRARY, SDL_Window *, SDL_CreateWindow,
       (const char *title, int x, int y, int width, int height, Uint32 flags),
       (title, x, y, width, height, flags), SDL_OutOfMemory();
       return NULL)
FAULTY(FAULT_LIBRARY, SDL_GLContext, SDL_GL_CreateContext, (SDL_Window * window), (window),
       SDL_OutOfMemory();
       return NULL)
FAULTY(FAULT_LIBRARY, int, SDL_GL_LoadLibrary, (const char *path), (path), return SDL_OutOfMemory())
FAULTY(FAULT_LIBRARY, void *, SDL_GL_GetProcAddress, (const char *name), (name), SDL_OutOfMemory();
       return NULL)
FAULTY(FAULT_LIBRARY, void *, SDL_LoadObject, (const char *name), (name), SDL_OutOfMemory();
       return NULL)
FAULTY(FAULT_LIBRARY, int, SDL_SetClipboardText, (const char *text), (text),
       return SDL_OutOfMemory())
FAULTY(FAULT_LIBRARY, char *, SDL_GetClipboardText, (void), (), SDL_OutOfMemory(); return NULL)

/* The window's keys from BILLOW_FAULT_KEYS, pressed and let go. */
static SDL_bool next_key(SDL_Event *event)
{
    static const char *left;
    static long looks;
    static bool up;
    if (looks++ == 0)
        left = getenv("BILLOW_FAULT_KEYS");
    if (event == NULL || left == NULL || *left == 0)
        return SDL_FALSE;
    char *end;
    long at = strtol(left, &end, 10);
    if (looks < at || *end != ':')
        return SDL_FALSE;
    SDL_Keycode key = (SDL_Keycode)strtol(end + 1, &end, 10);
    memset(event, 0, sizeof *event);
    event->type = up ? SDL_KEYUP : SDL_KEYDOWN;
    event->key.state = up ? SDL_RELEASED : SDL_PRESSED;
    event->key.keysym.sym = key;
    event->key.keysym.scancode = SDL_GetScancodeFromKey(key);
    if (*end == 'c') {
        event->key.keysym.mod = KMOD_LCTRL;
        end++;
    }
    if (up)
        left = *end == ',' ? end + 1 : end;
    up = !up;
    return SDL_TRUE;
}

__attribute__((weak)) int __real_SDL_PollEvent(SDL_Event *event);
int __wrap_SDL_PollEvent(SDL_Event *event);
int __wrap_SDL_PollEvent(SDL_Event *event)
{
    return next_key(event) ? 1 : __real_SDL_PollEvent(event);
}

__attribute__((weak)) Uint64 __real_SDL_GetPerformanceCounter(void);
Uint64 __wrap_SDL_GetPerformanceCounter(void);
Uint64 __wrap_SDL_GetPerformanceCounter(void)
{
    Uint64 now = __real_SDL_GetPerformanceCounter();
    return fault_strikes(FAULT_CLOCK, "SDL_GetPerformanceCounter", FAULT_CALLER)
               ? now + 3600 * SDL_GetPerformanceFrequency()
               : now;
}

/* -- what the window says, which nobody sees here */
struct Session;
__attribute__((weak)) void __real_session_say(struct Session *session, const char *format, ...);
void __wrap_session_say(struct Session *session, const char *format, ...);
void __wrap_session_say(struct Session *session, const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    dprintf(STDOUT_FILENO, "%s\n", text);
    __real_session_say(session, "%s", text);
}

__attribute__((weak)) void __real_session_tell(struct Session *session, bool well,
                                               const BillowError *error);
void __wrap_session_tell(struct Session *session, bool well, const BillowError *error);
void __wrap_session_tell(struct Session *session, bool well, const BillowError *error)
{
    if (!well)
        __wrap_session_say(session, "%s", error->text);
}

/* -- PNG, which leaves the reason behind */
static int png_runs_short(png_imagep image)
{
    snprintf(image->message, sizeof image->message, "out of memory");
    return 0;
}

FAULTY(FAULT_LIBRARY, int, png_image_write_to_stdio,
       (png_imagep image, FILE *stream, int to_8_bits, const void *pixels, png_int_32 stride,
        const void *map),
       (image, stream, to_8_bits, pixels, stride, map), return png_runs_short(image))
FAULTY(FAULT_LIBRARY, int, png_image_begin_read_from_memory,
       (png_imagep image, png_const_voidp bytes, size_t length), (image, bytes, length),
       return png_runs_short(image))
FAULTY(FAULT_LIBRARY, int, png_image_finish_read,
       (png_imagep image, png_const_colorp ground, void *into, png_int_32 stride, void *map),
       (image, ground, into, stride, map), png_image_free(image);
       return png_runs_short(image))

/* -- zlib, zstd */
FAULTY(FAULT_LIBRARY, int, compress2,
       (Bytef * packed, uLongf *size, const Bytef *bytes, uLong count, int level),
       (packed, size, bytes, count, level), return Z_MEM_ERROR)
FAULTY(FAULT_LIBRARY, void *, ZSTD_createCCtx, (void), (), return NULL)
FAULTY(FAULT_LIBRARY, void *, ZSTD_createDCtx, (void), (), return NULL)
FAULTY(FAULT_LIBRARY, size_t, ZSTD_compressCCtx,
       (void *way, void *packed, size_t room, const void *bytes, size_t count, int level),
       (way, packed, room, bytes, count, level), return (size_t)-64 /* memory_allocation */)
FAULTY(FAULT_LIBRARY, size_t, ZSTD_decompressDCtx,
       (void *way, void *bytes, size_t room, const void *packed, size_t count),
       (way, bytes, room, packed, count), return (size_t)-64)

/* -- JSON */
FAULTY(FAULT_LIBRARY, cJSON *, cJSON_CreateObject, (void), (), return NULL)
FAULTY(FAULT_LIBRARY, cJSON *, cJSON_CreateArray, (void), (), return NULL)
FAULTY(FAULT_LIBRARY, cJSON *, cJSON_CreateNumber, (double value), (value), return NULL)
FAULTY(FAULT_LIBRARY, cJSON *, cJSON_CreateString, (const char *text), (text), return NULL)
FAULTY(FAULT_LIBRARY, cJSON *, cJSON_CreateBool, (cJSON_bool value), (value), return NULL)
FAULTY(FAULT_LIBRARY, cJSON *, cJSON_CreateNull, (void), (), return NULL)
FAULTY(FAULT_LIBRARY, cJSON_bool, cJSON_AddItemToObject,
       (cJSON * object, const char *name, cJSON *item), (object, name, item), return 0)
FAULTY(FAULT_LIBRARY, cJSON_bool, cJSON_AddItemToArray, (cJSON * array, cJSON *item), (array, item),
       return 0)
FAULTY(FAULT_LIBRARY, char *, cJSON_Print, (const cJSON *item), (item), return NULL)

/* -- YAML, which fails in one place and says in another why */
FAULTY(FAULT_LIBRARY, int, yaml_parser_initialize, (yaml_parser_t * parser), (parser), return 0)
FAULTY(FAULT_LIBRARY, int, yaml_parser_load, (yaml_parser_t * parser, yaml_document_t *document),
       (parser, document), memset(document, 0, sizeof *document);
       parser->error = YAML_MEMORY_ERROR; return 0)
FAULTY(FAULT_LIBRARY, int, yaml_parser_parse, (yaml_parser_t * parser, yaml_event_t *event),
       (parser, event), memset(event, 0, sizeof *event);
       parser->error = YAML_MEMORY_ERROR; return 0)

/* -- modules; Dear ImGui looks for OpenGL by these, and has no answer where there is none */
__attribute__((weak)) void fault_note_module(const char *path);

void *__real_dlopen(const char *path, int flags);
void *__wrap_dlopen(const char *path, int flags);
void *__wrap_dlopen(const char *path, int flags)
{
    if (strncmp(path, "libGL", 5) != 0 && fault_strikes(FAULT_LIBRARY, "dlopen", FAULT_CALLER))
        return __real_dlopen("/no/such/module.so", RTLD_NOW);
    if (fault_note_module != NULL)
        fault_note_module(path);
    return __real_dlopen(path, flags);
}

void *__real_dlsym(void *module, const char *name);
void *__wrap_dlsym(void *module, const char *name);
void *__wrap_dlsym(void *module, const char *name)
{
    if (strncmp(name, "gl", 2) != 0 && fault_strikes(FAULT_LIBRARY, "dlsym", FAULT_CALLER))
        name = "no_such_name";
    return __real_dlsym(module, name);
}

/* -- EXR: 1 is out of memory */
FAULTY(FAULT_LIBRARY, int, exr_start_write, (void *file, const char *path, int mode, void *with),
       (file, path, mode, with), return 1)
FAULTY(FAULT_LIBRARY, int, exr_add_part, (void *file, const char *name, int kind, int *part),
       (file, name, kind, part), return 1)
FAULTY(FAULT_LIBRARY, int, exr_attr_set_chromaticities,
       (void *file, int part, const char *name, const void *value), (file, part, name, value),
       return 1)
FAULTY(FAULT_LIBRARY, int, exr_attr_set_float,
       (void *file, int part, const char *name, float value), (file, part, name, value), return 1)
FAULTY(FAULT_LIBRARY, int, exr_attr_set_string,
       (void *file, int part, const char *name, const char *value), (file, part, name, value),
       return 1)
FAULTY(FAULT_LIBRARY, int, exr_add_channel,
       (void *file, int part, const char *name, int kind, int percept, int32_t x, int32_t y),
       (file, part, name, kind, percept, x, y), return 1)
FAULTY(FAULT_LIBRARY, int, exr_write_header, (void *file), (file), return 1)
FAULTY(FAULT_LIBRARY, int, exr_write_scanline_chunk_info,
       (void *file, int part, int row, void *chunk), (file, part, row, chunk), return 1)
FAULTY(FAULT_LIBRARY, int, exr_encoding_initialize,
       (void *file, int part, const void *chunk, void *way), (file, part, chunk, way), return 1)
FAULTY(FAULT_LIBRARY, int, exr_encoding_choose_default_routines, (void *file, int part, void *way),
       (file, part, way), return 1)
FAULTY(FAULT_LIBRARY, int, exr_encoding_run, (void *file, int part, void *way), (file, part, way),
       return 1)
FAULTY(FAULT_LIBRARY, int, exr_finish, (void *file), (file), __real_exr_finish(file); return 1)

/* -- letters and meshes: 0x40 is FreeType's out of memory */
FAULTY(FAULT_LIBRARY, int, FT_Init_FreeType, (void *library), (library), return 0x40)
FAULTY(FAULT_LIBRARY, int, FT_New_Face, (void *library, const char *path, long index, void *face),
       (library, path, index, face), return 0x40)
FAULTY(FAULT_LIBRARY, int, FT_Set_Pixel_Sizes, (void *face, unsigned width, unsigned height),
       (face, width, height), return 0x40)
FAULTY(FAULT_LIBRARY, int, FT_Load_Char, (void *face, unsigned long letter, int32_t flags),
       (face, letter, flags), return 0x40)
FAULTY(FAULT_LIBRARY, int, FT_Load_Glyph, (void *face, unsigned glyph, int32_t flags),
       (face, glyph, flags), return 0x40)
FAULTY(FAULT_LIBRARY, void *, FcInitLoadConfigAndFonts, (void), (), return NULL)
FAULTY(FAULT_LIBRARY, void *, FcNameParse, (const unsigned char *name), (name), return NULL)
FAULTY(FAULT_LIBRARY, void *, FcPatternDuplicate, (const void *pattern), (pattern), return NULL)
FAULTY(FAULT_LIBRARY, int, FcConfigSubstitute, (void *config, void *pattern, int kind),
       (config, pattern, kind), return 0)
FAULTY(FAULT_LIBRARY, void *, FcFontMatch, (void *config, void *pattern, void *result),
       (config, pattern, result), *(int *)result = 4;
       return NULL)
FAULTY(FAULT_LIBRARY, void *, aiCreatePropertyStore, (void), (), return NULL)
FAULTY(FAULT_LIBRARY, const void *, aiImportFileFromMemoryWithProperties,
       (const char *bytes, unsigned count, unsigned flags, const char *kind,
        const void *properties),
       (bytes, count, flags, kind, properties), return NULL)

/* -- Dear ImGui's half of OpenGL: bool ImGui_ImplOpenGL3_Init(const char *) */
FAULTY(FAULT_LIBRARY, bool, _Z22ImGui_ImplOpenGL3_InitPKc, (const char *version), (version),
       return false)
