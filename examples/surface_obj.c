/* SPDX-License-Identifier: MIT */
#include "surface_obj.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double coordinate_most = 1e6;
enum { BYTES_MOST = 1 << 28, FACES_MOST = MESH_CELLS_MOST / (4 * 4) };

typedef struct Reader {
    const char *path;
    size_t line; /* 0 = of no line */
    Quads *quads;
    int vertex_room, face_room;
    ExampleError *error;
} Reader;

static bool complain(const Reader *reader, const char *format, ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (reader->line > 0)
        snprintf(reader->error->text, sizeof reader->error->text, "%.150s:%zu: %s", reader->path,
                 reader->line, what);
    else
        snprintf(reader->error->text, sizeof reader->error->text, "%.150s: %s", reader->path, what);
    return false;
}

void quads_free(Quads *quads)
{
    free(quads->position);
    free(quads->face);
    *quads = (Quads){0};
}

/* Room for one more item in an array of *room items. */
static void *grown(void *items, int count, int *room, size_t size)
{
    if (count < *room)
        return items;
    void *larger = realloc(items, 2 * ((size_t)count + 64) * size);
    if (larger != NULL)
        *room = 2 * (count + 64);
    return larger;
}

/* The next word of a line, ended by a 0, or NULL. *rest moves past it. */
static char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, " \t\r\v\f");
    size_t length = strcspn(word, " \t\r\v\f");
    *rest = word + length;
    if (length == 0)
        return NULL;
    if (**rest != '\0')
        *(*rest)++ = '\0';
    return word;
}

static bool read_vertex(Reader *reader, char *rest)
{
    Quads *quads = reader->quads;
    double x[3];
    for (int axis = 0; axis < 3; axis++) {
        char *word = next_word(&rest), *end = word;
        if (word != NULL)
            x[axis] = strtod(word, &end);
        if (end == word || *end != '\0')
            return complain(reader, "a vertex needs three numbers");
        if (!(fabs(x[axis]) <= coordinate_most))
            return complain(reader, "a coordinate must be -1e6 to 1e6, not %.40s", word);
    }
    Vec *position = grown(quads->position, quads->vertices, &reader->vertex_room, sizeof *position);
    if (position == NULL)
        return complain(reader, "no memory for the vertices");
    quads->position = position;
    position[quads->vertices++] = (Vec){x[0], x[1], x[2]};
    return true;
}

/* Reads a corner, such as "7", "7/1", "7//3" or, counted from the last vertex, "-1". */
static bool read_corner(const Reader *reader, const char *word, int *vertex)
{
    char *end;
    long number = strtol(word, &end, 10);
    if (end == word || (*end != '\0' && *end != '/'))
        return complain(reader, "a corner must be the number of a vertex, not '%.40s'", word);
    long from_one = number < 0 ? number + reader->quads->vertices + 1 : number;
    if (from_one < 1 || from_one > INT_MAX)
        return complain(reader, "a face has the vertex %ld, which does not exist", number);
    *vertex = (int)from_one - 1;
    return true;
}

static bool read_face(Reader *reader, char *rest)
{
    Quads *quads = reader->quads;
    Patch face = {.line = reader->line};
    int corners = 0, ignored;
    for (char *word; (word = next_word(&rest)) != NULL; corners++)
        if (!read_corner(reader, word, corners < 4 ? &face.corner[corners] : &ignored))
            return false;
    if (corners != 4)
        return complain(reader, "a face must have 4 corners, not %d", corners);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            if (face.corner[a] == face.corner[b])
                return complain(reader, "a face has the vertex %d twice", face.corner[a] + 1);
    if (quads->faces == FACES_MOST)
        return complain(reader,
                        "more than the limit of %d faces, which have at least 4x4 cells each",
                        FACES_MOST);
    Patch *faces = grown(quads->face, quads->faces, &reader->face_room, sizeof *faces);
    if (faces == NULL)
        return complain(reader, "no memory for the faces");
    quads->face = faces;
    faces[quads->faces++] = face;
    return true;
}

/* A face may stand before its vertices, so this is known only at the end. */
static bool has_its_vertices(Reader *reader)
{
    const Quads *quads = reader->quads;
    reader->line = 0;
    if (quads->faces == 0)
        return complain(reader, "there is no face");
    for (int f = 0; f < quads->faces; f++)
        for (int c = 0; c < 4; c++)
            if (quads->face[f].corner[c] >= quads->vertices) {
                reader->line = quads->face[f].line;
                return complain(reader, "a face has the vertex %d, and there are %d",
                                quads->face[f].corner[c] + 1, quads->vertices);
            }
    return true;
}

static bool read_lines(Reader *reader, char *text)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    size_t mark = strlen(byte_order_mark);
    bool is_marked = strncmp(text, byte_order_mark, mark) == 0;
    for (char *next = is_marked ? text + mark : text; next != NULL;) {
        char *line = next;
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        reader->line++;
        line[strcspn(line, "#")] = '\0';
        const char *word = next_word(&line);
        if (word != NULL && strcmp(word, "v") == 0 && !read_vertex(reader, line))
            return false;
        if (word != NULL && strcmp(word, "f") == 0 && !read_face(reader, line))
            return false;
    }
    return has_its_vertices(reader);
}

/* The whole file as a text. Returns NULL after a complaint. */
static char *read_text(const Reader *reader)
{
    FILE *stream = fopen(reader->path, "rb");
    char *text = NULL;
    size_t used = 0, room = 0, got = 1;
    if (stream == NULL) {
        complain(reader, "cannot be read: %s", strerror(errno));
        return NULL;
    }
    while (got > 0 && used <= BYTES_MOST) {
        if (room - used < 2) {
            room = 2 * room + 65536;
            char *larger = realloc(text, room);
            if (larger == NULL)
                break;
            text = larger;
        }
        got = fread(text + used, 1, room - used - 1, stream);
        used += got;
    }
    bool failed = ferror(stream) != 0, ended = feof(stream) != 0;
    int reason = errno;
    fclose(stream);
    if (ended && !failed && memchr(text, '\0', used) == NULL) {
        text[used] = '\0';
        return text;
    }
    if (failed)
        complain(reader, "cannot be read: %s", strerror(reason));
    else if (ended)
        complain(reader, "is no text");
    else
        complain(reader, "is larger than 256 MB or than the memory");
    free(text);
    return NULL;
}

bool quads_read(Quads *quads, const char *path, ExampleError *error)
{
    Reader reader = {.path = path, .quads = quads, .error = error};
    *quads = (Quads){0};
    char *text = read_text(&reader);
    bool done = text != NULL && read_lines(&reader, text);
    free(text);
    if (!done)
        quads_free(quads);
    return done;
}
