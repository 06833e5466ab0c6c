/* SPDX-License-Identifier: MIT */
#include "scene/scene_driver.h"

#include "base/fail.h"
#include "mpi/cluster.h"

bool scene_driver_create(SceneDriver *driver, const Scene *scene, BillowDef *def,
                         const BillowExchange *exchange, BillowError *error)
{
    *driver = (SceneDriver){.play = scene_play_create(scene, def, error)};
    return cluster_agree_among(exchange, driver->play != NULL, error) &&
           scene_driver_start(driver, driver->play, def, exchange, error);
}

bool scene_driver_start(SceneDriver *driver, ScenePlay *play, const BillowDef *def,
                        const BillowExchange *exchange, BillowError *error)
{
    *driver = (SceneDriver){.play = play, .exchange = exchange};
    driver->sim = billow_create_exchanging(def, exchange, error);
    if (!cluster_agree_among(exchange, driver->sim != NULL, error))
        return false;
    scene_play_begin(play, driver->sim);
    return true;
}

bool scene_driver_prepare(const SceneDriver *driver, double seconds, BillowError *error)
{
    bool good =
        driver->play == NULL || scene_play_prepare(driver->play, driver->sim, seconds, error);
    return cluster_agree_among(driver->exchange, good, error);
}

bool scene_driver_step(const SceneDriver *driver, double seconds, BillowError *error)
{
    return scene_driver_prepare(driver, seconds, error) &&
           (billow_step(driver->sim, seconds) || fail(error, "%s", billow_error(driver->sim)));
}

void scene_driver_reset(const SceneDriver *driver)
{
    billow_reset(driver->sim);
    scene_play_begin(driver->play, driver->sim);
}

void scene_driver_destroy(SceneDriver *driver)
{
    billow_destroy(driver->sim);
    scene_play_destroy(driver->play);
    *driver = (SceneDriver){.sim = NULL};
}
