// Field numbers of the messages that are read and written without generated protobuf code.
#pragma once

#include <cstdint>

namespace tideline::io {

namespace graph_def {
inline constexpr std::uint32_t kNode = 1, kLibrary = 2, kVersion = 3, kVersions = 4;
}  // namespace graph_def

namespace version_def {
inline constexpr std::uint32_t kProducer = 1;
}  // namespace version_def

namespace function_library {
inline constexpr std::uint32_t kFunction = 1;
}  // namespace function_library

namespace function_def {
inline constexpr std::uint32_t kSignature = 1, kNode = 3, kResult = 4, kAttr = 5,
                               kControlResult = 6, kArgumentAttributes = 7;
inline constexpr std::uint32_t kName = 1;  // in the signature
}  // namespace function_def

namespace node_def {
inline constexpr std::uint32_t kName = 1, kOp = 2, kInput = 3, kDevice = 4, kAttr = 5;
}  // namespace node_def

namespace map_entry {
inline constexpr std::uint32_t kKey = 1, kValue = 2;
}  // namespace map_entry

namespace attr_value {
inline constexpr std::uint32_t kList = 1, kString = 2, kInt = 3, kFloat = 4, kBool = 5, kType = 6,
                               kShape = 7, kTensor = 8, kPlaceholder = 9, kFunction = 10;
inline constexpr std::uint32_t kListFunction = 9;  // in ListValue
}  // namespace attr_value

namespace tensor_shape {
inline constexpr std::uint32_t kDim = 2, kUnknownRank = 3;
inline constexpr std::uint32_t kDimSize = 1;
}  // namespace tensor_shape

namespace tensor_proto {
inline constexpr std::uint32_t kType = 1, kShape = 2, kContent = 4, kFloats = 5, kDoubles = 6,
                               kInts = 7, kStrings = 8, kComplex64s = 9, kInt64s = 10, kBools = 11,
                               kComplex128s = 12, kHalfs = 13, kUint32s = 16, kUint64s = 17;
}  // namespace tensor_proto

namespace meta_graph_def {
inline constexpr std::uint32_t kMetaInfo = 1, kGraph = 2, kSaver = 3, kCollection = 4;
inline constexpr std::uint32_t kStrippedOpList = 2, kTags = 4;  // in MetaInfoDef
inline constexpr std::uint32_t kOpListOp = 1;                   // in OpList
}  // namespace meta_graph_def

namespace saved_model {
inline constexpr std::uint32_t kSchemaVersion = 1, kMetaGraphs = 2;
}  // namespace saved_model

}  // namespace tideline::io
