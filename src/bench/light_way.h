/* SPDX-License-Identifier: MIT
 *
 * Who sweeps the sun's light volume, and why, for people and for JSON. */
#ifndef CLI_LIGHT_WAY_H
#define CLI_LIGHT_WAY_H

#include "json.h"
#include "renderer.h"

/* Without "light volume" before it or a full stop after it. */
void light_way_text(const RenderLightWay *way, char *text, size_t size);
/* Adds light_volume to parent. */
void light_way_json(const RenderLightWay *way, Json *json, cJSON *parent);

/* False and a message where BILLOW_LIGHT in the environment is none of its values. */
bool light_way_check(BillowError *error);

#endif
