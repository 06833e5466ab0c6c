/* SPDX-License-Identifier: MIT */
#include "io/volume_file.h"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <openvdb/Grid.h>
#include <openvdb/io/Archive.h>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <sstream>
#if defined(BILLOW_NANOVDB) && __has_include(<nanovdb/tools/CreateNanoGrid.h>)
#include <nanovdb/io/IO.h>
#include <nanovdb/tools/CreateNanoGrid.h>
#define NANO_TOOLS nanovdb::tools
#elif defined(BILLOW_NANOVDB)
#include <nanovdb/util/IO.h>
#include <nanovdb/util/OpenToNanoVDB.h>
#endif

namespace
{

using openvdb::Coord;
using openvdb::Vec3s;

constexpr float half_most = 65504;

/* Writes OpenVDB to a stream that can seek. OpenVDB's own writers either take a path or never seek.
 * Offsets of the grids, which make reading faster, can only be stored by seeking. */
class Archive : public openvdb::io::Archive
{
  public:
    void save(std::ostream &stream, const openvdb::GridCPtrVec &grids,
              const openvdb::MetaMap &metadata) const
    {
        write(stream, grids, true, metadata);
    }
};

/* Copies a cell's value and limits it to the range from -most to most. */
void take(float *value, const float *from, float most)
{
    *value = std::min(std::max(*from, -most), most);
}

void take(Vec3s *value, const float *from, float most)
{
    for (int part = 0; part < 3; part++)
        take(&(*value)[part], from + part, most);
}

bool differs(float value, const VolumeField &field)
{
    return std::abs(value - field.background) >= field.least && value != field.background;
}

bool differs(const Vec3s &value, const VolumeField &field)
{
    return differs(value[0], field) || differs(value[1], field) || differs(value[2], field);
}

/* Makes a leaf of the 8x8x8 cells from `low` on. Returns null if all of them are background. */
template <typename Tree>
typename Tree::LeafNodeType *make_leaf(const VolumeFrame &frame, const VolumeField &field,
                                       const Coord &low, float most)
{
    using Leaf = typename Tree::LeafNodeType;
    typename Tree::ValueType background(field.background), value;
    std::unique_ptr<Leaf> leaf(new Leaf(low, background));
    const Coord first(frame.first), end = first + Coord(frame.n);
    const Coord begin = Coord::maxComponent(low, first);
    const Coord high = Coord::minComponent(low + Coord(8), end);
    for (int k = begin.z(); k < high.z(); k++)
        for (int j = begin.y(); j < high.y(); j++) {
            size_t row = size_t(frame.n[0]) *
                         (size_t(j - first.y()) + size_t(frame.n[1]) * size_t(k - first.z()));
            for (int i = begin.x(); i < high.x(); i++) {
                size_t at = row + size_t(i - first.x());
                take(&value, field.values + size_t(field.of.components) * at, most);
                if (differs(value, field))
                    leaf->setValueOn(Coord(i, j, k), value);
            }
        }
    return leaf->isEmpty() ? nullptr : leaf.release();
}

/* Adds the cells of a frame that are not background. */
template <typename Grid>
void take_cells(Grid &grid, const VolumeFrame &frame, const VolumeField &field, float most)
{
    const Coord end = Coord(frame.first) + Coord(frame.n);
    for (int k = frame.first[2] & ~7; k < end.z(); k += 8)
        for (int j = frame.first[1] & ~7; j < end.y(); j += 8)
            for (int i = frame.first[0] & ~7; i < end.x(); i += 8) {
                auto *leaf = make_leaf<typename Grid::TreeType>(frame, field, Coord(i, j, k), most);
                if (leaf != nullptr)
                    grid.tree().addLeaf(leaf);
            }
}

void take_field(openvdb::GridBase &grid, const VolumeFrame &frame, const VolumeField &field)
{
    float most = frame.whole_floats ? std::numeric_limits<float>::max() : half_most;
    if (field.of.components == 1)
        take_cells(static_cast<openvdb::FloatGrid &>(grid), frame, field, most);
    else
        take_cells(static_cast<openvdb::Vec3SGrid &>(grid), frame, field, most);
}

/* OpenVDB's values are at points. The first point is the centre of cell (0, 0, 0), half a cell from
 * the box's corner on each axis. */
openvdb::math::Transform::Ptr make_transform(const VolumeFrame &frame)
{
    double h = frame.cell_size;
    auto transform = openvdb::math::Transform::createLinearTransform(h);
    transform->postTranslate(openvdb::Vec3d(frame.origin[0] + 0.5 * h, frame.origin[1] + 0.5 * h,
                                            frame.origin[2] + 0.5 * h));
    return transform;
}

openvdb::GridBase::Ptr make_field(const VolumeFrame &frame, const VolumeField &field)
{
    openvdb::GridBase::Ptr grid;
    if (field.of.components == 1)
        grid = openvdb::FloatGrid::create(field.background);
    else
        grid = openvdb::Vec3SGrid::create(Vec3s(field.background));
    grid->setName(field.of.name);
    grid->setTransform(make_transform(frame));
    grid->setSaveFloatAsHalf(!frame.whole_floats);
    if (field.of.components == 1)
        grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    else if (field.of.place == BILLOW_AT_FACES)
        grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    grid->insertMeta("unit", openvdb::StringMetadata(field.of.unit));
    grid->insertMeta("meaning", openvdb::StringMetadata(field.of.meaning));
    return grid;
}

openvdb::MetaMap make_metadata(const VolumeFrame &frame)
{
    openvdb::MetaMap metadata;
    metadata.insertMeta("creator", openvdb::StringMetadata("Billow " BILLOW_VERSION));
    metadata.insertMeta("scene", openvdb::StringMetadata(frame.scene));
    metadata.insertMeta("time", openvdb::DoubleMetadata(frame.time));
    if (frame.fps > 0) {
        metadata.insertMeta("fps", openvdb::DoubleMetadata(frame.fps));
        metadata.insertMeta("frame",
                            openvdb::Int32Metadata(int(std::lround(frame.time * frame.fps))));
    }
    metadata.insertMeta("up", openvdb::StringMetadata(frame.up == VOLUME_UP_Z ? "z" : "y"));
    return metadata;
}

/* OpenVDB gives each file a random identifier. Replaces it by a hash of the rest of the file
 * (FNV-1a, Fowler, Noll and Vo 1991), so that equal fields give equal bytes. The identifier has 36
 * characters and follows the magic number, three versions and a flag. */
void name_by_content(std::string *text)
{
    constexpr size_t at = 8 + 4 + 4 + 4 + 1, length = 36;
    if (text->size() < at + length || (*text)[at + 8] != '-' || (*text)[at + 23] != '-')
        return;
    uint64_t hash[2] = {0xcbf29ce484222325u, 0x84222325cbf29ce4u};
    for (size_t index = at + length; index < text->size(); index++)
        for (uint64_t &part : hash)
            part = (part ^ uint8_t((*text)[index])) * 0x100000001b3u;
    char name[length + 1];
    snprintf(name, sizeof name, "%08x-%04x-8%03x-8%03x-%012llx", unsigned(hash[0] >> 32),
             unsigned(hash[0] >> 16 & 0xffff), unsigned(hash[0] & 0xfff),
             unsigned(hash[1] >> 48 & 0xfff),
             static_cast<unsigned long long>(hash[1] & 0xffffffffffffu));
    text->replace(at, length, name, length);
}

/* Memory reserved for the destructors of OpenVDB's trees, which allocate a pointer per node and
 * must not fail. If memory runs out, the reserve is freed. If this happens while trees are built,
 * `std::bad_alloc` also ends the work, and the destructors use the freed memory. */
class Reserve
{
  public:
    explicit Reserve(const VolumeFrame &frame)
    {
        const double leaves = double(frame.box[0]) * frame.box[1] * frame.box[2] / 512;
        aside = new char[size_t(leaves * 4 * sizeof(void *)) + (1 << 16)];
        ends = false;
        before = std::set_new_handler(let_go);
    }
    ~Reserve()
    {
        std::set_new_handler(before);
        delete[] aside.exchange(nullptr);
    }
    Reserve(const Reserve &) = delete;
    Reserve &operator=(const Reserve &) = delete;

    void take_down()
    {
        ends = true;
    }

  private:
    static void let_go()
    {
        char *memory = aside.exchange(nullptr);
        delete[] memory;
        if (memory == nullptr || !ends)
            throw std::bad_alloc();
    }
    /* atomic, because worker threads of the library may be the first to run out of memory */
    static std::atomic<char *> aside;
    static std::atomic<bool> ends;
    std::new_handler before;
};

std::atomic<char *> Reserve::aside;
std::atomic<bool> Reserve::ends;

} // namespace

struct VdbGrids {
    explicit VdbGrids(const VolumeFrame &frame) : reserve(frame)
    {
    }
    ~VdbGrids()
    {
        reserve.take_down();
    }
    VdbGrids(const VdbGrids &) = delete;
    VdbGrids &operator=(const VdbGrids &) = delete;

    Reserve reserve;
    openvdb::GridPtrVec grids;
};

namespace
{

/* Runs `work` and turns exceptions into a message. */
template <typename Work> bool guarded(BillowError *error, Work work)
{
    try {
        work();
        return true;
    } catch (const std::bad_alloc &) {
        snprintf(error->text, sizeof error->text, "not enough memory to write it");
    } catch (const std::exception &problem) {
        snprintf(error->text, sizeof error->text, "OpenVDB could not make it: %.200s",
                 problem.what());
    }
    return false;
}

VdbGrids *begin(const VolumeFrame *frame, BillowError *error)
{
    std::unique_ptr<VdbGrids> made;
    bool good = guarded(error, [&] {
        made.reset(new VdbGrids(*frame));
        openvdb::initialize();
        for (int index = 0; index < frame->field_count; index++)
            made->grids.push_back(make_field(*frame, frame->fields[index]));
    });
    return good ? made.release() : nullptr;
}

bool take(VdbGrids *grids, const VolumeFrame *frame, BillowError *error)
{
    return guarded(
        error,
        [&] {
            for (int index = 0; index < frame->field_count; index++)
                take_field(*grids->grids[size_t(index)], *frame, frame->fields[index]);
        });
}

/* Takes the active cells of another grid of the same kind, which loses them. */
template <typename Grid> bool merge(openvdb::GridBase &to, openvdb::GridBase &from)
{
    if (!to.isType<Grid>() || !from.isType<Grid>())
        return false;
    static_cast<Grid &>(to).tree().merge(static_cast<Grid &>(from).tree(),
                                         openvdb::MERGE_ACTIVE_STATES);
    return true;
}

bool add(VdbGrids *grids, const void *bytes, size_t size, BillowError *error)
{
    return guarded(
        error,
        [&] {
            std::istringstream stream(std::string(static_cast<const char *>(bytes), size),
                                      std::ios_base::binary);
            openvdb::io::Stream file(stream, false);
            openvdb::GridPtrVecPtr others = file.getGrids();
            for (size_t index = 0; index < grids->grids.size(); index++) {
                openvdb::GridBase &to = *grids->grids[index], &from = *others->at(index);
                if (!merge<openvdb::FloatGrid>(to, from) && !merge<openvdb::Vec3SGrid>(to, from))
                    throw std::runtime_error("the ranks have different fields");
            }
        });
}

bool make(const VdbGrids *grids, const VolumeFrame *frame, void **bytes, size_t *size,
          BillowError *error)
{
    return guarded(
        error,
        [&] {
            std::ostringstream stream(std::ios_base::binary);
            openvdb::GridCPtrVec written(grids->grids.begin(), grids->grids.end());
            Archive archive;
            archive.save(stream, written, make_metadata(*frame));
            std::string text = stream.str();
            name_by_content(&text);
            *size = text.size();
            *bytes = malloc(text.size());
            if (*bytes == nullptr)
                throw std::bad_alloc();
            memcpy(*bytes, text.data(), text.size());
        });
}

#ifdef BILLOW_NANOVDB
template <typename Grid> nanovdb::GridHandle<nanovdb::HostBuffer> convert(const Grid &grid)
{
#ifdef NANO_TOOLS
    return NANO_TOOLS::createNanoGrid(grid);
#else
    return nanovdb::openToNanoVDB(grid);
#endif
}

/* Appends a grid as a segment of the file, not packed, as every program reads it. NanoVDB seeks
 * past the end to leave room for the head, which a stream in memory has not yet. */
template <typename Grid> void put_nano(std::ostream &stream, const openvdb::GridBase &grid)
{
    static const char room[1 << 12] = {0};
    const std::streampos begin = stream.tellp();
    stream.write(room, sizeof room);
    stream.seekp(begin);
    nanovdb::io::writeGrid(stream, convert(static_cast<const Grid &>(grid)),
                           nanovdb::io::Codec::NONE);
}

bool make_nano(const VdbGrids *grids, void **bytes, size_t *size, BillowError *error)
{
    return guarded(
        error,
        [&] {
            std::ostringstream stream(std::ios_base::binary);
            for (const openvdb::GridBase::Ptr &grid : grids->grids)
                if (grid->isType<openvdb::FloatGrid>())
                    put_nano<openvdb::FloatGrid>(stream, *grid);
                else
                    put_nano<openvdb::Vec3SGrid>(stream, *grid);
            *size = size_t(std::streamoff(stream.tellp()));
            *bytes = malloc(*size);
            if (*bytes == nullptr)
                throw std::bad_alloc();
            memcpy(*bytes, stream.str().data(), *size);
        });
}
#else
constexpr bool (*make_nano)(const VdbGrids *, void **, size_t *, BillowError *) = nullptr;
#endif

void end(VdbGrids *grids)
{
    delete grids;
}

} // namespace

extern "C" {
extern const VdbWriter billow_vdb_writer;
const VdbWriter billow_vdb_writer = {begin, take, add, make, make_nano, end};
}
