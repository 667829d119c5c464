#include "core/io/envelope.h"

#include <algorithm>
#include <set>

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

using TagSets = std::vector<std::vector<std::string>>;

// Tags are a set: their order says nothing.
std::set<std::string> as_set(const std::vector<std::string>& tags) {
  return {tags.begin(), tags.end()};
}

tl::unexpected<Error> no_choice(const TagSets& tag_sets, std::size_t fit, const std::string& tag) {
  std::string list;
  for (const auto& set : tag_sets) list += (list.empty() ? "'" : "', '") + joined(set);
  const std::string given =
      tag.empty() ? "" : fmt::format(", {} with the tags '{}'", fit, printable(tag, 200));
  return fail(
      Code::kInvalidArgument,
      "holds {} graphs{}; expected {{tag}} with one of {}', or {{meta-graph}} with a number "
      "from 1 to {}",
      tag_sets.size(), given, printable(list, 1000), tag_sets.size());
}

// The positions of the graphs with exactly the tags of `tag`, or else of those that have them, too.
std::vector<std::size_t> with_tags(const TagSets& tag_sets, const std::string& tag) {
  const std::set<std::string> wanted = as_set(split_list(tag, ','));
  std::vector<std::size_t> same;
  std::vector<std::size_t> more;
  for (std::size_t i = 0; i < tag_sets.size(); ++i) {
    const std::set<std::string> tags = as_set(tag_sets[i]);
    if (tag.empty() || joined(tag_sets[i]) == tag || tags == wanted) same.push_back(i);
    if (std::includes(tags.begin(), tags.end(), wanted.begin(), wanted.end())) more.push_back(i);
  }
  return same.empty() ? more : same;
}

Result<std::size_t> choose(const TagSets& tag_sets, const ReadOptions& options) {
  const std::vector<std::size_t> fit = with_tags(tag_sets, options.tag);
  if (options.meta_graph > 0) {
    const auto at = static_cast<std::size_t>(options.meta_graph) - 1;
    if (at >= tag_sets.size()) {
      return fail(Code::kInvalidArgument, "holds {} graphs; expected {{meta-graph}} from 1 to {}",
                  tag_sets.size(), tag_sets.size());
    }
    if (std::find(fit.begin(), fit.end(), at) == fit.end()) {
      return fail(Code::kInvalidArgument,
                  "{{meta-graph}} {}: has the tags '{}'; expected the tags '{}' of {{tag}}",
                  options.meta_graph, printable(joined(tag_sets[at])), printable(options.tag));
    }
    return at;
  }
  const bool is_one = !fit.empty() && std::all_of(fit.begin(), fit.end(), [&](std::size_t i) {
    return as_set(tag_sets[i]) == as_set(tag_sets[fit.front()]);
  });
  if (!is_one) return no_choice(tag_sets, fit.size(), options.tag);
  return fit.front();
}

// "2, 5": the numbers of the other graphs with the tags of the chosen one.
std::string others_like(const TagSets& tag_sets, std::size_t chosen) {
  std::string numbers;
  for (std::size_t i = 0; i < tag_sets.size(); ++i) {
    if (i == chosen || as_set(tag_sets[i]) != as_set(tag_sets[chosen])) continue;
    numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", i + 1);
  }
  return numbers;
}

std::string place_of(const TagSets& tag_sets, std::size_t chosen) {
  std::string place;
  if (!tag_sets[chosen].empty()) place = "tags " + joined(tag_sets[chosen]);
  if (others_like(tag_sets, chosen).empty()) return place;
  return fmt::format("{}{}MetaGraph {}", place, place.empty() ? "" : ", ", chosen + 1);
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
      walk_fields(file, meta_graph, message_rules().meta_graph_def, depth, [&](const Field& field) {
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

Result<ChosenMetaGraph> find_meta_graph(std::string_view saved_model, const ReadOptions& options) {
  std::vector<std::string_view> found;
  TIDELINE_RETURN_IF_ERROR(walk_fields(saved_model, saved_model, message_rules().saved_model, 0,
                                       [&](const Field& field) {
                                         if (!field.is_bytes(saved_model::kMetaGraphs))
                                           return false;
                                         found.push_back(field.bytes);
                                         return true;
                                       }));
  if (found.empty()) return fail(Code::kCorrupt, "a SavedModel without a graph; expected one");
  TagSets tag_sets;
  for (const std::string_view meta_graph : found) tag_sets.push_back(tags_of(meta_graph));
  TIDELINE_TRY(const std::size_t chosen, choose(tag_sets, options));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == chosen) continue;
    if (const auto problem = check_message(found[i], message_rules().meta_graph_def, 1)) {
      return corrupt_at(saved_model, *problem);
    }
  }
  return ChosenMetaGraph{found[chosen], place_of(tag_sets, chosen),
                         options.meta_graph == 0 ? others_like(tag_sets, chosen) : ""};
}

}  // namespace tideline::io
