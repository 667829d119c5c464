// Problem: least, most and mean of a gigabyte of numbers of any type, in one pass over parts.
// Idea: one loop a family of types, with the type as a template parameter. Small floats are looked
//   up in a table of all their values. The mean adds up doubles by E. Neumaier's method (1974),
//   whose error does not grow with the number of elements.
// Tested by: unit/checkpoint/statistics_test.cc.
#include "core/checkpoint/statistics.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/checkpoint/tensor_stream.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

class Sum {
 public:
  void add(double value) {
    const double sum = sum_ + value;
    rest_ += std::abs(sum_) >= std::abs(value) ? (sum_ - sum) + value : (value - sum) + sum_;
    sum_ = sum;
  }
  [[nodiscard]] double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0;
  double rest_ = 0;
};

// Collects the numbers of type T that `load` makes of stored elements of type Stored.
template <typename T>
class Collector {
 public:
  void add(T value) {
    ++counts_.elements;
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) {
        ++counts_.nans;
        return;
      }
    }
    if (value < least_ || !has_any_) least_ = value;
    if (value > most_ || !has_any_) most_ = value;
    has_any_ = true;
    if (value == T{0}) ++counts_.zeros;
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isinf(value)) {
        ++counts_.infinities;
        return;
      }
    }
    sum_.add(static_cast<double>(value));
    ++finite_;
  }

  [[nodiscard]] Statistics result() const {
    Statistics found = counts_;
    if (has_any_) found.least = Number(least_);
    if (has_any_) found.most = Number(most_);
    if (finite_ > 0) found.mean = sum_.value() / static_cast<double>(finite_);
    return found;
  }

 private:
  Statistics counts_;
  T least_{};
  T most_{};
  bool has_any_ = false;
  std::int64_t finite_ = 0;
  Sum sum_;
};

template <typename Stored, typename Each>
void for_each_element(std::string_view part, const Each& each) {
  for (std::size_t at = 0; at + sizeof(Stored) <= part.size(); at += sizeof(Stored)) {
    Stored stored{};
    std::memcpy(&stored, part.data() + at, sizeof stored);
    each(stored);
  }
}

template <typename Each>
Status watch_parts(DataFiles& files, const StoredTensor& tensor, Progress& progress,
                   const Each& each) {
  Bytes done = 0;
  return for_each_part(files, tensor, [&](std::string_view part) -> Status {
    each(part);
    done += static_cast<Bytes>(part.size());
    if (!progress.report("reading", done, tensor.stored_bytes())) return cancelled();
    return {};
  });
}

template <typename Stored, typename T>
Result<Statistics> collect(DataFiles& files, const StoredTensor& tensor, Progress& progress) {
  Collector<T> collector;
  TIDELINE_RETURN_IF_ERROR(watch_parts(files, tensor, progress, [&](std::string_view part) {
    for_each_element<Stored>(part, [&](Stored value) { collector.add(static_cast<T>(value)); });
  }));
  return collector.result();
}

template <typename Stored>
Result<Statistics> collect_looked_up(DataFiles& files, const StoredTensor& tensor,
                                     Progress& progress) {
  std::vector<double> values(std::size_t{std::numeric_limits<Stored>::max()} + 1);
  for (std::size_t bits = 0; bits < values.size(); ++bits) {
    values[bits] = float_value(tensor.type, bits);
  }
  Collector<double> collector;
  TIDELINE_RETURN_IF_ERROR(watch_parts(files, tensor, progress, [&](std::string_view part) {
    for_each_element<Stored>(part, [&](Stored bits) { collector.add(values[bits]); });
  }));
  return collector.result();
}

template <typename Part>
Result<Statistics> count_complex(DataFiles& files, const StoredTensor& tensor, Progress& progress) {
  Statistics found;
  bool is_second = false;
  Part first{};
  TIDELINE_RETURN_IF_ERROR(watch_parts(files, tensor, progress, [&](std::string_view bytes) {
    for_each_element<Part>(bytes, [&](Part part) {
      is_second = !is_second;
      if (is_second) {
        first = part;
        return;
      }
      ++found.elements;
      if (std::isnan(first) || std::isnan(part)) {
        ++found.nans;
      } else if (std::isinf(first) || std::isinf(part)) {
        ++found.infinities;
      } else if (first == 0 && part == 0) {
        ++found.zeros;
      }
    });
  }));
  return found;
}

}  // namespace

std::string to_text(const Number& number) {
  return std::visit(
      [](auto value) {
        if constexpr (std::is_same_v<decltype(value), double>) {
          if (std::isnan(value)) return std::string("nan");
        }
        return fmt::format("{}", value);
      },
      number);
}

Result<Statistics> statistics_of(DataFiles& files, const StoredTensor& tensor, Progress& progress) {
  switch (tensor.type) {
    case DataType::kFloat: return collect<float, double>(files, tensor, progress);
    case DataType::kDouble: return collect<double, double>(files, tensor, progress);
    case DataType::kHalf:
    case DataType::kBfloat16: return collect_looked_up<std::uint16_t>(files, tensor, progress);
    case DataType::kFloat8E5m2:
    case DataType::kFloat8E4m3fn: return collect_looked_up<std::uint8_t>(files, tensor, progress);
    case DataType::kInt4:
    case DataType::kQint8:
    case DataType::kInt8: return collect<std::int8_t, std::int64_t>(files, tensor, progress);
    case DataType::kQint16:
    case DataType::kInt16: return collect<std::int16_t, std::int64_t>(files, tensor, progress);
    case DataType::kQint32:
    case DataType::kInt32: return collect<std::int32_t, std::int64_t>(files, tensor, progress);
    case DataType::kInt64: return collect<std::int64_t, std::int64_t>(files, tensor, progress);
    case DataType::kUint16:
    case DataType::kQuint16: return collect<std::uint16_t, std::uint64_t>(files, tensor, progress);
    case DataType::kUint32: return collect<std::uint32_t, std::uint64_t>(files, tensor, progress);
    case DataType::kUint64: return collect<std::uint64_t, std::uint64_t>(files, tensor, progress);
    case DataType::kComplex64: return count_complex<float>(files, tensor, progress);
    case DataType::kComplex128: return count_complex<double>(files, tensor, progress);
    // Bool, uint8, quint8, uint4; the stream refuses what is no number.
    default: return collect<std::uint8_t, std::uint64_t>(files, tensor, progress);
  }
}

}  // namespace tideline::checkpoint
