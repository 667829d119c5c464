// Attributes that stand on `_Arg` ops of captured variables when a SavedModel's function is opened.
// SavedModels have them elsewhere; a function that is written as a graph of its own keeps them.
#pragma once

namespace tideline {

inline constexpr const char* kSavedName = "_saved_variable";  ///< name of the variable
inline constexpr const char* kSavedPath = "_saved_path";      ///< of objects, "model/dense/kernel"
inline constexpr const char* kSavedTrainable = "_saved_trainable";  ///< made to be trained

}  // namespace tideline
