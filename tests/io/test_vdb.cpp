/* SPDX-License-Identifier: MIT
 * .vdb files, read back by OpenVDB: names, positions, values and empty cells. */
extern "C" {
#include "io/vdb_file.h"
#include "volume_fixture.h"
}

#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>
#include <string>
#include <unistd.h>
#ifdef BILLOW_NANOVDB
#if __has_include(<nanovdb/io/IO.h>)
#include <nanovdb/io/IO.h>
#else
#include <nanovdb/util/IO.h>
#endif
#endif

extern "C" {
#include <cmocka.h>
}

namespace
{

char folder[] = "/tmp/billow-test-vdb-XXXXXX";

int enter_folder(void **)
{
    openvdb::initialize();
    return mkdtemp(folder) != nullptr ? chdir(folder) : -1;
}

int leave_folder(void **)
{
    return chdir("/") != 0 ? -1 : rmdir(folder);
}

VolumeFrame make(VolumeUp up)
{
    VolumeFrame frame;
    BillowError error = {"nothing said why"};
    if (!volume_make(&frame, up, &error))
        fail_msg("%s", error.text);
    return frame;
}

void write(const char *path, const VolumeFrame &frame, bool whole_floats)
{
    BillowError error = {"nothing said why"};
    VolumeFrame written = frame;
    written.whole_floats = whole_floats;
    written.fps = 10;
    if (!vdb_file_write(path, &written, nullptr, &error))
        fail_msg("%s", error.text);
}

openvdb::GridPtrVecPtr read(const char *path, openvdb::MetaMap::Ptr *metadata = nullptr)
{
    openvdb::io::File file(path);
    file.open(false);
    openvdb::GridPtrVecPtr grids = file.getGrids();
    if (metadata != nullptr)
        *metadata = file.getMetadata();
    file.close();
    unlink(path);
    return grids;
}

/* The file has them by their names. */
const openvdb::GridBase &named(const openvdb::GridPtrVecPtr &grids, const char *name)
{
    for (const auto &grid : *grids)
        if (grid->getName() == name)
            return *grid;
    fail_msg("there is no grid %s", name);
    return *grids->front();
}

float part_of(float value, int)
{
    return value;
}

float part_of(const openvdb::Vec3s &value, int part)
{
    return value[part];
}

/* Numbers of 16 bits have 11 digits, two fewer far below 1. */
void check_value(const VolumeField &field, float value, float wanted, bool whole_floats)
{
    double error = std::abs(double(value) - double(wanted));
    double most = whole_floats ? 1e-6 * std::abs(wanted) : std::abs(wanted) / 2048 + 1e-7;
    if (!(error <= most + field.least))
        fail_msg("%s is %g, not %g", field.of.name, double(value), double(wanted));
}

template <typename Grid>
void check_grid(const VolumeFrame &frame, const VolumeField &field, const Grid &grid,
                bool whole_floats)
{
    auto accessor = grid.getConstAccessor();
    for (int k = 0; k < frame.n[2]; k++)
        for (int j = 0; j < frame.n[1]; j++)
            for (int i = 0; i < frame.n[0]; i++) {
                int cell[3] = {i, j, k};
                auto value = accessor.getValue(openvdb::Coord(i, j, k));
                bool away = false;
                for (int part = 0; part < field.of.components; part++) {
                    float wanted = volume_expected(&frame, field.of.name, part, cell);
                    check_value(field, part_of(value, part), wanted, whole_floats);
                    away = away || std::abs(wanted - field.background) > 2 * field.least;
                }
                if (away != accessor.isValueOn(openvdb::Coord(i, j, k)))
                    fail_msg("%s of %d, %d, %d is %s", field.of.name, i, j, k,
                             away ? "left out" : "not left out");
            }
}

void check_place(const VolumeFrame &frame, const openvdb::GridBase &grid)
{
    openvdb::Vec3d voxel = grid.voxelSize(), corner = grid.indexToWorld(openvdb::Vec3d(-0.5));
    for (int axis = 0; axis < 3; axis++) {
        assert_true(std::abs(voxel[axis] - frame.cell_size) < 1e-12);
        assert_true(std::abs(corner[axis] - frame.origin[axis]) < 1e-12);
    }
    openvdb::CoordBBox extent = grid.evalActiveVoxelBoundingBox();
    for (int axis = 0; axis < 3 && !extent.empty(); axis++)
        assert_true(extent.min()[axis] >= 0 && extent.max()[axis] < frame.n[axis]);
}

void check_file(const VolumeFrame &frame, bool whole_floats)
{
    openvdb::MetaMap::Ptr metadata;
    write("a.vdb", frame, whole_floats);
    openvdb::GridPtrVecPtr grids = read("a.vdb", &metadata);
    assert_int_equal(grids->size(), frame.field_count);
    assert_string_equal(metadata->metaValue<std::string>("creator").c_str(),
                        "Billow " BILLOW_VERSION);
    assert_string_equal(metadata->metaValue<std::string>("scene").c_str(), frame.scene);
    assert_true(metadata->metaValue<double>("time") == 1.5);
    assert_true(metadata->metaValue<double>("fps") == 10);
    assert_int_equal(metadata->metaValue<int32_t>("frame"), 15);
    for (int index = 0; index < frame.field_count; index++) {
        const VolumeField &field = frame.fields[index];
        const openvdb::GridBase &grid = named(grids, field.of.name);
        assert_int_equal(grid.saveFloatAsHalf(), !whole_floats);
        assert_string_equal(grid.metaValue<std::string>("unit").c_str(), field.of.unit);
        check_place(frame, grid);
        if (field.of.components == 1) {
            assert_int_equal(grid.getGridClass(), openvdb::GRID_FOG_VOLUME);
            check_grid(frame, field, dynamic_cast<const openvdb::FloatGrid &>(grid), whole_floats);
        } else
            check_grid(frame, field, dynamic_cast<const openvdb::Vec3SGrid &>(grid), whole_floats);
    }
}

void test_round_trip(void **)
{
    for (VolumeUp up : {VOLUME_UP_Y, VOLUME_UP_Z}) {
        VolumeFrame frame = make(up);
        check_file(frame, false);
        check_file(frame, true);
        volume_frame_destroy(&frame);
    }
}

VolumeField *find(VolumeFrame &frame, const char *name)
{
    for (int index = 0; index < frame.field_count; index++)
        if (strcmp(frame.fields[index].of.name, name) == 0)
            return &frame.fields[index];
    return nullptr;
}

/* Heat beyond what 16 bits hold is the most that they do, and not infinite. */
void test_large_numbers_stay_finite(void **)
{
    VolumeFrame frame = make(VOLUME_UP_Y);
    float *values = find(frame, "temperature")->values;
    values[0] = 1e6f;
    values[1] = -1e6f;
    for (bool whole_floats : {false, true}) {
        write("a.vdb", frame, whole_floats);
        auto grids = read("a.vdb");
        const auto &grid = dynamic_cast<const openvdb::FloatGrid &>(named(grids, "temperature"));
        float most = whole_floats ? 1e6f : 65504;
        assert_true(grid.tree().getValue(openvdb::Coord(0, 0, 0)) == most);
        assert_true(grid.tree().getValue(openvdb::Coord(1, 0, 0)) == -most);
    }
    volume_frame_destroy(&frame);
}

std::string bytes(const char *path)
{
    std::ifstream stream(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    unlink(path);
    return text;
}

void test_same_fields_same_bytes(void **)
{
    VolumeFrame frame = make(VOLUME_UP_Z);
    write("a.vdb", frame, false);
    write("b.vdb", frame, false);
    std::string first = bytes("a.vdb");
    assert_true(first == bytes("b.vdb"));
    find(frame, "density")->values[0] = 7;
    write("b.vdb", frame, false);
    /* The name in the header, by which programs tell files apart, is another too. */
    assert_true(first.substr(21, 36) != bytes("b.vdb").substr(21, 36));
    volume_frame_destroy(&frame);
}

void test_nothing_but_air(void **)
{
    VolumeFrame frame = make(VOLUME_UP_Z);
    size_t cells = size_t(VOLUME_NX) * VOLUME_NY * VOLUME_NZ;
    for (int index = 0; index < frame.field_count; index++)
        for (size_t at = 0; at < cells * size_t(frame.fields[index].of.components); at++)
            frame.fields[index].values[at] = frame.fields[index].background;
    write("a.vdb", frame, false);
    auto grids = read("a.vdb");
    assert_int_equal(grids->size(), VOLUME_FIELDS);
    for (const auto &grid : *grids)
        assert_int_equal(grid->activeVoxelCount(), 0);
    volume_frame_destroy(&frame);
}

/* A packed chunk whose stated size is negative: OpenVDB 10 takes so many bytes of the file into a
 * buffer that is smaller, in the process that reads. */
void test_negative_chunk(void **)
{
    openvdb::FloatGrid::Ptr grid = openvdb::FloatGrid::create(0);
    for (int cell = 0; cell < 32 * 32 * 32; cell++)
        grid->tree().setValue(openvdb::Coord(cell % 32, cell / 32 % 32, cell / 1024),
                              float(cell * 2654435761u % 1000));
    grid->setName("density");
    openvdb::io::File file("a.vdb");
    file.setCompression(openvdb::io::COMPRESS_ZIP);
    file.write({grid});
    file.close();
    std::string text = bytes("a.vdb");
    int64_t size = 0;
    size_t at = 0;
    for (; at + 16 < text.size(); at++) {
        memcpy(&size, &text[at], sizeof size);
        if (size > 700 && size < 2048 && text[at + 8] == 0x78)
            break; /* a leaf's, whose first byte is the one of what zlib makes */
    }
    size = -int64_t(text.size() - at - 8);
    memcpy(&text[at], &size, sizeof size);
    BillowError error = {""};
    assert_null(vdb_file_read(text.data(), text.size(), nullptr, &error));
    const char wanted[] = "damaged: OpenVDB ended while reading it";
    if (strncmp(error.text, wanted, sizeof wanted - 1) != 0)
        fail_msg("'%s'", error.text);
}

#ifdef BILLOW_NANOVDB
template <typename Nano, typename Grid>
void compare_nano(const nanovdb::GridHandle<nanovdb::HostBuffer> &handle, const Grid &right)
{
    const auto *grid = handle.grid<Nano>();
    assert_non_null(grid);
    assert_int_equal(grid->activeVoxelCount(), right.activeVoxelCount());
    for (auto at = right.cbeginValueOn(); at; ++at) {
        const openvdb::Coord cell = at.getCoord();
        const auto found = grid->tree().getValue(nanovdb::Coord(cell[0], cell[1], cell[2]));
        assert_memory_equal(&found, &*at, sizeof found);
    }
    for (int corner = 0; corner < 2; corner++) {
        const auto found = grid->indexToWorld(nanovdb::Vec3d(3 * corner, 5, 7));
        const auto wanted = right.indexToWorld(openvdb::Vec3d(3 * corner, 5, 7));
        for (int axis = 0; axis < 3; axis++)
            assert_true(std::abs(found[axis] - wanted[axis]) < 1e-6);
    }
}

/* A .nvdb has the grids, the active voxels, the values and the places of a .vdb. */
void test_nano(void **)
{
    VolumeFrame frame = make(VOLUME_UP_Z);
    BillowError error = {"nothing said why"};
    write("a.vdb", frame, true);
    assert_true(nvdb_file_available(&error));
    if (!nvdb_file_write("a.nvdb", &frame, nullptr, &error))
        fail_msg("%s", error.text);
    auto right = read("a.vdb");
    auto handles = nanovdb::io::readGrids("a.nvdb");
    unlink("a.nvdb");
    assert_int_equal(handles.size(), right->size());
    for (const auto &handle : handles) {
        const openvdb::GridBase &grid = named(right, handle.gridMetaData()->shortGridName());
        if (grid.isType<openvdb::FloatGrid>())
            compare_nano<float>(handle, static_cast<const openvdb::FloatGrid &>(grid));
        else
            compare_nano<nanovdb::Vec3f>(handle, static_cast<const openvdb::Vec3SGrid &>(grid));
    }
    volume_frame_destroy(&frame);
}
#endif

void test_whole_or_not_there(void **)
{
    VolumeFrame frame = make(VOLUME_UP_Y);
    BillowError error;
    assert_true(vdb_file_available(&error));
    assert_false(vdb_file_write("/dev/full", &frame, nullptr, &error));
    assert_string_equal(error.text,
                        "/dev/full: could not be written completely: No space left on device");
    assert_false(vdb_file_write("no/a.vdb", &frame, nullptr, &error));
    assert_string_equal(error.text, "no/a.vdb: cannot be written: there is no folder no/");
    volume_frame_destroy(&frame);
}

} // namespace

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_large_numbers_stay_finite),
        cmocka_unit_test(test_same_fields_same_bytes),
        cmocka_unit_test(test_nothing_but_air),
        cmocka_unit_test(test_negative_chunk),
#ifdef BILLOW_NANOVDB
        cmocka_unit_test(test_nano),
#endif
        cmocka_unit_test(test_whole_or_not_there),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
