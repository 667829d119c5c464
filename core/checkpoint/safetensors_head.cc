// Problem: a header of a hundred megabytes is legal, and a tree of JSON values takes twenty times
// as
//   much, more if it is made for that.
// Idea: no tree. The parser reports values one after the other, and each entry becomes a tensor
// when
//   it ends; what belongs to no known field is passed over.
// Source: the format's description in the README of huggingface/safetensors, and its tensor.rs
//   (element types; limit of the header).
// Tested by: unit/checkpoint/safetensors_test.cc.
#include "core/checkpoint/safetensors_head.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/bytes.h"
#include "core/base/text.h"
#include "core/checkpoint/extras.h"
#include "core/checkpoint/format.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLengthBytes = 8;

struct NamedType {
  DataType type;
  const char* name;
};
constexpr std::array kTypes = {
    NamedType{DataType::kBool, "BOOL"},
    NamedType{DataType::kUint8, "U8"},
    NamedType{DataType::kInt8, "I8"},
    NamedType{DataType::kFloat8E5m2, "F8_E5M2"},
    NamedType{DataType::kFloat8E4m3fn, "F8_E4M3"},
    NamedType{DataType::kInt16, "I16"},
    NamedType{DataType::kUint16, "U16"},
    NamedType{DataType::kHalf, "F16"},
    NamedType{DataType::kBfloat16, "BF16"},
    NamedType{DataType::kInt32, "I32"},
    NamedType{DataType::kUint32, "U32"},
    NamedType{DataType::kFloat, "F32"},
    NamedType{DataType::kDouble, "F64"},
    NamedType{DataType::kInt64, "I64"},
    NamedType{DataType::kUint64, "U64"},
    NamedType{DataType::kComplex64, "C64"},
};

struct ForeignType {
  const char* name;
  std::int64_t bits;
};
constexpr std::array kForeignTypes = {
    ForeignType{"F4", 4},      ForeignType{"F6_E2M3", 6},     ForeignType{"F6_E3M2", 6},
    ForeignType{"F8_E8M0", 8}, ForeignType{"F8_E4M3FNUZ", 8}, ForeignType{"F8_E5M2FNUZ", 8},
};

tl::unexpected<Error> bad_head(const std::string& name, const char* field, const char* expected) {
  return fail(Code::kCorrupt, "tensor '{}': {}: expected {}", printable(name), field, expected);
}

// A list of numbers in the header.
struct NumberList {
  bool is_list = false;
  bool has_other = false;  // anything but a whole number that 63 bits can hold
  bool is_too_long = false;
  std::vector<std::int64_t> numbers;
};

// The entry of a tensor as it stands in the header.
struct Entry {
  std::string name;
  bool is_object = false;
  std::optional<std::string> type;
  NumberList shape;
  NumberList place;
};

Result<std::optional<Bytes>> set_type(const Entry& entry, StoredTensor& tensor) {
  if (!entry.type) return bad_head(entry.name, "dtype", "a type");
  const auto known = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const NamedType& each) { return each.name == *entry.type; });
  if (known != kTypes.end()) {
    tensor.type = known->type;
    return tensor_content_bytes(tensor.type, tensor.dims);
  }
  const auto foreign =
      std::find_if(kForeignTypes.begin(), kForeignTypes.end(),
                   [&](const ForeignType& each) { return each.name == *entry.type; });
  if (foreign == kForeignTypes.end()) {
    return fail(Code::kUnsupported, "tensor '{}': dtype: '{}'; expected a type of TensorFlow",
                printable(entry.name), printable(*entry.type));
  }
  tensor.foreign_type = foreign->name;
  return foreign_content_bytes(tensor.foreign_type, tensor.dims);
}

// `data_begin` and `data_bytes`: where the file's data begin, and how many there are.
Result<StoredTensor> make_tensor(Entry& entry, std::int64_t data_begin, std::int64_t data_bytes) {
  StoredTensor tensor;
  tensor.name = entry.name;
  if (!entry.is_object) return bad_head(entry.name, "its entry", "an object");
  if (!entry.type) return bad_head(entry.name, "dtype", "a type");
  if (entry.shape.is_list && entry.shape.has_other) {
    return bad_head(entry.name, "shape", "whole numbers");
  }
  tensor.dims = std::move(entry.shape.numbers);
  TIDELINE_TRY(const std::optional<Bytes> wanted, set_type(entry, tensor));
  if (!entry.shape.is_list || entry.shape.is_too_long) {
    return bad_head(entry.name, "shape", "a list of sizes");
  }
  if (!entry.place.is_list || entry.place.is_too_long ||
      (entry.place.numbers.size() != 2 && !entry.place.has_other)) {
    return bad_head(entry.name, "data_offsets", "two offsets");
  }
  if (entry.place.has_other) return bad_head(entry.name, "data_offsets", "whole numbers");
  const std::int64_t begin = entry.place.numbers[0];
  const std::int64_t end = entry.place.numbers[1];
  if (!wanted || !count_elements(tensor.dims) || end < begin || end - begin != *wanted) {
    return fail(Code::kCorrupt, "tensor '{}': {} does not take the bytes from {} to {}",
                printable(tensor.name), type_and_shape(tensor), begin, end);
  }
  if (end > data_bytes) {
    return fail(Code::kCorrupt, "tensor '{}': data_offsets: {}; the file has {} bytes of data",
                printable(tensor.name), end, data_bytes);
  }
  Piece piece;
  piece.offset = data_begin + begin;
  piece.bytes = *wanted;
  tensor.pieces.push_back(std::move(piece));
  return tensor;
}

// Takes the values of the header as the parser meets them. Depth 1 is inside the header's object, 2
// inside an entry's object, 3 inside one of its lists.
class HeadReader final : public nlohmann::json_sax<Json> {
 public:
  HeadReader(std::int64_t data_begin, std::int64_t data_bytes)
      : data_begin_(data_begin), data_bytes_(data_bytes) {}

  std::vector<StoredTensor> tensors;
  std::optional<std::string> extras;
  std::optional<Error> error;

  bool null() override { return other(); }
  bool boolean(bool) override { return other(); }
  bool number_integer(number_integer_t) override { return other(); }
  bool number_float(number_float_t, const string_t&) override { return other(); }
  bool binary(binary_t&) override { return other(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (depth_ != 3 || list_ == nullptr || value >> 63U != 0) return other();
    if (list_->numbers.size() >= most_numbers_) {
      list_->is_too_long = true;
    } else {
      list_->numbers.push_back(static_cast<std::int64_t>(value));
    }
    return true;
  }

  bool string(string_t& value) override {
    if (depth_ != 2) return other();
    if (is_metadata_) {
      if (field_ == kSafetensorsExtras) extras = value;
    } else if (field_ == "dtype") {
      entry_.type = value;
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (depth_ == 1) entry_.is_object = true;
    return deeper();
  }

  bool key(string_t& name) override {
    if (depth_ == 1) {
      if (!names_.insert(name).second) {
        return refuse(fail(Code::kCorrupt, "tensor '{}' is there twice", printable(name)));
      }
      entry_ = Entry();
      entry_.name = name;
      is_metadata_ = name == kSafetensorsMetadata;
    } else if (depth_ == 2) {
      field_ = name;
    }
    return true;
  }

  bool end_object() override {
    --depth_;
    return depth_ != 1 || finish_entry();
  }

  bool start_array(std::size_t) override {
    if (depth_ == 0) return false;  // the header is an object
    if (depth_ == 1) return other();
    if (depth_ == 2) list_ = nullptr;
    if (depth_ == 2 && !is_metadata_ && (field_ == "shape" || field_ == "data_offsets")) {
      const bool is_shape = field_ == "shape";
      list_ = is_shape ? &entry_.shape : &entry_.place;
      *list_ = NumberList();
      list_->is_list = true;
      most_numbers_ = is_shape ? kMostDims : 2;
    }
    return deeper();
  }

  bool end_array() override {
    --depth_;
    if (depth_ == 2) list_ = nullptr;
    return true;
  }

 private:
  bool deeper() {
    if (depth_ == 3 && list_ != nullptr) list_->has_other = true;
    ++depth_;
    return true;
  }

  // A value that has no place in the header.
  bool other() {
    if (depth_ == 0) return false;
    if (depth_ == 1) return finish_entry();
    if (depth_ == 3 && list_ != nullptr) list_->has_other = true;
    return true;
  }

  bool refuse(tl::unexpected<Error> failure) {
    error = std::move(failure).value();
    return false;
  }

  bool finish_entry() {
    if (is_metadata_) {
      if (entry_.is_object) return true;
      return refuse(fail(Code::kCorrupt, "{}: expected an object", kSafetensorsMetadata));
    }
    auto tensor = make_tensor(entry_, data_begin_, data_bytes_);
    if (!tensor) return refuse(tl::unexpected(std::move(tensor).error()));
    tensors.push_back(*std::move(tensor));
    return true;
  }

  std::int64_t data_begin_;
  std::int64_t data_bytes_;
  std::size_t depth_ = 0;
  std::set<std::string> names_;
  Entry entry_;
  bool is_metadata_ = false;
  std::string field_;
  NumberList* list_ = nullptr;
  std::size_t most_numbers_ = 0;
};

Status check_places(const Checkpoint& checkpoint, std::int64_t begin, std::int64_t end) {
  std::vector<const StoredTensor*> order;
  for (const StoredTensor& tensor : checkpoint.tensors) {
    if (!tensor.pieces.empty()) order.push_back(&tensor);
  }
  std::sort(order.begin(), order.end(), [](const StoredTensor* a, const StoredTensor* b) {
    const Piece& x = a->pieces.front();
    const Piece& y = b->pieces.front();
    return std::pair(x.offset, x.bytes) < std::pair(y.offset, y.bytes);
  });
  for (const StoredTensor* tensor : order) {
    const Piece& piece = tensor->pieces.front();
    if (piece.offset != begin) {
      return fail(Code::kCorrupt,
                  "tensor '{}': begins at byte {}; expected it behind the tensor before it, at "
                  "byte {}",
                  printable(tensor->name), piece.offset, begin);
    }
    begin += piece.bytes;
  }
  if (begin == end) return {};
  return fail(Code::kCorrupt, "its tensors end at byte {}, the file at byte {}", begin, end);
}

Status add_extras(const Extras& extras, Checkpoint& checkpoint) {
  sort_by_name(checkpoint.tensors);
  std::vector<StoredTensor> strings;
  for (const auto& [name, extra] : extras) {
    const StoredTensor* known = checkpoint.find(name);
    if (extra.strings) {
      if (known != nullptr) return bad_head(name, "its entry", "strings in the metadata alone");
      strings.push_back(described_strings(name, extra));
    } else if (known != nullptr) {
      const auto index = static_cast<std::size_t>(known - checkpoint.tensors.data());
      TIDELINE_RETURN_IF_ERROR(apply_extra(extra, checkpoint.tensors[index]));
    }
  }
  for (StoredTensor& tensor : strings) checkpoint.tensors.push_back(std::move(tensor));
  sort_by_name(checkpoint.tensors);
  return {};
}

Result<Checkpoint> parse(const std::string& path, std::string_view head, std::int64_t file_bytes) {
  TIDELINE_TRY(const std::int64_t begin, safetensors_head_bytes(head, file_bytes));
  HeadReader reader(begin, file_bytes - begin);
  const std::string_view text =
      head.substr(kLengthBytes, static_cast<std::size_t>(begin) - kLengthBytes);
  if (!Json::sax_parse(text, &reader)) {
    if (reader.error) return tl::unexpected(*std::move(reader.error));
    return fail(Code::kCorrupt, "the header is no JSON object");
  }
  Checkpoint checkpoint;
  checkpoint.format = &kSafetensorsFormat;
  checkpoint.path = path;
  checkpoint.files.push_back(path);
  checkpoint.tensors = std::move(reader.tensors);
  Extras extras;
  if (reader.extras) {
    TIDELINE_TRY(extras, parse_extras(*reader.extras));
  }
  TIDELINE_RETURN_IF_ERROR(add_extras(extras, checkpoint));
  TIDELINE_RETURN_IF_ERROR(check_places(checkpoint, begin, file_bytes));
  return checkpoint;
}

}  // namespace

const char* safetensors_name(DataType type) {
  for (const NamedType& known : kTypes) {
    if (known.type == type) return known.name;
  }
  return nullptr;
}

std::optional<Bytes> foreign_content_bytes(std::string_view type,
                                           const std::vector<std::int64_t>& dims) {
  constexpr std::int64_t kBitsOfByte = 8;
  const auto elements = count_elements(dims);
  for (const ForeignType& known : kForeignTypes) {
    if (known.name != type || !elements) continue;
    const auto bits = checked_multiply(*elements, known.bits);
    if (!bits || *bits % kBitsOfByte != 0) return std::nullopt;
    return *bits / kBitsOfByte;
  }
  return std::nullopt;
}

bool begins_like_safetensors(std::string_view head) {
  // Nothing else begins with a length below a terabyte that a JSON object follows.
  constexpr std::uint64_t kPlausible = std::uint64_t{1} << 40U;
  return head.size() > kLengthBytes && head[kLengthBytes] == '{' &&
         from_little_endian(head.substr(0, kLengthBytes)) < kPlausible;
}

Result<std::int64_t> safetensors_head_bytes(std::string_view head, std::int64_t file_bytes) {
  if (!begins_like_safetensors(head)) {
    return fail(Code::kCorrupt, "does not begin like a safetensors file");
  }
  const auto bytes = static_cast<std::int64_t>(from_little_endian(head.substr(0, kLengthBytes)));
  if (bytes > kMostSafetensorsHeadBytes) {
    return fail(Code::kUnsupported,
                "has a header of {} bytes; expected at most {}, the limit of the safetensors "
                "library",
                bytes, kMostSafetensorsHeadBytes);
  }
  const std::int64_t all = bytes + static_cast<std::int64_t>(kLengthBytes);
  if (all > file_bytes) {
    return fail(Code::kCorrupt, "ends inside its header of {} bytes", bytes);
  }
  return all;
}

Result<Checkpoint> parse_safetensors(const std::string& path, std::string_view head,
                                     std::int64_t file_bytes) {
  auto checkpoint = parse(path, head, file_bytes);
  if (!checkpoint) return tl::unexpected(with_context(std::move(checkpoint).error(), path));
  return checkpoint;
}

}  // namespace tideline::checkpoint
