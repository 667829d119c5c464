#include "core/graph/op_types.h"

#include <catch2/catch.hpp>

namespace tideline {

TEST_CASE("the name of a type says what it is, also of a type that no table knows") {
  for (const char* type : {"ApplyAdam", "SparseApplyFtrl", "ResourceApplyMadeUp"}) {
    CHECK(applies_gradients(type));
  }
  CHECK_FALSE(applies_gradients("AssignSub"));
  for (const char* type : {"Variable", "VariableV2", "VarHandleOp"}) CHECK(is_variable_type(type));
  CHECK_FALSE(is_variable_type("ReadVariableOp"));
  CHECK(is_merge("RefMerge"));
  CHECK_FALSE(is_merge("MergeSummary"));
  CHECK(is_next_iteration("NextIteration"));
  CHECK_FALSE(is_next_iteration("Enter"));
}

}  // namespace tideline
