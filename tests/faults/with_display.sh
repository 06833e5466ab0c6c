#!/bin/sh
# SPDX-License-Identifier: MIT
# with_display.sh COMMAND...: runs the command with a display of its own, where Xvfb is installed.
set -u

. "$(dirname "$0")/../screen_fixture.sh"
command -v Xvfb >/dev/null && start_server 640x480
"$@"
