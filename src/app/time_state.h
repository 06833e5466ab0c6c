/* SPDX-License-Identifier: MIT
 * What the window remembers about time: see time_control.h. */
#ifndef APP_TIME_STATE_H
#define APP_TIME_STATE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct TimeControl {
    int doublings;      /* of the speed: -1 is half */
    bool rewinding;     /* its key is down */
    uint64_t went_back; /* as the snapshot said it that was told of last */
    bool turning;       /* the turntable, */
    double turned;      /* and the time of the frame that it turned to last */
} TimeControl;

#endif
