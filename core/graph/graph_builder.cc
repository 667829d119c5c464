#include "core/graph/graph_builder.h"

#include <charconv>
#include <cstring>
#include <limits>

#include "core/base/text.h"

namespace tideline {
namespace {

// Ops whose names and inputs are looked up together. Large enough to keep many cache misses in
// flight, small enough that what was prefetched is still there when it is used.
constexpr std::size_t kBatchOps = 64;

}  // namespace

// Eight bytes at a time; doubtful words bytewise.
const char* op_name_problem(std::string_view name) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  constexpr std::uint64_t kHigh = 0x8080808080808080ULL;
  if (name.empty()) return "has an empty name";
  if (name.front() == '^') return "has a name that begins with '^'";
  bool plain = true;
  std::size_t at = 0;
  for (; plain && name.size() - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, name.data() + at, sizeof word);
    const std::uint64_t colon = word ^ (kOnes * ':');
    const std::uint64_t below_space = (word - kOnes * 0x20) & ~word;
    const std::uint64_t is_colon = (colon - kOnes) & ~colon;
    const std::uint64_t del = word ^ (kOnes * 0x7f);
    const std::uint64_t is_del = (del - kOnes) & ~del;
    plain = ((word | below_space | is_colon | is_del) & kHigh) == 0;
  }
  if (!plain) at = 0;
  const std::string_view rest = name.substr(at);
  if (rest.find(':') != std::string_view::npos) return "has a name with ':' in it";
  if (has_control_character(rest)) return "has a name with a control character in it";
  if (!plain && !is_utf8(name)) return "has a name that is not UTF-8";
  if (plain && !is_utf8(rest)) return "has a name that is not UTF-8";
  return nullptr;
}

GraphBuilder::GraphBuilder(const NodeCodec& codec, SharedBytes keep_alive) {
  graph_.codec_ = &codec;
  graph_.keep_alive_.push_back(std::move(keep_alive));
}

void GraphBuilder::reserve(std::size_t ops, std::size_t inputs) {
  graph_.ops_.reserve(ops);
  graph_.inputs_.reserve(inputs);
  graph_.names_.reserve(ops);
  batch_hashes_.reserve(kBatchOps);
}

void GraphBuilder::declare(std::shared_ptr<const DeclaredSignatures> signatures) {
  declared_ = std::move(signatures);
}

void GraphBuilder::set_function_syntax(std::shared_ptr<const FunctionSyntax> syntax) {
  graph_.function_syntax_ = std::move(syntax);
}

void GraphBuilder::keep(std::shared_ptr<const void> owner) {
  graph_.keep_alive_.push_back(std::move(owner));
}

std::uint32_t GraphBuilder::intern(std::string_view text, Interned& known,
                                   std::vector<std::string_view>& list, const char* what) {
  // Consecutive ops mostly share their device and often their type.
  if (!graph_.ops_.empty()) {
    const std::uint32_t last =
        &known == &devices_ ? graph_.ops_.back().device : graph_.ops_.back().type;
    if (list[last] == text) return last;
  }
  const auto [entry, added] = known.try_emplace(text, static_cast<std::uint32_t>(list.size()));
  if (added) {
    if (!is_utf8(text)) {
      set_error(OpId{graph_.op_count()},
                fmt::format("{} '{}' is not UTF-8", what, printable(text)));
    }
    list.push_back(text);
  }
  return entry->second;
}

void GraphBuilder::set_error(OpId op, const std::string& what) {
  if (failed()) return;
  const std::string_view name = op.index() < graph_.ops_.size() ? graph_.name(op) : "";
  error_.code = Code::kCorrupt;
  error_.message = name.empty() ? fmt::format("op number {}: {}", op.value, what)
                                : fmt::format("op '{}': {}", printable(name), what);
}

void GraphBuilder::add_op(const OpText& op) {
  if (batch_hashes_.size() == kBatchOps) flush();
  const OpId id{graph_.op_count()};
  if (graph_.ops_.size() >= OpId::kNone - 1 ||
      op.encoded.size() > std::numeric_limits<std::uint32_t>::max()) {
    set_error(id, "is too large, or the graph has too many ops");
    return;
  }
  const std::uint32_t type = intern(op.type, types_, graph_.types_, "type");
  const std::uint32_t device = intern(op.device, devices_, graph_.devices_, "device");
  graph_.ops_.push_back({op.name.data(), op.encoded.data(),
                         static_cast<std::uint32_t>(op.name.size()),
                         static_cast<std::uint32_t>(op.encoded.size()), type, device,
                         static_cast<std::uint32_t>(graph_.inputs_.size()), 0,
                         static_cast<std::uint32_t>(graph_.controls_.size()), 0});
  if (const char* problem = op_name_problem(op.name)) {
    set_error(id, fmt::format("{}; expected a name", problem));
  } else if (op.type.empty()) {
    set_error(id, "has no op type; expected one such as 'MatMul'");
  }
  const std::uint64_t hash = NameIndex::hash(op.name);
  graph_.names_.prefetch(hash);
  batch_hashes_.push_back(hash);
}

// Splits "x:1" into name and slot; everything else is a name with slot 0.
void GraphBuilder::read_slot(PendingInput& input, OpId consumer) {
  const std::string_view text = input.text;
  std::size_t digits = text.size();
  while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9') --digits;
  if (digits == 0 || digits == text.size() || text[digits - 1] != ':') return;
  const auto [end, status] =
      std::from_chars(text.data() + digits, text.data() + text.size(), input.slot);
  if (status != std::errc() || input.slot > kMaxSlot) {
    set_error(consumer, fmt::format("input '{}' has an impossible output slot; expected at most {}",
                                    printable(text), kMaxSlot));
  }
  input.name = text.substr(0, digits - 1);
}

void GraphBuilder::add_input(std::string_view text) {
  if (graph_.ops_.empty()) return;
  const OpId consumer{graph_.op_count() - 1};
  Graph::OpRecord& op = graph_.ops_.back();
  PendingInput input{text, text, 0, 0, 0, consumer.value, false};
  if (text.starts_with('^')) {
    input.is_control = true;
    input.name.remove_prefix(1);
    input.target = static_cast<std::uint32_t>(graph_.controls_.size());
    graph_.controls_.emplace_back();
    ++op.control_count;
  } else {
    read_slot(input, consumer);
    if (op.control_count > 0) {
      set_error(consumer, fmt::format("data input '{}' comes after a control input; expected data "
                                      "inputs first",
                                      printable(text)));
    }
    input.target = static_cast<std::uint32_t>(graph_.inputs_.size());
    graph_.inputs_.emplace_back();
    ++op.input_count;
  }
  if (graph_.inputs_.size() >= OpId::kNone || graph_.controls_.size() >= OpId::kNone) {
    set_error(consumer, "the graph has too many inputs");
  }
  if (input.name.empty()) {
    set_error(consumer,
              fmt::format("input '{}' is empty; expected the name of an op", printable(text)));
  }
  input.hash = NameIndex::hash(input.name);
  graph_.names_.prefetch(input.hash);
  batch_inputs_.push_back(input);
}

bool GraphBuilder::resolve(const PendingInput& input) {
  const OpId producer =
      graph_.names_.find(input.hash, input.name, [this](OpId op) { return graph_.name(op); });
  if (!producer.valid()) return false;
  if (input.is_control) {
    graph_.controls_[input.target] = producer;
  } else {
    graph_.inputs_[input.target] = {producer, input.slot};
  }
  return true;
}

void GraphBuilder::flush() {
  const auto name_of = [this](OpId op) { return graph_.name(op); };
  for (const std::uint64_t hash : batch_hashes_) {
    const OpId op{indexed_ops_++};
    const OpId twin = graph_.names_.insert(hash, op, name_of);
    if (twin.valid() && !graph_.name(op).empty()) {
      set_error(op,
                fmt::format("the name '{}' is already used by op number {}; expected unique names",
                            printable(graph_.name(op)), twin.value));
    }
  }
  for (const PendingInput& input : batch_inputs_) {
    if (!resolve(input)) forward_inputs_.push_back(input);
  }
  batch_hashes_.clear();
  batch_inputs_.clear();
}

Result<Graph> GraphBuilder::finish() {
  flush();
  for (const PendingInput& input : forward_inputs_) {
    if (failed()) break;
    if (!resolve(input)) {
      set_error(OpId{input.consumer},
                fmt::format("input '{}' names no op; expected the name of an op of this graph",
                            printable(input.text)));
    }
  }
  if (failed()) return tl::unexpected(error_);
  graph_.signatures_.reserve(graph_.types_.size());
  for (const std::string_view type : graph_.types_) {
    std::optional<OpSignature> signature = builtin_signature(type);
    if (!signature && declared_ != nullptr) {
      const auto declared = declared_->find(type);
      if (declared != declared_->end()) signature = declared->second;
    }
    graph_.signatures_.push_back(std::move(signature));
  }
  return std::move(graph_);
}

}  // namespace tideline
