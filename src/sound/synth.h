/* SPDX-License-Identifier: MIT
 *
 * Turns what a simulation radiates (BillowSound) into stereo samples. The same steps give the same
 * samples. docs/sound.md has the formulae.
 *
 *     synth_init(&synth);
 *     after each step: synth_step(&synth, &sound, seconds, seconds);
 *                      synth_play(&synth, samples, frames that last as long);
 *
 * Nothing here allocates memory or waits. */
#ifndef SOUND_SYNTH_H
#define SOUND_SYNTH_H

#include <billow/billow.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    SYNTH_RATE = 48000,  /* frames per second; a frame is a left and a right sample */
    SYNTH_LEAD = 96,     /* frames by which the limiter looks ahead, and delays the sound */
    SYNTH_SECTIONS = 12, /* most sections of the filter of the noise */
};

#define SYNTH_AIR 1.2 /* density of air, kg/m3 */
/* Pressure that becomes a sample of 1, Pa. */
#define SYNTH_FULL_SCALE 1.0
/* Largest size of a sample. */
#define SYNTH_CEILING 0.89

/* Where the listener is, and the unit vector to the right of the view. */
typedef struct SynthEar {
    float position[3], right[3];
} SynthEar;

typedef enum SynthShare {
    SHARE_SOFT,
    SHARE_DEATH,
    SHARE_LINGER,
    SHARE_PLACE,
    SHARE_FADE,
    SHARE_RELEASE,
    SHARE_LOUD,
    SYNTH_SHARES
} SynthShare;

/* A filter of first order: y = gain (x - zero x') + pole y'. */
typedef struct SynthSection {
    double gain, zero, pole;
} SynthSection;

/* A filter of second order in transposed direct form II, with its state. */
typedef struct SynthBiquad {
    double b[3], a[2], state[2];
} SynthBiquad;

/* Gains of the two channels for a source at a place. */
typedef struct SynthPlace {
    double now[2], aim[2];
    bool known;
} SynthPlace;

typedef struct Synth {
    /* the last steps */
    double time; /* end of the last step, s */
    double rates[3];      /* volume created per second, newest first, m3/s */
    double flow;          /* the newest, sharpened (synth.c), m3/s */
    double pressures[3];  /* pressure times distance, newest first, Pa m */
    double power;         /* mean square of its upper octave, Pa2 m2 */
    double rise;          /* mean size of the change of the rate in a step, m3/s */
    double tail_end;      /* density from which on the tail is 0 */
    double tail;          /* spectral density after a thump, Pa2 m2/Hz */

    /* what moves in a straight line to the next values; per frame, as long as `left` frames */
    double pressure, pressure_by; /* Pa m */
    double noise, noise_by;       /* root of the spectral density at the cut, Pa m / sqrt(Hz) */
    double wind, wind_by;         /* root mean square, Pa m */
    double pitch;                 /* corner of the wind's spectrum, Hz */
    long left;

    /* filters */
    double cut; /* frequency up to which the steps resolve the sound, Hz; 0: no step yet */
    SynthSection sections[SYNTH_SECTIONS];
    double section_in[SYNTH_SECTIONS], section_out[SYNTH_SECTIONS];
    int section_count;
    SynthBiquad smooth, above;         /* low-pass of the resolved sound, high-pass of the noise */
    double thump[3];                   /* states of the pulse of an explosion */
    double thump_seconds, thump_share; /* its time, s; share of its states left after a frame */
    double winds[2][2], wind_share;
    SynthBiquad wind_above[2], floor[2];

    /* the listener */
    SynthEar ear;
    bool heard;
    double fade;
    BillowSound source; /* of the last step */
    SynthPlace fire, air;

    /* the compressor and the limiter */
    double ahead[SYNTH_LEAD][2], needs[SYNTH_LEAD], gains[SYNTH_LEAD];
    double gain_sum, need;
    double loud; /* mean square of the sound before it is compressed */
    int at;

    double shares[SYNTH_SHARES]; /* left after a frame of what dies away */
    uint64_t dice;
} Synth;

void synth_init(Synth *synth);

/* Takes what a step of so many simulated seconds radiates. The sound moves there within `length`
 * seconds of sound. Without a further step it then dies away. A step that does not follow the last
 * one in time is not heard as a change, unless it is the first one from rest. */
void synth_step(Synth *synth, const BillowSound *radiated, double seconds, double length);

/* Moves the listener. heard: false fades the sound out, true fades it in. */
void synth_listen(Synth *synth, const SynthEar *ear, bool heard);

/* Makes the next frames: left and right samples in turn, at most SYNTH_CEILING in size. */
void synth_play(Synth *synth, float *samples, int frames);

#endif
