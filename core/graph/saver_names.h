// What a MetaGraph calls the tensors and ops of its savers. The names stand among the lists of
// names of Collections, under keys that are the paths of their fields.
#pragma once

namespace tideline {

/// The names in the field saver_def and in the collection "savers", each once. An empty list and
/// none mean the same.
inline constexpr const char* kSaverFilenames = "saver_def.filename_tensor_name";
inline constexpr const char* kSaverSaveTensors = "saver_def.save_tensor_name";
inline constexpr const char* kSaverRestoreOps = "saver_def.restore_op_name";

}  // namespace tideline
