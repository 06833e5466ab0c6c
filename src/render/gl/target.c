/* SPDX-License-Identifier: MIT */
#include "target.h"
#include "fail.h"
#include "gl_check.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
    glGenTextures(1, &target->texture);
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, GL_RGBA,
                 format == GL_RGBA8 ? GL_UNSIGNED_BYTE : GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->texture, 0);
    gl_check_label(GL_TEXTURE, target->texture, label);
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
