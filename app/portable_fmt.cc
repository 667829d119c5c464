// The functions of the library fmt, compiled from its headers: the portable executable has them
// instead of the shared library. In this file they are inline, and its compile options make the
// compiler write them out.
#include <fmt/format.h>

#ifndef FMT_HEADER_ONLY
#error "this file is compiled with FMT_HEADER_ONLY"
#endif
