// Tested by unit/checkpoint/statistics_test.cc.
#include "core/checkpoint/compare.h"

#include <algorithm>
#include <cmath>

#include "core/checkpoint/moved_tensors.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

void compare_parts(std::string_view a, std::string_view b, std::int64_t before, DataType type,
                   bool& has_nan, TensorDifference& found) {
  const auto size = static_cast<std::size_t>(element_bytes(type).value_or(1));
  for (std::size_t at = 0; at + size <= a.size(); at += size) {
    const std::string_view left = a.substr(at, size);
    const std::string_view right = b.substr(at, size);
    if (left == right) continue;
    if (found.different++ == 0)
      found.first_different = before + static_cast<std::int64_t>(at / size);
    const auto x = element_number(type, left);
    const auto y = element_number(type, right);
    if (!x || !y) continue;
    has_nan = has_nan || std::isnan(*x) || std::isnan(*y);
    found.largest = std::max(found.largest.value_or(0), *x == *y ? 0 : std::abs(*x - *y));
  }
}

Status compare_numbers(DataFiles& first, DataFiles& second, Progress& progress,
                       TensorDifference& found) {
  TensorStream a(first, *found.first);
  TensorStream b(second, *found.second);
  bool has_nan = false;
  std::int64_t elements = 0;
  while (true) {
    if (!progress.report("comparing", elements, found.first->element_count())) return cancelled();
    TIDELINE_TRY(const std::string_view left, a.next());
    TIDELINE_TRY(const std::string_view right, b.next());
    if (left.empty()) break;
    if (left != right) compare_parts(left, right, elements, found.first->type, has_nan, found);
    elements += static_cast<std::int64_t>(left.size()) / *element_bytes(found.first->type);
  }
  if (has_nan) found.largest.reset();
  if (found.different > 0) found.change = TensorChange::kValues;
  return {};
}

// Compares tensors of a type whose values are not decoded, as they lie on disk.
Status compare_stored(DataFiles& first, DataFiles& second, TensorDifference& found) {
  const Piece& a = found.first->pieces.front();
  const Piece& b = found.second->pieces.front();
  std::string left;
  std::string right;
  for (Bytes at = 0; at < a.bytes && a.bytes == b.bytes && left == right;
       at += static_cast<Bytes>(left.size())) {
    const auto size = std::min<Bytes>(a.bytes - at, Bytes{TensorStream::kPartBytes});
    char none = 0;
    TIDELINE_RETURN_IF_ERROR(first.read(a, 0, &none, 1));
    TIDELINE_RETURN_IF_ERROR(second.read(b, 0, &none, 1));
    left.resize(static_cast<std::size_t>(size));
    right.resize(left.size());
    TIDELINE_RETURN_IF_ERROR(first.read(a, at, left.data(), left.size()));
    TIDELINE_RETURN_IF_ERROR(second.read(b, at, right.data(), right.size()));
  }
  if (a.bytes != b.bytes || left != right) found.change = TensorChange::kBytes;
  return {};
}

Status compare_strings(DataFiles& first, DataFiles& second, TensorDifference& found) {
  TIDELINE_TRY(const std::vector<std::string> left, read_strings(first, *found.first));
  TIDELINE_TRY(const std::vector<std::string> right, read_strings(second, *found.second));
  for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
    if (left[i] == right[i]) continue;
    if (found.different++ == 0) found.first_different = static_cast<std::int64_t>(i);
    found.change = TensorChange::kValues;
  }
  return {};
}

// Compares tensors that have one name in both checkpoints.
Status compare_tensors(DataFiles& first, DataFiles& second, Progress& progress,
                       TensorDifference& found) {
  const StoredTensor& a = *found.first;
  const StoredTensor& b = *found.second;
  if (a.type != b.type || a.foreign_type != b.foreign_type) {
    found.change = TensorChange::kType;
  } else if (a.dims != b.dims) {
    found.change = TensorChange::kShape;
  } else {
    return compare_values(first, second, progress, found);
  }
  return {};
}

}  // namespace

Status compare_values(DataFiles& first, DataFiles& second, Progress& progress,
                      TensorDifference& found) {
  if (found.first->type == DataType::kString) return compare_strings(first, second, found);
  if (element_bytes(found.first->type).value_or(0) == 0) {
    return compare_stored(first, second, found);
  }
  return compare_numbers(first, second, progress, found);
}

const char* change_name(TensorChange change) {
  switch (change) {
    case TensorChange::kEqual: return "equal";
    case TensorChange::kValues: return "values";
    case TensorChange::kBytes: return "bytes";
    case TensorChange::kShape: return "shape";
    case TensorChange::kType: return "type";
    case TensorChange::kOnlyFirst: return "only in the first";
    case TensorChange::kOnlySecond: return "only in the second";
  }
  return "";
}

Result<std::vector<TensorDifference>> compare(const Checkpoint& first, const Checkpoint& second,
                                              Progress& progress) {
  DataFiles first_files(first);
  DataFiles second_files(second);
  std::vector<TensorDifference> differences;
  auto a = first.tensors.begin();
  auto b = second.tensors.begin();
  while (a != first.tensors.end() || b != second.tensors.end()) {
    TensorDifference& found = differences.emplace_back();
    const bool takes_first =
        b == second.tensors.end() || (a != first.tensors.end() && a->name <= b->name);
    const bool takes_second =
        a == first.tensors.end() || (b != second.tensors.end() && b->name <= a->name);
    if (takes_first) found.first = &*a++;
    if (takes_second) found.second = &*b++;
    found.name = takes_first ? found.first->name : found.second->name;
    if (!takes_second) {
      found.change = TensorChange::kOnlyFirst;
    } else if (!takes_first) {
      found.change = TensorChange::kOnlySecond;
    } else {
      TIDELINE_RETURN_IF_ERROR(compare_tensors(first_files, second_files, progress, found));
    }
  }
  TIDELINE_RETURN_IF_ERROR(mark_moved(first_files, second_files, progress, differences));
  return differences;
}

}  // namespace tideline::checkpoint
