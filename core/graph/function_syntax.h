// How tensors are spelled inside a function's body: "argument", or "op:output:index" with the
// declared name of the output. A graph counts its output slots instead.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/graph/node_codec.h"
#include "core/graph/op_signature.h"

namespace tideline {

class Graph;

/// One declared output of an op: `count` tensors under one name.
struct OutputArgument {
  std::string name;
  std::uint32_t count = 0;
};
using OutputArguments = std::vector<OutputArgument>;

/// Limit on the outputs of one op, over all names. More means a corrupt file.
inline constexpr std::int64_t kMostOutputs = 1 << 20;

/// The outputs of an encoded op by its type's signature.
/// Errors: kCorrupt for more than kMostOutputs, or attributes that cannot be decoded.
[[nodiscard]] Result<OutputArguments> output_arguments(const OpSignature& signature,
                                                       const NodeCodec& codec,
                                                       std::string_view encoded);

/// "op:output:index"; nullopt when `slot` is past the outputs.
[[nodiscard]] std::optional<std::string> spell(std::string_view op, const OutputArguments& outputs,
                                               std::uint32_t slot);

/// Output names that signatures do not give: for ops of undeclared types in a function's body, the
/// outputs that their consumers name, in the order of first mention.
struct FunctionSyntax {
  std::map<OpId, OutputArguments> named_by_readers;

  /// `tensor` as an input of an op of `body`. Errors: kInvalidArgument for a slot without a name.
  [[nodiscard]] Result<std::string> spelled(const Graph& body, TensorId tensor) const;
};

}  // namespace tideline
