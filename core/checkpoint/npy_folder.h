// Reads and writes checkpoints as folders of .npy files, one a tensor.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// The file of a tensor: its name as folders and a file with ".npy". Bytes other than letters,
/// digits and ".-_+ " become %XX, likewise a dot at the beginning of a part; an empty part is "%".
[[nodiscard]] std::string npy_file_name(std::string_view tensor);
/// The tensor of a file. Inverse of npy_file_name; names that it never makes are taken as they are.
[[nodiscard]] std::string npy_tensor_name(std::string_view file);

/// Whether `folder` has .npy files, or the description that write_npy_folder leaves there.
[[nodiscard]] bool is_npy_folder(const std::string& folder);

/// Opens every .npy file below `folder`; links and hidden files are not followed. Checksums, types
/// that NumPy lacks and strings are in the file tideline.json, if there is one.
/// Errors: those of parse_npy_head, naming the file; kNotFound, kIo; kCorrupt for a description
/// that does not match. Cost: one open file a tensor.
[[nodiscard]] Result<Checkpoint> open_npy_folder(const std::string& folder);

/// Checks, before long work begins, whether write_npy_folder would refuse `folder` as things are
/// now.
[[nodiscard]] Status check_npy_output(const std::string& folder, bool replace);

/// Writes all tensors of `source`, whole or not at all. With `replace` an existing folder is
/// replaced if it holds nothing but such files. Errors: those of OutputFolder and of reading;
/// kUnsupported for types without a size and for names longer than a file system takes; kCancelled.
[[nodiscard]] Status write_npy_folder(const Checkpoint& source, const std::string& folder,
                                      bool replace, Progress& progress);

}  // namespace tideline::checkpoint
