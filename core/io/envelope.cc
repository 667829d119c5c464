#include "core/io/envelope.h"

#include <algorithm>
#include <numeric>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

// Hands each field of `message` to `take`; a field that `take` does not want is checked by `rules`.
template <typename Take>
Status walk_fields(std::string_view file, std::string_view message, const MessageRules& rules,
                   int depth, const Take& take) {
  FieldReader reader(message);
  Field field;
  const char* start = reader.at();
  for (; reader.next(field); start = reader.at()) {
    if (take(field)) continue;
    if (const auto problem = check_message(field.whole, rules, depth)) {
      return corrupt_at(file, *problem);
    }
  }
  if (!reader.damaged()) return {};
  const std::string_view rest = message.substr(static_cast<std::size_t>(start - message.data()));
  if (const auto problem = check_message(rest, rules, depth)) return corrupt_at(file, *problem);
  return fail(Code::kCorrupt, "byte {}: damaged", rest.data() - file.data());
}

std::string joined(const std::vector<std::string>& tags) {
  std::string text;
  for (const std::string& tag : tags) text += (text.empty() ? "" : ",") + tag;
  return text;
}

}  // namespace

std::vector<std::string> tags_of(std::string_view meta_graph_fields) {
  std::vector<std::string> tags;
  FieldReader reader(meta_graph_fields);
  Field field;
  while (reader.next(field)) {
    if (!field.is_bytes(meta_graph_def::kMetaInfo)) continue;
    FieldReader info(field.bytes);
    Field part;
    while (info.next(part)) {
      if (part.is_bytes(meta_graph_def::kTags)) tags.emplace_back(part.bytes);
    }
  }
  return tags;
}

tl::unexpected<Error> corrupt_at(std::string_view all, const WireProblem& problem) {
  return fail(Code::kCorrupt, "byte {}: {}", problem.at - all.data(), problem.what);
}

std::uint32_t inner_field(MessageKind kind) {
  switch (kind) {
    case MessageKind::kSavedModel: return saved_model::kMetaGraphs;
    case MessageKind::kMetaGraphDef: return meta_graph_def::kGraph;
    case MessageKind::kGraphDef: return graph_def::kLibrary;
    case MessageKind::kFunctionLibrary: return function_library::kFunction;
    case MessageKind::kFunctionDef:
    case MessageKind::kNodeDef:
    case MessageKind::kRunMetadata: break;
  }
  TIDELINE_CHECK(false);
  return 0;
}

const char* inner_field_name(MessageKind kind) {
  switch (kind) {
    case MessageKind::kSavedModel: return "meta_graphs";
    case MessageKind::kMetaGraphDef: return "graph_def";
    case MessageKind::kGraphDef: return "library";
    case MessageKind::kFunctionLibrary: return "function";
    case MessageKind::kFunctionDef:
    case MessageKind::kNodeDef:
    case MessageKind::kRunMetadata: break;
  }
  TIDELINE_CHECK(false);
  return "";
}

Envelope split_around(MessageKind kind, std::string_view message, std::string_view inner) {
  FieldReader reader(message);
  Field field;
  while (reader.next(field)) {
    const bool here = field.type == WireType::kBytes && field.bytes.data() == inner.data() &&
                      field.bytes.size() == inner.size();
    if (!here) continue;
    const auto start = static_cast<std::size_t>(field.whole.data() - message.data());
    return {kind, message.substr(0, start),
            field.whole.substr(0, field.whole.size() - field.bytes.size()),
            message.substr(start + field.whole.size())};
  }
  TIDELINE_CHECK(false);
  return {};
}

Result<std::string_view> find_graph(std::string_view file, std::string_view meta_graph, int depth) {
  std::vector<std::string_view> found;
  TIDELINE_RETURN_IF_ERROR(
      walk_fields(file, meta_graph, meta_graph_def_rules(), depth, [&](const Field& field) {
        if (!field.is_bytes(meta_graph_def::kGraph)) return false;
        found.push_back(field.bytes);
        return true;
      }));
  if (found.size() > 1) return fail(Code::kUnsupported, "holds two graph_def fields; expected one");
  if (found.empty()) {
    return fail(Code::kCorrupt, "a MetaGraphDef without a graph_def; expected one");
  }
  return found.front();
}

Result<std::string_view> find_meta_graph(std::string_view saved_model, const std::string& tag,
                                         std::string& tags) {
  std::vector<std::string_view> found;
  TIDELINE_RETURN_IF_ERROR(
      walk_fields(saved_model, saved_model, saved_model_rules(), 0, [&](const Field& field) {
        if (!field.is_bytes(saved_model::kMetaGraphs)) return false;
        found.push_back(field.bytes);
        return true;
      }));
  if (found.empty()) return fail(Code::kCorrupt, "a SavedModel without a graph; expected one");
  std::vector<std::vector<std::string>> tag_sets;
  for (const std::string_view meta_graph : found) tag_sets.push_back(tags_of(meta_graph));
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (tag.empty() || joined(tag_sets[i]) == tag) chosen.push_back(i);
  }
  for (std::size_t i = 0; chosen.empty() && i < found.size(); ++i) {
    if (std::count(tag_sets[i].begin(), tag_sets[i].end(), tag) > 0) chosen.push_back(i);
  }
  if (chosen.size() != 1) {
    std::string list;
    for (const auto& set : tag_sets) list += (list.empty() ? "'" : "', '") + joined(set);
    const std::string given =
        tag.empty() ? ""
                    : fmt::format(", {} with the tags '{}'", chosen.size(), printable(tag, 200));
    return fail(Code::kInvalidArgument, "holds {} graphs{}; expected --tag with one of {}'",
                found.size(), given, printable(list, 1000));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == chosen.front()) continue;
    if (const auto problem = check_message(found[i], meta_graph_def_rules(), 1)) {
      return corrupt_at(saved_model, *problem);
    }
  }
  tags = joined(tag_sets[chosen.front()]);
  return found[chosen.front()];
}

}  // namespace tideline::io
