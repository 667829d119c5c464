// Where the data of the tests lie: the core set in the repository, and the full set where it is at
// hand.
#pragma once

#include <filesystem>
#include <vector>

namespace tideline::test {

inline const std::filesystem::path kSource = TIDELINE_SOURCE_DIR;

/// Folders that hold `name`, the repository's own first.
inline std::vector<std::filesystem::path> folders(const std::string& own,
                                                  const std::string& shared) {
  std::vector<std::filesystem::path> found = {kSource / "tests/data" / own};
  const auto full = kSource.parent_path() / "shared" / shared;
  if (std::filesystem::is_directory(full)) found.push_back(full);
  return found;
}

/// A graph of the test data, wherever it lies; empty when it is not at hand.
inline std::filesystem::path graph_file(const std::string& name) {
  for (const auto& folder : {kSource / "tests/data/graphs", kSource / "assets/samples",
                             kSource.parent_path() / "shared/graphs"}) {
    if (std::filesystem::exists(folder / name)) return folder / name;
  }
  return {};
}

}  // namespace tideline::test
