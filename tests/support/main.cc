// The test runner's main, compiled once: Catch2's header is slow.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "core/runtime/serve.h"

int main(int argc, char** argv) {
  // Tests of workers start this program as one.
  if (const auto code = tideline::runtime::serve_if_asked(argc, argv)) return *code;
  return Catch::Session().run(argc, argv);
}
