# SPDX-License-Identifier: MIT
# cmake -DFIRST=program -DSECOND=program -P same_output.cmake: both programs must succeed and print the same.
execute_process(COMMAND ${FIRST} OUTPUT_VARIABLE first RESULT_VARIABLE first_status)
execute_process(COMMAND ${SECOND} OUTPUT_VARIABLE second RESULT_VARIABLE second_status)
if(NOT first_status EQUAL 0 OR NOT second_status EQUAL 0 OR first STREQUAL "")
    message(FATAL_ERROR "a program failed: ${first_status}, ${second_status}")
endif()
if(NOT first STREQUAL second)
    message(FATAL_ERROR "${FIRST} printed ${first}${SECOND} printed ${second}")
endif()
