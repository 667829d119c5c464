// Options for the sizes of tensors: batch size, given shapes, rounds of loops, size model, measured
// sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/graph/function_library.h"
#include "core/graph/loop_count.h"
#include "core/graph/measured_sizes.h"
#include "core/graph/shape.h"

namespace tideline {

/// A shape given by the user for a tensor, or for output 0 of an op.
struct GivenShape {
  std::string name;  ///< "x" or "x:1"
  Shape shape;
  friend bool operator==(const GivenShape&, const GivenShape&) = default;
};

/// Parses an argument of --shape: "x=1x28x?", "x:1=32", "x=scalar". "?" is an unknown dim.
/// Errors: kInvalidArgument.
[[nodiscard]] Result<GivenShape> parse_given_shape(std::string_view text);

/// How sizes are counted. Both models prefer recorded and given shapes, and infer the others.
enum class SizeModel {
  /// As the reference LMS counts: a recorded shape is taken as it is; an unknown dim 0 is the batch
  /// size, other unknown dims are 1.
  kCompatible,
  /// As large as tensors will be at run time: recorded and inferred shapes are combined, and a dim
  /// that is a multiple of the batch is multiplied by the batch size.
  kFaithful,
};

class KnownTables;

struct TensorOptions {
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};
  /// Rounds of loops, which the faithful model counts; the compatible model runs a loop once.
  std::vector<GivenRounds> rounds = {};
  SizeModel model = SizeModel::kCompatible;
  const FunctionLibrary* functions = nullptr;  ///< bodies of called functions; may be null
  /// Sizes of a traced step. They take precedence over the file, and shapes of tensors that were
  /// not measured are inferred from them. May be null.
  const MeasuredSizes* measured = nullptr;
  KnownTables* known = nullptr;  ///< tables that were built before (known_tables.h); may be null
};

}  // namespace tideline
