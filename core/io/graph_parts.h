// Iterates over the parts of the message with the ops, in the order in which they are written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/io/document.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {

/// Visits ops and other fields in their original order, and added ops after the last original one.
/// `graph` is the document's, or an edit of it; both must outlive this.
class GraphParts {
 public:
  GraphParts(const Document& document, const Graph& graph);

  template <typename OnOp, typename OnField>
  Status walk(const OnOp& on_op, const OnField& on_field, Progress& progress) const {
    auto field = document_.fields.begin();
    for (const OpId op : graph_.ops()) {
      const OpId original = original_of(op);
      if (original.valid() && !document_.is_in_file(original)) continue;
      while (field != document_.fields.end() && original.valid() &&
             field->ops_before <= original.value - document_.argument_count) {
        TIDELINE_RETURN_IF_ERROR(emit(*field++, on_field));
      }
      TIDELINE_RETURN_IF_ERROR(on_op(op));
      if (op.value % kOpsBetweenReports == 0 &&
          !progress.report("writing", op.value, graph_.op_count())) {
        return cancelled();
      }
    }
    while (field != document_.fields.end()) {
      TIDELINE_RETURN_IF_ERROR(emit(*field++, on_field));
    }
    return {};
  }

  /// Size of the op's tag and length: as in the file if the op is unchanged, else the shortest.
  [[nodiscard]] std::size_t old_header_size(OpId op) const;

  /// The field of an op: 1 in a GraphDef, 3 in a FunctionDef.
  [[nodiscard]] std::uint32_t op_field() const {
    return document_.function.empty() ? graph_def::kNode : function_def::kNode;
  }

 private:
  static constexpr std::uint32_t kOpsBetweenReports = 1U << 14U;

  // The op of the document that `op` of the graph is; invalid for an added one.
  [[nodiscard]] OpId original_of(OpId op) const {
    if (!originals_.empty()) return originals_[op.index()];
    return op.value < document_.graph.op_count() ? op : OpId{};
  }

  template <typename OnField>
  Status emit(const GraphField& field, const OnField& on_field) const {
    if (const auto changed = changed_result(field)) return on_field(*changed);
    return on_field(field.whole);
  }

  // The new text of a function's result that reads another tensor than before.
  [[nodiscard]] std::optional<std::string> changed_result(const GraphField& field) const;

  const Document& document_;
  const Graph& graph_;
  std::vector<OpId> originals_;  // by op; empty when no op of the document was removed
};

}  // namespace tideline::io
