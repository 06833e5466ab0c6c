/* SPDX-License-Identifier: MIT
 * OpenGL that runs out of memory. epoxy's functions are pointers, which --wrap exchanges too. */
#include "inject.h"

#include <epoxy/gl.h>
#include <stdatomic.h>
#include <string.h>

/* The result of the next glGetError(). */
static _Atomic GLenum pending;

#define REAL(type, name)                                                                           \
    extern type __real_epoxy_gl##name;                                                             \
    extern type __wrap_epoxy_gl##name;

/* Objects that are not made: their names stay 0, as where a call has no effect. */
#define GENERATE(type, name)                                                                       \
    REAL(type, name)                                                                               \
    static void gl##name##_or_not(GLsizei count, GLuint *names)                                    \
    {                                                                                              \
        if (fault_strikes(FAULT_GL, "gl" #name, FAULT_CALLER)) {                                   \
            memset(names, 0, (size_t)count * sizeof *names);                                       \
            pending = GL_OUT_OF_MEMORY;                                                            \
        } else {                                                                                   \
            __real_epoxy_gl##name(count, names);                                                   \
        }                                                                                          \
    }                                                                                              \
    type __wrap_epoxy_gl##name = gl##name##_or_not;

GENERATE(PFNGLGENTEXTURESPROC, GenTextures)
GENERATE(PFNGLGENBUFFERSPROC, GenBuffers)
GENERATE(PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers)
GENERATE(PFNGLGENVERTEXARRAYSPROC, GenVertexArrays)
GENERATE(PFNGLGENQUERIESPROC, GenQueries)

/* A call that does nothing but leave GL_OUT_OF_MEMORY, or that gives another answer. */
#define REFUSE(type, name, result, parameters, arguments, answer)                                  \
    REAL(type, name)                                                                               \
    static result gl##name##_or_not parameters                                                     \
    {                                                                                              \
        if (fault_strikes(FAULT_GL, "gl" #name, FAULT_CALLER))                                     \
            do {                                                                                   \
                answer;                                                                            \
            } while (true);                                                                        \
        return __real_epoxy_gl##name arguments;                                                    \
    }                                                                                              \
    type __wrap_epoxy_gl##name = gl##name##_or_not;

REFUSE(PFNGLCREATESHADERPROC, CreateShader, GLuint, (GLenum kind), (kind),
       pending = GL_OUT_OF_MEMORY;
       return 0)
REFUSE(PFNGLCREATEPROGRAMPROC, CreateProgram, GLuint, (void), (), pending = GL_OUT_OF_MEMORY;
       return 0)
REFUSE(PFNGLTEXIMAGE2DPROC, TexImage2D, void,
       (GLenum target, GLint level, GLint inside, GLsizei width, GLsizei height, GLint border,
        GLenum format, GLenum type, const void *pixels),
       (target, level, inside, width, height, border, format, type, pixels),
       pending = GL_OUT_OF_MEMORY;
       return )
REFUSE(PFNGLTEXIMAGE3DPROC, TexImage3D, void,
       (GLenum target, GLint level, GLint inside, GLsizei width, GLsizei height, GLsizei depth,
        GLint border, GLenum format, GLenum type, const void *pixels),
       (target, level, inside, width, height, depth, border, format, type, pixels),
       pending = GL_OUT_OF_MEMORY;
       return )
REFUSE(PFNGLTEXSUBIMAGE3DPROC, TexSubImage3D, void,
       (GLenum target, GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
        GLsizei depth, GLenum format, GLenum type, const void *pixels),
       (target, level, x, y, z, width, height, depth, format, type, pixels),
       pending = GL_OUT_OF_MEMORY;
       return )
REFUSE(PFNGLTEXSUBIMAGE2DPROC, TexSubImage2D, void,
       (GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
        GLenum type, const void *pixels),
       (target, level, x, y, width, height, format, type, pixels), pending = GL_OUT_OF_MEMORY;
       return )
REFUSE(PFNGLBUFFERDATAPROC, BufferData, void,
       (GLenum target, GLsizeiptr size, const void *data, GLenum usage),
       (target, size, data, usage), pending = GL_OUT_OF_MEMORY;
       return )
REFUSE(PFNGLMAPBUFFERRANGEPROC, MapBufferRange, void *,
       (GLenum target, GLintptr from, GLsizeiptr length, GLbitfield access),
       (target, from, length, access), pending = GL_OUT_OF_MEMORY;
       return NULL)
REFUSE(PFNGLREADPIXELSPROC, ReadPixels, void,
       (GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void *pixels),
       (x, y, width, height, format, type, pixels), pending = GL_OUT_OF_MEMORY;
       return )
REFUSE(PFNGLFENCESYNCPROC, FenceSync, GLsync, (GLenum condition, GLbitfield flags),
       (condition, flags), pending = GL_OUT_OF_MEMORY;
       return NULL)
REFUSE(PFNGLCHECKFRAMEBUFFERSTATUSPROC, CheckFramebufferStatus, GLenum, (GLenum target), (target),
       return GL_FRAMEBUFFER_UNSUPPORTED)
REFUSE(PFNGLDRAWARRAYSPROC, DrawArrays, void, (GLenum mode, GLint first, GLsizei count),
       (mode, first, count), pending = GL_OUT_OF_MEMORY;
       return )

/* Shaders and programs that do not compile and link, with nothing to say. */
static void refuse_building(GLint *value, GLenum asked, const char *name, const void *caller)
{
    bool built = asked == GL_COMPILE_STATUS || asked == GL_LINK_STATUS;
    if (built && fault_strikes(FAULT_GL, name, caller))
        *value = GL_FALSE;
}

REAL(PFNGLGETSHADERIVPROC, GetShaderiv)
static void glGetShaderiv_or_not(GLuint shader, GLenum asked, GLint *value)
{
    __real_epoxy_glGetShaderiv(shader, asked, value);
    refuse_building(value, asked, "glGetShaderiv", FAULT_CALLER);
}
PFNGLGETSHADERIVPROC __wrap_epoxy_glGetShaderiv = glGetShaderiv_or_not;

REAL(PFNGLGETPROGRAMIVPROC, GetProgramiv)
static void glGetProgramiv_or_not(GLuint program, GLenum asked, GLint *value)
{
    __real_epoxy_glGetProgramiv(program, asked, value);
    refuse_building(value, asked, "glGetProgramiv", FAULT_CALLER);
}
PFNGLGETPROGRAMIVPROC __wrap_epoxy_glGetProgramiv = glGetProgramiv_or_not;

REAL(PFNGLGETERRORPROC, GetError)
static GLenum glGetError_or_pending(void)
{
    GLenum real = __real_epoxy_glGetError();
    GLenum injected = atomic_exchange(&pending, GL_NO_ERROR);
    return injected != GL_NO_ERROR ? injected : real;
}
PFNGLGETERRORPROC __wrap_epoxy_glGetError = glGetError_or_pending;
