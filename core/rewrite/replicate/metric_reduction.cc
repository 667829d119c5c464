// Problem: a metric is a variable that every update adds to. Each tower has one of its own, but
// only the first tower's is asked for the value. Idea: when the updates of all towers are done,
// read the copies anew, add them to the variable of the first tower, and only then set them to zero
// for the next batch.
//   update, tower_1/update -> read tower_1/total -> total += . -> tower_1/total = 0
// A read that exists already will not do: nothing says that it happens after the update.
// Cost: five ops a variable and tower. Limits: variables that are not sums are refused
// (metric_variables.h). Source: what the reference does when it evaluates. Tested by
// unit/rewrite/replicate/metrics_test.cc and integration/replicate_test.py.
#include "core/rewrite/replicate/metric_reduction.h"

namespace tideline::replicate {
namespace {

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

}  // namespace

void add_metric_reduction(const Context& context, const Targets& targets, const Regions& regions,
                          TowerPlan& plan, ReplicateReport& report) {
  Reduction(context, targets, regions, plan).run(report);
}

}  // namespace tideline::replicate
