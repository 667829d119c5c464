// The legend of the memory view. Tested by tests/unit/view/memory_view_test.cc.
#include <algorithm>

#include "core/base/text.h"
#include "render/view/measured_curve.h"
#include "render/view/memory_frame.h"

namespace tideline::render {
namespace {

constexpr std::size_t kMostLegendLetters = 36;

std::string short_name(std::string_view name) {
  const std::string text = printable(name, 400);
  if (text.size() <= kMostLegendLetters) return text;
  return ".." + text.substr(text.size() - kMostLegendLetters);
}

bool has_kind(const MemoryLayout& memory, std::size_t kind) {
  return std::any_of(memory.kinds.begin(), memory.kinds.end(),
                     [&](const auto& kinds) { return kinds[kind] > 0; });
}

// Of two graphs beside each other.
std::vector<LegendEntry> entries_of_sides(const MemoryLook& look) {
  const MemoryLayout& memory = *look.memory;
  const MemorySides& sides = *look.sides;
  const auto with_peak = [](const std::string& title, Bytes peak) {
    return short_name(title) + ", peak " + format_bytes(peak);
  };
  std::vector<LegendEntry> entries = {
      {LegendEntry::Mark::kPatch, memory.has_after ? look.palette->original : look.palette->device,
       with_peak(sides.before, memory.before_peak)}};
  if (memory.has_after) {
    entries.push_back({LegendEntry::Mark::kPatch, look.palette->device,
                       with_peak(sides.after, memory.after_peak)});
  }
  if (!sides.missing.empty()) entries.push_back({LegendEntry::Mark::kText, {}, sides.missing});
  entries.push_back({LegendEntry::Mark::kText, {}, sides.axis});
  return entries;
}

}  // namespace

std::vector<LegendEntry> legend_entries(const MemoryFrame& frame) {
  const MemoryLook& look = frame.look;
  const MemoryLayout& memory = *look.memory;
  if (look.sides != nullptr) return entries_of_sides(look);
  const Palette& colors = *look.palette;
  std::vector<LegendEntry> entries;
  const auto entry = [&](Color color, std::string text) {
    entries.push_back({LegendEntry::Mark::kPatch, color, std::move(text)});
  };
  const bool is_time = memory.axis == MemoryAxis::kMeasuredTime;
  const bool shows_original = look.show_original || !memory.has_after;
  const std::string_view device =
      look.scene->devices.empty() ? std::string_view() : look.scene->devices[memory.device].device;
  const std::string name = device.empty() ? "device" : short_name(device);
  entry(colors.device, is_time ? name + ", the model on the same executions"
                       : !memory.runs.empty()
                           ? name + ", the runs of the cycle one after the other"
                           : name + (memory.has_after ? " with the policy" : ""));
  const bool is_clock = memory.axis == MemoryAxis::kTime;
  if (memory.has_after && look.show_original) {
    entry(colors.original, is_clock ? "without the policy, at the same ops" : "without the policy");
  }
  if (frame.shows_host()) entry(colors.host, is_clock ? "host, as if copied at once" : "host");
  if (!memory.measured.empty()) {
    const std::string file = measured_name(*look.scene->measured);
    entry(colors.measured, file.empty() ? "measured" : "measured (" + short_name(file) + ")");
  }
  if (look.scene->device_budget > 0 && shows_original &&
      memory.before_peak > look.scene->device_budget) {
    entry(colors.budget.with_alpha(0.4), "does not fit");
  }
  if (!look.show_bands || memory.kinds.empty()) {
    if (memory.resident > 0) {
      entry(colors.resident, "resident " + format_bytes(memory.resident));
    }
    return entries;
  }
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) {
    if (!has_kind(memory, kind)) continue;
    std::string text(memory_kind_name(static_cast<MemoryKind>(kind)));
    std::replace(text.begin(), text.end(), '_', ' ');
    entry(colors.kinds[kind], text);
  }
  return entries;
}

}  // namespace tideline::render
