# SPDX-License-Identifier: MIT
# cmake --install: the libraries with their headers, a CMake package (Billow::billow and
# Billow::billow_scene) and pkg-config files, the program if it is built, and the manual. Paths are
# relative to the installed files, so an installed tree can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS billow_lib EXPORT BillowTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET billow_shared)
    install(TARGETS billow_shared EXPORT BillowTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
set(headers_left_out PATTERN scene.h EXCLUDE)
if(TARGET billow_scene_shared)
    # It needs libbillow.so beside it and, in a package, the libraries of lib/billow.
    set_target_properties(billow_scene_shared PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/billow")
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
        target_link_options(billow_scene_shared PRIVATE -Wl,--disable-new-dtags)
    endif()
    install(TARGETS billow_scene_shared EXPORT BillowTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    set(headers_left_out)
endif()
install(DIRECTORY include/billow DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN mpi.h EXCLUDE ${headers_left_out})
# For clusters: cmake --install BUILD --component mpi. Packages do without, as they would need MPI.
if(TARGET billow_mpi)
    install(TARGETS billow_mpi EXPORT BillowMpiTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT mpi EXCLUDE_FROM_ALL)
    install(FILES include/billow/mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/billow
        COMPONENT mpi EXCLUDE_FROM_ALL)
endif()
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
    FILES_MATCHING PATTERN "*.md" PATTERN "*.py" PATTERN "*.c")
install(DIRECTORY assets/pictures DESTINATION ${CMAKE_INSTALL_DOCDIR}/assets)

get_target_property(library_type billow_lib TYPE)
if(TARGET billow)
    # <lib>/billow holds the modules that the program loads and the libraries of a bundle.
    file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set(billow_rpath "$ORIGIN/${bin_to_lib}/billow")
    if(library_type STREQUAL "SHARED_LIBRARY" OR TARGET billow_mpi)
        list(APPEND billow_rpath "$ORIGIN/${bin_to_lib}")
    endif()
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
        target_link_options(billow PRIVATE -Wl,--disable-new-dtags)
    endif()
    if(TARGET billow_openvdb)
        install(TARGETS billow_openvdb LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/billow)
    endif()
    set_target_properties(billow PROPERTIES BUILD_RPATH "$ORIGIN" INSTALL_RPATH "${billow_rpath}")
    install(TARGETS billow RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    # The program that reads files of strangers, for billow and libbillow_scene.
    set(libexec ${CMAKE_INSTALL_LIBEXECDIR}/billow)
    file(RELATIVE_PATH libexec_to_lib ${CMAKE_INSTALL_FULL_LIBEXECDIR}/billow
        ${CMAKE_INSTALL_FULL_LIBDIR})
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
        target_link_options(billow_reader PRIVATE -Wl,--disable-new-dtags)
    endif()
    set_target_properties(billow_reader PROPERTIES BUILD_RPATH "$ORIGIN"
        INSTALL_RPATH "$ORIGIN/${libexec_to_lib}/billow")
    install(TARGETS billow_reader RUNTIME DESTINATION ${libexec})
    # The page that a session's host serves, if ./build.sh web has built it.
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/web DESTINATION ${CMAKE_INSTALL_DATADIR}/billow
        OPTIONAL FILES_MATCHING PATTERN "*.html" PATTERN "*.js" PATTERN "*.css")
    include(BillowDesktop)
endif()

get_target_property(library_links billow_lib LINK_LIBRARIES)
set(needs_openmp OFF)
if("OpenMP::OpenMP_C" IN_LIST library_links)
    set(needs_openmp ON)
endif()

# The CMake package.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Billow)
install(EXPORT BillowTargets NAMESPACE Billow:: DESTINATION ${package_dir})
configure_package_config_file(cmake/BillowConfig.cmake.in
    ${PROJECT_BINARY_DIR}/package/BillowConfig.cmake INSTALL_DESTINATION ${package_dir}
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/BillowConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/BillowConfig.cmake
    ${PROJECT_BINARY_DIR}/package/BillowConfigVersion.cmake DESTINATION ${package_dir})

# The pkg-config file. Who links the static library needs its dependencies too.
set(needs -lm)
if(needs_openmp)
    # CMake's spelling for clang is not known to gcc; -fopenmp is known to both.
    string(REPLACE "-fopenmp=libomp" "-fopenmp" openmp_flags "${OpenMP_C_FLAGS}")
    set(needs "${openmp_flags} -lm")
endif()
set(pc_libs "-L\${libdir} -lbillow")
if(library_type STREQUAL "SHARED_LIBRARY")
    set(pc_libs_private ${needs})
else()
    string(APPEND pc_libs " ${needs}")
    set(pc_libs_private "")
endif()
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH pc_libdir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH pc_includedir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/billow.pc.in ${PROJECT_BINARY_DIR}/package/billow.pc @ONLY)
set(pc_files ${PROJECT_BINARY_DIR}/package/billow.pc)
if(TARGET billow_scene_shared)
    configure_file(cmake/billow_scene.pc.in ${PROJECT_BINARY_DIR}/package/billow_scene.pc @ONLY)
    list(APPEND pc_files ${PROJECT_BINARY_DIR}/package/billow_scene.pc)
endif()
if(TARGET billow_mpi)
    configure_file(cmake/billow_mpi.pc.in ${PROJECT_BINARY_DIR}/package/billow_mpi.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/package/billow_mpi.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT mpi EXCLUDE_FROM_ALL)
    install(EXPORT BillowMpiTargets NAMESPACE Billow:: DESTINATION ${package_dir}
        COMPONENT mpi EXCLUDE_FROM_ALL)
endif()
install(FILES ${pc_files}
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# All that cmake --install copies, without the tests.
set(installed)
foreach(part billow_lib billow_shared billow_scene_shared billow
        billow_reader billow_openvdb billow_mpi billow_man billow_python)
    if(TARGET ${part})
        list(APPEND installed ${part})
    endif()
endforeach()
add_custom_target(installable DEPENDS ${installed})
