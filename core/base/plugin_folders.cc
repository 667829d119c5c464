// Tested by tests/unit/base/plugin_folders_test.cc and tests/integration/probe_test.py.
#include "core/base/plugin_folders.h"

#include <cstdlib>
#include <filesystem>
#include <map>

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

std::vector<std::string> find_plugins(const std::string& begin, const std::string& built) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> by_name;  // file name: path
  const auto look_into = [&](const fs::path& folder) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(begin) && name.ends_with(".so")) {
        by_name.emplace(name, entry.path().string());
      }
    }
  };
  // A plugin with the usual name would be in the same folders.
  for (const std::string& path : plugin_paths(begin + ".so", built)) {
    const fs::path folder = fs::path(path).parent_path();
    look_into(folder);
    std::error_code error;
    if (folder.filename() != fs::path(built).filename()) continue;
    for (const auto& entry : fs::directory_iterator(folder, error)) look_into(entry.path());
  }
  std::vector<std::string> paths;
  for (const auto& [name, path] : by_name) paths.push_back(path);
  return paths;
}

}  // namespace tideline
