// Values fed at each step: rows of .npy files, or reproducible generated numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/npy.h"
#include "core/runtime/tensor_value.h"

namespace tideline::runtime {

/// A parsed feed of the command line: "NAME=FILE.npy" or "NAME=DTYPE:SHAPE[:MAX]".
struct FeedRequest {
  std::string name;  ///< "x" or "x:0"
  std::string path;  ///< of a file; empty: the values are generated
  DataType type = DataType::kInvalid;
  std::vector<std::int64_t> dims;  ///< of one step
  double min = 0;                  ///< of floats
  double max = 1;
};

/// Parses a feed. A right side that begins with an element type and a colon requests generated
/// values; anything else is the name of a file. "bool:" is a scalar. Errors: kInvalidArgument.
[[nodiscard]] Result<FeedRequest> parse_feed(const std::string& text);

/// The values of one feed. Thread: immutable.
class Feed {
 public:
  /// Opens the file of a request, or prepares to generate values. Errors: those of read_npy;
  /// kInvalidArgument for a file with a scalar, which has no axis for the steps.
  [[nodiscard]] static Result<Feed> open(FeedRequest request);

  [[nodiscard]] const std::string& name() const { return request_.name; }
  /// The source of the values, for messages: the file, or "float32:8x32".
  [[nodiscard]] std::string source() const;
  /// The file; empty for generated values.
  [[nodiscard]] const std::string& path() const { return request_.path; }
  [[nodiscard]] DataType type() const { return request_.type; }
  /// The shape of one step.
  [[nodiscard]] const std::vector<std::int64_t>& dims() const { return request_.dims; }
  /// Number of steps for which there are values; nullopt: unlimited.
  [[nodiscard]] std::optional<std::int64_t> steps() const { return steps_; }

  /// The value of step `step`, counted from 0. A generated float is uniform in [min, max), an
  /// integer in 0..max-1; a bool is true if max is 1 or more. Values depend only on the
  /// request and the step, so they are the same in every run and for every graph. Errors:
  /// kInvalidArgument for a step past the end of the file.
  [[nodiscard]] Result<TensorValue> value(std::int64_t step) const;

 private:
  FeedRequest request_;
  io::NpyArray file_;
  std::optional<std::int64_t> steps_;
};

}  // namespace tideline::runtime
