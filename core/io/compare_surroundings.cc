#include "core/io/compare_surroundings.h"

#include <map>

#include "core/io/proto/graph.pb.h"
#include "core/io/proto/meta_graph.pb.h"
#include "core/io/same_message.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

std::string graph_fields(const Document& document, bool library) {
  std::string fields;
  for (const GraphField& field : document.fields) {
    FieldReader reader(field.whole);
    Field parsed;
    const bool is_library = reader.next(parsed) && parsed.is_bytes(graph_def::kLibrary);
    if (is_library == library) fields += field.whole;
  }
  return fields;
}

// Collections by key, and all other fields of the MetaGraphDef together.
struct MetaFields {
  std::map<std::string, std::string> collections;
  std::string others;
};

MetaFields meta_fields(const Envelope& meta) {
  MetaFields fields;
  for (const std::string_view part : {meta.before, meta.after}) {
    FieldReader reader(part);
    Field field;
    while (reader.next(field)) {
      if (!field.is_bytes(meta_graph_def::kCollection)) {
        fields.others += field.whole;
        continue;
      }
      std::string key;
      FieldReader entry(field.bytes);
      Field inner;
      std::string value;
      while (entry.next(inner)) {
        if (inner.is_bytes(map_entry::kKey)) key = inner.bytes;
        if (inner.is_bytes(map_entry::kValue)) value = inner.bytes;
      }
      fields.collections[key] = value;
    }
  }
  return fields;
}

void compare_meta(const Envelope& original, const Envelope& rewritten, SurroundingsDiff& diff) {
  const MetaFields before = meta_fields(original);
  const MetaFields after = meta_fields(rewritten);
  for (const auto& [key, value] : before.collections) {
    const auto found = after.collections.find(key);
    if (found == after.collections.end()) {
      diff.violations.push_back("collection '" + key + "' is lost");
    } else if (!same_message<wire::CollectionDef>(value, found->second)) {
      diff.violations.push_back("collection '" + key + "' changed");
    }
  }
  for (const auto& [key, value] : after.collections) {
    if (before.collections.count(key) == 0) {
      diff.violations.push_back("collection '" + key + "' is new");
    }
  }
  if (!same_message<wire::MetaGraphDef>(before.others, after.others)) {
    diff.violations.emplace_back("meta information, saver or signatures changed");
  }
}

template <typename Message>
bool same_around(const Envelope& a, const Envelope& b) {
  if (a.before == b.before && a.after == b.after) return true;
  return same_message<Message>(std::string(a.before) + std::string(a.after),
                               std::string(b.before) + std::string(b.after));
}

void compare_graph_fields(const Document& original, const Document& rewritten,
                          SurroundingsDiff& diff) {
  if (!same_message<wire::GraphDef>(graph_fields(original, true), graph_fields(rewritten, true))) {
    diff.violations.emplace_back("the function library changed");
  }
  if (!same_message<wire::GraphDef>(graph_fields(original, false),
                                    graph_fields(rewritten, false))) {
    diff.violations.emplace_back("versions, or other fields of the graph, changed");
  }
}

// The fields of a function that are neither ops nor results; what results read is seen in the
// graph. Then what lies around the function.
void compare_function(const Document& original, const Document& rewritten, SurroundingsDiff& diff) {
  const auto fields_of = [](const Document& document) {
    std::string fields;
    for (const GraphField& field : document.fields) {
      FieldReader reader(field.whole);
      Field parsed;
      if (!reader.next(parsed) || !parsed.is_bytes(function_def::kResult)) fields += field.whole;
    }
    return fields;
  };
  if (original.function != rewritten.function || original.result_names != rewritten.result_names ||
      !same_message<wire::FunctionDef>(fields_of(original), fields_of(rewritten))) {
    diff.violations.emplace_back("signature or attributes of the function changed");
  }
  const Envelope* before = original.envelope(MessageKind::kFunctionLibrary);
  const Envelope* after = rewritten.envelope(MessageKind::kFunctionLibrary);
  if (before == nullptr || after == nullptr) return;
  if (!same_around<wire::FunctionDefLibrary>(*before, *after)) {
    diff.violations.emplace_back("another function of the library changed");
  }
  before = original.envelope(MessageKind::kGraphDef);
  after = rewritten.envelope(MessageKind::kGraphDef);
  if (before == nullptr || after == nullptr) return;
  if (!same_around<wire::GraphDef>(*before, *after)) {
    diff.violations.emplace_back("the graph around the function changed");
  }
}

}  // namespace

SurroundingsDiff compare_surroundings(const Document& original, const Document& rewritten) {
  SurroundingsDiff diff;
  if (original.function.empty()) {
    compare_graph_fields(original, rewritten, diff);
  } else {
    compare_function(original, rewritten, diff);
  }
  const Envelope* before = original.envelope(MessageKind::kMetaGraphDef);
  const Envelope* after = rewritten.envelope(MessageKind::kMetaGraphDef);
  if (before != nullptr && after != nullptr) {
    compare_meta(*before, *after, diff);
    diff.collections_compared = true;
  } else if (before != nullptr || after != nullptr) {
    diff.not_compared.emplace_back("collections (one of the files is a plain GraphDef)");
  }
  before = original.envelope(MessageKind::kSavedModel);
  after = rewritten.envelope(MessageKind::kSavedModel);
  if (before != nullptr && after != nullptr) {
    if (!same_around<wire::SavedModel>(*before, *after)) {
      diff.violations.emplace_back("other graphs of the SavedModel changed");
    }
  } else if (before != nullptr || after != nullptr) {
    diff.not_compared.emplace_back(
        "other graphs of the SavedModel (one of the files holds a single graph)");
  }
  return diff;
}

}  // namespace tideline::io
