// A member of a zip archive, unpacked while it is read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/base/units.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// Reads from the beginning to the end, in any steps; a step back starts anew. Its memory does not
/// depend on the sizes. Thread: not shared.
class InflatedFile {
 public:
  /// The member `packing` of `file`, of `bytes` bytes when unpacked. Both must outlive it.
  InflatedFile(const InputFile& file, const Packing& packing, Bytes bytes);
  ~InflatedFile();
  InflatedFile(const InflatedFile&) = delete;
  InflatedFile& operator=(const InflatedFile&) = delete;

  /// Reads unpacked bytes [at, at + size). Whoever reads the last one has compared the checksum.
  /// Errors: kIo; kCorrupt for what does not unpack to that many bytes of that checksum.
  /// Precondition: the range lies within the member.
  [[nodiscard]] Status read(Bytes at, char* to, std::size_t size);

 private:
  struct Inflater;
  [[nodiscard]] Status start();
  [[nodiscard]] Status unpack(char* to, std::size_t size);
  [[nodiscard]] Status fill();
  [[nodiscard]] Status finish();

  const InputFile& file_;
  const Packing& packing_;
  Bytes bytes_;
  Bytes at_ = 0;         // unpacked bytes that were read
  Bytes packed_at_ = 0;  // packed bytes that were read
  std::uint32_t crc_ = 0;
  std::string buffer_;
  std::unique_ptr<Inflater> inflater_;
};

/// The most bytes that a member of `packed` packed bytes can have when unpacked.
[[nodiscard]] Bytes most_unpacked_bytes(Packing::Kind kind, Bytes packed);

}  // namespace tideline::checkpoint
