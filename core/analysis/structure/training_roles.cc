// Tested by unit/analysis/structure/training_roles_test.cc and property/fit.py.
#include "core/analysis/structure/training_roles.h"

#include <algorithm>

#include "core/analysis/structure/gradient_names.h"

namespace tideline {
namespace {

bool is_floating(DataType type) {
  switch (base_type(type)) {
    case DataType::kFloat:
    case DataType::kDouble:
    case DataType::kHalf:
    case DataType::kBfloat16: return true;
    default: return false;
  }
}

class RoleFinder {
 public:
  RoleFinder(const GraphFacts& facts, const TensorTable& tensors)
      : facts_(facts),
        graph_(facts.graph()),
        tensors_(tensors),
        flow_(facts.passes().flow()),
        phases_(facts.passes().phases()) {}

  [[nodiscard]] std::optional<TensorId> loss() const {
    for (const OpId seed : flow_.seeds) {
      if (const auto like = shaped_like(seed)) return like;
      if (const auto read = differentiated_by(seed)) return read;
    }
    return std::nullopt;
  }

  // The end of the chain of ops that wait for all updates and write variables or only wait: the
  // step count is moved, and averages are, after the weights.
  [[nodiscard]] OpId train_op() const {
    const std::vector<bool> after = after_updates();
    std::vector<bool> is_candidate = after;
    for (const OpId op : graph_.ops()) {
      const OpKind kind = facts_.ops().of(graph_, op).kind;
      const bool may_be = kind == OpKind::kControl || kind == OpKind::kAssign ||
                          kind == OpKind::kUpdate || kind == OpKind::kView;
      is_candidate[op.index()] = is_candidate[op.index()] && may_be;
    }
    // By op: whether a candidate waits for it, directly or not.
    std::vector<bool> has_later(graph_.op_count());
    const LevelMap& levels = facts_.levels();
    std::vector<OpId> last_first;
    for (const OpId op : graph_.ops()) {
      if (after[op.index()]) last_first.push_back(op);
    }
    std::stable_sort(last_first.begin(), last_first.end(),
                     [&](OpId a, OpId b) { return levels.level(a) > levels.level(b); });
    OpId found;
    for (const OpId op : last_first) {
      for_each_consumer(op, [&](OpId consumer) {
        if (is_candidate[consumer.index()] || has_later[consumer.index()]) {
          has_later[op.index()] = true;
        }
      });
      if (is_candidate[op.index()] && !has_later[op.index()]) found = op;  // the lowest comes last
    }
    return found;
  }

  [[nodiscard]] std::vector<TensorId> inputs() const {
    std::vector<TensorId> open;
    std::vector<TensorId> fixed;
    for (const OpId op : graph_.ops()) {
      if (facts_.ops().of(graph_, op).kind != OpKind::kPlaceholder) continue;
      if (phases_.of(op) != Phase::kForward) continue;
      const TensorId tensor{op, 0};
      if (tensors_.output_count(op) == 0 || tensors_.shape(tensor).rank() < 1) continue;
      const std::int64_t first = tensors_.shape(tensor).dims.front();
      if (first == kUnknownDim) open.push_back(tensor);
      if (first > 1) fixed.push_back(tensor);
    }
    if (!open.empty()) return open;
    // The batch of a file with a fixed one is what all of these agree in.
    const auto first_dim = [&](TensorId tensor) { return tensors_.shape(tensor).dims.front(); };
    const bool agree = std::all_of(fixed.begin(), fixed.end(), [&](TensorId tensor) {
      return first_dim(tensor) == first_dim(fixed.front());
    });
    return agree ? fixed : std::vector<TensorId>();
  }

  [[nodiscard]] std::vector<std::string> gradient_scopes() const {
    std::vector<std::string> scopes;
    for (const OpId op : graph_.ops()) {
      if (phases_.of(op) != Phase::kBackward) continue;
      const std::string_view scope = gradient_scope_of(graph_.name(op));
      if (scope.empty() || std::find(scopes.begin(), scopes.end(), scope) != scopes.end()) continue;
      scopes.emplace_back(scope);
    }
    return scopes;
  }

 private:
  // By op: whether it waits for all updates. Empty if there are none.
  [[nodiscard]] std::vector<bool> after_updates() const {
    const std::vector<OpId>& updates = phases_.updates;
    std::vector<std::uint32_t> waits(graph_.op_count());
    std::vector<std::uint32_t> seen_in(graph_.op_count());
    std::vector<OpId> work;
    std::uint32_t turn = 0;
    for (const OpId update : updates) {
      ++turn;
      work.assign(1, update);
      seen_in[update.index()] = turn;
      while (!work.empty()) {
        const OpId op = work.back();
        work.pop_back();
        ++waits[op.index()];
        for_each_consumer(op, [&](OpId consumer) {
          if (seen_in[consumer.index()] == turn) return;
          seen_in[consumer.index()] = turn;
          work.push_back(consumer);
        });
      }
    }
    std::vector<bool> after(graph_.op_count());
    for (const OpId op : graph_.ops()) {
      after[op.index()] = !updates.empty() && waits[op.index()] == updates.size();
    }
    return after;
  }
  template <typename Visit>
  void for_each_consumer(OpId op, const Visit& visit) const {
    for (const Use& use : facts_.consumers().data(op)) visit(use.consumer);
    for (const OpId waiter : facts_.consumers().control(op)) visit(waiter);
  }
  [[nodiscard]] bool is_forward(OpId op) const { return phases_.of(op) == Phase::kForward; }

  // ones_like(loss), or Fill with Shape(loss).
  [[nodiscard]] std::optional<TensorId> shaped_like(OpId seed) const {
    constexpr int kMostSteps = 3;
    OpId at = seed;
    for (int i = 0; i < kMostSteps && !graph_.inputs(at).empty(); ++i) {
      const TensorId read = graph_.inputs(at).front();
      if (is_forward(read.op) && is_floating(tensors_.type(read))) return read;
      at = read.op;
    }
    return std::nullopt;
  }
  // The forward op in the name of a gradient op: "loss/mul" for "gradient_tape/loss/mul/Mul_1".
  [[nodiscard]] OpId forward_of(OpId gradient) const {
    const std::string_view name = graph_.name(gradient);
    if (gradient_scope_of(name).empty()) return {};
    std::string layer = layer_name(name);
    while (!layer.empty()) {
      const OpId forward = graph_.find(layer);
      if (forward.valid() && is_forward(forward) && tensors_.output_count(forward) > 0) {
        return forward;
      }
      const std::size_t slash = layer.rfind('/');
      layer.resize(slash == std::string::npos ? 0 : slash);
    }
    return {};
  }
  // That of an op near the seed.
  [[nodiscard]] std::optional<TensorId> differentiated_by(OpId seed) const {
    constexpr std::size_t kMostOps = 64;
    std::vector<OpId> near = {seed};
    for (std::size_t i = 0; i < near.size() && near.size() < kMostOps; ++i) {
      const OpId forward = forward_of(near[i]);
      if (i > 0 && forward.valid()) return TensorId{forward, 0};
      for_each_consumer(near[i], [&](OpId consumer) {
        const bool is_known = std::find(near.begin(), near.end(), consumer) != near.end();
        if (flow_.carries(consumer) && !is_known) near.push_back(consumer);
      });
    }
    return std::nullopt;
  }

  const GraphFacts& facts_;
  const Graph& graph_;
  const TensorTable& tensors_;
  const GradientFlow& flow_;
  const Phases& phases_;
};

}  // namespace

TrainingRoles find_training_roles(const GraphFacts& facts, const TensorTable& tensors) {
  const RoleFinder finder(facts, tensors);
  return {finder.loss(), finder.train_op(), finder.inputs(), finder.gradient_scopes()};
}

}  // namespace tideline
