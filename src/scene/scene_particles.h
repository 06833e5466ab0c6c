/* SPDX-License-Identifier: MIT
 *
 * The shape of an emitter as particles that files move: balls, drawn into the samples of a volume
 * along the way that they go in a step. Where balls overlap they count as one body.
 *
 * A moment is what a file holds of one time. Until the next moment a particle goes straight to the
 * place of the particle that has its id there. Without ids, or where that is gone, its velocity
 * moves it. */
#ifndef SCENE_SCENE_PARTICLES_H
#define SCENE_SCENE_PARTICLES_H

#include "scene/scene_form.h"

/* -- balls ------------------------------------------------------------------------------------- */

/* A ball on its way through a step, in the coordinates of the shape. */
typedef struct MovingBall {
    double from[3], to[3], radius;
    float velocity[3]; /* along the axes of the scene, m/s */
} MovingBall;

/* Where samples may be, in the coordinates of the shape. */
typedef struct BallRoom {
    double low[3], high[3]; /* around the scene's box */
    double spacing;         /* of the samples */
    double least; /* radius as which smaller balls are drawn, so that no cell misses them */
} BallRoom;

/* Draws balls into samples around those in the room. Each adds its volume, also where it is smaller
 * than a sample. velocities: whether the volume has the balls' velocities. The caller frees
 * distance, amount and velocity of the volume, also after a failure. */
bool scene_balls_draw(const MovingBall *balls, int count, const BallRoom *room, bool velocities,
                      BillowVolume *volume, BillowError *error);

/* Makes the distances of a volume whose amounts bound what an emitter releases: a few samples
 * beyond the last with any amount are still inside. velocity: of the samples with any amount, which
 * those around them take; NULL: there is none. */
void scene_amounts_surround(const BillowVolume *volume, const float *amount, float (*velocity)[3],
                            float *distance);

/* -- particles --------------------------------------------------------------------------------- */

typedef struct SceneParticles SceneParticles;

/* room: as of scene_balls_draw. Returns NULL if memory is short. */
SceneParticles *scene_particles_open(const SceneBody *body, const BallRoom *room);
void scene_particles_close(SceneParticles *particles); /* NULL is fine */

/* A step among numbered files, each of which is a moment. */
typedef struct ParticleStep {
    const char *file, *next; /* of the moment and of the one after it; next NULL: the particles stay
                                where they are */
    double length;           /* time between both, s */
    double since, until;     /* beginning and end of the step after the moment, s */
} ParticleStep;

/* Draws the particles of a step. The volume of `scene_particles_volume` is another one afterwards.
 */
bool scene_particles_step(SceneParticles *particles, const ParticleStep *step, BillowError *error);
/* Likewise of one file, whose particles say their times. */
bool scene_particles_step_at(SceneParticles *particles, const char *file, double time, double step,
                             BillowError *error);
const BillowVolume *scene_particles_volume(const SceneParticles *particles);

#endif
