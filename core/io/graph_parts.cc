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

std::size_t GraphParts::old_header_size(OpId op) const {
  const auto& sizes = document_.op_header_sizes;
  const bool known =
      op.index() < sizes.size() && is_view_into(graph_.encoded(op), document_.wire->bytes());
  return known ? sizes[op.index()] : 0;
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
  if (graph_.encoded(result) == document_.graph.encoded(result)) return std::nullopt;
  const std::vector<std::string> texts = graph_.codec().input_texts(graph_.encoded(result));
  if (texts.empty()) return std::nullopt;
  std::string changed;
  append_bytes(changed, map_entry::kKey, key);
  append_bytes(changed, map_entry::kValue, texts.front());
  std::string out;
  append_bytes(out, function_def::kResult, changed);
  return out;
}

}  // namespace tideline::io
