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
inline constexpr std::uint32_t kTag = 1, kSimpleValue = 2, kOldHistogram = 3, kImage = 4,
                               kHistogram = 5, kAudio = 6, kNodeName = 7, kTensor = 8,
                               kMetadata = 9;
}  // namespace summary_value

namespace summary_metadata {
inline constexpr std::uint32_t kPluginData = 1;
inline constexpr std::uint32_t kDisplayName = 2, kDescription = 3, kDataClass = 4;
inline constexpr std::uint32_t kPluginName = 1, kPluginContent = 2;  // in PluginData
}  // namespace summary_metadata

namespace histogram {
inline constexpr std::uint32_t kMin = 1, kMax = 2, kCount = 3, kSum = 4, kSumSquares = 5,
                               kLimits = 6, kCounts = 7;
}  // namespace histogram

namespace image {
inline constexpr std::uint32_t kHeight = 1, kWidth = 2, kColorSpace = 3, kEncoded = 4;
}  // namespace image

namespace audio {
inline constexpr std::uint32_t kSampleRate = 1, kChannels = 2, kFrames = 3, kEncoded = 4,
                               kContentType = 5;
}  // namespace audio

namespace session_log {
inline constexpr std::uint32_t kStatus = 1, kCheckpoint = 2, kMessage = 3;
}  // namespace session_log

namespace log_message {
inline constexpr std::uint32_t kLevel = 1, kMessage = 2;
}  // namespace log_message

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
