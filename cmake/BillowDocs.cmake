# SPDX-License-Identifier: MIT
# cmake --build BUILD --target docs: the public headers as HTML, by Doxygen, in BUILD/docs/html.
find_package(Doxygen QUIET)
if(DOXYGEN_FOUND)
    set(BILLOW_DOCS_DIR ${PROJECT_BINARY_DIR}/docs)
    configure_file(docs/Doxyfile.in ${BILLOW_DOCS_DIR}/Doxyfile @ONLY)
    add_custom_target(docs COMMAND ${DOXYGEN_EXECUTABLE} ${BILLOW_DOCS_DIR}/Doxyfile
        COMMENT "Writing ${BILLOW_DOCS_DIR}/html/index.html" VERBATIM)
endif()
