#include "app/cli/commands.h"
#include "core/runtime/serve.h"

int main(int argc, char** argv) {
  // The same program is the worker that runs TensorFlow (core/runtime/worker.h).
  if (const auto code = tideline::runtime::serve_if_asked(argc, argv)) return *code;
  return tideline::cli::run(argc, argv);
}
