// Tested by the golden case sections and unit/rewrite/sections_test.cc.
#include "core/rewrite/sections/report_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/counted.h"

namespace tideline {
namespace {

using Json = nlohmann::ordered_json;

Json peak_json(const RunPeak& peak) {
  return {{"device_peak_bytes", peak.peak}, {"resident_bytes", peak.resident}};
}

Json names(const Graph& graph, const GraphPlan& edit, const std::vector<TensorId>& tensors) {
  Json list = Json::array();
  for (const TensorId tensor : tensors) list.push_back(edit.tensor_name(graph, tensor));
  return list;
}

Json fetches_json(const Graph& graph, const GraphPlan& edit, const SectionsReport& report) {
  Json list = Json::array();
  for (const ReferenceFetch& fetch : report.reference_fetches) {
    Json entry = {{"op", edit.name(graph, fetch.op)}, {"section", nullptr}};
    if (fetch.section >= 0) entry["section"] = fetch.section;
    entry["tensors_to_feed"] = names(graph, edit, fetch.feeds);
    entry["tensors_to_cache"] = Json::array();
    for (const auto& [section, tensor] : fetch.cache) {
      entry["tensors_to_cache"].push_back(
          {{"section", section}, {"tensor", edit.tensor_name(graph, tensor)}});
    }
    list.push_back(std::move(entry));
  }
  return list;
}

std::string peak_text(const RunPeak& peak) {
  return fmt::format(", peak {} besides what is resident", format_bytes(peak.transient()));
}

}  // namespace

void SectionsPlanReport::add_json(const Graph& graph, const GraphPlan& edit, const PlanPrediction*,
                                  Json& json) const {
  const SectionsReport& report = report_;
  if (!report.reference.empty()) {
    json["forward_cache"] = names(graph, edit, report.forward_cache);
    json["sections"] = Json::array();
    for (const ReferenceSection& section : report.reference) {
      json["sections"].push_back({{"index", section.index},
                                  {"train_op", edit.name(graph, section.train_op)},
                                  {"tensors_to_feed", names(graph, edit, section.feeds)},
                                  {"tensors_to_cache", names(graph, edit, section.cache)}});
    }
    if (!report.reference_fetches.empty()) json["fetches"] = fetches_json(graph, edit, report);
    return;
  }
  json["loss"] = edit.tensor_name(graph, report.loss);
  json["forward_cache"] = names(graph, edit, report.forward_cache);
  json["phases"] = Json::array();
  for (const SectionPhase& phase : report.phases) {
    Json entry = {{"section", phase.section}, {"label", phase.label}};
    entry["train_op"] = edit.name(graph, phase.train_op);
    entry["feeds"] = Json::object();
    for (const auto& [placeholder, tensor] : phase.feeds) {
      entry["feeds"][std::string(edit.name(graph, placeholder))] = edit.tensor_name(graph, tensor);
    }
    entry["cache"] = Json::object();
    for (const auto& [fetched, tensor] : phase.cache) {
      entry["cache"][edit.tensor_name(graph, fetched)] = edit.tensor_name(graph, tensor);
    }
    entry["targets"] = Json::array();
    for (const OpId op : phase.targets) entry["targets"].push_back(edit.name(graph, op));
    entry["copies"] = phase.copies;
    if (phase.peak) entry["predicted"] = peak_json(*phase.peak);
    json["phases"].push_back(std::move(entry));
  }
  if (report.plain && report.forward) {
    json["predicted"] = {{"model", "faithful"},
                         {"plain", peak_json(*report.plain)},
                         {"forward", peak_json(*report.forward)},
                         {"kept_bytes", report.kept_bytes}};
  }
}

std::vector<std::string> SectionsPlanReport::lines(const Graph&, const GraphPlan&) const {
  std::vector<std::string> lines;
  for (const ReferenceSection& section : report_.reference) {
    lines.push_back(fmt::format("section {}: the reference feeds {} and caches {}", section.index,
                                counted(section.feeds.size(), "tensor"), section.cache.size()));
  }
  if (!report_.reference.empty()) {
    lines.emplace_back("these are sets to compare with; the graph itself is not changed");
    return lines;
  }
  lines.push_back(fmt::format("the forward run keeps {}{}",
                              counted(report_.forward_cache.size(), "tensor"),
                              report_.forward ? peak_text(*report_.forward) : ""));
  Bytes largest = report_.forward ? report_.forward->transient() : 0;
  for (const SectionPhase& phase : report_.phases) {
    lines.push_back(fmt::format(
        "section {} ({}): {}, fed {}, keeps {}, runs {}{}", phase.section, phase.label,
        counted(phase.copies, "op"), counted(phase.feeds.size(), "tensor"), phase.cache.size(),
        counted(phase.targets.size(), "update"), phase.peak ? peak_text(*phase.peak) : ""));
    if (phase.peak) largest = std::max(largest, phase.peak->transient());
  }
  if (report_.plain) {
    const Bytes plain = report_.plain->transient();
    lines.push_back(fmt::format(
        "largest peak of a run {} besides {} resident, {:.2f} times the {} of the whole step; the "
        "host keeps at most {}",
        format_bytes(largest), format_bytes(report_.plain->resident),
        plain > 0 ? static_cast<double>(largest) / static_cast<double>(plain) : 1.0,
        format_bytes(plain), format_bytes(report_.kept_bytes)));
  }
  return lines;
}

std::optional<Cycle> SectionsPlanReport::cycle(const Graph& graph, const GraphPlan& edit) const {
  if (!report_.reference.empty()) return std::nullopt;
  const auto name = [&](TensorId tensor) { return edit.tensor_name(graph, tensor); };
  Cycle cycle;
  cycle.loss = name(report_.loss);
  CycleRun& forward = cycle.runs.emplace_back();
  forward.name = "forward";
  for (const TensorId tensor : report_.forward_cache) {
    forward.keeps.emplace_back(name(tensor), name(tensor));
  }
  for (const SectionPhase& phase : report_.phases) {
    CycleRun& run = cycle.runs.emplace_back();
    run.name = fmt::format("section {}", phase.section);
    run.target = edit.name(graph, phase.train_op);
    for (const auto& [placeholder, tensor] : phase.feeds) {
      run.feeds.emplace_back(edit.name(graph, placeholder), name(tensor));
    }
    for (const auto& [fetched, tensor] : phase.cache) {
      run.keeps.emplace_back(name(fetched), name(tensor));
    }
    std::sort(run.feeds.begin(), run.feeds.end());
    std::sort(run.keeps.begin(), run.keeps.end());
  }
  for (const AddedOp& op : edit.added) {
    if (op.copy_of.valid()) cycle.copies.emplace_back(graph.name(op.copy_of), op.name);
  }
  return cycle;
}

StepParts SectionsPlanReport::parts(const Graph& graph, const GraphPlan& edit) const {
  constexpr std::int32_t kNone = -1, kSeveral = -2;
  StepParts parts;
  parts.parts.resize(report_.phases.size());
  parts.part_of.assign(graph.op_count(), kNone);
  // What a run adds ends with the op that runs its targets.
  std::uint32_t id = graph.op_count();
  for (const SectionPhase& phase : report_.phases) {
    StepPart& part = parts.parts[static_cast<std::size_t>(phase.section)];
    part.label = fmt::format("section {}", phase.section);
    if (phase.peak) {
      part.note = fmt::format("peak {} besides resident", format_bytes(phase.peak->transient()));
    }
    for (; id <= phase.train_op.value; ++id) {
      const OpId original = edit.at(graph, OpId{id}).copy_of;
      if (!original.valid()) continue;
      std::int32_t& mark = parts.part_of[original.index()];
      mark = mark == kNone || mark == phase.section ? phase.section : kSeveral;
    }
  }
  std::replace(parts.part_of.begin(), parts.part_of.end(), kSeveral, kNone);
  return parts;
}

}  // namespace tideline
