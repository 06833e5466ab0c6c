/* SPDX-License-Identifier: MIT
 * Emitters that follow particles: files of them, the samples drawn from them, and what they
 * release. All files are written here. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "io/particle_file.h"
#include "scene/scene_particles.h"
#include "scene/scene_play.h"
#include "scene_fixture.h"

#include <unistd.h>
#include <zlib.h>

static const double pi = 3.14159265358979323846;
static char folder[] = "/tmp/billow-test-particles-XXXXXX";

static int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"a.csv", "a_1.csv", "a_2.csv"};
    for (int n = 0; n < LENGTH(names); n++)
        unlink(names[n]);
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

static void write_text(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

/* -- .csv -------------------------------------------------------------------------------------- */

static ParticleFile read_csv(const char *text)
{
    ParticleFile file;
    BillowError error;
    error.text[0] = '\0';
    if (!particle_file_read(text, strlen(text), false, &file, &error))
        fail_msg("%s: %s", text, error.text);
    return file;
}

static void test_csv_columns_are_found_by_name(void **state)
{
    (void)state;
    static const char *const same[] = {
        "time,id,x,y,z,vx,vy,vz,radius\n0.5,7,1,2,3,4,5,6,0.25\n",
        "\xef\xbb\xbf\"Radius\";\"vz\";vy;VX;z;y;x;ID;T;colour\r\n0.25;6;5;4;3;2;1;7;0.5;red\r\n",
        "# a comment\n\npscale\tv[2]\tv[1]\tv[0]\tP[2]\tP[1]\tP[0]\tid\ttime\n"
        "0.25\t6\t5\t4\t3\t2\t1\t7\t0.5",
    };
    for (int n = 0; n < LENGTH(same); n++) {
        ParticleFile file = read_csv(same[n]);
        const Particle *particle = file.particles;
        assert_int_equal(file.count, 1);
        assert_true(file.times && file.ids && file.velocities && file.radii);
        assert_true(particle->time == 0.5 && particle->id == 7 && particle->radius == 0.25);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(particle->place[axis] == 1 + axis);
            assert_true(particle->velocity[axis] == 4 + axis);
        }
        particle_file_free(&file);
    }
}

static void test_particles_are_put_in_order(void **state)
{
    (void)state;
    ParticleFile file = read_csv("time,id,x,y,z\n1,2,0,0,0\n0,5,1,0,0\n1,1,2,0,0\n0,3,3,0,0\n");
    const double ids[] = {3, 5, 1, 2};
    assert_int_equal(file.count, 4);
    assert_false(file.velocities || file.radii);
    for (int p = 0; p < 4; p++)
        assert_true(file.particles[p].id == ids[p]);
    particle_file_free(&file);
    file = read_csv("x,y,z\n");
    assert_int_equal(file.count, 0);
    particle_file_free(&file);
}

static void test_csv_refusals(void **state)
{
    (void)state;
    static const Wrong wrong[] = {
        {"", "its first line must name its columns, as in x,y,z"},
        {"1,2,3\n", "it has no columns x, y and z, or position"},
        {"x,y\n1,2\n", "it has no columns x, y and z"},
        {"x,y,z,vx\n1,2,3,4\n", "needs all three or none"},
        {"x,y,z,x\n1,2,3,4\n", "line 1: the column x is there twice"},
        {"x,y,z\n1,2,3\n\n1,zwei,3\n", "line 4: 'zwei' in column 2 is no number"},
        {"x,y,z\n1,2\n", "line 2: '' in column 3 is no number"},
        {"x,y,z\n1,nan,3\n", "line 2: 'nan' in column 2 is no number"},
        {"x,y,z\n1,2,1e10\n", "particle 1 has a number beyond 1e9, or none"},
        {"x,y,z,radius\n1,2,3,-1\n", "particle 1 has a radius below 0"},
        {"id,x,y,z\n4,1,2,3\n5,1,2,3\n4,1,2,3\n", "the particle of id 4 is there twice at 0 s"},
    };
    for (int n = 0; n < LENGTH(wrong); n++) {
        ParticleFile file;
        BillowError error;
        assert_false(
            particle_file_read(wrong[n].input, strlen(wrong[n].input), false, &file, &error));
        if (strstr(error.text, wrong[n].message) == NULL)
            fail_msg("'%s' gives '%s'", wrong[n].input, error.text);
        assert_null(file.particles);
    }
    ParticleFile file;
    BillowError error;
    assert_false(particle_file_read("x,y,z\n1,2\0,3\n", 13, false, &file, &error));
    assert_string_equal(error.text, "it is no text in UTF-8, since it has a byte that is 0");
    assert_false(particle_file_load("a.txt", &file, &error));
    assert_string_equal(error.text, "a.txt: files of particles end in .csv or .npz");
    static char wide[2 * 300 + 8];
    for (int column = 0; column < 300; column++)
        memcpy(wide + 2 * column, "a,", 2);
    assert_false(particle_file_read(wide, strlen(wide), false, &file, &error));
    assert_non_null(strstr(error.text, "it has more than 256 columns"));
}

/* -- .npz -------------------------------------------------------------------------------------- */

typedef struct Archive {
    unsigned char bytes[8192];
    size_t length, directory_length;
    unsigned char directory[1024];
    int count;
} Archive;

static void put(unsigned char *bytes, size_t *length, unsigned long value, int width)
{
    for (int byte = 0; byte < width; byte++)
        bytes[(*length)++] = (unsigned char)(value >> 8 * byte);
}

static void put_bytes(unsigned char *bytes, size_t *length, const void *from, size_t count)
{
    memcpy(bytes + *length, from, count);
    *length += count;
}

/* Adds a file, packed or as it is. */
static void add_file(Archive *archive, const char *name, const unsigned char *bytes, size_t length,
                     bool packed)
{
    unsigned char small[2048];
    size_t size = length;
    if (packed) {
        z_stream stream = {.next_in = (Bytef *)bytes,
                           /* only read */ .avail_in = (uInt)length,
                           .next_out = small,
                           .avail_out = sizeof small};
        assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
                         Z_OK);
        assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
        size = stream.total_out;
        deflateEnd(&stream);
    } else {
        memcpy(small, bytes, length);
    }
    const size_t local = archive->length;
    unsigned char *at = archive->directory;
    size_t *end = &archive->directory_length;
    for (int central = 0; central < 2; central++) {
        if (central == 1)
            put(at, end, 0x02014b50, 4), put(at, end, 20, 2);
        else
            at = archive->bytes, end = &archive->length, put(at, end, 0x04034b50, 4);
        put(at, end, 20, 2);             /* version */
        put(at, end, 0, 2);              /* flags */
        put(at, end, packed ? 8 : 0, 2); /* method */
        put(at, end, 0, 4);              /* time */
        put(at, end, crc32(0, bytes, (uInt)length), 4);
        put(at, end, size, 4);
        put(at, end, length, 4);
        put(at, end, strlen(name), 2);
        put(at, end, 0, 2); /* further fields */
        if (central == 1) {
            put(at, end, 0, 2 + 2 + 2);
            put(at, end, 0, 4);
            put(at, end, local, 4);
        }
        put_bytes(at, end, name, strlen(name));
        if (central == 0) {
            put_bytes(at, end, small, size);
            at = archive->directory, end = &archive->directory_length;
        }
    }
    archive->count++;
}

/* Adds an array. head: the text of its dictionary. */
static void add_array(Archive *archive, const char *name, const char *head, const void *values,
                      size_t bytes, bool packed)
{
    unsigned char npy[1024];
    size_t length = 0;
    put_bytes(npy, &length, "\x93NUMPY\x01", 8);
    put(npy, &length, strlen(head), 2);
    put_bytes(npy, &length, head, strlen(head));
    put_bytes(npy, &length, values, bytes);
    add_file(archive, name, npy, length, packed);
}

static void end_archive(Archive *archive)
{
    const size_t begin = archive->length;
    put_bytes(archive->bytes, &archive->length, archive->directory, archive->directory_length);
    put(archive->bytes, &archive->length, 0x06054b50, 4);
    put(archive->bytes, &archive->length, 0, 4);
    put(archive->bytes, &archive->length, (unsigned long)archive->count, 2);
    put(archive->bytes, &archive->length, (unsigned long)archive->count, 2);
    put(archive->bytes, &archive->length, archive->directory_length, 4);
    put(archive->bytes, &archive->length, begin, 4);
    put(archive->bytes, &archive->length, 0, 2);
}

static bool read_archive(const Archive *archive, size_t length, ParticleFile *file,
                         BillowError *error)
{
    char *bytes = malloc(length + 1);
    assert_non_null(bytes);
    memcpy(bytes, archive->bytes, length);
    bytes[length] = '\0';
    bool good = particle_file_read(bytes, length, true, file, error);
    free(bytes);
    return good;
}

static const float two_places[6] = {1, 2, 3, 4, 5, 6};
static const char places_head[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";

static void test_npz(void **state)
{
    (void)state;
    const double velocities[6] = {7, 10, 8, 11, 9, 12}; /* all x first */
    const int64_t ids[2] = {20, 10};
    const uint32_t radii[2] = {1, 2};
    for (int packed = 0; packed < 2; packed++) {
        Archive archive = {.count = 0};
        ParticleFile file;
        BillowError error;
        add_array(&archive, "position.npy", places_head, two_places, sizeof two_places, packed);
        add_array(&archive, "notes.txt", "", "", 0, packed);
        add_array(&archive, "V.npy", "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3)}",
                  velocities, sizeof velocities, packed);
        add_array(&archive, "id.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (2,)}",
                  ids, sizeof ids, packed);
        add_array(&archive, "radius.npy", "{'descr': '<u4', 'fortran_order': False, 'shape': (2,)}",
                  radii, sizeof radii, packed);
        end_archive(&archive);
        if (!read_archive(&archive, archive.length, &file, &error))
            fail_msg("%s", error.text);
        assert_int_equal(file.count, 2);
        assert_true(file.ids && file.velocities && file.radii && !file.times);
        for (int p = 0; p < 2; p++) { /* id 10 first */
            const Particle *particle = &file.particles[p];
            assert_true(particle->id == 10 * (p + 1) && particle->radius == 2 - p);
            for (int axis = 0; axis < 3; axis++) {
                assert_true(particle->place[axis] == (p == 0 ? 4 : 1) + axis);
                assert_true(particle->velocity[axis] == (p == 0 ? 10 : 7) + axis);
            }
        }
        particle_file_free(&file);
        for (size_t length = 0; length < archive.length; length++) /* a part of it */
            assert_false(read_archive(&archive, length, &file, &error));
    }
}

static void test_npz_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *name, *head, *message;
    } wrong[] = {
        {"position.npy", "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3)}",
         "its array position has numbers of another type"},
        {"position.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}",
         "its array position has not one number a particle, or three"},
        {"position.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}",
         "its array position has not one number a particle, or three"},
        {"position.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3)}",
         "its array position is incomplete"},
        {"density.npy", places_head, "it has no columns x, y and z, or position"},
    };
    ParticleFile file;
    BillowError error;
    for (int n = 0; n < LENGTH(wrong); n++) {
        Archive archive = {.count = 0};
        add_array(&archive, wrong[n].name, wrong[n].head, two_places, sizeof two_places, false);
        end_archive(&archive);
        assert_false(read_archive(&archive, archive.length, &file, &error));
        if (strstr(error.text, wrong[n].message) == NULL)
            fail_msg("'%s' gives '%s'", wrong[n].head, error.text);
    }
    Archive archive = {.count = 0};
    add_array(&archive, "position.npy", places_head, two_places, sizeof two_places, true);
    add_array(&archive, "radius.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
              two_places, sizeof two_places, true);
    end_archive(&archive);
    assert_false(read_archive(&archive, archive.length, &file, &error));
    assert_non_null(
        strstr(error.text, "its array radius has 3 particles, where another array has 2"));
    archive = (Archive){.count = 0};
    add_array(&archive, "position.npy", places_head, two_places, sizeof two_places, false);
    add_array(&archive, "p.npy", places_head, two_places, sizeof two_places, false);
    end_archive(&archive);
    assert_false(read_archive(&archive, archive.length, &file, &error));
    assert_non_null(strstr(error.text, "its array p gives a column that another array gives, too"));
    archive = (Archive){.count = 0};
    add_array(&archive, "position.npy", places_head, two_places, sizeof two_places, true);
    archive.bytes[45] ^= 0xff; /* among the packed bytes */
    end_archive(&archive);
    assert_false(read_archive(&archive, archive.length, &file, &error));
    assert_non_null(strstr(error.text, "it is damaged: one of its arrays cannot be unpacked"));
    /* Words of 32 bits in the directory of an array that is not packed, and in the array itself. */
    static const struct {
        bool at_end; /* counted from the end, or from the directory */
        size_t at;
        unsigned long value;
        const char *message;
    } damages[] = {
        {true, 6, 0xffffffff, "it is damaged: its directory is missing"},
        {true, 14, 0x00090009, "it is damaged: its directory ends too early"},
        {false, 28, 0x0000ffff, "it is damaged: its directory ends too early"},
        {false, 42, 0x7fffffff, "it is damaged: an array lies outside of it"},
        {false, 20, 0x00ffffff, "it is damaged, or packed in a way that numpy.savez does not use"},
        {false, 8, 0x000c0000, "it is damaged, or packed in a way that numpy.savez does not use"},
    };
    for (int n = 0; n < LENGTH(damages); n++) {
        archive = (Archive){.count = 0};
        add_array(&archive, "position.npy", places_head, two_places, sizeof two_places, false);
        const size_t directory = archive.length;
        end_archive(&archive);
        size_t at = damages[n].at_end ? archive.length - damages[n].at : directory + damages[n].at;
        put(archive.bytes, &at, damages[n].value, 4);
        assert_false(read_archive(&archive, archive.length, &file, &error));
        if (strstr(error.text, damages[n].message) == NULL)
            fail_msg("%d gives '%s'", n, error.text);
    }
    archive = (Archive){.count = 0};
    add_array(&archive, "position.npy", places_head, two_places, sizeof two_places, true);
    size_t size_at = archive.length + 24;
    end_archive(&archive);
    put(archive.bytes, &size_at, 0x7fffffff, 4);
    assert_false(read_archive(&archive, archive.length, &file, &error));
    assert_string_equal(error.text, "one of its arrays is too large");
    /* heads of arrays: not NumPy's, and longer than the file */
    static const char *const heads[][2] = {
        {"not NumPy's..", "its array id is no array of NumPy"},
        {"\x93NUMPY\x02\x00\xff\xff\xff\x00..", "its array id is damaged"}};
    for (int n = 0; n < 2; n++) {
        archive = (Archive){.count = 0};
        add_file(&archive, "id.npy", (const unsigned char *)heads[n][0], 12, n > 0);
        end_archive(&archive);
        assert_false(read_archive(&archive, archive.length, &file, &error));
        if (strstr(error.text, heads[n][1]) == NULL)
            fail_msg("%d gives '%s'", n, error.text);
    }
    memset(archive.bytes, 0, sizeof archive.bytes);
    assert_false(read_archive(&archive, archive.length, &file, &error));
    assert_string_equal(error.text, "it is no .npz file, or incomplete");
}

/* -- balls ------------------------------------------------------------------------------------- */

static void free_volume(BillowVolume *volume)
{
    free((void *)volume->distance);
    free((void *)volume->amount);
    free((void *)volume->velocity);
}

static size_t samples_of(const BillowVolume *volume)
{
    return (size_t)volume->nx * (size_t)volume->ny * (size_t)volume->nz;
}

static double volume_drawn(const BillowVolume *volume)
{
    double sum = 0;
    for (size_t s = 0; s < samples_of(volume); s++)
        sum += (double)volume->amount[s];
    return sum * pow((double)volume->spacing, 3);
}

static const BallRoom unit_room = {
    .low = {0, 0, 0}, .high = {1, 1, 1}, .spacing = 1.0 / 64, .least = 0.75 / 64};

/* Balls of a hundredth of a sample to ten samples have their volume, wherever they are and however
 * they move. */
static void test_balls_have_their_volume(void **state)
{
    (void)state;
    static const double radii[] = {0.00015, 0.004, 0.0117, 0.03, 0.07, 0.15};
    for (int r = 0; r < LENGTH(radii); r++)
        for (int way = 0; way < 3; way++) {
            const double x = 0.4 + 0.0031 * r;
            const MovingBall ball = {.from = {x, 0.5, 0.51},
                                     .to = {x + 0.07 * way, 0.5 - 0.1 * way, 0.51},
                                     .radius = radii[r]};
            BillowVolume volume;
            BillowError error;
            assert_true(scene_balls_draw(&ball, 1, &unit_room, false, &volume, &error));
            double right = 4.0 / 3.0 * pi * pow(radii[r], 3);
            double most =
                radii[r] > 0.06 ? 0.03 : 1e-4; /* large balls that move overlap themselves */
            if (fabs(volume_drawn(&volume) / right - 1) > most)
                fail_msg("radius %g, way %d: %g instead of %g", radii[r], way,
                         volume_drawn(&volume), right);
            assert_null(volume.velocity);
            free_volume(&volume);
        }
}

/* Two balls at one place are one body; a hundred small ones in one sample add up. */
static void test_balls_that_overlap(void **state)
{
    (void)state;
    MovingBall balls[100];
    BillowVolume volume;
    BillowError error;
    for (int b = 0; b < 100; b++)
        balls[b] = (MovingBall){.from = {0.5, 0.5, 0.5}, .to = {0.5, 0.5, 0.5}, .radius = 0.15};
    assert_true(scene_balls_draw(balls, 2, &unit_room, false, &volume, &error));
    double both = volume_drawn(&volume) / (4.0 / 3.0 * pi * pow(0.15, 3));
    assert_true(both > 0.97 && both < 1.09);
    free_volume(&volume);
    for (int b = 0; b < 100; b++)
        balls[b].radius = 0.001;
    assert_true(scene_balls_draw(balls, 100, &unit_room, false, &volume, &error));
    double all = volume_drawn(&volume) / (100 * 4.0 / 3.0 * pi * pow(0.001, 3));
    assert_true(fabs(all - 1) < 1e-4);
    free_volume(&volume);
}

/* Every sample with any amount, and those next to it, are inside and have the velocity of the
 * ball; the distance never exceeds the true one by more than the square root of 3. */
static void test_velocity_and_distance_of_balls(void **state)
{
    (void)state;
    const MovingBall balls[2] = {
        {.from = {0.2, 0.3, 0.4}, .to = {0.2, 0.3, 0.4}, .radius = 0.02, .velocity = {1, 2, 3}},
        {.from = {0.8, 0.6, 0.7}, .to = {0.8, 0.6, 0.7}, .radius = 0.05, .velocity = {-4, 0, 5}},
    };
    BillowVolume volume;
    BillowError error;
    assert_true(scene_balls_draw(balls, 2, &unit_room, true, &volume, &error));
    const double h = (double)volume.spacing;
    int inside[2] = {0};
    for (int k = 0; k < volume.nz; k++)
        for (int j = 0; j < volume.ny; j++)
            for (int i = 0; i < volume.nx; i++) {
                size_t s =
                    ((size_t)k * (size_t)volume.ny + (size_t)j) * (size_t)volume.nx + (size_t)i;
                const double at[3] = {(double)volume.low[0] + i * h, (double)volume.low[1] + j * h,
                                      (double)volume.low[2] + k * h};
                double distance[2];
                for (int b = 0; b < 2; b++)
                    distance[b] =
                        sqrt(pow(at[0] - balls[b].from[0], 2) + pow(at[1] - balls[b].from[1], 2) +
                             pow(at[2] - balls[b].from[2], 2)) -
                        balls[b].radius;
                const int near = distance[1] < distance[0];
                assert_true((double)volume.distance[s] <=
                            sqrt(3) * fmax(distance[near] + 3 * h, 0) + 1e-6);
                if (volume.amount[s] > 0) {
                    assert_true((double)volume.distance[s] < -2.9 * h);
                    inside[near]++;
                }
                if (distance[near] < h)
                    for (int axis = 0; axis < 3; axis++)
                        assert_true(fabsf(volume.velocity[s][axis] - balls[near].velocity[axis]) <
                                    1e-5f);
            }
    assert_true(inside[0] > 8 && inside[1] > 100);
    free_volume(&volume);
}

static void test_balls_outside_the_room(void **state)
{
    (void)state;
    const MovingBall balls[2] = {
        {.from = {1e9, -1e9, 0}, .to = {-1e9, 1e9, 5}, .radius = 1e-9},
        {.from = {3, 0.5, 0.5}, .to = {3, 0.5, 0.5}, .radius = 1},
    };
    BillowVolume volume;
    BillowError error;
    assert_true(scene_balls_draw(balls, 0, &unit_room, true, &volume, &error));
    assert_int_equal(samples_of(&volume), 8);
    assert_true(volume.distance[0] > 1 && volume.amount[0] == 0);
    free_volume(&volume);
    assert_true(scene_balls_draw(&balls[1], 1, &unit_room, true, &volume, &error));
    assert_true(volume_drawn(&volume) == 0);
    free_volume(&volume);
    assert_true(scene_balls_draw(balls, 1, &unit_room, true, &volume, &error));
    assert_true(volume_drawn(&volume) < 1e-20 && volume.nx < 90);
    free_volume(&volume);
}

/* -- scenes ------------------------------------------------------------------------------------ */

static Scene scene_of(const char *text)
{
    Scene scene = *scene_default();
    BillowError error = {""};
    if (!parse(text, strlen(text), &scene, &error))
        fail_msg("%s", error.text);
    return scene;
}

typedef struct Run {
    Scene scene;
    ScenePlay *play;
    BillowSim *sim;
} Run;

static Run start(const char *text)
{
    BillowError error = {""};
    Run run = {.scene = scene_of(text)};
    BillowDef def = scene_def(&run.scene);
    run.play = scene_play_create(&run.scene, &def, &error);
    run.sim = run.play != NULL ? billow_create(&def, &error) : NULL;
    if (run.sim == NULL)
        fail_msg("%s", error.text);
    return run;
}

static void end(Run *run)
{
    billow_destroy(run->sim);
    scene_play_destroy(run->play);
}

/* Steps once, and returns the smoke that it releases, m3. */
static double released(Run *run)
{
    BillowError error = {""};
    double before = billow_stats(run->sim).mass_sources;
    if (!scene_play_prepare(run->play, run->sim, (double)run->scene.step, &error))
        fail_msg("%s", error.text);
    assert_true(billow_step(run->sim, (double)run->scene.step));
    return billow_stats(run->sim).mass_sources - before;
}

/* The middle of all smoke, m. */
static void middle_of(const Run *run, double middle[3])
{
    const BillowView view = billow_view(run->sim);
    double mass = 0, h = (double)view.cell_size;
    middle[0] = middle[1] = middle[2] = 0;
    for (int k = 0; k < view.nz; k++)
        for (int j = 0; j < view.ny; j++)
            for (int i = 0; i < view.nx; i++) {
                double here = (double)view.density[i + j * view.stride_y + k * view.stride_z];
                mass += here;
                middle[0] += here * (i + 0.5) * h;
                middle[1] += here * (j + 0.5) * h;
                middle[2] += here * (k + 0.5) * h;
            }
    for (int axis = 0; axis < 3; axis++)
        middle[axis] /= mass;
}

static void assert_close(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.9g instead of %.9g", found, expected);
}

#define EMITTER(more)                                                                              \
    "domain: {size: 1, cells: 40}\n"                                                               \
    "time: {step: 0.1}\n"                                                                          \
    "fluid: {buoyancy: 0}\n"                                                                       \
    "emitters: [{" more ", smoke: 10, heat: 0}]\n"
#define IN_PLACE "center: [0, 0, 0], size: 1, up: y"

static double ball_volume(double radius)
{
    return 4.0 / 3.0 * pi * radius * radius * radius;
}

/* A ball of a third of a cell and one of three release their volume times rate and time, where the
 * file says; they go in straight lines between the times, and the second appears at 0.2 s. */
static void test_particles_release(void **state)
{
    (void)state;
    write_text("a.csv", "time,id,x,y,z,radius\n"
                        "0.0,1,0.3,0.5,0.5,0.008\n"
                        "0.2,1,0.5,0.5,0.5,0.008\n"
                        "0.2,2,0.2,0.2,0.8,0.075\n"
                        "0.4,1,0.5,0.7,0.5,0.008\n");
    Run run = start(EMITTER("particles: a.csv, " IN_PLACE));
    double small = ball_volume(0.008), middle[3];
    assert_close(released(&run) / small, 1, 1e-3);
    middle_of(&run, middle);
    assert_close(middle[0], 0.35, 1e-3); /* from 0.3 to 0.4 */
    assert_close(middle[1], 0.5, 1e-3);
    assert_close(middle[2], 0.5, 1e-3);
    assert_close(released(&run) / small, 1, 1e-3);
    middle_of(&run, middle);
    assert_close(middle[0], 0.4, 2e-3);
    assert_close(released(&run) / (small + ball_volume(0.075)), 1, 1e-3);
    assert_close(released(&run) / (small + ball_volume(0.075)), 1, 1e-3);
    assert_close(released(&run) / small, 1, 1e-3); /* the second has gone, the first is held */
    assert_close(released(&run) / small, 1, 1e-3);
    end(&run);
}

/* z points up unless the emitter says otherwise; its place, turn and size move the file's. */
static void test_particles_are_placed(void **state)
{
    (void)state;
    write_text("a.csv", "x,y,z\n0.1,0.2,0.05\n");
    Run run = start(EMITTER("particles: a.csv, center: [0.5, 0.1, 0.5], size: 2, "
                            "particle_radius: 0.01"));
    double middle[3];
    assert_close(released(&run) / ball_volume(0.02), 1, 1e-3);
    middle_of(&run, middle);
    assert_close(middle[0], 0.7, 2e-3);
    assert_close(middle[1], 0.2, 2e-3);
    assert_close(middle[2], 0.1, 2e-3);
    end(&run);
    run = start(EMITTER("particles: a.csv, center: [0.5, 0.1, 0.5], size: 2, "
                        "particle_radius: 0.01, up: y, rotation: [0, 1, 0, 90]"));
    assert_close(released(&run) / ball_volume(0.02), 1, 1e-3);
    middle_of(&run, middle);
    assert_close(middle[0], 0.6, 2e-3); /* x goes to -z, and z to x */
    assert_close(middle[1], 0.5, 2e-3);
    assert_close(middle[2], 0.3, 2e-3);
    end(&run);
}

/* The air in a particle takes its velocity, turned and scaled with it, and air beside it does not
 * stop. */
static void test_particles_drive(void **state)
{
    (void)state;
    write_text("a.csv", "x,y,z,vx,vy,vz,radius\n0.5,0.5,0.5,0.1,0,0,0.2\n");
    static const struct {
        const char *text;
        int axis;
        double speed;
    } ways[] = {
        {EMITTER("particles: a.csv, grip: 1000, " IN_PLACE), 0, 0.1},
        {EMITTER("particles: a.csv, grip: 1000, velocity: [0.2, 0, 0], " IN_PLACE), 0, 0.3},
        {EMITTER("particles: a.csv, grip: 1000, center: [0.25, 0.25, 0.75], size: 0.5, up: y, "
                 "rotation: [0, 1, 0, 90]"),
         2, -0.05},
    };
    for (int w = 0; w < LENGTH(ways); w++) {
        Run run = start(ways[w].text);
        const int axis = ways[w].axis;
        released(&run);
        const BillowView view = billow_view(run.sim);
        const float *const faces[3] = {view.u, view.v, view.w};
        double most = 0;
        for (int c = 10; c < 30; c++) {
            const ptrdiff_t at = 20 + 20 * view.wind_stride_y + 20 * view.wind_stride_z,
                            step[3] = {1, view.wind_stride_y, view.wind_stride_z};
            double speed = (double)faces[axis][at + (c - 20) * step[axis]];
            most = fabs(speed) > fabs(most) ? speed : most;
        }
        /* The air around a ball takes a third of its push, as the potential of a dipole does. */
        assert_close(most, 2.0 / 3 * ways[w].speed, 0.1 * fabs(ways[w].speed));
        end(&run);
    }
}

/* Numbered files: one a frame; without ids their velocity moves them. */
static void test_numbered_particles(void **state)
{
    (void)state;
    write_text("a_1.csv", "x,y,z,vx,vy,vz,radius\n0.3,0.5,0.5,0,1,0,0.02\n");
    write_text("a_2.csv", "x,y,z,vx,vy,vz,radius\n0.6,0.5,0.5,0,0,0,0.03\n");
    Run run = start(EMITTER("particles: a_%d.csv, frame_rate: 5, " IN_PLACE));
    double middle[3];
    BillowError error = {""};
    assert_close(released(&run) / ball_volume(0.02), 1, 1e-3);
    middle_of(&run, middle);
    assert_close(middle[0], 0.3, 2e-3);
    assert_close(middle[1], 0.55, 2e-3); /* from 0.5 to 0.6 */
    assert_close(released(&run) / ball_volume(0.02), 1, 1e-3);
    for (int steps = 0; steps < 3; steps++)
        assert_close(released(&run) / ball_volume(0.03), 1, 1e-3);
    assert_true(scene_play_check(run.play, &error));
    end(&run);
    run = start(EMITTER("particles: a_%d.csv, frame_rate: 5, repeat: loop, " IN_PLACE));
    for (int steps = 0; steps < 8; steps++)
        assert_close(released(&run) / ball_volume(steps % 4 < 2 ? 0.02 : 0.03), 1, 1e-3);
    end(&run);
}

/* A loop of one file goes on at its first time, after as long an interval as the last one. */
static void test_particles_loop(void **state)
{
    (void)state;
    write_text("a.csv", "time,x,y,z,radius\n5,0.3,0.5,0.5,0.02\n5.2,0.5,0.5,0.5,0.03\n");
    Run run = start(EMITTER("particles: a.csv, repeat: loop, " IN_PLACE));
    for (int steps = 0; steps < 50; steps++)
        assert_true(released(&run) == 0); /* before its first time */
    for (int steps = 0; steps < 8; steps++)
        assert_close(released(&run) / ball_volume(steps % 4 < 2 ? 0.02 : 0.03), 1, 1e-3);
    end(&run);
}

/* Goes on in a new play and a new simulation. */
static void resume(Run *run)
{
    BillowError error = {""};
    BillowDef def = scene_def(&run->scene);
    Run next = {.scene = run->scene, .play = scene_play_create(&run->scene, &def, &error)};
    next.sim = billow_create(&def, &error);
    assert_true(next.play != NULL && next.sim != NULL);
    const size_t bytes = billow_state_bytes(run->sim);
    void *state = malloc(bytes);
    assert_non_null(state);
    billow_save_state(run->sim, state);
    assert_true(billow_load_state(next.sim, state, bytes, &error));
    free(state);
    end(run);
    *run = next;
}

/* The same bits at 1 and at 3 threads, and when a state continues in a new play. */
static void test_particles_threads_and_states(void **state)
{
    (void)state;
    uint64_t hashes[3];
    char text[1024] = "time,id,x,y,z,vx,vy,vz\n";
    for (int p = 0; p < 12; p++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%g,%d,0.%d,0.4,0.%d,0.%d,1,0\n",
                 p < 6 ? 0.0 : 0.3, p % 6, 2 + p % 6, 7 - p % 5, p);
    write_text("a.csv", text);
    for (int way = 0; way < 3; way++) {
        Scene scene =
            scene_of(EMITTER("particles: a.csv, particle_radius: 0.04, grip: 9, " IN_PLACE));
        scene.def.threads = way == 1 ? 3 : 1;
        Run run = {.scene = scene};
        BillowDef def = scene_def(&scene);
        BillowError error = {""};
        run.play = scene_play_create(&scene, &def, &error);
        run.sim = billow_create(&def, &error);
        assert_true(run.play != NULL && run.sim != NULL);
        for (int steps = 0; steps < 6; steps++) {
            if (way == 2 && steps == 2)
                resume(&run);
            released(&run);
        }
        hashes[way] = billow_state_hash(run.sim);
        end(&run);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

static void test_particles_refusals(void **state)
{
    (void)state;
    static const Wrong parsed[] = {
        {"emitters: [{particles: a.csv, mesh: a.csv}]\n", "takes its shape from particles or from"},
        {"emitters: [{particles: a.csv, shape: box}]\n", "from particles; leave 'shape' out"},
        {"solids: [{particles: a.csv}]\n", "has particles, which only an emitter can follow"},
        {"emitters: [{particles: gone.csv}]\n", "names gone.csv, which"},
    };
    static const Wrong made[] = {
        {EMITTER("particles: a.csv, " IN_PLACE),
         "emitters[0]: a.csv: its particles have no radius; give them one by particle_radius"},
        {EMITTER("particles: a.csv, particle_radius: 1, first_frame: 3, size: 0"),
         "emitters[0]: its size must be more than 0"},
    };
    BillowError error;
    write_text("a.csv", "x,y,z\n1,2,3\n");
    for (int w = 0; w < LENGTH(parsed); w++) {
        Scene scene = *scene_default();
        assert_false(parse(parsed[w].input, strlen(parsed[w].input), &scene, &error));
        if (strstr(error.text, parsed[w].message) == NULL)
            fail_msg("%s", error.text);
    }
    for (int w = 0; w < LENGTH(made); w++) {
        const Scene scene = scene_of(made[w].input);
        BillowDef def = scene_def(&scene);
        assert_null(scene_play_create(&scene, &def, &error));
        if (strstr(error.text, made[w].message) == NULL)
            fail_msg("%s", error.text);
    }
    write_text("a.csv", "x,y,z\n1,2,c\n");
    const Scene scene = scene_of(EMITTER("particles: a.csv, " IN_PLACE));
    BillowDef def = scene_def(&scene);
    assert_null(scene_play_create(&scene, &def, &error));
    assert_non_null(strstr(error.text, "emitters[0]: a.csv: line 2: 'c' in column 3 is no number"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv_columns_are_found_by_name),
        cmocka_unit_test(test_particles_are_put_in_order),
        cmocka_unit_test(test_csv_refusals),
        cmocka_unit_test(test_npz),
        cmocka_unit_test(test_npz_refusals),
        cmocka_unit_test(test_balls_have_their_volume),
        cmocka_unit_test(test_balls_that_overlap),
        cmocka_unit_test(test_velocity_and_distance_of_balls),
        cmocka_unit_test(test_balls_outside_the_room),
        cmocka_unit_test(test_particles_release),
        cmocka_unit_test(test_particles_are_placed),
        cmocka_unit_test(test_particles_drive),
        cmocka_unit_test(test_numbered_particles),
        cmocka_unit_test(test_particles_loop),
        cmocka_unit_test(test_particles_threads_and_states),
        cmocka_unit_test(test_particles_refusals),
    };
    return cmocka_run_group_tests_name("particles", tests, enter_folder, leave_folder);
}
