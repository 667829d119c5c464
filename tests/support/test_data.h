// Where the data of the tests lie. What is missing fails the test that asks for it: a test that
// looks at all files of a folder must not pass because some of them are gone.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tideline::test {

inline const std::filesystem::path kSource = TIDELINE_SOURCE_DIR;
inline const std::filesystem::path kData = kSource / "tests/data";

/// In tests/data/graphs and assets/samples together. Whoever adds a graph counts it here.
constexpr std::size_t kGraphFiles = 27;

/// Files of a folder whose names have one of these ends, sorted; fails unless there are `count`.
inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                                   const std::vector<std::string>& ends,
                                                   std::size_t count) {
  std::vector<std::filesystem::path> found;
  INFO(folder);
  REQUIRE(std::filesystem::is_directory(folder));
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string end = entry.path().extension().string();
    if (std::find(ends.begin(), ends.end(), end) != ends.end()) found.push_back(entry.path());
  }
  REQUIRE(found.size() == count);
  std::sort(found.begin(), found.end());
  return found;
}

/// Every graph file of the test data and of the samples.
inline std::vector<std::filesystem::path> graph_files() {
  constexpr std::size_t kSamples = 4;
  const std::vector<std::string> ends = {".meta", ".pb", ".pbtxt"};
  auto files = files_in(kData / "graphs", ends, kGraphFiles - kSamples);
  const auto samples = files_in(kSource / "assets/samples", ends, kSamples);
  files.insert(files.end(), samples.begin(), samples.end());
  return files;
}

/// A graph by the name of its file; fails when there is none.
inline std::filesystem::path graph_file(const std::string& name) {
  for (const auto& folder : {kData / "graphs", kSource / "assets/samples"}) {
    if (std::filesystem::exists(folder / name)) return folder / name;
  }
  FAIL("there is no graph " << name << " in tests/data/graphs and assets/samples");
  return {};
}

/// The whole content of a file; fails when it cannot be opened.
inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  INFO(path);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace tideline::test
