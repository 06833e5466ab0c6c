# SPDX-License-Identifier: MIT
# Installs the shared libraries that `programs` and their `modules` need into `folder`. Left out are
# libraries that every desktop has and that must match its kernel, drivers, sound or fonts.
set(systems "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|nsl|anl|mvec|nss_[a-z]+)\\.so"
    "^lib(stdc\\+\\+|gcc_s)\\.so"
    "^lib(GL|EGL|GLX|GLdispatch|OpenGL|GLESv[12]|gbm|drm|glapi)[._a-z0-9]*\\.so"
    "^lib(X[a-z0-9]*|X11-xcb|xcb[-a-z0-9]*|wayland-[a-z]+|xkbcommon|ICE|SM)\\.so"
    "^lib(asound|pulse|pulse-simple|pulsecommon-[0-9.]+|jack|dbus-1|systemd|udev|cap)[-._a-z0-9]*\\.so"
    "^lib(fontconfig|freetype|expat|z|uuid|harfbuzz)\\.so")
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} MODULES ${modules}
    RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing PRE_EXCLUDE_REGEXES ${systems})
if(missing)
    message(FATAL_ERROR "${programs} need libraries that are not here: ${missing}")
endif()
foreach(library IN LISTS found)
    file(INSTALL ${library} DESTINATION "${CMAKE_INSTALL_PREFIX}/${folder}" TYPE SHARED_LIBRARY
        FOLLOW_SYMLINK_CHAIN)
endforeach()
