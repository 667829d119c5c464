// Problem: a training graph of a million ops is 250 MB of encoded messages, nearly all of it
// attributes that are never read. Parsing them into objects takes seconds and gigabytes; skipping
// them would let damage through to a later write.
// Idea: read only names, types, devices and inputs; check the structure of attributes in place.
// Attributes repeat (every op of a layer has the same strides and shapes), so an attribute with the
// same bytes as a checked one needs only a comparison: a small direct-mapped cache of recent
// attributes replaces most checks by a memcmp.
// Cost: O(bytes); no allocation beyond the builder's arrays.
// Source: own; the format is public. Tested by unit/io/document_test.cc, golden/malformed_test.cc
// and fuzz/fuzz_wire_scan.cc.
#include "core/io/graph_scan.h"

#include <array>
#include <cstring>

#include "core/base/text.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

// Remembers attributes that passed the check.
class AttributeMemory {
 public:
  // The slot in which an attribute with these bytes would be.
  std::string_view& slot(std::string_view bytes) {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
    if (bytes.size() >= sizeof head) {
      std::memcpy(&head, bytes.data(), sizeof head);
      std::memcpy(&tail, bytes.data() + bytes.size() - sizeof tail, sizeof tail);
    }
    constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15ULL;
    const std::uint64_t hash = ((head ^ (tail * 31) ^ bytes.size()) * kMix) >> 32U;
    return slots_.at(hash % slots_.size());
  }

 private:
  std::array<std::string_view, 2048> slots_;
};

class Scanner {
 public:
  Scanner(Document& document, int depth, GraphBuilder& builder)
      : document_(document), depth_(depth), builder_(builder) {}

  ScanOutcome run(Progress& progress);

 private:
  bool node(std::string_view content);
  bool node_field(const char*& at, const char* end, OpText& op);
  bool take(std::uint32_t number, std::string_view content, OpText& op);
  bool replace(std::string_view& text, std::string_view content);
  bool attribute(std::string_view entry);
  bool other_field(const char* start, std::string_view whole);
  bool stop(const char* at, std::string what) {
    problem_ = WireProblem{at, std::move(what)};
    return false;
  }

  Document& document_;
  int depth_;
  GraphBuilder& builder_;
  AttributeMemory checked_;
  std::vector<std::string_view> inputs_;
  std::optional<WireProblem> problem_;
  std::uint32_t op_count_ = 0;
};

constexpr std::uint8_t bytes_tag(std::uint32_t number) {
  return static_cast<std::uint8_t>(number << 3U | 2U);
}

bool Scanner::attribute(std::string_view entry) {
  std::string_view& known = checked_.slot(entry);
  if (!entry.empty() && known.size() == entry.size() &&
      std::memcmp(known.data(), entry.data(), entry.size()) == 0) {
    return true;
  }
  if (auto problem = check_message(entry, message_rules().attribute_entry, depth_ + 2)) {
    problem_ = std::move(problem);
    return false;
  }
  known = entry;
  return true;
}

// Of a repeated field the last one counts. Only that one is passed to the builder.
bool Scanner::replace(std::string_view& text, std::string_view content) {
  if (!is_utf8(text)) {
    return stop(text.data(),
                fmt::format("an op holds '{}'; expected UTF-8 text", printable(text, 60)));
  }
  text = content;
  return true;
}

bool Scanner::take(std::uint32_t number, std::string_view content, OpText& op) {
  switch (number) {
    case node_def::kName: return replace(op.name, content);
    case node_def::kOp: return replace(op.type, content);
    case node_def::kDevice: return replace(op.device, content);
    case node_def::kInput: inputs_.push_back(content); return true;
    default: return true;
  }
}

// One field of a node. The five fields that matter have one-byte tags; everything else goes through
// the general check, also those fields under a tag that is spelled longer than it need be.
bool Scanner::node_field(const char*& at, const char* end, OpText& op) {
  const char* start = at;
  const auto tag = static_cast<std::uint8_t>(*at);
  const bool matters = tag == bytes_tag(node_def::kName) || tag == bytes_tag(node_def::kOp) ||
                       tag == bytes_tag(node_def::kInput) || tag == bytes_tag(node_def::kDevice) ||
                       tag == bytes_tag(node_def::kAttr);
  if (!matters) {
    FieldReader reader({at, static_cast<std::size_t>(end - at)});
    Field field;
    const bool read = reader.next(field);
    const std::string_view rest =
        read ? field.whole : std::string_view(start, static_cast<std::size_t>(end - start));
    if (auto problem = check_message(rest, message_rules().node_def, depth_ + 1)) {
      problem_ = std::move(problem);
      return false;
    }
    if (!read) return stop(start, "broken field");
    at = reader.at();
    return field.type != WireType::kBytes || take(field.number, field.bytes, op);
  }
  ++at;
  std::uint64_t length = 0;
  if (!read_length(at, end, length) || length > static_cast<std::uint64_t>(end - at)) {
    return stop(start, fmt::format("a field of op '{}' runs past the end of the op; damaged",
                                   printable(op.name, 100)));
  }
  const std::string_view content(at, static_cast<std::size_t>(length));
  at += length;
  if (tag == bytes_tag(node_def::kAttr)) return attribute(content);
  return take(tag >> 3U, content, op);
}

bool Scanner::node(std::string_view content) {
  const char* at = content.data();
  const char* end = at + content.size();
  OpText op;
  op.encoded = content;
  inputs_.clear();
  while (at < end) {
    if (!node_field(at, end, op)) return false;
  }
  builder_.add_op(op);
  for (const std::string_view input : inputs_) builder_.add_input(input);
  ++op_count_;
  return true;
}

bool Scanner::other_field(const char* start, std::string_view whole) {
  if (auto problem = check_message(whole, message_rules().graph_def, depth_)) {
    problem_ = std::move(problem);
    return false;
  }
  document_.fields.push_back({op_count_, {start, whole.size()}});
  return true;
}

ScanOutcome Scanner::run(Progress& progress) {
  constexpr std::uint32_t kOpsBetweenReports = 1U << 14U;
  const std::string_view bytes = document_.graph_bytes;
  const char* begin = bytes.data();
  const char* end = begin + bytes.size();
  const char* at = begin;
  while (at < end && !builder_.failed()) {
    const char* start = at;
    if (static_cast<std::uint8_t>(*at) == bytes_tag(graph_def::kNode)) {
      ++at;
      std::uint64_t length = 0;
      const char* length_at = at;
      if (!read_length(at, end, length)) {
        return {WireProblem{length_at, "field 'node': broken length"}, false};
      }
      if (length > static_cast<std::uint64_t>(end - at)) {
        return {WireProblem{start, fmt::format("op number {} is {} bytes long, {} are left; the "
                                               "file is truncated or damaged",
                                               op_count_, length, end - at)},
                false};
      }
      document_.op_header_sizes.add(op_count_, static_cast<std::size_t>(at - start), length);
      if (!node({at, static_cast<std::size_t>(length)})) return {std::move(problem_), false};
      at += length;
      if (op_count_ % kOpsBetweenReports == 0 &&
          !progress.report("reading", at - begin, end - begin)) {
        return {std::nullopt, true};
      }
      continue;
    }
    FieldReader reader({at, static_cast<std::size_t>(end - at)});
    Field field;
    const bool read = reader.next(field);
    const std::string_view whole =
        read ? field.whole : std::string_view(at, static_cast<std::size_t>(end - at));
    if (read && field.is_bytes(graph_def::kNode)) {  // under a tag longer than it need be
      document_.op_header_sizes.add(op_count_, whole.size() - field.bytes.size(),
                                    field.bytes.size());
      if (!node(field.bytes)) return {std::move(problem_), false};
      at = reader.at();
      continue;
    }
    if (!other_field(start, whole)) return {std::move(problem_), false};
    if (!read) return {WireProblem{start, "broken field"}, false};
    at = reader.at();
  }
  return {};
}

}  // namespace

ScanOutcome scan_graph(Document& document, int depth, GraphBuilder& builder, Progress& progress) {
  return Scanner(document, depth, builder).run(progress);
}

}  // namespace tideline::io
