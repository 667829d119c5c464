#include "core/graph/graph.h"

namespace tideline {

OpId Graph::find(std::string_view name) const {
  return names_.find(NameIndex::hash(name), name, [this](OpId op) { return this->name(op); });
}

std::string Graph::tensor_name(TensorId tensor) const {
  return fmt::format("{}:{}", name(tensor.op), tensor.slot);
}

const OpSignature* Graph::signature(OpId op) const {
  const std::optional<OpSignature>& known = signatures_[type_id(op)];
  return known ? &*known : nullptr;
}

Result<std::optional<AttrValue>> Graph::attribute(OpId op, std::string_view key) const {
  auto value = find_attribute(codec(), encoded(op), key);
  if (!value) {
    return tl::unexpected(with_context(std::move(value).error(), fmt::format("op '{}'", name(op))));
  }
  return value;
}

}  // namespace tideline
