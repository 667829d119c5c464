#include "core/rewrite/lms/guard.h"

#include "core/graph/op_types.h"

namespace tideline {

// A copy is there when the tensor that it carries is.
BranchSetId Guard::branches_of(const Draft& draft, OpId op) const {
  if (!draft.is_copy(op)) return conditions_.of(op);
  TensorId tensor = draft.inputs(op)[0];
  while (draft.is_copy(tensor.op)) tensor = draft.inputs(tensor.op)[0];
  return conditions_.of(tensor);
}

bool Guard::keeps_alive(const Draft& draft, OpId op, OpId after) const {
  if (!conditions_.any()) return true;
  const BranchSetId needed = branches_of(draft, after);
  if (conditions_.runs_with(needed, branches_of(draft, op))) return true;
  if (!draft.is_copy(op)) return false;
  for (const OpId reader : draft.readers(op)) {
    const bool takes_any_input = draft.is_copy(reader) || is_merge(graph_.type(reader));
    if (takes_any_input || !conditions_.runs_with(needed, conditions_.of(reader))) return false;
  }
  return true;
}

}  // namespace tideline
