// Tested by tests/golden/files/modes_test.py.
#include "app/engine/input_readers.h"
#include "core/base/strictest.h"

#include <filesystem>

namespace tideline::app {
namespace {

namespace fs = std::filesystem;

// Logs have that many files at most, and what lies beside them only makes the result stricter.
constexpr int kMostVisited = 100'000;

Readers readers_below(const fs::path& folder) {
  Readers readers;
  std::error_code error;
  int visited = 0;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator() && ++visited < kMostVisited;
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) readers = strictest(readers, readers_of(at->path().native()));
  }
  return readers;
}

}  // namespace

Readers readers_of_inputs(const std::vector<std::string>& paths) {
  Readers readers;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) readers = strictest(readers, readers_below(path));
    if (fs::is_regular_file(path, error)) readers = strictest(readers, readers_of(path));
  }
  return readers;
}

Readers readers_of_graph(const io::Document& document, const MeasuredRunPtr& measured) {
  const Readers& readers = document.source->readers();
  return measured ? strictest(readers, readers_of_inputs({measured->path})) : readers;
}

}  // namespace tideline::app
