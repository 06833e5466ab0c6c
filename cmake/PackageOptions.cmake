# SPDX-License-Identifier: MIT
# cpack reads this once for each kind of package: the components that only that kind contains.
list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 build)
list(GET CPACK_INSTALL_CMAKE_PROJECTS 1 project)
if(CPACK_GENERATOR STREQUAL "TGZ")
    list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${build} ${project} bundle /)
elseif(CPACK_GENERATOR STREQUAL "DEB")
    list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${build} ${project} debian /)
    set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/CompressManual.cmake)
endif()
