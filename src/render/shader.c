/* SPDX-License-Identifier: MIT */
#include "shader.h"
#include "fail.h"
#include "gl_check.h"
#include "shader_source.h"

typedef struct ProgramFiles {
    const char *label, *vertex, *fragment, *definitions;
} ProgramFiles;

static const ProgramFiles program_files[SHADER_PROGRAMS] = {
    [SHADER_MARCH] = {"march", "screen.vert", "raymarch.frag", ""},
    [SHADER_MARCH_EMISSION] = {"march with emission", "screen.vert", "raymarch.frag",
                               "#define EMISSION\n"},
    [SHADER_MARCH_SOLIDS] = {"march between solids", "screen.vert", "raymarch.frag",
                             "#define SOLIDS\n"},
    [SHADER_MARCH_SOLIDS_EMISSION] = {"march between solids with emission", "screen.vert",
                                      "raymarch.frag", "#define SOLIDS\n#define EMISSION\n"},
    [SHADER_COMPOSITE] = {"composite", "screen.vert", "composite.frag", ""},
    [SHADER_COMPOSITE_SOLIDS] = {"composite with solids", "screen.vert", "composite.frag",
                                 "#define SOLIDS\n"},
    [SHADER_OVERLAY] = {"overlay", "overlay.vert", "overlay.frag", ""},
};

static const char *const sampler_names[SHADER_UNITS] = {
    [SHADER_UNIT_DENSITY] = "density_volume",
    [SHADER_UNIT_TEMPERATURE] = "temperature_volume",
    [SHADER_UNIT_LIGHT] = "light_volume",
    [SHADER_UNIT_BRICKS] = "brick_volume",
    [SHADER_UNIT_SOLID] = "solid_volume",
    [SHADER_UNIT_SHADE] = "shade_volume",
    [SHADER_UNIT_BLACKBODY] = "blackbody_table",
    [SHADER_UNIT_SMOKE] = "smoke",
    [SHADER_UNIT_SMOKE_BEHIND] = "smoke_behind",
    [SHADER_UNIT_GROUND_NOISE] = "ground_noise",
    [SHADER_UNIT_GROUND_OCCLUSION] = "ground_occlusion",
};

/* 0 and a message when it does not compile. */
static GLuint compile(GLenum stage, const char *folder, const char *file, const char *definitions,
                      BillowError *error)
{
    ShaderSource source;
    if (!shader_source_load(&source, folder, file, definitions, error))
        return 0;
    GLuint shader = glCreateShader(stage);
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
    return fail(error, "shaders %s and %s do not link: %s", files->vertex, files->fragment, log);
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
    GLuint vertex = compile(GL_VERTEX_SHADER, folder, files->vertex, "", error);
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

bool shader_set_create(ShaderSet *set, const char *folder, BillowError *error)
{
    *set = (ShaderSet){0};
    for (int i = 0; i < SHADER_PROGRAMS; i++) {
        set->programs[i] = link_program(&program_files[i], folder, error);
        if (set->programs[i] == 0) {
            shader_set_destroy(set);
            return false;
        }
    }
    return true;
}

void shader_set_destroy(ShaderSet *set)
{
    for (int i = 0; i < SHADER_PROGRAMS; i++)
        glDeleteProgram(set->programs[i]);
    *set = (ShaderSet){0};
}
