// Prints how many ops a graph file has: the smallest use of the installed library.
#include <cstdio>

#include "core/base/version.h"
#include "core/io/document.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  tideline::Progress progress;
  const auto document = tideline::io::read_document(argv[1], progress);
  if (!document) {
    std::fprintf(stderr, "Tideline %s: %s\n", tideline::kVersion, document.error().message.c_str());
    return 1;
  }
  std::printf("%u\n", document->graph.op_count());
}
