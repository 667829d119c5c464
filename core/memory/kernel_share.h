// How near to the peak of a device the kernels of arithmetic ops come.
#pragma once

#include "core/graph/op_facts.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// Parts of a device's peak rate, in operations as op_flops.h counts them. A kernel that multiplies
/// less than the definition of its op may come above 1.
struct KernelShare {
  double ordinary = 1;      ///< on the ordinary units for floating point
  double tensor_cores = 1;  ///< on units for products of small matrices
  /// Whether the operands are brought into another layout and the results back, within the op.
  bool changes_layout = false;
  friend bool operator==(const KernelShare&, const KernelShare&) = default;
};

/// The shares of the kernel of `op`: 1 for ops that are no products or convolutions. Dims that are
/// not known count as large. Precondition: `facts` are those of the type of `op`, and `tensors` of
/// `graph`. Cost: O(1) without arithmetic, else that of reading the attributes. Thread: pure.
[[nodiscard]] KernelShare kernel_share(const Graph& graph, const TensorTable& tensors,
                                       const OpFacts& facts, OpId op);

}  // namespace tideline
