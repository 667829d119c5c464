#include "tests/toy/toy_rewriter.h"

#include <array>
#include <nlohmann/json.hpp>

#include "core/rewrite/common_parameters.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/size_options.h"

namespace tideline::toy {
namespace {

struct Options {
  int copies = 1;
  std::string style = "plain";
  bool loud = false;
  std::string cpu_device = "/cpu:0";
  std::optional<std::int64_t> batch_size = {};
};

constexpr std::array<Choice, 2> kStyles = {Choice{"plain", "plain copies"}, {"fancy", ""}};

constexpr std::array kTable = {
    bound<Options, &Options::copies>({.name = "copies",
                                      .title = "copies",
                                      .kind = ParameterKind::kInteger,
                                      .help = "How many tensors are copied",
                                      .expected = "an integer of at least 0",
                                      .type_name = "N",
                                      .usual_most = 20,
                                      .unit = "tensors",
                                      .is_always_in_plan = true,
                                      .python = {PythonName::Place::kArgument, "copies"}}),
    bound<Options, &Options::style>({.name = "style",
                                     .title = "style",
                                     .kind = ParameterKind::kChoice,
                                     .help = "How copies are called",
                                     .expected = "plain or fancy",
                                     .type_name = "NAME",
                                     .choices = kStyles}),
    bound<Options, &Options::loud>({.name = "loud",
                                    .title = "loud",
                                    .kind = ParameterKind::kSwitch,
                                    .help = "Log every copy",
                                    .expected = "on or off"}),
    cpu_device_parameter<Options>(),
};

}  // namespace
}  // namespace tideline::toy

template <>
std::span<const tideline::BoundParameter<tideline::toy::Options>>
tideline::bound_parameters<tideline::toy::Options>() {
  return tideline::toy::kTable;
}

namespace tideline::toy {
namespace {

class Report final : public PlanReport {
 public:
  explicit Report(std::vector<std::string> log) : log_(std::move(log)) {}

  [[nodiscard]] std::string_view kind() const override { return "toy"; }
  void add_json(const Graph&, const GraphPlan& plan, const PlanPrediction*,
                nlohmann::ordered_json& json) const override {
    json["copies"] = plan.added.size();
  }
  [[nodiscard]] std::span<const std::string> log() const override { return log_; }
  [[nodiscard]] std::vector<PlanCount> counts(const GraphPlan& plan) const override {
    return {{static_cast<std::int64_t>(plan.added.size()), "toy"}};
  }
  [[nodiscard]] std::string_view rule(TensorId tensor) const override {
    return tensor.slot == 0 ? "toys like it" : "";
  }
  [[nodiscard]] std::vector<std::string> why(const Graph& graph, const GraphPlan& plan,
                                             TensorId tensor) const override {
    for (const AddedOp& op : plan.added) {
      if (plan.inputs(op)[0] != tensor) continue;
      return {
          fmt::format("{} is copied by {}: {}", graph.tensor_name(tensor), op.name, rule(tensor))};
    }
    return {};
  }
  [[nodiscard]] std::vector<std::string> lines(const Graph& graph,
                                               const GraphPlan& plan) const override {
    return {fmt::format("copied {} tensors of {} ops", plan.added.size(), graph.op_count())};
  }
  [[nodiscard]] bool shows_result() const override { return true; }
  [[nodiscard]] StepParts parts(const Graph& graph, const GraphPlan& plan) const override {
    StepParts parts;
    parts.parts = {{"copies", fmt::format("{} of them", plan.added.size())}};
    parts.part_of.assign(graph.op_count(), -1);
    parts.part_of.resize(graph.op_count() + plan.added.size(), 0);
    return parts;
  }

 private:
  std::vector<std::string> log_;
};

class Work final : public PreparedRewrite {
 public:
  explicit Work(RewriteInput input) : input_(std::move(input)) {}

  Result<Outcome> plan(const Policy& policy, bool, Progress&) override {
    const auto options = options_of<Options>(policy.values);
    TIDELINE_TRY(const TensorTable tensors, TensorTable::build(*input_.graph, input_.sizes));
    Outcome outcome;
    outcome.used = policy;
    std::vector<std::string> log;
    for (const OpId op : input_.graph->ops()) {
      GraphPlan& edit = outcome.plan.edit;
      if (edit.added.size() == static_cast<std::size_t>(options.copies)) break;
      if (tensors.output_count(op) == 0 || is_reference(tensors.type({op, 0}))) continue;
      const std::string name = fmt::format("{}/copy_{}", options.style, edit.added.size());
      NewOp copy{name, "Identity", options.cpu_device, {{op, 0}}};
      copy.attributes = {{"T", AttrValue::of_type(tensors.type({op, 0}))}};
      edit.add_op(*input_.graph, copy);
      if (options.loud) log.push_back("copied " + input_.graph->tensor_name({op, 0}));
    }
    outcome.plan.report = std::make_shared<Report>(std::move(log));
    if (options.copies > 0) {
      outcome.plan.warnings.push_back(
          {"toy", "nobody needs these copies; {loud} names them", "loud", options.copies});
    }
    return outcome;
  }

 private:
  RewriteInput input_;
};

}  // namespace

const Rewriter& rewriter() {
  static const Rewriter kRewriter = {
      .id = "toy",
      .title = "Toy",
      .help = "Copy some tensors for nobody",
      .parameters = parameters_of<Options>(),
      .validate = [](const Values& values) -> Status {
        if (options_of<Options>(values).copies >= 0) return {};
        return fail(Code::kInvalidArgument, "{{copies}} is below 0; expected 0 or more");
      },
      .prepare = [](RewriteInput input) -> std::unique_ptr<PreparedRewrite> {
        return std::make_unique<Work>(std::move(input));
      },
      .describe = [](const Values& values,
                     bool) { return fmt::format("{} copies", options_of<Options>(values).copies); },
  };
  return kRewriter;
}

}  // namespace tideline::toy
