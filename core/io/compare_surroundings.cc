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

MetaFields meta_fields(const Document& document) {
  MetaFields fields;
  for (const std::string_view part : {document.before_graph, document.after_graph}) {
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

void compare_meta(const Document& original, const Document& rewritten, SurroundingsDiff& diff) {
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

}  // namespace

SurroundingsDiff compare_surroundings(const Document& original, const Document& rewritten) {
  SurroundingsDiff diff;
  if (!same_message<wire::GraphDef>(graph_fields(original, true), graph_fields(rewritten, true))) {
    diff.violations.emplace_back("the function library changed");
  }
  if (!same_message<wire::GraphDef>(graph_fields(original, false),
                                    graph_fields(rewritten, false))) {
    diff.violations.emplace_back("versions, or other fields of the graph, changed");
  }
  if (original.format == Format::kMetaGraph && rewritten.format == Format::kMetaGraph) {
    compare_meta(original, rewritten, diff);
    diff.collections_compared = true;
  } else if (original.format == Format::kMetaGraph || rewritten.format == Format::kMetaGraph) {
    diff.not_compared.emplace_back("collections (one of the files is a plain GraphDef)");
  }
  return diff;
}

}  // namespace tideline::io
