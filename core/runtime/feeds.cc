// Problem: two programs that train a graph must see the same data, and so must two runs.
// Idea: a generated value is a pure function of the feed's name, the step and the position in the
// tensor: a hash of name and step seeds a small generator (splitmix64), which gives one number for
// each position. Floats use the upper 53 bits, integers the remainder by `max`; its bias is below
// max / 2^64 and negligible here. Narrow floats are rounded to nearest, ties to even, as NumPy
// does.
// Cost: O(elements).
// Source: splitmix64 is by Guy Steele, Doug Lea and Christine Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014; FNV-1a by Fowler, Noll and Vo. Kinds and ranges are chosen as in
// the project's comparison script for TensorFlow.
// Tested by tests/unit/runtime/feeds_test.cc.
#include "core/runtime/feeds.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/base/parse.h"
#include "core/base/text.h"

namespace tideline::runtime {
namespace {

// Limit on the values of one step, above any device memory: larger values are typing errors.
constexpr Bytes kMostBytes = Bytes{1} << 40U;

class Numbers {
 public:
  Numbers(std::string_view name, std::int64_t step) : state_(hash(name)) {
    state_ += (static_cast<std::uint64_t>(step) + 1) * 0xd1342543de82ef95U;
    state_ = next();
  }

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  // Uniform in [0, 1).
  double fraction() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

 private:
  static std::uint64_t hash(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const char c : text) {
      value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    return value;
  }

  std::uint64_t state_;
};

std::uint16_t to_half(double number) {
  constexpr double kLeastNormal = 0x1.0p-14;
  if (number == 0) return 0;
  if (number < kLeastNormal) {
    return static_cast<std::uint16_t>(std::nearbyint(std::ldexp(number, 24)));
  }
  int exponent = 0;
  const double fraction = std::frexp(number, &exponent);            // in [0.5, 1)
  const double rounded = std::nearbyint(std::ldexp(fraction, 11));  // in [1024, 2048]
  const int biased = exponent + 14;
  const auto bits = static_cast<std::int64_t>(rounded) - 1024 + (std::int64_t{biased} << 10);
  return static_cast<std::uint16_t>(std::min<std::int64_t>(bits, 0x7c00));
}

std::uint16_t to_bfloat16(double number) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
}

template <typename Element>
void put(std::string& out, std::size_t index, Element element) {
  std::memcpy(out.data() + index * sizeof element, &element, sizeof element);
}

void put_float(std::string& out, std::size_t index, DataType type, double number) {
  switch (type) {
    case DataType::kDouble: put(out, index, number); break;
    case DataType::kHalf: put(out, index, to_half(number)); break;
    case DataType::kBfloat16: put(out, index, to_bfloat16(number)); break;
    default: put(out, index, static_cast<float>(number)); break;
  }
}

void put_integer(std::string& out, std::size_t index, std::int64_t size, std::uint64_t number) {
  switch (size) {
    case 1: put(out, index, static_cast<std::uint8_t>(number)); break;
    case 2: put(out, index, static_cast<std::uint16_t>(number)); break;
    case 4: put(out, index, static_cast<std::uint32_t>(number)); break;
    default: put(out, index, number); break;
  }
}

bool is_float(DataType type) {
  return type == DataType::kFloat || type == DataType::kDouble || type == DataType::kHalf ||
         type == DataType::kBfloat16;
}

std::uint64_t largest(DataType type) {
  const auto bits = static_cast<unsigned>(8 * element_bytes(type).value_or(1));
  const bool is_signed = type == DataType::kInt8 || type == DataType::kInt16 ||
                         type == DataType::kInt32 || type == DataType::kInt64;
  return ~std::uint64_t{0} >> (64 - bits + (is_signed ? 1 : 0));
}

TensorValue generate(const FeedRequest& feed, std::int64_t step) {
  TensorValue value{feed.type, feed.dims, {}};
  value.content.resize(
      static_cast<std::size_t>(tensor_content_bytes(feed.type, feed.dims).value_or(0)));
  const auto count = static_cast<std::size_t>(value.element_count());
  Numbers numbers(feed.name.substr(0, feed.name.rfind(":0")), step);
  if (feed.type == DataType::kBool) {
    value.content.assign(count, feed.max >= 1 ? '\1' : '\0');
  } else if (is_float(feed.type)) {
    for (std::size_t i = 0; i < count; ++i) {
      put_float(value.content, i, feed.type, feed.min + numbers.fraction() * (feed.max - feed.min));
    }
  } else {
    const auto range = feed.max >= 1 ? static_cast<std::uint64_t>(feed.max) : 1;
    const std::int64_t size = element_bytes(feed.type).value_or(1);
    for (std::size_t i = 0; i < count; ++i) {
      put_integer(value.content, i, size, numbers.next() % range);
    }
  }
  return value;
}

bool parse_dims(std::string_view text, std::vector<std::int64_t>& dims) {
  while (!text.empty()) {
    std::int64_t dim = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dim);
    if (error != std::errc() || dim < 0) return false;
    dims.push_back(dim);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return true;
    if (text.front() != 'x' || text.size() == 1) return false;
    text.remove_prefix(1);
  }
  return true;
}

Status parse_generated(std::string_view rest, FeedRequest& feed) {
  const std::size_t colon = rest.find(':');
  if (!parse_dims(rest.substr(0, colon), feed.dims)) {
    return fail(Code::kInvalidArgument, "shape '{}'; expected dims like 8x32, or none for a scalar",
                printable(rest.substr(0, colon)));
  }
  const auto bytes = tensor_content_bytes(feed.type, feed.dims);
  if (!bytes || *bytes > kMostBytes) {
    return fail(Code::kInvalidArgument, "shape '{}' is too large",
                printable(rest.substr(0, colon)));
  }
  if (colon == std::string_view::npos) return {};
  const std::string_view max = rest.substr(colon + 1);
  const auto most = parse_as<double>(max);
  if (!most || !(*most >= 0) || !std::isfinite(*most)) {
    return fail(Code::kInvalidArgument, "MAX '{}'; expected a number of at least 0",
                printable(max));
  }
  feed.max = *most;
  if (!is_float(feed.type) && feed.type != DataType::kBool &&
      feed.max > static_cast<double>(largest(feed.type))) {
    return fail(Code::kInvalidArgument, "MAX {} is more than {} holds", printable(max),
                element_type_name(feed.type));
  }
  return {};
}

}  // namespace

Result<FeedRequest> parse_feed(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return fail(Code::kInvalidArgument, "{}: expected NAME=FILE.npy or NAME=DTYPE:SHAPE[:MAX]",
                printable(text));
  }
  FeedRequest feed;
  feed.name = text.substr(0, equals);
  const std::string_view right = std::string_view(text).substr(equals + 1);
  const std::size_t colon = right.find(':');
  const auto type = parse_element_type(right.substr(0, colon));
  if (colon == std::string_view::npos || !type) {
    feed.path = right;
    return feed;
  }
  if (*type == DataType::kComplex64 || *type == DataType::kComplex128) {
    return fail(Code::kInvalidArgument, "{}: complex numbers are fed from a .npy file only",
                printable(text));
  }
  feed.type = *type;
  if (Status status = parse_generated(right.substr(colon + 1), feed); !status) {
    return tl::unexpected(with_context(std::move(status).error(), printable(text)));
  }
  return feed;
}

Result<Feed> Feed::open(FeedRequest request) {
  Feed feed;
  feed.request_ = std::move(request);
  if (feed.request_.path.empty()) return feed;
  TIDELINE_TRY(feed.file_, io::read_npy(feed.request_.path));
  if (feed.file_.dims.empty()) {
    return fail(Code::kInvalidArgument,
                "{}: holds a single number; expected an array whose first axis counts the steps",
                feed.request_.path);
  }
  feed.request_.type = feed.file_.type;
  feed.steps_ = feed.file_.dims.front();
  feed.request_.dims.assign(feed.file_.dims.begin() + 1, feed.file_.dims.end());
  return feed;
}

std::string Feed::source() const {
  if (!request_.path.empty()) return request_.path;
  std::string dims;
  for (const std::int64_t dim : request_.dims) dims += fmt::format("x{}", dim);
  return fmt::format("{}:{}", element_type_name(request_.type),
                     dims.empty() ? dims : dims.substr(1));
}

Result<TensorValue> Feed::value(std::int64_t step) const {
  if (!steps_) return generate(request_, step);
  if (step >= *steps_) {
    return fail(Code::kInvalidArgument,
                "{}: has values for {} steps (its first axis), and step {} was asked for",
                request_.path, *steps_, step);
  }
  TensorValue value{request_.type, request_.dims, {}};
  const std::size_t size = file_.content.size() / static_cast<std::size_t>(*steps_);
  value.content = file_.content.substr(static_cast<std::size_t>(step) * size, size);
  return value;
}

}  // namespace tideline::runtime
