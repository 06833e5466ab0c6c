/* SPDX-License-Identifier: MIT
 *
 * Resolved sound. A volume V radiates the pressure p = rho V'' / (4 pi r). The steps give the rate
 * Q = V'. p between two steps is the line through differences of Q:
 *
 *     p_n = rho / (4 pi) (F_n - F_(n-1)) / h,    F_n = a0 Q_n + a1 Q_(n-1) + a2 Q_(n-2)
 *
 * The difference weakens a frequency f by sinc(f h), the line by sinc^2(f h). F makes up for both:
 * its a are of minimum phase, and give the factor 1 at f = 0, with its curvature, and at half the
 * Nyquist frequency. Up to there the amplitude is right within 1.5 %.
 *
 * Noise. Above the cut, the Nyquist frequency 1 / (2h) of the steps, turbulent fire has a spectral
 * density of f^-2.5 (Chadwick & James 2011, "Animating Fire with Sound"). White noise is filtered
 * so and added, with the density that the resolved sound has at the cut. That follows from the
 * upper octave of the p_n:
 *
 *     g_n = (-p_n + 2 p_(n-1) - p_(n-2)) / 4,    mean g^2 = S(cut) cut OCTAVE
 *
 * Thump. If Q rises by D more than it usually does, it did so faster than a step shows. The impulse
 * I = rho D / (4 pi) is heard as the pulse I/t (1 - s/t) exp(-s/t) at the time s, whose spectrum
 * joins that of the resolved pulse at 1/(2 pi t), and as noise that dies away.
 *
 * Wind. Vorticity w in moving air radiates (Powell 1964): as a dipole on whatever the air meets,
 * with a power of speed^6, in free air as a quadrupole with speed^8. A = integral of |w| / speed is
 * the area of the shear, and both pressures grow with its root. They are compressed to their cube
 * roots: what differs by 30 dB is heard 10 dB apart. */
#include "sound/synth.h"

#include "base/mathematics.h"

#include <math.h>
#include <string.h>

/* a0, a1, a2 above. */
static const double sharpen[3] = {1.36928, -0.43895, 0.06967};
/* Integral of u^-2.5 |g/p|^2 over frequencies u up to the cut, in units of the cut, with the factor
 * of the difference and of F: synth_octave() in tests/sound/test_synth.c. */
#define OCTAVE        1.6313
#define POWER_SHARE   0.25 /* of a step in the means of power and rise */
#define RISE_USUAL    4.0  /* a rise of so many times the mean is no thump */
#define THUMP_LEAST   45.0 /* least corner of the pulse of a thump, Hz */
#define TAIL_SECONDS  0.6
#define TAIL_SHARE    0.5  /* energy of a thump's noise, of that of its pulse */
#define SPEAKER_LEAST 20.0 /* loudspeakers are spared lower frequencies, Hz */

#define WIND_SPEED    3.0  /* speed at which wind's dipole and quadrupole are equally loud, m/s */
#define WIND_PRESSURE 0.04 /* pressure times distance that each radiates then from 1 m2, Pa m */
#define WIND_LEAST    90.0 /* Hz */

#define LATE_SECONDS 0.3  /* the first step of all may come so long after rest */
#define LOUD         0.06 /* root mean square from which on sound is compressed */

#define SILENCE  1e-16 /* smaller values of filters, and powers, are 0 */
#define TAIL_END 1e-6  /* share of a tail from which on it is 0 */

/* Times in which something falls to 1/e, s. */
static const double times[SYNTH_SHARES] = {
    [SHARE_SOFT] = 0.4e-3,  /* rounds the pulse of a thump */
    [SHARE_DEATH] = 0.02,   /* of resolved sound without a step */
    [SHARE_LINGER] = 0.06,  /* of noise without a step */
    [SHARE_PLACE] = 0.03,   /* of the way to another place */
    [SHARE_FADE] = 0.012,   /* of sound that is no more heard */
    [SHARE_RELEASE] = 0.15, /* of what the limiter takes away */
    [SHARE_LOUD] = 0.2,     /* of the mean that the compressor follows */
};

/* -- filters ----------------------------------------------------------------------------------- */

static double share_left(double seconds)
{
    return math_exp(-1 / (seconds * SYNTH_RATE));
}

/* Butterworth filters of second order. */
static void design(SynthBiquad *filter, double hertz, bool high)
{
    const double w = 2 * MATH_PI * fmin(hertz, 0.45 * SYNTH_RATE) / SYNTH_RATE;
    const double c = math_cos(w), alpha = math_sin(w) * sqrt(0.5), a0 = 1 + alpha;
    const double edge = (high ? 1 + c : 1 - c) / a0;
    filter->b[0] = filter->b[2] = 0.5 * edge;
    filter->b[1] = high ? -edge : edge;
    filter->a[0] = -2 * c / a0;
    filter->a[1] = (1 - alpha) / a0;
}

static double flushed(double value)
{
    return fabs(value) < SILENCE ? 0 : value;
}

static double filtered(SynthBiquad *f, double x)
{
    const double y = f->b[0] * x + f->state[0];
    f->state[0] = flushed(f->b[1] * x - f->a[0] * y + f->state[1]);
    f->state[1] = flushed(f->b[2] * x - f->a[1] * y);
    return y;
}

/* |H|^2 of a section at the angle w per frame. */
static double section_power(const SynthSection *s, double w)
{
    const double c = math_cos(w);
    return s->gain * s->gain * (1 - 2 * s->zero * c + s->zero * s->zero) /
           (1 - 2 * s->pole * c + s->pole * s->pole);
}

/* Amplitudes of f^-1.25: a pole, then poles and zeros a factor of 4 apart for the last quarter. */
static void design_noise(Synth *synth)
{
    const double turn = 2 * MATH_PI / SYNTH_RATE, apart = 4, lowest = synth->cut / 4;
    const double rest = sqrt(sqrt(apart)), at = fmin(4 * synth->cut, 0.2 * SYNTH_RATE);
    const double ratio = at / synth->cut;
    int count = 0;
    synth->sections[count++] = (SynthSection){1, 0, math_exp(-turn * lowest)};
    for (double f = lowest; f < 0.4 * SYNTH_RATE && count < SYNTH_SECTIONS; f *= apart)
        synth->sections[count++] =
            (SynthSection){1, math_exp(-turn * f * rest), math_exp(-turn * f)};
    double power = 1;
    for (int s = 0; s < count; s++)
        power *= section_power(&synth->sections[s], turn * at);
    /* The dice are even from -1 to 1: their density is 2/3 of a frame's time. */
    const double wanted = 1 / (ratio * ratio * sqrt(ratio));
    synth->sections[0].gain = sqrt(wanted / power / (2.0 / 3 / SYNTH_RATE));
    synth->section_count = count;
}

static void choose_cut(Synth *synth, double seconds)
{
    const double cut = fmin(0.5 / seconds, 0.2 * SYNTH_RATE);
    if (cut == synth->cut)
        return;
    synth->cut = cut;
    design_noise(synth);
    design(&synth->smooth, 2 * cut, false);
    design(&synth->above, cut, true);
    synth->thump_seconds = 1 / (2 * MATH_PI * fmax(2 * cut, THUMP_LEAST));
    synth->thump_share = share_left(synth->thump_seconds);
}

/* -- a step ------------------------------------------------------------------------------------ */

/* Starts from rest, or from a rate that goes on. */
static void start_from(Synth *synth, double rate)
{
    for (int n = 0; n < 3; n++)
        synth->rates[n] = rate;
    synth->flow = rate;
    memset(synth->pressures, 0, sizeof synth->pressures);
}

static void thump(Synth *synth, double rise)
{
    const double impulse = SYNTH_AIR * rise / (4 * MATH_PI); /* Pa m s */
    const double t = synth->thump_seconds;
    synth->thump[0] += impulse / t;
    /* The pulse has the energy I^2 / (4t), the noise S cut / 1.5 times half of TAIL_SECONDS. */
    const double energy = TAIL_SHARE * impulse * impulse / (4 * t);
    synth->tail += energy * 1.5 / synth->cut / (0.5 * TAIL_SECONDS);
    synth->tail_end = TAIL_END * synth->tail;
}

static double wind_pressure(const BillowSound *sound)
{
    const double speed = sound->shear_speed / WIND_SPEED;
    if (!(speed > 0))
        return 0;
    const double area = sound->shear / sound->shear_speed;
    return WIND_PRESSURE * cbrt(sqrt(area)) * (speed + speed * cbrt(speed));
}

static void aim(SynthPlace *place, const SynthEar *ear, const double center[3], double extent)
{
    double to[3], square = 0, right = 0;
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = center[axis] - (double)ear->position[axis];
        square += to[axis] * to[axis];
        right += to[axis] * (double)ear->right[axis];
    }
    const double distance = fmax(sqrt(square), fmax(extent, 0.2));
    const double side = fmin(fmax(right / (distance + extent), -1), 1);
    place->aim[0] = sqrt(1 - side) / distance;
    place->aim[1] = sqrt(1 + side) / distance;
    if (!place->known)
        memcpy(place->now, place->aim, sizeof place->now);
    place->known = true;
}

static void aim_both(Synth *synth)
{
    const BillowSound *sound = &synth->source;
    if (!(synth->cut > 0)) /* there is no source yet */
        return;
    aim(&synth->fire, &synth->ear, sound->center, sound->extent);
    aim(&synth->air, &synth->ear, sound->shear_center, sound->extent);
}

/* A number that the sound can bear: a simulation that has failed gives others. */
static double bounded(double value, double most)
{
    return isfinite(value) ? fmin(fmax(value, -most), most) : 0;
}

static BillowSound bounded_sound(const BillowSound *of)
{
    const double far = 1e6; /* m, and m/s */
    BillowSound sound = *of;
    sound.expansion = bounded(of->expansion, 1e12);
    sound.shear = bounded(of->shear, 1e12);
    sound.shear_speed = bounded(of->shear_speed, far);
    sound.extent = bounded(of->extent, far);
    for (int axis = 0; axis < 3; axis++) {
        sound.center[axis] = bounded(of->center[axis], far);
        sound.shear_center[axis] = bounded(of->shear_center[axis], far);
    }
    return sound;
}

void synth_step(Synth *synth, const BillowSound *radiated, double seconds, double length)
{
    const BillowSound bounds = bounded_sound(radiated), *sound = &bounds;
    const double from = sound->time - seconds, slack = 1e-3 * seconds;
    const double rest = synth->cut > 0 ? slack : LATE_SECONDS;
    choose_cut(synth, seconds);
    if (fabs(from - synth->time) > slack)
        start_from(synth, from > rest ? sound->expansion : 0);
    synth->time = sound->time;

    const double change = sound->expansion - synth->rates[0];
    const double thumps = change - RISE_USUAL * synth->rise;
    synth->rise += POWER_SHARE * (fabs(change) - synth->rise);
    synth->tail *= math_exp(-seconds / TAIL_SECONDS);
    synth->tail = synth->tail > synth->tail_end ? synth->tail : 0;
    if (thumps > 0)
        thump(synth, thumps);

    double *q = synth->rates, *p = synth->pressures;
    q[2] = q[1], q[1] = q[0], q[0] = sound->expansion;
    const double before = synth->flow;
    synth->flow = sharpen[0] * q[0] + sharpen[1] * q[1] + sharpen[2] * q[2];
    p[2] = p[1], p[1] = p[0];
    p[0] = SYNTH_AIR / (4 * MATH_PI) * (synth->flow - before) / seconds;
    const double octave = 0.25 * (2 * p[1] - p[0] - p[2]);
    synth->power = flushed(synth->power + POWER_SHARE * (octave * octave - synth->power));

    const double frames = fmax(round(length * SYNTH_RATE), 1);
    const double density = synth->power / (synth->cut * OCTAVE) + synth->tail;
    synth->left = (long)frames;
    synth->pressure_by = (p[0] - synth->pressure) / frames;
    synth->noise_by = (sqrt(density) - synth->noise) / frames;
    synth->wind_by = (wind_pressure(sound) - synth->wind) / frames;
    synth->pitch = WIND_LEAST + 60 * sound->shear_speed;
    synth->wind_share = math_exp(-2 * MATH_PI * synth->pitch / SYNTH_RATE);
    synth->source = *sound;
    aim_both(synth);
}

void synth_listen(Synth *synth, const SynthEar *ear, bool heard)
{
    synth->ear = *ear;
    synth->heard = heard;
    aim_both(synth);
}

/* -- samples ----------------------------------------------------------------------------------- */

/* Even from -1 to 1 (Knuth's generator). */
static double roll(Synth *synth)
{
    synth->dice = synth->dice * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(synth->dice >> 32) / 2147483648.0;
}

static double next_noise(Synth *synth)
{
    double x = roll(synth);
    for (int s = 0; s < synth->section_count; s++) {
        const SynthSection *section = &synth->sections[s];
        const double y = section->gain * (x - section->zero * synth->section_in[s]) +
                         section->pole * synth->section_out[s];
        synth->section_in[s] = x;
        synth->section_out[s] = y;
        x = y;
    }
    return filtered(&synth->above, x);
}

/* The pulse x (1 - s/t) exp(-s/t), made a little softer so that it does not click. */
static double next_thump(Synth *synth)
{
    double *state = synth->thump;
    const double share = synth->thump_share, step = 1 - share;
    const double soft = synth->shares[SHARE_SOFT];
    const double pulse = state[0] - state[1];
    state[1] = flushed(share * (state[1] + step * state[0]));
    state[0] = flushed(share * state[0]);
    state[2] = flushed(soft * state[2] + (1 - soft) * pulse);
    return state[2];
}

/* Noise of root mean square 1, about. */
static double next_wind(Synth *synth, int channel)
{
    double *state = synth->winds[channel];
    const double share = synth->wind_share, step = 1 - share;
    state[0] = share * state[0] + step * roll(synth);
    state[1] = share * state[1] + step * state[0];
    /* Two poles leave step / 4 of the power of white noise, which is 1/3. */
    return filtered(&synth->wind_above[channel], state[1]) * sqrt(12 / step);
}

/* Moves on to the values of the next step, or dies away without one. */
static void move(Synth *synth)
{
    if (synth->left > 0) {
        synth->left--;
        synth->pressure += synth->pressure_by;
        synth->noise += synth->noise_by;
        synth->wind += synth->wind_by;
        return;
    }
    const double linger = synth->shares[SHARE_LINGER];
    synth->pressure = flushed(synth->pressure * synth->shares[SHARE_DEATH]);
    synth->noise = flushed(synth->noise * linger);
    synth->wind = flushed(synth->wind * linger);
}

static void follow(SynthPlace *place, double share)
{
    for (int side = 0; side < 2; side++)
        place->now[side] = place->aim[side] + share * (place->now[side] - place->aim[side]);
}

/* Gain for what stays loud: differences above LOUD are heard as a quarter of them, in dB. The onset
 * is heard as it is. */
static double compress(Synth *synth, const double frame[2])
{
    const double square = 0.5 * (frame[0] * frame[0] + frame[1] * frame[1]);
    synth->loud = flushed(square + synth->shares[SHARE_LOUD] * (synth->loud - square));
    const double eighth = sqrt(sqrt(sqrt(1 + synth->loud / (LOUD * LOUD))));
    return 1 / (eighth * eighth * eighth);
}

/* Delays the sound, and turns it down before a peak comes: the gain is the mean over SYNTH_LEAD
 * frames of the least gain that any of as many frames needs. */
static void limit(Synth *synth, double frame[2])
{
    const double peak = fmax(fabs(frame[0]), fabs(frame[1]));
    const double need = peak > SYNTH_CEILING ? SYNTH_CEILING / peak : 1;
    const double release = synth->shares[SHARE_RELEASE];
    double *out = synth->ahead[synth->at];
    synth->need = fmin(need, 1 - release * (1 - synth->need));
    synth->needs[synth->at] = synth->need;
    double least = 1;
    if (synth->need < 1)
        for (int n = 0; n < SYNTH_LEAD; n++)
            least = fmin(least, synth->needs[n]);
    synth->gain_sum += least - synth->gains[synth->at];
    synth->gains[synth->at] = least;
    const double gain = fmin(synth->gain_sum / SYNTH_LEAD, 1);
    for (int side = 0; side < 2; side++) {
        const double before = out[side];
        out[side] = frame[side];
        frame[side] = fmin(fmax(gain * before, -SYNTH_CEILING), SYNTH_CEILING);
    }
    synth->at = (synth->at + 1) % SYNTH_LEAD;
}

void synth_play(Synth *synth, float *samples, int frames)
{
    const double fade = synth->shares[SHARE_FADE], place = synth->shares[SHARE_PLACE];
    for (int n = 0; n < frames; n++) {
        move(synth);
        follow(&synth->fire, place);
        follow(&synth->air, place);
        synth->fade =
            flushed((synth->heard ? 1 : 0) + fade * (synth->fade - (synth->heard ? 1 : 0)));
        const double fire = filtered(&synth->smooth, synth->pressure) + next_thump(synth) +
                            synth->noise * next_noise(synth);
        double frame[2];
        for (int side = 0; side < 2; side++) {
            const double sum = synth->fire.now[side] * fire +
                               synth->air.now[side] * synth->wind * next_wind(synth, side);
            frame[side] = filtered(&synth->floor[side], sum) * synth->fade / SYNTH_FULL_SCALE;
        }
        const double gain = compress(synth, frame);
        frame[0] *= gain;
        frame[1] *= gain;
        limit(synth, frame);
        samples[2 * n] = (float)(frame[0] + 0.0); /* no negative zeros */
        samples[2 * n + 1] = (float)(frame[1] + 0.0);
    }
}

void synth_init(Synth *synth)
{
    *synth = (Synth){.heard = true, .need = 1, .gain_sum = SYNTH_LEAD, .dice = 0x5eed};
    synth->ear.right[0] = 1;
    for (int n = 0; n < SYNTH_SHARES; n++)
        synth->shares[n] = share_left(times[n]);
    for (int n = 0; n < SYNTH_LEAD; n++)
        synth->needs[n] = synth->gains[n] = 1;
    for (int side = 0; side < 2; side++) {
        design(&synth->floor[side], SPEAKER_LEAST, true);
        design(&synth->wind_above[side], WIND_LEAST, true);
    }
}
