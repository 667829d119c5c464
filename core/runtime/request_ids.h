// Numbers that TensorFlow's servers give their requests.
#pragma once

#include <cstdint>

namespace tideline::runtime {

/// A random number, not 0; never the same twice in practice. Thread: any.
[[nodiscard]] std::uint64_t unique_request_id() noexcept;

}  // namespace tideline::runtime
