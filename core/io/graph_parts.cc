#include "core/io/graph_parts.h"

#include <algorithm>

#include "core/io/wire.h"

namespace tideline::io {
namespace {

// Whether `inner` is a piece of `outer`, not only equal to one.
bool is_view_into(std::string_view inner, std::string_view outer) {
  return inner.data() >= outer.data() && inner.data() + inner.size() <= outer.data() + outer.size();
}

}  // namespace

// An edit keeps the order of the ops that it leaves, and puts added ones behind them.
GraphParts::GraphParts(const Document& document, const Graph& graph)
    : document_(document), graph_(graph) {
  const Graph& old = document.graph;
  const std::uint32_t count = old.op_count();
  const auto is_same = [&](OpId op, std::uint32_t original) {
    return graph.name(op).data() == old.name(OpId{original}).data();
  };
  if (count == 0 || (graph.op_count() >= count && is_same(OpId{count - 1}, count - 1))) return;
  originals_.resize(graph.op_count());
  std::uint32_t next = 0;
  for (const OpId op : graph.ops()) {
    while (next < count && !is_same(op, next)) ++next;
    if (next == count) break;
    originals_[op.index()] = OpId{next++};
  }
}

std::size_t GraphParts::old_header_size(OpId op) const {
  const OpId original = original_of(op);
  if (!original.valid()) return 0;
  const std::size_t size = document_.op_header_sizes.unusual(original.index());
  return size != 0 && is_view_into(graph_.encoded(op), document_.wire->bytes()) ? size : 0;
}

std::optional<std::string> GraphParts::changed_result(const GraphField& field) const {
  FieldReader reader(field.whole);
  Field parsed;
  if (document_.function.empty() || !reader.next(parsed) ||
      !parsed.is_bytes(function_def::kResult)) {
    return std::nullopt;
  }
  std::string_view key;
  FieldReader entry(parsed.bytes);
  Field part;
  while (entry.next(part)) {
    if (part.is_bytes(map_entry::kKey)) key = part.bytes;
  }
  const auto& names = document_.result_names;
  const auto found = std::find(names.begin(), names.end(), key);
  if (found == names.end()) return std::nullopt;
  const OpId result{static_cast<std::uint32_t>(document_.graph.op_count() - names.size()) +
                    static_cast<std::uint32_t>(found - names.begin())};
  const OpId now = graph_.find(document_.graph.name(result));
  if (!now.valid() || graph_.encoded(now) == document_.graph.encoded(result)) return std::nullopt;
  const std::vector<std::string> texts = graph_.codec().input_texts(graph_.encoded(now));
  if (texts.empty()) return std::nullopt;
  std::string changed;
  append_bytes(changed, map_entry::kKey, key);
  append_bytes(changed, map_entry::kValue, texts.front());
  std::string out;
  append_bytes(out, function_def::kResult, changed);
  return out;
}

}  // namespace tideline::io
