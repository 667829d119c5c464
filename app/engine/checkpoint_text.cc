// Tested by unit/session/checkpoint_document_test.cc and the golden case checkpoint.
#include "app/engine/checkpoint_text.h"

#include <fmt/format.h>

#include "core/base/units.h"
#include "core/graph/element_type.h"

namespace tideline::app {

using checkpoint::StoredTensor;
using checkpoint::TensorChange;

std::string shape_text(const StoredTensor& tensor) {
  return to_string(Shape::of(tensor.dims));
}

std::string checksum_text(const StoredTensor& tensor) {
  if (tensor.is_sliced) return fmt::format("{} slices", tensor.pieces.size());
  if (tensor.pieces.empty() || !tensor.pieces.front().crc) return "-";
  return fmt::format("{:08x}", *tensor.pieces.front().crc);
}

std::string number_text(const std::optional<checkpoint::Number>& number) {
  if (!number) return "-";
  if (const double* value = std::get_if<double>(&*number)) return fmt::format("{:.6g}", *value);
  return checkpoint::to_text(*number);
}

std::string number_text(const std::optional<double>& number) {
  return number ? fmt::format("{:.6g}", *number) : "-";
}

std::string what_differs(const checkpoint::TensorDifference& found) {
  switch (found.change) {
    case TensorChange::kValues: {
      std::string text =
          fmt::format("{} of {} elements differ, the first is number {}", found.different,
                      found.first->element_count(), found.first_different);
      if (found.largest) text += fmt::format(", by at most {:.6g}", *found.largest);
      return text;
    }
    case TensorChange::kBytes: return "its bytes differ";
    case TensorChange::kShape:
    case TensorChange::kType:
      return fmt::format("{} and {}", type_and_shape(*found.first), type_and_shape(*found.second));
    case TensorChange::kOnlyFirst:
    case TensorChange::kOnlySecond:
      if (found.moved == nullptr) return checkpoint::change_name(found.change);
      return fmt::format("moved: it has the bytes of {} in the {}", found.moved->name,
                         found.change == TensorChange::kOnlyFirst ? "second" : "first");
    case TensorChange::kEqual: break;
  }
  return "";
}

std::string damage_text(const checkpoint::Damage& damage) {
  return damage.tensor.empty()
             ? fmt::format("{}: {}", damage.file, damage.what)
             : fmt::format("{}: tensor '{}': {}", damage.file, damage.tensor, damage.what);
}

std::string summary_text(const std::string& path, const checkpoint::Verification& found) {
  const std::string damages = found.damages.empty()
                                  ? "no damage"
                                  : fmt::format("{} {}", found.damages.size(),
                                                found.damages.size() == 1 ? "damage" : "damages");
  return fmt::format("{}: {} tensors, {} read: {}", path, found.tensors, format_bytes(found.bytes),
                     damages);
}

std::string unchecked_text(const checkpoint::Verification& found) {
  if (found.unchecked == 0) return "";
  return fmt::format("{} tensors have no checksum: nobody can tell whether they are as written",
                     found.unchecked);
}

Bytes stored_bytes(const checkpoint::Checkpoint& checkpoint) {
  Bytes sum = 0;
  for (const StoredTensor& tensor : checkpoint.tensors) {
    sum = saturating_add(sum, tensor.stored_bytes());
  }
  return sum;
}

}  // namespace tideline::app
