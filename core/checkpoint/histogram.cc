// The first pass finds the range, the second counts. Halves of the numbers are subtracted, because
// the range of doubles itself may be no double.
// Tested by unit/checkpoint/histogram_test.cc.
#include "core/checkpoint/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/base/text.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

// Calls `each` with every element of a part, as a double.
template <typename Each>
void for_each_number(DataType type, std::string_view part, const Each& each) {
  if (type == DataType::kFloat) {
    for (std::size_t at = 0; at + sizeof(float) <= part.size(); at += sizeof(float)) {
      float value = 0;
      std::memcpy(&value, part.data() + at, sizeof value);
      each(static_cast<double>(value));
    }
    return;
  }
  const auto size = static_cast<std::size_t>(element_bytes(type).value_or(1));
  for (std::size_t at = 0; at + size <= part.size(); at += size) {
    each(element_number(type, part.substr(at, size)).value_or(0));
  }
}

template <typename Each>
Status pass(DataFiles& files, const StoredTensor& tensor, const char* stage, Progress& progress,
            const Each& each) {
  Bytes done = 0;
  return for_each_part(files, tensor, [&](std::string_view part) -> Status {
    for_each_number(tensor.type, part, each);
    done += static_cast<Bytes>(part.size());
    if (!progress.report(stage, done, tensor.stored_bytes())) return cancelled();
    return {};
  });
}

Status check_order(const StoredTensor& tensor) {
  if (element_family(tensor.type) != ElementFamily::kComplex) return {};
  return fail(Code::kUnsupported, "tensor '{}' is {}; expected numbers that have an order",
              printable(tensor.name), type_name(tensor));
}

// The finite numbers of one tensor or of several.
struct Range {
  double least = 0, most = 0;
  bool has_any = false;

  void add(double value) {
    if (!has_any || value < least) least = value;
    if (!has_any || value > most) most = value;
    has_any = true;
  }
};

// Adds the numbers of a tensor; returns how many it has that are not finite.
Result<std::int64_t> add_range(const TensorSource& source, Progress& progress, Range& range) {
  TIDELINE_RETURN_IF_ERROR(check_order(*source.tensor));
  std::int64_t left_out = 0;
  TIDELINE_RETURN_IF_ERROR(
      pass(*source.files, *source.tensor, "finding the range", progress,
           [&](double value) { std::isfinite(value) ? range.add(value) : void(++left_out); }));
  return left_out;
}

std::size_t bins_of(const Range& range, std::size_t bins, bool is_whole) {
  const double half_range = range.most / 2 - range.least / 2;
  const std::size_t count = half_range > 0 ? std::clamp<std::size_t>(bins, 1, kMostBins) : 1;
  if (!is_whole || 2 * half_range + 1 >= static_cast<double>(count)) return count;
  return static_cast<std::size_t>(2 * half_range) + 1;
}

// Without counts if the tensor has no finite number.
Result<Histogram> count_numbers(const TensorSource& source, const Range& range, std::size_t count,
                                std::int64_t left_out, Progress& progress) {
  Histogram found{range.least, range.most, {}, left_out};
  const double half_range = range.most / 2 - range.least / 2;
  TIDELINE_RETURN_IF_ERROR(
      pass(*source.files, *source.tensor, "counting", progress, [&](double value) {
        if (!std::isfinite(value)) return;
        if (found.counts.empty()) found.counts.assign(count, 0);
        const double share = half_range > 0 ? (value / 2 - found.least / 2) / half_range : 0;
        const auto bin = static_cast<std::size_t>(share * static_cast<double>(count));
        ++found.counts[std::min(bin, count - 1)];
      }));
  return found;
}

bool is_whole(const StoredTensor& tensor) {
  return element_family(tensor.type) != ElementFamily::kFloat;
}

}  // namespace

Result<Histogram> histogram_of(DataFiles& files, const StoredTensor& tensor, std::size_t bins,
                               Progress& progress) {
  const TensorSource source{&files, &tensor};
  Range range;
  TIDELINE_TRY(const std::int64_t left_out, add_range(source, progress, range));
  if (!range.has_any) return Histogram{0, 0, {}, left_out};
  return count_numbers(source, range, bins_of(range, bins, is_whole(tensor)), left_out, progress);
}

Result<std::pair<Histogram, Histogram>> histograms_of(TensorSource first, TensorSource second,
                                                      std::size_t bins, Progress& progress) {
  Range range;
  TIDELINE_TRY(const std::int64_t out_of_first, add_range(first, progress, range));
  TIDELINE_TRY(const std::int64_t out_of_second, add_range(second, progress, range));
  if (!range.has_any) {
    return std::pair(Histogram{0, 0, {}, out_of_first}, Histogram{0, 0, {}, out_of_second});
  }
  const std::size_t count =
      bins_of(range, bins, is_whole(*first.tensor) && is_whole(*second.tensor));
  TIDELINE_TRY(Histogram of_first, count_numbers(first, range, count, out_of_first, progress));
  TIDELINE_TRY(Histogram of_second, count_numbers(second, range, count, out_of_second, progress));
  return std::pair(std::move(of_first), std::move(of_second));
}

}  // namespace tideline::checkpoint
