// Whether anybody listens at an address.
#pragma once

#include <string>

namespace tideline::runtime {

/// Empty when somebody takes a connection at "HOST:PORT", who need not be a server of TensorFlow;
/// else why nobody does, "Connection refused". Blocks, for each address of the host at most
/// `limit_s`, besides looking its name up.
[[nodiscard]] std::string why_unreachable(const std::string& address, double limit_s);

}  // namespace tideline::runtime
