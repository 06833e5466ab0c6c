/* SPDX-License-Identifier: MIT
 * The memory bandwidth this machine gives to plain loops: the ceiling of every kernel. */
#ifndef CLI_BANDWIDTH_H
#define CLI_BANDWIDTH_H

/* GB/s of the triad a = b + s c on so many threads (12 bytes counted per value), the best of
 * several passes over arrays well beyond the cache. Takes about a second. 0 when memory is short.
 */
double bandwidth_triad(int threads);

#endif
