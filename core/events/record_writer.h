// Writes TFRecord files, with record data passed in pieces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/base/output_file.h"

namespace tideline::events {

/// Writes one record. The length must be known beforehand; `append` the data in any number of
/// pieces, then `finish`. Errors: those of OutputFile; kInternal when the total length of the
/// pieces is wrong.
class RecordWriter {
 public:
  /// Writes the header of a record of `length` bytes. `out` must outlive the writer.
  [[nodiscard]] static Result<RecordWriter> begin(OutputFile& out, std::uint64_t length);

  [[nodiscard]] Status append(std::string_view piece);
  [[nodiscard]] Status finish();

 private:
  RecordWriter(OutputFile& out, std::uint64_t length) : out_(&out), left_(length) {}

  OutputFile* out_;
  std::uint64_t left_;
  std::uint32_t crc_ = 0;
};

/// `data` framed as a record.
[[nodiscard]] std::string framed(std::string_view data);

}  // namespace tideline::events
