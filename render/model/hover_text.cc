#include "render/model/hover_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace tideline::ui {
namespace {

constexpr std::size_t kNamesOfFolded = 6;
constexpr std::size_t kLongestName = 400;
constexpr std::size_t kLongestOfMany = 200;

using Lines = std::vector<std::string>;

std::string size_text(const render::Scene& scene, TensorId tensor) {
  const bool is_unknown = scene.tensors->is_unknown(tensor);
  return (is_unknown ? "at least " : "") + format_bytes(scene.tensors->bytes(tensor));
}

bool exists(const render::Scene& scene, TensorId tensor) {
  return tensor.op.index() < scene.graph->op_count() &&
         tensor.slot < scene.tensors->output_count(tensor.op);
}

// "made at model.py:14, in step"; nothing where that is not known.
void add_source_line(const render::Scene& scene, OpId op, Lines& lines) {
  const SourceLine* line = scene.lines == nullptr ? nullptr : scene.lines->of(op);
  if (line != nullptr) lines.push_back("made at " + line_in_function(*line));
}

Lines op_lines(const render::Scene& scene, OpId op) {
  std::string what = fmt::format("{}, {}, level {}", scene.graph->type(op),
                                 phase_name(scene.phases->of(op)), scene.levels->level(op));
  const TensorId output = {op, 0};
  if (exists(scene, output)) what += ", " + size_text(scene, output);
  Lines lines = {printable(scene.graph->name(op), kLongestName), std::move(what)};
  add_source_line(scene, op, lines);
  return lines;
}

Lines folded_lines(const render::Scene& scene, std::span<const OpId> ops) {
  Lines lines = {fmt::format("{} ops", ops.size())};
  for (std::size_t i = 0; i < std::min(ops.size(), kNamesOfFolded); ++i) {
    lines.push_back(printable(scene.graph->name(ops[i]), kLongestOfMany));
  }
  if (ops.size() > kNamesOfFolded) {
    lines.push_back(fmt::format("and {} more", ops.size() - kNamesOfFolded));
  }
  return lines;
}

Lines bar_lines(const render::SwapBar& bar, std::string name) {
  std::string where = fmt::format("{} in host memory from level {} to {}", format_bytes(bar.bytes),
                                  bar.out_level, bar.end_level);
  if (bar.reader_level > bar.end_level) {
    where += fmt::format(", read at level {}", bar.reader_level);
  }
  Lines lines = {std::move(name), std::move(where)};
  if (bar.late_ns > 0) lines.push_back("its reader waits " + format_time(bar.late_ns));
  return lines;
}

// "3 tensors leave, 12.00 MiB".
Lines column_lines(const render::SwapColumn& column) {
  const auto tensors = [](std::int32_t count) {
    return fmt::format("{} tensor{}", count, count == 1 ? "" : "s");
  };
  Lines lines = {column.from_level == column.to_level
                     ? fmt::format("level {}", column.from_level)
                     : fmt::format("levels {} to {}", column.from_level, column.to_level)};
  if (column.outs > 0) {
    lines.push_back(
        fmt::format("out: {}, {}", tensors(column.outs), format_bytes(column.out_bytes)));
  }
  if (column.ins > 0) {
    lines.push_back(fmt::format("in: {}, {}", tensors(column.ins), format_bytes(column.in_bytes)));
  }
  if (column.passing > 0) {
    lines.push_back(fmt::format("under way all along: {}, {}", tensors(column.passing),
                                format_bytes(column.passing_bytes)));
  }
  if (column.late > 0) {
    lines.push_back(
        fmt::format("late: {}, {}", tensors(column.late), format_bytes(column.late_bytes)));
  }
  return lines;
}

template <typename Items>
bool has_item(const Items& items, std::int32_t index) {
  return index >= 0 && static_cast<std::size_t>(index) < items.size();
}

Lines copy_lines(const render::LinkLayout& link, const render::Hit& hit, std::string name) {
  const bool to_host = hit.kind == render::HitKind::kCopyOut;
  const auto& slices = to_host ? link.to_host : link.to_device;
  if (!has_item(slices, hit.swap)) return {};
  const render::LinkSlice& slice = slices[static_cast<std::size_t>(hit.swap)];
  const auto ns = [](double time) { return format_time(static_cast<std::int64_t>(time)); };
  return {
      std::move(name),
      fmt::format("{} to the {} in {}, {}", format_bytes(slice.bytes), to_host ? "host" : "device",
                  ns(slice.end_ns - slice.begin_ns), render::rate_text(slice)),
      fmt::format("from {} of the step", ns(slice.begin_ns))};
}

Lines stall_lines(const render::Scene& scene, const render::LinkLayout& link,
                  const render::Hit& hit, const std::string& name) {
  const auto& stalls = link.stalls;
  if (!has_item(stalls, hit.swap)) return {};
  const render::LinkStall& stall = stalls[static_cast<std::size_t>(hit.swap)];
  const auto wait = static_cast<std::int64_t>(stall.end_ns - stall.begin_ns);
  Lines lines = {fmt::format("the device waits {}", format_time(wait)),
                 stall.tensor.op.valid() ? "for " + name : "for device memory"};
  if (stall.reader.index() < scene.graph->op_count()) {
    lines.push_back("read by " + printable(scene.graph->name(stall.reader), kLongestName));
  }
  return lines;
}

// Of what is shown of a link; empty for other hits.
Lines link_lines(const render::Scene& scene, const render::LinkLayout& link, const render::Hit& hit,
                 const std::string& name) {
  switch (hit.kind) {
    case render::HitKind::kCopyOut:
    case render::HitKind::kCopyIn: return copy_lines(link, hit, name);
    case render::HitKind::kStall: return stall_lines(scene, link, hit, name);
    case render::HitKind::kShare:
      return {fmt::format("the step computes {} and waits {}", format_time(link.compute_ns),
                          format_time(link.waiting_ns))};
    default: return {};
  }
}

// The name of the tensor under the mouse; empty without one.
std::string name_of(const render::Scene& scene, const std::optional<TensorId>& tensor) {
  const bool known = tensor && exists(scene, *tensor);
  return known ? printable(scene.graph->tensor_name(*tensor), kLongestName) : std::string();
}

// Whose bytes MemoryHit::before is.
std::string before_name(const render::MemoryLayout& memory, double position) {
  if (memory.axis == render::MemoryAxis::kMeasuredTime) return "model";
  for (const render::RunSpan& run : memory.runs) {
    if (position < run.end) return printable(run.name, kLongestName);
  }
  return "original";
}

}  // namespace

Lines hover_lines(const render::LevelsLook& look, const render::Hit& hit) {
  const render::Scene& scene = *look.scene;
  const std::string name = name_of(scene, hit.tensor);
  switch (hit.kind) {
    case render::HitKind::kNothing: return {};
    case render::HitKind::kOp:
      if (!hit.tensor || hit.tensor->op.index() >= scene.graph->op_count()) return {};
      return op_lines(scene, hit.tensor->op);
    case render::HitKind::kFolded: return folded_lines(scene, hit.ops);
    case render::HitKind::kSwap: {
      const auto& bars = look.swaps->bars;
      if (hit.swap < 0 || static_cast<std::size_t>(hit.swap) >= bars.size()) return {};
      Lines lines = bar_lines(bars[static_cast<std::size_t>(hit.swap)], name);
      const auto tensor = hit.tensor ? tensor_in_graph(scene, *hit.tensor) : std::nullopt;
      if (tensor) add_source_line(scene, tensor->op, lines);
      return lines;
    }
    case render::HitKind::kSwapGroup: return column_lines(hit.column);
    case render::HitKind::kCopyOut:
    case render::HitKind::kCopyIn:
    case render::HitKind::kStall:
    case render::HitKind::kShare: return link_lines(scene, look.swaps->link, hit, name);
    case render::HitKind::kLegend: return hit.lines;
    case render::HitKind::kCandidate:
      if (name.empty()) return {};
      return {name, size_text(scene, *hit.tensor) + " stays on the device with this policy"};
  }
  return {};
}

Lines hover_lines(const render::MemoryLook& look, const render::MemoryHit& hit) {
  if (!hit.position) return {};
  const render::MemoryLayout& memory = *look.memory;
  if (hit.item.kind == render::HitKind::kLegend) return hit.item.lines;
  if (hit.item.kind != render::HitKind::kNothing) {
    return link_lines(*look.scene, memory.link, hit.item, name_of(*look.scene, hit.item.tensor));
  }
  Lines lines = {
      render::position_text(memory, *hit.position),
      fmt::format("{} {}", before_name(memory, *hit.position), format_bytes(hit.before))};
  if (!memory.measured.empty()) {
    const Bytes measured = memory.measured.at(static_cast<std::int32_t>(*hit.position));
    lines.push_back("measured " + format_bytes(measured));
  }
  if (memory.has_after) {
    lines.push_back("with the policy " + format_bytes(hit.after));
    lines.push_back("on the host " + format_bytes(hit.host));
  }
  if (hit.tensor) {
    lines.push_back(shown_name(*look.scene, *hit.tensor));
    const auto original = tensor_in_graph(*look.scene, *hit.tensor);
    if (original) add_source_line(*look.scene, original->op, lines);
  }
  return lines;
}

std::string_view hit_kind_name(render::HitKind kind) {
  switch (kind) {
    case render::HitKind::kNothing: break;
    case render::HitKind::kOp: return "op";
    case render::HitKind::kFolded: return "folded";
    case render::HitKind::kSwap: return "swap";
    case render::HitKind::kSwapGroup: return "swap-group";
    case render::HitKind::kCandidate: return "candidate";
    case render::HitKind::kCopyOut: return "copy-out";
    case render::HitKind::kCopyIn: return "copy-in";
    case render::HitKind::kStall: return "stall";
    case render::HitKind::kShare: return "share";
    case render::HitKind::kLegend: return "legend";
  }
  return "nothing";
}

// Ids of copies come after the graph's; the tensor that was copied has a name in the graph.
std::optional<TensorId> tensor_in_graph(const render::Scene& scene, TensorId tensor) {
  const std::uint32_t count = scene.graph->op_count();
  // A swap-in reads a swap-out, that reads the tensor: two steps at most.
  for (int i = 0; scene.plan != nullptr && i < 2; ++i) {
    if (!tensor.op.valid() || tensor.op.value < count) break;
    const std::size_t at = tensor.op.value - count;
    const GraphPlan& edit = scene.plan->edit;
    if (at >= edit.added.size() || edit.added[at].input_count == 0) break;
    tensor = edit.inputs(edit.added[at]).front();
  }
  if (!tensor.op.valid() || tensor.op.value >= count) return std::nullopt;
  return tensor;
}

std::string shown_name(const render::Scene& scene, TensorId tensor) {
  const std::optional<TensorId> original = tensor_in_graph(scene, tensor);
  if (!original) return "?";
  return printable(scene.graph->tensor_name(*original), kLongestName);
}

}  // namespace tideline::ui
