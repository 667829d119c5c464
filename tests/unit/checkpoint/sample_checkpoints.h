// Checkpoints of TensorFlow as test data, and copies of them that a test may damage.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/checkpoint/find_checkpoint.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

namespace tideline::checkpoint {

/// Prefix of a checkpoint below tests/data/checkpoints: "small" (48 entries of every element type
/// that Keras saves) or "sliced" (a variable in two slices, two shards).
inline std::string sample(const std::string& name) {
  return (test::kData / "checkpoints" / name / "ckpt").string();
}

/// Copies all files of the sample into `folder`; returns the prefix there.
inline std::string copy_sample(const std::string& name, const test::TemporaryFolder& folder) {
  for (const auto& file : std::filesystem::directory_iterator(test::kData / "checkpoints" / name)) {
    std::filesystem::copy_file(file.path(), folder.file(file.path().filename().string()));
  }
  return folder.file("ckpt");
}

inline void write(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

inline Checkpoint opened(const std::string& path) {
  auto checkpoint = open_checkpoint(path);
  INFO((checkpoint ? "" : checkpoint.error().message));
  REQUIRE(checkpoint);
  return *std::move(checkpoint);
}

}  // namespace tideline::checkpoint
