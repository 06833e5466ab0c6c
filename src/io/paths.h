/* SPDX-License-Identifier: MIT
 * Where paths lead, links followed. */
#ifndef IO_PATHS_H
#define IO_PATHS_H

#include <stdbool.h>

enum { PATHS_SIZE = 4096 };

/* Whether a file lies in the folder of another, that need not be there, or below: name is then the
 * path from that folder. Otherwise name is the whole path, or as much as is known of it. */
bool paths_below(const char *beside, const char *file, char name[PATHS_SIZE]);

/* path becomes where its chain of symbolic links ends, whether anything is there or not; what is no
 * ordinary file is not followed: a link like /dev/stdout may end in what is no path. */
typedef enum PathsEnd { PATHS_ENDS, PATHS_ENDS_TOO_LONG, PATHS_ENDS_NOWHERE } PathsEnd;
PathsEnd paths_follow(char path[PATHS_SIZE]);

/* Whether a name has the ending, which is in small letters, in capitals or not, and more than that.
 */
bool paths_end_in(const char *name, const char *ending);

/* Whether two paths, either of which may be NULL, name one ordinary file, there already or not. "-"
 * is standard output and none. */
bool paths_same(const char *one, const char *other);

#endif
