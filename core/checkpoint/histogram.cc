// The first pass finds the range, the second counts. Halves of the numbers are subtracted, because
// the range of doubles itself may be no double.
// Tested by unit/checkpoint/histogram_test.cc.
#include "core/checkpoint/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstring>

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

}  // namespace

Result<Histogram> histogram_of(DataFiles& files, const StoredTensor& tensor, std::size_t bins,
                               Progress& progress) {
  const ElementFamily family = element_family(tensor.type);
  if (family == ElementFamily::kComplex) {
    return fail(Code::kUnsupported, "tensor '{}' is {}; expected numbers that have an order",
                printable(tensor.name), type_name(tensor));
  }
  Histogram found;
  bool has_any = false;
  TIDELINE_RETURN_IF_ERROR(pass(files, tensor, "finding the range", progress, [&](double value) {
    if (!std::isfinite(value)) {
      ++found.left_out;
      return;
    }
    if (!has_any || value < found.least) found.least = value;
    if (!has_any || value > found.most) found.most = value;
    has_any = true;
  }));
  if (!has_any) return found;
  const double half_range = found.most / 2 - found.least / 2;
  std::size_t count = half_range > 0 ? std::clamp<std::size_t>(bins, 1, kMostBins) : 1;
  if (family != ElementFamily::kFloat && 2 * half_range + 1 < static_cast<double>(count)) {
    count = static_cast<std::size_t>(2 * half_range) + 1;
  }
  found.counts.assign(count, 0);
  TIDELINE_RETURN_IF_ERROR(pass(files, tensor, "counting", progress, [&](double value) {
    if (!std::isfinite(value)) return;
    const double share = half_range > 0 ? (value / 2 - found.least / 2) / half_range : 0;
    const auto bin = static_cast<std::size_t>(share * static_cast<double>(count));
    ++found.counts[std::min(bin, count - 1)];
  }));
  return found;
}

}  // namespace tideline::checkpoint
