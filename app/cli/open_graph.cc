#include "app/cli/open_graph.h"

#include <filesystem>

#include "core/io/functions.h"
#include "core/io/saved_model.h"

namespace tideline::cli {

Result<io::Document> open_graph(const GraphArgument& argument, Progress& progress,
                                io::Cycles cycles) {
  const io::ReadOptions options{cycles, argument.tag};
  std::error_code error;
  auto document = std::filesystem::is_directory(argument.path, error)
                      ? io::read_saved_model(argument.path, progress, options)
                      : io::read_document(argument.path, progress, options);
  if (!document || argument.function.empty()) return document;
  return io::open_function(*document, argument.function, cycles);
}

}  // namespace tideline::cli
