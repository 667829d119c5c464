#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "app/cli/run_metadata.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/memory/measured/measured_peaks.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kPercent = 100;

std::string_view name_of(const MeasuredRun& run, std::uint32_t execution) {
  return run.trace.ops[run.step().executions[execution].row].name;
}

std::string tensor_of(const MeasuredRun& run, const MemoryDifference& difference) {
  const std::string_view op = name_of(run, difference.execution);
  return difference.slot < 0 ? std::string(op) : fmt::format("{}:{}", op, difference.slot);
}

std::int64_t ops_of(const MeasuredStep& step) {
  std::set<OpId> ops;
  for (const MeasuredExecution& execution : step.executions) {
    if (execution.op.valid()) ops.insert(execution.op);
  }
  return static_cast<std::int64_t>(ops.size());
}

std::int64_t timed_ops(const MeasuredRun& run) {
  return std::count_if(run.sizes.op_ns.begin(), run.sizes.op_ns.end(),
                       [](std::int64_t ns) { return ns >= 0; });
}

void print_differences(const MeasuredRun& run, const std::vector<MemoryDifference>& differences) {
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < std::min(kShown, differences.size()); ++i) {
    const MemoryDifference& difference = differences[i];
    say("      {}: {} in the run, {} in the model: {}\n",
        printable(tensor_of(run, difference), 200), format_bytes(difference.measured),
        format_bytes(difference.model), difference_reason_text(difference.reason));
  }
  if (differences.size() > kShown) {
    say("      ... and {} more (--json lists all)\n", differences.size() - kShown);
  }
}

Json differences_json(const MeasuredRun& run, const std::vector<MemoryDifference>& differences) {
  Json json = Json::array();
  for (const MemoryDifference& difference : differences) {
    json.push_back({{"op", name_of(run, difference.execution)},
                    {"slot", difference.slot < 0 ? Json() : Json(difference.slot)},
                    {"execution", difference.execution},
                    {"measured_bytes", difference.measured},
                    {"model_bytes", difference.model},
                    {"why", difference_reason_text(difference.reason)}});
  }
  return json;
}

std::string of_step(Bytes bytes) {
  return format_bytes(bytes) + " of the step";
}

// Peaks of a traced step with what is resident by the simulated one.
class Peaks {
 public:
  explicit Peaks(const MemoryTimeline& simulated) {
    if (simulated.model == "faithful") resident_ = simulated.resident_bytes;
  }

  [[nodiscard]] bool is_faithful() const { return resident_.has_value(); }
  [[nodiscard]] const std::optional<Bytes>& resident() const { return resident_; }
  [[nodiscard]] std::string title() const {
    return resident_ ? ", with what is resident by the model, because traces do not record it"
                     : ", without memory allocated before the step";
  }
  [[nodiscard]] std::string text(Bytes bytes) const {
    return resident_ ? peak_text({*resident_, bytes}) : of_step(bytes);
  }
  [[nodiscard]] Json with_resident(Bytes bytes) const {
    return resident_ ? Json(PeakParts{*resident_, bytes}.total()) : Json();
  }

 private:
  std::optional<Bytes> resident_;
};

void print_comparison(const MeasuredRun& run, const MemoryTimeline& simulated, const Peaks& peaks) {
  const MeasuredStep& step = run.step();
  const MeasuredComparison& compared = run.comparison();
  if (peaks.is_faithful()) {
    say("    the model's step, with all ops that it needs, in the model's order: peak {}\n",
        peak_text(peak_parts(simulated)));
  }
  say("    the model on the same executions: {} there, the step off by {:.2f} %\n",
      peaks.text(compared.model_at_peak), deviation(compared.model_at_peak, step.peak) * kPercent);
  print_differences(run, compared.at_peak);
  if (compared.model_with_scratch_at_peak != compared.model_at_peak) {
    say("    with the measured scratch memory of ops: {} there, the step off by {:.2f} %\n",
        peaks.text(compared.model_with_scratch_at_peak),
        deviation(compared.model_with_scratch_at_peak, step.peak) * kPercent);
  }
  say("    in the model's own order: peak {}, the step off by {:.2f} %\n",
      peaks.text(compared.own_order_peak),
      deviation(compared.own_order_peak, step.peak) * kPercent);
  const Bytes measured = step.live[compared.largest_at];
  const Bytes model = compared.model[compared.largest_at];
  say("    largest deviation of the step: {} in {} ({} in the run, {} in the model)\n",
      format_bytes(std::abs(measured - model)), printable(name_of(run, compared.largest_at), 200),
      format_bytes(measured), format_bytes(model));
  print_differences(run, compared.at_largest);
}

Json comparison_json(const MeasuredRun& run, const Peaks& peaks) {
  const MeasuredStep& step = run.step();
  const MeasuredComparison& compared = run.comparison();
  Json json;
  json["peak_bytes"] = step.peak;
  json["resident_bytes"] = peaks.resident() ? Json(*peaks.resident()) : Json();
  json["peak_with_resident_bytes"] = peaks.with_resident(step.peak);
  json["peak_op"] = name_of(run, step.peak_execution);
  json["model_at_peak_bytes"] = compared.model_at_peak;
  json["model_at_peak_with_resident_bytes"] = peaks.with_resident(compared.model_at_peak);
  json["deviation_at_peak"] = deviation(compared.model_at_peak, step.peak);
  json["model_with_scratch_at_peak_bytes"] = compared.model_with_scratch_at_peak;
  json["deviation_with_scratch_at_peak"] =
      deviation(compared.model_with_scratch_at_peak, step.peak);
  json["model_peak_bytes"] = compared.model_peak;
  json["own_order_peak_bytes"] = compared.own_order_peak;
  json["own_order_deviation"] = deviation(compared.own_order_peak, step.peak);
  json["differences"] = differences_json(run, compared.at_peak);
  json["largest_deviation"] = {{"op", name_of(run, compared.largest_at)},
                               {"execution", compared.largest_at},
                               {"measured_bytes", step.live[compared.largest_at]},
                               {"model_bytes", compared.model[compared.largest_at]},
                               {"differences", differences_json(run, compared.at_largest)}};
  return json;
}

}  // namespace

void print_run_text(const MeasuredRun& run, const MemoryTimeline& simulated) {
  const MeasuredStep& step = run.step();
  const Peaks peaks(simulated);
  say("  measured{}{}{}:\n", run.place.empty() ? "" : ": ", run.place,
      step.has_memory() ? peaks.title() : "");
  for (const MeasuredStep& device : run.devices) {
    // What is resident is known of the device that was simulated.
    const bool is_simulated = &device == &step;
    say("    {}: {} executions of {} ops, ", printable(device.device, 200),
        device.executions.size(), ops_of(device));
    if (!device.has_memory()) {
      say("without memory\n");
      continue;
    }
    say("peak {} in {}\n", is_simulated ? peaks.text(device.peak) : of_step(device.peak),
        printable(run.trace.ops[device.executions[device.peak_execution].row].name, 200));
  }
  if (step.has_memory()) print_comparison(run, simulated, peaks);
  say("    measured sizes of {} tensors, times of {} ops\n", run.sizes.sizes.size(),
      timed_ops(run));
  for (const Diagnostic& entry : run.diagnostics.entries()) {
    say("    {}: {} x {}, first: {}\n", severity_name(entry.severity), entry.count, entry.kind,
        printable(entry.example, 200));
  }
}

nlohmann::ordered_json run_json(const MeasuredRun& run, const MemoryTimeline& simulated) {
  const MeasuredStep& step = run.step();
  Json json = {{"place", run.place}, {"device", step.device}};
  json["executions"] = step.executions.size();
  json["ops"] = ops_of(step);
  const Peaks peaks(simulated);
  // Without memory in the trace there is nothing to compare: null.
  const Json compared = comparison_json(run, peaks);
  for (const auto& [key, value] : compared.items()) {
    json[key] = step.has_memory() ? value : Json();
  }
  json["measured_tensors"] = run.sizes.sizes.size();
  json["timed_ops"] = timed_ops(run);
  json["devices"] = Json::array();
  for (const MeasuredStep& device : run.devices) {
    json["devices"].push_back({{"device", device.device},
                               {"executions", device.executions.size()},
                               {"peak_bytes", device.has_memory() ? Json(device.peak) : Json()}});
  }
  json["levels"] = Json::array();
  for (const LevelBytes& level : run.levels) {
    json["levels"].push_back(
        {{"level", level.level}, {"measured_bytes", level.measured}, {"model_bytes", level.model}});
  }
  json["diagnostics"] = Json::array();
  for (const Diagnostic& entry : run.diagnostics.entries()) {
    json["diagnostics"].push_back({{"severity", severity_name(entry.severity)},
                                   {"kind", entry.kind},
                                   {"count", entry.count},
                                   {"example", entry.example}});
  }
  return json;
}

void print_run_csv(const Graph& graph, const MeasuredRun& run) {
  const MeasuredStep& step = run.step();
  const LevelMap levels = complete_levels(graph);
  say("execution,start_ns,duration_ns,op,level,measured_bytes,model_bytes\n");
  for (std::uint32_t i = 0; i < step.executions.size(); ++i) {
    const MeasuredExecution& execution = step.executions[i];
    const std::string level =
        execution.op.valid() ? std::to_string(levels.level(execution.op)) : std::string();
    say("{},{},{},{},{},{},{}\n", i, execution.start_ns - step.executions.front().start_ns,
        execution.duration_ns, csv_field(name_of(run, i)), level,
        step.has_memory() ? std::to_string(step.live[i]) : "", run.comparison().model[i]);
  }
}

}  // namespace tideline::cli
