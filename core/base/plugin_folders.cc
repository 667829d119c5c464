// Tested by tests/unit/base/plugin_folders_test.cc and tests/integration/probe_test.py.
#include "core/base/plugin_folders.h"

#include <cstdlib>
#include <filesystem>

namespace tideline {

std::vector<std::string> plugin_paths(const std::string& file, const std::string& built) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  if (const char* folder = std::getenv("TIDELINE_PLUGINS")) {
    found.push_back((fs::path(folder) / file).string());
    return found;  // an explicit folder is the only one searched
  }
  std::error_code error;
  const auto program = fs::read_symlink("/proc/self/exe", error);
  if (error) return found;
  const auto folder = program.parent_path();
  found.push_back((folder / "../plugins" / built / file).string());
  found.push_back((folder / "../lib/tideline/plugins" / file).string());
  // Debian's multiarch folders: lib/x86_64-linux-gnu.
  for (const auto& entry : fs::directory_iterator(folder / "../lib", error)) {
    found.push_back((entry.path() / "tideline/plugins" / file).string());
  }
  return found;
}

}  // namespace tideline
