// Field numbers of the messages in event files, for those read without generated protobuf code.
#pragma once

#include <cstdint>

namespace tideline::events {

namespace event {
inline constexpr std::uint32_t kWallTime = 1, kStep = 2, kFileVersion = 3, kGraphDef = 4,
                               kSummary = 5, kLogMessage = 6, kSessionLog = 7,
                               kTaggedRunMetadata = 8, kMetaGraphDef = 9;
}  // namespace event

namespace summary {
inline constexpr std::uint32_t kValue = 1;
}  // namespace summary

namespace summary_value {
inline constexpr std::uint32_t kTag = 1, kSimpleValue = 2, kTensor = 8, kMetadata = 9;
}  // namespace summary_value

namespace summary_metadata {
inline constexpr std::uint32_t kPluginData = 1;
inline constexpr std::uint32_t kPluginName = 1;  // in PluginData
}  // namespace summary_metadata

namespace tensor {
inline constexpr std::uint32_t kStringValue = 8;
}  // namespace tensor

namespace tagged {
inline constexpr std::uint32_t kTag = 1, kRunMetadata = 2;
}  // namespace tagged

namespace run_metadata {
inline constexpr std::uint32_t kPartitionGraph = 3, kFunctionGraphs = 4;
// in FunctionGraphs
inline constexpr std::uint32_t kFunctionPartition = 1, kBeforeOptimization = 2,
                               kAfterOptimization = 3;
}  // namespace run_metadata

}  // namespace tideline::events
