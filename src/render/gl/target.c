/* SPDX-License-Identifier: MIT */
#include "target.h"
#include "fail.h"
#include "gl_check.h"

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
