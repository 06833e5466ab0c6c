# SPDX-License-Identifier: MIT
# Compiler options of all targets, and functions that make a target of a folder. Headers are named from
# src/, as "render/light/lighting.h"; those of a folder's own are named so too.

add_library(billow_flags INTERFACE)
target_include_directories(billow_flags INTERFACE ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_SOURCE_DIR}/include)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    # Without fused multiply-adds the arithmetic, and hence the state hash, is the same in every
    # build type and for every instruction set.
    target_compile_options(billow_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wvla
        -ffp-contract=off
        $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
        $<$<COMPILE_LANG_AND_ID:C,GNU>:-Wdouble-promotion> # clang counts NAN and INFINITY too
        $<$<C_COMPILER_ID:Clang,AppleClang>:-Wno-pass-failed> # a loop left unvectorised is no error
        $<$<BOOL:${BILLOW_WERROR}>:-Werror>)
    # SDL's headers would include the compiler's vector instructions, which take longer to read than
    # most sources take to compile.
    foreach(set MM XMM EMM PMM IMM)
        target_compile_definitions(billow_flags INTERFACE SDL_DISABLE_${set}INTRIN_H)
    endforeach()
    if(BILLOW_SANITIZE)
        target_compile_options(billow_flags INTERFACE
            -fsanitize=${BILLOW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
        target_link_options(billow_flags INTERFACE -fsanitize=${BILLOW_SANITIZE})
    endif()
endif()

# billow_module(name SOURCES... LINK targets...): src/<name> as a static library.
function(billow_module name)
    cmake_parse_arguments(MODULE "" "" "SOURCES;LINK;PRIVATE" ${ARGN})
    add_library(billow_${name} STATIC ${MODULE_SOURCES})
    target_link_libraries(billow_${name} PUBLIC ${MODULE_LINK}
        PRIVATE $<BUILD_INTERFACE:billow_flags> ${MODULE_PRIVATE})
    if(EMSCRIPTEN) # all but the solver and light: a page is to load soon
        target_compile_options(billow_${name} PRIVATE -Oz)
    endif()
endfunction()

# billow_package(NAME module...): PkgConfig::NAME through pkg-config. The page makes its own libraries.
function(billow_package name)
    if(NOT TARGET PkgConfig::${name})
        find_package(PkgConfig REQUIRED)
        pkg_check_modules(${name} REQUIRED IMPORTED_TARGET GLOBAL ${ARGN})
    endif()
endfunction()

# Keeps a shared library loaded after dlclose: OpenMP's threads, and handlers that are given to the
# system, return into its code.
include(CheckLinkerFlag)
if(NOT EMSCRIPTEN)
    check_linker_flag(C -Wl,-z,nodelete BILLOW_LINKER_KEEPS)
endif()
function(billow_keep_loaded target)
    if(BILLOW_LINKER_KEEPS)
        target_link_options(${target} PRIVATE -Wl,-z,nodelete)
    endif()
endfunction()

# billow_embed(output.c symbol files...): writes the files into a table of name, text and length
# (embed.h). The program then needs no files at run time.
function(billow_embed output symbol)
    list(JOIN ARGN "|" files)
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSYMBOL=${symbol} "-DFILES=${files}"
            -P ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
        DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
        COMMENT "Embedding ${symbol}" VERBATIM)
endfunction()
