// Source: TensorFlow 2.15, saved_object_graph.proto and trackable_object_graph.proto.
// Tested by unit/io/saved_objects_test.cc.
#include "core/io/saved_objects.h"

#include "core/io/wire.h"
#include "core/io/wire_numbers.h"
#include "core/io/wire_tensor.h"

namespace tideline::io {
namespace {

constexpr std::uint32_t kObjectGraph = 7;                       // of a MetaGraphDef
constexpr std::uint32_t kNodes = 1, kConcreteFunctions = 2;     // of a SavedObjectGraph
constexpr std::uint32_t kChildren = 1, kVariable = 7;           // of a SavedObject
constexpr std::uint32_t kChildId = 1, kChildName = 2;           // of an ObjectReference
constexpr std::uint32_t kBoundInputs = 2;                       // of a SavedConcreteFunction
constexpr std::uint32_t kType = 1, kShape = 2, kTrainable = 3;  // of a SavedVariable
constexpr std::uint32_t kVariableName = 6;

// The encoded SavedObjectGraph; empty without one.
std::string_view object_graph(const Document& document) {
  const Envelope* meta = document.envelope(MessageKind::kMetaGraphDef);
  if (meta == nullptr) return {};
  for (const std::string_view part : {meta->before, meta->after}) {
    FieldReader reader(part);
    for (Field field; reader.next(field);) {
      if (field.is_bytes(kObjectGraph)) return field.bytes;
    }
  }
  return {};
}

// The numbers of the objects that a function captures; an entry of the map of functions.
std::vector<std::uint64_t> bound_inputs(std::string_view entry, std::string_view name) {
  std::string_view key;
  std::string_view function;
  FieldReader parts(entry);
  for (Field part; parts.next(part);) {
    if (part.is_bytes(map_entry::kKey)) key = part.bytes;
    if (part.is_bytes(map_entry::kValue)) function = part.bytes;
  }
  std::vector<std::uint64_t> bound;
  if (key != name) return bound;
  FieldReader reader(function);
  for (Field field; reader.next(field);) {
    if (field.number != kBoundInputs) continue;
    each_number(field, [&](std::uint64_t id) { bound.push_back(id); });
  }
  return bound;
}

std::optional<SavedVariable> variable_of(std::string_view object) {
  FieldReader parts(object);
  for (Field part; parts.next(part);) {
    if (!part.is_bytes(kVariable)) continue;
    SavedVariable variable;
    variable.shape = Shape::of({});  // a scalar's shape has no fields
    FieldReader reader(part.bytes);
    for (Field field; reader.next(field);) {
      if (field.is_varint(kType)) variable.type = static_cast<DataType>(field.varint);
      if (field.is_varint(kTrainable)) variable.is_trainable = field.varint != 0;
      if (field.is_bytes(kVariableName)) variable.name = field.bytes;
      if (!field.is_bytes(kShape)) continue;
      const auto shape = decode_shape(field.bytes);
      variable.shape = shape ? *shape : Shape::unknown();
    }
    return variable;
  }
  return std::nullopt;
}

// By object: the names on the shortest way from the first object, which is the model.
std::vector<std::string> paths_of(const std::vector<std::string_view>& objects) {
  std::vector<std::string> paths(objects.size());
  std::vector<bool> met(objects.size());
  std::vector<std::size_t> order;
  if (objects.empty()) return paths;
  met[0] = true;
  order.push_back(0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    FieldReader reader(objects[order[i]]);
    for (Field field; reader.next(field);) {
      if (!field.is_bytes(kChildren)) continue;
      std::uint64_t child = 0;
      std::string_view name;
      FieldReader reference(field.bytes);
      for (Field part; reference.next(part);) {
        if (part.is_varint(kChildId)) child = part.varint;
        if (part.is_bytes(kChildName)) name = part.bytes;
      }
      if (child >= objects.size() || met[child]) continue;
      met[child] = true;
      paths[child] =
          paths[order[i]].empty() ? std::string(name) : paths[order[i]] + "/" + std::string(name);
      order.push_back(child);
    }
  }
  return paths;
}

}  // namespace

std::vector<std::optional<SavedVariable>> captured_variables(const Document& document,
                                                             std::string_view name) {
  std::vector<std::string_view> objects;
  std::vector<std::uint64_t> bound;
  FieldReader reader(object_graph(document));
  for (Field field; reader.next(field);) {
    if (field.is_bytes(kNodes)) objects.push_back(field.bytes);
    if (field.is_bytes(kConcreteFunctions) && bound.empty())
      bound = bound_inputs(field.bytes, name);
  }
  std::vector<std::optional<SavedVariable>> variables;
  if (bound.empty()) return variables;
  const std::vector<std::string> paths = paths_of(objects);
  for (const std::uint64_t id : bound) {
    variables.push_back(id < objects.size() ? variable_of(objects[id]) : std::nullopt);
    if (variables.back()) variables.back()->path = paths[id];
  }
  return variables;
}

}  // namespace tideline::io
