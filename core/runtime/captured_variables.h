// Variables that a graph only captures become variables of the graph that is sent to TensorFlow, so
// that a step of TensorFlow 2 can be run by itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/runtime/feeds.h"

namespace tideline::runtime {

/// A handle that is passed in, and the variable that takes its place.
struct CapturedVariable {
  /// The handle's op, and the type, shape and numbers of the variable's first value.
  FeedRequest first;
  /// By what a checkpoint may know it, the surest first: keys, names of variables.
  std::vector<std::string> saved_as;
};

/// How such a variable is used in the graph that is sent.
struct CapturedOps {
  std::string read;    ///< reads its value
  std::string value;   ///< a placeholder for a value
  std::string assign;  ///< assigns that
};

/// Makes the placeholders of `captured` in an encoded GraphDef variables of the same names, and
/// adds the ops that read and assign them. Other bytes stay the same. `graph` is that of the bytes.
/// By variable. Cost: one copying pass.
[[nodiscard]] std::vector<CapturedOps> make_variables(const Graph& graph,
                                                      const std::vector<CapturedVariable>& captured,
                                                      std::string& graph_def);

}  // namespace tideline::runtime
