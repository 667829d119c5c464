// What is said of checkpoints, the same in the window, in scripts and on the terminal.
#pragma once

#include <optional>
#include <string>

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/compare.h"
#include "core/checkpoint/statistics.h"
#include "core/checkpoint/verify.h"

namespace tideline::app {

/// "[3,4]", "[]" for a scalar.
[[nodiscard]] std::string shape_text(const checkpoint::StoredTensor& tensor);
/// "0a1b2c3d", "2 slices", or "-" without a checksum.
[[nodiscard]] std::string checksum_text(const checkpoint::StoredTensor& tensor);
/// A number with six digits, a whole number with all; "-" for none.
[[nodiscard]] std::string number_text(const std::optional<checkpoint::Number>& number);
[[nodiscard]] std::string number_text(const std::optional<double>& number);
/// "8 of 9 elements differ, the first is number 0, by at most 0.5". Names are not made printable.
[[nodiscard]] std::string what_differs(const checkpoint::TensorDifference& difference);
/// "FILE: tensor 'x': what is wrong". The name is not made printable.
[[nodiscard]] std::string damage_text(const checkpoint::Damage& damage);
/// "ckpt: 8 tensors, 1.09 MiB read: no damage".
[[nodiscard]] std::string summary_text(const std::string& path,
                                       const checkpoint::Verification& found);
/// That some tensors have no checksum; empty if all have.
[[nodiscard]] std::string unchecked_text(const checkpoint::Verification& found);
/// The bytes of all tensors.
[[nodiscard]] Bytes stored_bytes(const checkpoint::Checkpoint& checkpoint);

}  // namespace tideline::app
