#include "core/io/compare_surroundings.h"

#include <map>

#include "core/io/declared.h"
#include "core/io/envelope.h"
#include "core/io/proto/graph.pb.h"
#include "core/io/proto/meta_graph.pb.h"
#include "core/io/same_message.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

std::string graph_fields(const Document& document) {
  std::string fields;
  for (const GraphField& field : document.fields) {
    FieldReader reader(field.whole);
    Field parsed;
    const bool is_library = reader.next(parsed) && parsed.is_bytes(graph_def::kLibrary);
    if (!is_library) fields += field.whole;
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

std::vector<std::string> all_tags(const Document& document) {
  const Envelope& meta = *document.envelope(MessageKind::kMetaGraphDef);
  std::vector<std::string> tags = tags_of(meta.before);
  for (std::string& tag : tags_of(meta.after)) tags.push_back(std::move(tag));
  return tags;
}

// Gives `fields` of a graph without tags the tag that it gets as a SavedModel. Whether it did.
bool add_default_tag(const Document& original, const Document& rewritten, MetaFields& fields) {
  const bool is_made = original.format != Format::kSavedModel &&
                       rewritten.format == Format::kSavedModel && all_tags(original).empty() &&
                       all_tags(rewritten) == std::vector<std::string>{kDefaultTag};
  if (!is_made) return false;
  std::string info;
  append_bytes(info, meta_graph_def::kTags, kDefaultTag);
  append_bytes(fields.others, meta_graph_def::kMetaInfo, info);
  return true;
}

void compare_meta(const Document& original, const Document& rewritten, SurroundingsDiff& diff) {
  MetaFields before = meta_fields(*original.envelope(MessageKind::kMetaGraphDef));
  const MetaFields after = meta_fields(*rewritten.envelope(MessageKind::kMetaGraphDef));
  if (add_default_tag(original, rewritten, before)) {
    diff.not_compared.emplace_back("tags (one of the files is no SavedModel and has none)");
  }
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

// Functions by name, and what else the library holds.
struct Library {
  std::map<std::string, std::string_view> functions;
  std::string others;
};

Library library_of(const Document& document) {
  Library library;
  for (const GraphField& graph_field : document.fields) {
    FieldReader outer(graph_field.whole);
    Field parsed;
    if (!outer.next(parsed) || !parsed.is_bytes(graph_def::kLibrary)) continue;
    FieldReader reader(parsed.bytes);
    Field field;
    while (reader.next(field)) {
      if (!field.is_bytes(function_library::kFunction)) {
        library.others += field.whole;
        continue;
      }
      library.functions[function_signature(field.bytes).name] = field.bytes;
    }
  }
  return library;
}

void compare_libraries(const Document& original, const Document& rewritten,
                       SurroundingsDiff& diff) {
  const Library before = library_of(original);
  const Library after = library_of(rewritten);
  for (const auto& [name, function] : before.functions) {
    const auto found = after.functions.find(name);
    if (found == after.functions.end()) {
      diff.violations.push_back("function '" + name + "' is lost");
    } else if (!same_message<wire::FunctionDef>(function, found->second)) {
      diff.changed_functions.push_back(name);
    }
  }
  for (const auto& [name, function] : after.functions) {
    if (before.functions.count(name) == 0) {
      diff.violations.push_back("function '" + name + "' is new");
    }
  }
  if (!same_message<wire::FunctionDefLibrary>(before.others, after.others)) {
    diff.violations.emplace_back("gradients of the function library changed");
  }
}

void compare_graph_fields(const Document& original, const Document& rewritten,
                          SurroundingsDiff& diff) {
  compare_libraries(original, rewritten, diff);
  if (!same_message<wire::GraphDef>(graph_fields(original), graph_fields(rewritten))) {
    diff.violations.emplace_back("versions, or other fields of the graph, changed");
  }
}

// An opened function, then what lies around it.
void compare_function(const Document& original, const Document& rewritten, SurroundingsDiff& diff) {
  if (!same_function_fields(original, rewritten)) {
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

bool same_function_fields(const Document& original, const Document& rewritten) {
  const auto fields_of = [](const Document& document) {
    std::string fields;
    for (const GraphField& field : document.fields) {
      FieldReader reader(field.whole);
      Field parsed;
      if (!reader.next(parsed) || !parsed.is_bytes(function_def::kResult)) fields += field.whole;
    }
    return fields;
  };
  return original.function == rewritten.function &&
         original.result_names == rewritten.result_names &&
         same_message<wire::FunctionDef>(fields_of(original), fields_of(rewritten));
}

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
    compare_meta(original, rewritten, diff);
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
