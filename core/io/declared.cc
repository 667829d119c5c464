#include "core/io/declared.h"

#include "core/io/functions.h"
#include "core/io/parse_message.h"
#include "core/io/proto/graph.pb.h"
#include "core/io/proto/meta_graph.pb.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

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

void add(const wire::OpDef& op, DeclaredSignatures& signatures) {
  signatures.try_emplace(op.name(), signature_of(op));
}

void add_declared_ops(std::string_view meta_graph_fields, DeclaredSignatures& signatures) {
  FieldReader reader(meta_graph_fields);
  Field field;
  while (reader.next(field)) {
    if (!field.is_bytes(meta_graph_def::kMetaInfo)) continue;
    FieldReader info(field.bytes);
    Field part;
    while (info.next(part)) {
      wire::OpList ops;
      if (!part.is_bytes(meta_graph_def::kStrippedOpList)) continue;
      if (!parse_message(part.bytes, ops)) continue;
      for (const auto& op : ops.op()) add(op, signatures);
    }
  }
}

// A FunctionDef that says its signature in several fields means all of them together.
wire::OpDef signature_message(std::string_view function) {
  wire::OpDef signature;
  FieldReader reader(function);
  Field part;
  while (reader.next(part)) {
    wire::OpDef piece;
    if (part.is_bytes(function_def::kSignature) && parse_message(part.bytes, piece)) {
      signature.MergeFrom(piece);
    }
  }
  return signature;
}

FunctionArgument function_argument(const wire::OpDef::ArgDef& arg) {
  FunctionArgument argument;
  argument.name = arg.name();
  argument.type = static_cast<DataType>(arg.type());
  for (const auto& handle : arg.handle_data()) {
    argument.handle_types.push_back(static_cast<DataType>(handle.dtype()));
    Shape shape = Shape::of({});
    bool is_sound = !handle.shape().unknown_rank();
    for (const auto& dim : handle.shape().dim()) {
      is_sound = is_sound && dim.size() >= kUnknownDim;
      shape.dims.push_back(dim.size());
    }
    argument.handle_shapes.push_back(is_sound ? std::move(shape) : Shape::unknown());
  }
  return argument;
}

}  // namespace

std::shared_ptr<const DeclaredSignatures> declared_signatures(const Document& document) {
  auto signatures = std::make_shared<DeclaredSignatures>();
  if (const Envelope* meta = document.envelope(MessageKind::kMetaGraphDef)) {
    for (const std::string_view part : {meta->before, meta->after}) {
      add_declared_ops(part, *signatures);
    }
  }
  for (const std::string_view function : encoded_functions(document)) {
    add(signature_message(function), *signatures);
  }
  return signatures;
}

FunctionSignature function_signature(std::string_view function) {
  const wire::OpDef message = signature_message(function);
  FunctionSignature signature;
  signature.name = message.name();
  for (const auto& arg : message.input_arg()) {
    signature.arguments.push_back(function_argument(arg));
  }
  for (const auto& arg : message.output_arg()) {
    signature.results.push_back(function_argument(arg));
  }
  return signature;
}

}  // namespace tideline::io
