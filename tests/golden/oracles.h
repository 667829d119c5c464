// Reading what the reference did, the graphs that it did it to, and what is promised of broken
// ones.
#pragma once

#include <nlohmann/json.hpp>
#include <utility>

#include "tests/support/graph_data.h"

namespace tideline::test {

inline nlohmann::json read_json(const std::filesystem::path& path) {
  return nlohmann::json::parse(content_of(path));
}

/// A folder of oracles below tests/data; fails unless it holds `count`.
inline std::vector<std::pair<std::filesystem::path, nlohmann::json>> oracles(
    const std::string& folder, std::size_t count) {
  std::vector<std::pair<std::filesystem::path, nlohmann::json>> found;
  for (const auto& path : files_in(kData / folder, {".json"}, count)) {
    found.emplace_back(path, read_json(path));
  }
  return found;
}

/// The broken graphs of tests/data/malformed, and what must be said of each.
inline std::vector<std::pair<std::filesystem::path, nlohmann::json>> malformed_graphs() {
  std::vector<std::pair<std::filesystem::path, nlohmann::json>> found;
  const nlohmann::json facts = read_json(kData / "malformed/facts.json");
  for (const auto& [name, fact] : facts.items()) {
    if (fact["verb"] != "inspect") continue;
    found.emplace_back(kData / "malformed" / name, fact);
    REQUIRE(std::filesystem::exists(found.back().first));
  }
  REQUIRE(found.size() == 26);
  return found;
}

}  // namespace tideline::test
