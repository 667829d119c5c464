// Problem: unless the user says otherwise, the forward pass begins at the ops from which most of
// what the backward pass reads can be reached. The reference searches forward from every op that a
// backward op reads and counts, which is quadratic.
// Idea: an op reached by another such op has a strictly lower count than that one: so only ops that
// no other one reaches can win (the roots). The counts are computed for 512 roots at a time: each
// op gets a set of 512 bits, the roots that lead to it, and one sweep in topological order
// propagates them. Bits are summed by column as in long addition, with one word for each binary
// digit of 64 counts.
// Loops make the forward graph cyclic; ops on a common cycle reach the same ops, and are merged
// into components first (Tarjan 1972), which are found in reverse topological order.
// Cost: O((ops + edges) x (1 + roots / 512)). Source: IBM TFLMS v1, lms.py (rules only).
// Tested by unit/rewrite/lms1_test.cc and by property/lms1_property.cc against plain searches.
#include "core/rewrite/lms1/starting_ops.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/graph/nearest_names.h"
#include "core/rewrite/lms1/components.h"
#include "core/rewrite/lms1/optimizer_scopes.h"

namespace tideline::lms1 {
namespace {

constexpr std::size_t kWords = 8;
using Bits = std::array<std::uint64_t, kWords>;

bool any(const Bits& bits) {
  std::uint64_t all = 0;
  for (const std::uint64_t word : bits) all |= word;
  return all != 0;
}

// 512 counters, stored by binary digit.
class Counters {
 public:
  // Adds 2^digit to the counter of every set bit.
  void add(Bits bits, std::size_t digit) {
    for (; digit < digits_.size() && any(bits); ++digit) {
      for (std::size_t i = 0; i < kWords; ++i) {
        const std::uint64_t carry = digits_[digit][i] & bits[i];
        digits_[digit][i] ^= bits[i];
        bits[i] = carry;
      }
    }
  }
  [[nodiscard]] std::uint32_t count(std::size_t bit) const {
    std::uint32_t value = 0;
    for (std::size_t digit = 0; digit < digits_.size(); ++digit) {
      const std::uint64_t word = digits_[digit][bit / 64];
      value |= static_cast<std::uint32_t>(word >> (bit % 64) & 1U) << digit;
    }
    return value;
  }

 private:
  std::array<Bits, 32> digits_ = {};
};

// Counts for every root how many candidates it leads to, its own component's included.
class RootCounts {
 public:
  RootCounts(const Components& components, const std::vector<std::uint32_t>& candidates)
      : components_(components), candidates_(candidates), masks_(components.count()) {}

  void count(std::span<const std::uint32_t> roots, std::vector<std::uint32_t>& counts) {
    std::fill(masks_.begin(), masks_.end(), Bits{});
    std::uint32_t highest = 0;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      masks_[roots[i]][i / 64] |= std::uint64_t{1} << (i % 64);
      highest = std::max(highest, roots[i]);
    }
    Counters counters;
    // Successors have smaller numbers.
    for (std::uint32_t at = highest + 1; at-- > 0;) {
      const Bits& mask = masks_[at];
      if (!any(mask)) continue;
      for (std::uint32_t rest = candidates_[at]; rest != 0; rest &= rest - 1) {
        counters.add(mask, static_cast<std::size_t>(std::countr_zero(rest)));
      }
      for (const std::uint32_t next : components_.successors(at)) {
        for (std::size_t i = 0; i < kWords; ++i) masks_[next][i] |= mask[i];
      }
    }
    for (std::size_t i = 0; i < roots.size(); ++i) counts.push_back(counters.count(i));
  }

 private:
  const Components& components_;
  const std::vector<std::uint32_t>& candidates_;
  std::vector<Bits> masks_;
};

std::vector<OpId> widest_reaching(const Graph& graph, const Consumers& consumers,
                                  const std::vector<bool>& is_backward) {
  const Components components(graph, consumers, is_backward);
  std::vector<bool> is_candidate(graph.op_count());
  std::vector<std::uint32_t> candidates(components.count());
  for (const OpId op : graph.ops()) {
    if (is_backward[op.index()]) continue;
    const auto uses = consumers.data(op);
    is_candidate[op.index()] = std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
      return is_backward[use.consumer.index()];
    });
    if (is_candidate[op.index()]) ++candidates[components.of(op)];
  }
  std::vector<bool> is_reached(components.count());
  std::vector<std::uint32_t> roots;
  for (std::uint32_t at = components.count(); at-- > 0;) {
    if (candidates[at] > 0 && !is_reached[at]) roots.push_back(at);
    if (candidates[at] == 0 && !is_reached[at]) continue;
    for (const std::uint32_t next : components.successors(at)) is_reached[next] = true;
  }
  std::vector<std::uint32_t> counts;
  RootCounts counter(components, candidates);
  constexpr std::size_t kAtOnce = kWords * 64;
  for (std::size_t first = 0; first < roots.size(); first += kAtOnce) {
    const std::size_t size = std::min(kAtOnce, roots.size() - first);
    counter.count({roots.data() + first, size}, counts);
  }
  // An op does not count itself; one that reaches no other candidate is not a starting op.
  std::uint32_t most = 1;
  for (const std::uint32_t count : counts) most = std::max(most, count);
  std::vector<bool> is_widest(components.count());
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (counts[i] == most && most > 1) is_widest[roots[i]] = true;
  }
  std::vector<OpId> starting;
  for (const OpId op : graph.ops()) {
    if (is_candidate[op.index()] && is_widest[components.of(op)]) starting.push_back(op);
  }
  return starting;
}

}  // namespace

Result<std::vector<bool>> backward_ops(const Graph& graph, const Lms1Options& options,
                                       std::vector<std::string>& log) {
  std::vector<bool> is_backward(graph.op_count());
  bool any_found = false;
  for (const std::string& scope : options.optimizer_scopes) {
    bool found = false;
    for (const OpId op : graph.ops()) {
      if (!graph.name(op).starts_with(scope)) continue;
      is_backward[op.index()] = true;
      found = true;
    }
    any_found = any_found || found;
    if (!found) log.push_back(fmt::format("No op lies in the optimizer scope {}.", scope));
  }
  if (!any_found) {
    std::vector<std::string> quoted;
    for (const std::string& scope : options.optimizer_scopes) quoted.push_back("'" + scope + "'");
    return fail(Code::kNotFound, "No operations were found with optimizer scopes {{{}}}.{}",
                fmt::join(quoted, ", "), optimizer_scopes_text(graph));
  }
  return is_backward;
}

Result<std::vector<OpId>> starting_ops(const Graph& graph, const Consumers& consumers,
                                       const std::vector<bool>& is_backward,
                                       const Lms1Options& options) {
  if (options.starting_scope.empty() && options.starting_op_names.empty()) {
    return widest_reaching(graph, consumers, is_backward);
  }
  std::vector<OpId> starting;
  if (!options.starting_scope.empty()) {
    for (const OpId op : graph.ops()) {
      if (graph.name(op).starts_with(options.starting_scope)) starting.push_back(op);
    }
    if (starting.empty()) {
      return fail(Code::kNotFound, "No operations were found in starting scope {}.{}",
                  options.starting_scope, nearest_scopes(graph, options.starting_scope));
    }
  }
  for (const std::string& name : options.starting_op_names) {
    const OpId op = graph.find(name);
    if (!op.valid()) {
      return fail(Code::kNotFound, "No starting operation was found with name {}.{}", name,
                  nearest_ops(graph, name));
    }
    starting.push_back(op);
  }
  std::sort(starting.begin(), starting.end());
  starting.erase(std::unique(starting.begin(), starting.end()), starting.end());
  return starting;
}

}  // namespace tideline::lms1
