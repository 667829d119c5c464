// Reads and writes checkpoints as folders of .npy files, one a tensor.
#pragma once

#include <string>
#include <string_view>

namespace tideline::checkpoint {

/// The file of a tensor: its name as folders and a file with ".npy". Bytes other than letters,
/// digits and ".-_+ " become %XX, likewise a dot at the beginning of a part; an empty part is "%".
[[nodiscard]] std::string npy_file_name(std::string_view tensor);
/// The tensor of a file. Inverse of npy_file_name; names that it never makes are taken as they are.
[[nodiscard]] std::string npy_tensor_name(std::string_view file);

}  // namespace tideline::checkpoint
