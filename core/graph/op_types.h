// What the name of an op type says by itself, also where no table knows the type (op_facts.h).
#pragma once

#include <string_view>

namespace tideline {

/// Whether `type` is NextIteration, whose edge into a Merge is the back edge of a loop.
[[nodiscard]] bool is_next_iteration(std::string_view type);
[[nodiscard]] bool is_merge(std::string_view type);
/// Whether `type` makes a variable, or the handle of one.
[[nodiscard]] bool is_variable_type(std::string_view type);
/// Whether `type` is an optimizer's step on one variable, ApplyAdam or the like.
[[nodiscard]] bool applies_gradients(std::string_view type);
/// What TensorFlow's memory optimizer makes swaps of: copies from the device that the op is on to
/// host memory, and back.
inline constexpr std::string_view kCopyToHost = "_CopyFromGpuToHost";
inline constexpr std::string_view kCopyFromHost = "_CopyFromHostToGpu";
[[nodiscard]] bool copies_to_host(std::string_view type);
[[nodiscard]] bool copies_from_host(std::string_view type);
/// Whether ops of this type run functions whose results they return: While and PartitionedCall, and
/// their stateless and stateful forms.
[[nodiscard]] bool is_loop_or_call(std::string_view type);
/// Whether ops of this type return what they read: Identity, and the two above.
[[nodiscard]] bool passes_on(std::string_view type);

}  // namespace tideline
