#include "core/checkpoint/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/graph/element_type.h"

namespace tideline::checkpoint {

Bytes StoredTensor::stored_bytes() const {
  Bytes sum = 0;
  for (const Piece& piece : pieces) sum = saturating_add(sum, piece.bytes);
  if (strings) {
    for (const std::string& text : *strings) sum += static_cast<Bytes>(text.size());
  }
  return sum;
}

std::int64_t StoredTensor::element_count() const {
  return count_elements(dims).value_or(0);
}

const StoredTensor* Checkpoint::find(std::string_view name) const {
  const auto found = std::lower_bound(
      tensors.begin(), tensors.end(), name,
      [](const StoredTensor& tensor, std::string_view wanted) { return tensor.name < wanted; });
  return found != tensors.end() && found->name == name ? &*found : nullptr;
}

std::string type_name(const StoredTensor& tensor) {
  return tensor.foreign_type.empty() ? element_type_name(tensor.type) : tensor.foreign_type;
}

std::string type_and_shape(const StoredTensor& tensor) {
  return fmt::format("{} {}", type_name(tensor), to_string(Shape::of(tensor.dims)));
}

std::vector<std::string> missing_files(const Checkpoint& checkpoint) {
  std::vector<bool> holds_any(checkpoint.files.size());
  for (const StoredTensor& tensor : checkpoint.tensors) {
    for (const Piece& piece : tensor.pieces) holds_any[piece.file] = true;
  }
  std::vector<std::string> missing;
  for (std::size_t file = 0; file < holds_any.size(); ++file) {
    std::error_code error;
    if (holds_any[file] && !std::filesystem::exists(checkpoint.files[file], error)) {
      missing.push_back(checkpoint.files[file]);
    }
  }
  return missing;
}

void sort_by_name(std::vector<StoredTensor>& tensors) {
  std::sort(tensors.begin(), tensors.end(),
            [](const StoredTensor& a, const StoredTensor& b) { return a.name < b.name; });
}

std::optional<std::int64_t> count_elements(const std::vector<std::int64_t>& dims) {
  std::int64_t count = 1;
  bool is_empty = false;
  for (const std::int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    is_empty = is_empty || dim == 0;
  }
  if (is_empty) return 0;
  for (const std::int64_t dim : dims) {
    const auto product = checked_multiply(count, dim);
    if (!product) return std::nullopt;
    count = *product;
  }
  return count;
}

std::optional<DataType> parse_stored_type(std::string_view name) {
  if (const auto type = parse_element_type(name)) return type;
  const auto type = parse_data_type(name);
  // "float" is a name of the signature table, not one that element_type_name gives.
  if (type && !is_reference(*type) && element_type_name(*type) == name) return type;
  return std::nullopt;
}

}  // namespace tideline::checkpoint
