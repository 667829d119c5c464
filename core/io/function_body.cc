// Problem: a function's body is not a GraphDef. Its ops read "argument" or "op:output:index", by
// the declared name of the output, and its results are a map from names to such texts.
// Idea: arguments become ops of type _Arg in front and results ops of type _Retval at the end, as
// when TensorFlow instantiates a function; every input is translated once into a slot number. The
// ops keep their encoding, so that a body can be written back byte for byte, and the graph can
// translate slots back to names (function_syntax.h). An op of an undeclared type has no declared
// outputs: its slots are then numbered in the order in which its consumers first name its outputs.
// Source: the comments of the public format on FunctionDef. Tested by unit/io/functions_test.cc and
// integration/saved_model_test.py.
#include "core/io/function_body.h"

#include <map>
#include <optional>
#include <unordered_map>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/base/text_arena.h"
#include "core/graph/graph_builder.h"
#include "core/graph/handle_attributes.h"
#include "core/io/declared.h"
#include "core/io/wire.h"
#include "core/io/wire_codec.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

struct RawOp {
  OpText text;
  std::vector<std::string_view> inputs;
};

// "op:output:index" taken apart. Of an argument, or in a short spelling, the later parts are empty.
struct InputText {
  std::string_view op;
  std::string_view output;
  std::uint32_t index = 0;
  bool is_sound = true;
};

InputText take_apart(std::string_view text) {
  InputText parts;
  const std::size_t first = text.find(':');
  parts.op = text.substr(0, first);
  if (first == std::string_view::npos) return parts;
  std::string_view rest = text.substr(first + 1);
  const std::size_t second = rest.rfind(':');
  std::string_view number;
  if (second != std::string_view::npos) {
    parts.output = rest.substr(0, second);
    number = rest.substr(second + 1);
  } else if (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
    number = rest;  // "argument:0"
  } else {
    parts.output = rest;  // "op:output" is its first tensor
    return parts;
  }
  const auto index = parse_as<decltype(parts.index)>(number);
  parts.index = index.value_or(0);
  parts.is_sound = index && *index < kMostOutputs;
  return parts;
}

// The named outputs of an op, to be found by name: hostile files name very many.
class NamedOutputs {
 public:
  // `outputs`, whose names are looked at, must stay where they are. Of two with one name the first
  // counts. Precondition: at most kMostOutputs in all.
  explicit NamedOutputs(const OutputArguments& outputs) {
    std::uint32_t first = 0;
    for (const OutputArgument& output : outputs) {
      places_.try_emplace(output.name, Place{first, output.count});
      first += output.count;
    }
  }
  // The slot of the `index`-th tensor of `output`; nothing when there is none.
  [[nodiscard]] std::optional<std::uint32_t> slot(std::string_view output,
                                                  std::uint32_t index) const {
    const auto found = places_.find(output);
    if (found == places_.end() || index >= found->second.count) return std::nullopt;
    return found->second.first + index;
  }

 private:
  struct Place {
    std::uint32_t first = 0, count = 0;
  };
  std::unordered_map<std::string_view, Place> places_;
};

class BodyReader {
 public:
  BodyReader(std::string_view function, SharedBytes owner,
             const std::shared_ptr<const DeclaredSignatures>& declared,
             std::span<const std::optional<SavedVariable>> captured)
      : function_(function),
        declared_(declared),
        captured_(captured),
        arena_(std::make_shared<TextArena>()),
        builder_(wire_codec(), std::move(owner)) {}

  Result<FunctionBody> read();

 private:
  void scan();
  void add_arguments(const FunctionSignature& signature);
  void add_handle_data(const FunctionArgument& argument, const SavedVariable* saved,
                       Attributes& attributes);
  void add_results(const FunctionSignature& signature);
  void index_names();
  Status collect_named_outputs();
  Status translate(const RawOp& op);
  Result<std::string_view> translated(std::string_view input);
  Result<const NamedOutputs*> outputs_of(std::uint32_t op);
  const OpSignature* signature(std::string_view type);

  std::string_view function_;
  std::shared_ptr<const DeclaredSignatures> declared_;
  std::span<const std::optional<SavedVariable>> captured_;
  std::shared_ptr<TextArena> arena_;
  GraphBuilder builder_;
  FunctionBody body_;
  std::vector<RawOp> ops_;
  std::map<std::uint64_t, std::string_view> argument_attributes_;  // encoded ArgAttrs
  std::map<std::string_view, std::string_view> results_;           // texts by name
  std::unordered_map<std::string_view, std::uint32_t> index_;
  std::unordered_map<std::string_view, std::optional<OpSignature>> signatures_;
  std::unordered_map<std::uint32_t, OutputArguments> declared_outputs_;
  std::unordered_map<std::uint32_t, NamedOutputs> outputs_;  // of those, and those named by readers
  std::shared_ptr<FunctionSyntax> syntax_ = std::make_shared<FunctionSyntax>();
};

// One walk over the fields: ops into ops_, the rest into body_.fields.
void BodyReader::scan() {
  FieldReader reader(function_);
  Field field;
  std::uint32_t op_count = 0;
  const auto map_entry_of = [](std::string_view entry, std::uint64_t& number, std::string_view& key,
                               std::string_view& value) {
    FieldReader parts(entry);
    Field part;
    while (parts.next(part)) {
      if (part.is_varint(map_entry::kKey)) number = part.varint;
      if (part.is_bytes(map_entry::kKey)) key = part.bytes;
      if (part.is_bytes(map_entry::kValue)) value = part.bytes;
    }
  };
  while (reader.next(field)) {
    if (!field.is_bytes(function_def::kNode)) {
      body_.fields.push_back({op_count, field.whole});
      std::uint64_t number = 0;
      std::string_view key;
      std::string_view value;
      if (field.is_bytes(function_def::kResult)) {
        map_entry_of(field.bytes, number, key, value);
        results_[key] = value;
      } else if (field.is_bytes(function_def::kArgumentAttributes)) {
        map_entry_of(field.bytes, number, key, value);
        argument_attributes_[number] = value;
      }
      continue;
    }
    body_.op_header_sizes.add(ops_.size(), field.whole.size() - field.bytes.size(),
                              field.bytes.size());
    RawOp op;
    op.text.encoded = field.bytes;
    FieldReader parts(field.bytes);
    Field part;
    while (parts.next(part)) {
      if (part.is_bytes(node_def::kName)) op.text.name = part.bytes;
      if (part.is_bytes(node_def::kOp)) op.text.type = part.bytes;
      if (part.is_bytes(node_def::kDevice)) op.text.device = part.bytes;
      if (part.is_bytes(node_def::kInput)) op.inputs.push_back(part.bytes);
    }
    ops_.push_back(std::move(op));
    ++op_count;
  }
}

void BodyReader::add_arguments(const FunctionSignature& signature) {
  std::vector<RawOp> arguments;
  for (std::size_t i = 0; i < signature.arguments.size(); ++i) {
    const FunctionArgument& argument = signature.arguments[i];
    Attributes attributes = {{"T", AttrValue::of_type(argument.type)},
                             {"index", AttrValue::of_int(static_cast<std::int64_t>(i))}};
    if (const auto found = argument_attributes_.find(i); found != argument_attributes_.end()) {
      FieldReader reader(found->second);
      Field entry;
      while (reader.next(entry)) {
        if (!entry.is_bytes(1)) continue;  // ArgAttrs.attr
        std::string key;
        AttrValue value;
        FieldReader parts(entry.bytes);
        Field part;
        while (parts.next(part)) {
          if (part.is_bytes(map_entry::kKey)) key = part.bytes;
          if (part.is_bytes(map_entry::kValue)) value.encoded = part.bytes;
        }
        if (key != "T" && key != "index") attributes.emplace_back(std::move(key), value);
      }
    }
    const std::size_t left = signature.arguments.size() - i;
    const auto* known = left <= captured_.size() ? &captured_[captured_.size() - left] : nullptr;
    const bool is_saved = known != nullptr && *known && argument.type == DataType::kResource;
    add_handle_data(argument, is_saved ? &**known : nullptr, attributes);
    const std::string_view name = arena_->add(argument.name);
    const std::string encoded = wire_codec().encode(name, "_Arg", "", {}, attributes);
    arguments.push_back({{name, "_Arg", "", arena_->add(encoded)}, {}});
  }
  body_.argument_count = static_cast<std::uint32_t>(arguments.size());
  ops_.insert(ops_.begin(), std::make_move_iterator(arguments.begin()),
              std::make_move_iterator(arguments.end()));
  body_.op_header_sizes.insert_in_front(arguments.size());
}

// What lies behind a resource: as the model's objects say, else as the signature does.
void BodyReader::add_handle_data(const FunctionArgument& argument, const SavedVariable* saved,
                                 Attributes& attributes) {
  AttrValue types;
  types.kind = AttrValue::Kind::kList;
  types.types = argument.handle_types;
  std::vector<Shape> shapes = argument.handle_shapes;
  if (saved != nullptr) {
    const bool says_other =
        !types.types.empty() && (types.types.front() != saved->type ||
                                 (shapes.front().has_rank && shapes.front() != saved->shape));
    if (says_other) {
      body_.contradicted.push_back(fmt::format(
          "{}: {} {} in its signature, and {} {} in the model's object '{}'", argument.name,
          data_type_name(types.types.front()), to_string(shapes.front()),
          data_type_name(saved->type), to_string(saved->shape), printable(saved->name)));
    }
    types.types = {saved->type};
    shapes = {saved->shape};
  }
  if (types.types.empty()) return;
  attributes.emplace_back("_handle_dtypes", types);
  attributes.emplace_back("_handle_shapes", AttrValue::of_shapes(std::move(shapes)));
  if (saved == nullptr) return;
  const auto text = [](const std::string& content) {
    AttrValue value;
    value.kind = AttrValue::Kind::kString;
    value.string = content;
    return value;
  };
  attributes.emplace_back(kSavedName, text(saved->name));
  attributes.emplace_back(kSavedPath, text(saved->path));
  attributes.emplace_back(kSavedTrainable, AttrValue::of_bool(saved->is_trainable));
}

void BodyReader::add_results(const FunctionSignature& signature) {
  for (std::size_t i = 0; i < signature.results.size(); ++i) {
    const FunctionArgument& result = signature.results[i];
    const std::string_view key = arena_->add(result.name);
    std::string name = result.name + "_RetVal";
    for (int n = 1; index_.contains(name); ++n) name = fmt::format("{}_RetVal_{}", result.name, n);
    std::vector<std::string> inputs;
    if (const auto found = results_.find(key); found != results_.end()) {
      inputs.emplace_back(found->second);
    }
    const std::string encoded =
        wire_codec().encode(name, "_Retval", "", inputs,
                            {{"T", AttrValue::of_type(result.type)},
                             {"index", AttrValue::of_int(static_cast<std::int64_t>(i))}});
    RawOp op{{arena_->add(name), "_Retval", "", arena_->add(encoded)}, {}};
    for (const std::string& input : inputs) op.inputs.push_back(arena_->add(input));
    index_.emplace(op.text.name, static_cast<std::uint32_t>(ops_.size()));
    ops_.push_back(std::move(op));
    body_.result_names.push_back(key);
  }
}

void BodyReader::index_names() {
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    index_.try_emplace(ops_[i].text.name, static_cast<std::uint32_t>(i));
  }
}

const OpSignature* BodyReader::signature(std::string_view type) {
  const auto [entry, added] = signatures_.try_emplace(type);
  if (added) {
    entry->second = builtin_signature(type);
    if (!entry->second && declared_ != nullptr) {
      const auto declared = declared_->find(type);
      if (declared != declared_->end()) entry->second = declared->second;
    }
  }
  return entry->second ? &*entry->second : nullptr;
}

// Outputs of ops of undeclared types, as their readers name them.
Status BodyReader::collect_named_outputs() {
  std::unordered_map<std::uint32_t, std::unordered_map<std::string_view, std::size_t>> known;
  std::unordered_map<std::uint32_t, std::int64_t> slots;  // in all, by op
  for (const RawOp& reader : ops_) {
    for (const std::string_view input : reader.inputs) {
      const InputText parts = take_apart(input);
      const auto producer = index_.find(parts.op);
      if (!parts.is_sound || parts.output.empty() || producer == index_.end()) continue;
      const std::uint32_t op = producer->second;
      if (signature(ops_[op].text.type) != nullptr) continue;
      OutputArguments& outputs = syntax_->named_by_readers[OpId{op}];
      const auto [at, is_new] = known[op].try_emplace(parts.output, outputs.size());
      if (is_new) outputs.push_back({std::string(parts.output), 0});
      std::uint32_t& count = outputs[at->second].count;
      if (parts.index < count) continue;
      slots[op] += parts.index + 1 - count;
      count = parts.index + 1;
      if (slots[op] > kMostOutputs) {
        return fail(Code::kCorrupt, "op '{}': its readers name {} outputs; expected at most {}",
                    printable(parts.op), slots[op], kMostOutputs);
      }
    }
  }
  return {};
}

Result<const NamedOutputs*> BodyReader::outputs_of(std::uint32_t op) {
  if (const auto known = outputs_.find(op); known != outputs_.end()) return &known->second;
  const OpText& text = ops_[op].text;
  const OutputArguments* outputs = &declared_outputs_[op];
  if (const auto named = syntax_->named_by_readers.find(OpId{op});
      named != syntax_->named_by_readers.end()) {
    outputs = &named->second;
  } else if (const OpSignature* declared = signature(text.type)) {
    auto found = output_arguments(*declared, wire_codec(), text.encoded);
    if (!found) {
      return tl::unexpected(
          with_context(std::move(found).error(), fmt::format("op '{}'", printable(text.name))));
    }
    declared_outputs_[op] = *std::move(found);
  }
  return &outputs_.try_emplace(op, *outputs).first->second;
}

// As a graph spells it: "op", "op:slot", "^op".
Result<std::string_view> BodyReader::translated(std::string_view input) {
  if (input.starts_with('^')) return input;
  const InputText parts = take_apart(input);
  const auto producer = index_.find(parts.op);
  if (!parts.is_sound) {
    return fail(Code::kCorrupt, "input '{}': expected the form op:output:index", printable(input));
  }
  // The builder will say that there is no such op.
  if (producer == index_.end() || parts.output.empty()) {
    return parts.index == 0 ? parts.op : arena_->add(fmt::format("{}:{}", parts.op, parts.index));
  }
  TIDELINE_TRY(const NamedOutputs* outputs, outputs_of(producer->second));
  const auto slot = outputs->slot(parts.output, parts.index);
  if (!slot) {
    return fail(Code::kCorrupt, "input '{}': ops of type {} have no such output", printable(input),
                printable(ops_[producer->second].text.type));
  }
  return *slot == 0 ? parts.op : arena_->add(fmt::format("{}:{}", parts.op, *slot));
}

Status BodyReader::translate(const RawOp& op) {
  builder_.add_op(op.text);
  for (const std::string_view input : op.inputs) {
    auto text = translated(input);
    if (!text) {
      return tl::unexpected(
          with_context(std::move(text).error(), fmt::format("op '{}'", printable(op.text.name))));
    }
    builder_.add_input(*text);
  }
  return {};
}

Result<FunctionBody> BodyReader::read() {
  scan();
  const FunctionSignature signature = function_signature(function_);
  add_arguments(signature);
  index_names();
  add_results(signature);
  TIDELINE_RETURN_IF_ERROR(collect_named_outputs());
  builder_.keep(arena_);
  builder_.declare(declared_);
  builder_.set_function_syntax(syntax_);
  builder_.reserve(ops_.size(), ops_.size() * 2);
  for (const RawOp& op : ops_) {
    TIDELINE_RETURN_IF_ERROR(translate(op));
    if (builder_.failed()) break;
  }
  TIDELINE_TRY(body_.graph, builder_.finish());
  return std::move(body_);
}

}  // namespace

Result<FunctionBody> read_function_body(std::string_view function, SharedBytes owner,
                                        const std::shared_ptr<const DeclaredSignatures>& declared,
                                        std::span<const std::optional<SavedVariable>> captured) {
  return BodyReader(function, std::move(owner), declared, captured).read();
}

}  // namespace tideline::io
