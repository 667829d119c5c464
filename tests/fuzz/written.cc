#include "tests/fuzz/written.h"

#include <unistd.h>

#include <filesystem>

#include "tests/fuzz/require.h"

namespace tideline::fuzz {
namespace {

// One file a process; in memory where the system has such a place, for thousands of runs a second.
const std::string& scratch_path() {
  static const std::string path = [] {
    const std::filesystem::path memory = "/dev/shm";
    return (::access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path()) /
           ("tideline_fuzz." + std::to_string(::getpid()));
  }();
  return path;
}

}  // namespace

Result<std::string> written(const io::Document& document, const Graph& graph,
                            io::OutputFormat format) {
  auto file = OutputFile::create(scratch_path(), true);
  require(file.has_value(), "the scratch file can be made");
  Progress progress;
  TIDELINE_RETURN_IF_ERROR(io::write_document(document, graph, format, *file, progress));
  require(file->commit().has_value(), "the scratch file can be written");
  auto bytes = open_bytes(scratch_path());
  ::unlink(scratch_path().c_str());
  require(bytes.has_value(), "the scratch file can be read");
  return std::string((*bytes)->bytes());
}

}  // namespace tideline::fuzz
