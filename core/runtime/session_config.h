// How sessions are opened: so that the bits of a result depend on the graph alone.
#pragma once

#include <string>

namespace tideline::runtime {

/// An encoded ConfigProto: one thread within an op and one between ops, no graph optimizer, no
/// optimization of memory, no constant folding, and ops whose device is not there run elsewhere.
[[nodiscard]] std::string session_config();

}  // namespace tideline::runtime
