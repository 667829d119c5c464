// Problem: the faithful model runs every op of a graph once, in its own order. A traced step ran
//   other ops (some fused, folded, not fetched), in another order, and the body of a loop many
//   times.
// Idea: make each execution an op, and give it the inputs that it really read: iteration k reads
//   what iteration k produced. Values are tokens on the edges, as in the executor:
//   - an op that ran as often as its producer reads the token of its own number;
//   - a value produced once is read by every iteration; otherwise the latest earlier token is read;
//   - a Switch sends its token to one branch only, according to its recorded outputs;
//   - a value that every iteration reads (a constant Enter) lives until the last execution of its
//     loop;
//   - a Merge takes the oldest token that it has not taken, from any input.
//   In a loop of 3 iterations Merge runs 4 times and reads Enter, then NextIteration 0, 1, 2.
//   No edge leads from a push to its pop, nor from a TensorArray's write to its read: Containers
//   link them.
// Cost: O(executions x inputs), and for each op that did not run one search through the ops before
// it.
// Limits: overlapping iterations of a loop, and constants of an inner loop while iterations of the
//   outer one overlap, may be mistaken for one another; their sizes are usually the same.
// Source: TensorFlow's executor (behaviour only). Tested by
// unit/memory/measured/executed_step_test.cc.
#include "core/memory/measured/executed_reads.h"

#include <algorithm>

#include "core/analysis/loop_frames.h"
#include "core/memory/measured/traced_names.h"

namespace tideline {
namespace {

// Ops that did not run and that a reader is followed through.
constexpr std::size_t kMostFollowed = 256;
constexpr std::size_t kMostAdded = 4096;

template <typename T>
void add_new(T value, std::vector<T>& list) {
  if (list.size() >= kMostAdded) return;
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

}  // namespace

ExecutedReads::ExecutedReads(const Graph& graph, const StepGraph& step, const OpFactsTable& facts,
                             const StepTrace& trace, const MeasuredStep& measured)
    : graph_(graph), step_(step), facts_(facts), trace_(trace), measured_(measured) {
  find_runs();
  find_fed();
  find_invariants();
  sources_.resize(graph.op_count());
}

void ExecutedReads::find(std::uint32_t at, Reads& reads) {
  const OpId op = op_of(at);
  const Sources& sources = sources_of(op);
  const bool is_merge = kind(op) == OpKind::kMerge;
  const auto merged = is_merge ? take_merged(at, op) : std::pair{0U, kNone};
  reads.slots.clear();
  reads.through.clear();
  reads.controls.clear();
  for (std::uint32_t slot = 0; slot < sources.slots.size(); ++slot) {
    const Sources::Slot& source = sources.slots[slot];
    Token token;
    if (is_merge) {
      if (slot == merged.first) token.at = merged.second;
    } else if (source.from == Sources::From::kStep) {
      token.at = token_for(at, tokens_of(source.tensor));
    } else if (source.from == Sources::From::kResident) {
      token.at = kBefore;
    }
    if (token.at != kBefore) token.slot = source.tensor.slot;
    reads.slots.push_back(token);
  }
  for (const TensorId tensor : sources.through) {
    const std::uint32_t token = token_for(at, tokens_of(tensor));
    if (token != kNone) reads.through.push_back({token, tensor.slot});
  }
  if (const auto ended = ends_.find(at); ended != ends_.end()) {
    for (const std::uint32_t enter : ended->second) reads.through.push_back({enter, 0});
  }
  for (const OpId control : sources.controls) {
    const std::uint32_t token = token_for(at, runs_of(control));
    if (token != kNone) reads.controls.push_back(token);
  }
}

ExecutedReads::Token ExecutedReads::last_of(TensorId tensor) const {
  if (!runs(tensor.op)) return {};
  const auto tokens = tokens_of(tensor);
  return tokens.empty() ? Token() : Token{tokens.back(), tensor.slot};
}

void ExecutedReads::find_runs() {
  execution_of_.push_back(kNone);
  first_run_.assign(graph_.op_count() + std::size_t{1}, 0);
  for (std::uint32_t i = 0; i < measured_.executions.size(); ++i) {
    const OpId op = measured_.executions[i].op;
    if (!op.valid()) continue;
    execution_of_.push_back(i);
    ++first_run_[op.index() + 1];
  }
  for (std::size_t i = 1; i < first_run_.size(); ++i) first_run_[i] += first_run_[i - 1];
  runs_.resize(first_run_.back());
  number_of_.resize(execution_of_.size());
  std::vector<std::uint32_t> next(first_run_.begin(), first_run_.end() - 1);
  for (std::uint32_t at = 1; at < execution_of_.size(); ++at) {
    const OpId op = op_of(at);
    number_of_[at] = next[op.index()] - first_run_[op.index()];
    runs_[next[op.index()]++] = at;
  }
  for (const OpId op : graph_.ops()) {
    if (kind(op) == OpKind::kSwitch && runs(op)) find_sides(op);
  }
}

// The executions of a Switch that gave a value to each of its outputs.
void ExecutedReads::find_sides(OpId op) {
  for (const std::uint32_t at : runs_of(op)) {
    for (const TracedOutput& output :
         trace_.outputs_of(trace_.ops[measured_.executions[execution_of_[at]].row])) {
      if (output.slot >= step_.ops[op.index()].tensor_count) continue;
      auto& side = sides_[step_.tensor({op, output.slot})];
      if (side.empty() || side.back() != at) side.push_back(at);
    }
  }
}

void ExecutedReads::find_fed() {
  fed_.assign(graph_.op_count(), false);
  for (const OpId op : graph_.ops()) fed_[op.index()] = kind(op) == OpKind::kPlaceholder;
  for (const MeasuredExecution& execution : measured_.executions) {
    const auto tensor = fed_tensor(graph_, trace_.ops[execution.row].name);
    if (tensor) fed_[tensor->op.index()] = true;
  }
}

bool ExecutedReads::is_invariant(OpId op) const {
  if (kind(op) != OpKind::kEnter) return false;
  const auto value = graph_.attribute(op, "is_constant");
  return value && *value && (*value)->boolean;
}

// A value that every round of a loop reads lives until the loop has ended.
void ExecutedReads::find_invariants() {
  std::vector<OpId> enters;
  for (const OpId op : graph_.ops()) {
    if (runs(op) && is_invariant(op)) enters.push_back(op);
  }
  if (enters.empty()) return;
  const LoopFrames frames(graph_);
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> inside;  // by frame, ascending
  for (std::uint32_t at = 1; at < execution_of_.size(); ++at) {
    const std::uint32_t frame = frames.input_frame(op_of(at));
    if (frame != 0) inside[frame].push_back(at);
  }
  for (const OpId op : enters) {
    const auto& loop = inside[frames.output_frame(op)];
    const auto entries = runs_of(op);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::uint32_t next = i + 1 < entries.size() ? entries[i + 1] : kNone;
      const auto after = std::lower_bound(loop.begin(), loop.end(), next);
      if (after != loop.begin() && *(after - 1) > entries[i]) {
        ends_[*(after - 1)].push_back(entries[i]);
      }
    }
  }
}

const ExecutedReads::Sources& ExecutedReads::sources_of(OpId op) {
  Sources& sources = sources_[op.index()];
  const auto inputs = graph_.inputs(op);
  if (sources.is_known) return sources;
  sources.is_known = true;
  std::vector<OpId> waited_for;
  std::vector<OpId> skipped;
  for (const TensorId input : inputs) {
    sources.slots.push_back(source_of(input));
    if (!runs(input.op)) skipped.push_back(input.op);
  }
  for (const OpId control : graph_.control_inputs(op)) {
    (runs(control) ? sources.controls : waited_for).push_back(control);
  }
  follow(std::move(skipped), sources, waited_for);
  follow_waits(std::move(waited_for), sources);
  const auto is_read = [&](TensorId tensor) {
    return std::any_of(sources.slots.begin(), sources.slots.end(), [&](const auto& slot) {
      return slot.from == Sources::From::kStep && slot.tensor == tensor;
    });
  };
  std::erase_if(sources.through, is_read);
  return sources;
}

// Like source_of_value (core/graph/walks.h), but by the links of the step, which know more ops that
// hand a buffer on, and by slot.
ExecutedReads::Sources::Slot ExecutedReads::source_of(TensorId tensor) const {
  for (std::size_t steps = 0; steps < kMostFollowed; ++steps) {
    if (runs(tensor.op)) return {tensor, Sources::From::kStep};
    if (fed_[tensor.op.index()] || kind(tensor.op) == OpKind::kConstant) {
      return {tensor, Sources::From::kResident};
    }
    const auto links = step_.links_of(tensor.op);
    const auto alias = std::find_if(links.begin(), links.end(), [&](const StepLink& link) {
      return link.is_alias && !link.if_equal && link.output == tensor.slot;
    });
    if (alias == links.end() || alias->input >= graph_.inputs(tensor.op).size()) break;
    tensor = graph_.inputs(tensor.op)[alias->input];
  }
  return {tensor, Sources::From::kNowhere};
}

// Finds what is read through ops that did not run, and which ops these waited for.
void ExecutedReads::follow(std::vector<OpId> skipped, Sources& sources,
                           std::vector<OpId>& waited_for) const {
  for (std::size_t i = 0; i < skipped.size() && skipped.size() < kMostFollowed; ++i) {
    const OpId op = skipped[i];
    if (fed_[op.index()]) continue;
    const auto inputs = graph_.inputs(op);
    for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
      if (facts_.reads_only_shape(graph_, op, slot)) continue;  // and that was known without a run
      if (!runs(inputs[slot].op)) {
        add_new(inputs[slot].op, skipped);
      } else {
        add_new(inputs[slot], sources.through);
      }
    }
    for (const OpId control : graph_.control_inputs(op)) wait_for(control, sources, waited_for);
  }
}
// An op that waits for one that did not run waits for the producers of its inputs instead; their
// tensors are not read.
void ExecutedReads::follow_waits(std::vector<OpId> waited_for, Sources& sources) const {
  for (std::size_t i = 0; i < waited_for.size() && waited_for.size() < kMostFollowed; ++i) {
    const OpId op = waited_for[i];
    for (const TensorId input : graph_.inputs(op)) wait_for(input.op, sources, waited_for);
    for (const OpId control : graph_.control_inputs(op)) wait_for(control, sources, waited_for);
  }
}
void ExecutedReads::wait_for(OpId op, Sources& sources, std::vector<OpId>& waited_for) const {
  add_new(op, runs(op) ? sources.controls : waited_for);
}

std::span<const std::uint32_t> ExecutedReads::tokens_of(TensorId tensor) const {
  if (kind(tensor.op) != OpKind::kSwitch) return runs_of(tensor.op);
  const auto side = sides_.find(step_.tensor(tensor));
  if (side == sides_.end()) return {};
  return side->second;
}

// Which of `tokens` execution `at` reads; kNone for none before it.
std::uint32_t ExecutedReads::token_for(std::uint32_t at,
                                       std::span<const std::uint32_t> tokens) const {
  if (tokens.size() == runs_of(op_of(at)).size() && tokens[number_of_[at]] < at) {
    return tokens[number_of_[at]];
  }
  const auto after = std::lower_bound(tokens.begin(), tokens.end(), at);
  return after == tokens.begin() ? kNone : *(after - 1);
}

// The slot whose oldest token not yet taken is the oldest of all, and that token.
std::pair<std::uint32_t, std::uint32_t> ExecutedReads::take_merged(std::uint32_t at, OpId op) {
  const Sources& sources = sources_of(op);
  auto& taken = taken_[op.value];
  taken.resize(sources.slots.size());
  std::pair<std::uint32_t, std::uint32_t> best{0, kNone};
  for (std::uint32_t slot = 0; slot < taken.size(); ++slot) {
    const Sources::Slot& source = sources.slots[slot];
    std::uint32_t token = kNone;
    if (source.from == Sources::From::kResident && taken[slot] == 0) token = kBefore;
    if (source.from == Sources::From::kStep) {
      const auto tokens = tokens_of(source.tensor);
      if (taken[slot] < tokens.size()) token = tokens[taken[slot]];
    }
    if (token < at && token < best.second) best = {slot, token};
  }
  if (best.second != kNone) ++taken[best.first];
  return best;
}

}  // namespace tideline
