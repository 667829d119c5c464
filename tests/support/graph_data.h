// Graphs of the test data, opened.
#pragma once

#include "core/io/document.h"
#include "tests/support/test_data.h"

namespace tideline::test {

/// Fails the test when the file cannot be read.
inline io::Document open_graph(const std::filesystem::path& path) {
  Progress silent;
  auto document = io::read_document(path.string(), silent);
  INFO((document ? "" : document.error().message));
  REQUIRE(document);
  return *std::move(document);
}

}  // namespace tideline::test
