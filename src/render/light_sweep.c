/* SPDX-License-Identifier: MIT */
#include "light_sweep.h"
#include "fail.h"
#include "gl_check.h"
#include "shader.h"
#include "sweep.h"
#include <string.h>

enum { LAYERS = 4 }; /* as in shaders/light_sweep.frag; no GL or GLES has fewer draw buffers */

void light_sweep_destroy(LightSweep *sweep)
{
    glDeleteFramebuffers(1, &sweep->framebuffer);
    volume_destroy(&sweep->matter);
    volume_destroy(&sweep->rays[0]);
    volume_destroy(&sweep->rays[1]);
    *sweep = (LightSweep){0};
}

/* A plan in the shader's terms. */
typedef struct Course {
    GLint origin[3], along[3], across[3], up[3];
    float drift[2];
    GLint elements[3]; /* across and up of a plane; and planes */
    float path;
} Course;

static void set_axis(GLint axis[3], int index, int value)
{
    axis[0] = axis[1] = axis[2] = 0;
    axis[index] = value;
}

static Course course_for(const int n[3], const float sun[3])
{
    Sweep plan = sweep_plan(n, sun);
    Course course = {
        .drift = {(float)plan.offset_u + plan.weight_u, (float)plan.offset_v + plan.weight_v},
        .elements = {plan.nu, plan.nv, plan.planes},
        .path = plan.path};
    set_axis(course.along, plan.axis, plan.step < 0 ? -1 : 1);
    set_axis(course.across, plan.axis_u, 1);
    set_axis(course.up, plan.axis_v, 1);
    set_axis(course.origin, plan.axis, plan.step < 0 ? plan.planes - 1 : 0);
    return course;
}

/* In single precision, the light by colour as well: some drivers cut halves off that are drawn. */
static bool reserve(Volume *volume, const int n[3], int channels, bool smooth, const char *label,
                    BillowError *error)
{
    VolumeData data = {.n = {n[0], n[1], n[2]}, .channels = channels, .smooth = smooth};
    return volume_reserve(volume, &data, label, error);
}

static bool make_room(LightSweep *sweep, const LightSweepJob *job, const Course *course,
                      Volume *light, BillowError *error)
{
    if (sweep->framebuffer == 0) {
        glGenFramebuffers(1, &sweep->framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, sweep->framebuffer);
        gl_check_label(GL_FRAMEBUFFER, sweep->framebuffer, "light sweep");
    }
    int groups = (course->elements[2] + LAYERS - 1) / LAYERS;
    /* A plane's rays are one more than its elements; the window of a group moves by as many as it
     * has planes, at most. */
    const int rays[3] = {course->elements[0] + 1 + LAYERS, course->elements[1] + 1 + LAYERS,
                         LAYERS * ((groups + 1) / 2)};
    return reserve(&sweep->matter, job->n, job->channels, false, "what dims the sun", error) &&
           reserve(&sweep->rays[0], rays, job->channels, false, "rays of the sun", error) &&
           reserve(&sweep->rays[1], rays, job->channels, false, "rays of the sun", error) &&
           reserve(light, job->n, job->channels, true, "light volume", error);
}

static GLint place_of(GLuint program, const char *name)
{
    return glGetUniformLocation(program, name);
}

static void bind(ShaderUnit unit, const Volume *volume)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_3D, volume->texture);
}

static int layers_from(const Volume *volume, int layer)
{
    int left = volume->n[2] - layer;
    return left < LAYERS ? left : LAYERS;
}

static void attach(const Volume *volume, int layer, int count)
{
    GLenum buffers[LAYERS];
    for (int i = 0; i < LAYERS; i++) {
        GLenum at = GL_COLOR_ATTACHMENT0 + (GLenum)i;
        bool used = i < count;
        glFramebufferTextureLayer(GL_FRAMEBUFFER, at, used ? volume->texture : 0, 0,
                                  used ? layer + i : 0);
        buffers[i] = used ? at : GL_NONE;
    }
    glDrawBuffers(LAYERS, buffers);
}

/* first: what the pass knows the first of these layers as. */
static void fill(const Volume *volume, int layer, int count, GLuint program, int first)
{
    attach(volume, layer, count);
    glUniform1i(place_of(program, "first_layer"), first);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* All of a volume whose layers are numbered as the pass numbers them. */
static void fill_all(const Volume *volume, GLuint program)
{
    glViewport(0, 0, volume->n[0], volume->n[1]);
    for (int layer = 0; layer < volume->n[2]; layer += LAYERS)
        fill(volume, layer, layers_from(volume, layer), program, layer);
}

static void clear_all(const Volume *volume)
{
    static const GLfloat nothing[4] = {0, 0, 0, 0};
    for (int layer = 0; layer < volume->n[2]; layer += LAYERS) {
        int count = layers_from(volume, layer);
        attach(volume, layer, count);
        for (int i = 0; i < count; i++)
            glClearBufferfv(GL_COLOR, i, nothing);
    }
}

static void gather(const LightSweep *sweep, const LightSweepJob *job, GLuint program)
{
    glUseProgram(program);
    bind(SHADER_UNIT_DENSITY, job->density);
    if (job->color != NULL) {
        bind(SHADER_UNIT_COLOR, job->color);
        glUniform1f(place_of(program, "excess"), job->colors.excess);
    }
    glUniform1i(place_of(program, "reduction"), job->reduction);
    fill_all(&sweep->matter, program);
}

static void set_course(const Course *course, GLuint program)
{
    glUseProgram(program);
    glUniform3iv(place_of(program, "origin"), 1, course->origin);
    glUniform3iv(place_of(program, "along"), 1, course->along);
    glUniform3iv(place_of(program, "across"), 1, course->across);
    glUniform3iv(place_of(program, "up"), 1, course->up);
    glUniform2fv(place_of(program, "drift"), 1, course->drift);
}

static void march_rays(const LightSweep *sweep, const LightSweepJob *job, const Course *course,
                       GLuint program)
{
    float half_path[3];
    for (int c = 0; c < 3; c++)
        half_path[c] = 0.5f * job->extinction * job->spacing * course->path *
                       (job->channels == 1 ? 1 : job->colors.tint[c]);
    set_course(course, program);
    glUniform3iv(place_of(program, "planes"), 1, course->elements);
    glUniform3fv(place_of(program, "half_path"), 1, half_path);
    bind(SHADER_UNIT_SWEEP_MATTER, &sweep->matter);
    glViewport(0, 0, sweep->rays[0].n[0], sweep->rays[0].n[1]);
    for (int plane = 0; plane < course->elements[2]; plane += LAYERS) {
        int group = plane / LAYERS;
        bind(SHADER_UNIT_SWEEP_RAYS_0, &sweep->rays[1 - group % 2]);
        glUniform1i(place_of(program, "layer_before"), (group - 1) / 2 * LAYERS + LAYERS - 1);
        fill(&sweep->rays[group % 2], group / 2 * LAYERS, LAYERS, program, plane);
    }
}

static void light_cells(const LightSweep *sweep, const Course *course, GLuint program,
                        const Volume *light)
{
    set_course(course, program);
    bind(SHADER_UNIT_SWEEP_RAYS_0, &sweep->rays[0]);
    bind(SHADER_UNIT_SWEEP_RAYS_1, &sweep->rays[1]);
    fill_all(light, program);
}

static bool finish(bool complete, BillowError *error)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glActiveTexture(GL_TEXTURE0);
    return gl_check("light sweep", error) &&
           (complete || fail(error, "OpenGL: this driver cannot draw into volumes"));
}

static bool is_complete(void)
{
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool light_sweep_run(LightSweep *sweep, const LightSweepPrograms *programs,
                     const LightSweepJob *job, Volume *light, BillowError *error)
{
    Course course = course_for(job->n, job->sun);
    if (!make_room(sweep, job, &course, light, error))
        return false;
    glBindFramebuffer(GL_FRAMEBUFFER, sweep->framebuffer);
    gather(sweep, job, programs->gather);
    if (!is_complete())
        return finish(false, error);
    march_rays(sweep, job, &course, programs->rays);
    light_cells(sweep, &course, programs->cells, light);
    return finish(is_complete(), error);
}

bool light_sweep_touch(LightSweep *sweep, const LightSweepJob *job, Volume *light,
                       BillowError *error)
{
    Course course = course_for(job->n, job->sun);
    if (!make_room(sweep, job, &course, light, error))
        return false;
    const Volume *const volumes[] = {&sweep->matter, &sweep->rays[0], &sweep->rays[1], light};
    glBindFramebuffer(GL_FRAMEBUFFER, sweep->framebuffer);
    for (size_t i = 0; i < sizeof volumes / sizeof *volumes; i++)
        clear_all(volumes[i]);
    return finish(is_complete(), error);
}
