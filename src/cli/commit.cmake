# SPDX-License-Identifier: MIT
# cmake -DSOURCE=dir -DOUTPUT=commit.h -DBUILD_TYPE=x -P commit.cmake
# The commit the tree stands at, for --version; "unknown" outside git, "+" after it when files differ.
set(commit "unknown")
find_program(GIT git)
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-toplevel
        OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    file(REAL_PATH "${SOURCE}" source)
    # An enclosing repository of somebody else says nothing about this tree.
    if(failed EQUAL 0 AND top STREQUAL source)
        execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 --verify --quiet HEAD
            OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
        if(failed EQUAL 0)
            set(commit "${head}")
            execute_process(COMMAND ${GIT} -C ${SOURCE} diff --quiet HEAD ERROR_QUIET
                RESULT_VARIABLE changed)
            if(changed)
                string(APPEND commit "+")
            endif()
        endif()
    endif()
endif()
set(text "/* Written by each build. */\n#define BILLOW_COMMIT     \"${commit}\"\n")
string(APPEND text "#define BILLOW_BUILD_TYPE \"${BUILD_TYPE}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
    file(WRITE ${OUTPUT} "${text}")
endif()
