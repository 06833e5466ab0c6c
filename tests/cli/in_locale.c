/* SPDX-License-Identifier: MIT
 * The program's commands in a process that has set the locale of its user, as host programs of the
 * libraries do. The program itself never sets one. */
#include "base/fail.h"
#include "base/system.h"
#include "cli/command.h"

#include <locale.h>

int main(int count, char **arguments)
{
    BillowError error = {.text = ""};
    Status status = STATUS_FAILED;
    if (setlocale(LC_ALL, "") == NULL)
        fail(&error, "no locale LC_ALL in LOCPATH: the package locales makes it");
    else
        status = command_dispatch(count, arguments, &error);
    report_status(status, &error);
    return (int)report_finish(status);
}
