// Tested by unit/rewrite/sections_test.cc.
#include "core/rewrite/sections/emit.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/rewrite/sections/phase_control.h"
#include "core/rewrite/unique_names.h"

namespace tideline::sections {
namespace {

class Emitter {
 public:
  Emitter(const StepFacts& facts, const VariableUses& uses, Cut& cut)
      : facts_(facts), graph_(facts.graph()), uses_(uses), cut_(cut), names_(graph_) {}

  Result<EmittedSections> run(const std::vector<std::string>& labels) {
    SectionsReport& report = result_.report;
    result_.control.resize(cut_.phases.size());
    report.loss = facts_.roots().loss;
    report.forward_cache = by_name(cut_.forward_cache);
    for (std::size_t k = cut_.phases.size(); k-- > 0;) {
      TIDELINE_RETURN_IF_ERROR(add_phase(static_cast<int>(k)));
      if (k < labels.size()) report.phases.back().label = labels[k];
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] OpId next_id() const {
    return OpId{graph_.op_count() + static_cast<std::uint32_t>(result_.edit.added.size())};
  }
  [[nodiscard]] std::vector<TensorId> by_name(std::vector<TensorId> tensors) const {
    std::sort(tensors.begin(), tensors.end(), [&](TensorId a, TensorId b) {
      return std::pair(graph_.name(a.op), a.slot) < std::pair(graph_.name(b.op), b.slot);
    });
    return tensors;
  }

  OpId add_placeholder(const std::string& wanted, TensorId fed) {
    const TensorTable& tensors = facts_.tensors();
    const std::string name = names_.make(wanted);
    NewOp op{name, "Placeholder", graph_.device(fed.op)};
    op.attributes = {{"dtype", AttrValue::of_type(base_type(tensors.type(fed)))},
                     {"shape", AttrValue::of_shape(tensors.shape(fed))},
                     {"_output_shapes", AttrValue::of_shapes({tensors.shape(fed)})}};
    return result_.edit.add_op(graph_, op);
  }

  Status add_phase(int k) {
    PhaseCut& phase = cut_.phases[static_cast<std::size_t>(k)];
    TIDELINE_TRY(auto& control = result_.control[static_cast<std::size_t>(k)],
                 order_phase(facts_, uses_, phase));
    const std::string prefix = fmt::format("phase_{}/", k);
    SectionPhase about;
    about.section = k;
    about.copies = phase.ops.size();
    std::vector<OpId> placeholders(phase.feeds.size());  // by feed
    for (const TensorId fed : by_name(phase.feeds)) {
      const OpId op = add_placeholder(fmt::format("{}feed_{}", prefix, about.feeds.size()), fed);
      about.feeds.emplace_back(op, fed);
      const auto at = std::lower_bound(phase.feeds.begin(), phase.feeds.end(), fed);
      placeholders[static_cast<std::size_t>(at - phase.feeds.begin())] = op;
    }
    copy_of_.assign(graph_.op_count(), OpId{});
    std::uint32_t next = next_id().value;
    for (const OpId op : phase.ops) copy_of_[op.index()] = OpId{next++};
    auto edge = control.begin();
    for (const OpId op : phase.ops) {
      CopiedOp copy;
      copy.of = op;
      copy.device = graph_.device(op);
      const std::string name = names_.make(prefix + std::string(graph_.name(op)));
      copy.name = name;
      const auto inputs = graph_.inputs(op);
      for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
        copy.inputs.push_back(input_of(phase, placeholders, op, slot));
      }
      for (; edge != control.end() && edge->op == op; ++edge) {
        copy.control_inputs.push_back(in_phase(edge->after));
      }
      const OpId added = result_.edit.add_copy(graph_, copy);
      if (facts_.kind(op) == OpKind::kEnter)
        TIDELINE_RETURN_IF_ERROR(rename_frame(added, op, prefix));
    }
    add_train_op(phase, prefix, about);
    for (const TensorId tensor : by_name(phase.delivered)) {
      about.cache.emplace_back(TensorId{in_phase(tensor.op), tensor.slot}, tensor);
    }
    result_.report.phases.push_back(std::move(about));
    return {};
  }

  // The copy of an op in this run; ops that are not copied are shared.
  [[nodiscard]] OpId in_phase(OpId op) const {
    return copy_of_[op.index()].valid() ? copy_of_[op.index()] : op;
  }
  [[nodiscard]] TensorId input_of(const PhaseCut& phase, const std::vector<OpId>& placeholders,
                                  OpId op, std::uint32_t slot) const {
    const TensorId input = graph_.inputs(op)[slot];
    if (!phase.is_fed(facts_, op, slot)) return {in_phase(input.op), input.slot};
    const auto at = std::lower_bound(phase.feeds.begin(), phase.feeds.end(), input);
    return {placeholders[static_cast<std::size_t>(at - phase.feeds.begin())], 0};
  }

  // Loops of different runs have different names.
  Status rename_frame(OpId copy, OpId op, const std::string& prefix) {
    TIDELINE_TRY(auto frame, graph_.attribute(op, "frame_name"));
    if (!frame || frame->kind != AttrValue::Kind::kString) return {};
    frame->string = prefix + frame->string;
    result_.edit.set_attribute(graph_, copy, "frame_name", *frame);
    return {};
  }

  void add_train_op(const PhaseCut& phase, const std::string& prefix, SectionPhase& about) {
    std::vector<OpId> waits;
    for (const OpId op : phase.targets) waits.push_back(in_phase(op));
    const std::string name = names_.make(prefix + "train");
    about.train_op = result_.edit.add_op(graph_, {name, "NoOp", {}, {}, std::move(waits), {}});
    about.targets = phase.targets;
    std::sort(about.targets.begin(), about.targets.end(),
              [&](OpId a, OpId b) { return graph_.name(a) < graph_.name(b); });
  }

  const StepFacts& facts_;
  const Graph& graph_;
  const VariableUses& uses_;
  Cut& cut_;
  UniqueNames names_;
  std::vector<OpId> copy_of_;  // by op; of the run at hand
  EmittedSections result_;
};

}  // namespace

Result<EmittedSections> emit(const StepFacts& facts, const VariableUses& uses, Cut& cut,
                             const std::vector<std::string>& labels) {
  return Emitter(facts, uses, cut).run(labels);
}

}  // namespace tideline::sections
