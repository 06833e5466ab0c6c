/* SPDX-License-Identifier: MIT */
#include "render/gl/shader.h"
#include "base/fail.h"
#include "render/gl/gl_check.h"
#include <string.h>

typedef struct ProgramFiles {
    const char *label, *vertex, *fragment, *definitions;
} ProgramFiles;

static const ProgramFiles program_files[SHADER_PROGRAMS] = {
    [SHADER_BACKDROP] = {"backdrop", "screen.vert", "backdrop.frag", ""},
    [SHADER_SLICE] = {"slice", "screen.vert", "slice.frag", ""},
    [SHADER_SLICE_SOLIDS] = {"slice with solids", "screen.vert", "slice.frag", "#define SOLIDS\n"},
    [SHADER_OVERLAY] = {"overlay", "overlay.vert", "overlay.frag", ""},
    [SHADER_TRACERS] = {"tracers", "tracer.vert", "tracer.frag", ""},
    [SHADER_TRACERS_SOLIDS] = {"tracers with solids", "tracer.vert", "tracer.frag",
                               "#define SOLIDS\n"},
    [SHADER_HAZE] = {"haze", "screen.vert", "haze.frag", ""},
    [SHADER_HAZE_SOLIDS] = {"haze with solids", "screen.vert", "haze.frag", "#define SOLIDS\n"},
    [SHADER_SPARKS] = {"sparks", "spark.vert", "spark.frag", ""},
    [SHADER_SPARKS_SOLIDS] = {"sparks with solids", "spark.vert", "spark.frag", "#define SOLIDS\n"},
    [SHADER_SMOOTH] = {"smooth", "screen.vert", "smooth.frag", ""},
    [SHADER_NEIGHBOURS] = {"neighbours", "screen.vert", "neighbours.frag", ""},
    [SHADER_NEIGHBOURS_MOTION] = {"neighbours that move", "screen.vert", "neighbours.frag",
                                  "#define MOTION\n"},
    [SHADER_ACCUMULATE] = {"accumulate", "screen.vert", "accumulate.frag", ""},
    [SHADER_SHARPEN] = {"sharpen", "screen.vert", "sharpen.frag", ""},
    [SHADER_REDUCE] = {"reduce", "screen.vert", "reduce.frag", ""},
    [SHADER_BLOOM_DOWN] = {"bloom down", "screen.vert", "bloom_down.frag", ""},
    [SHADER_BLOOM_UP] = {"bloom up", "screen.vert", "bloom_up.frag", ""},
    [SHADER_METER] = {"meter", "screen.vert", "meter.frag", ""},
    [SHADER_PROBE_PHASE] = {"probe of the phase function", "screen.vert", "probe.frag",
                            "#define PHASE\n"},
    [SHADER_PROBE_TONE] = {"probe of the film curve", "screen.vert", "probe.frag", ""},
    [SHADER_PROBE_TONE_AGX] = {"probe of AgX", "screen.vert", "probe.frag", "#define AGX\n"},
};

/* Preprocessor definition of each ShaderMarch flag, in the order of the flags. */
static const char *const march_definitions[] = {
    "#define SOLIDS\n", "#define EMISSION\n",  "#define FLAME\n",    "#define COLOR\n",
    "#define DETAIL\n", "#define THROUGH\n",   "#define LAMPS\n",    "#define TINT\n",
    "#define CUBIC\n",  "#define JOINED\n",    "#define SPECTRAL\n", "#define MOTION\n",
    "#define RAMP\n",   "#define GLOW_RAMP\n", "#define SLAB\n",     "#define ARRIVED\n"};

/* Preprocessor definition of each ShaderPicture flag, in the order of the flags. */
static const char *const picture_definitions[] = {
    "#define SOLIDS\n",      "#define DEVELOP\n", "#define AGX\n",   "#define BLOOM\n",
    "#define TRANSPARENT\n", "#define TINT\n",    "#define LAMPS\n", "#define GLOW\n",
    "#define SKY\n",         "#define GRADE\n",   "#define HAZE\n"};

static const char *const sampler_names[SHADER_UNITS] = {
    [SHADER_UNIT_DENSITY] = "density_volume",
    [SHADER_UNIT_TEMPERATURE] = "temperature_volume",
    [SHADER_UNIT_LIGHT] = "light_volume",
    [SHADER_UNIT_BRICKS] = "brick_volume",
    [SHADER_UNIT_SOLID] = "solid_volume",
    [SHADER_UNIT_SHADE] = "shade_volume",
    [SHADER_UNIT_COLOR] = "color_volume",
    [SHADER_UNIT_FLAME] = "flame_volume",
    [SHADER_UNIT_TEXTURE_0] = "rest_volume_0",
    [SHADER_UNIT_TEXTURE_1] = "rest_volume_1",
    [SHADER_UNIT_DETAIL] = "detail_volume",
    [SHADER_UNIT_AMBIENT] = "ambient_volume",
    [SHADER_UNIT_LAMPS] = "lamp_volume",
    [SHADER_UNIT_MOTION] = "motion_volume",
    [SHADER_UNIT_RAMP] = "ramp_volume",
    [SHADER_UNIT_BLACKBODY] = "blackbody_table",
    [SHADER_UNIT_SMOKE] = "smoke",
    [SHADER_UNIT_SMOKE_BEHIND] = "smoke_behind",
    [SHADER_UNIT_SMOKE_MEAN] = "smoke_mean",
    [SHADER_UNIT_SMOKE_MARGIN] = "smoke_margin",
    [SHADER_UNIT_SMOKE_DISPLACEMENT] = "smoke_displacement",
    [SHADER_UNIT_THROUGH] = "through_smoke",
    [SHADER_UNIT_THROUGH_BEHIND] = "through_behind",
    [SHADER_UNIT_SLICE_VALUES] = "slice_values",
    [SHADER_UNIT_SLICE_COLORS] = "slice_colors",
    [SHADER_UNIT_SLICE_UNDER] = "slice_under",
    [SHADER_UNIT_LINEAR] = "linear_picture",
    [SHADER_UNIT_LEVEL] = "level_picture",
    [SHADER_UNIT_BACKDROP] = "backdrop",
    [SHADER_UNIT_BLUE_NOISE] = "blue_noise",
    [SHADER_UNIT_GROUND_NOISE] = "ground_noise",
    [SHADER_UNIT_GROUND_OCCLUSION] = "ground_occlusion",
    [SHADER_UNIT_GROUND_GLOW] = "ground_glow",
    [SHADER_UNIT_HAZE] = "haze_shift",
    [SHADER_UNIT_SURROUNDINGS] = "surroundings_map",
    [SHADER_UNIT_RAYS] = "ray_states",
};

/* Compiles a shader stage. Returns 0 and a message on failure. */
static GLuint compile(GLenum stage, const char *folder, const char *file, const char *definitions,
                      BillowError *error)
{
    ShaderSource source;
    if (!shader_source_load(&source, folder, file, definitions, error))
        return 0;
    GLuint shader = glCreateShader(stage);
    if (shader == 0) {
        shader_source_destroy(&source);
        (void)(gl_check(file, error) &&
               fail(error, "OpenGL: the shader %s cannot be created", file));
        return 0;
    }
    gl_check_label(GL_SHADER, shader, file);
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
    return fail(error, "shaders %s and %s do not link: %s", files->vertex, files->fragment,
                log[0] != 0 ? log : "the graphics driver does not say why");
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
    GLuint vertex = compile(GL_VERTEX_SHADER, folder, files->vertex, files->definitions, error);
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

GLuint shader_set_program(ShaderSet *set, const char *folder, ShaderProgram program,
                          BillowError *error)
{
    if (set->programs[program] == 0)
        set->programs[program] = link_program(&program_files[program], folder, error);
    return set->programs[program];
}

/* Returns the program for a set of definitions, and compiles it on first use. Returns 0 and a
 * message on failure. */
static GLuint compiled(GLuint *program, ProgramFiles files, const char *const *definitions, int set,
                       const char *folder, BillowError *error)
{
    if (*program != 0)
        return *program;
    char text[384] = "";
    for (int bit = 0; set >> bit != 0; bit++)
        if (set >> bit & 1)
            strcat(text, definitions[bit]);
    files.definitions = text;
    *program = link_program(&files, folder, error);
    return *program;
}

GLuint shader_set_march(ShaderSet *set, const char *folder, int march, BillowError *error)
{
    const ProgramFiles files = {"march", "screen.vert", "raymarch.frag", NULL};
    return compiled(&set->marches[march], files, march_definitions, march, folder, error);
}

GLuint shader_set_composite(ShaderSet *set, const char *folder, int picture, BillowError *error)
{
    const ProgramFiles files = {"composite", "screen.vert", "composite.frag", NULL};
    return compiled(&set->composites[picture], files, picture_definitions, picture, folder, error);
}

GLuint shader_set_develop(ShaderSet *set, const char *folder, int picture, BillowError *error)
{
    const ProgramFiles files = {"develop", "screen.vert", "develop.frag", NULL};
    return compiled(&set->develops[picture], files, picture_definitions, picture, folder, error);
}

GLuint shader_set_depth(ShaderSet *set, const char *folder, int picture, BillowError *error)
{
    const ProgramFiles files = {"depth", "screen.vert", "depth.frag", NULL};
    return compiled(&set->depths[picture], files, picture_definitions, picture, folder, error);
}

/* Compiles every program of a user's shader folder, and each pass with all of its features. Errors
 * are thus reported at once, not when a scene first needs the program. */
static bool compiles_all(ShaderSet *set, const char *folder, BillowError *error)
{
    bool good = true;
    for (int i = 0; i < SHADER_PROGRAMS && good; i++)
        good = shader_set_program(set, folder, (ShaderProgram)i, error) != 0;
    return good && shader_set_march(set, folder, SHADER_MARCH_JOINED, error) != 0 &&
           shader_set_march(set, folder, SHADER_MARCH_SLAB - 1 - SHADER_MARCH_JOINED, error) != 0 &&
           shader_set_composite(set, folder, SHADER_PICTURE_SKY, error) != 0 &&
           shader_set_composite(set, folder, SHADER_PICTURE_SETS - 1 - SHADER_PICTURE_SKY, error) !=
               0 &&
           shader_set_develop(set, folder, SHADER_PICTURE_SETS - 1, error) != 0 &&
           shader_set_depth(set, folder, SHADER_PICTURE_SOLIDS, error) != 0;
}

bool shader_set_create(ShaderSet *set, const char *folder, const ShaderSet *like,
                       BillowError *error)
{
    *set = (ShaderSet){0};
    bool good = true;
    for (int i = 0; i < SHADER_PROGRAMS && good; i++)
        if (i < SHADER_SMOOTH || (like != NULL && like->programs[i] != 0))
            good = shader_set_program(set, folder, (ShaderProgram)i, error) != 0;
    for (int march = 0; march < SHADER_MARCH_SETS && good; march++)
        if (march == 0 || (like != NULL && like->marches[march] != 0))
            good = shader_set_march(set, folder, march, error) != 0;
    for (int picture = 0; picture < SHADER_PICTURE_SETS && good; picture++) {
        bool wanted =
            like != NULL ? like->composites[picture] != 0 : picture == SHADER_PICTURE_DEVELOP;
        good = !wanted || shader_set_composite(set, folder, picture, error) != 0;
        if (good && (picture == 0 || (like != NULL && like->develops[picture] != 0)))
            good = shader_set_develop(set, folder, picture, error) != 0;
        if (good && like != NULL && like->depths[picture] != 0)
            good = shader_set_depth(set, folder, picture, error) != 0;
    }
    good = good && (folder == NULL || compiles_all(set, folder, error));
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
    for (int picture = 0; picture < SHADER_PICTURE_SETS; picture++) {
        glDeleteProgram(set->composites[picture]);
        glDeleteProgram(set->develops[picture]);
        glDeleteProgram(set->depths[picture]);
    }
    *set = (ShaderSet){0};
}
