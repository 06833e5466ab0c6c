/* SPDX-License-Identifier: MIT
 *
 * Whether somebody wants the program to end, for all that waits or takes long. */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

void interrupt_note(int number); /* of a signal, by its handler */
int interrupt_seen(void);        /* the last one's; 0: there was none */

#endif
