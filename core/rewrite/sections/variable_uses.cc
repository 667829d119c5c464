// Problem: whether one access to a variable waits for another is a question about paths, asked for
// every update of a step, and again in every run of every cut that is tried. A search for each
// update is quadratic: a deep net has thousands of updates, each of which waits for most of it.
// Idea: 64 writes share a pass over the edges. Every op has a word with a bit for each write: going
// back, which writes need it; going forward, which it needs.
//   v -> f -> update v   back: f has the bit of the update; forward: nothing that reads v has it
// Cost: see the header. Limits: passes are repeated while bits change in graphs with loops.
// Source: own; sets of bits that share a walk are common in data flow analysis. Tested by
// unit/rewrite/sections_test.cc.
#include "core/rewrite/sections/variable_uses.h"

#include <algorithm>
#include <tuple>

namespace tideline::sections {
namespace {

bool hands_buffer_on(OpKind kind) {
  return kind == OpKind::kView || kind == OpKind::kSwitch || kind == OpKind::kMerge ||
         kind == OpKind::kEnter || kind == OpKind::kExit || kind == OpKind::kNextIteration;
}

Waits whole_step(const StepFacts& facts) {
  const Graph& graph = facts.graph();
  Waits waits;
  waits.has_loops = facts.loop_count() > 0;
  for (const OpId op : facts.order()) {
    if (!facts.in_step(op)) continue;
    waits.ops.push_back(op);
    waits.first.push_back(static_cast<std::uint32_t>(waits.inputs.size()));
    for (const TensorId input : graph.inputs(op)) waits.inputs.push_back(input.op);
    for (const OpId input : graph.control_inputs(op)) waits.inputs.push_back(input);
  }
  waits.first.push_back(static_cast<std::uint32_t>(waits.inputs.size()));
  return waits;
}

// By op, a bit for each of up to 64 ops.
class Bits {
 public:
  explicit Bits(std::size_t ops) : words_(ops) {}

  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  void set(OpId op, std::size_t bit) { words_[op.index()] |= std::uint64_t{1} << bit; }
  [[nodiscard]] bool has(OpId op, std::size_t bit) const {
    return ((words_[op.index()] >> bit) & 1U) != 0;
  }

  // Gives every op the bits of the ops that wait for it.
  void spread_back(const Waits& waits) {
    repeat(waits, [&] {
      bool changed = false;
      for (std::size_t at = waits.ops.size(); at-- > 0;) {
        const std::uint64_t word = words_[waits.ops[at].index()];
        if (word == 0) continue;
        for (auto i = waits.first[at]; i < waits.first[at + 1]; ++i) {
          changed = add(waits.inputs[i], word) || changed;
        }
      }
      return changed;
    });
  }
  // Gives every op the bits of the ops that it waits for.
  void spread_forward(const Waits& waits) {
    repeat(waits, [&] {
      bool changed = false;
      for (std::size_t at = 0; at < waits.ops.size(); ++at) {
        std::uint64_t word = 0;
        for (auto i = waits.first[at]; i < waits.first[at + 1]; ++i) {
          word |= words_[waits.inputs[i].index()];
        }
        changed = add(waits.ops[at], word) || changed;
      }
      return changed;
    });
  }

 private:
  bool add(OpId op, std::uint64_t word) {
    const std::uint64_t before = words_[op.index()];
    words_[op.index()] |= word;
    return words_[op.index()] != before;
  }
  template <typename Pass>
  static void repeat(const Waits& waits, const Pass& pass) {
    while (pass() && waits.has_loops) {
    }
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace

VariableUses::VariableUses(const StepFacts& facts)
    : facts_(&facts), is_followed_(facts.graph().op_count()) {
  std::vector<VariableAccess> found;
  for (const OpId op : facts.graph().ops()) {
    if (!facts.in_step(op) || !facts.is_variable(op)) continue;
    found.clear();
    follow(op, found);
    if (std::none_of(found.begin(), found.end(), [](const auto& use) { return use.writes; })) {
      continue;
    }
    std::sort(found.begin(), found.end(), [](const VariableAccess& a, const VariableAccess& b) {
      return std::tuple(a.op, !a.writes) < std::tuple(b.op, !b.writes);
    });
    found.erase(std::unique(found.begin(), found.end(),
                            [](const auto& a, const auto& b) { return a.op == b.op; }),
                found.end());
    accesses_.insert(accesses_.end(), found.begin(), found.end());
  }
  add_rows();
  original_ = order_in(whole_step(facts));
}

void VariableUses::follow(OpId variable, std::vector<VariableAccess>& found) {
  const Graph& graph = facts_->graph();
  std::vector<OpId> seen = {variable};
  is_followed_[variable.index()] = true;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (const Use use : facts_->consumers().data(seen[i])) {
      const OpId op = use.consumer;
      if (!facts_->in_step(op)) continue;
      const OpFacts& about = facts_->of(op);
      bool goes_on = hands_buffer_on(about.kind);
      if (!goes_on) {
        const bool takes_reference = graph.reads_reference(op, use.slot);
        bool writes = takes_reference;
        if (about.kind == OpKind::kAssign || about.kind == OpKind::kUpdate) {
          Arguments written = about.slots;
          if (about.variable) written.push_back(*about.variable);
          facts_->table().for_each_slot(
              graph, op, written, [&](std::uint32_t slot) { writes = writes || slot == use.slot; });
          goes_on = takes_reference;  // its output is the variable
        } else if (about.kind != OpKind::kRead && facts_->runs_once(op)) {
          writes = true;  // a function with effects, and what is not known
        }
        found.push_back({variable, op, writes});
      }
      if (!goes_on || is_followed_[op.index()]) continue;
      is_followed_[op.index()] = true;
      seen.push_back(op);
    }
  }
  for (const OpId op : seen) is_followed_[op.index()] = false;
}

void VariableUses::add_rows() {
  for (std::size_t begin = 0; begin < accesses_.size();) {
    std::size_t end = begin + 1;
    while (end < accesses_.size() && accesses_[end].variable == accesses_[begin].variable) ++end;
    for (std::size_t i = begin; i < end && end - begin > 1; ++i) {
      if (!accesses_[i].writes) continue;
      rows_.push_back({i, begin, end, pairs_});
      pairs_ += end - begin - 1;
    }
    begin = end;
  }
}

PairOrder VariableUses::order_in(const Waits& waits) const {
  constexpr std::size_t kWordBits = 64;
  const std::size_t ops = facts_->graph().op_count();
  PairOrder order{std::vector<bool>(pairs_), std::vector<bool>(pairs_)};
  std::vector<bool> is_there(ops);
  for (const OpId op : waits.ops) is_there[op.index()] = true;
  std::vector<const Row*> rows;
  for (const Row& row : rows_) {
    const auto others =
        std::count_if(accesses_.begin() + static_cast<std::ptrdiff_t>(row.begin),
                      accesses_.begin() + static_cast<std::ptrdiff_t>(row.end),
                      [&](const VariableAccess& access) { return is_there[access.op.index()]; });
    if (is_there[accesses_[row.write].op.index()] && others > 1) rows.push_back(&row);
  }
  // An op may write several variables: its rows share a bit.
  const auto write = [&](const Row* row) { return accesses_[row->write].op; };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row* a, const Row* b) { return write(a) < write(b); });
  Bits needed(ops);
  Bits after(ops);
  std::vector<std::size_t> bits;  // of the rows from `begin` on
  for (std::size_t begin = 0; begin < rows.size(); begin += bits.size()) {
    needed.clear();
    after.clear();
    bits.clear();
    for (std::size_t i = begin; i < rows.size(); ++i) {
      const bool is_same = i > begin && write(rows[i]) == write(rows[i - 1]);
      const std::size_t bit = bits.empty() ? 0 : bits.back() + (is_same ? 0 : 1);
      if (bit == kWordBits) break;
      bits.push_back(bit);
      needed.set(write(rows[i]), bit);
      after.set(write(rows[i]), bit);
    }
    needed.spread_back(waits);
    after.spread_forward(waits);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const Row& row = *rows[begin + i];
      std::size_t pair = row.first_pair;
      for (std::size_t at = row.begin; at < row.end; ++at) {
        if (at == row.write) continue;
        order.write_waits[pair] = needed.has(accesses_[at].op, bits[i]);
        order.other_waits[pair] = after.has(accesses_[at].op, bits[i]);
        ++pair;
      }
    }
  }
  return order;
}

}  // namespace tideline::sections
