// Problem: of a large model often only a part changes from save to save: frozen layers, embeddings
//   that nobody looked up. Writing the rest again costs time and space.
// Idea: a checkpoint may have several data files, and a hard link gives a file of the previous
//   checkpoint a second name, as a data file of the new one. Both checkpoints are ordinary ones
//   then, whichever is removed first. Only whole files are taken over: no bytes lie about that
//   belong to no tensor. Tensors that are unchanged but share a file with others that are not are
//   written once more, into a file of their own (memory_tensors.cc), which the next save finds
//   whole. What changes together comes to lie together.
// Equal checksums are only the reason to look: the bytes in the file are compared with those in
//   memory, so that a file with a damage is not taken over either.
// Tested by: unit/checkpoint/taken_over_test.cc.
#include "core/checkpoint/taken_over.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

#include "core/checkpoint/data_files.h"

namespace tideline::checkpoint {
namespace {

constexpr std::size_t kTakenPartBytes = std::size_t{1} << 20U;

struct File {
  bool is_right = true;
  Bytes bytes = 0;
  std::vector<std::size_t> tensors;  // in memory
};

bool looks_equal(const StoredTensor& stored, const MemoryTensor& tensor, std::uint32_t crc) {
  return !stored.is_sliced && stored.pieces.size() == 1 && stored.type == tensor.type &&
         stored.dims == tensor.dims && stored.pieces.front().crc == crc &&
         stored.pieces.front().bytes == static_cast<Bytes>(tensor.bytes);
}

bool is_equal(DataFiles& files, const Piece& piece, const MemoryTensor& tensor,
              std::vector<char>& part) {
  part.resize(kTakenPartBytes);
  for (std::size_t at = 0; at < tensor.bytes; at += kTakenPartBytes) {
    const std::size_t size = std::min(kTakenPartBytes, tensor.bytes - at);
    if (!files.read(piece, static_cast<Bytes>(at), part.data(), size)) return false;
    if (std::memcmp(part.data(), tensor.data + at, size) != 0) return false;
  }
  return true;
}

}  // namespace

Result<TakenOver> find_taken_over(const Checkpoint& earlier,
                                  const std::vector<MemoryTensor>& tensors,
                                  const ChecksumOf& checksum_of, std::size_t most,
                                  Progress& progress) {
  TakenOver found;
  found.places.resize(tensors.size());
  found.is_unchanged.resize(tensors.size());
  std::map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < tensors.size(); ++i) by_name.emplace(tensors[i].name, i);
  std::vector<File> files(earlier.files.size());
  for (const StoredTensor& stored : earlier.tensors) {
    const auto now = by_name.find(stored.name);
    const bool same =
        now != by_name.end() && looks_equal(stored, tensors[now->second], checksum_of(now->second));
    for (const Piece& piece : stored.pieces) {
      File& file = files[piece.file];
      file.is_right = file.is_right && same;
      file.bytes = saturating_add(file.bytes, piece.bytes);
      if (same) file.tensors.push_back(now->second);
    }
    if (same) found.is_unchanged[now->second] = true;
  }
  std::vector<std::size_t> order(files.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return files[a].bytes > files[b].bytes; });
  DataFiles data(earlier);
  std::vector<char> part;
  for (const std::size_t number : order) {
    const File& file = files[number];
    if (!file.is_right || file.bytes == 0 || found.files.size() == most) continue;
    const bool is_whole = std::all_of(file.tensors.begin(), file.tensors.end(), [&](std::size_t i) {
      return is_equal(data, earlier.find(tensors[i].name)->pieces.front(), tensors[i], part);
    });
    if (!progress.report("comparing", static_cast<std::int64_t>(found.files.size()), 0)) {
      return cancelled();
    }
    if (!is_whole) continue;
    for (const std::size_t i : file.tensors) {
      found.places[i] = TakenOver::Place{found.files.size(),
                                         earlier.find(tensors[i].name)->pieces.front().offset};
    }
    found.files.push_back(earlier.files[number]);
  }
  return found;
}

}  // namespace tideline::checkpoint
