// The interface between the model and the encoding of its ops; implemented by core/io.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/graph/attr_value.h"

namespace tideline {

/// The part of a tensor attribute that shape inference needs.
struct TensorContent {
  DataType type = DataType::kInvalid;
  Shape shape;
  /// All elements in row-major order; absent when there are too many or when not all of them are
  /// integers. Bools are 0 and 1.
  std::optional<std::vector<std::int64_t>> elements;
  /// The same for strings, each at most 4096 bytes long.
  std::optional<std::vector<std::string>> texts;
};

/// Changes to an encoded op. All other bytes are kept.
struct NodeChanges {
  std::optional<std::string_view> name = {};
  std::optional<std::string_view> device = {};
  const std::vector<std::string>* inputs = nullptr;  ///< the whole new list; null keeps the old one
  /// New values by key, each key at most once; nullopt removes the attribute.
  using Attribute = std::pair<std::string_view, std::optional<std::string_view>>;
  std::span<const Attribute> attributes = {};
};

/// Reads and writes single encoded ops. Stateless; one instance serves every graph of an encoding.
/// Precondition of all methods: `node` passed the structural check on loading. Thread: any.
class NodeCodec {
 public:
  virtual ~NodeCodec() = default;

  using AttributeVisitor = std::function<void(std::string_view key, std::string_view encoded)>;
  /// Calls `visit` for each attribute, in file order, without decoding the values.
  virtual void for_each_attribute(std::string_view node, const AttributeVisitor& visit) const = 0;
  /// Errors: kCorrupt for a dim below -1 or lists that contradict their kind. The message names the
  /// field inside the value ("shape: dim -5 ...").
  [[nodiscard]] virtual Result<AttrValue> decode(std::string_view encoded) const = 0;
  /// The content of an encoded tensor attribute; nullopt for other kinds. Elements are decoded only
  /// up to `most_elements`, whatever size is declared.
  /// Errors: those of `decode`; kCorrupt for values that do not fit the declared shape.
  [[nodiscard]] virtual Result<std::optional<TensorContent>> tensor_content(
      std::string_view encoded, std::size_t most_elements) const = 0;
  /// Whether two encoded attribute values are equal as messages.
  [[nodiscard]] virtual bool same_value(std::string_view a, std::string_view b) const = 0;
  /// Whether two encoded ops are equal except for their inputs.
  [[nodiscard]] virtual bool same_besides_inputs(std::string_view a, std::string_view b) const = 0;

  /// Encodes a new op. `inputs` are in the file's spelling ("x", "x:1", "^c"), data inputs first.
  [[nodiscard]] virtual std::string encode(std::string_view name, std::string_view type,
                                           std::string_view device,
                                           const std::vector<std::string>& inputs,
                                           const Attributes& attributes) const = 0;
  /// The same with attributes that are encoded already.
  [[nodiscard]] virtual std::string encode(std::string_view name, std::string_view type,
                                           std::string_view device,
                                           const std::vector<std::string>& inputs,
                                           std::string_view encoded_attributes) const = 0;
  /// Attributes in their order, as they stand in an op; `for_each_attribute` reads them back.
  [[nodiscard]] virtual std::string encode_attributes(const Attributes& attributes) const = 0;
  /// The value of one attribute, as `decode` reads it.
  [[nodiscard]] virtual std::string encode_value(const AttrValue& value) const = 0;
  /// Whether `encoded`, which may be any bytes, can be the value of an attribute.
  [[nodiscard]] virtual bool is_value(std::string_view encoded) const = 0;
  [[nodiscard]] virtual std::string with_changes(std::string_view node,
                                                 const NodeChanges& changes) const = 0;
  /// `node` with its input list replaced by `inputs`; all other bytes are unchanged.
  [[nodiscard]] virtual std::string with_inputs(std::string_view node,
                                                const std::vector<std::string>& inputs) const = 0;
  /// The input list as written in `node`.
  [[nodiscard]] virtual std::vector<std::string> input_texts(std::string_view node) const = 0;
};

/// The attribute `key` of an encoded op, the last one if repeated; nullopt when it has none.
[[nodiscard]] Result<std::optional<AttrValue>> find_attribute(const NodeCodec& codec,
                                                              std::string_view node,
                                                              std::string_view key);

}  // namespace tideline
