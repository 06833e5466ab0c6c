# SPDX-License-Identifier: MIT
# cmake --build BUILD --target package: a .deb if dpkg is installed, and a .tar.gz that runs from any
# folder and carries the libraries that not every system has (see BundleLibraries.cmake).
set(CPACK_PACKAGE_NAME billow)
set(CPACK_PACKAGE_VENDOR "The Billow authors")
set(CPACK_PACKAGE_CONTACT "The Billow authors <billow@users.noreply.github.com>"
    CACHE STRING "Whom packages name as their maintainer")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "smoke and fire to play with, simulated on the processor")
set(CPACK_PACKAGE_DESCRIPTION "Billow simulates smoke and fire on the processor, draws them by
ray marching, and has a window to play in: push the smoke with the mouse, drag
a ball through it, detonate something in it. It also draws pictures and videos
without a window, benchmarks machines, and is verified against the literature.
.
The package has the program, the library for C and C++ with its headers, and
the Python module.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_SYSTEM_NAME ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/PackageOptions.cmake)

set(CPACK_GENERATOR TGZ)
find_program(BILLOW_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(BILLOW_SHLIBDEPS)
if(BILLOW_SHLIBDEPS)
    list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, ffmpeg, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, gnuplot-nox")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
if(TARGET billow_python)
    set(CPACK_DEBIAN_PACKAGE_DEPENDS python3)
endif()

# A Debian package needs its licence and change log in files with these names.
set(debian ${PROJECT_BINARY_DIR}/package/debian)
file(READ LICENSE license)
string(REGEX MATCH "Copyright [^\n]*" copyright "${license}")
string(REGEX REPLACE "^[^\n]*\n\n[^\n]*\n\n" "" license "${license}")
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n+$" "" license "${license}")
string(REPLACE "\n" "\n " license "${license}")
string(REPLACE "Copyright (c) " "" copyright "${copyright}")
file(WRITE ${debian}/copyright
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
    "Upstream-Name: billow\n\nFiles: *\nCopyright: ${copyright}\nLicense: Expat\n ${license}\n")
string(TIMESTAMP rfc_date "%a, %d %b %Y 00:00:00 +0000" UTC)
file(WRITE ${debian}/changelog "billow (${PROJECT_VERSION}) unstable; urgency=low\n\n"
    "  * Version ${PROJECT_VERSION}.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${rfc_date}\n")
file(WRITE ${debian}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${debian}/triggers)
find_program(BILLOW_GZIP gzip)
mark_as_advanced(BILLOW_GZIP)
if(BILLOW_GZIP)
    execute_process(COMMAND ${BILLOW_GZIP} -9nf ${debian}/changelog)
endif()
install(FILES ${debian}/copyright ${debian}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR}
    COMPONENT debian EXCLUDE_FROM_ALL OPTIONAL)

# The tarball's libraries lie where the program looks first. RPATH, unlike RUNPATH, also applies to
# the dependencies of those libraries.
if(TARGET billow AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(modules "")
    if(TARGET billow_openvdb)
        set(modules $<TARGET_FILE:billow_openvdb>)
    endif()
    install(CODE "set(programs \"$<TARGET_FILE:billow>\" \"$<TARGET_FILE:billow_reader>\")
        set(modules \"${modules}\")
        set(folder \"${CMAKE_INSTALL_LIBDIR}/billow\")
        include(\"${PROJECT_SOURCE_DIR}/cmake/BundleLibraries.cmake\")"
        COMPONENT bundle EXCLUDE_FROM_ALL)
endif()

include(CPack)
