/* SPDX-License-Identifier: MIT
 * Lists that grow. */
#ifndef BASE_GROW_H
#define BASE_GROW_H

#include <stddef.h>
#include <stdlib.h>

/* Returns a list with room for `wanted` elements of so many bytes. A longer list has room for half
 * as many more than before, so that growing takes few copies. NULL: memory is short, and the list
 * stays. */
static inline void *grow(void *list, size_t *room, size_t wanted, size_t bytes)
{
    if (list != NULL && wanted <= *room)
        return list;
    size_t more = *room + *room / 2 + 64;
    more = more > wanted ? more : wanted;
    void *longer = realloc(list, more * bytes);
    *room = longer != NULL ? more : *room;
    return longer;
}

#endif
