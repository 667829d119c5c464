// Problem: what a loop keeps depends on when its rounds run. A value that is pushed onto a stack is
// the buffer of whatever made it, a pop takes it off again, an element that is read from a
// TensorArray leaves it, and on a CPU a round may begin before the one before it is over. One round
// cannot stand for all of that.
//
// Idea: write the rounds out and treat them as any other step. An op of a loop is there once for
// each round; a Merge reads the Enter in the first one and then the NextIteration of the round
// before; Exits read the last, in which the condition is false and the body does not run. What goes
// through a container is an edge from the op that put it in to the one that takes it out, which
// shares its buffer (container_edges.h):
//   push(h), round 0, 1, 2; pop, round 0, 1, 2    pop 0 reads push 2, pop 1 push 1, pop 2 push 0
// An op ends each round. It waits for all others of it, and rounds that would be more than the
// loop's parallel_iterations ahead wait for it; the one of the last round keeps what the Enters of
// invariants hold until then.
//
// Limits: dead ops, those of the round in which the condition is false, take no turn in the order.
//
// Source: the executor's rules for frames (behaviour only). Tested by
// unit/memory/loop_memory_test.cc and integration/as_run_test.py.
#include "core/memory/unrolled_step.h"

#include <algorithm>
#include <utility>

#include "core/memory/container_edges.h"
#include "core/memory/executor_order.h"

namespace tideline {
namespace {

constexpr std::uint32_t kNotOfLoop = WrittenRounds::kOutside;

class RoundsWriter {
 public:
  RoundsWriter(const StepGraph& step, const WrittenRounds& rounds)
      : step_(step), rounds_(rounds), containers_(step, rounds) {}

  std::optional<UnrolledStep> run() {
    number_ops();
    for (const OpId op : rounds_.ops()) add_tensors(op);
    if (!can_read()) return std::nullopt;
    containers_.connect(out_);
    write_ops();
    find_last();
    for (std::uint32_t loop = 0; loop < rounds_.loops().size(); ++loop) write_ends(loop);
    write_end();
    if (!set_order()) return std::nullopt;
    return std::move(out_);
  }

 private:
  void number_ops() {
    std::uint32_t next = 0;
    const auto add = [&](OpId op, std::uint32_t rounds) {
      for (std::uint32_t round = 0; round < rounds; ++round) {
        out_.op_of.push_back(op);
        out_.round_of.push_back(round);
      }
      return std::exchange(next, next + rounds);
    };
    out_.first_op.assign(step_.ops.size(), 0);
    for (const OpId op : rounds_.ops()) {
      out_.first_op[op.index()] = add(op, rounds_.count(rounds_.loop_of(op)));
    }
    for (std::uint32_t loop = 0; loop < rounds_.loops().size(); ++loop) {
      out_.first_end.push_back(add(OpId{}, rounds_.count(loop)));
    }
    out_.end = OpId{add(OpId{}, 1)};
    out_.graph.ops.resize(next);
  }

  void add_tensors(OpId op) {
    const StepOp& entry = step_.ops[op.index()];
    const ContainerEdges::Elements* elements = containers_.elements(op);
    for (std::uint32_t round = 0; round < rounds_.count(rounds_.loop_of(op)); ++round) {
      StepOp& written = out_.graph.ops[out_.at(op, round).index()];
      written = entry;
      written.first_tensor = static_cast<std::uint32_t>(out_.graph.tensors.size());
      written.tensor_count = 0;
      if (!rounds_.exists(op, round)) continue;
      for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
        const std::uint32_t tensor = entry.first_tensor + slot;
        add_tensor(out_.at(op, round), tensor, step_.tensors[tensor], 0);
        // A constant of a loop is the same in all rounds.
        if (round > 0 && step_.tensors[tensor].is_pinned) out_.graph.tensors.back().bytes = 0;
      }
      if (elements == nullptr) continue;
      for (const std::int64_t times : elements->times) {
        add_tensor(out_.at(op, round), elements->of, elements->element, times);
      }
    }
  }
  void add_tensor(OpId op, std::uint32_t of, const StepTensor& tensor, std::int64_t elements) {
    out_.graph.tensors.push_back(tensor);
    out_.graph.producer_of.push_back(op);
    out_.tensor_of.push_back(of);
    out_.elements.push_back(elements);
    ++out_.graph.ops[op.index()].tensor_count;
  }

  // Whether all that is read runs, and only variables of loops read what comes from the round
  // before.
  [[nodiscard]] bool can_read() const {
    for (const OpId op : rounds_.ops()) {
      const bool is_variable = rounds_.role(op) == LoopRole::kMerge;
      if (is_variable && rounds_.loop_of(op) == kNotOfLoop) return false;
      int first = 0, others = 0;
      for (const StepInput& input : step_.inputs_of(op)) {
        const OpId source = step_.producer_of[input.tensor];
        if (!rounds_.runs(source)) return false;
        (input.is_back_edge ? others : first) += 1;
        // In all rounds but the last the round before is read.
        if (input.is_back_edge && rounds_.loop_of(source) != rounds_.loop_of(op)) return false;
        if (!is_variable && rounds_.loop_of(source) == rounds_.loop_of(op)) {
          if (rounds_.is_body(source) && !rounds_.is_body(op)) return false;
        }
      }
      if (is_variable ? first == 0 || others == 0 : others > 0) return false;
      for (const OpId control : step_.controls_of(op)) {
        if (!rounds_.runs(control)) return false;
      }
    }
    return true;
  }

  void write_ops() {
    StepGraph& graph = out_.graph;
    graph.fetches = {out_.end};
    graph.variables = step_.variables;
    graph.links = step_.links;
    auto edge = containers_.edges().begin();
    for (const OpId op : rounds_.ops()) {
      for (std::uint32_t round = 0; round < rounds_.count(rounds_.loop_of(op)); ++round) {
        const OpId written = out_.at(op, round);
        begin(written);
        if (rounds_.exists(op, round)) {
          write_inputs(op, round);
          for (; edge != containers_.edges().end() && edge->op == written; ++edge) {
            read(edge->tensor);
            if (edge->is_alias) share_last(written);
          }
          write_controls(op, round);
        }
        end(written);
      }
    }
  }
  void begin(OpId op) {
    StepOp& written = out_.graph.ops[op.index()];
    written.first_input = static_cast<std::uint32_t>(out_.graph.inputs.size());
    written.first_control = static_cast<std::uint32_t>(out_.graph.controls.size());
  }
  void end(OpId op) {
    StepGraph& graph = out_.graph;
    StepOp& written = graph.ops[op.index()];
    written.input_count = static_cast<std::uint32_t>(graph.inputs.size()) - written.first_input;
    written.control_count =
        static_cast<std::uint32_t>(graph.controls.size()) - written.first_control;
  }
  void read(std::uint32_t tensor) {
    out_.graph.inputs.push_back({tensor, out_.graph.tensors[tensor].home, false});
  }
  // Output 0 is the buffer of the last input.
  void share_last(OpId op) {
    StepOp& written = out_.graph.ops[op.index()];
    const auto slot =
        static_cast<std::uint32_t>(out_.graph.inputs.size()) - written.first_input - 1;
    written.first_link = static_cast<std::uint32_t>(out_.graph.links.size());
    written.link_count = 1;
    out_.graph.links.push_back({.output = 0, .input = slot, .is_alias = true});
  }

  void write_inputs(OpId op, std::uint32_t round) {
    const std::uint32_t loop = rounds_.loop_of(op);
    const bool is_variable = rounds_.role(op) == LoopRole::kMerge;
    const bool is_first = is_variable && round % rounds_.loops()[loop].rounds == 0;
    for (StepInput input : step_.inputs_of(op)) {
      if (is_variable && input.is_back_edge == is_first) continue;
      const std::uint32_t from = input.is_back_edge ? round - 1 : round;
      input.tensor = out_.tensor_read(rounds_, step_, input.tensor, loop, from);
      input.is_back_edge = false;
      out_.graph.inputs.push_back(input);
    }
    if (is_variable) share_last(out_.at(op, round));
  }
  void write_controls(OpId op, std::uint32_t round) {
    const std::uint32_t loop = rounds_.loop_of(op);
    for (const OpId control : step_.controls_of(op)) {
      const std::uint32_t from = rounds_.round_read(control, loop, round);
      if (rounds_.exists(control, from)) wait_for(out_.at(control, from));
    }
    if (rounds_.role(op) != LoopRole::kMerge) return;
    const std::int64_t ahead = step_.rounds->loops[loop].parallel;
    if (round % rounds_.loops()[loop].rounds < ahead) return;
    wait_for(out_.end_of(loop, round - static_cast<std::uint32_t>(ahead)));
  }
  void wait_for(OpId op) { out_.graph.controls.push_back(op); }

  // By loop: the ops that no op of their round waits for, and the Enters of invariants.
  void find_last() {
    std::vector<bool> is_awaited(step_.ops.size()), is_awaited_at_end(step_.ops.size());
    for (const OpId op : rounds_.ops()) {
      const auto await = [&](OpId source) {
        if (rounds_.loop_of(source) != rounds_.loop_of(op)) return;
        is_awaited[source.index()] = true;
        if (!rounds_.is_body(op)) is_awaited_at_end[source.index()] = true;
      };
      for (const StepInput& input : step_.inputs_of(op)) {
        if (!input.is_back_edge) await(step_.producer_of[input.tensor]);
      }
      for (const OpId control : step_.controls_of(op)) await(control);
    }
    last_.resize(rounds_.loops().size());
    invariants_.resize(rounds_.loops().size());
    for (const OpId op : rounds_.ops()) {
      if (rounds_.role(op) == LoopRole::kInvariant) {
        invariants_[rounds_.own_loop(op)].push_back(op);
      }
      const std::uint32_t loop = rounds_.loop_of(op);
      if (loop == kNotOfLoop) continue;
      const bool is_last =
          rounds_.is_body(op) ? !is_awaited[op.index()] : !is_awaited_at_end[op.index()];
      if (is_last) last_[loop].push_back(op);
    }
  }
  void write_ends(std::uint32_t loop) {
    const std::uint32_t rounds = rounds_.loops()[loop].rounds;
    for (std::uint32_t round = 0; round < rounds_.count(loop); ++round) {
      const OpId written = out_.end_of(loop, round);
      out_.graph.ops[written.index()].only_waits = true;
      begin(written);
      if (rounds_.is_entered(loop, round)) {
        for (const OpId op : last_[loop]) {
          if (rounds_.exists(op, round)) wait_for(out_.at(op, round));
        }
        wait_for_inner(loop, round);
        if (round % rounds > 0) wait_for(out_.end_of(loop, round - 1));
        if (round % rounds == rounds - 1) {
          for (const OpId op : invariants_[loop]) {
            const StepOp& enter = out_.graph.ops[out_.at(op, round / rounds).index()];
            if (enter.tensor_count > 0) read(enter.first_tensor);
          }
        }
      }
      end(written);
    }
  }
  void wait_for_inner(std::uint32_t loop, std::uint32_t round) {
    for (std::uint32_t inner = loop + 1; inner < rounds_.loops().size(); ++inner) {
      if (rounds_.parent(inner) != loop) continue;
      const std::uint32_t rounds = rounds_.loops()[inner].rounds;
      const std::uint32_t last = round * rounds + rounds - 1;
      if (rounds_.is_entered(inner, last)) wait_for(out_.end_of(inner, last));
    }
  }
  void write_end() {
    out_.graph.ops[out_.end.index()].only_waits = true;
    begin(out_.end);
    for (const std::uint32_t tensor : containers_.kept()) read(tensor);
    end(out_.end);
  }

  // False if there is a cycle.
  bool set_order() {
    std::vector<OpId> listed;
    for (const OpId op : rounds_.ops()) {
      for (std::uint32_t round = 0; round < rounds_.count(rounds_.loop_of(op)); ++round) {
        if (rounds_.exists(op, round)) listed.push_back(out_.at(op, round));
      }
    }
    for (std::uint32_t loop = 0; loop < rounds_.loops().size(); ++loop) {
      for (std::uint32_t round = 0; round < rounds_.count(loop); ++round) {
        if (rounds_.is_entered(loop, round)) listed.push_back(out_.end_of(loop, round));
      }
    }
    StepSchedule& schedule = out_.schedule;
    schedule.ops = started_order(out_.graph, listed, find_async());
    if (schedule.ops.size() != listed.size()) return false;
    schedule.ops.push_back(out_.end);
    schedule.step.assign(out_.graph.ops.size(), -1);
    schedule.level.reserve(schedule.ops.size());
    for (const OpId op : schedule.ops) {
      schedule.step[op.index()] = static_cast<std::int32_t>(schedule.level.size());
      const OpId of = out_.op_of[op.index()];
      schedule.level.push_back(of.valid() ? step_.file_levels[of.index()] : 0);
    }
    return true;
  }

  // By op: those of stacks.
  [[nodiscard]] std::vector<bool> find_async() const {
    std::vector<bool> is_async(out_.graph.ops.size());
    for (const StepRounds::Use& use : step_.rounds->uses) {
      if (!use.is_stack || !rounds_.runs(use.op)) continue;
      const std::uint32_t count = rounds_.count(rounds_.loop_of(use.op));
      std::fill_n(is_async.begin() + out_.first_op[use.op.index()], count, true);
    }
    return is_async;
  }

  const StepGraph& step_;
  const WrittenRounds& rounds_;
  ContainerEdges containers_;
  UnrolledStep out_;
  std::vector<std::vector<OpId>> last_, invariants_;  // by loop
};

}  // namespace

std::uint32_t UnrolledStep::tensor_read(const WrittenRounds& rounds, const StepGraph& step,
                                        std::uint32_t tensor, std::uint32_t loop,
                                        std::uint32_t round) const {
  const OpId op = step.producer_of[tensor];
  return graph.ops[at(op, rounds.round_read(op, loop, round)).index()].first_tensor + tensor -
         step.ops[op.index()].first_tensor;
}

std::optional<UnrolledStep> unroll(const StepGraph& step, const WrittenRounds& rounds) {
  return RoundsWriter(step, rounds).run();
}

}  // namespace tideline
