/* SPDX-License-Identifier: MIT */
#include "outputs.h"

#include "fail.h"
#include "paths.h"

bool outputs_apart(const Output *outputs, int count, BillowError *error)
{
    for (const Output *second = outputs; second < outputs + count; second++)
        for (const Output *first = outputs; first < second; first++) {
            bool streams = command_is_stdout(first->path) && command_is_stdout(second->path);
            if (streams || paths_same(first->path, second->path))
                return fail(error, "%s and %s cannot both go to %s", first->option, second->option,
                            streams ? "standard output" : first->path);
        }
    return true;
}

bool outputs_may_write(const CommandScene *settings, const Output *outputs, int count,
                       BillowError *error)
{
    for (int output = 0; output < count; output++)
        if (!command_may_write(settings, outputs[output].path, error))
            return false;
    return true;
}
