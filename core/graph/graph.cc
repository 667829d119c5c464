#include "core/graph/graph.h"
#include "core/base/parse.h"

namespace tideline {

OpId Graph::find(std::string_view name) const {
  return names_.find(NameIndex::hash(name), name, [this](OpId op) { return this->name(op); });
}

std::optional<TensorId> Graph::find_tensor(std::string_view name) const {
  if (const OpId op = find(name); op.valid()) return TensorId{op, 0};
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto slot = parse_as<std::uint32_t>(name.substr(colon + 1));
  const OpId op = find(name.substr(0, colon));
  if (!slot || !op.valid()) return std::nullopt;
  return TensorId{op, *slot};
}

std::string Graph::tensor_name(TensorId tensor) const {
  return fmt::format("{}:{}", name(tensor.op), tensor.slot);
}

Result<std::string> Graph::input_text(TensorId tensor) const {
  if (is_function_body()) return function_syntax_->spelled(*this, tensor);
  return tensor.slot == 0 ? std::string(name(tensor.op)) : tensor_name(tensor);
}

const OpSignature* Graph::signature(OpId op) const {
  const std::optional<OpSignature>& known = signatures_[type_id(op)];
  return known ? &*known : nullptr;
}

bool Graph::reads_reference(OpId op, std::uint32_t slot) const {
  const OpSignature* declared = signature(op);
  if (declared == nullptr) return false;
  for (std::uint32_t i = 0; i < declared->inputs.size() && i <= slot; ++i) {
    const ArgSignature& argument = declared->inputs[i];
    if (argument.is_list() || i == slot) return argument.is_reference;
  }
  return false;
}

Result<std::optional<AttrValue>> Graph::attribute(OpId op, std::string_view key) const {
  auto value = find_attribute(codec(), encoded(op), key);
  if (!value) {
    return tl::unexpected(with_context(std::move(value).error(), fmt::format("op '{}'", name(op))));
  }
  return value;
}

}  // namespace tideline
