// Recorded shapes that the installed TensorFlow does not accept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tideline::runtime {

/// The op whose `_output_shapes` TensorFlow refuses with `message` when it imports a graph; nullopt
/// for other messages.
[[nodiscard]] std::optional<std::string> op_with_refused_shapes(std::string_view message);

/// What without_shapes left out.
struct DroppedShapes {
  std::string type;
  std::int64_t ops = 0;
  friend bool operator==(const DroppedShapes&, const DroppedShapes&) = default;
};

/// Removes the attribute `_output_shapes` of all ops of the type of `op` from an encoded GraphDef,
/// whose other bytes stay. TensorFlow computes these shapes by itself. Returns 0 ops, and leaves
/// `graph_def`, if there is nothing to remove. Precondition: the bytes passed the wire check. Cost:
/// two passes over them.
[[nodiscard]] DroppedShapes drop_shapes(std::string& graph_def, std::string_view op);

}  // namespace tideline::runtime
