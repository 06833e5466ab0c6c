/* SPDX-License-Identifier: MIT
 *
 * Counts what the exchanges of a divided simulation would move, in one that is not divided.
 *
 * The simulation has a single rank (exchange.h), whose exchanges have nobody to fetch from. Each of
 * them is repeated with the division of another box, which may be larger, in a table that counts
 * and moves nothing. Its fields are those of the present box with the planes and strides of the
 * other one. The present box divides as many levels of the multigrid as the other one, although
 * they are smaller. */
#ifndef SIM_TRAFFIC_H
#define SIM_TRAFFIC_H

#include "sim/fields/exchange.h"

/* The single rank of a box of the grid `here`. It counts what would be exchanged in a box of the
 * grid `there` on so many ranks. reach_most: planes that a rank fetches of sampled fields where the
 * flow is fastest, for which it needs memory. Returns NULL and a message if the ranks are too many,
 * or without memory. */
Ranks *traffic_start(const Grid *here, const Grid *there, bool wraps, int count, int reach_most,
                     BillowError *error);
void traffic_destroy(Traffic *traffic);

/* The exchanges since the start, and the memory for planes of other ranks. */
BillowTraffic traffic_sum(const Traffic *traffic);
/* Share of the box that the rank with the most planes owns. */
double traffic_share(const Traffic *traffic);

/* Called by each exchange of the present box. overlapped: whether ranks compute during it. */
void traffic_transfer(Traffic *traffic, const PlaneField *fields, int count, Need need,
                      bool overlapped);
void traffic_entries(Traffic *traffic, size_t size, int planes);
void traffic_each(Traffic *traffic, size_t size);

#endif
