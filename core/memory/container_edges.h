// What stacks and TensorArrays hand from one written round to another.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/memory/unrolled_step.h"

namespace tideline {

/// An edge from what lies in a container to the op that takes it out.
struct ContainerEdge {
  OpId op;  ///< of the unrolled step
  std::uint32_t tensor = 0;
  bool is_alias = false;  ///< output 0 of the op is the buffer that lay there
};

/// The containers of a step of which rounds are written. Elements are put in and taken out at the
/// number of the round, in backward loops from the end. Thread: not shared.
class ContainerEdges {
 public:
  ContainerEdges(const StepGraph& step, const WrittenRounds& rounds);

  /// What an op that puts all elements of a tensor in makes of it.
  struct Elements {
    StepTensor element;
    std::uint32_t of = 0;             ///< the tensor of the step
    std::vector<std::int64_t> times;  ///< how many elements each stands for
  };
  /// Null for ops that do not.
  [[nodiscard]] const Elements* elements(OpId op) const;

  /// Finds the edges, sorted by op. `made` has all tensors; the elements of an op follow its
  /// outputs. Cost: O(edges x log).
  void connect(const UnrolledStep& made);
  [[nodiscard]] const std::vector<ContainerEdge>& edges() const { return edges_; }
  /// Tensors that a container holds to the end of the step.
  [[nodiscard]] const std::vector<std::uint32_t>& kept() const { return kept_; }

 private:
  struct Lying {
    std::uint32_t tensor = 0;
    std::uint32_t loop = WrittenRounds::kOutside, round = 0;  // in which it was put in
    bool is_gone = false;
  };
  struct Container {
    std::vector<StepRounds::Use> puts, takes;
  };

  void make_elements(const StepRounds::Use& put, const Container& container);
  [[nodiscard]] std::vector<std::uint32_t> by_element(OpId op) const;
  void put(const UnrolledStep& made, const StepRounds::Use& use, std::vector<Lying>& lying) const;
  void take(const UnrolledStep& made, const StepRounds::Use& use, std::vector<Lying>& lying);

  const StepGraph& step_;
  const WrittenRounds& rounds_;
  std::map<std::uint64_t, Container> containers_;
  std::map<OpId, Elements> elements_;
  std::vector<ContainerEdge> edges_;
  std::vector<std::uint32_t> kept_;
};

}  // namespace tideline
