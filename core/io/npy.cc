#include "core/io/npy.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "core/base/bytes.h"
#include "core/base/text.h"
#include "core/graph/element_type.h"

namespace tideline::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
// Far more than a head with a shape needs; format 2.0 could declare 4 GiB.
constexpr std::size_t kMostHeadBytes = kMostNpyHeadBytes - 12;
constexpr std::size_t kMostDims = 254;  // TensorFlow's limit

struct NpyType {
  DataType type;
  std::string_view descr;  // without the byte order
};
constexpr std::array kNpyTypes = {
    NpyType{DataType::kFloat, "f4"},     NpyType{DataType::kDouble, "f8"},
    NpyType{DataType::kHalf, "f2"},      NpyType{DataType::kBool, "b1"},
    NpyType{DataType::kInt8, "i1"},      NpyType{DataType::kInt16, "i2"},
    NpyType{DataType::kInt32, "i4"},     NpyType{DataType::kInt64, "i8"},
    NpyType{DataType::kUint8, "u1"},     NpyType{DataType::kUint16, "u2"},
    NpyType{DataType::kUint32, "u4"},    NpyType{DataType::kUint64, "u8"},
    NpyType{DataType::kComplex64, "c8"}, NpyType{DataType::kComplex128, "c16"},
};

// The head is a Python dict of three known entries, in any order.
class HeadReader {
 public:
  explicit HeadReader(std::string_view text) : text_(text) {}

  Status read(NpyHead& array) {
    if (!take('{')) return bad("'{'");
    while (!take('}')) {
      std::string_view key;
      if (!quoted(key)) return bad("a key in quotes");
      if (!take(':')) return bad("':'");
      TIDELINE_RETURN_IF_ERROR(entry(key, array));
      if (!take(',') && (skip_blanks(), at_ >= text_.size() || text_[at_] != '}')) {
        return bad("',' or '}'");
      }
    }
    skip_blanks();
    if (at_ != text_.size()) return bad("nothing after '}'");
    if (!has_type_ || !has_order_ || !has_shape_) {
      return fail(Code::kCorrupt, "the header lacks one of descr, fortran_order and shape");
    }
    return {};
  }

 private:
  Status entry(std::string_view key, NpyHead& array) {
    if (key == "descr") return descr(array);
    if (key == "shape") return shape(array);
    if (key != "fortran_order") {
      return fail(Code::kCorrupt, "unknown entry '{}' in the header", printable(key));
    }
    has_order_ = true;
    if (word("False")) return {};
    if (!word("True")) return bad("True or False");
    return fail(Code::kUnsupported,
                "the elements are in column-major order; expected row-major order (save it with "
                "numpy.ascontiguousarray)");
  }

  Status descr(NpyHead& array) {
    std::string_view text;
    if (!quoted(text)) {
      return fail(Code::kUnsupported, "the elements are records; expected single numbers");
    }
    if (text.starts_with('>')) {
      return fail(Code::kUnsupported,
                  "element type '{}' is big endian; expected little endian (save it with "
                  "astype(dtype.newbyteorder('<')))",
                  printable(text));
    }
    const std::string_view plain = text.find_first_of("<|=") == 0 ? text.substr(1) : text;
    for (const NpyType& known : kNpyTypes) {
      if (known.descr == plain) {
        array.type = known.type;
        has_type_ = true;
        return {};
      }
    }
    return fail(Code::kUnsupported,
                "element type '{}'; expected a bool, integer, float or complex type that "
                "TensorFlow has",
                printable(text));
  }

  Status shape(NpyHead& array) {
    if (!take('(')) return bad("'('");
    array.dims.clear();
    while (!take(')')) {
      std::int64_t dim = 0;
      skip_blanks();
      const auto [end, error] =
          std::from_chars(text_.data() + at_, text_.data() + text_.size(), dim);
      if (error != std::errc() || dim < 0) return bad("a dimension");
      at_ = static_cast<std::size_t>(end - text_.data());
      array.dims.push_back(dim);
      if (array.dims.size() > kMostDims) {
        return fail(Code::kUnsupported, "more than {} dimensions", kMostDims);
      }
      if (!take(',') && (skip_blanks(), at_ >= text_.size() || text_[at_] != ')')) {
        return bad("',' or ')'");
      }
    }
    has_shape_ = true;
    return {};
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view wanted) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }
  bool quoted(std::string_view& inside) {
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return false;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return false;
    inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }
  [[nodiscard]] tl::unexpected<Error> bad(const char* expected) const {
    return fail(Code::kCorrupt, "byte {} of the header: expected {}", at_, expected);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool has_type_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

Status read_parts(NpyArray& array) {
  const std::string_view all = array.source->bytes();
  TIDELINE_TRY(NpyHead head, parse_npy_head(all));
  array.type = head.type;
  array.dims = std::move(head.dims);
  array.content = all.substr(head.bytes);
  const auto wanted = tensor_content_bytes(array.type, array.dims);
  if (!wanted) return fail(Code::kCorrupt, "the shape has more elements than 64 bits can count");
  if (static_cast<std::uint64_t>(*wanted) != array.content.size()) {
    return fail(Code::kCorrupt, "{} has {} bytes of elements, the file holds {}",
                describe(array.type, Shape::of(array.dims)), *wanted, array.content.size());
  }
  return {};
}

}  // namespace

Result<NpyHead> parse_npy_head(std::string_view file) {
  if (!file.starts_with(kMagic)) {
    return fail(Code::kCorrupt, "not an .npy file; expected one written by numpy.save");
  }
  const auto byte = [&](std::size_t at) {
    return std::size_t{static_cast<unsigned char>(file[at])};
  };
  if (file.size() < 12) return fail(Code::kCorrupt, "the file ends inside its header");
  const std::size_t major = byte(6);
  if (major < 1 || major > 3) {
    return fail(Code::kUnsupported, "format {}.{}; expected 1.0, 2.0 or 3.0", major, byte(7));
  }
  const std::size_t start = major > 1 ? 12 : 10;
  const std::size_t bytes = from_little_endian(file.substr(8, start - 8));
  if (bytes > kMostHeadBytes) {
    return fail(Code::kUnsupported, "a header of {} bytes; expected at most {}", bytes,
                kMostHeadBytes);
  }
  if (file.size() - start < bytes) return fail(Code::kCorrupt, "the file ends inside its header");
  NpyHead head;
  TIDELINE_RETURN_IF_ERROR(HeadReader(file.substr(start, bytes)).read(head));
  head.bytes = start + bytes;
  return head;
}

Result<NpyArray> read_npy(const std::string& path, SharedBytes bytes) {
  NpyArray array;
  array.source = std::move(bytes);
  if (Status status = read_parts(array); !status) {
    return tl::unexpected(with_context(std::move(status).error(), path));
  }
  return array;
}

Result<NpyArray> read_npy(const std::string& path) {
  TIDELINE_TRY(SharedBytes bytes, open_bytes(path, Pipes::kRead));
  return read_npy(path, std::move(bytes));
}

Result<std::string> npy_head(DataType type, const std::vector<std::int64_t>& dims) {
  std::string_view descr;
  for (const NpyType& known : kNpyTypes) {
    if (known.type == type) descr = known.descr;
  }
  if (descr.empty()) {
    return fail(Code::kUnsupported, "NumPy has no element type {}", element_type_name(type));
  }
  std::string shape;
  for (const std::int64_t dim : dims) shape += fmt::format("{}, ", dim);
  if (dims.size() > 1) shape.resize(shape.size() - 2);
  if (dims.size() == 1) shape.pop_back();
  std::string dict =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                  descr.back() == '1' && descr.size() == 2 ? '|' : '<', descr, shape);
  // Elements begin at a multiple of 64, and the head ends with a line.
  constexpr std::size_t kPrefix = 10;
  while ((kPrefix + dict.size() + 1) % 64 != 0) dict += ' ';
  dict += '\n';
  std::string head(kMagic);
  head += '\x01';
  head += '\0';
  append_little_endian(head, static_cast<std::uint16_t>(dict.size()));
  return head + dict;
}

}  // namespace tideline::io
