// How much arithmetic an op is: floating-point operations, from the sizes of its tensors.
#pragma once

#include "core/graph/op_facts.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// Arithmetic of one op. A multiplication and an addition count as two operations; of complex
/// numbers as eight, in the type of the real and imaginary parts.
struct OpFlops {
  double count = 0;                    ///< 0: not known, or negligible beside the bytes moved
  DataType type = DataType::kInvalid;  ///< in which it is done; kInvalid when `count` is 0
};

/// Floating-point operations of `op` by the rule of its type (op_facts.txt), from the sizes in
/// `tensors`, guesses included. 0 when a rank or dim that the rule needs is unknown.
/// Precondition: `facts` are those of the type of `op`, and `tensors` of `graph`.
/// Units: floating-point operations. Cost: O(1) for types without a rule, else O(arguments).
/// Thread: pure.
[[nodiscard]] OpFlops op_flops(const Graph& graph, const TensorTable& tensors, const OpFacts& facts,
                               OpId op);

}  // namespace tideline
