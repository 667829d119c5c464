// The swaps of a plan that could as well be left out, confirmed by simulation.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/rewrite/lms/planned_swap.h"
#include "core/rewrite/lms/swap_effect.h"

namespace tideline {

/// The peak of device memory of a step with a plan made anew that keeps these tensors, too.
using PeakWhenKept = std::function<Result<Bytes>(const std::vector<TensorId>& kept)>;

/// Sets SwapEffect::is_idle, for `effects` by index of `swaps`, of a step whose peak is `peak`:
/// with all tensors kept that are then idle, `peak_when_kept` is no higher. Errors: those of
/// `peak_when_kept`. Cost: O(swaps log swaps), and log2(swaps) + 1 calls at most.
[[nodiscard]] Status confirm_idle(std::span<const PlannedSwap> swaps, Bytes peak,
                                  const PeakWhenKept& peak_when_kept,
                                  std::vector<SwapEffect>& effects);

/// Whether a call of confirm_idle would simulate anything.
[[nodiscard]] bool may_have_idle(const std::vector<SwapEffect>& effects);

}  // namespace tideline
