#include "core/graph/op_types.h"

namespace tideline {

bool is_next_iteration(std::string_view type) {
  return type == "NextIteration" || type == "RefNextIteration";
}

bool is_merge(std::string_view type) {
  return type == "Merge" || type == "RefMerge";
}

bool is_variable_type(std::string_view type) {
  return type == "VariableV2" || type == "Variable" || type == "VarHandleOp";
}

bool applies_gradients(std::string_view type) {
  for (const std::string_view prefix :
       {"Apply", "SparseApply", "ResourceApply", "ResourceSparseApply"}) {
    if (type.starts_with(prefix)) return true;
  }
  return false;
}

bool copies_to_host(std::string_view type) {
  return type == kCopyToHost;
}

bool copies_from_host(std::string_view type) {
  return type == kCopyFromHost;
}

bool is_loop_or_call(std::string_view type) {
  return type.ends_with("While") || type.ends_with("PartitionedCall");
}

bool passes_on(std::string_view type) {
  return type == "Identity" || copies_to_host(type) || copies_from_host(type);
}

}  // namespace tideline
