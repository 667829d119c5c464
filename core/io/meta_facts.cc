#include "core/io/meta_facts.h"

#include <algorithm>
#include <string>

#include "core/graph/saver_names.h"
#include "core/io/parse_message.h"
#include "core/io/proto/meta_graph.pb.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

// Whether a collection of byte strings with this key holds VariableDef messages.
bool lists_variables(std::string_view key) {
  return key == "variables" || key.ends_with("_variables");
}

void read_saver(std::string_view bytes, Collections& collections) {
  wire::SaverDef saver;
  if (!parse_message(bytes, saver)) return;
  const auto add = [&](const char* key, const std::string& name) {
    auto& names = collections.names[key];
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  };
  add(kSaverFilenames, saver.filename_tensor_name());
  add(kSaverSaveTensors, saver.save_tensor_name());
  add(kSaverRestoreOps, saver.restore_op_name());
}

void read_collection(const std::string& key, const wire::CollectionDef& collection,
                     Collections& collections) {
  Collections::Entry& entry = collections.entries[key];
  switch (collection.kind_case()) {
    case wire::CollectionDef::kNodeList: {
      entry = {"nodes", collection.node_list().value_size()};
      auto& names = collections.names[key];
      names.assign(collection.node_list().value().begin(), collection.node_list().value().end());
      break;
    }
    case wire::CollectionDef::kBytesList: {
      entry = {"bytes", collection.bytes_list().value_size()};
      if (key == "savers") {
        for (const std::string& bytes : collection.bytes_list().value()) {
          read_saver(bytes, collections);
        }
      }
      if (!lists_variables(key)) break;
      auto& variables = collections.variables[key];
      for (const std::string& bytes : collection.bytes_list().value()) {
        wire::VariableDef variable;
        if (!parse_message(bytes, variable)) continue;
        variables.push_back(
            {variable.variable_name(), variable.initializer_name(), variable.is_resource()});
      }
      break;
    }
    case wire::CollectionDef::kInt64List:
      entry = {"ints", collection.int64_list().value_size()};
      break;
    case wire::CollectionDef::kFloatList:
      entry = {"floats", collection.float_list().value_size()};
      break;
    case wire::CollectionDef::kAnyList: entry = {"any", collection.any_list().value_size()}; break;
    case wire::CollectionDef::KIND_NOT_SET: entry = {"empty", 0}; break;
  }
}

}  // namespace

void read_collections(std::string_view meta_graph_fields, Collections& collections) {
  FieldReader reader(meta_graph_fields);
  Field field;
  while (reader.next(field)) {
    if (field.is_bytes(meta_graph_def::kSaver)) read_saver(field.bytes, collections);
    if (!field.is_bytes(meta_graph_def::kCollection)) continue;
    std::string key;
    wire::CollectionDef collection;
    FieldReader entry(field.bytes);
    Field part;
    while (entry.next(part)) {
      if (part.is_bytes(map_entry::kKey)) key = part.bytes;
      if (!part.is_bytes(map_entry::kValue)) continue;
      if (!parse_message(part.bytes, collection)) collection.Clear();
    }
    read_collection(key, collection, collections);
  }
}

}  // namespace tideline::io
