#include "app/cli/inspect_tensors.h"

#include <nlohmann/json.hpp>

#include "app/cli/terminal.h"

namespace tideline::cli {
namespace {

template <typename Print>
void for_each_tensor(const Graph& graph, const TensorTable& tensors, const Print& print) {
  for (const OpId op : graph.ops()) {
    for (std::uint32_t slot = 0; slot < tensors.output_count(op); ++slot) {
      print(TensorId{op, slot});
    }
  }
}

void print_json(const Graph& graph, const TensorTable& tensors) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for_each_tensor(graph, tensors, [&](TensorId tensor) {
    const Shape& shape = tensors.shape(tensor);
    list.push_back({{"tensor", graph.tensor_name(tensor)},
                    {"op_type", graph.type(tensor.op)},
                    {"dtype", data_type_name(tensors.type(tensor))},
                    {"shape", shape.has_rank ? nlohmann::ordered_json(shape.dims) : nullptr},
                    {"bytes", tensors.bytes(tensor)},
                    {"is_unknown_size", tensors.is_unknown(tensor)}});
  });
  say_json(list);
}

}  // namespace

void print_tensors(const Graph& graph, const TensorTable& tensors, TensorFormat format) {
  if (format == TensorFormat::kJson) return print_json(graph, tensors);
  const bool is_csv = format == TensorFormat::kCsv;
  if (is_csv) say("tensor,op_type,dtype,shape,bytes\n");
  const auto field = [&](std::string_view text) {
    return is_csv ? csv_field(text) : std::string(text);
  };
  const char separator = is_csv ? ',' : '\t';
  for_each_tensor(graph, tensors, [&](TensorId tensor) {
    say("{1}{0}{2}{0}{3}{0}{4}{0}{5}\n", separator, field(graph.tensor_name(tensor)),
        field(graph.type(tensor.op)), data_type_name(tensors.type(tensor)),
        field(to_string(tensors.shape(tensor))), tensors.bytes(tensor));
  });
}

}  // namespace tideline::cli
