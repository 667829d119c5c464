# tideline_portable: the program without a window, for any Linux with the same glibc or a later one: fmt,
# nettle, RE2, minizip, zlib, Snappy, cmark-gfm and the C++ library are inside. The Python package carries it. It is linked from the same
# objects as the program, so it costs a link.
find_library(TIDELINE_NETTLE_ARCHIVE libnettle.a)
find_library(TIDELINE_RE2_ARCHIVE libre2.a)
find_library(TIDELINE_MINIZIP_ARCHIVE libminizip.a)
find_library(TIDELINE_ZLIB_ARCHIVE libz.a)
find_library(TIDELINE_SNAPPY_ARCHIVE libsnappy.a)
find_library(TIDELINE_CMARK_ARCHIVE libcmark-gfm.a)
find_library(TIDELINE_CMARK_EXTENSIONS_ARCHIVE libcmark-gfm-extensions.a)
set(ARCHIVES ${TIDELINE_NETTLE_ARCHIVE} ${TIDELINE_RE2_ARCHIVE} ${TIDELINE_MINIZIP_ARCHIVE} ${TIDELINE_ZLIB_ARCHIVE}
    ${TIDELINE_SNAPPY_ARCHIVE} ${TIDELINE_CMARK_EXTENSIONS_ARCHIVE} ${TIDELINE_CMARK_ARCHIVE})
if(TIDELINE_SANITIZE OR ARCHIVES MATCHES NOTFOUND)
  message(STATUS "No portable program: it needs libnettle.a, libre2.a, libminizip.a, libz.a, libsnappy.a, libcmark-gfm.a and libcmark-gfm-extensions.a, and no sanitizer")
  return()
endif()
add_executable(tideline_portable main.cc portable_fmt.cc)
set_source_files_properties(portable_fmt.cc PROPERTIES COMPILE_DEFINITIONS FMT_HEADER_ONLY
  COMPILE_OPTIONS "-fno-inline;-fkeep-inline-functions;-w")
target_link_libraries(tideline_portable PRIVATE tideline_cli tideline_options)
# Shared libraries of which nothing is missing are left out (as-needed), so archives come whole and first.
# What nothing refers to goes; a tenth of the program.
target_link_options(tideline_portable PRIVATE -static-libstdc++ -static-libgcc LINKER:--as-needed LINKER:--gc-sections
  LINKER:--whole-archive ${ARCHIVES} LINKER:--no-whole-archive)
if(TIDELINE_INSTALL)
  # app/run does not build it.
  install(CODE "execute_process(
    COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target tideline_portable
    COMMAND_ERROR_IS_FATAL ANY)")
  install(TARGETS tideline_portable RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/tideline)
else()
  set_target_properties(tideline_portable PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
