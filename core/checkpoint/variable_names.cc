// Source: TensorFlow 2.15, trackable_object_graph.proto.
// Tested by unit/checkpoint/variable_names_test.cc.
#include "core/checkpoint/variable_names.h"

#include "core/checkpoint/string_tensor.h"
#include "core/io/wire.h"

namespace tideline::checkpoint {
namespace {

constexpr const char* kObjectGraph = "_CHECKPOINTABLE_OBJECT_GRAPH";
constexpr std::uint32_t kNode = 1;       // of the graph
constexpr std::uint32_t kAttribute = 2;  // of a node
constexpr std::uint32_t kFullName = 2, kCheckpointKey = 3;

using io::Field;
using io::FieldReader;

tl::unexpected<Error> damaged_names() {
  return fail(Code::kCorrupt, "its object graph does not parse");
}

Status read_attribute(std::string_view message, std::map<std::string, std::string>& keys) {
  std::string_view name;
  std::string_view key;
  FieldReader reader(message);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(kFullName)) name = field.bytes;
    if (field.is_bytes(kCheckpointKey)) key = field.bytes;
  }
  if (reader.damaged()) return damaged_names();
  if (!name.empty() && !key.empty()) keys.emplace(name, key);
  return {};
}

}  // namespace

Result<std::map<std::string, std::string>> parse_object_graph(std::string_view message) {
  std::map<std::string, std::string> keys;
  FieldReader graph(message);
  for (Field node; graph.next(node);) {
    if (!node.is_bytes(kNode)) continue;
    FieldReader parts(node.bytes);
    for (Field attribute; parts.next(attribute);) {
      if (!attribute.is_bytes(kAttribute)) continue;
      TIDELINE_RETURN_IF_ERROR(read_attribute(attribute.bytes, keys));
    }
    if (parts.damaged()) return damaged_names();
  }
  if (graph.damaged()) return damaged_names();
  return keys;
}

Result<std::map<std::string, std::string>> keys_by_variable(DataFiles& files) {
  const StoredTensor* tensor = files.checkpoint().find(kObjectGraph);
  if (tensor == nullptr || tensor->type != DataType::kString) {
    return std::map<std::string, std::string>();
  }
  TIDELINE_TRY(const std::vector<std::string> strings, read_strings(files, *tensor));
  if (strings.size() != 1) return fail(Code::kCorrupt, "its object graph is no single text");
  return parse_object_graph(strings.front());
}

}  // namespace tideline::checkpoint
