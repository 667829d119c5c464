// The session configuration with which results depend on the graph alone, bit for bit.
#pragma once

#include <string>

namespace tideline::runtime {

/// An encoded ConfigProto: one thread within an op and one between ops, no graph optimizer, no
/// optimization of memory, no constant folding, and soft placement of ops whose device is missing.
[[nodiscard]] std::string session_config();

}  // namespace tideline::runtime
