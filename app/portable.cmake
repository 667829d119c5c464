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
add_library(tideline_portable_fmt OBJECT portable_fmt.cc)
set_target_properties(tideline_portable_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON)  # plugins in the tarball have it, too
target_link_libraries(tideline_portable_fmt PRIVATE tideline_options)
set_source_files_properties(portable_fmt.cc PROPERTIES COMPILE_DEFINITIONS FMT_HEADER_ONLY
  COMPILE_OPTIONS "-fno-inline;-fkeep-inline-functions;-w")
add_executable(tideline_portable main.cc $<TARGET_OBJECTS:tideline_portable_fmt>)
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

# tideline_portable_window: the same with a window, for the tarball. GLFW, GL and EGL stay shared; what else draws is inside.
if(NOT TIDELINE_BUILD_GUI)
  return()
endif()
set(WINDOW_ARCHIVES)
foreach(LIBRARY stb freetype png brotlidec brotlicommon)
  string(TOUPPER TIDELINE_${LIBRARY}_ARCHIVE ARCHIVE)
  find_library(${ARCHIVE} lib${LIBRARY}.a)
  list(APPEND WINDOW_ARCHIVES ${${ARCHIVE}})
endforeach()
if(WINDOW_ARCHIVES MATCHES NOTFOUND)
  message(STATUS "No portable program with a window: it needs libstb.a, libfreetype.a, libpng.a, libbrotlidec.a and libbrotlicommon.a")
  return()
endif()
add_executable(tideline_portable_window EXCLUDE_FROM_ALL main.cc $<TARGET_OBJECTS:tideline_portable_fmt>)
target_compile_definitions(tideline_portable_window PRIVATE TIDELINE_HAS_GUI)
target_link_libraries(tideline_portable_window PRIVATE tideline_cli tideline_gui tideline_options)
target_link_options(tideline_portable_window PRIVATE -static-libstdc++ -static-libgcc LINKER:--as-needed LINKER:--gc-sections
  LINKER:--whole-archive ${ARCHIVES} ${WINDOW_ARCHIVES} LINKER:--no-whole-archive)
