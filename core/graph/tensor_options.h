// What a user says about the sizes of tensors beyond what the file does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/graph/function_library.h"
#include "core/graph/measured_sizes.h"
#include "core/graph/shape.h"

namespace tideline {

/// A shape that the user gives to an op (its output 0) or a tensor.
struct GivenShape {
  std::string name;  ///< "x" or "x:1"
  Shape shape;
  friend bool operator==(const GivenShape&, const GivenShape&) = default;
};

/// "x=1x28x?", "x:1=32", "x=scalar": an argument of --shape. "?" is an unknown dim.
/// Errors: kInvalidArgument with what was expected.
[[nodiscard]] Result<GivenShape> parse_given_shape(std::string_view text);

/// How sizes are counted. Both take recorded and given shapes first and infer the others.
enum class SizeModel {
  /// As the reference LMS counts: a recorded shape stands as it is; of unknown dims the first is
  /// the batch size, others are 1.
  kCompatible,
  /// As large as tensors will be: what was recorded and what is inferred count together, and a dim
  /// that is a multiple of the batch counts that many times the batch size.
  kFaithful,
};

struct TensorOptions {
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};
  SizeModel model = SizeModel::kCompatible;
  const FunctionLibrary* functions = nullptr;  ///< bodies of called functions; may be null
  /// Of a traced step; they count instead of what the file says, and what is inferred from them
  /// fills in for tensors that were not measured. May be null.
  const MeasuredSizes* measured = nullptr;
};

}  // namespace tideline
