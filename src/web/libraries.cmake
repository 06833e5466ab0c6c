# SPDX-License-Identifier: MIT
# Libraries of the page, which Emscripten has not: from BILLOW_SOURCES, the folder of Debian's sources of
# libyaml, cJSON, zlib and libsodium. They bear the names that the program's libraries have.

# Copies of a header in a folder of its own, so that the rest of /usr/include stays out.
file(COPY /usr/include/cglm DESTINATION ${CMAKE_CURRENT_BINARY_DIR}/headers)
file(GLOB cjson ${BILLOW_SOURCES}/cjson-*/cJSON.c)
file(GLOB libraries ${BILLOW_SOURCES}/libyaml-*/src/*.c ${BILLOW_SOURCES}/zlib-1*/*.c)
list(FILTER libraries EXCLUDE REGEX "/gz[a-z]+\\.c$") # zlib's streams of files
file(GLOB headers LIST_DIRECTORIES true ${BILLOW_SOURCES}/libyaml-*/include ${BILLOW_SOURCES}/zlib-1*)
list(FILTER headers EXCLUDE REGEX "\\.(dsc|gz|xz|asc)$")
get_filename_component(cjson_folder ${cjson} DIRECTORY)
file(COPY ${cjson_folder}/cJSON.h DESTINATION ${CMAKE_CURRENT_BINARY_DIR}/headers/cjson)

# What net_crypt.c needs of libsodium, in plain C. Its core prepares Argon2, which is not used.
file(GLOB sodium ${BILLOW_SOURCES}/libsodium-*/src/libsodium)
set(sodium_files crypto_aead/chacha20poly1305/sodium/aead_chacha20poly1305
    crypto_core/ed25519/ref10/ed25519_ref10 crypto_core/salsa/ref/core_salsa_ref
    crypto_generichash/crypto_generichash crypto_generichash/blake2b/generichash_blake2
    crypto_generichash/blake2b/ref/blake2b-compress-ref crypto_generichash/blake2b/ref/blake2b-ref
    crypto_generichash/blake2b/ref/generichash_blake2b crypto_kx/crypto_kx
    crypto_onetimeauth/poly1305/donna/poly1305_donna
    crypto_onetimeauth/poly1305/onetimeauth_poly1305 crypto_pwhash/argon2/argon2-core
    crypto_pwhash/argon2/argon2-fill-block-ref crypto_pwhash/argon2/blake2b-long
    crypto_scalarmult/crypto_scalarmult
    crypto_scalarmult/curve25519/ref10/x25519_ref10
    crypto_scalarmult/curve25519/scalarmult_curve25519
    crypto_shorthash/crypto_shorthash crypto_shorthash/siphash24/ref/shorthash_siphash24_ref
    crypto_shorthash/siphash24/shorthash_siphash24 crypto_stream/chacha20/ref/chacha20_ref
    crypto_stream/chacha20/stream_chacha20 crypto_stream/salsa20/ref/salsa20_ref
    crypto_stream/salsa20/stream_salsa20 crypto_verify/sodium/verify randombytes/randombytes
    sodium/codecs sodium/core sodium/runtime sodium/utils)
list(TRANSFORM sodium_files PREPEND ${sodium}/)
list(TRANSFORM sodium_files APPEND .c)
set(VERSION 1.0.18)
set(SODIUM_LIBRARY_VERSION_MAJOR 10)
set(SODIUM_LIBRARY_VERSION_MINOR 3)
file(COPY ${sodium}/include/ DESTINATION ${CMAKE_CURRENT_BINARY_DIR}/headers)
configure_file(${sodium}/include/sodium/version.h.in headers/sodium/version.h @ONLY)

add_compile_options(-msimd128 -pthread)
add_library(page_libraries STATIC ${libraries} ${cjson} ${sodium_files})
target_include_directories(page_libraries PUBLIC ${headers} ${CMAKE_CURRENT_BINARY_DIR}/headers
    PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/headers/sodium)
target_compile_definitions(page_libraries PRIVATE YAML_VERSION_MAJOR=0 YAML_VERSION_MINOR=2
    YAML_VERSION_PATCH=5 YAML_VERSION_STRING="0.2.5" CONFIGURED NATIVE_LITTLE_ENDIAN)
set_target_properties(page_libraries PROPERTIES C_EXTENSIONS ON) # strdup
target_compile_options(page_libraries PRIVATE -Oz)
foreach(name PkgConfig::CJSON PkgConfig::YAML PkgConfig::SODIUM PkgConfig::CGLM ZLIB::ZLIB)
    add_library(${name} ALIAS page_libraries)
endforeach()
add_library(PkgConfig::EPOXY INTERFACE IMPORTED GLOBAL) # the browser's OpenGL
