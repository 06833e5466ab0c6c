/* SPDX-License-Identifier: MIT
 * .vdb files of other programs: voxels of any size, numbers of 64 bits, names in any case, grids
 * without a name, values outside of the voxels and values that are no numbers. */
extern "C" {
#include "io/vdb_file.h"
#include "scene/scene_initial.h"
}

#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" {
#include <cmocka.h>
}

namespace
{

using openvdb::Coord;
using openvdb::CoordBBox;
using openvdb::FloatGrid;
using openvdb::Vec3d;

std::string bytes_of(const openvdb::GridCPtrVec &grids)
{
    char path[] = "/tmp/billow-test-kinds-XXXXXX";
    close(mkstemp(path));
    openvdb::io::File file(path);
    file.write(grids);
    file.close();
    std::ifstream stream(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    unlink(path);
    return text;
}

VdbFile *open(const std::string &bytes)
{
    BillowError error = {""};
    VdbFile *file = vdb_file_read(bytes.data(), bytes.size(), nullptr, &error);
    if (file == nullptr)
        fail_msg("%s", error.text);
    return file;
}

VdbFile *open(const openvdb::GridBase::ConstPtr &grid)
{
    return open(bytes_of({grid}));
}

void assert_close(double found, double right, double tolerance)
{
    if (!(std::abs(found - right) <= tolerance))
        fail_msg("%.9g instead of %.9g", found, right);
}

/* n points along each axis, `step` apart, around a middle, turned about z. */
VdbLattice lattice_around(const Vec3d &middle, int n, double step, double turn)
{
    VdbLattice lattice = {};
    const double axes[3][3] = {
        {std::cos(turn), std::sin(turn), 0}, {-std::sin(turn), std::cos(turn), 0}, {0, 0, 1}};
    for (int row = 0; row < 3; row++) {
        lattice.n[row] = n;
        for (int axis = 0; axis < 3; axis++)
            lattice.step[row][axis] = step * axes[row][axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        lattice.first[axis] = middle[axis];
        for (int row = 0; row < 3; row++)
            lattice.first[axis] -= 0.5 * (n - 1) * lattice.step[row][axis];
    }
    return lattice;
}

std::vector<float> sample(const VdbFile *file, const char *name, const VdbLattice &lattice,
                          int components)
{
    BillowError error = {""};
    std::vector<float> values(size_t(lattice.n[0]) * size_t(lattice.n[1]) * size_t(lattice.n[2]) *
                              size_t(components));
    if (!vdb_file_sample(file, name, &lattice, components, values.data(), &error))
        fail_msg("%s", error.text);
    return values;
}

double sum_of(const std::vector<float> &values)
{
    double sum = 0;
    for (float value : values)
        sum += double(value);
    return sum;
}

FloatGrid::Ptr fog(double voxel, const char *name)
{
    FloatGrid::Ptr grid = FloatGrid::create(0);
    grid->setTransform(openvdb::math::Transform::createLinearTransform(voxel));
    grid->setName(name);
    grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    return grid;
}

/* -- voxels of any size ------------------------------------------------------------------------ */

/* A sheet one voxel thin keeps its integral on lattices of up to forty voxels a step, wherever it
 * lies and however the lattice is turned. */
void test_thin_sheets(void **)
{
    for (int shift = 0; shift < 4; shift++) {
        FloatGrid::Ptr grid = fog(0.004, "density");
        grid->fill(CoordBBox(Coord(0, shift, 0), Coord(149, shift, 149)), 1.0f, true);
        VdbFile *file = open(grid);
        const double right = 150.0 * 150 * 0.004 * 0.004 * 0.004;
        for (double step : {0.00401, 0.0071, 0.0625, 0.16})
            for (double turn : {0.0, 0.5}) {
                const int n = int(std::ceil(1.0 / step));
                const VdbLattice lattice = lattice_around(Vec3d(0.3, 0, 0.3), n, step, turn);
                const double sum = sum_of(sample(file, "density", lattice, 1));
                assert_close(sum * step * step * step / right, 1, 1e-4);
            }
        vdb_file_close(file);
    }
}

/* The large constant parts of a tree are tiles, which count as all of their voxels; the lattice
 * sees its part of them. */
void test_tiles(void **)
{
    FloatGrid::Ptr grid = fog(0.01, "density");
    grid->sparseFill(CoordBBox(Coord(-128, -128, -128), Coord(127, 127, 127)), 2.0f, true);
    VdbFile *file = open(grid);
    VdbLattice lattice = lattice_around(Vec3d(0, 0, 0), 30, 0.15, 0.3);
    const double all = sum_of(sample(file, "density", lattice, 1)) * 0.15 * 0.15 * 0.15;
    assert_close(all / (2 * std::pow(2.56, 3)), 1, 1e-4);
    lattice = lattice_around(Vec3d(0.3, 0.1, 0), 5, 0.15, 0.3);
    for (float value : sample(file, "density", lattice, 1))
        assert_close(double(value), 2, 0.02); /* parts of tiles do not turn */
    vdb_file_close(file);
}

/* Where voxels are larger than the steps, values are interpolated. */
void test_coarse_voxels(void **)
{
    FloatGrid::Ptr grid = fog(1, "density");
    for (int x = 0; x < 8; x++)
        grid->fill(CoordBBox(Coord(x, 0, 0), Coord(x, 7, 7)), float(x), true);
    VdbFile *file = open(grid);
    const VdbLattice lattice = lattice_around(Vec3d(3.5, 3.5, 3.5), 7, 0.25, 0);
    const std::vector<float> values = sample(file, "density", lattice, 1);
    for (int i = 0; i < 7; i++)
        assert_close(double(values[size_t(i)]), 3.5 + 0.25 * (i - 3), 1e-5);
    vdb_file_close(file);
}

/* Vectors are means over a step. Where only active voxels count, as for colours, the edge of a
 * block has their value; staggered vectors lie at the faces. */
void test_vectors(void **)
{
    constexpr int EDGE = 12;
    constexpr double STEP = 0.11;
    for (int staggered = 0; staggered < 2; staggered++) {
        openvdb::Vec3SGrid::Ptr grid = openvdb::Vec3SGrid::create(openvdb::Vec3s(0));
        grid->setTransform(openvdb::math::Transform::createLinearTransform(0.1));
        grid->setName("vel");
        grid->setGridClass(staggered ? openvdb::GRID_STAGGERED : openvdb::GRID_UNKNOWN);
        grid->fill(CoordBBox(Coord(0, 0, 0), Coord(9, 9, 9)), openvdb::Vec3s(1, 2, 3), true);
        VdbFile *file = open(grid);
        VdbLattice lattice = lattice_around(Vec3d(0.45, 0.45, 0.45), EDGE, STEP, 0);
        std::vector<float> values = sample(file, "vel", lattice, 3);
        double middle[3] = {0, 0, 0}, mass = 0;
        for (int p = 0; p < EDGE * EDGE * EDGE; p++) {
            mass += double(values[size_t(3 * p)]);
            for (int axis = 0; axis < 3; axis++) {
                const int index = axis == 0   ? p % EDGE
                                  : axis == 1 ? p / EDGE % EDGE
                                              : p / EDGE / EDGE;
                middle[axis] +=
                    (0.45 + STEP * (index - 0.5 * (EDGE - 1))) * double(values[size_t(3 * p)]);
            }
        }
        assert_close(mass * STEP * STEP * STEP, 1, 1e-4);
        assert_close(middle[0] / mass, staggered ? 0.4 : 0.45, 5e-3); /* of the x component */
        assert_close(middle[1] / mass, 0.45, 1e-5);
        lattice.covered = 1;
        values = sample(file, "vel", lattice, 3);
        for (int p = 0; p < EDGE * EDGE * EDGE; p++)
            for (int axis = 0; axis < 3; axis++)
                if (values[size_t(3 * p + axis)] != 0)
                    assert_close(double(values[size_t(3 * p + axis)]), axis + 1, 1e-5);
        vdb_file_close(file);
    }
}

/* -- types and names --------------------------------------------------------------------------- */

void test_numbers_of_64_bits(void **)
{
    openvdb::DoubleGrid::Ptr grid = openvdb::DoubleGrid::create(0);
    openvdb::Vec3DGrid::Ptr vectors = openvdb::Vec3DGrid::create(Vec3d(0));
    grid->setName("density");
    vectors->setName("vel");
    grid->fill(CoordBBox(Coord(0, 0, 0), Coord(3, 3, 3)), 0.25, true);
    grid->sparseFill(CoordBBox(Coord(0, 0, 8), Coord(7, 7, 15)), 0.5, true);
    vectors->fill(CoordBBox(Coord(0, 0, 0), Coord(3, 3, 3)), Vec3d(1, 2, 3), true);
    VdbFile *file = open(bytes_of({grid, vectors}));
    VdbGrid found;
    assert_true(vdb_file_grid(file, "density", &found));
    assert_close(found.sum, 64 * 0.25 + 512 * 0.5, 1e-9);
    const VdbLattice lattice = lattice_around(Vec3d(1.5, 1.5, 1.5), 2, 2, 0);
    for (float value : sample(file, "density", lattice, 1))
        assert_close(double(value), 0.25, 1e-6);
    const std::vector<float> values = sample(file, "vel", lattice, 3);
    for (int p = 0; p < 8; p++)
        for (int axis = 0; axis < 3; axis++)
            assert_close(double(values[size_t(3 * p + axis)]), axis + 1, 1e-6);
    vdb_file_close(file);
}

/* Finds the smoke of a file with these fogs. */
std::string found_among(const std::vector<const char *> &names, const char *wanted, bool level_set)
{
    openvdb::GridCPtrVec grids;
    for (const char *name : names) {
        FloatGrid::Ptr grid = fog(1, name);
        grid->tree().setValue(Coord(0, 0, 0), 1);
        if (level_set)
            grid->setGridClass(openvdb::GRID_LEVEL_SET);
        grids.push_back(grid);
    }
    VdbFile *file = open(bytes_of(grids));
    char name[VDB_NAME];
    VdbGrid grid;
    const bool found = vdb_file_find(file, wanted, level_set, name, &grid);
    vdb_file_close(file);
    return found ? name : "none";
}

void test_names(void **)
{
    assert_string_equal(found_among({"heat", "Density"}, "density", false).c_str(), "density");
    assert_string_equal(found_among({"heat", "SMOKE"}, "density", false).c_str(), "smoke");
    assert_string_equal(found_among({"Smoke", "DENSITY"}, "density", false).c_str(), "density");
    assert_string_equal(found_among({""}, "density", false).c_str(), "");
    assert_string_equal(found_among({"cloud"}, "density", false).c_str(), "cloud");
    assert_string_equal(found_among({"cloud", "mist"}, "density", false).c_str(), "none");
    assert_string_equal(found_among({"cloud", "mist"}, "Mist", false).c_str(), "Mist");
    assert_string_equal(found_among({"cloud"}, "mist", false).c_str(), "none");
    assert_string_equal(found_among({"surface"}, "density", true).c_str(), "surface");
    char names[200];
    FloatGrid::Ptr surface = fog(1, "surface");
    surface->setGridClass(openvdb::GRID_LEVEL_SET);
    openvdb::Int32Grid::Ptr ids = openvdb::Int32Grid::create(0);
    ids->setName("id");
    VdbFile *file = open(bytes_of({surface, ids, fog(1, "")}));
    vdb_file_names(file, names, sizeof names);
    assert_string_equal(names, "surface (level set), id (int32), one without a name");
    VdbGrid grid;
    assert_false(vdb_file_grid(file, "id", &grid));
    vdb_file_close(file);
}

/* -- unusual values ---------------------------------------------------------------------------- */

void test_values_outside(void **)
{
    FloatGrid::Ptr grid = FloatGrid::create(0.5f);
    grid->setName("density");
    grid->fill(CoordBBox(Coord(0, 0, 0), Coord(1, 1, 1)), 1.0f, true);
    VdbFile *file = open(grid);
    VdbGrid found;
    assert_true(vdb_file_grid(file, "density", &found));
    assert_true(found.outside == 0.5 && !found.empty);
    for (double step : {0.4, 2.0}) {
        const VdbLattice lattice = lattice_around(Vec3d(0.5, 0.5, 0.5), 12, step, 0);
        const std::vector<float> values = sample(file, "density", lattice, 1);
        assert_true(values[0] == 0);
        assert_close(sum_of(values) * step * step * step, 8, 0.5);
    }
    vdb_file_close(file);
    file = open(fog(1, "density"));
    assert_true(vdb_file_grid(file, "density", &found));
    assert_true(found.empty && found.outside == 0 && found.sum == 0);
    vdb_file_close(file);
}

void test_not_finite(void **)
{
    for (float value : {float(NAN), float(INFINITY)})
        for (double step : {0.5, 3.0}) {
            FloatGrid::Ptr grid = fog(1, "density");
            grid->fill(CoordBBox(Coord(0, 0, 0), Coord(3, 3, 3)), 1.0f, true);
            grid->tree().setValue(Coord(2, -7, 1), value);
            VdbFile *file = open(grid);
            BillowError error = {""};
            const VdbLattice lattice = lattice_around(Vec3d(1.5, 1.5, 1.5), 2, step, 0);
            float values[8];
            assert_false(vdb_file_sample(file, "density", &lattice, 1, values, &error));
            assert_string_equal(error.text, "its voxel (2, -7, 1) is not finite");
            vdb_file_close(file);
        }
}

/* What a scene that begins with the smoke of a file is told of it. */
std::string told(const openvdb::GridBase::ConstPtr &grid, double *mass)
{
    char path[] = "/tmp/billow-test-kinds-XXXXXX";
    const std::string bytes = bytes_of({grid});
    const int descriptor = mkstemp(path);
    assert_int_equal(::write(descriptor, bytes.data(), bytes.size()), bytes.size());
    close(descriptor);
    static Scene scene;
    scene = *scene_default();
    snprintf(scene.initial.vdb, sizeof scene.initial.vdb, "%s", path);
    scene.domain.cells[0] = 16;
    const BillowDef def = scene_def(&scene);
    SceneFields fields;
    BillowError error;
    if (!scene_initial_load(&scene, &def, &fields, &error))
        fail_msg("%s", error.text);
    unlink(path);
    const std::string text = fields.notice.text;
    *mass = fields.mass;
    scene_initial_free(&fields);
    return text.empty() ? text : text.substr(strlen(path));
}

void test_notices(void **)
{
    double mass;
    FloatGrid::Ptr grid = fog(0.01, "smoke");
    assert_string_equal(told(grid, &mass).c_str(), ": its grid 'smoke' is empty");
    assert_true(mass == 0);
    grid = FloatGrid::create(0.5f);
    grid->setTransform(openvdb::math::Transform::createLinearTransform(0.01));
    grid->setName("density");
    grid->fill(CoordBBox(Coord(20, -30, 20), Coord(29, -21, 29)), 2.0f, true);
    assert_string_equal(
        told(grid, &mass).c_str(),
        ": its grid 'density' is 0.5 outside of its active voxels, which counts as 0");
    assert_close(mass, 2 * 0.001, 1e-7);
    grid = fog(0.01, "");
    grid->fill(CoordBBox(Coord(20, -30, 20), Coord(29, -21, 29)), 2.0f, true);
    assert_string_equal(told(grid, &mass).c_str(), "");
    assert_close(mass, 2 * 0.001, 1e-7);
}

/* -- other versions of the format -------------------------------------------------------------- */

void test_versions(void **)
{
    FloatGrid::Ptr grid = fog(1, "density");
    grid->fill(CoordBBox(Coord(0, 0, 0), Coord(3, 3, 3)), 1.0f, true);
    std::string bytes = bytes_of({grid});
    for (char version : {char(225), char(226)}) { /* of types that are known */
        bytes[8] = version;
        VdbFile *file = open(bytes);
        VdbGrid found;
        assert_true(vdb_file_grid(file, "density", &found));
        assert_close(found.sum, 64, 1e-9);
        vdb_file_close(file);
    }
    BillowError error = {""};
    const size_t type = bytes.find("Tree_float");
    assert_true(type != std::string::npos);
    memcpy(&bytes[type], "Tree_fl16t", 10);
    assert_null(vdb_file_read(bytes.data(), bytes.size(), nullptr, &error));
    if (strstr(error.text, "OpenVDB cannot read it") == nullptr ||
        strstr(error.text, "Tree_fl16t") == nullptr)
        fail_msg("%s", error.text);
    bytes[8] = char(221);
    assert_null(vdb_file_read(bytes.data(), bytes.size(), nullptr, &error));
    assert_string_equal(error.text,
                        "its format is older than 222, which OpenVDB writes since its version 3");
}

int initialize(void **)
{
    openvdb::initialize();
    return 0;
}

} // namespace

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin_sheets),
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_coarse_voxels),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_numbers_of_64_bits),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_values_outside),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_notices),
        cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, initialize, nullptr);
}
