# SPDX-License-Identifier: MIT
# Writes frame_fields.inc into the current binary folder: the C twin of the uniform block, which is
# declared once, in GLSL.
file(STRINGS ${PROJECT_SOURCE_DIR}/shaders/frame.glsl lines REGEX "^    (vec4|mat4) ")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/frame.glsl)
set(fields "")
foreach(line ${lines})
    if(line MATCHES "^    vec4 ([a-z_]+)\\[([0-9]+)\\]")
        string(APPEND fields "float ${CMAKE_MATCH_1}[${CMAKE_MATCH_2}][4];\n")
    elseif(line MATCHES "^    vec4 ([a-z_]+)")
        string(APPEND fields "float ${CMAKE_MATCH_1}[4];\n")
    elseif(line MATCHES "^    mat4 ([a-z_]+)")
        string(APPEND fields "float ${CMAKE_MATCH_1}[16];\n")
    endif()
endforeach()
file(CONFIGURE OUTPUT frame_fields.inc CONTENT "${fields}" @ONLY)
