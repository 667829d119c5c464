// Reading what the reference did, and the graphs that it did it to.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/io/document.h"
#include "tests/golden/data_folders.h"

namespace tideline::test {

inline nlohmann::json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

inline io::Document open_graph(const std::filesystem::path& path) {
  Progress silent;
  auto document = io::read_document(path.string(), silent);
  INFO((document ? "" : document.error().message));
  REQUIRE(document);
  return *std::move(document);
}

}  // namespace tideline::test
