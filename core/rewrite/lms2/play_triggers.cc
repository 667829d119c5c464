// Problem: the play needs the trigger of every group of every swapped tensor, for many values of
// ahead, and each time has to know which ops of a level lead to the group's first consumer.
// Idea: process 64 destinations at once. A word for each op has one bit for each destination; a
// sweep down from the highest destination propagates each op's word to its inputs, so that the word
// of an op says which destinations it leads to. Destinations are sorted by level, so that the
// destinations in one word are close to each other, and the sweep ends at the lowest level that any
// of them needs.
//   levels 5 6 7 8 9, destination d at 9, ahead 1: level 7 is searched first; its ops with bit d
//   set lead to d; the first of them that may trigger is the answer, else level 6 is searched.
// Cost: the edges inside the window of levels, for each 64 destinations.
// Limits: levels rise along every edge here, so paths over the back edge of a loop are not found.
// Source: IBM TFLMS v2, lms.py, _search_by_level and _is_reachable (rules only); multi-source
// search by words: Then et al., The More the Merrier, VLDB 2014 (idea only).
// Tested by property/play_property.cc and the oracles of lms_v2_autotune.
#include "core/rewrite/lms2/play_triggers.h"

#include <algorithm>
#include <bit>

namespace tideline::lms2 {
namespace {

constexpr std::size_t kWordBits = 64;

class Sweep {
 public:
  Sweep(const PlayGraph& graph, int ahead)
      : graph_(graph), ahead_(ahead), leads_to_(graph.ranks.size()) {}

  // Answers for destinations [first, first + count), count <= 64.
  void run(std::size_t first, std::size_t count, std::vector<std::uint32_t>& answers) {
    const auto& destinations = graph_.destinations;
    const std::uint32_t top = destinations[first + count - 1];
    const std::int32_t floor =
        std::max(level(destinations[first]) - ahead_ - kLevelsTried, std::int32_t{0});
    std::size_t next = count;  // destinations from here on have their bits set
    std::uint64_t asking = 0;
    std::int32_t at_level = level(top) + 1;
    std::uint32_t rank = top + 1;
    while (rank-- > 0) {
      if (level(rank) < floor) break;
      if (level(rank) != at_level) {
        at_level = level(rank);
        asking = who_asks(first, count, at_level, answers);
      }
      while (next > 0 && destinations[first + next - 1] == rank) {
        --next;
        leads_to_[rank] |= std::uint64_t{1} << next;
      }
      const std::uint64_t reached = leads_to_[rank];
      if (reached == 0) continue;
      leads_to_[rank] = 0;
      for (const std::uint32_t input : graph_.inputs_of_rank(rank)) {
        if (level(input) >= floor) leads_to_[input] |= reached;
      }
      if (!graph_.ranks[rank].may_trigger) continue;
      for (std::uint64_t bits = reached & asking; bits != 0; bits &= bits - 1) {
        answers[first + static_cast<std::size_t>(std::countr_zero(bits))] = rank;
      }
    }
  }

 private:
  [[nodiscard]] std::int32_t level(std::uint32_t rank) const { return graph_.ranks[rank].level; }

  // Those for which `at_level` lies in the window and no higher level had an answer.
  [[nodiscard]] std::uint64_t who_asks(std::size_t first, std::size_t count, std::int32_t at_level,
                                       const std::vector<std::uint32_t>& answers) const {
    std::uint64_t asking = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (answers[first + i] != kNoIndex) continue;
      const std::int32_t end = level(graph_.destinations[first + i]) - ahead_;
      if (at_level < end && at_level >= end - kLevelsTried) asking |= std::uint64_t{1} << i;
    }
    return asking;
  }

  const PlayGraph& graph_;
  std::int32_t ahead_;
  std::vector<std::uint64_t> leads_to_;  // by rank; zero between runs
};

}  // namespace

std::vector<std::uint32_t> find_play_triggers(const PlayGraph& graph, int ahead) {
  std::vector<std::uint32_t> answers(graph.destinations.size(), kNoIndex);
  // Further ahead than there are levels finds nothing, and must not overflow.
  if (ahead >= graph.levels) return answers;
  Sweep sweep(graph, ahead);
  for (std::size_t first = 0; first < answers.size(); first += kWordBits) {
    sweep.run(first, std::min(kWordBits, answers.size() - first), answers);
  }
  return answers;
}

}  // namespace tideline::lms2
