#include "core/io/wire_codec.h"

#include <bit>

#include "core/io/proto/graph.pb.h"
#include "core/io/same_message.h"
#include "core/io/wire.h"
#include "core/io/wire_attribute.h"
#include "core/io/wire_check.h"
#include "core/io/wire_numbers.h"
#include "core/io/wire_tensor.h"

namespace tideline::io {
namespace {

float as_float(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

// The name of the function in a NameAttrList.
std::string function_name(std::string_view bytes) {
  std::string_view name;
  FieldReader reader(bytes);
  Field field;
  while (reader.next(field)) {
    if (field.is_bytes(1)) name = field.bytes;
  }
  return std::string(name);
}

Status decode_list(std::string_view bytes, AttrValue& value) {
  FieldReader reader(bytes);
  Field field;
  while (reader.next(field)) {
    switch (field.number) {
      case attr_value::kString: value.strings.emplace_back(field.bytes); break;
      case attr_value::kInt:
        each_number(field, [&](std::uint64_t number) {
          value.integers.push_back(static_cast<std::int64_t>(number));
        });
        break;
      case attr_value::kType:
        each_number(field, [&](std::uint64_t number) {
          value.types.push_back(static_cast<DataType>(number));
        });
        break;
      case attr_value::kShape: {
        TIDELINE_TRY(Shape shape, decode_shape(field.bytes));
        value.shapes.push_back(std::move(shape));
        break;
      }
      case attr_value::kListFunction: value.functions.push_back(function_name(field.bytes)); break;
      default: break;  // floats, bools, tensors: nobody asks yet; `encoded` has them
    }
  }
  return {};
}

void append_attribute(std::string& node, std::string_view key, std::string_view value) {
  std::string entry;
  append_bytes(entry, map_entry::kKey, key);
  append_bytes(entry, map_entry::kValue, value);
  append_bytes(node, node_def::kAttr, entry);
}

std::string_view key_of(std::string_view entry) {
  std::string_view key;
  FieldReader reader(entry);
  Field part;
  while (reader.next(part)) {
    if (part.is_bytes(map_entry::kKey)) key = part.bytes;
  }
  return key;
}

// Copies an op field by field. What changes takes the place of what was there; what is new stands
// where a serializer would put it: a device before the attributes, an attribute at the end.
class ChangedNode {
 public:
  explicit ChangedNode(const NodeChanges& changes)
      : changes_(changes), done_(changes.attributes.size()) {}

  std::string of(std::string_view node) {
    FieldReader reader(node);
    Field field;
    while (reader.next(field)) copy(field);
    add_device();
    for (std::size_t i = 0; i < done_.size(); ++i) add_attribute(i);
    return std::move(out_);
  }

 private:
  void copy(const Field& field) {
    if (field.is_bytes(node_def::kName) && changes_.name) {
      append_bytes(out_, node_def::kName, *changes_.name);
    } else if (field.is_bytes(node_def::kDevice) && changes_.device) {
      add_device();
    } else if (field.is_bytes(node_def::kAttr)) {
      add_device();
      const std::size_t change = change_of(key_of(field.bytes));
      if (change == done_.size()) {
        out_.append(field.whole);
      } else {
        add_attribute(change);
      }
    } else {
      out_.append(field.whole);
    }
  }
  void add_device() {
    if (changes_.device && !has_device_ && !changes_.device->empty()) {
      append_bytes(out_, node_def::kDevice, *changes_.device);
    }
    has_device_ = true;
  }
  [[nodiscard]] std::size_t change_of(std::string_view key) const {
    std::size_t at = 0;
    while (at < done_.size() && changes_.attributes[at].first != key) ++at;
    return at;
  }
  void add_attribute(std::size_t change) {
    const auto& [key, value] = changes_.attributes[change];
    if (value && !done_[change]) append_attribute(out_, key, *value);
    done_[change] = true;
  }

  const NodeChanges& changes_;
  std::vector<bool> done_;  // by attribute change
  bool has_device_ = false;
  std::string out_;
};

class WireCodec final : public NodeCodec {
 public:
  void for_each_attribute(std::string_view node, const AttributeVisitor& visit) const override {
    FieldReader reader(node);
    Field field;
    while (reader.next(field)) {
      if (!field.is_bytes(node_def::kAttr)) continue;
      std::string_view key;
      std::string_view value;
      FieldReader entry(field.bytes);
      Field part;
      while (entry.next(part)) {
        if (part.is_bytes(map_entry::kKey)) key = part.bytes;
        if (part.is_bytes(map_entry::kValue)) value = part.bytes;
      }
      visit(key, value);
    }
  }

  Result<AttrValue> decode(std::string_view encoded) const override {
    AttrValue value;
    value.encoded = encoded;
    FieldReader reader(encoded);
    Field field;
    while (reader.next(field)) {
      switch (field.number) {
        case attr_value::kList:
          value.kind = AttrValue::Kind::kList;
          TIDELINE_RETURN_IF_ERROR(decode_list(field.bytes, value));
          break;
        case attr_value::kString:
          value.kind = AttrValue::Kind::kString;
          value.string = field.bytes;
          break;
        case attr_value::kInt:
          value.kind = AttrValue::Kind::kInt;
          value.integer = static_cast<std::int64_t>(field.varint);
          break;
        case attr_value::kFloat:
          value.kind = AttrValue::Kind::kFloat;
          value.number = as_float(field.varint);
          break;
        case attr_value::kBool:
          value.kind = AttrValue::Kind::kBool;
          value.boolean = field.varint != 0;
          break;
        case attr_value::kType:
          value.kind = AttrValue::Kind::kType;
          value.type = static_cast<DataType>(field.varint);
          break;
        case attr_value::kShape: {
          value.kind = AttrValue::Kind::kShape;
          TIDELINE_TRY(value.shape, decode_shape(field.bytes));
          break;
        }
        case attr_value::kTensor: value.kind = AttrValue::Kind::kTensor; break;
        case attr_value::kPlaceholder:
          value.kind = AttrValue::Kind::kPlaceholder;
          value.string = field.bytes;
          break;
        case attr_value::kFunction: {
          value.kind = AttrValue::Kind::kFunction;
          value.string = function_name(field.bytes);
          break;
        }
        default: break;
      }
    }
    return value;
  }

  Result<std::optional<TensorContent>> tensor_content(std::string_view encoded,
                                                      std::size_t most_elements) const override {
    std::optional<std::string_view> tensor;
    FieldReader reader(encoded);
    Field field;
    while (reader.next(field)) {
      if (field.is_bytes(attr_value::kTensor)) tensor = field.bytes;
    }
    if (!tensor) return std::nullopt;
    return decode_tensor(*tensor, most_elements);
  }

  std::string encode(std::string_view name, std::string_view type, std::string_view device,
                     const std::vector<std::string>& inputs,
                     const Attributes& attributes) const override {
    return encode(name, type, device, inputs, std::string_view(encode_attributes(attributes)));
  }

  std::string encode(std::string_view name, std::string_view type, std::string_view device,
                     const std::vector<std::string>& inputs,
                     std::string_view encoded_attributes) const override {
    std::string out;
    append_bytes(out, node_def::kName, name);
    append_bytes(out, node_def::kOp, type);
    for (const std::string& input : inputs) append_bytes(out, node_def::kInput, input);
    if (!device.empty()) append_bytes(out, node_def::kDevice, device);
    out.append(encoded_attributes);
    return out;
  }

  std::string encode_attributes(const Attributes& attributes) const override {
    std::string out;
    for (const auto& [key, value] : attributes)
      append_attribute(out, key, encode_attr_value(value));
    return out;
  }

  std::string encode_value(const AttrValue& value) const override {
    return encode_attr_value(value);
  }

  bool is_value(std::string_view encoded) const override {
    // As deep as it can lie: SavedModel, MetaGraphDef, GraphDef, library, function, op, entry.
    constexpr int kDepth = 6;
    std::string entry;
    append_bytes(entry, map_entry::kValue, encoded);
    return !check_message(entry, message_rules().attribute_entry, kDepth);
  }

  std::string with_changes(std::string_view node, const NodeChanges& changes) const override {
    std::string changed = ChangedNode(changes).of(node);
    return changes.inputs == nullptr ? changed : with_inputs(changed, *changes.inputs);
  }

  std::string with_inputs(std::string_view node,
                          const std::vector<std::string>& inputs) const override {
    // New inputs take the places of the old ones; further ones follow the last old one, or the
    // op field, where a serializer would put them.
    std::size_t old_count = 0;
    FieldReader counter(node);
    Field field;
    std::size_t after_head = 0;
    while (counter.next(field)) {
      if (field.is_bytes(node_def::kInput)) ++old_count;
      if (field.number < node_def::kInput) {
        after_head = static_cast<std::size_t>(counter.at() - node.data());
      }
    }
    std::string out;
    out.reserve(node.size() + 64 * inputs.size());
    std::size_t next = 0;
    const auto emit_rest = [&] {
      while (next < inputs.size()) append_bytes(out, node_def::kInput, inputs[next++]);
    };
    FieldReader reader(node);
    if (old_count == 0 && after_head == 0) emit_rest();
    while (reader.next(field)) {
      if (!field.is_bytes(node_def::kInput)) {
        out.append(field.whole);
        if (old_count == 0 && static_cast<std::size_t>(reader.at() - node.data()) == after_head) {
          emit_rest();
        }
        continue;
      }
      --old_count;
      if (next < inputs.size()) {
        if (inputs[next] == field.bytes) {
          out.append(field.whole);
        } else {
          append_bytes(out, node_def::kInput, inputs[next]);
        }
        ++next;
      }
      if (old_count == 0) {
        emit_rest();
        after_head = std::string_view::npos;
      }
    }
    return out;
  }

  bool same_value(std::string_view a, std::string_view b) const override {
    return same_message<wire::AttrValue>(a, b);
  }

  bool same_besides_inputs(std::string_view a, std::string_view b) const override {
    return same_message<wire::NodeDef>(with_inputs(a, {}), with_inputs(b, {}));
  }

  std::vector<std::string> input_texts(std::string_view node) const override {
    std::vector<std::string> inputs;
    FieldReader reader(node);
    Field field;
    while (reader.next(field)) {
      if (field.is_bytes(node_def::kInput)) inputs.emplace_back(field.bytes);
    }
    return inputs;
  }
};

}  // namespace

const NodeCodec& wire_codec() {
  static const WireCodec kCodec;
  return kCodec;
}

}  // namespace tideline::io
