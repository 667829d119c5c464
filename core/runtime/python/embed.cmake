# Writes OUTPUT, a header with the bytes of FILE, a library: cmake -DFILE=... -DOUTPUT=... -P embed.cmake
file(READ ${FILE} BYTES HEX)
string(LENGTH "${BYTES}" DIGITS)
math(EXPR SIZE "${DIGITS} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," BYTES "${BYTES}")
file(WRITE ${OUTPUT} "// Generated from python/symbols.cc.
#pragma once

#include <string_view>

namespace tideline::runtime {

inline constexpr char kPythonLibraryBytes[] = {${BYTES} 0};
inline constexpr std::string_view kPythonLibrary{kPythonLibraryBytes, ${SIZE}};

}  // namespace tideline::runtime
")
