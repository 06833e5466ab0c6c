/* SPDX-License-Identifier: MIT
 *
 * The part of the module for OpenVDB that reads. Only billow-reader uses it (isolated.h). */
#include "base/number.h"
#include "io/vdb_file.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <istream>
#include <memory>
#include <new>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/ChangeBackground.h>
#include <openvdb/tools/Dense.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/LevelSetRebuild.h>
#include <openvdb/util/logging.h>
#include <streambuf>
#include <string>
#include <tbb/parallel_for.h>
#include <thread>
#include <vector>

/* Grids of 64 bits are read as such of 32 bits. outside: the value between and around the active
 * voxels of each, which counts as 0 in fogs. */
struct VdbOpened {
    openvdb::GridPtrVecPtr grids;
    std::vector<double> outside;
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

bool is_readable(const openvdb::GridBase::Ptr &grid)
{
    return grid && (grid->isType<FloatGrid>() || grid->isType<Vec3SGrid>());
}

bool is_fog(const openvdb::GridBase::Ptr &grid)
{
    return grid && grid->isType<FloatGrid>() && grid->getGridClass() != openvdb::GRID_LEVEL_SET;
}

bool same_word(const std::string &one, const char *other)
{
    size_t at = 0;
    while (at < one.size() && other[at] != 0 &&
           ascii_lower(one[at]) == ascii_lower(other[at]))
        at++;
    return at == one.size() && other[at] == 0;
}

/* The number of the grid of a name, or else of one that differs by its case; -1: none. */
int number_of(const VdbOpened *file, const char *name)
{
    int found = -1;
    for (size_t g = file->grids->size(); g-- > 0;) {
        const openvdb::GridBase::Ptr &grid = (*file->grids)[g];
        if (is_readable(grid) && grid->getName() == name)
            return int(g);
        if (is_readable(grid) && same_word(grid->getName(), name))
            found = int(g);
    }
    return found;
}

openvdb::GridBase::ConstPtr find(const VdbOpened *file, const char *name)
{
    const int number = number_of(file, name);
    return number < 0 ? nullptr : openvdb::GridBase::ConstPtr((*file->grids)[size_t(number)]);
}

/* A copy with values of 32 bits. */
template <typename To, typename From> openvdb::GridBase::Ptr convert(const From &from)
{
    using Value = typename To::ValueType;
    typename To::Ptr made = To::create(Value(from.background()));
    made->insertMeta(from);
    made->setTransform(from.transform().copy());
    typename To::Accessor accessor = made->getAccessor();
    for (auto at = from.cbeginValueOn(); at; ++at) {
        openvdb::CoordBBox box;
        at.getBoundingBox(box);
        if (at.isVoxelValue())
            accessor.setValue(at.getCoord(), Value(*at));
        else
            made->sparseFill(box, Value(*at));
    }
    return made;
}

/* Makes the grids of the types that are used, and fogs 0 outside of their active voxels. */
void settle(VdbOpened *file)
{
    for (openvdb::GridBase::Ptr &grid : *file->grids) {
        double outside = 0;
        if (grid && grid->isType<openvdb::DoubleGrid>())
            grid = convert<FloatGrid>(static_cast<const openvdb::DoubleGrid &>(*grid));
        else if (grid && grid->isType<openvdb::Vec3DGrid>())
            grid = convert<Vec3SGrid>(static_cast<const openvdb::Vec3DGrid &>(*grid));
        if (is_fog(grid)) {
            FloatGrid &fog = static_cast<FloatGrid &>(*grid);
            outside = double(fog.background());
            if (outside != 0)
                openvdb::tools::changeBackground(fog.tree(), 0.0f);
        }
        file->outside.push_back(outside);
    }
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
        if (version < 222) /* those after 224 have other types of grids, which OpenVDB refuses */
            return "its format is older than 222, which OpenVDB writes since its version 3";
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
        settle(made.get());
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
    found->outside = file->outside[size_t(number_of(file, name))];
    found->empty = grid->activeVoxelCount() == 0;
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
        if (!grid)
            continue;
        const std::string name = grid->getName();
        std::string kind;
        if (!is_readable(grid))
            kind = " (" + grid->valueType() + ")";
        else if (grid->getGridClass() == openvdb::GRID_LEVEL_SET)
            kind = " (level set)";
        snprintf(names + used, size - used, "%s%.60s%.20s", used > 0 ? ", " : "",
                 name.empty() ? "one without a name" : name.c_str(), kind.c_str());
    }
}

/* The only fog, or level set, of a file, whatever its name is. */
bool only_grid(const VdbOpened *file, bool level_set, char name[VDB_NAME])
{
    int count = 0;
    for (const openvdb::GridBase::Ptr &grid : *file->grids)
        if (grid && grid->isType<FloatGrid>() && is_fog(grid) != level_set) {
            count++;
            snprintf(name, VDB_NAME, "%s", grid->getName().c_str());
        }
    return count == 1 && find(file, name) != nullptr;
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

/* -- sampling ---------------------------------------------------------------------------------- */

float part_of(float value, int)
{
    return value;
}

float part_of(const openvdb::Vec3s &value, int part)
{
    return value[part];
}

/* Fails with the first active voxel that is not finite. */
template <typename Grid> bool check_finite(const Grid &grid, int components, BillowError *error)
{
    for (auto at = grid.cbeginValueOn(); at; ++at)
        for (int part = 0; part < components; part++)
            if (!std::isfinite(part_of(*at, part))) {
                const openvdb::Coord voxel = at.getCoord();
                snprintf(error->text, sizeof error->text, "its voxel (%d, %d, %d) is not finite",
                         voxel[0], voxel[1], voxel[2]);
                return false;
            }
    return true;
}

/* The lattice, and the way from a place to the indices of its points. */
struct Points {
    explicit Points(const VdbLattice &from) : lattice(from)
    {
        for (int axis = 0; axis < 3; axis++)
            edge += lattice.step[0][axis] * lattice.step[0][axis];
        edge = std::sqrt(edge);
    }
    Vec3d place(int i, int j, int k) const
    {
        Vec3d at;
        for (int axis = 0; axis < 3; axis++)
            at[axis] = lattice.first[axis] + i * lattice.step[0][axis] + j * lattice.step[1][axis] +
                       k * lattice.step[2][axis];
        return at;
    }
    Vec3d index(const Vec3d &place) const
    {
        Vec3d at(0, 0, 0);
        for (int row = 0; row < 3; row++)
            for (int axis = 0; axis < 3; axis++)
                at[row] += lattice.step[row][axis] * (place[axis] - lattice.first[axis]);
        return at / (edge * edge);
    }

    const VdbLattice &lattice;
    double edge = 0; /* length of a step */
};

/* Adds boxes to the cubes around the points, each cube as much as it shares with the box. */
class Spread
{
  public:
    Spread(const Points &around, int of_each, int part, float *to)
        : points(around), components(of_each), component(part), values(to)
    {
        if (points.lattice.covered != 0)
            weights.assign(size_t(points.lattice.n[0]) * size_t(points.lattice.n[1]) *
                               size_t(points.lattice.n[2]),
                           0);
    }

    /* A box of a grid: its middle and edges in voxels, with one value. Large boxes are divided, so
     * that their parts hardly turn within a cube. */
    void add(const openvdb::GridBase &grid, const Vec3d &middle, double edge, float value)
    {
        const Vec3d size = grid.voxelSize() * edge / points.edge;
        const double longest = std::max(size[0], std::max(size[1], size[2]));
        const Vec3d at = points.index(grid.indexToWorld(middle));
        for (int axis = 0; axis < 3; axis++)
            if (at[axis] + longest < -0.5 || at[axis] - longest > points.lattice.n[axis] - 0.5)
                return;
        if (longest <= 1 || edge <= 1) {
            share_out(at, longest, size[0] * size[1] * size[2], value);
            return;
        }
        for (int part = 0; part < 8; part++)
            add(grid,
                middle + Vec3d(part & 1 ? 0.25 : -0.25, part & 2 ? 0.25 : -0.25,
                               part & 4 ? 0.25 : -0.25) *
                             edge,
                edge / 2, value);
    }

    /* Divides by what is covered, where means are asked for. */
    void finish()
    {
        for (size_t p = 0; p < weights.size(); p++)
            if (weights[p] > 0)
                values[p * size_t(components) + size_t(component)] /= weights[p];
    }

  private:
    void share_out(const Vec3d &at, double edge, double volume, float value)
    {
        int first[3], count[3];
        double share[3][3];
        for (int axis = 0; axis < 3; axis++) {
            const double low = at[axis] - 0.5 * edge + 0.5, high = low + edge;
            first[axis] = int(std::floor(low));
            count[axis] = 0;
            for (int cube = first[axis]; cube < high && count[axis] < 3; cube++)
                share[axis][count[axis]++] =
                    (std::min(high, cube + 1.0) - std::max(low, double(cube))) / edge;
        }
        for (int c = 0; c < count[2]; c++)
            for (int b = 0; b < count[1]; b++)
                for (int a = 0; a < count[0]; a++)
                    put(first[0] + a, first[1] + b, first[2] + c,
                        float(share[0][a] * share[1][b] * share[2][c] * volume), value);
    }
    void put(int i, int j, int k, float volume, float value)
    {
        const int *n = points.lattice.n;
        if (i < 0 || j < 0 || k < 0 || i >= n[0] || j >= n[1] || k >= n[2])
            return;
        const size_t point = (size_t(k) * size_t(n[1]) + size_t(j)) * size_t(n[0]) + size_t(i);
        values[point * size_t(components) + size_t(component)] += volume * value;
        if (!weights.empty())
            weights[point] += volume;
    }

    const Points &points;
    int components, component;
    float *values;
    std::vector<float> weights;
};

/* Adds all active voxels. Staggered vectors are at the low faces of their voxels. */
template <typename Grid>
void spread_all(const Grid &grid, const Points &points, int components, float *values)
{
    const int *n = points.lattice.n;
    const bool staggered = grid.getGridClass() == openvdb::GRID_STAGGERED;
    std::fill_n(values, size_t(n[0]) * size_t(n[1]) * size_t(n[2]) * size_t(components), 0.0f);
    for (int part = 0; part < components; part++) {
        Spread spread(points, components, part, values);
        for (auto at = grid.cbeginValueOn(); at; ++at) {
            const float value = part_of(*at, part);
            if (value == 0 && points.lattice.covered == 0)
                continue;
            openvdb::CoordBBox box;
            at.getBoundingBox(box);
            Vec3d middle = 0.5 * (box.min().asVec3d() + box.max().asVec3d());
            middle[part] -= staggered ? 0.5 : 0;
            spread.add(grid, middle, double(box.dim()[0]), value);
        }
        spread.finish();
    }
}

template <typename Grid, typename Sampler>
void interpolate_all(const Grid &grid, const Points &points, int components, float *values)
{
    typename Grid::ConstAccessor accessor = grid.getConstAccessor();
    openvdb::tools::GridSampler<typename Grid::ConstAccessor, Sampler> sampler(accessor,
                                                                               grid.transform());
    const int *n = points.lattice.n;
    size_t at = 0;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                const auto value = sampler.wsSample(points.place(i, j, k));
                for (int part = 0; part < components; part++)
                    values[at++] = part_of(value, part);
            }
}

template <typename Grid, typename Sampler>
bool sample_all(const Grid &grid, const VdbLattice &lattice, int components, float *values,
                BillowError *error)
{
    const Points points(lattice);
    const Vec3d edge = grid.voxelSize();
    const bool finer = std::max(edge[0], std::max(edge[1], edge[2])) < points.edge * (1 + 1e-6);
    if (!check_finite(grid, components, error))
        return false;
    if (finer && grid.getGridClass() != openvdb::GRID_LEVEL_SET)
        spread_all(grid, points, components, values);
    else
        interpolate_all<Grid, Sampler>(grid, points, components, values);
    return true;
}

bool sample(const VdbOpened *file, const char *name, const VdbLattice *lattice, float *values,
            BillowError *error)
{
    using openvdb::tools::BoxSampler;
    using openvdb::tools::StaggeredBoxSampler;
    return guarded(error, "OpenVDB cannot read it", [&] {
        const openvdb::GridBase::ConstPtr grid = find(file, name);
        if (!grid)
            return refuse(error, "it is cut short or damaged");
        if (grid->isType<FloatGrid>())
            return sample_all<FloatGrid, BoxSampler>(static_cast<const FloatGrid &>(*grid),
                                                     *lattice, 1, values, error);
        if (grid->getGridClass() == openvdb::GRID_STAGGERED)
            return sample_all<Vec3SGrid, StaggeredBoxSampler>(static_cast<const Vec3SGrid &>(*grid),
                                                              *lattice, 3, values, error);
        return sample_all<Vec3SGrid, BoxSampler>(static_cast<const Vec3SGrid &>(*grid), *lattice, 3,
                                                 values, error);
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

const VdbReader billow_vdb_reader = {prepare,    read_file, close_file, describe,     only_grid,
                                     list_names, find_up,   sample,     make_distance};
