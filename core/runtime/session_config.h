// The session configuration with which results depend on the graph alone, bit for bit.
#pragma once

#include <cstdint>
#include <string>

namespace tideline::runtime {

/// An encoded ConfigProto: one thread within an op and one between ops, no graph optimizer, no
/// optimization of memory, no constant folding, and soft placement of ops whose device is missing.
/// TensorFlow makes one CPU device unless it is told of more.
[[nodiscard]] std::string session_config(std::int32_t cpu_devices = 1);

}  // namespace tideline::runtime
