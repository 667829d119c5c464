#include "core/graph/function_syntax.h"

#include "core/base/text.h"
#include "core/graph/graph.h"

namespace tideline {
namespace {

Result<std::int64_t> count_of(const ArgSignature& output, const OpSignature& signature,
                              const NodeCodec& codec, std::string_view encoded) {
  if (!output.type_list_attr.empty()) {
    TIDELINE_TRY(const auto list, find_attribute(codec, encoded, output.type_list_attr));
    return list ? static_cast<std::int64_t>(list->types.size()) : 0;
  }
  if (output.number_attr.empty()) return 1;
  TIDELINE_TRY(const auto number, find_attribute(codec, encoded, output.number_attr));
  if (number) return number->integer;
  for (const auto& [attr, value] : signature.number_defaults) {
    if (attr == output.number_attr) return value;
  }
  return 0;
}

}  // namespace

Result<OutputArguments> output_arguments(const OpSignature& signature, const NodeCodec& codec,
                                         std::string_view encoded) {
  OutputArguments outputs;
  std::int64_t left = kMostOutputs;
  for (const ArgSignature& output : signature.outputs) {
    TIDELINE_TRY(const std::int64_t count, count_of(output, signature, codec, encoded));
    if (count < 0 || count > left) {
      return fail(Code::kCorrupt,
                  "output '{}' has {} tensors; expected 0 to {}, for all outputs together",
                  printable(output.name), count, kMostOutputs);
    }
    left -= count;
    outputs.push_back({output.name, static_cast<std::uint32_t>(count)});
  }
  return outputs;
}

std::optional<std::string> spell(std::string_view op, const OutputArguments& outputs,
                                 std::uint32_t slot) {
  for (const OutputArgument& output : outputs) {
    if (slot < output.count) return fmt::format("{}:{}:{}", op, output.name, slot);
    slot -= output.count;
  }
  return std::nullopt;
}

Result<std::string> FunctionSyntax::spelled(const Graph& body, TensorId tensor) const {
  const std::string_view name = body.name(tensor.op);
  if (body.type(tensor.op) == "_Arg") return std::string(name);
  std::optional<std::string> text;
  if (const auto named = named_by_readers.find(tensor.op); named != named_by_readers.end()) {
    text = spell(name, named->second, tensor.slot);
  } else if (const OpSignature* signature = body.signature(tensor.op)) {
    TIDELINE_TRY(const OutputArguments outputs,
                 output_arguments(*signature, body.codec(), body.encoded(tensor.op)));
    text = spell(name, outputs, tensor.slot);
  }
  if (text) return *std::move(text);
  return fail(Code::kInvalidArgument, "op '{}': output {} has no name; expected a declared output",
              printable(name), tensor.slot);
}

}  // namespace tideline
