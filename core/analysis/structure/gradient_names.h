// What the names of ops tell of backward passes, as tf.gradients and GradientTape write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tideline {

/// The parts of an op's name between slashes, empty ones left out. Views of `name`.
[[nodiscard]] std::vector<std::string_view> name_parts(std::string_view name);

/// Whether a scope of this name stands around a backward pass: "gradients", "gradients_1",
/// "gradient_tape".
[[nodiscard]] bool is_gradient_scope(std::string_view part);

/// The scope around the backward pass that an op called `name` is in, with its own name:
/// "training/gradients" of "training/gradients/conv1/Conv2D_grad/Shape". Empty if there is none.
[[nodiscard]] std::string_view gradient_scope_of(std::string_view name);

/// What an op called `name` works for: the forward op whose gradient it helps to compute,
/// "conv1/Conv2D" for "gradients/conv1/Conv2D_grad/tuple/Reshape", or all that stands behind the
/// scope of the backward pass. The name itself of other ops.
[[nodiscard]] std::string layer_name(std::string_view name);

}  // namespace tideline
