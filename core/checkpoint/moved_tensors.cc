// Tested by unit/checkpoint/moved_tensors_test.cc.
#include "core/checkpoint/moved_tensors.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "core/base/crc32c.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

using TensorKind = std::tuple<DataType, std::string, std::vector<std::int64_t>>;

TensorKind kind_of(const StoredTensor& tensor) {
  return {tensor.type, tensor.foreign_type, tensor.dims};
}

// The checksum of the tensor's content; nullopt for types whose values are not decoded.
Result<std::optional<std::uint32_t>> crc_of(DataFiles& files, const StoredTensor& tensor,
                                            Progress& progress) {
  if (tensor.type == DataType::kString) {
    if (!tensor.strings && tensor.pieces.size() == 1 && tensor.pieces.front().crc) {
      return tensor.pieces.front().crc;
    }
    TIDELINE_TRY(const std::vector<std::string> strings, read_strings(files, tensor));
    return std::optional(encode_strings(strings).crc);
  }
  if (element_bytes(tensor.type).value_or(0) == 0 && tensor.foreign_type.empty()) {
    return std::optional<std::uint32_t>();
  }
  TIDELINE_TRY(const std::uint32_t crc, content_crc(files, tensor, progress));
  return std::optional(crc);
}

// The kinds of tensors that `change` has, of which there can be a pair.
std::set<TensorKind> kinds_of(const std::vector<TensorDifference>& differences,
                              TensorChange change) {
  std::set<TensorKind> kinds;
  for (const TensorDifference& each : differences) {
    if (each.change != change) continue;
    const StoredTensor* tensor = each.first != nullptr ? each.first : each.second;
    if (count_elements(tensor->dims).value_or(0) > 0) kinds.insert(kind_of(*tensor));
  }
  return kinds;
}

// Equal checksums are not enough.
Result<bool> are_equal(DataFiles& first, DataFiles& second, Progress& progress,
                       const StoredTensor& a, const StoredTensor& b) {
  TensorDifference compared;
  compared.first = &a;
  compared.second = &b;
  TIDELINE_RETURN_IF_ERROR(compare_values(first, second, progress, compared));
  return compared.change == TensorChange::kEqual;
}

}  // namespace

Status mark_moved(DataFiles& first, DataFiles& second, Progress& progress,
                  std::vector<TensorDifference>& differences) {
  const std::set<TensorKind> left = kinds_of(differences, TensorChange::kOnlyFirst);
  const std::set<TensorKind> right = kinds_of(differences, TensorChange::kOnlySecond);
  // The last of each list is the next to be taken.
  std::map<std::pair<TensorKind, std::uint32_t>, std::vector<std::size_t>> waiting;
  for (std::size_t i = differences.size(); i-- > 0;) {
    const TensorDifference& each = differences[i];
    if (each.change != TensorChange::kOnlySecond || !left.contains(kind_of(*each.second))) continue;
    TIDELINE_TRY(const auto crc, crc_of(second, *each.second, progress));
    if (crc) waiting[{kind_of(*each.second), *crc}].push_back(i);
  }
  for (TensorDifference& each : differences) {
    if (each.change != TensorChange::kOnlyFirst || !right.contains(kind_of(*each.first))) continue;
    TIDELINE_TRY(const auto crc, crc_of(first, *each.first, progress));
    const auto found = crc ? waiting.find({kind_of(*each.first), *crc}) : waiting.end();
    if (found == waiting.end() || found->second.empty()) continue;
    const std::size_t other = found->second.back();
    TIDELINE_TRY(const bool is_equal,
                 are_equal(first, second, progress, *each.first, *differences[other].second));
    if (!is_equal) continue;
    found->second.pop_back();
    each.moved = differences[other].second;
    differences[other].moved = each.first;
  }
  return {};
}

}  // namespace tideline::checkpoint
