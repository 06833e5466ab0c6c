/* SPDX-License-Identifier: MIT */
#include "render/gl/texture.h"
#include "render/view_spans.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

GLuint texture_create(GLenum kind, GLint filter, GLint wrap, const char *label)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(kind, texture);
    glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(kind, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(kind, GL_TEXTURE_WRAP_T, wrap);
    glTexParameteri(kind, GL_TEXTURE_WRAP_R, wrap);
    glTexParameteri(kind, GL_TEXTURE_MAX_LEVEL, 0);
    gl_check_label(GL_TEXTURE, texture, label);
    return texture;
}

void texture_bind(int unit, GLenum kind, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(kind, texture);
    glActiveTexture(GL_TEXTURE0);
}

/* -- targets ----------------------------------------------------------------------------------- */

void target_destroy(Target *target)
{
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteTextures(1, &target->texture);
    *target = (Target){0};
}

bool target_resize(Target *target, int width, int height, GLenum format, const char *label,
                   BillowError *error)
{
    if (target->texture != 0 && target->width == width && target->height == height)
        return true;
    target_destroy(target);
    target->texture = texture_create(GL_TEXTURE_2D, GL_LINEAR, GL_CLAMP_TO_EDGE, label);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0,
                 format == GL_R32F    ? GL_RED
                 : format == GL_RG16F ? GL_RG
                                      : GL_RGBA,
                 format == GL_RGBA8 ? GL_UNSIGNED_BYTE : GL_FLOAT, NULL);
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->texture, 0);
    gl_check_label(GL_FRAMEBUFFER, target->framebuffer, label);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    bool clean = gl_check(label, error);
    if (!clean || !complete) {
        target_destroy(target);
        return clean ? fail(error, "OpenGL: this driver cannot draw into the %s of %dx%d pixels",
                            label, width, height)
                     : false;
    }
    target->width = width;
    target->height = height;
    return true;
}

bool target_cover(const Target *target, GLuint program)
{
    if (program == 0)
        return false;
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, target->width, target->height);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    return true;
}

bool target_read(const Target *target, GLenum layout, GLenum type, size_t pixel_bytes, int stride,
                 void *pixels, BillowError *error)
{
    int width = target->width, height = target->height;
    size_t row = (size_t)width * pixel_bytes, apart = (size_t)stride * pixel_bytes;
    uint8_t *swap = malloc(row), *first = pixels;
    if (swap == NULL)
        return fail(error, "picture: no memory to read a row of %d pixels", width);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, stride);
    glReadPixels(0, 0, width, height, layout, type, pixels);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    for (int y = 0; y < height / 2; y++) {
        uint8_t *upper = first + (size_t)y * apart;
        uint8_t *lower = first + (size_t)(height - 1 - y) * apart;
        memcpy(swap, upper, row);
        memcpy(upper, lower, row);
        memcpy(lower, swap, row);
    }
    free(swap);
    return gl_check("read-back of the picture", error);
}

/* -- half precision ---------------------------------------------------------------------------- */

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#define LARGEST 65504.0f    /* largest finite half */
#define LEAST   0x38800000u /* bits of 2^-14, the smallest normal half, as a float */

/* Rounds a float to a half, ties to even. Normal numbers lose 13 bits of their fraction; half a
 * unit of the last remaining bit is added first. Subnormal halves: adding 0.5 shifts the fraction
 * so that the last bit of the float sum has the value of a half's last bit. The addition itself
 * then rounds. */
static uint16_t to_half(float value)
{
    uint32_t bits, sum_bits;
    value = value < LARGEST ? value : LARGEST;
    value = value > -LARGEST ? value : -LARGEST;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    uint32_t normal = (size + 0xfffu + (size >> 13 & 1u) - 0x38000000u) >> 13;
    float magnitude, sum;
    memcpy(&magnitude, &size, sizeof magnitude);
    sum = magnitude + 0.5f;
    memcpy(&sum_bits, &sum, sizeof sum_bits);
    uint32_t small = sum_bits - 0x3f000000u;
    return (uint16_t)(sign | (size < LEAST ? small : normal));
}

void half_from_floats_plain(const float *values, size_t count, uint16_t *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = to_half(values[i]);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx,f16c"))) static void from_floats_f16c(const float *values, size_t count,
                                                                 uint16_t *out)
{
    size_t whole = count & ~(size_t)7;
    __m256 most = _mm256_set1_ps(LARGEST), least = _mm256_set1_ps(-LARGEST);
    for (size_t i = 0; i < whole; i += 8) {
        __m256 eight = _mm256_loadu_ps(values + i);
        eight = _mm256_max_ps(_mm256_min_ps(eight, most), least);
        _mm_storeu_si128((__m128i *)(void *)(out + i),
                         _mm256_cvtps_ph(eight, _MM_FROUND_TO_NEAREST_INT));
    }
    half_from_floats_plain(values + whole, count - whole, out + whole);
}
#endif

void half_from_floats(const float *values, size_t count, uint16_t *out)
{
#if defined(__x86_64__) && defined(__GNUC__)
    /* Every processor with AVX2 has F16C, which clang's __builtin_cpu_supports does not know. */
    if (__builtin_cpu_supports("avx2")) {
        from_floats_f16c(values, count, out);
        return;
    }
#endif
    half_from_floats_plain(values, count, out);
}

/* -- volumes ----------------------------------------------------------------------------------- */

/* The planes of a layer share a box of texels that may differ from 0. */
enum { LAYER_PLANES = 8 };

/* Texels low <= i < high along each axis; none if low = high. */
typedef struct Box {
    int low[3], high[3];
} Box;

struct VolumeLayer {
    Box filled;          /* texels that may differ from 0 */
    Box sent;            /* texels that an upload writes */
    const float *values; /* of the first of them */
    size_t at;           /* number of values that the layers before send */
};

/* Where an upload's texels lie: in the program's memory, which the driver copies before the call
 * returns, or in a buffer object, which it may copy later. Which of the two holds up the program
 * less depends on the driver, so that each volume times both in its first TRIES uploads. */
enum { FROM_MEMORY, FROM_BUFFER, TRIES = 8 };

static int way_of(const Volume *volume)
{
    const double *seconds = volume->seconds;
    if (volume->tries < TRIES)
        return volume->tries % 2;
    return seconds[FROM_BUFFER] < seconds[FROM_MEMORY] ? FROM_BUFFER : FROM_MEMORY;
}

void volume_destroy(Volume *volume)
{
    glDeleteTextures(1, &volume->texture);
    glDeleteBuffers(1, &volume->buffer);
    free(volume->packed);
    free(volume->layers);
    *volume = (Volume){0};
}

/* Internal formats for 1 to 4 channels: formats[0] as floats, formats[1] as halves. */
static const GLenum formats[2][4] = {{GL_R32F, GL_RG32F, GL_RGB32F, GL_RGBA32F},
                                     {GL_R16F, GL_RG16F, GL_RGB16F, GL_RGBA16F}},
                    layouts[] = {GL_RED, GL_RG, GL_RGB, GL_RGBA};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* Without spans, all planes are one layer. */
static int layer_planes(const VolumeData *data)
{
    return data->spans != NULL ? LAYER_PLANES : data->n[2];
}

static int layers_of(const VolumeData *data)
{
    return (data->n[2] + layer_planes(data) - 1) / layer_planes(data);
}

static bool allocate(Volume *volume, const VolumeData *data, const char *label, BillowError *error)
{
    volume_destroy(volume);
    volume->layers = calloc((size_t)layers_of(data), sizeof *volume->layers);
    if (volume->layers == NULL)
        return fail(error, "picture: no memory for the %s", label);
    volume->texture = texture_create(GL_TEXTURE_3D, data->smooth ? GL_LINEAR : GL_NEAREST,
                                     GL_CLAMP_TO_EDGE, label);
    glTexImage3D(GL_TEXTURE_3D, 0, (GLint)formats[data->half][data->channels - 1], data->n[0],
                 data->n[1], data->n[2], 0, layouts[data->channels - 1], GL_FLOAT, NULL);
    memcpy(volume->n, data->n, sizeof volume->n);
    volume->channels = data->channels;
    volume->half = data->half;
    volume->layer_count = layers_of(data);
    char what[128];
    double cells = (double)data->n[0] * data->n[1] * data->n[2];
    number_print(what, sizeof what, "%s, %dx%dx%d values (%.3g GB)", label, data->n[0], data->n[1],
                 data->n[2], 1e-9 * cells * (data->half ? 2 : 4) * data->channels);
    return gl_check(what, error);
}

static Box join(Box a, Box b)
{
    if (a.low[0] == a.high[0])
        return b;
    for (int axis = 0; axis < 3 && b.low[0] < b.high[0]; axis++) {
        a.low[axis] = least(a.low[axis], b.low[axis]);
        a.high[axis] = most(a.high[axis], b.high[axis]);
    }
    return a;
}

/* The texels of a layer that may differ from 0 in the data. */
static Box filled_box(const VolumeData *data, Box layer)
{
    const int first = data->first_plane;
    view_bounds(data->spans, first + layer.low[2], first + layer.high[2], layer.low, layer.high);
    layer.low[2] -= first, layer.high[2] -= first;
    return layer;
}

/* Finds which texels of each layer may differ from 0 in the volume or in the data. keeps: the
 * volume's contents are known; otherwise all texels are sent. Returns the number of values. */
static size_t find_layers(Volume *volume, const VolumeData *data, bool keeps)
{
    size_t values = 0;
    for (int l = 0; l < volume->layer_count; l++) {
        struct VolumeLayer *layer = &volume->layers[l];
        const int planes = layer_planes(data), first = l * planes;
        const Box whole = {{0, 0, first},
                           {data->n[0], data->n[1], least(first + planes, data->n[2])}};
        const Box now = data->spans != NULL ? filled_box(data, whole) : whole;
        layer->sent = keeps ? join(now, layer->filled) : whole;
        layer->filled = now;
        const int *low = layer->sent.low, *high = layer->sent.high;
        layer->values = data->values + low[0] * data->channels + low[1] * data->stride_y +
                        low[2] * data->stride_z;
        layer->at = values;
        values += (size_t)data->channels * (size_t)(high[0] - low[0]) * (size_t)(high[1] - low[1]) *
                  (size_t)(high[2] - low[2]);
    }
    return values;
}

/* Writes the texels that are sent, layer by layer, without gaps. */
static void pack(const Volume *volume, const VolumeData *data, void *out)
{
#pragma omp parallel for schedule(dynamic)
    for (int l = 0; l < volume->layer_count; l++) {
        const struct VolumeLayer *layer = &volume->layers[l];
        const int *low = layer->sent.low, *high = layer->sent.high;
        const size_t row = (size_t)data->channels * (size_t)(high[0] - low[0]);
        size_t at = layer->at;
        for (int k = 0; k < high[2] - low[2]; k++)
            for (int j = 0; j < high[1] - low[1]; j++, at += row) {
                const float *values = layer->values + j * data->stride_y + k * data->stride_z;
                if (data->half)
                    half_from_floats(values, row, (uint16_t *)out + at);
                else
                    memcpy((float *)out + at, values, row * sizeof *values);
            }
    }
}

static size_t value_bytes(const VolumeData *data)
{
    return data->half ? sizeof(uint16_t) : sizeof(float);
}

static void send_layer(const VolumeData *data, const struct VolumeLayer *layer, const void *from)
{
    const int *low = layer->sent.low, *high = layer->sent.high;
    if (low[0] < high[0])
        glTexSubImage3D(GL_TEXTURE_3D, 0, low[0], low[1], low[2], high[0] - low[0],
                        high[1] - low[1], high[2] - low[2], layouts[data->channels - 1],
                        data->half ? GL_HALF_FLOAT : GL_FLOAT, from);
}

/* Sends what `pack` wrote. from: its address in memory; 0: it is in the buffer object that is
 * bound.
 */
static void send_packed(const Volume *volume, const VolumeData *data, uintptr_t from)
{
    glPixelStorei(GL_UNPACK_ALIGNMENT, (GLint)value_bytes(data));
    for (int l = 0; l < volume->layer_count; l++)
        send_layer(data, &volume->layers[l],
                   (const void *)(from + volume->layers[l].at * value_bytes(data)));
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

/* Sends floats from where they are. */
static void send_in_place(const Volume *volume, const VolumeData *data)
{
    glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)(data->stride_y / data->channels));
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, (GLint)(data->stride_z / data->stride_y));
    for (int l = 0; l < volume->layer_count; l++)
        send_layer(data, &volume->layers[l], volume->layers[l].values);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
}

/* Sends from the program's memory. The GL takes planes only whole rows apart; others are packed. */
static bool send_from_memory(Volume *volume, const VolumeData *data, size_t bytes)
{
    if (!data->half && data->stride_z % data->stride_y == 0) {
        send_in_place(volume, data);
        return true;
    }
    if (volume->room < bytes) {
        free(volume->packed);
        volume->packed = malloc(bytes);
        volume->room = volume->packed != NULL ? bytes : 0;
    }
    if (volume->packed == NULL)
        return false;
    pack(volume, data, volume->packed);
    send_packed(volume, data, (uintptr_t)volume->packed);
    return true;
}

/* Sends from a buffer object, whose memory is new every time: nothing waits for the last upload.
 * Returns false if the GL gives no memory, or loses it. */
static bool send_from_buffer(Volume *volume, const VolumeData *data, size_t bytes)
{
    if (volume->buffer == 0)
        glGenBuffers(1, &volume->buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, volume->buffer);
    void *packed = gl_map_new(GL_PIXEL_UNPACK_BUFFER, bytes);
    if (packed != NULL)
        pack(volume, data, packed);
    bool good = packed != NULL && gl_unmap(GL_PIXEL_UNPACK_BUFFER);
    if (good)
        send_packed(volume, data, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    return good;
}

/* Frees the memory or the buffer object that will not be used again, once the faster is known. */
static void settle(Volume *volume)
{
    if (way_of(volume) == FROM_MEMORY) {
        glDeleteBuffers(1, &volume->buffer);
        volume->buffer = 0;
    } else {
        free(volume->packed);
        volume->packed = NULL;
        volume->room = 0;
    }
}

/* Sends the texels that find_layers found, and notes the time per value in the first uploads. */
static bool send(Volume *volume, const VolumeData *data, size_t values)
{
    const int way = way_of(volume);
    const size_t bytes = values * value_bytes(data);
    const double start = clock_seconds();
    double *least_seconds = &volume->seconds[way];
    if (values == 0)
        return true;
    if (way == FROM_BUFFER && !send_from_buffer(volume, data, bytes)) {
        gl_check_forget();
        volume->seconds[FROM_BUFFER] = INFINITY;
        volume->tries = TRIES;
        settle(volume);
        return send_from_memory(volume, data, bytes);
    }
    if (way == FROM_MEMORY && !send_from_memory(volume, data, bytes))
        return false;
    const double seconds = (clock_seconds() - start) / (double)values;
    if (volume->tries < 2 || seconds < *least_seconds)
        *least_seconds = seconds;
    if (volume->tries < TRIES && ++volume->tries == TRIES)
        settle(volume);
    return true;
}

bool volume_upload(Volume *volume, const VolumeData *data, const char *label, BillowError *error)
{
    assert(data->channels >= 1 && data->channels <= 4 && data->stride_y % data->channels == 0);
    if (data->values == NULL) {
        volume_destroy(volume);
        return true;
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    const bool fits = volume->texture != 0 && volume->channels == data->channels &&
                      volume->half == data->half && volume->layer_count == layers_of(data) &&
                      memcmp(volume->n, data->n, sizeof volume->n) == 0;
    if (fits || allocate(volume, data, label, error)) {
        glBindTexture(GL_TEXTURE_3D, volume->texture);
        const bool sent = send(volume, data, find_layers(volume, data, fits)) ||
                          fail(error, "picture: no memory for the %s", label);
        if (sent && gl_check(label, error))
            return true;
    }
    volume_destroy(volume);
    return false;
}

bool volume_upload_field(Volume *volume, const BillowView *view, const int planes[2],
                         const float *values, bool half, const char *label, BillowError *error)
{
    VolumeData data = {.n = {view->nx, view->ny, planes[1] - planes[0]},
                       .channels = 1,
                       .stride_y = view->stride_y,
                       .stride_z = view->stride_z,
                       .values = values != NULL ? values + planes[0] * view->stride_z : NULL,
                       .spans = view,
                       .first_plane = planes[0],
                       .half = half,
                       .smooth = true};
    return volume_upload(volume, &data, label, error);
}

VolumeData volume_packed(const int n[3], int channels, const float *values, bool smooth)
{
    return (VolumeData){.n = {n[0], n[1], n[2]},
                        .channels = channels,
                        .stride_y = (ptrdiff_t)channels * n[0],
                        .stride_z = (ptrdiff_t)channels * n[0] * n[1],
                        .values = values,
                        .half = channels >= 3,
                        .smooth = smooth};
}

bool volume_upload_packed(Volume *volume, const int n[3], int channels, const float *values,
                          bool smooth, const char *label, BillowError *error)
{
    const VolumeData data = volume_packed(n, channels, values, smooth);
    return volume_upload(volume, &data, label, error);
}
