#include "core/io/functions.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/nearest_names.h"
#include "core/graph/verify.h"
#include "core/io/declared.h"
#include "core/io/envelope.h"
#include "core/io/function_body.h"
#include "core/io/wire.h"
#include "core/io/wire_codec.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

// A message that was split: its pieces lie one after the other.
std::string_view whole(const Envelope& envelope) {
  const char* begin = envelope.before.data();
  const char* end = envelope.after.data() + envelope.after.size();
  return {begin, static_cast<std::size_t>(end - begin)};
}

// The contents of the library fields of the GraphDef.
std::vector<std::string_view> libraries(const Document& document) {
  std::vector<std::string_view> found;
  const auto take = [&found](std::string_view fields) {
    FieldReader reader(fields);
    Field field;
    while (reader.next(field)) {
      if (field.is_bytes(graph_def::kLibrary)) found.push_back(field.bytes);
    }
  };
  if (const Envelope* graph = document.envelope(MessageKind::kGraphDef)) {
    take(whole(*graph));
  } else {
    for (const GraphField& field : document.fields) take(field.whole);
  }
  return found;
}

struct EncodedFunction {
  std::string_view library;
  std::string_view function;
};

std::vector<EncodedFunction> functions_of(const Document& document) {
  std::vector<EncodedFunction> functions;
  for (const std::string_view library : libraries(document)) {
    FieldReader reader(library);
    Field field;
    while (reader.next(field)) {
      if (field.is_bytes(function_library::kFunction)) functions.push_back({library, field.bytes});
    }
  }
  return functions;
}

std::string not_found(const Document& document, const std::string& name) {
  std::string similar;
  int listed = 0;
  int count = 0;
  const std::vector<FunctionInfo> functions = list_functions(document);
  std::vector<std::string_view> names;
  for (const FunctionInfo& function : functions) {
    ++count;
    names.push_back(function.name);
    constexpr int kListed = 5;
    if (function.name.find(name) == std::string::npos || ++listed > kListed) continue;
    similar += (similar.empty() ? " '" : ", '") + printable(function.name, 200) + "'";
  }
  if (!similar.empty()) return fmt::format("expected a full name, such as{}", similar);
  const std::vector<std::string> nearest = nearest_names(names, name);
  if (!nearest.empty()) {
    return fmt::format("nearest: '{}'", printable(fmt::format("{}", fmt::join(nearest, "', '"))));
  }
  return fmt::format("there are {} functions; `tideline inspect` lists them", count);
}

std::pair<std::string_view, std::string_view> map_entry_of(std::string_view encoded) {
  std::pair<std::string_view, std::string_view> entry;
  FieldReader parts(encoded);
  Field part;
  while (parts.next(part)) {
    if (part.is_bytes(map_entry::kKey)) entry.first = part.bytes;
    if (part.is_bytes(map_entry::kValue)) entry.second = part.bytes;
  }
  return entry;
}

// What a function says besides its signature and its ops.
void add_own_fields(std::string_view function, const std::string& name, Function& entry,
                    Diagnostics& diagnostics) {
  FieldReader reader(function);
  Field field;
  while (reader.next(field)) {
    if (field.is_bytes(function_def::kAttr)) {
      const auto [key, encoded] = map_entry_of(field.bytes);
      AttrValue value = wire_codec().decode(encoded).value_or(AttrValue());
      value.encoded = encoded;
      entry.attributes.emplace_back(key, std::move(value));
    } else if (field.is_bytes(function_def::kControlResult)) {
      const std::string_view op = map_entry_of(field.bytes).second;
      const OpId found = entry.body.find(op);
      if (found.valid()) {
        entry.control_results.push_back(found);
      } else {
        diagnostics.add(Severity::kNotice, "function that names an op to wait for that it lacks",
                        fmt::format("'{}': '{}'", printable(name, 200), printable(op, 200)));
      }
    }
  }
}

}  // namespace

std::vector<std::string_view> encoded_functions(const Document& document) {
  std::vector<std::string_view> functions;
  for (const EncodedFunction& entry : functions_of(document)) functions.push_back(entry.function);
  return functions;
}

std::vector<FunctionInfo> list_functions(const Document& document) {
  std::vector<FunctionInfo> functions;
  for (const std::string_view function : encoded_functions(document)) {
    const FunctionSignature signature = function_signature(function);
    FunctionInfo info{signature.name, 0, static_cast<std::int64_t>(signature.arguments.size()),
                      static_cast<std::int64_t>(signature.results.size())};
    FieldReader reader(function);
    Field field;
    while (reader.next(field)) info.ops += field.is_bytes(function_def::kNode) ? 1 : 0;
    functions.push_back(std::move(info));
  }
  return functions;
}

Result<Document> open_function(const Document& document, const std::string& name, Cycles cycles) {
  if (name.empty()) {  // Document::function would say that this is the graph of the file
    return fail(Code::kNotFound,
                "{}: a function without a name cannot be opened; expected one of "
                "those that `tideline inspect` lists with a name",
                document.path);
  }
  const std::vector<EncodedFunction> functions = functions_of(document);
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const auto& entry) {
    return function_signature(entry.function).name == name;
  });
  if (found == functions.end()) {
    return fail(Code::kNotFound, "{}: no function is called '{}'; {}", document.path,
                printable(name, 200), not_found(document, name));
  }
  auto body = read_function_body(found->function, document.wire, declared_signatures(document),
                                 captured_variables(document, name));
  Status status = body ? Status() : tl::unexpected(body.error());
  if (body && cycles == Cycles::kRefuse) status = verify_acyclic(body->graph);
  if (!status) {
    return tl::unexpected(
        with_context(std::move(status).error(),
                     fmt::format("{}: function '{}'", document.path, printable(name, 200))));
  }
  Document opened;
  for (const std::string& one : body->contradicted) {
    opened.diagnostics.add(
        Severity::kNotice,
        "captured variable about which the file says two things; the better counts", one);
  }
  opened.path = document.path;
  opened.format = document.format;
  opened.encoding = document.encoding;
  opened.graph = std::move(body->graph);
  opened.source = document.source;
  opened.wire = document.wire;
  opened.envelopes = document.envelopes;
  opened.envelopes.push_back(
      split_around(MessageKind::kGraphDef, document.graph_bytes, found->library));
  opened.envelopes.push_back(
      split_around(MessageKind::kFunctionLibrary, found->library, found->function));
  opened.graph_bytes = found->function;
  opened.fields = std::move(body->fields);
  opened.op_header_sizes = std::move(body->op_header_sizes);
  opened.function = name;
  opened.argument_count = body->argument_count;
  opened.result_names = std::move(body->result_names);
  opened.folder = document.folder;
  opened.place = document.place;
  opened.run = document.run;
  return opened;
}

FunctionLibrary read_functions(const Document& document, Diagnostics& diagnostics) {
  FunctionLibrary library;
  const auto declared = declared_signatures(document);
  for (const std::string_view function : encoded_functions(document)) {
    const std::string name = function_signature(function).name;
    auto body = read_function_body(function, document.wire, declared);
    Status status = body ? verify_acyclic(body->graph) : tl::unexpected(body.error());
    if (!status) {
      diagnostics.add(Severity::kNotice, "function that cannot be read as a graph",
                      fmt::format("'{}': {}", printable(name, 200), status.error().message));
      continue;
    }
    Function entry;
    const std::uint32_t count = body->graph.op_count();
    const auto results = static_cast<std::uint32_t>(body->result_names.size());
    for (std::uint32_t i = 0; i < body->argument_count; ++i) entry.arguments.push_back(OpId{i});
    for (std::uint32_t i = count - results; i < count; ++i) entry.results.push_back(OpId{i});
    entry.body = std::move(body->graph);
    add_own_fields(function, name, entry, diagnostics);
    library.functions.try_emplace(name, std::move(entry));
  }
  return library;
}

}  // namespace tideline::io
