// Records of TFRecord files, written so that the data need not lie in memory in one piece.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/base/output_file.h"

namespace tideline::events {

/// One record under construction. The length must be known beforehand; `append` the data in as many
/// pieces as they come in, then `finish`. Errors: those of OutputFile; kInternal when the pieces
/// are not as long together as was said.
class RecordWriter {
 public:
  [[nodiscard]] static Result<RecordWriter> begin(OutputFile& out, std::uint64_t length);

  [[nodiscard]] Status append(std::string_view piece);
  [[nodiscard]] Status finish();

 private:
  RecordWriter(OutputFile& out, std::uint64_t length) : out_(&out), left_(length) {}

  OutputFile* out_;
  std::uint64_t left_;
  std::uint32_t crc_ = 0;
};

/// A whole record around `data`.
[[nodiscard]] std::string framed(std::string_view data);

}  // namespace tideline::events
