// The user's decisions about single tensors, which take precedence over the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"
#include "core/rewrite/lms/override_lists.h"

namespace tideline {

enum class Override : std::uint8_t { kNone, kKeep, kSwap };

/// The tensor named "op:slot", or "op" for its output 0; nullopt when there is none.
[[nodiscard]] std::optional<TensorId> find_tensor(const Graph& graph, const TensorTable& tensors,
                                                  std::string_view name);

/// Overrides take precedence over filters, limits on distance and number, but not
/// over rank, element type and activity. Thread: immutable.
class Overrides {
 public:
  /// Errors: kNotFound for a name of no tensor, kInvalidArgument for a tensor that is both kept and
  /// swapped, or has two distances; the message names the parameter.
  [[nodiscard]] static Result<Overrides> find(const Graph& graph, const TensorTable& tensors,
                                              const OverrideLists& lists);

  /// Adds `tensor`, which a search found, to those that are kept. Precondition: the user does not
  /// list it.
  void keep(TensorId tensor);
  /// Whether `tensor` was added by `keep`.
  [[nodiscard]] bool was_found(TensorId tensor) const;

  /// What the user decided about `tensor`. Cost: O(log overrides).
  [[nodiscard]] Override of(TensorId tensor) const;
  /// How far ahead of its first reader the user wants `tensor` copied back; 0: as the parameters
  /// of the rewriter say. Units: levels; LMS v1: orders. Cost: O(log overrides).
  [[nodiscard]] int ahead_of(TensorId tensor) const;
  /// All tensors with a distance of their own, in file order of their producers, then by slot.
  [[nodiscard]] const std::vector<std::pair<TensorId, int>>& aheads() const { return ahead_; }
  /// Tensors to swap, in file order of their producers, then by slot.
  [[nodiscard]] const std::vector<TensorId>& to_swap() const { return swap_; }
  /// Whether an output of `op` is among them.
  [[nodiscard]] bool swaps_output_of(OpId op) const;

 private:
  std::vector<TensorId> keep_;                   // sorted
  std::vector<TensorId> found_;                  // the part of keep_ that a search found; sorted
  std::vector<TensorId> swap_;                   // sorted
  std::vector<std::pair<TensorId, int>> ahead_;  // sorted
};

}  // namespace tideline
