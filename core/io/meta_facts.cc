#include "core/io/meta_facts.h"

#include <google/protobuf/arena.h>

#include <string>

#include "core/io/proto/graph.pb.h"
#include "core/io/proto/meta_graph.pb.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

bool parse(std::string_view bytes, google::protobuf::MessageLite& message) {
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

ArgSignature argument(const wire::OpDef::ArgDef& arg) {
  ArgSignature signature;
  signature.name = arg.name();
  signature.type = static_cast<DataType>(arg.type());
  signature.type_attr = arg.type_attr();
  signature.type_list_attr = arg.type_list_attr();
  signature.number_attr = arg.number_attr();
  signature.is_reference = arg.is_ref();
  return signature;
}

OpSignature signature_of(const wire::OpDef& op) {
  OpSignature signature;
  signature.type = op.name();
  signature.is_stateful = op.is_stateful();
  for (const auto& arg : op.input_arg()) signature.inputs.push_back(argument(arg));
  for (const auto& arg : op.output_arg()) signature.outputs.push_back(argument(arg));
  for (const auto& attr : op.attr()) {
    if (!attr.has_default_value()) continue;
    if (attr.type() == "type") {
      signature.type_defaults.emplace_back(attr.name(),
                                           static_cast<DataType>(attr.default_value().type()));
    } else if (attr.type() == "int") {
      signature.number_defaults.emplace_back(attr.name(), attr.default_value().i());
    }
  }
  return signature;
}

// Whether a collection of byte strings with this key holds VariableDef messages.
bool lists_variables(std::string_view key) {
  return key == "variables" || key.ends_with("_variables");
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
      if (!lists_variables(key)) break;
      auto& variables = collections.variables[key];
      for (const std::string& bytes : collection.bytes_list().value()) {
        wire::VariableDef variable;
        if (!parse(bytes, variable)) continue;
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
    if (!field.is_bytes(meta_graph_def::kCollection)) continue;
    std::string key;
    wire::CollectionDef collection;
    FieldReader entry(field.bytes);
    Field part;
    while (entry.next(part)) {
      if (part.is_bytes(map_entry::kKey)) key = part.bytes;
      if (part.is_bytes(map_entry::kValue) && !parse(part.bytes, collection)) collection.Clear();
    }
    read_collection(key, collection, collections);
  }
}

std::vector<OpSignature> read_declared_ops(std::string_view meta_graph_fields) {
  std::vector<OpSignature> signatures;
  FieldReader reader(meta_graph_fields);
  Field field;
  while (reader.next(field)) {
    if (!field.is_bytes(meta_graph_def::kMetaInfo)) continue;
    FieldReader info(field.bytes);
    Field part;
    while (info.next(part)) {
      wire::OpList ops;
      if (!part.is_bytes(meta_graph_def::kStrippedOpList) || !parse(part.bytes, ops)) continue;
      for (const auto& op : ops.op()) signatures.push_back(signature_of(op));
    }
  }
  return signatures;
}

std::vector<OpSignature> read_function_signatures(std::string_view library) {
  std::vector<OpSignature> signatures;
  FieldReader reader(library);
  Field field;
  while (reader.next(field)) {
    if (!field.is_bytes(1)) continue;  // FunctionDefLibrary.function
    FieldReader function(field.bytes);
    Field part;
    while (function.next(part)) {
      wire::OpDef signature;
      if (part.is_bytes(1) && parse(part.bytes, signature)) {  // FunctionDef.signature
        signatures.push_back(signature_of(signature));
      }
    }
  }
  return signatures;
}

}  // namespace tideline::io
