// Bytes into the reader of binary graphs; of what opens, everything that a user may do with it:
// measure it, write it, turn it to text and back, swap its tensors. The protobuf library's parse of
// the same bytes says what must have been read.
#include <cstdint>
#include <string>

#include "core/analysis/summary.h"
#include "core/graph/walks.h"
#include "core/io/compare_surroundings.h"
#include "core/io/proto/meta_graph.pb.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/plan/diff.h"
#include "core/rewrite/plan/plan_json.h"
#include "core/rewrite/plan/plan_json_reader.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/written.h"
#include "tests/support/policy_values.h"

namespace tideline::fuzz {
namespace {

constexpr std::size_t kMaxInput = 1U << 20U;
// Larger graphs cost too many runs for what they can still find: they are not written at all, or
// get the slow checks only now and then.
constexpr std::size_t kMaxWritten = 1U << 16U;
constexpr std::size_t kMaxAlwaysAll = 1U << 11U;
constexpr std::int64_t kMaxExplained = 10000;  // tensors

constexpr const char* kName = "fuzz.pb";

// All choices follow from the content, so that a reproducer is nothing but a graph file.
std::uint64_t choice_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash >> 32U;
}

bool wants_slow_checks(std::string_view bytes) {
  return bytes.size() <= kMaxAlwaysAll || (choice_of(bytes) & 0x600U) == 0;
}

// Reading slot a million of one op makes a million tensors, which take a second: seldom worth it.
bool has_too_many_slots(const Graph& graph, std::string_view bytes) {
  if ((choice_of(bytes) & 0x1f0000U) == 0) return false;
  for (const OpId op : graph.ops()) {
    for (const TensorId input : graph.inputs(op)) {
      if (input.slot > kMaxExplained) return true;
    }
  }
  return false;
}

Lms2Options options_for(std::string_view bytes) {
  const std::uint64_t choice = choice_of(bytes);
  Lms2Options options;
  options.swapout_threshold = 1;
  options.swapin_ahead = 1;
  options.swapin_groupby = 0;
  options.sync_mode = static_cast<int>(choice & 3U);
  options.is_training = (choice & 4U) == 0;
  options.is_keras = (choice & 8U) != 0;
  if ((choice & 16U) != 0) options.batch_size = 7;
  if ((choice & 0x60U) == 0) options.serialization = {":"};
  if ((choice & 0x60U) == 0x20U) options.serialization_by_size = 100;
  if ((choice & 0x180U) == 0) options.cpu_device = "/device:GPU:1";
  options.guard_conditionals = (choice & 0x200000U) != 0;
  return options;
}

// "a" for "a:0" and "a:00", "a:1" for "a:01".
std::string shortest_spelling(std::string text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return text;
  const std::size_t digit = text.find_first_not_of('0', colon + 1);
  if (digit == std::string::npos) return text.substr(0, colon);
  return text.erase(colon + 1, digit - colon - 1);
}

void check_as_protobuf_reads(const io::Document& document, std::string_view bytes) {
  wire::MetaGraphDef meta;
  wire::GraphDef plain;
  const bool is_meta = document.format == io::Format::kMetaGraph;
  google::protobuf::Message& whole =
      is_meta ? static_cast<google::protobuf::Message&>(meta) : plain;
  require(whole.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())),
          "what opens is a message for protobuf, too");
  const wire::GraphDef& expected = is_meta ? meta.graph_def() : plain;
  const Graph& graph = document.graph;
  require(static_cast<std::uint32_t>(expected.node_size()) == graph.op_count(),
          "as many ops as protobuf reads");
  for (const OpId op : graph.ops()) {
    const wire::NodeDef& node = expected.node(static_cast<int>(op.value));
    require(node.name() == graph.name(op) && node.op() == graph.type(op) &&
                node.device() == graph.device(op),
            "name, type and device as protobuf reads them", node.name());
    int at = 0;
    const auto is_next = [&](const std::string& text) {
      return at < node.input_size() && shortest_spelling(node.input(at++)) == text;
    };
    for (const TensorId input : graph.inputs(op)) {
      require(is_next(shortest_spelling(graph.tensor_name(input))), "inputs as protobuf reads them",
              node.name());
    }
    for (const OpId input : graph.control_inputs(op)) {
      require(is_next(fmt::format("^{}", graph.name(input))),
              "control inputs as protobuf reads them", node.name());
    }
    require(at == node.input_size(), "as many inputs as protobuf reads", node.name());
  }
}

void check_levels(const Graph& graph) {
  const LevelMap complete = complete_levels(graph);
  require(complete.without_level() == 0, "the complete map has every op");
  const LoopTypes loops(graph);
  const auto check_edge = [&](OpId from, OpId to) {
    require(loops.is_back_edge(graph, from, to) || complete.level(from) < complete.level(to),
            "levels rise along every edge", graph.name(to));
  };
  for (const OpId op : graph.ops()) {
    for (const TensorId input : graph.inputs(op)) check_edge(input.op, op);
    for (const OpId input : graph.control_inputs(op)) check_edge(input, op);
  }
  const LevelMap compatible = compatible_levels(graph);
  std::int64_t with_level = 0;
  for (std::int32_t level = 0; level < compatible.count(); ++level) {
    with_level += static_cast<std::int64_t>(compatible.ops(level).size());
  }
  require(with_level + compatible.without_level() == graph.op_count(),
          "the compatible map counts every op");
}

// `bytes` hold `original`, perhaps with swaps.
void check_sound(const io::Document& original, std::string bytes, const char* claim) {
  Progress silent;
  const auto again = io::read_document(kName, own_bytes(std::move(bytes)), silent);
  require(again.has_value(), claim, again ? "" : again.error().message);
  const GraphDiff diff = diff_graphs(original.graph, again->graph);
  require(diff.violations.empty(), claim, diff.violations.empty() ? "" : diff.violations.front());
  const io::SurroundingsDiff around = io::compare_surroundings(original, *again);
  require(around.violations.empty() && around.changed_functions.empty(), claim,
          around.violations.empty() ? "" : around.violations.front());
}

// Whether a map entry in `message` (a NodeDef: attributes; a MetaGraphDef: collections) has two
// values. Protobuf merges them, we take the last: no writer makes such entries.
bool has_doubled_value(std::string_view message, std::uint32_t map_field) {
  io::FieldReader reader(message);
  io::Field field;
  while (reader.next(field)) {
    if (!field.is_bytes(map_field)) continue;
    int values = 0;
    io::FieldReader entry(field.bytes);
    io::Field part;
    while (entry.next(part)) values += part.is_bytes(io::map_entry::kValue) ? 1 : 0;
    if (values > 1) return true;
  }
  return false;
}

bool has_doubled_values(const io::Document& document) {
  for (const OpId op : document.graph.ops()) {
    if (has_doubled_value(document.graph.encoded(op), io::node_def::kAttr)) return true;
  }
  const io::Envelope* meta = document.envelope(io::MessageKind::kMetaGraphDef);
  return meta != nullptr && (has_doubled_value(meta->before, io::meta_graph_def::kCollection) ||
                             has_doubled_value(meta->after, io::meta_graph_def::kCollection));
}

void check_writing(const io::Document& document, std::string_view bytes) {
  const auto same = written(document, document.graph, {document.format, &io::kBinaryFormat});
  require(same && *same == bytes, "an unedited graph is written byte for byte");
  if (!wants_slow_checks(bytes) || has_doubled_values(document)) return;
  auto text = written(document, document.graph, {document.format, &io::kTextFormat});
  if (!text) {
    require_readable(text.error());
    return;
  }
  if (text->empty()) return;
  check_sound(document, std::move(*text), "text means the same as the binary form");
}

// The text of a plan gives the graph that the plan gave.
void check_plan_text(const Graph& graph, const Graph& rewritten, const std::string& json) {
  const auto file = PlanFile::parse(kName, json);
  require(file.has_value(), "a plan has a JSON form", file ? "" : file.error().message);
  const auto plan = file->read(0, graph);
  require(plan.has_value(), "a plan that was printed can be read",
          plan ? "" : plan.error().message);
  const auto again = apply(graph, *plan);
  require(again && again->op_count() == rewritten.op_count(),
          "a plan that was read can be applied");
  for (const OpId op : rewritten.ops()) {
    require(again->encoded(op) == rewritten.encoded(op), "it gives the same graph");
  }
}

void check_swapping(const io::Document& document, std::string_view bytes, std::int64_t tensors) {
  Progress silent;
  Lms2Options options = options_for(bytes);
  options.explain = tensors <= kMaxExplained && wants_slow_checks(bytes);
  const auto plan = plan_lms2(document.graph, document.collections, options, silent);
  if (!plan) {
    require_readable(plan.error());
    return;
  }
  const auto rewritten = apply(document.graph, plan->edit);
  require(rewritten.has_value(), "a plan can be applied",
          rewritten ? "" : rewritten.error().message);
  if (options.explain && (choice_of(bytes) & 0xe000U) == 0) {
    check_plan_text(document.graph, *rewritten,
                    test::plan_json_of(document.graph, *plan, options, {"fuzz", kName, "", ""}));
  }
  const GraphDiff diff = diff_graphs(document.graph, *rewritten);
  require(diff.violations.empty(), "a rewritten graph computes the same",
          diff.violations.empty() ? "" : diff.violations.front());
  require(diff.added.size() == plan->edit.added.size(),
          "the plan's copies and no others are added");
  if (bytes.size() > kMaxWritten) return;
  auto file = written(document, *rewritten, {document.format, &io::kBinaryFormat});
  require(file.has_value(), "a rewritten graph can be written");
  check_sound(document, std::move(*file), "a rewritten file computes the same");
}

void run(std::string_view bytes) {
  Progress silent;
  const auto document = io::read_document(kName, own_bytes(std::string(bytes)), silent);
  if (!document) {
    require_readable(document.error());
    return;
  }
  if (document->encoding == &io::kTextFormat) return;       // fuzz_pbtxt.cc
  if (document->format == io::Format::kSavedModel) return;  // fuzz_saved_model.cc
  check_as_protobuf_reads(*document, bytes);
  check_levels(document->graph);
  if (bytes.size() <= kMaxWritten) check_writing(*document, bytes);
  if (has_too_many_slots(document->graph, bytes)) return;
  const auto tensors =
      TensorTable::build(document->graph, {.batch_size = options_for(bytes).batch_size});
  if (!tensors) {
    require_readable(tensors.error());
    return;
  }
  const auto summary = summarize(GraphFacts(document->graph), document->collections, *tensors);
  if (!summary) {
    require_readable(summary.error());
    return;
  }
  if (summary->tensors <= kMaxExplained) {
    Diagnostics diagnostics;
    add_oddities(document->graph, *tensors, *summary, diagnostics);
  }
  check_swapping(*document, bytes, summary->tensors);
}

}  // namespace
}  // namespace tideline::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > tideline::fuzz::kMaxInput) return 0;
  tideline::fuzz::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
