# SPDX-License-Identifier: MIT
# Files installed beside the program: desktop entry, icons, AppStream metadata, bash completion, and
# the manual page, made from the program's own help.
string(TIMESTAMP BILLOW_DATE "%Y-%m-%d" UTC) # uses SOURCE_DATE_EPOCH if that is set
set(desktop ${PROJECT_SOURCE_DIR}/assets/desktop)

install(FILES ${desktop}/billow.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
configure_file(${desktop}/io.github.billow.billow.metainfo.xml.in
    ${PROJECT_BINARY_DIR}/package/io.github.billow.billow.metainfo.xml @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/io.github.billow.billow.metainfo.xml
    DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
foreach(size 16 32 48 64 128 256 512)
    install(FILES ${PROJECT_SOURCE_DIR}/assets/icon/billow-${size}.png RENAME billow.png
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps)
endforeach()
install(FILES ${desktop}/billow.bash RENAME billow
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

if(NOT CMAKE_CROSSCOMPILING AND UNIX AND NOT BILLOW_SANITIZE)
    set(page ${PROJECT_BINARY_DIR}/package/billow.1)
    add_custom_command(OUTPUT ${page}
        COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/man_page.sh $<TARGET_FILE:billow> ${BILLOW_DATE}
            > ${page}.part
        COMMAND ${CMAKE_COMMAND} -E rename ${page}.part ${page}
        DEPENDS billow ${PROJECT_SOURCE_DIR}/cmake/man_page.sh
        COMMENT "Writing the manual page" VERBATIM)
    add_custom_target(billow_man ALL DEPENDS ${page})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
