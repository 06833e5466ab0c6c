/* SPDX-License-Identifier: MIT
 * A saved and loaded state continues as if it had not been interrupted. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"

static const double step = 1.0 / 60;

/* -- what simulations there are ---------------------------------------------------------------- */

static void as_it_is(BillowDef *def)
{
    (void)def;
}

static void with_fire(BillowDef *def)
{
    def->fire = true;
    def->emitters[0].fuel = 8;
    def->emitters[0].heat = 3000;
    def->params.burn_expansion = 2;
}

static void with_color(BillowDef *def)
{
    def->color = true;
    def->emitters[0].color[1] = 0.25f;
    def->params.advection = BILLOW_REFLECTION;
}

static void with_emitted_tracers(BillowDef *def)
{
    def->tracers = 500;
    def->emitters[0].tracers = 777;
}

static void with_tracers_everywhere(BillowDef *def)
{
    def->tracers = 300;
}

static void with_rest(BillowDef *def)
{
    def->texture_period = 0.2f;
    def->params.advection = BILLOW_REFLECTION;
}

static void with_a_falling_ball(BillowDef *def)
{
    def->solid_count = 1;
    def->solids[0] = billow_default_solid();
    def->solids[0].center[1] = 0.8f;
    def->solids[0].center[0] = def->solids[0].center[2] = 0.35f;
    def->solids[0].motion = BILLOW_FALLING;
    def->solids[0].sticky = true;
}

static void with_a_spinning_box(BillowDef *def)
{
    with_a_falling_ball(def);
    def->solids[0].shape = BILLOW_BOX;
    def->solids[0].size[0] = 0.2f;
    def->solids[0].motion = BILLOW_DRIVEN;
    def->solids[0].velocity[1] = -0.5f;
    def->solids[0].spin[1] = 3;
    def->solids[0].isothermal = true;
    def->solids[0].temperature = 50;
    def->params.heat_diffusion = 1e-4f;
    def->params.advection = BILLOW_CONSERVATIVE;
}

static void conservative(BillowDef *def)
{
    def->params.advection = BILLOW_CONSERVATIVE;
}

static void by_conjugate_gradients(BillowDef *def)
{
    def->params.pressure = BILLOW_CONJUGATE_GRADIENTS;
}

static void by_relaxation(BillowDef *def)
{
    def->params.pressure = BILLOW_RELAXATION;
}

static void around(BillowDef *def)
{
    def->nx = 26;
    def->faces[BILLOW_LEFT] = def->faces[BILLOW_RIGHT] = BILLOW_PERIODIC;
    def->faces[BILLOW_FLOOR] = BILLOW_NO_SLIP;
    def->boundaries[BILLOW_FLOOR].isothermal = true;
    def->boundaries[BILLOW_FLOOR].temperature = 40;
    def->params.advection = BILLOW_REFLECTION;
}

static void in_a_tunnel(BillowDef *def)
{
    def->faces[BILLOW_BACK] = BILLOW_INFLOW;
    def->boundaries[BILLOW_BACK].velocity[2] = 1;
    def->boundaries[BILLOW_BACK].smoke = 0.5f;
    def->faces[BILLOW_FRONT] = BILLOW_OPEN;
    def->texture_period = 0.3f;
}

static void closed_all_round(BillowDef *def)
{
    for (int side = 0; side < BILLOW_SIDES; side++)
        def->faces[side] = BILLOW_CLOSED;
    def->emitters[0].expansion = 0;
}

/* A hollow that the rest of the box is shut off from. */
static void with_a_compartment(BillowDef *def)
{
    closed_all_round(def);
    def->solid_count = 2;
    for (int s = 0; s < 2; s++) {
        BillowSolid *solid = &def->solids[s];
        *solid = billow_default_solid();
        solid->shape = BILLOW_BOX;
        solid->size[0] = solid->size[2] = 1;
        solid->size[1] = 0.06f;
        solid->center[1] = s == 0 ? 0.6f : 0.9f;
        solid->velocity[1] = s == 0 ? 0.2f : 0;
    }
}

typedef struct Case {
    const char *name;
    void (*change)(BillowDef *def);
} Case;

static const Case cases[] = {
    {"as it is", as_it_is},
    {"fire", with_fire},
    {"colour", with_color},
    {"emitted tracers", with_emitted_tracers},
    {"tracers everywhere", with_tracers_everywhere},
    {"rest", with_rest},
    {"falling ball", with_a_falling_ball},
    {"spinning box", with_a_spinning_box},
    {"conservative", conservative},
    {"conjugate gradients", by_conjugate_gradients},
    {"relaxation", by_relaxation},
    {"periodic", around},
    {"tunnel", in_a_tunnel},
    {"closed", closed_all_round},
    {"compartment", with_a_compartment},
};

enum { CASES = sizeof cases / sizeof cases[0] };

/* -- what holds -------------------------------------------------------------------------------- */

static void run(BillowSim *sim, int steps)
{
    for (int s = 0; s < steps; s++)
        billow_step(sim, step);
}

/* For the next step alone: part of the state as well. */
static void queue(BillowSim *sim)
{
    BillowEmitter emitter = billow_default_emitter();
    emitter.center[0] = 0.3f;
    emitter.center[1] = 0.4f;
    emitter.center[2] = 0.3f;
    emitter.smoke = 20;
    emitter.color[0] = 0;
    emitter.hue_speed = 4;
    emitter.velocity[0] = 2;
    emitter.grip = 10;
    assert_true(billow_emit(sim, &emitter));
    BillowForce force = billow_default_force();
    force.strength = 3;
    assert_true(billow_push(sim, &force));
}

static void *saved(const BillowSim *sim)
{
    void *memory = malloc(billow_state_bytes(sim));
    assert_non_null(memory);
    billow_save_state(sim, memory);
    return memory;
}

static void load(BillowSim *sim, const void *memory)
{
    BillowError error = {""};
    if (!billow_load_state(sim, memory, billow_state_bytes(sim), &error))
        fail_msg("%s", error.text);
}

static void assert_same(const char *name, const char *when, const BillowSim *a, const BillowSim *b)
{
    uint64_t x = billow_state_hash(a), y = billow_state_hash(b);
    if (x != y)
        fail_msg("%s, %s: %016" PRIx64 " and %016" PRIx64, name, when, x, y);
    BillowStats s = billow_stats(a), t = billow_stats(b);
    assert_true(s.time == t.time && s.steps == t.steps && s.substeps == t.substeps);
    assert_true(s.mass == t.mass && s.mass_sources == t.mass_sources);
    assert_true(s.mass_outflow == t.mass_outflow && s.mass_drift == t.mass_drift);
    assert_true(s.residual_relative == t.residual_relative && s.cycles == t.cycles);
    assert_true(s.expansion == t.expansion && s.outflow == t.outflow && s.heat == t.heat);
}

/* Into another simulation, which has steps of its past, other threads and other kernels, and back
 * into the one that it was saved from. */
static void check_case(const Case *one, int past)
{
    BillowDef def = busy_def(1);
    one->change(&def);
    BillowSim *first = make(&def);
    run(first, 3);
    queue(first);
    void *state = saved(first);
    def.threads = 3;
    setenv("BILLOW_SIMD", "sse2", 1); /* where there is none, the same as before */
    BillowSim *second = make(&def);
    unsetenv("BILLOW_SIMD");
    run(second, past);
    load(second, state);
    assert_same(one->name, "loaded", first, second);
    void *again = saved(second);
    assert_memory_equal(state, again, billow_state_bytes(first));
    run(first, 2);
    run(second, 2);
    assert_same(one->name, "later", first, second);
    load(first, state);
    run(first, 2);
    assert_same(one->name, "gone back", first, second);
    assert_true(billow_stats(first).nonfinite == 0 && billow_stats(first).mass > 0);
    free(again);
    free(state);
    billow_destroy(second);
    billow_destroy(first);
}

static void a_state_goes_on(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; c++)
        check_case(&cases[c], c % 2 * 4);
}

/* Fields that somebody changed by hand, and what billow_advance still owes. */
static void a_touched_state_goes_on(void **state)
{
    (void)state;
    BillowDef def = busy_def(2);
    BillowSim *first = make(&def), *second = make(&def);
    billow_advance(first, 3.4 * step, step, 10);
    billow_fields(first).density[0] += 1;
    void *memory = saved(first);
    load(second, memory);
    for (int turn = 0; turn < 3; turn++) {
        assert_int_equal(billow_advance(first, 0.7 * step, step, 10),
                         billow_advance(second, 0.7 * step, step, 10));
        assert_same("touched", "later", first, second);
    }
    free(memory);
    billow_destroy(second);
    billow_destroy(first);
}

/* A solid that was taken elsewhere since is where the state has it, and so is the smoke. */
static void solids_go_back(void **state)
{
    (void)state;
    BillowDef def = busy_def(2);
    with_a_falling_ball(&def);
    BillowSim *sim = make(&def);
    run(sim, 6);
    void *memory = saved(sim);
    uint64_t hash = billow_state_hash(sim), version = billow_view(sim).solid_version;
    BillowSolid moved = *billow_solid(sim, 0), before = moved;
    moved.center[0] += 0.1f;
    moved.center[1] = 0.3f;
    moved.size[0] = 0.13f;
    assert_true(billow_set_solids(sim, &moved, 1, NULL));
    run(sim, 3);
    load(sim, memory);
    assert_true(billow_state_hash(sim) == hash);
    assert_memory_equal(billow_solid(sim, 0), &before, sizeof before);
    assert_true(billow_view(sim).solid_version != version);
    assert_true(billow_view(sim).time == 6 * step ||
                fabs(billow_view(sim).time - 6 * step) < 1e-12);
    free(memory);
    billow_destroy(sim);
}

/* Parameters are not part of it: a state may go on by others. */
/* A state that is saved over another is the same, wherever the smoke of both lies. */
static void states_are_saved_over(void **state)
{
    (void)state;
    for (int refine = 1; refine <= 2; refine++) {
        BillowDef def = busy_def(2);
        def.refine = refine;
        def.params.smoke_diffusion = def.params.heat_diffusion = 0; /* else all cells take part */
        BillowSim *sim = make(&def);
        const size_t bytes = billow_state_bytes(sim);
        const BillowView view = billow_view(sim);
        const size_t count = (size_t)view.span_blocks * (size_t)view.nz;
        unsigned char *over = malloc(bytes), *whole = malloc(bytes);
        BillowSpan *spans = malloc(count * sizeof *spans);
        assert_true(over != NULL && whole != NULL && spans != NULL);
        memset(over, 0x55, bytes);
        for (size_t s = 0; s < count; s++)
            spans[s] = (BillowSpan){0, (short)view.nx};
        for (int s = 0; s < 12; s++) {
            if (s % 5 == 4)
                billow_reset(sim); /* what was there is gone */
            else
                billow_step(sim, step);
            memset(whole, 0xaa, bytes);
            billow_save_state(sim, whole);
            billow_save_state_over(sim, over, spans);
            assert_memory_equal(over, whole, bytes);
        }
        free(spans);
        free(whole);
        free(over);
        billow_destroy(sim);
    }
}

static void parameters_stay(void **state)
{
    (void)state;
    BillowDef def = busy_def(2);
    BillowSim *sim = make(&def);
    void *memory = saved(sim);
    BillowParams params = billow_params(sim);
    params.vorticity = 1.5f;
    assert_true(billow_set_params(sim, &params, NULL));
    load(sim, memory);
    assert_true(billow_params(sim).vorticity == 1.5f);
    free(memory);
    billow_destroy(sim);
}

/* -- what is refused --------------------------------------------------------------------------- */

static void finer(BillowDef *def)
{
    def->nx++;
}

static void refined(BillowDef *def)
{
    def->refine = 2;
}

static void elsewhere(BillowDef *def)
{
    def->origin[2] = 1;
}

static void otherwise_walled(BillowDef *def)
{
    def->faces[BILLOW_BACK] = BILLOW_OPEN;
}

static void otherwise_heated(BillowDef *def)
{
    def->boundaries[BILLOW_FLOOR].isothermal = true;
    def->boundaries[BILLOW_FLOOR].temperature = 1;
}

static void others_are_refused(void **state)
{
    (void)state;
    const struct {
        void (*change)(BillowDef *def);
        const char *words;
    } others[] = {
        {finer, "x 21 cells, and this simulation 26 x 38 x 21"},
        {refined, "the state has refine 1, and this simulation 2"},
        {elsewhere, "another size or place"},
        {with_fire, "the state was saved without fire"},
        {with_color, "without color"},
        {with_tracers_everywhere, "the state has 0 tracers, and this simulation 300"},
        {with_rest, "the state's texture_period is 0 s, and this simulation's 0.2 s"},
        {with_a_falling_ball, "the state has 0 solids, and this simulation 1"},
        {otherwise_walled, "the state's box has other faces"},
        {otherwise_heated, "other faces"},
    };
    BillowDef def = busy_def(1);
    BillowSim *sim = make(&def);
    run(sim, 2);
    void *memory = saved(sim);
    size_t bytes = billow_state_bytes(sim);
    for (size_t o = 0; o < sizeof others / sizeof others[0]; o++) {
        BillowDef changed = def;
        BillowError error = {""};
        others[o].change(&changed);
        BillowSim *other = make(&changed);
        uint64_t hash = billow_state_hash(other);
        assert_false(billow_load_state(other, memory, bytes, &error));
        if (strstr(error.text, others[o].words) == NULL)
            fail_msg("'%s' does not say '%s'", error.text, others[o].words);
        assert_true(billow_state_hash(other) == hash);
        billow_destroy(other);
    }
    free(memory);
    billow_destroy(sim);
}

static void damage_is_refused(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    BillowSim *sim = make(&def);
    unsigned char *memory = saved(sim);
    size_t bytes = billow_state_bytes(sim);
    BillowError error = {""};
    assert_false(billow_load_state(sim, memory, bytes - 4, &error));
    assert_non_null(strstr(error.text, "cut short"));
    assert_false(billow_load_state(sim, memory, 0, &error));
    assert_non_null(strstr(error.text, "these bytes are not a saved state"));
    memory[8]++;
    assert_false(billow_load_state(sim, memory, bytes, &error));
    assert_non_null(strstr(error.text, "the state has version 9; this library reads version 8"));
    memory[8]--;
    const size_t layout = 8 + 4 + 8 + 4 * 4; /* behind magic, version, length, cells and refine */
    memory[layout]++;
    assert_false(billow_load_state(sim, memory, bytes, &error));
    assert_non_null(strstr(error.text, "the state is of another version of the library"));
    memory[layout]--;
    memory[0] = 'b';
    assert_false(billow_load_state(sim, memory, bytes, &error));
    assert_non_null(strstr(error.text, "these bytes are not a saved state"));
    free(memory);
    billow_destroy(sim);
}

/* Of the fields' values only finite ones are taken, up to the largest. */
static void fields_are_finite(void **state)
{
    (void)state;
    const float values[] = {INFINITY, -INFINITY, NAN, FLT_MAX, -FLT_MAX, 0};
    BillowDef def = busy_def(1);
    BillowSim *sim = make(&def);
    for (int v = 0; v < 6; v++) {
        sim->density[grid_row(&sim->grid, 3, 4) + 5] = values[v];
        unsigned char *memory = saved(sim);
        BillowError error = {""};
        bool taken = billow_load_state(sim, memory, billow_state_bytes(sim), &error);
        assert_int_equal(taken, isfinite(values[v]));
        if (!taken)
            assert_string_equal(error.text,
                                "the state is damaged: its fields hold infinities or NaN");
        free(memory);
    }
    billow_destroy(sim);
}

/* With any bytes before the fields, a state is refused or can be stepped. */
static void random_damage_is_survived(void **state)
{
    (void)state;
    BillowDef def = busy_def(1);
    def.nx = def.ny = def.nz = 8;
    with_emitted_tracers(&def);
    with_a_falling_ball(&def);
    BillowSim *sim = make(&def);
    run(sim, 2);
    queue(sim);
    unsigned char *good = saved(sim), *bad = saved(sim);
    size_t bytes = billow_state_bytes(sim);
    size_t fields = (3 * 9 * 9 * 9 + 3 * 8 * 8 * 8 + 4 * 500) * sizeof(float);
    assert_true(bytes > fields);
    unsigned random = 1;
    int taken = 0, refused = 0, odd = 0;
    for (int attempt = 0; attempt < 900; attempt++) {
        memcpy(bad, good, bytes);
        for (int flip = 0; flip < 1 + attempt % 3; flip++) {
            random = random * 1664525u + 1013904223u;
            bad[(random >> 8) % (bytes - fields)] ^= (unsigned char)(1u << (random & 7));
        }
        BillowError error = {""};
        bool loaded = billow_load_state(sim, bad, bytes, &error);
        taken += loaded;
        refused += !loaded;
        odd += strstr(error.text, "it holds a number out of range") != NULL;
        if (loaded && attempt % 10 == 0)
            billow_step(sim, step);
    }
    if (taken < 50 || refused < 20 || odd == 0)
        fail_msg("%d taken, %d refused, %d of them for a number", taken, refused, odd);
    load(sim, good);
    free(bad);
    free(good);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(a_touched_state_goes_on),
        cmocka_unit_test(solids_go_back),
        cmocka_unit_test(parameters_stay),
        cmocka_unit_test(states_are_saved_over),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(fields_are_finite),
        cmocka_unit_test(random_damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
