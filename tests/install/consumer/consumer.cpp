/* SPDX-License-Identifier: MIT
 * consumer.c in C++. */
#include <billow/billow.h>
#include <cstdio>
#include <memory>

int main()
{
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = 16;
    def.cell_size = 1.0f / 16;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    BillowError error;
    if (billow_create(nullptr, &error) != nullptr) /* refused, with a message */
        return 1;
    billow_destroy(nullptr);
    std::unique_ptr<BillowSim, void (*)(BillowSim *)> sim(billow_create(&def, &error),
                                                          billow_destroy);
    if (!sim) {
        std::fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    for (int step = 0; step < 5; step++)
        billow_step(sim.get(), 0.01);
    std::printf("%s mass %.6f hash %016llx\n", BILLOW_VERSION, billow_stats(sim.get()).mass,
                static_cast<unsigned long long>(billow_state_hash(sim.get())));
}
