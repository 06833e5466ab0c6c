/* SPDX-License-Identifier: MIT
 *
 * The part of the module for OpenVDB that reads. Only billow-reader uses it (isolated.h). */
#include "io/vdb_file.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <istream>
#include <memory>
#include <new>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/Dense.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/LevelSetRebuild.h>
#include <openvdb/util/logging.h>
#include <streambuf>
#include <tbb/parallel_for.h>
#include <thread>

struct VdbOpened {
    openvdb::GridPtrVecPtr grids;
    openvdb::MetaMap::Ptr metadata;
};

namespace
{

using openvdb::FloatGrid;
using openvdb::Vec3d;
using openvdb::Vec3SGrid;

/* Reads memory in place. OpenVDB seeks in it. */
class Memory : public std::streambuf
{
  public:
    Memory(const char *bytes, size_t length)
    {
        char *begin = const_cast<char *>(bytes);
        setg(begin, begin, begin + length);
    }

  protected:
    pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override
    {
        off_type base = from == std::ios_base::beg   ? 0
                        : from == std::ios_base::cur ? gptr() - eback()
                                                     : egptr() - eback();
        off_type at = base + offset;
        if (at < 0 || at > egptr() - eback())
            return pos_type(off_type(-1));
        setg(eback(), eback() + at, egptr());
        return pos_type(at);
    }
    pos_type seekpos(pos_type at, std::ios_base::openmode which) override
    {
        return seekoff(off_type(at), std::ios_base::beg, which);
    }
};

/* Runs `work` and turns exceptions into a message. */
template <typename Work> bool guarded(BillowError *error, const char *what, Work work)
{
    try {
        return work();
    } catch (const std::bad_alloc &) {
        snprintf(error->text, sizeof error->text, "not enough memory to read it");
    } catch (const std::ios_base::failure &) {
        snprintf(error->text, sizeof error->text, "it is cut short or damaged");
    } catch (const std::exception &problem) {
        snprintf(error->text, sizeof error->text, "%s: %.200s", what, problem.what());
    }
    return false;
}

bool refuse(BillowError *error, const char *why)
{
    snprintf(error->text, sizeof error->text, "%s", why);
    return false;
}

openvdb::GridBase::ConstPtr find(const VdbOpened *file, const char *name)
{
    for (const openvdb::GridBase::Ptr &grid : *file->grids)
        if (grid && grid->getName() == name &&
            (grid->isType<FloatGrid>() || grid->isType<Vec3SGrid>()))
            return grid;
    return nullptr;
}

/* Whether the lengths of a grid are numbers to compute with. */
bool is_sound(const openvdb::GridBase &grid)
{
    const Vec3d edge = grid.voxelSize(), place = grid.indexToWorld(Vec3d(0, 0, 0));
    bool sound = true;
    for (int axis = 0; axis < 3; axis++)
        sound = sound && edge[axis] > 1e-9 && edge[axis] < 1e9 && std::abs(place[axis]) < 1e9;
    return sound;
}

/* -- the lengths in a file --------------------------------------------------------------------- */

/* Checks the lengths of texts and metadata before OpenVDB allocates memory for them. It would
 * allocate up to 4 GiB for each. */
class Lengths
{
  public:
    Lengths(const char *from, size_t count) : bytes(from), length(count)
    {
    }

    /* Null, or why the file is refused. */
    const char *check()
    {
        constexpr size_t uuid = 36;
        uint32_t version = 0, count = 0;
        if (length < 57 || memcmp(bytes, " BDV", 4) != 0)
            return "no OpenVDB file";
        memcpy(&version, bytes + 8, sizeof version);
        if (version < 222 || version > 224)
            return "its format is not 222 to 224, which OpenVDB writes since its version 3";
        if (bytes[20] == 0)
            return "it was written without the places of its grids";
        at = 21 + uuid;
        if (!skip_metadata() || !take(&count))
            return damaged;
        for (uint32_t grid = 0; grid < count; grid++)
            if (!skip_grid())
                return damaged;
        return nullptr;
    }

  private:
    static constexpr const char *damaged = "it is cut short or damaged";

    bool skip(uint64_t count)
    {
        bool there = count <= length - at;
        at += there ? size_t(count) : 0;
        return there;
    }
    template <typename Number> bool take(Number *number)
    {
        size_t from = at;
        if (!skip(sizeof *number))
            return false;
        memcpy(number, bytes + from, sizeof *number);
        return true;
    }
    bool skip_text()
    {
        uint32_t count;
        return take(&count) && skip(count);
    }
    bool skip_metadata()
    {
        uint32_t count;
        bool good = take(&count);
        for (uint32_t entry = 0; good && entry < count; entry++)
            good = skip_text() && skip_text() && skip_text(); /* name, type and value */
        return good;
    }
    /* A grid has name, type, the grid that it repeats, and where its parts begin and end. */
    bool skip_grid()
    {
        int64_t places[3];
        uint32_t compression;
        for (int text = 0; text < 3; text++)
            if (!skip_text())
                return false;
        for (int64_t &place : places)
            if (!take(&place))
                return false;
        if (places[0] != int64_t(at) || !take(&compression) || !skip_metadata() || !skip_text() ||
            places[2] < int64_t(at) || places[2] > int64_t(length))
            return false;
        at = size_t(places[2]);
        return true;
    }

    const char *bytes;
    size_t length, at = 0;
};

/* Starts the library, and its threads, before the process limits itself. Later memory that is
 * refused ends the process: the library's destructors would need more. */
void prepare(void (*out_of_memory)())
{
    openvdb::initialize();
    openvdb::logging::setLevel(openvdb::logging::Level::Fatal);
    tbb::parallel_for(0, 64, [](int) { std::this_thread::yield(); });
    if (out_of_memory != nullptr)
        std::set_new_handler(out_of_memory);
}

VdbOpened *read_file(const char *bytes, size_t length, BillowError *error)
{
    VdbOpened *file = nullptr;
    guarded(error, "OpenVDB cannot read it", [&] {
        const char *why = Lengths(bytes, length).check();
        if (why != nullptr)
            return refuse(error, why);
        Memory memory(bytes, length);
        std::istream stream(&memory);
        stream.exceptions(std::ios_base::failbit | std::ios_base::badbit | std::ios_base::eofbit);
        openvdb::io::Stream archive(stream, false);
        std::unique_ptr<VdbOpened> made(new VdbOpened);
        made->grids = archive.getGrids();
        made->metadata = archive.getMetadata();
        if (!made->grids || made->grids->empty())
            return refuse(error, "it holds no grids");
        for (const openvdb::GridBase::Ptr &grid : *made->grids)
            if (grid && !is_sound(*grid))
                return refuse(error, "it has a grid whose voxels have no sensible size or place");
        file = made.release();
        return true;
    });
    return file;
}

void close_file(VdbOpened *file)
{
    delete file;
}

/* The box around the active voxels, in the file's coordinates. */
void find_bounds(const openvdb::GridBase &grid, VdbGrid *found)
{
    const openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
    if (box.empty())
        return;
    for (int corner = 0; corner < 8; corner++) {
        Vec3d at;
        for (int axis = 0; axis < 3; axis++)
            at[axis] =
                corner >> axis & 1 ? double(box.max()[axis]) + 0.5 : double(box.min()[axis]) - 0.5;
        const Vec3d place = grid.indexToWorld(at);
        for (int axis = 0; axis < 3; axis++) {
            found->low[axis] = corner == 0 ? place[axis] : std::min(found->low[axis], place[axis]);
            found->high[axis] =
                corner == 0 ? place[axis] : std::max(found->high[axis], place[axis]);
        }
    }
}

bool describe(const VdbOpened *file, const char *name, VdbGrid *found)
{
    const openvdb::GridBase::ConstPtr grid = find(file, name);
    if (!grid)
        return false;
    const Vec3d edge = grid->voxelSize();
    *found = VdbGrid();
    found->components = grid->isType<FloatGrid>() ? 1 : 3;
    found->distances = grid->getGridClass() == openvdb::GRID_LEVEL_SET;
    found->voxel = std::min(edge[0], std::min(edge[1], edge[2]));
    find_bounds(*grid, found);
    if (found->components == 1 && !found->distances) {
        const FloatGrid &numbers = static_cast<const FloatGrid &>(*grid);
        for (auto at = numbers.cbeginValueOn(); at; ++at)
            found->sum += double(*at) * double(at.getVoxelCount());
        found->sum *= edge[0] * edge[1] * edge[2];
    }
    return true;
}

void list_names(const VdbOpened *file, char *names, size_t size)
{
    names[0] = '\0';
    for (const openvdb::GridBase::Ptr &grid : *file->grids) {
        size_t used = strlen(names);
        if (grid)
            snprintf(names + used, size - used, "%s%.60s", used > 0 ? ", " : "",
                     grid->getName().c_str());
    }
}

bool find_up(const VdbOpened *file, VolumeUp *up)
{
    if (!file->metadata)
        return false;
    const auto text = file->metadata->getMetadata<openvdb::StringMetadata>("up");
    const auto creator = file->metadata->getMetadata<openvdb::StringMetadata>("creator");
    if (!text || !creator || creator->value().compare(0, 6, "Billow") != 0)
        return false;
    *up = text->value() == "y" ? VOLUME_UP_Y : VOLUME_UP_Z;
    return true;
}

void add(double *sum, float value)
{
    sum[0] += double(value);
}

void add(double *sum, const openvdb::Vec3s &value)
{
    for (int part = 0; part < 3; part++)
        sum[part] += double(value[part]);
}

/* Samples the lattice. Every point is the mean of lattice.parts^3 points around it. */
template <typename Grid, typename Sampler>
bool sample_all(const Grid &grid, const VdbLattice &lattice, int components, float *values)
{
    typename Grid::ConstAccessor accessor = grid.getConstAccessor();
    openvdb::tools::GridSampler<typename Grid::ConstAccessor, Sampler> sampler(accessor,
                                                                               grid.transform());
    const int parts = lattice.parts, all = parts * parts * parts;
    size_t at = 0;
    bool finite = true;
    for (int k = 0; k < lattice.n[2]; k++)
        for (int j = 0; j < lattice.n[1]; j++)
            for (int i = 0; i < lattice.n[0]; i++, at++) {
                double sum[3] = {0, 0, 0};
                for (int part = 0; part < all; part++) {
                    const double index[3] = {i + (part % parts + 0.5) / parts - 0.5,
                                             j + (part / parts % parts + 0.5) / parts - 0.5,
                                             k + (part / parts / parts + 0.5) / parts - 0.5};
                    Vec3d place;
                    for (int axis = 0; axis < 3; axis++)
                        place[axis] = lattice.first[axis] + index[0] * lattice.step[0][axis] +
                                      index[1] * lattice.step[1][axis] +
                                      index[2] * lattice.step[2][axis];
                    add(sum, sampler.wsSample(place));
                }
                for (int c = 0; c < components; c++) {
                    float value = float(sum[c] / all);
                    finite = finite && std::isfinite(value);
                    values[at * size_t(components) + size_t(c)] = value;
                }
            }
    return finite;
}

bool sample(const VdbOpened *file, const char *name, const VdbLattice *lattice, float *values,
            BillowError *error)
{
    using openvdb::tools::BoxSampler;
    using openvdb::tools::StaggeredBoxSampler;
    return guarded(error, "OpenVDB cannot read it", [&] {
        const openvdb::GridBase::ConstPtr grid = find(file, name);
        bool finite = false;
        if (!grid)
            return refuse(error, "it is cut short or damaged");
        if (grid->isType<FloatGrid>())
            finite = sample_all<FloatGrid, BoxSampler>(static_cast<const FloatGrid &>(*grid),
                                                       *lattice, 1, values);
        else if (grid->getGridClass() == openvdb::GRID_STAGGERED)
            finite = sample_all<Vec3SGrid, StaggeredBoxSampler>(
                static_cast<const Vec3SGrid &>(*grid), *lattice, 3, values);
        else
            finite = sample_all<Vec3SGrid, BoxSampler>(static_cast<const Vec3SGrid &>(*grid),
                                                       *lattice, 3, values);
        return finite || refuse(error, "it holds values that are not finite");
    });
}

/* A surface that leaves the lattice is closed by the lattice's box. */
bool make_distance(const int n[3], float *values, BillowError *error)
{
    return guarded(
        error, "OpenVDB cannot measure it",
        [&] {
            const openvdb::CoordBBox box(0, 0, 0, n[0] - 1, n[1] - 1, n[2] - 1);
            openvdb::tools::Dense<float, openvdb::tools::LayoutXYZ> dense(box, values);
            FloatGrid::Ptr grid = FloatGrid::create(1e6f);
            openvdb::tools::copyFromDense(dense, *grid, 0.0f);
            const FloatGrid::Ptr made =
                openvdb::tools::levelSetRebuild(*grid, 0.0f, float(VDB_BAND));
            openvdb::tools::copyToDense(*made, dense);
            return true;
        });
}

} // namespace

extern "C" {
extern const VdbReader billow_vdb_reader;
}

const VdbReader billow_vdb_reader = {prepare,    read_file, close_file, describe,
                                     list_names, find_up,   sample,     make_distance};
