// Problem: deep networks repeat a block many times; a reader wants to see one. Idea: two scopes are
// alike if they contain the same number of ops of each type. Instead of lists of types, compare the
// sum of a hash of the type over all ops of a scope: sums do not depend on order, and a scope's sum
// is made from its own ops and its children's sums. Source: the grouping of repeated nodes in
// TensorBoard's graph view (idea only). Tested by unit/analysis/structure/scopes_test.cc.
#include "core/analysis/structure/series.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace tideline {
namespace {

std::uint64_t hash_of(std::string_view type) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a, then mixed so that sums tell types apart
  for (const char c : type) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  hash ^= hash >> 33U;
  hash *= 0xff51afd7ed558ccdU;
  return hash ^ (hash >> 33U);
}

struct Candidate {
  std::string_view stem;
  std::uint64_t likeness = 0;
  Series::Member member;
};

// Cuts the number off the end; numbers too large to count stay part of the name.
Candidate candidate(std::string_view name, std::uint64_t likeness) {
  Candidate made{name, likeness, {}};
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  if (digits == name.size()) return made;
  const auto read =
      std::from_chars(name.data() + digits, name.data() + name.size(), made.member.number);
  if (read.ec != std::errc()) {
    made.member.number = 0;
    return made;
  }
  made.stem = name.substr(0, digits);
  if (made.stem.ends_with('_')) made.stem.remove_suffix(1);
  return made;
}

void group(std::uint32_t parent, std::vector<Candidate>& candidates, std::vector<Series>& found) {
  const auto key = [](const Candidate& one) {
    return std::tuple(one.stem, one.likeness, one.member.number, one.member.scope,
                      one.member.op.value);
  };
  std::sort(candidates.begin(), candidates.end(),
            [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
  for (std::size_t first = 0; first < candidates.size();) {
    std::size_t last = first + 1;
    while (last < candidates.size() && candidates[last].stem == candidates[first].stem &&
           candidates[last].likeness == candidates[first].likeness) {
      ++last;
    }
    if (last - first >= 2) {
      Series series{parent, candidates[first].stem, {}};
      for (std::size_t i = first; i < last; ++i) series.members.push_back(candidates[i].member);
      found.push_back(std::move(series));
    }
    first = last;
  }
}

}  // namespace

std::vector<Series> find_series(const Graph& graph, const ScopeTree& tree) {
  std::vector<std::uint64_t> of_type;
  for (const std::string_view type : graph.types()) of_type.push_back(hash_of(type));
  std::vector<std::uint64_t> of_scope(tree.scopes.size());
  for (const OpId op : graph.ops()) {
    of_scope[tree.scope_of[op.index()]] += of_type[graph.type_id(op)];
  }
  for (std::size_t i = tree.scopes.size(); i-- > 1;) of_scope[tree.scopes[i].parent] += of_scope[i];
  std::vector<Series> found;
  std::vector<Candidate> candidates;
  for (std::uint32_t i = 0; i < tree.scopes.size(); ++i) {
    const Scope& scope = tree.scopes[i];
    candidates.clear();
    for (const std::uint32_t child : tree.child_scopes(scope)) {
      candidates.push_back(candidate(tree.scopes[child].name, of_scope[child]));
      candidates.back().member.scope = child;
    }
    group(i, candidates, found);
    candidates.clear();
    for (const OpId op : tree.own_ops(scope)) {
      const std::size_t start = scope.path.empty() && i == 0 ? 0 : scope.path.size() + 1;
      candidates.push_back(candidate(graph.name(op).substr(start), of_type[graph.type_id(op)]));
      candidates.back().member.op = op;
    }
    group(i, candidates, found);
  }
  return found;
}

}  // namespace tideline
