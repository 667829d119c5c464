// Reads .npz files: zip archives of .npy files, as numpy.savez writes them.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// Whether a file with this beginning, of at least 4096 bytes if it has them, is a zip archive
/// whose first member is a .npy file.
[[nodiscard]] bool begins_like_npz(std::string_view head);

/// Opens the .npy files in the archive, plain or deflated; a tensor has the name of its file
/// without the ending. Other members are left out and named in the notes. Members that share bytes,
/// and those that say they unpack to more than deflate can make, are refused. Only headers are
/// unpacked. Errors: kNotFound, kIo; kCorrupt; kUnsupported for encrypted members, other
/// compressions and those of parse_npy_head. Messages begin with the path.
[[nodiscard]] Result<Checkpoint> open_npz(const std::string& path);

}  // namespace tideline::checkpoint
