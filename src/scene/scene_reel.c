/* SPDX-License-Identifier: MIT */
#include "scene/scene_reel.h"

#include "base/fail.h"
#include "base/grow.h"
#include "base/mathematics.h"
#include "io/gltf_file.h"
#include "io/paths.h"
#include "io/vdb_file.h"
#include "scene/scene_initial.h"
#include "scene/scene_particles.h"

#include <billow/mesh.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    MESH_LEAST = 24,
    MESH_MOST = 128,
    VDB_MOST = 160,
    BALLS_MOST = 320,
    MARGIN = 3,
    FRAMES_MOST = 100000,
    SAMPLES_MOST = 10000
};

/* -- numbered files ---------------------------------------------------------------------------- */

static const char *number_place(const char *path)
{
    return strchr(paths_last_part(path), '%');
}

bool scene_path_is_numbered(const char *path)
{
    const char *place = number_place(path);
    if (place == NULL)
        return false;
    size_t digits = strspn(place + 1, "0123456789");
    bool width = digits == 0 || (digits == 2 && place[1] == '0' && place[2] >= '1');
    return width && place[1 + digits] == 'd' && strchr(place + 1, '%') == NULL;
}

void scene_path_of(const char *path, int number, char file[SCENE_PATH + 16])
{
    if (!scene_path_is_numbered(path)) {
        snprintf(file, SCENE_PATH + 16, "%s", path);
        return;
    }
    const char *place = number_place(path);
    int digits = place[1] == '0' ? place[2] - '0' : 0;
    snprintf(file, SCENE_PATH + 16, "%.*s%0*d%s", (int)(place - path), path, digits, number,
             strchr(place, 'd') + 1);
}

/* The number in the name of a file of a sequence; -1: it is none of its files. */
static int number_in(const char *name, const char *pattern)
{
    const char *place = strchr(pattern, '%'), *after = strchr(place, 'd') + 1;
    const size_t before = (size_t)(place - pattern), behind = strlen(after), length = strlen(name);
    const size_t width = place[1] == '0' ? (size_t)(place[2] - '0') : 1;
    if (length <= before + behind || strncmp(name, pattern, before) != 0 ||
        strcmp(name + length - behind, after) != 0)
        return -1;
    const char *digits = name + before;
    const size_t count = length - before - behind;
    if (strspn(digits, "0123456789") < count || count < width || count > 6 ||
        (count > width && digits[0] == '0'))
        return -1;
    return atoi(digits);
}

static int compare_numbers(const void *one, const void *other)
{
    return *(const int *)one - *(const int *)other;
}

/* Lists the numbers of the files that there are, rising. *numbers: the caller frees it; NULL: there
 * are none, or memory is short. */
static int list_numbers(const char *path, int **numbers)
{
    char folder[SCENE_PATH];
    const char *pattern = paths_last_part(path);
    const struct dirent *entry;
    size_t room = 0;
    int count = 0, number;
    *numbers = NULL;
    snprintf(folder, sizeof folder, "%.*s", (int)(pattern - path), path);
    DIR *stream = opendir(folder[0] != '\0' ? folder : ".");
    while (stream != NULL && count < FRAMES_MOST && (entry = readdir(stream)) != NULL) {
        if ((number = number_in(entry->d_name, pattern)) < 0)
            continue;
        int *longer = grow(*numbers, &room, (size_t)count + 1, sizeof *longer);
        if (longer == NULL)
            break;
        *numbers = longer;
        longer[count++] = number;
    }
    if (stream != NULL)
        closedir(stream);
    if (count > 0)
        qsort(*numbers, (size_t)count, sizeof **numbers, compare_numbers);
    return count;
}

int scene_path_first(const char *path)
{
    int *numbers, count = scene_path_is_numbered(path) ? list_numbers(path, &numbers) : 0;
    const int first = count > 0 ? numbers[0] : 1;
    if (count > 0)
        free(numbers);
    return first;
}

int scene_form_first(const SceneForm *form, const char *path)
{
    return form->first_frame >= 0 ? form->first_frame : scene_path_first(path);
}

/* -- the motion of a mesh -------------------------------------------------------------------------
 */

ReelMotion reel_motion_none(const double center[3])
{
    return reel_motion_straight(center, center);
}

ReelMotion reel_motion_straight(const double from[3], const double to[3])
{
    ReelMotion motion = {.axis = {0, 1, 0}};
    for (int a = 0; a < 3; a++) {
        motion.center[a] = motion.middle[a] = from[a];
        motion.way[a] = to[a] - from[a];
    }
    return motion;
}

void reel_motion_at(const ReelMotion *motion, double share, double center[3], double turn[4])
{
    double half = 0.5 * share * motion->angle, arm[3], turned[3];
    for (int a = 0; a < 3; a++) {
        turn[a] = math_sin(half) * motion->axis[a];
        arm[a] = motion->center[a] - motion->middle[a];
    }
    turn[3] = math_cos(half);
    scene_frame_turn(turn, arm, turned);
    for (int a = 0; a < 3; a++)
        center[a] = motion->middle[a] + share * motion->way[a] + turned[a];
}

static void middle_of(const MeshFile *file, double middle[3])
{
    for (int a = 0; a < 3; a++) {
        middle[a] = 0;
        for (int v = 0; v < file->vertex_count; v++)
            middle[a] += (double)file->vertices[v][a];
        middle[a] /= file->vertex_count;
    }
}

/* The matrix whose largest eigenvalue has the best turn as its eigenvector (Horn 1987), with w
 * first. s[a][b]: sum over the vertices of coordinate a before times coordinate b after. */
static void horn_matrix(const double s[3][3], double m[4][4])
{
    m[0][0] = s[0][0] + s[1][1] + s[2][2];
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        m[0][a + 1] = m[a + 1][0] = s[b][c] - s[c][b];
        m[a + 1][a + 1] = s[a][a] - s[b][b] - s[c][c];
        m[a + 1][b + 1] = m[b + 1][a + 1] = s[a][b] + s[b][a];
    }
}

/* Jacobi's rotations make a symmetric matrix diagonal. The columns of v become its eigenvectors. */
static void diagonalize(double m[4][4], double v[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            v[i][j] = i == j;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < 3; p++)
            for (int q = p + 1; q < 4; q++) {
                if (m[p][q] == 0)
                    continue;
                double theta = 0.5 * (m[q][q] - m[p][p]) / m[p][q];
                double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 4; k++) {
                    double kp = m[k][p], kq = m[k][q];
                    m[k][p] = c * kp - s * kq;
                    m[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < 4; k++) {
                    double pk = m[p][k], qk = m[q][k], vp = v[k][p], vq = v[k][q];
                    m[p][k] = c * pk - s * qk;
                    m[q][k] = s * pk + c * qk;
                    v[k][p] = c * vp - s * vq;
                    v[k][q] = s * vp + c * vq;
                }
            }
}

/* The turn that brings the vertices, seen from the middles, closest to their places after. */
static void best_turn(const MeshFile *from, const MeshFile *to, const double before[3],
                      const double after[3], double q[4])
{
    double s[3][3] = {{0}}, m[4][4], v[4][4];
    for (int vertex = 0; vertex < from->vertex_count; vertex++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                s[a][b] += ((double)from->vertices[vertex][a] - before[a]) *
                           ((double)to->vertices[vertex][b] - after[b]);
    horn_matrix((const double(*)[3])s, m);
    diagonalize(m, v);
    int best = 0;
    for (int column = 1; column < 4; column++)
        best = m[column][column] > m[best][best] ? column : best;
    double sign = v[0][best] < 0 ? -1 : 1, length = 0;
    for (int a = 0; a < 3; a++)
        q[a] = sign * v[a + 1][best];
    q[3] = sign * v[0][best];
    for (int part = 0; part < 4; part++)
        length += q[part] * q[part];
    for (int part = 0; part < 4; part++)
        q[part] /= sqrt(length);
}

/* Whether the motion moves every vertex to its place after. */
static bool moves_all(const MeshFile *from, const MeshFile *to, const ReelMotion *motion,
                      double tolerance)
{
    double center[3], q[4];
    reel_motion_at(motion, 1, center, q);
    for (int v = 0; v < from->vertex_count; v++) {
        double arm[3], turned[3], miss = 0;
        for (int a = 0; a < 3; a++)
            arm[a] = (double)from->vertices[v][a] - motion->middle[a];
        scene_frame_turn(q, arm, turned);
        for (int a = 0; a < 3; a++)
            miss = fmax(miss, fabs(turned[a] + motion->middle[a] + motion->way[a] -
                                   (double)to->vertices[v][a]));
        if (!(miss <= tolerance))
            return false;
    }
    return true;
}

bool reel_motion_fit(const MeshFile *from, const MeshFile *to, double tolerance,
                     const double center[3], ReelMotion *motion)
{
    double after[3], q[4];
    if (from->vertex_count != to->vertex_count || from->triangle_count != to->triangle_count ||
        memcmp(from->triangles, to->triangles,
               (size_t)from->triangle_count * sizeof *from->triangles) != 0)
        return false;
    *motion = reel_motion_none(center);
    middle_of(from, motion->middle);
    middle_of(to, after);
    for (int a = 0; a < 3; a++)
        motion->way[a] = after[a] - motion->middle[a];
    if (moves_all(from, to, motion, tolerance))
        return true; /* without a turn */
    best_turn(from, to, motion->middle, after, q);
    double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int a = 0; a < 3; a++)
        motion->axis[a] = sine > 0 ? q[a] / sine : a == 1;
    motion->angle = 2 * math_atan2(sine, q[3]);
    return moves_all(from, to, motion, tolerance);
}

/* -- the reel ---------------------------------------------------------------------------------- */

/* The samples of an interval between two frames. */
typedef struct Slot {
    BillowVolume volume;
    float *distance, *next, *amount;
} Slot;

struct SceneReel {
    SceneForm form;
    char label[32];
    const char *path; /* form.mesh, form.vdb or form.particles */
    bool solid;
    GltfFile *gltf;                 /* NULL unless form.mesh is a glTF file */
    SceneParticles *particles;      /* NULL unless the shape is one of particles */
    Isolated *reader;               /* reads the .vdb files; NULL: has not been started */
    uint64_t memory;                /* that reading a .vdb file took at most, bytes */
    double size, cell, seconds;     /* seconds: length of an interval, s */
    double box_low[3], box_high[3]; /* the scene's box, in the shape's own coordinates */
    double rate;                    /* frames per second */
    int count, stride;              /* frames; frames per interval */
    int first_number;               /* of the file of the first frame */
    int *numbers, number_count;     /* of all files, rising */
    double spacing;
    double first[3], half; /* of the first frame of a mesh: its centre, and half its longest edge */
    Slot slots[2];
    int slot;
    int frames[2];   /* first and last frame of the slot; -1: none */
    double expected; /* time at which the next step begins if none is left out, s */
    ReelMotion motion;
};

bool scene_form_is_reel(const SceneForm *form)
{
    return form->vdb[0] != '\0' || form->particles[0] != '\0' ||
           scene_path_is_numbered(form->mesh) || form->moves;
}

const BillowVolume *scene_reel_volume(const SceneReel *reel)
{
    return reel->particles != NULL ? scene_particles_volume(reel->particles)
                                   : &reel->slots[reel->slot].volume;
}

uint64_t scene_reel_memory(const SceneReel *reel, const char **file)
{
    *file = reel->path;
    return reel->memory;
}

/* The path of a frame's file. A frame whose file is missing is shown by the one before it. */
static void frame_path(const SceneReel *reel, int frame, char path[SCENE_PATH + 16])
{
    int low = 0, high = reel->number_count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (reel->numbers[middle] <= reel->first_number + frame)
            low = middle;
        else
            high = middle;
    }
    scene_path_of(reel->path, reel->number_count > 0 ? reel->numbers[low] : 0, path);
}

/* Lists the files from the first frame on, and counts the frames until the last. */
static bool count_frames(SceneReel *reel, BillowError *error)
{
    char path[SCENE_PATH + 16];
    struct stat status;
    int first = 0;
    reel->count = 1;
    if (!scene_path_is_numbered(reel->path))
        return stat(reel->path, &status) == 0 || fail(error, "there is no file %.300s", reel->path);
    reel->number_count = list_numbers(reel->path, &reel->numbers);
    reel->first_number = reel->form.first_frame >= 0 ? reel->form.first_frame
                         : reel->number_count > 0    ? reel->numbers[0]
                                                     : 1;
    while (first < reel->number_count && reel->numbers[first] < reel->first_number)
        first++;
    if (first == reel->number_count || reel->numbers[first] != reel->first_number) {
        scene_path_of(reel->path, reel->first_number, path);
        return fail(error, "there is no file %.300s", path);
    }
    reel->number_count -= first;
    memmove(reel->numbers, reel->numbers + first, (size_t)reel->number_count * sizeof(int));
    reel->count = reel->numbers[reel->number_count - 1] - reel->first_number + 1;
    return true;
}

/* Chooses the frames of a glTF file, at which its motion is sampled. They divide its length evenly,
 * so that a loop has no jump. */
static bool count_samples(SceneReel *reel, BillowError *error)
{
    double seconds = gltf_file_seconds(reel->gltf), wanted = round(seconds * reel->rate);
    int whole = (int)fmin(fmax(wanted, 1), SAMPLES_MOST), left_out = reel->form.first_frame - 1;
    reel->count = 1;
    if (!(seconds > 0))
        return true;
    reel->rate = whole / seconds;
    left_out = left_out < 0 ? 0 : left_out;
    reel->count = reel->form.repeat == SCENE_LOOP ? whole : whole + 1 - left_out;
    return reel->count > 0 || fail(error, "%.300s: there is no frame %d; its motion has %d",
                                   reel->path, reel->form.first_frame, whole + 1);
}

/* Time of a frame of a glTF file, s. A loop goes on from its end to its beginning. */
static double sample_time(const SceneReel *reel, int frame)
{
    int first = reel->form.first_frame > 1 ? reel->form.first_frame - 1 : 0;
    int whole = first + frame;
    if (reel->form.repeat == SCENE_LOOP)
        whole = (first % reel->count + frame) % reel->count;
    return reel->count > 1 || first > 0 ? whole / reel->rate : 0;
}

static int frame_at(const SceneReel *reel, long position)
{
    if (reel->form.repeat == SCENE_LOOP)
        return (int)(position % reel->count);
    return position < reel->count ? (int)position : reel->count - 1;
}

/* Numbered files may be links. They must not lead out of their folder. */
static bool check_place(const SceneReel *reel, const char *path, BillowError *error)
{
    char below[PATHS_SIZE];
    return !scene_path_is_numbered(reel->path) || paths_below(reel->path, path, below) ||
           fail(error, "%.300s: leads out of its folder", path);
}

/* -- meshes ------------------------------------------------------------------------------------ */

static bool load_mesh(const SceneReel *reel, int frame, MeshFile *file, BillowError *error)
{
    char path[SCENE_PATH + 16];
    BillowError reason;
    frame_path(reel, frame, path);
    if (reel->gltf != NULL) {
        if (!gltf_file_mesh(reel->gltf, sample_time(reel, frame), file, &reason))
            return fail(error, "%.250s: %.250s", path, reason.text);
    } else if (!check_place(reel, path, error) || !mesh_file_load(path, file, error)) {
        return false;
    }
    if (scene_mesh_check(file, &reason))
        return true;
    mesh_file_free(file);
    return fail(error, "%.250s: %.250s", path, reason.text);
}

/* The centre and half the edges of the box around a mesh. */
static void box_of(const MeshFile *file, double center[3], double half[3])
{
    float low[3], high[3];
    const BillowMesh mesh = scene_mesh_of(file);
    billow_mesh_bounds(&mesh, low, high);
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = 0.5 * ((double)low[axis] + (double)high[axis]);
        half[axis] = 0.5 * ((double)high[axis] - (double)low[axis]);
    }
}

/* Notes the size of the first frame, which scales all frames. */
static bool measure_first(SceneReel *reel, BillowError *error)
{
    MeshFile file;
    double half[3];
    if (!load_mesh(reel, 0, &file, error))
        return false;
    box_of(&file, reel->first, half);
    mesh_file_free(&file);
    reel->half = fmax(half[0], fmax(half[1], half[2]));
    reel->spacing = 2 / fmin(fmax(ceil(4 * reel->size / reel->cell), MESH_LEAST), MESH_MOST);
    return true;
}

/* Measures a mesh whose box has this centre. */
static bool voxelize(const SceneReel *reel, MeshFile *file, const double center[3],
                     BillowVolume *volume, float **distance, BillowError *error)
{
    for (int v = 0; v < file->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
            file->vertices[v][axis] =
                (float)(((double)file->vertices[v][axis] - center[axis]) / reel->half);
    return scene_mesh_voxelize(file, volume, distance, error);
}

/* Places samples around the boxes of two meshes, both with their centres at (0, 0, 0). */
static bool place_samples(const SceneReel *reel, const double one[3], const double other[3],
                          BillowVolume *volume, BillowError *error)
{
    int counts[3];
    for (int axis = 0; axis < 3; axis++) {
        double half = fmax(one[axis], other[axis]) / reel->half;
        double count = 2 * ceil(half / reel->spacing) + 2 * MARGIN;
        if (!(count <= 4 * MESH_MOST))
            return fail(error, "it is more than %d times as large as in the first frame",
                        4 * MESH_MOST / MESH_LEAST);
        counts[axis] = (int)count;
        volume->low[axis] = (float)(-0.5 * reel->spacing * (counts[axis] - 1));
    }
    volume->spacing = (float)reel->spacing;
    volume->nx = counts[0], volume->ny = counts[1], volume->nz = counts[2];
    return true;
}

static bool make_meshes(SceneReel *reel, MeshFile files[2], Slot *slot, BillowError *error)
{
    double center[2][3], half[2][3];
    bool same = reel->frames[0] == reel->frames[1];
    for (int f = 0; f < 2; f++)
        box_of(&files[same ? 0 : f], center[f], half[f]);
    if (same)
        reel->motion = reel_motion_none(center[0]);
    else if (!reel_motion_fit(&files[0], &files[1], 1e-4 * reel->half, center[0], &reel->motion)) {
        reel->motion = reel_motion_straight(center[0], center[1]);
        return place_samples(reel, half[0], half[1], &slot->volume, error) &&
               voxelize(reel, &files[0], center[0], &slot->volume, &slot->distance, error) &&
               (!reel->solid ||
                voxelize(reel, &files[1], center[1], &slot->volume, &slot->next, error));
    }
    return place_samples(reel, half[0], half[0], &slot->volume, error) &&
           voxelize(reel, &files[0], center[0], &slot->volume, &slot->distance, error);
}

static bool load_meshes(SceneReel *reel, Slot *slot, BillowError *error)
{
    MeshFile files[2] = {{0}, {0}};
    bool same = reel->frames[0] == reel->frames[1];
    bool good = load_mesh(reel, reel->frames[0], &files[0], error) &&
                (same || load_mesh(reel, reel->frames[1], &files[1], error)) &&
                make_meshes(reel, files, slot, error);
    mesh_file_free(&files[0]);
    mesh_file_free(&files[1]);
    return good;
}

/* -- .vdb files -------------------------------------------------------------------------------- */

typedef struct Fog {
    VdbFile *file;
    char name[VDB_NAME];
    VdbGrid grid;
    SceneFrame frame;
    double low[3], high[3]; /* box around its voxels in the shape's coordinates */
} Fog;

static bool open_fog(SceneReel *reel, int frame, Fog *fog, BillowError *error)
{
    char path[SCENE_PATH + 16], names[200];
    VolumeUp up;
    frame_path(reel, frame, path);
    *fog = (Fog){.frame = {.scale = 1, .rotation = {0, 0, 0, 1}, .up = reel->form.up}};
    if (!check_place(reel, path, error) ||
        (fog->file = vdb_file_open(path, &reel->reader, error)) == NULL)
        return false;
    uint64_t memory = vdb_file_memory(fog->file);
    reel->memory = memory > reel->memory ? memory : reel->memory;
    if (vdb_file_up(fog->file, &up))
        fog->frame.up = up == VOLUME_UP_Z ? SCENE_UP_Z : SCENE_UP_Y;
    if (!vdb_file_find(fog->file, reel->form.grid, true, fog->name, &fog->grid)) {
        vdb_file_names(fog->file, names, sizeof names);
        vdb_file_close(fog->file);
        fog->file = NULL;
        return fail(error, "%.200s: it has no grid '%.60s' of numbers; its grids are: %s", path,
                    reel->form.grid, names);
    }
    double one[3], other[3];
    scene_frame_from_file(&fog->frame, fog->grid.low, one);
    scene_frame_from_file(&fog->frame, fog->grid.high, other);
    for (int axis = 0; axis < 3; axis++) {
        fog->low[axis] = fmin(one[axis], other[axis]);
        fog->high[axis] = fmax(one[axis], other[axis]);
    }
    return true;
}

/* Places samples around the part of both fogs that is in the scene's box. Samples of different
 * frames lie on the same lattice. */
static void place_in_fog(SceneReel *reel, const Fog *one, const Fog *other, BillowVolume *volume)
{
    int counts[3];
    double low[3], high[3], longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = fmax(fmin(one->low[axis], other->low[axis]), reel->box_low[axis]);
        high[axis] = fmin(fmax(one->high[axis], other->high[axis]), reel->box_high[axis]);
        longest = fmax(longest, high[axis] - low[axis]);
    }
    double spacing = fmax(fmax(one->grid.voxel, 0.5 * reel->cell / reel->size), longest / VDB_MOST);
    if (!(reel->spacing > 0) || spacing > 1.5 * reel->spacing)
        reel->spacing = spacing;
    volume->spacing = (float)reel->spacing;
    for (int axis = 0; axis < 3; axis++) {
        double first = floor(low[axis] / reel->spacing) - MARGIN;
        double count = ceil(high[axis] / reel->spacing) + MARGIN - first;
        counts[axis] = count >= 2 && high[axis] > low[axis] ? (int)fmin(count, 2 * VDB_MOST) : 2;
        volume->low[axis] = (float)((first + 0.5) * reel->spacing);
    }
    volume->nx = counts[0], volume->ny = counts[1], volume->nz = counts[2];
}

static VdbLattice lattice_in(const Fog *fog, const BillowVolume *volume)
{
    VdbLattice lattice = {.n = {volume->nx, volume->ny, volume->nz}};
    double first[3], h = (double)volume->spacing;
    for (int axis = 0; axis < 3; axis++) {
        const double step[3] = {axis == 0 ? h : 0, axis == 1 ? h : 0, axis == 2 ? h : 0};
        first[axis] = (double)volume->low[axis];
        scene_frame_to_file(&fog->frame, step, lattice.step[axis]);
    }
    scene_frame_to_file(&fog->frame, first, lattice.first);
    return lattice;
}

/* Samples a fog or a level set. distance: receives the distance from the surface, which is where
 * the density is form.threshold or, if amount is not NULL, around all samples with any density.
 * amount: receives the density. */
static bool measure_fog(const SceneReel *reel, const Fog *fog, const BillowVolume *volume,
                        float **distance, float **amount, BillowError *error)
{
    const VdbLattice lattice = lattice_in(fog, volume);
    size_t samples = (size_t)volume->nx * (size_t)volume->ny * (size_t)volume->nz;
    float *values = malloc(samples * sizeof *values);
    *distance = values;
    if (values == NULL || (amount != NULL && (*amount = malloc(samples * sizeof(float))) == NULL))
        return fail(error, "not enough memory to measure it");
    if (!vdb_file_sample(fog->file, fog->name, &lattice, 1, values, error))
        return false;
    bool inside = false;
    if (amount != NULL) {
        for (size_t s = 0; s < samples; s++)
            (*amount)[s] = fmaxf(values[s], 0);
        scene_amounts_surround(volume, *amount, NULL, values);
        return true;
    }
    for (size_t s = 0; s < samples; s++) {
        values[s] =
            fog->grid.distances ? values[s] / volume->spacing : reel->form.threshold - values[s];
        inside = inside || values[s] < 0;
    }
    if (inside && !vdb_file_distance(fog->file, lattice.n, values, error))
        return false;
    for (size_t s = 0; s < samples; s++)
        values[s] = inside ? values[s] * volume->spacing : VDB_BAND * volume->spacing;
    return true;
}

static bool load_fogs(SceneReel *reel, Slot *slot, BillowError *error)
{
    Fog fogs[2] = {{.file = NULL}, {.file = NULL}};
    bool both = reel->solid && reel->frames[0] != reel->frames[1];
    if (!open_fog(reel, reel->frames[0], &fogs[0], error) ||
        (both && !open_fog(reel, reel->frames[1], &fogs[1], error))) {
        vdb_file_close(fogs[0].file);
        return false;
    }
    reel->motion = reel_motion_none((const double[3]){0, 0, 0});
    bool fog = !reel->solid && !fogs[0].grid.distances;
    place_in_fog(reel, &fogs[0], &fogs[both ? 1 : 0], &slot->volume);
    BillowError reason;
    bool good = measure_fog(reel, &fogs[0], &slot->volume, &slot->distance,
                            fog ? &slot->amount : NULL, &reason) &&
                (!both || measure_fog(reel, &fogs[1], &slot->volume, &slot->next, NULL, &reason));
    vdb_file_close(fogs[0].file);
    vdb_file_close(fogs[1].file);
    return good || fail(error, "%.200s: %.250s", reel->path, reason.text);
}

/* -- particles --------------------------------------------------------------------------------- */

/* A sample a cell of the smoke, unless the box has very many. */
static bool open_particles(SceneReel *reel, const SceneBody *body, const BillowDef *def,
                           BillowError *error)
{
    BallRoom room;
    double longest = 0, cell = reel->cell / reel->size;
    for (int axis = 0; axis < 3; axis++) {
        room.low[axis] = reel->box_low[axis];
        room.high[axis] = reel->box_high[axis];
        longest = fmax(longest, room.high[axis] - room.low[axis]);
    }
    room.spacing = fmax(cell / (def->refine > 1 ? def->refine : 1), longest / BALLS_MOST);
    room.least = 0.75 * fmax(cell, room.spacing);
    reel->particles = scene_particles_open(body, &room);
    return reel->particles != NULL || fail(error, "not enough memory for its particles");
}

static bool show_particles(SceneReel *reel, double time, double step, BillowError *error)
{
    const double near = 1e-6, begin = floor(time * reel->rate + near);
    if (!scene_path_is_numbered(reel->path))
        return scene_particles_step_at(reel->particles, reel->path, time, step, error);
    char file[SCENE_PATH + 16], after[SCENE_PATH + 16];
    int frame = frame_at(reel, (long)begin), next = frame_at(reel, (long)begin + 1);
    frame_path(reel, frame, file);
    frame_path(reel, next, after);
    const double since = fmax(time - begin / reel->rate, 0);
    const ParticleStep moves = {
        .file = file,
        .next = next != frame ? after : NULL,
        .length = 1 / reel->rate,
        .since = since,
        .until = since + step,
    };
    return check_place(reel, file, error) && check_place(reel, after, error) &&
           scene_particles_step(reel->particles, &moves, error);
}

/* -- showing ----------------------------------------------------------------------------------- */

static void empty(Slot *slot)
{
    free(slot->distance);
    free(slot->next);
    free(slot->amount);
    *slot = (Slot){.distance = NULL};
}

/* Loads an interval into the other slot and shows that. */
static bool load(SceneReel *reel, int from, int to, BillowError *error)
{
    Slot made = {.distance = NULL};
    BillowError reason;
    reel->frames[0] = from;
    reel->frames[1] = to;
    bool good = reel->form.vdb[0] != '\0' ? load_fogs(reel, &made, &reason)
                                          : load_meshes(reel, &made, &reason);
    if (!good) {
        empty(&made);
        reel->frames[0] = -1;
        return fail(error, "%s: %.450s", reel->label, reason.text);
    }
    made.volume.distance = made.distance;
    made.volume.next = made.next;
    made.volume.amount = made.amount;
    reel->slot = 1 - reel->slot;
    empty(&reel->slots[reel->slot]);
    reel->slots[reel->slot] = made;
    return true;
}

/* The pose at a share of the interval. */
static ReelPose pose_at(const SceneReel *reel, double share)
{
    ReelPose pose;
    double center[3];
    reel_motion_at(&reel->motion, share, center, pose.turn);
    for (int axis = 0; axis < 3; axis++)
        pose.offset[axis] = reel->path != reel->form.mesh
                                ? 0
                                : reel->size * (center[axis] - reel->first[axis]) / reel->half;
    return pose;
}

bool scene_reel_show(SceneReel *reel, double time, double step, ReelPose *from, ReelPose *to,
                     BillowError *error)
{
    const double near = 1e-6;
    if (reel->particles != NULL) {
        BillowError reason;
        reel->motion = reel_motion_none((const double[3]){0, 0, 0});
        *from = *to = pose_at(reel, 0);
        return show_particles(reel, time, step, &reason) ||
               fail(error, "%s: %.450s", reel->label, reason.text);
    }
    double position = time / reel->seconds, begun = (time - step) / reel->seconds;
    double interval = floor(position + near);
    int first = frame_at(reel, (long)interval * reel->stride);
    int last = frame_at(reel, ((long)interval + 1) * reel->stride);
    bool left_out = fabs(time - reel->expected) > near * step;
    if ((first != reel->frames[0] || last != reel->frames[1] || left_out) &&
        !load(reel, first, last, error))
        return false;
    reel->expected = time + step;
    /* The step in which an interval begins starts where the interval before it ended. */
    double start = begun < interval - near ? 0 : fmax(position - interval, 0);
    double end = fmin(position + step / reel->seconds - interval, 1);
    BillowVolume *volume = &reel->slots[reel->slot].volume;
    volume->share[0] = start;
    volume->share[1] = end;
    *from = pose_at(reel, start);
    *to = pose_at(reel, end);
    return true;
}

/* The scene's box in the shape's own coordinates. */
static void measure_box(SceneReel *reel, const SceneBody *body, const BillowDef *def)
{
    SceneFrame frame = {.scale = reel->size, .up = SCENE_UP_Y};
    memcpy(frame.rotation, body->rotation, sizeof frame.rotation);
    const int n[3] = {def->nx, def->ny, def->nz};
    for (int corner = 0; corner < 8; corner++) {
        double place[3], own[3];
        for (int axis = 0; axis < 3; axis++)
            place[axis] = (double)def->origin[axis] - (double)body->center[axis] +
                          (corner >> axis & 1 ? n[axis] * (double)def->cell_size : 0);
        scene_frame_to_file(&frame, place, own);
        for (int axis = 0; axis < 3; axis++) {
            reel->box_low[axis] = corner == 0 ? own[axis] : fmin(reel->box_low[axis], own[axis]);
            reel->box_high[axis] = corner == 0 ? own[axis] : fmax(reel->box_high[axis], own[axis]);
        }
    }
}

/* Finds how many frames there are and how many of them make an interval. */
static bool find_frames(SceneReel *reel, double step, BillowError *error)
{
    reel->rate = (double)reel->form.frame_rate;
    if (reel->form.moves && reel->path == reel->form.mesh) {
        reel->gltf = gltf_file_open(reel->path, error);
        if (reel->gltf == NULL || !count_samples(reel, error))
            return false;
    } else {
        if (!count_frames(reel, error))
            return false;
    }
    reel->stride = (int)ceil(step * reel->rate - 1e-6);
    reel->stride = reel->stride < 1 ? 1 : reel->stride;
    reel->seconds = reel->stride / reel->rate;
    return true;
}

SceneReel *scene_reel_open(const SceneBody *body, const BillowDef *def, bool solid, double step,
                           BillowError *error)
{
    SceneReel *reel = calloc(1, sizeof *reel);
    BillowError reason;
    if (reel == NULL) {
        fail(error, "%s: not enough memory for its shape", body->label);
        return NULL;
    }
    reel->form = *body->form;
    snprintf(reel->label, sizeof reel->label, "%s", body->label);
    const bool particles = reel->form.particles[0] != '\0';
    reel->path = particles                   ? reel->form.particles
                 : reel->form.vdb[0] != '\0' ? reel->form.vdb
                                             : reel->form.mesh;
    reel->solid = solid;
    reel->size = (double)body->size;
    reel->cell = (double)def->cell_size;
    reel->frames[0] = -1;
    ReelPose from, to;
    bool good = find_frames(reel, step, &reason);
    good = good && (reel->size > 0 || fail(&reason, "its size must be more than 0"));
    if (good)
        measure_box(reel, body, def);
    if (good && particles)
        good = open_particles(reel, body, def, &reason);
    else if (good && reel->path == reel->form.mesh)
        good = measure_first(reel, &reason);
    if (!good)
        fail(error, "%s: %.400s", reel->label, reason.text);
    good = good && scene_reel_show(reel, 0, step, &from, &to, error);
    reel->expected = 0;
    if (good)
        return reel;
    scene_reel_close(reel);
    return NULL;
}

void scene_reel_close(SceneReel *reel)
{
    if (reel == NULL)
        return;
    empty(&reel->slots[0]);
    empty(&reel->slots[1]);
    scene_particles_close(reel->particles);
    gltf_file_close(reel->gltf);
    vdb_file_end(reel->reader);
    free(reel->numbers);
    free(reel);
}

bool scene_reel_check(SceneReel *reel, BillowError *error)
{
    ReelPose from, to;
    for (int frame = 0; frame < reel->count; frame++)
        if (reel->particles != NULL
                ? !scene_reel_show(reel, frame / reel->rate, 0, &from, &to, error)
                : !load(reel, frame, frame, error))
            return false;
    return true;
}
