# SPDX-License-Identifier: MIT
# Functions that declare tests.

# Of the programs of tests, a build makes those that its preset runs: tests with this label.
set(BILLOW_WANTED "")
if(BILLOW_SANITIZE MATCHES "thread")
    set(BILLOW_WANTED threads)
elseif(BILLOW_SANITIZE)
    set(BILLOW_WANTED quick)
elseif(NOT BILLOW_APP)
    set(BILLOW_WANTED unit)
endif()

# gold links a test in a third of the time of the default linker. The program keeps the default.
set(BILLOW_TEST_LINKER "")
find_program(BILLOW_GOLD ld.gold)
mark_as_advanced(BILLOW_GOLD)
if(BILLOW_GOLD AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT BILLOW_FUZZ)
    set(BILLOW_TEST_LINKER -fuse-ld=gold)
endif()

# billow_wanted(target label...): leaves a program out of a build that runs no test with these labels.
function(billow_wanted target)
    if(BILLOW_WANTED AND NOT BILLOW_WANTED IN_LIST ARGN)
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
endfunction()

# billow_run(name LABELS a b COMMAND program argument... [TIMEOUT s] [COST n] [ENVIRONMENT A=b...]
# [SERIAL] [SKIPS]): makes a test of a command. Tests of the highest cost start first, so that no long
# one runs alone at the end. SKIPS: status 77 says that the machine lacks what the test needs.
function(billow_run name)
    cmake_parse_arguments(RUN "SERIAL;SKIPS" "TIMEOUT;COST" "LABELS;ENVIRONMENT;COMMAND" ${ARGN})
    add_test(NAME ${name} COMMAND ${RUN_COMMAND})
    if(NOT RUN_TIMEOUT)
        set(RUN_TIMEOUT 300)
    endif()
    # Waiting threads sleep, since tests run in parallel. Windows save by themselves: the user's own
    # sessions are no matter of the tests.
    set_tests_properties(${name} PROPERTIES LABELS "${RUN_LABELS}" TIMEOUT ${RUN_TIMEOUT}
        ENVIRONMENT "OMP_WAIT_POLICY=passive;XDG_STATE_HOME=${PROJECT_BINARY_DIR}/tests/state;${RUN_ENVIRONMENT}")
    if(RUN_COST)
        set_tests_properties(${name} PROPERTIES COST ${RUN_COST})
    endif()
    if(RUN_SERIAL)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
    endif()
    if("window" IN_LIST RUN_LABELS)
        set_tests_properties(${name} PROPERTIES PROCESSORS 2) # windows must answer within seconds
    endif()
    if(RUN_SKIPS)
        set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
    endif()
endfunction()

# billow_test(name LABELS a b LINK targets... and what billow_run takes): makes a test of <name>.c.
function(billow_test name)
    cmake_parse_arguments(TEST "" "TIMEOUT;COST" "LINK;LABELS;ENVIRONMENT" ${ARGN})
    add_executable(${name} ${name}.c)
    target_link_libraries(${name} PRIVATE billow_flags ${TEST_LINK} cmocka m)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests) # the fixtures
    target_link_options(${name} PRIVATE ${BILLOW_TEST_LINKER})
    # Most of a test's time is the library's. More optimisation would cost more than it saves.
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    if(BILLOW_SANITIZE)
        target_compile_definitions(${name} PRIVATE BILLOW_SANITIZED)
    endif()
    if(BILLOW_SANITIZE MATCHES "thread")
        target_compile_definitions(${name} PRIVATE BILLOW_RACES)
    endif()
    billow_wanted(${name} ${TEST_LABELS})
    billow_run(${name} LABELS ${TEST_LABELS} COMMAND ${name} TIMEOUT ${TEST_TIMEOUT}
        COST ${TEST_COST} ENVIRONMENT ${TEST_ENVIRONMENT})
    # cmocka reports a group that cannot end, but does not count it as a failure.
    set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "FAILED  ] GROUP TEARDOWN")
endfunction()

# billow_wrap(test function...): calls of the functions go to __wrap_<function>, where the linker can do
# it (GNU ld's and lld's --wrap).
function(billow_wrap name)
    list(TRANSFORM ARGN PREPEND "-Wl,--wrap=")
    target_link_options(${name} PRIVATE ${ARGN})
endfunction()

# in_locales(tests...): lets tests set the locales that the test `locales` makes.
function(in_locales)
    set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT LOCPATH=${PROJECT_BINARY_DIR}/tests/locales)
    set_property(TEST ${ARGN} PROPERTY FIXTURES_REQUIRED locales)
endfunction()
