/* SPDX-License-Identifier: MIT */
#include "surface_mesh.h"
#include "surface_obj.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- base meshes ------------------------------------------------------------------------------- */

enum { TORUS_AROUND = 6, TORUS_ACROSS = 4, CELLS_WANTED = 25000 };

static const double torus_radius = 0.68, tube_radius = 0.32;

static bool quads_allocate(Quads *quads, int vertices, int faces)
{
    *quads = (Quads){vertices, faces, calloc((size_t)vertices, sizeof *quads->position),
                     calloc((size_t)faces, sizeof *quads->face)};
    return quads->position != NULL && quads->face != NULL;
}

static bool make_cube(Quads *quads)
{
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    if (!quads_allocate(quads, 8, 6))
        return false;
    for (int v = 0; v < 8; v++)
        quads->position[v] = (Vec){v & 1 ? 1 : -1, v & 2 ? 1 : -1, v & 4 ? 1 : -1};
    for (int f = 0; f < 6; f++)
        memcpy(quads->face[f].corner, faces[f], sizeof faces[f]);
    return true;
}

static bool make_ring(Quads *quads)
{
    const double pi = acos(-1);
    if (!quads_allocate(quads, TORUS_AROUND * TORUS_ACROSS, TORUS_AROUND * TORUS_ACROSS))
        return false;
    for (int a = 0; a < TORUS_AROUND; a++)
        for (int b = 0; b < TORUS_ACROSS; b++) {
            int f = a * TORUS_ACROSS + b, a1 = (a + 1) % TORUS_AROUND, b1 = (b + 1) % TORUS_ACROSS;
            double around = 2 * pi * a / TORUS_AROUND, across = 2 * pi * b / TORUS_ACROSS;
            double r = torus_radius + tube_radius * cos(across);
            quads->position[f] = (Vec){r * sin(around), tube_radius * sin(across), r * cos(around)};
            quads->face[f] = (Patch){.corner = {f, a1 * TORUS_ACROSS + b, a1 * TORUS_ACROSS + b1,
                                                a * TORUS_ACROSS + b1}};
        }
    return true;
}

/* -- neighbours -------------------------------------------------------------------------------- */

/* An edge of a face, on its way from one vertex to the other. */
typedef struct Side {
    int low, high; /* vertices */
    int face, edge;
    bool rises; /* from low to high */
} Side;

static int compare_sides(const void *a, const void *b)
{
    const Side *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return x->face != y->face ? (x->face < y->face ? -1 : 1) : x->edge - y->edge;
}

/* One line about an edge: where its first face is, and what is wrong. */
static bool complain(const char *path, size_t line, const char *what, ExampleError *error)
{
    snprintf(error->text, sizeof error->text, "%.150s:%zu: %s", path, line, what);
    return false;
}

/* The `count` sides of one edge must be two, in opposite directions. They become neighbours. */
static bool join_sides(Mesh *mesh, const Side *sides, int count, const char *path,
                       ExampleError *error)
{
    Patch *one = &mesh->patch[sides[0].face], *other = &mesh->patch[sides[count - 1].face];
    char what[200];
    int a = sides[0].low + 1, b = sides[0].high + 1;
    if (count == 1)
        snprintf(what, sizeof what,
                 "the surface is open: its edge between vertices %d and %d has no other face", a,
                 b);
    else if (count > 2)
        snprintf(what, sizeof what, "the edge between vertices %d and %d has %d faces, not 2", a, b,
                 count);
    else if (sides[0].rises == sides[1].rises)
        snprintf(what, sizeof what,
                 "the edge between vertices %d and %d runs the same way in the face of line %zu; "
                 "one face must be turned over",
                 a, b, other->line);
    else {
        one->neighbour[sides[0].edge] = sides[1].face;
        one->entry[sides[0].edge] = sides[1].edge;
        other->neighbour[sides[1].edge] = sides[0].face;
        other->entry[sides[1].edge] = sides[0].edge;
        one->shared[sides[0].edge] = other->shared[sides[1].edge] = mesh->edges++;
        return true;
    }
    return complain(path, one->line, what, error);
}

static bool join_patches(Mesh *mesh, const char *path, ExampleError *error)
{
    size_t count = 4 * (size_t)mesh->patches, last;
    Side *sides = malloc(count * sizeof *sides);
    if (sides == NULL) {
        snprintf(error->text, sizeof error->text, "no memory for %d patches", mesh->patches);
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        int face = (int)(k / 4), edge = (int)(k % 4);
        int from = mesh->patch[face].corner[edge], to = mesh->patch[face].corner[(edge + 1) % 4];
        sides[k] = (Side){from < to ? from : to, from < to ? to : from, face, edge, from < to};
    }
    qsort(sides, count, sizeof *sides, compare_sides);
    bool joined = true;
    for (size_t first = 0; joined && first < count; first = last) {
        for (last = first + 1; last < count && sides[last].low == sides[first].low &&
                               sides[last].high == sides[first].high;)
            last++;
        joined = join_sides(mesh, sides + first, (int)(last - first), path, error);
    }
    free(sides);
    return joined;
}

/* Counts the patches around each vertex, and walks around it: a single ring must have them all. */
static bool check_vertices(Mesh *mesh, const char *path, ExampleError *error)
{
    char what[200];
    for (int k = 0; k < 4 * mesh->patches; k++)
        mesh->valence[mesh->patch[k / 4].corner[k % 4]]++;
    for (int k = 0; k < 4 * mesh->patches; k++) {
        int patch = k / 4, corner = k % 4, vertex = mesh->patch[patch].corner[corner], ring = 0;
        do { /* the edge that ends at this corner begins at the corner of the neighbour */
            const Patch *here = &mesh->patch[patch];
            patch = here->neighbour[(corner + 3) % 4];
            corner = here->entry[(corner + 3) % 4];
            ring++;
        } while (4 * patch + corner != k);
        if (ring != mesh->valence[vertex]) {
            snprintf(what, sizeof what, "the surface touches itself at the vertex %d", vertex + 1);
            return complain(path, mesh->patch[k / 4].line, what, error);
        }
    }
    return true;
}

/* -- Catmull-Clark subdivision ----------------------------------------------------------------- */

size_t mesh_point(const Mesh *mesh, int n, int patch, int i, int j)
{
    const Patch *p = &mesh->patch[patch];
    bool end_s = i == 0 || i == n, end_t = j == 0 || j == n;
    size_t inside = (size_t)n - 1, edges = (size_t)mesh->vertices + (size_t)mesh->edges * inside;
    if (end_s && end_t)
        return (size_t)p->corner[j == 0 ? (i == 0 ? 0 : 1) : (i == 0 ? 3 : 2)];
    if (!end_s && !end_t)
        return edges + ((size_t)patch * inside + (size_t)j - 1) * inside + (size_t)i - 1;
    int edge = j == 0 ? 0 : i == n ? 1 : j == n ? 2 : 3;
    int along = edge == 0 ? i : edge == 1 ? j : edge == 2 ? n - i : n - j;
    if (patch > p->neighbour[edge]) /* the neighbour counts it the other way */
        along = n - along;
    return (size_t)mesh->vertices + (size_t)p->shared[edge] * inside + (size_t)along - 1;
}

/* Number of patches around a grid point. */
static double valence(const Mesh *mesh, int point)
{
    return point < mesh->vertices ? mesh->valence[point] : 4;
}

/* The four corners of cell i, j, from 0, counter-clockwise. */
static void cell_points(const Mesh *mesh, int n, int patch, int i, int j, int points[4])
{
    for (int c = 0; c < 4; c++)
        points[c] = (int)mesh_point(mesh, n, patch, i + (c == 1 || c == 2), j + (c >= 2));
}

/* Adds what one quad gives to the points of the next level: its centre F, the mid-points of its
 * edges (A + B) / 2 averaged with F, and corners S with valence v moved to (F + 2 R + (v - 3) S) /
 * v, where F and R are means of centres and mid-points around S. The other quads add the rest. */
static void subdivide_quad(const Mesh *mesh, int n, int patch, int i, int j, const Vec *old,
                           Vec *new)
{
    int point[4];
    cell_points(mesh, n, patch, i, j, point);
    Vec centre = {0, 0, 0};
    for (int c = 0; c < 4; c++)
        centre = plus(centre, times(0.25, old[point[c]]));
    new[mesh_point(mesh, 2 * n, patch, 2 * i + 1, 2 * j + 1)] = centre;
    for (int c = 0; c < 4; c++) {
        Vec S = old[point[c]], A = old[point[(c + 1) % 4]], B = old[point[(c + 3) % 4]];
        double v = valence(mesh, point[c]);
        Vec mid_points = plus(S, times(0.5, plus(A, B))); /* their sum */
        Vec moved = plus(plus(centre, mid_points), times(v - 3, S));
        size_t at =
            mesh_point(mesh, 2 * n, patch, 2 * (i + (c == 1 || c == 2)), 2 * (j + (c >= 2)));
        new[at] = plus(new[at], times(1 / (v * v), moved));
        static const int mid_s[4] = {1, 2, 1, 0}, mid_t[4] = {0, 1, 2, 1};
        at = mesh_point(mesh, 2 * n, patch, 2 * i + mid_s[c], 2 * j + mid_t[c]);
        new[at] = plus(new[at], plus(times(0.25, centre), times(0.125, plus(S, A))));
    }
}

/* Adds what one quad gives to the limits of its corners: (v^2 S + 4 sum A + sum D) / (v (v + 5)),
 * with the neighbours A along the edges and the opposite corners D. */
static void limit_quad(const Mesh *mesh, int n, int patch, int i, int j, const Vec *old, Vec *new)
{
    int point[4];
    cell_points(mesh, n, patch, i, j, point);
    for (int c = 0; c < 4; c++) {
        Vec S = old[point[c]], D = old[point[(c + 2) % 4]];
        Vec A = plus(old[point[(c + 1) % 4]], old[point[(c + 3) % 4]]);
        double v = valence(mesh, point[c]);
        Vec sum = plus(plus(times(v, S), times(2, A)), D);
        new[point[c]] = plus(new[point[c]], times(1 / (v * (v + 5)), sum));
    }
}

typedef void QuadRule(const Mesh *mesh, int n, int patch, int i, int j, const Vec *old, Vec *new);

static void apply_rule(const Mesh *mesh, QuadRule *rule, int n, const Vec *old, Vec *new)
{
    memset(new, 0, mesh->points * sizeof *new);
    for (int patch = 0; patch < mesh->patches; patch++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                rule(mesh, n, patch, i, j, old, new);
}

/* Puts the grid points onto the limit surface. mesh->position holds those of the base mesh, and
 * mesh->normal is used as scratch memory. */
static void subdivide(Mesh *mesh)
{
    for (int n = 1; n <= mesh->n; n *= 2) {
        apply_rule(mesh, n < mesh->n ? subdivide_quad : limit_quad, n, mesh->position,
                   mesh->normal);
        Vec *swap = mesh->position;
        mesh->position = mesh->normal;
        mesh->normal = swap;
    }
}

/* -- geometry ---------------------------------------------------------------------------------- */

/* The nearest point of the exact shape. */
static Vec on_sphere(Vec x)
{
    return unit(x);
}

static Vec on_torus(Vec x)
{
    Vec ring = times(torus_radius, unit((Vec){x.x, 0, x.z}));
    return plus(ring, times(tube_radius, unit(minus(x, ring))));
}

/* Moves and scales the surface into the unit ball around the middle of its bounding box. */
static void fit(Mesh *mesh)
{
    Vec least = {INFINITY, INFINITY, INFINITY}, most = {-INFINITY, -INFINITY, -INFINITY};
    double radius = 0;
    for (size_t p = 0; p < mesh->points; p++) {
        Vec x = mesh->position[p];
        if (valence(mesh, (int)p) == 0)
            continue;
        least = (Vec){fmin(least.x, x.x), fmin(least.y, x.y), fmin(least.z, x.z)};
        most = (Vec){fmax(most.x, x.x), fmax(most.y, x.y), fmax(most.z, x.z)};
    }
    Vec middle = times(0.5, plus(least, most));
    for (size_t p = 0; p < mesh->points; p++) {
        mesh->position[p] = minus(mesh->position[p], middle);
        if (valence(mesh, (int)p) > 0)
            radius = fmax(radius, norm(mesh->position[p]));
    }
    for (size_t p = 0; p < mesh->points && radius > 0; p++)
        mesh->position[p] = times(1 / radius, mesh->position[p]);
}

Cell mesh_measure(const Mesh *mesh, const int corner[4])
{
    Cell cell;
    Vec x[4];
    for (int c = 0; c < 4; c++) {
        cell.corner[c] = corner[c];
        x[c] = mesh->position[corner[c]];
    }
    cell.es = times(0.5, minus(plus(x[1], x[2]), plus(x[0], x[3])));
    cell.et = times(0.5, minus(plus(x[2], x[3]), plus(x[0], x[1])));
    double gss = dot(cell.es, cell.es), gst = dot(cell.es, cell.et), gtt = dot(cell.et, cell.et);
    cell.area = norm(cross(cell.es, cell.et)); /* sqrt(det g), without its cancellation */
    double g = cell.area * cell.area;
    double inverse = g > 0 ? 1 / g : 0; /* cells without area are refused in measure() */
    cell.dual_s = times(inverse, minus(times(gtt, cell.es), times(gst, cell.et)));
    cell.dual_t = times(inverse, minus(times(gss, cell.et), times(gst, cell.es)));
    return cell;
}

/* Measures all cells, and sets the normals of the grid points. Returns false at the first patch
 * that has a cell without area. */
static bool measure(Mesh *mesh, int *bad)
{
    memset(mesh->normal, 0, mesh->points * sizeof *mesh->normal);
    for (int patch = 0; patch < mesh->patches; patch++)
        for (int j = 0; j < mesh->n; j++)
            for (int i = 0; i < mesh->n; i++) {
                int points[4];
                size_t index = mesh_cell(mesh, patch, i + 1, j + 1);
                Cell *cell = &mesh->cell[index];
                mesh->inside[mesh->inner++] = index;
                cell_points(mesh, mesh->n, patch, i, j, points);
                *cell = mesh_measure(mesh, points);
                *bad = patch;
                if (!(cell->area > 1e-12) || !isfinite(norm(cell->dual_s) + norm(cell->dual_t)))
                    return false;
                for (int c = 0; c < 4; c++)
                    mesh->normal[points[c]] =
                        plus(mesh->normal[points[c]], cross(cell->es, cell->et));
            }
    for (size_t p = 0; p < mesh->points; p++)
        mesh->normal[p] = unit(mesh->normal[p]);
    return true;
}

/* Volume inside the base mesh times 6; negative if its faces turn clockwise. */
static double volume(const Quads *quads)
{
    double sum = 0;
    for (int f = 0; f < quads->faces; f++) {
        Vec x[4];
        for (int c = 0; c < 4; c++)
            x[c] = quads->position[quads->face[f].corner[c]];
        sum += dot(x[0], cross(x[1], x[2])) + dot(x[0], cross(x[2], x[3]));
    }
    return sum;
}

static void turn_over(Quads *quads)
{
    for (int f = 0; f < quads->faces; f++) {
        int corner = quads->face[f].corner[1];
        quads->face[f].corner[1] = quads->face[f].corner[3];
        quads->face[f].corner[3] = corner;
    }
}

/* -- the mesh ---------------------------------------------------------------------------------- */

void mesh_free(Mesh *mesh)
{
    free(mesh->patch);
    free(mesh->valence);
    free(mesh->position);
    free(mesh->normal);
    free(mesh->cell);
    free(mesh->inside);
    *mesh = (Mesh){0};
}

/* The power of 2 that gives the wanted number of cells or fewer, but at least 4. */
static int choose_n(int patches)
{
    int n = 4;
    while (4 * (long)n * n * patches <= CELLS_WANTED)
        n *= 2;
    return n;
}

/* Makes all of the mesh that needs no geometry. Takes over the faces and positions of the quads. */
static bool mesh_allocate(Mesh *mesh, Quads *quads, int n, const char *path, ExampleError *error)
{
    *mesh = (Mesh){.n = n > 0 ? n : choose_n(quads->faces),
                   .patches = quads->faces,
                   .vertices = quads->vertices,
                   .patch = quads->face};
    quads->face = NULL;
    if ((long)mesh->patches * mesh->n * mesh->n > MESH_CELLS_MOST) {
        snprintf(error->text, sizeof error->text,
                 "%.150s: %d faces with %dx%d cells each are more than the limit of %d cells", path,
                 mesh->patches, mesh->n, mesh->n, MESH_CELLS_MOST);
        error->usage = n > 0; /* otherwise the file has too many faces */
        return false;
    }
    if (!join_patches(mesh, path, error))
        return false;
    size_t inside = (size_t)mesh->n - 1, side = (size_t)mesh->n + 2;
    mesh->points = (size_t)mesh->vertices + (size_t)mesh->edges * inside +
                   (size_t)mesh->patches * inside * inside;
    mesh->cells = (size_t)mesh->patches * side * side;
    mesh->valence = calloc((size_t)mesh->vertices, sizeof *mesh->valence);
    mesh->position = calloc(mesh->points, sizeof *mesh->position);
    mesh->normal = calloc(mesh->points, sizeof *mesh->normal);
    mesh->cell = calloc(mesh->cells, sizeof *mesh->cell);
    mesh->inside = calloc(mesh->cells, sizeof *mesh->inside);
    if (mesh->valence == NULL || mesh->position == NULL || mesh->normal == NULL ||
        mesh->cell == NULL || mesh->inside == NULL) {
        snprintf(error->text, sizeof error->text, "no memory for %d patches of %dx%d cells",
                 mesh->patches, mesh->n, mesh->n);
        return false;
    }
    memcpy(mesh->position, quads->position, (size_t)mesh->vertices * sizeof *mesh->position);
    return check_vertices(mesh, path, error);
}

/* Makes the mesh of quads. `exact` moves a grid point onto the exact shape; NULL leaves them. */
static bool mesh_of(Mesh *mesh, Quads *quads, Vec exact(Vec), int n, const char *path,
                    ExampleError *error)
{
    int bad;
    if (volume(quads) < 0)
        turn_over(quads);
    if (!mesh_allocate(mesh, quads, n, path, error))
        return false;
    subdivide(mesh);
    if (exact == NULL)
        fit(mesh);
    for (size_t p = 0; exact != NULL && p < mesh->points; p++)
        mesh->position[p] = exact(mesh->position[p]);
    return measure(mesh, &bad) ||
           complain(path, mesh->patch[bad].line, "the face has places without area", error);
}

/* Whether a name ends in .obj, in capitals or not. */
static bool is_file(const char *shape)
{
    size_t length = strlen(shape);
    for (size_t k = 0; k < 4; k++)
        if (length < 4 || tolower((unsigned char)shape[length - 4 + k]) != ".obj"[k])
            return false;
    return true;
}

bool mesh_create(Mesh *mesh, const char *shape, int n, ExampleError *error)
{
    Quads quads = {0};
    bool sphere = strcmp(shape, "sphere") == 0, torus = strcmp(shape, "torus") == 0, done;
    *mesh = (Mesh){0};
    if (!sphere && !torus && !is_file(shape)) {
        snprintf(error->text, sizeof error->text,
                 "--shape: must be sphere, torus or a FILE.obj, not '%.150s'", shape);
        error->usage = true;
        return false;
    }
    if (n != 0 && (n < 4 || (n & (n - 1)) != 0)) {
        snprintf(error->text, sizeof error->text, "--cells: must be a power of 2 from 4, not %d",
                 n);
        error->usage = true;
        return false;
    }
    if (sphere || torus) {
        done = sphere ? make_cube(&quads) : make_ring(&quads);
        if (!done)
            snprintf(error->text, sizeof error->text, "no memory for the %s", shape);
    } else
        done = quads_read(&quads, shape, error);
    done = done && mesh_of(mesh, &quads,
                           sphere  ? on_sphere
                           : torus ? on_torus
                                   : NULL,
                           n, shape, error);
    quads_free(&quads);
    if (!done)
        mesh_free(mesh);
    return done;
}

/* -- places ------------------------------------------------------------------------------------ */

Place mesh_cross(const Mesh *mesh, Place place, int edge)
{
    static const int normal_s[4] = {0, 1, 0, -1}, normal_t[4] = {-1, 0, 1, 0};
    const Patch *patch = &mesh->patch[place.patch];
    double c = 0.5 * mesh->n;
    double s = place.s - c - normal_s[edge] * mesh->n, t = place.t - c - normal_t[edge] * mesh->n;
    turn(mesh_turns(patch, edge), &s, &t);
    return (Place){patch->neighbour[edge], s + c, t + c};
}

int mesh_move(const Mesh *mesh, Place *place, double ds, double dt)
{
    double n = mesh->n;
    int turns = 0;
    place->s += ds;
    place->t += dt;
    for (int crossing = 0; crossing < 8; crossing++) { /* around a corner it may take several */
        double beyond[4] = {-place->t, place->s - n, place->t - n, -place->s};
        int edge = 0;
        for (int e = 1; e < 4; e++)
            if (beyond[e] > beyond[edge])
                edge = e;
        if (beyond[edge] <= 0)
            return turns;
        turns = (turns + mesh_turns(&mesh->patch[place->patch], edge)) % 4;
        *place = mesh_cross(mesh, *place, edge);
    }
    place->s = fmin(fmax(place->s, 0), n);
    place->t = fmin(fmax(place->t, 0), n);
    return turns;
}
