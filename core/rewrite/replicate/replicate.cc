// Builds the edit: splits, copies of the towers, aggregation, devices. The essay is in regions.cc
// and cuts.cc. Tested by unit/rewrite/replicate/towers_test.cc and integration/replicate_test.py.
#include "core/rewrite/replicate/replicate.h"

#include <algorithm>

#include "core/graph/device_name.h"
#include "core/rewrite/replicate/context.h"
#include "core/rewrite/replicate/reference_gate.h"
#include "core/rewrite/replicate/regions.h"
#include "core/rewrite/replicate/report.h"
#include "core/rewrite/replicate/targets.h"
#include "core/rewrite/replicate/tower_plan.h"

namespace tideline::replicate {
namespace {

// Adds the values of the towers' metric variables to the variables of the first tower.
// Problem: a metric is a variable that every update adds to. Each tower has one of its own, but
// only the first tower's is asked for the value. Idea: when the updates of all towers are done,
// read the copies anew, add them to the variable of the first tower, and only then set them to zero
// for the next batch.
//   update, tower_1/update -> read tower_1/total -> total += . -> tower_1/total = 0
// A read that exists already will not do: nothing says that it happens after the update.
// Cost: five ops a variable and tower. Limits: variables that are not sums are refused
// (metric_variables.h). Source: what the reference does when it evaluates. Tested by
// unit/rewrite/replicate/metrics_test.cc and integration/replicate_test.py.

class Reduction {
 public:
  Reduction(const Context& context, const Targets& targets, const Regions& regions, TowerPlan& plan)
      : context_(context), targets_(targets), regions_(regions), plan_(plan) {}

  void run(ReplicateReport& report) {
    for (std::size_t tower = 0; tower < plan_.towers(); ++tower) {
      for (const Metric& metric : targets_.metrics) {
        updates_.push_back(plan_.copy_of(metric.update, tower));
      }
    }
    if (plan_.towers() == 1) {
      report.metric_update =
          plan_.name(plan_.add({"NoOp", "reduce_metrics/update", "", {}, updates_}));
      return;
    }
    for (const MetricVariable& metric : regions_.metrics) reduce(metric.variable);
    // A metric without a variable of its own is just updated.
    if (cleared_.empty()) cleared_ = updates_;
    report.metric_update =
        plan_.name(plan_.add({"NoOp", "reduce_metrics/update", "", {}, cleared_}));
    if (!regions_.metrics.empty()) report.init_ops = {add_initializer()};
  }

 private:
  void reduce(OpId variable) {
    const std::string device = plan_.devices().of(variable, 0);
    const std::string scope = "reduce_metrics/" + plan_.name(variable);
    const bool is_resource = context_.tensors.type({variable, 0}) == DataType::kResource;
    const AttrValue type = AttrValue::of_type(type_of(variable, is_resource));
    const std::string key = is_resource ? "dtype" : "T";
    std::vector<TensorId> reads;
    for (std::size_t tower = 1; tower < plan_.towers(); ++tower) {
      const TensorId copy{plan_.copy_of(variable, tower), 0};
      reads.push_back({plan_.add({is_resource ? "ReadVariableOp" : "Identity",
                                  fmt::format("{}/read_{}", scope, tower),
                                  device,
                                  {copy},
                                  updates_,
                                  {{key, type}}}),
                       0});
    }
    TensorId sum = reads.front();
    if (reads.size() > 1) {
      const AttrValue count = AttrValue::of_int(static_cast<std::int64_t>(reads.size()));
      sum = {plan_.add({"AddN", scope + "/AddN", device, reads, {}, {{"N", count}, {"T", type}}}),
             0};
    }
    const OpId add = plan_.add({is_resource ? "AssignAddVariableOp" : "AssignAdd",
                                scope + "/AssignAdd",
                                device,
                                {{variable, 0}, sum},
                                updates_,
                                {{key, type}}});
    for (std::size_t tower = 1; tower < plan_.towers(); ++tower) {
      const OpId zeros = plan_.add({"ZerosLike",
                                    fmt::format("{}/zeros_{}", scope, tower),
                                    device,
                                    {reads[tower - 1]},
                                    {add},
                                    {{"T", type}}});
      cleared_.push_back(plan_.add({is_resource ? "AssignVariableOp" : "Assign",
                                    fmt::format("{}/Assign_{}", scope, tower),
                                    device,
                                    {{plan_.copy_of(variable, tower), 0}, {zeros, 0}},
                                    {add},
                                    {{key, type}}}));
    }
  }

  [[nodiscard]] DataType type_of(OpId variable, bool is_resource) const {
    if (!is_resource) return base_type(context_.tensors.type({variable, 0}));
    const auto type = context_.graph.attribute(variable, "dtype");
    return type && *type ? (*type)->type : DataType::kFloat;
  }

  // The graph's initializers and its collections of variables know only the first tower's
  // variables. Each of its initializers therefore runs the initializers of the copies, too.
  std::string add_initializer() {
    std::vector<OpId> all;
    for (const MetricVariable& metric : regions_.metrics) {
      for (const OpId initializer : metric.initializers) {
        for (std::size_t tower = 1; tower < plan_.towers(); ++tower) {
          const OpId copy = plan_.copy_of(initializer, tower);
          all.push_back(copy);
          plan_.plan().control.push_back({initializer, copy});
        }
      }
    }
    return plan_.name(plan_.add({"NoOp", "reduce_metrics/init", "", {}, all}));
  }

  const Context& context_;
  const Targets& targets_;
  const Regions& regions_;
  TowerPlan& plan_;
  std::vector<OpId> updates_;  // of all towers
  std::vector<OpId> cleared_;  // the last ops
};

// Adds the op that updates all metrics, and the one that initializes the copies of their
// variables. Precondition: the towers are added, and there are metrics.
void add_metric_reduction(const Context& context, const Targets& targets, const Regions& regions,
                          TowerPlan& plan, ReplicateReport& report) {
  Reduction(context, targets, regions, plan).run(report);
}

class TowerBuilder {
 public:
  TowerBuilder(const Context& context, const Targets& targets, const Regions& regions,
               const ReplicateOptions& options)
      : context_(context),
        graph_(context.graph),
        targets_(targets),
        regions_(regions),
        options_(options),
        plan_(context, regions, options) {}

  Result<ReplicatePlan> run(Progress& progress) {
    TIDELINE_RETURN_IF_ERROR(plan_.add_towers(targets_, options_, progress));
    report_towers();
    place();
    for (const Cut& cut : regions_.update.cuts) TIDELINE_RETURN_IF_ERROR(aggregate(cut));
    wait_for_all();
    TIDELINE_RETURN_IF_ERROR(add_loss());
    gate_references(context_, regions_, combined_, plan_);
    TIDELINE_RETURN_IF_ERROR(add_predictions());
    if (!targets_.metrics.empty()) {
      for (const Metric& metric : targets_.metrics) {
        report_.metric_values[metric.name] = plan_.name(metric.value);
      }
      add_metric_reduction(context_, targets_, regions_, plan_, report_);
    }
    return ReplicatePlan{std::move(plan_.plan()), std::move(report_)};
  }

 private:
  void report_towers() {
    if (targets_.train_op.valid()) report_.train_op = plan_.name(targets_.train_op);
    report_.parameter_device = plan_.devices().parameters();
    report_.variable_devices = plan_.devices().of_variables();
    for (std::size_t tower = 0; tower < plan_.towers(); ++tower) {
      Tower& made = report_.towers.emplace_back();
      made.device = plan_.devices().tower(tower);
      made.prefix = plan_.prefix(tower);
      plan_.devices().count(tower, made);
    }
    for (const TowerPlan::Split& split : plan_.splits()) {
      std::vector<std::string> parts;
      for (std::size_t tower = 0; tower < plan_.towers(); ++tower) {
        parts.push_back(plan_.name(split.part(tower)));
      }
      report_.split.emplace_back(graph_.tensor_name(split.tensor), std::move(parts));
    }
    report_.replicated_ops = static_cast<std::int64_t>(regions_.replicated.size());
    for (const OpId op : graph_.ops()) {
      if (regions_.update.is_update[op.index()] && !regions_.has_copies(op)) ++report_.update_ops;
    }
    report_.notices = regions_.notices;
    note_shared_device();
    note_kept_devices();
  }

  // A tower that a graph keeps from its device shares another's.
  void note_kept_devices() {
    for (const Tower& tower : report_.towers) {
      std::int64_t kept = 0;
      for (const auto& [device, ops] : tower.kept) kept += ops;
      if (kept <= tower.ops_on_device) continue;
      report_.notices.push_back(fmt::format(
          "{{devices}}: the graph names a device for {} of the {} ops of {}, so they are not on "
          "{}; expected a graph without devices, whose towers run where {{devices}} says",
          kept, report_.replicated_ops,
          tower.prefix.empty() ? "the first tower" : tower.prefix + "...", tower.device));
      return;
    }
  }

  // Two names of one device, "/cpu:0" and "/device:CPU:0", are the same.
  void note_shared_device() {
    const auto name = [this](std::size_t tower) {
      return device_text(parse_device(plan_.devices().tower(tower)).value_or(DeviceName{}));
    };
    for (std::size_t second = 1; second < plan_.towers(); ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        if (name(first) != name(second)) continue;
        report_.notices.push_back(fmt::format(
            "{{devices}}: the towers {} and {} share the device {}; they run one after the "
            "other on it, and its memory holds both",
            first, second, name(first)));
        return;
      }
    }
  }

  void place() {
    for (const OpId op : graph_.ops()) {
      const std::string device = plan_.devices().of(op, 0);
      if (device != graph_.device(op)) plan_.plan().set_device(op, device);
    }
  }

  Status aggregate(const Cut& cut) {
    const bool moves_average = cut.kind == CutKind::kMean;
    if (moves_average && plan_.towers() == 1) return {};
    const bool is_concat = cut.kind == CutKind::kRows || cut.kind == CutKind::kIndices;
    const bool is_mean = moves_average || (options_.average && cut.kind != CutKind::kIndices);
    TowerPlan::Combined combined{cut.tensor, cut.kind, "gradient_aggregating/AddN", {}, is_mean};
    if (is_concat) combined.wanted = "gradient_aggregating/concat";
    if (is_mean && !is_concat) combined.wanted = "gradient_aggregating/mean";
    if (moves_average) combined.wanted = "moving_averages/mean";
    combined.device = cut.variables.empty() ? plan_.devices().parameters()
                                            : plan_.devices().of(cut.variables.front(), 0);
    TIDELINE_TRY(const TensorId result, plan_.combine(combined));
    if (!moves_average) combined_.emplace_back(cut.tensor, result);
    for (const CutUse& use : cut.uses) {
      plan_.plan().rerouted.push_back({use.reader, use.slot, cut.tensor, result});
    }
    const std::string name = plan_.name(result);
    if (moves_average) {
      const VariableUse* variable = context_.written_by(cut.uses.front().reader);
      report_.moving_averages[std::string(graph_.name(variable->variable))] = name;
    }
    auto& reported =
        cut.kind == CutKind::kIndices ? report_.aggregated_indices : report_.aggregated;
    for (const OpId variable : cut.variables) {
      reported[std::string(graph_.name(variable))] = name;
    }
    return {};
  }

  // What the update waits for in the first tower, it waits for in all of them.
  void wait_for_all() {
    for (const OpId op : graph_.ops()) {
      if (!regions_.update.is_update[op.index()] || regions_.has_copies(op)) continue;
      for (const OpId input : graph_.control_inputs(op)) {
        if (!regions_.has_copies(input)) continue;
        for (std::size_t tower = 1; tower < plan_.towers(); ++tower) {
          plan_.plan().control.push_back({op, plan_.copy_of(input, tower)});
        }
      }
    }
  }

  Status add_loss() {
    if (!targets_.loss) return {};
    TIDELINE_TRY(const TensorId loss,
                 plan_.combine({*targets_.loss, CutKind::kSum, "loss", plan_.devices().parameters(),
                                options_.average}));
    combined_.emplace_back(*targets_.loss, loss);
    report_.loss = plan_.name(loss);
    return {};
  }

  // A key may hold any characters, the name of an op only some.
  static std::string op_name_of(const std::string& key) {
    std::string name = key;
    std::replace_if(
        name.begin(), name.end(),
        [](char c) {
          const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
          const bool is_digit = c >= '0' && c <= '9';
          return !is_letter && !is_digit && c != '_' && c != '/' && c != '.' && c != '-';
        },
        '_');
    const char first = name.front();
    if (first == '_' || first == '-' || first == '/') name.insert(0, "prediction");
    return name;
  }

  Status add_predictions() {
    for (const Prediction& one : targets_.predictions) {
      if (!regions_.marks.of_batch[one.tensor.op.index()]) {
        report_.predictions[one.key] = plan_.name(one.tensor);
        continue;
      }
      TIDELINE_TRY(const TensorId all,
                   plan_.combine({one.tensor, CutKind::kRows, op_name_of(one.key),
                                  plan_.devices().parameters(), false}));
      report_.predictions[one.key] = plan_.name(all);
    }
    return {};
  }

  const Context& context_;
  const Graph& graph_;
  const Targets& targets_;
  const Regions& regions_;
  const ReplicateOptions& options_;
  std::vector<CombinedTensor> combined_;  // gradients and the loss
  TowerPlan plan_;
  ReplicateReport report_;
};

}  // namespace
}  // namespace tideline::replicate

namespace tideline {

Result<ReplicatePlan> plan_replicate(const GraphFacts& facts, const Collections& collections,
                                     const ReplicateOptions& options, Progress& progress) {
  using namespace replicate;
  TIDELINE_RETURN_IF_ERROR(validate(options));
  TIDELINE_TRY(const Targets targets, find_targets(facts.graph(), options));
  TIDELINE_TRY(const auto context, Context::make(facts, collections));
  TIDELINE_TRY(const Regions regions, find_regions(*context, targets, options));
  return TowerBuilder(*context, targets, regions, options).run(progress);
}

}  // namespace tideline
