/* SPDX-License-Identifier: MIT */
#include "render/gl/texture.h"
#include "render/view_spans.h"

#include "base/fail.h"
#include "base/number.h"

#include <assert.h>
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

void volume_destroy(Volume *volume)
{
    glDeleteTextures(1, &volume->texture);
    free(volume->halves);
    *volume = (Volume){0};
}

/* Internal formats for 1 to 4 channels: formats[0] as floats, formats[1] as halves. */
static const GLenum formats[2][4] = {{GL_R32F, GL_RG32F, GL_RGB32F, GL_RGBA32F},
                                     {GL_R16F, GL_RG16F, GL_RGB16F, GL_RGBA16F}},
                    layouts[] = {GL_RED, GL_RG, GL_RGB, GL_RGBA};

static bool allocate(Volume *volume, const VolumeData *data, const char *label, BillowError *error)
{
    volume_destroy(volume);
    volume->texture = texture_create(GL_TEXTURE_3D, data->smooth ? GL_LINEAR : GL_NEAREST,
                                     GL_CLAMP_TO_EDGE, label);
    glTexImage3D(GL_TEXTURE_3D, 0, (GLint)formats[data->half][data->channels - 1], data->n[0],
                 data->n[1], data->n[2], 0, layouts[data->channels - 1], GL_FLOAT, NULL);
    memcpy(volume->n, data->n, sizeof volume->n);
    volume->channels = data->channels;
    volume->half = data->half;
    char what[128];
    double cells = (double)data->n[0] * data->n[1] * data->n[2];
    number_print(what, sizeof what, "%s, %dx%dx%d values (%.3g GB)", label, data->n[0], data->n[1],
                 data->n[2], 1e-9 * cells * (data->half ? 2 : 4) * data->channels);
    return gl_check(what, error);
}

/* Number of values that are converted to halves before they are uploaded: few enough to stay in the
 * cache. */
#define HALVES_AT_ONCE ((size_t)1 << 19)

/* The texels that an upload writes. */
typedef struct Part {
    int low[3], n[3];
    const float *values; /* of the first */
} Part;

static bool send_halves(Volume *volume, const VolumeData *data, const Part *part, const char *label,
                        BillowError *error)
{
    const int *n = part->n, *low = part->low;
    size_t row = (size_t)data->channels * (size_t)n[0], plane = row * (size_t)n[1];
    int at_once = plane < HALVES_AT_ONCE ? (int)(HALVES_AT_ONCE / plane) : 1;
    at_once = at_once < n[2] ? at_once : n[2];
    size_t needed = plane * (size_t)at_once;
    if (volume->room < needed) {
        free(volume->halves);
        volume->halves = malloc(needed * sizeof *volume->halves);
        volume->room = volume->halves != NULL ? needed : 0;
    }
    if (volume->halves == NULL)
        return fail(error, "picture: no memory for the %s", label);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 2);
    for (int k = 0; k < n[2]; k += at_once) {
        int count = at_once < n[2] - k ? at_once : n[2] - k;
#pragma omp parallel for schedule(static)
        for (int plane_k = 0; plane_k < count; plane_k++)
            for (int j = 0; j < n[1]; j++)
                half_from_floats(part->values + j * data->stride_y + (k + plane_k) * data->stride_z,
                                 row, volume->halves + row * (size_t)j + plane * (size_t)plane_k);
        glTexSubImage3D(GL_TEXTURE_3D, 0, low[0], low[1], low[2] + k, n[0], n[1], count,
                        layouts[data->channels - 1], GL_HALF_FLOAT, volume->halves);
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    return true;
}

static void send_floats(const VolumeData *data, const Part *part)
{
    const int *n = part->n, *low = part->low;
    GLenum layout = layouts[data->channels - 1];
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)(data->stride_y / data->channels));
    /* The GL accepts only plane strides that are whole numbers of rows. With other strides the
     * planes are uploaded one by one. */
    if (data->stride_z % data->stride_y == 0) {
        glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, (GLint)(data->stride_z / data->stride_y));
        glTexSubImage3D(GL_TEXTURE_3D, 0, low[0], low[1], low[2], n[0], n[1], n[2], layout,
                        GL_FLOAT, part->values);
    } else {
        for (int k = 0; k < n[2]; k++)
            glTexSubImage3D(GL_TEXTURE_3D, 0, low[0], low[1], low[2] + k, n[0], n[1], 1, layout,
                            GL_FLOAT, part->values + k * data->stride_z);
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
}

/* The texels that may differ from 0 in the volume, where it has contents, or in the data. */
static Part changed_part(Volume *volume, const VolumeData *data, bool keeps)
{
    const ptrdiff_t strides[3] = {data->channels, data->stride_y, data->stride_z};
    const bool all = data->high[0] == 0;
    Part part = {.values = data->values};
    for (int axis = 0; axis < 3; axis++) {
        const int low = all ? 0 : data->low[axis], high = all ? data->n[axis] : data->high[axis];
        int end = keeps ? volume->high[axis] : data->n[axis];
        part.low[axis] = keeps ? volume->low[axis] : 0;
        part.low[axis] = low < part.low[axis] ? low : part.low[axis];
        part.n[axis] = (high > end ? high : end) - part.low[axis];
        part.values += part.low[axis] * strides[axis];
        volume->low[axis] = low;
        volume->high[axis] = high;
    }
    return part;
}

bool volume_upload(Volume *volume, const VolumeData *data, const char *label, BillowError *error)
{
    assert(data->channels >= 1 && data->channels <= 4 && data->stride_y % data->channels == 0);
    if (data->values == NULL) {
        volume_destroy(volume);
        return true;
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    bool fits = volume->texture != 0 && volume->channels == data->channels &&
                volume->half == data->half && memcmp(volume->n, data->n, sizeof volume->n) == 0;
    bool good = fits || allocate(volume, data, label, error);
    glBindTexture(GL_TEXTURE_3D, volume->texture);
    const Part part = changed_part(volume, data, fits);
    if (good && data->half)
        good = send_halves(volume, data, &part, label, error);
    else if (good)
        send_floats(data, &part);
    if (good && gl_check(label, error))
        return true;
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
                       .half = half,
                       .smooth = true};
    view_bounds(view, data.low, data.high);
    data.low[2] = data.low[2] > planes[0] ? data.low[2] - planes[0] : 0;
    data.high[2] = data.high[2] < planes[1] ? data.high[2] - planes[0] : data.n[2];
    if (data.high[0] == 0 || data.high[2] <= data.low[2]) /* nothing: any texel stands for it */
        for (int axis = 0; axis < 3; axis++) {
            data.low[axis] = 0;
            data.high[axis] = 1;
        }
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
