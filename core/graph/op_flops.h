// How much arithmetic an op is: floating-point operations, from the sizes of its tensors.
#pragma once

#include "core/graph/op_facts.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// Arithmetic of one op. A multiplication and the addition behind it count as two; of complex
/// numbers as eight, in the type of their parts.
struct OpFlops {
  double count = 0;                    ///< 0: not known, or none worth counting beside the bytes
  DataType type = DataType::kInvalid;  ///< in which it is done; kInvalid when `count` is 0
};

/// By the rule of the op's type (op_facts.txt). Sizes are those of `tensors`, so a dim that is
/// guessed there is guessed here; nothing is known where a rank, or a dim that the rule needs, is
/// not. Precondition: `facts` are those of the type of `op`, and `tensors` of `graph`.
/// Units: floating-point operations. Cost: O(1) for types without a rule, else O(arguments).
/// Thread: pure.
[[nodiscard]] OpFlops op_flops(const Graph& graph, const TensorTable& tensors, const OpFacts& facts,
                               OpId op);

}  // namespace tideline
