/* SPDX-License-Identifier: MIT */
#include "volume.h"
#include "gl_check.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

void volume_destroy(Volume *volume)
{
    glDeleteTextures(1, &volume->texture);
    *volume = (Volume){0};
}

static const GLenum kept[2][4] = {{GL_R32F, GL_RG32F, GL_RGB16F, GL_RGBA16F},
                                  {GL_R32F, GL_RG32F, GL_RGB32F, GL_RGBA32F}},
                    layouts[] = {GL_RED, GL_RG, GL_RGB, GL_RGBA};
static const int bytes[2][4] = {{4, 8, 6, 8}, {4, 8, 12, 16}};

static bool allocate(Volume *volume, const VolumeData *data, const char *label, BillowError *error)
{
    volume_destroy(volume);
    glGenTextures(1, &volume->texture);
    glBindTexture(GL_TEXTURE_3D, volume->texture);
    glTexImage3D(GL_TEXTURE_3D, 0, (GLint)kept[data->exact][data->channels - 1], data->n[0],
                 data->n[1], data->n[2], 0, layouts[data->channels - 1], GL_FLOAT, NULL);
    GLint filter = data->smooth ? GL_LINEAR : GL_NEAREST;
    GLint wrap = data->tiles ? GL_REPEAT : GL_CLAMP_TO_EDGE;
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_T, wrap);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, wrap);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAX_LEVEL, 0);
    gl_check_label(GL_TEXTURE, volume->texture, label);
    memcpy(volume->n, data->n, sizeof volume->n);
    volume->channels = data->channels;
    volume->exact = data->exact;
    char what[128];
    double cells = (double)data->n[0] * data->n[1] * data->n[2];
    snprintf(what, sizeof what, "%s, %dx%dx%d values (%.3g GB)", label, data->n[0], data->n[1],
             data->n[2], 1e-9 * cells * bytes[data->exact][data->channels - 1]);
    return gl_check(what, error);
}

bool volume_reserve(Volume *volume, const VolumeData *data, const char *label, BillowError *error)
{
    assert(data->channels >= 1 && data->channels <= 4);
    bool fits = volume->texture != 0 && volume->channels == data->channels &&
                volume->exact == data->exact && memcmp(volume->n, data->n, sizeof volume->n) == 0;
    if (fits || allocate(volume, data, label, error))
        return true;
    volume_destroy(volume);
    return false;
}

bool volume_upload(Volume *volume, const VolumeData *data, const char *label, BillowError *error)
{
    assert(data->stride_y % data->channels == 0);
    const int *n = data->n;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (!volume_reserve(volume, data, label, error))
        return false;
    glBindTexture(GL_TEXTURE_3D, volume->texture);
    GLenum layout = layouts[data->channels - 1];
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)(data->stride_y / data->channels));
    /* The GL takes a plane's stride in rows only; planes spaced otherwise go one by one. */
    if (data->stride_z % data->stride_y == 0) {
        glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, (GLint)(data->stride_z / data->stride_y));
        glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, n[0], n[1], n[2], layout, GL_FLOAT,
                        data->values);
    } else {
        for (int k = 0; k < n[2]; k++)
            glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, k, n[0], n[1], 1, layout, GL_FLOAT,
                            data->values + k * data->stride_z);
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
    if (gl_check(label, error))
        return true;
    volume_destroy(volume);
    return false;
}
