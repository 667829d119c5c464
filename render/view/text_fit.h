// Shortens text to a given width.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/units.h"
#include "render/view/canvas.h"

namespace tideline::render {

/// `text`, or as much of its beginning as fits into `width_px`, followed by ".."; empty when fewer
/// than two letters fit. A number stays with its unit.
[[nodiscard]] std::string fit_text(const Canvas& canvas, std::string_view text, float size_px,
                                   float width_px);
/// The same for names of ops, which are shortened at the front: their end is more significant.
[[nodiscard]] std::string fit_name(const Canvas& canvas, std::string_view name, float size_px,
                                   float width_px);
/// The part after the last slash: "Relu" of "block1/conv/Relu".
[[nodiscard]] std::string_view last_part(std::string_view name);

/// Shortens the names of a table in the middle, so that its rows can be told apart: what is kept
/// first is the last part, then the parts in which names with the same last part differ.
/// Example: net/layer_0/q/dense/mul:0 and net/layer_1/q/dense/mul:0 become "../layer_0/../mul:0"
/// and
/// "../layer_1/../mul:0". Thread: immutable, any number of readers.
class NameShortener {
 public:
  NameShortener() = default;
  /// Cost: O(letters).
  explicit NameShortener(std::span<const std::string> names);

  /// Whether a text has room.
  using Fits = std::function<bool(std::string_view)>;
  /// `name`, which is one of them, or what of it has room, at least two dots and an end of a few
  /// letters. Cost: a call of `fits` for each part, and O(log letters).
  [[nodiscard]] std::string shorten(std::string_view name, const Fits& fits) const;
  /// Without the parts that are the same in all names with its end: nobody needs them.
  [[nodiscard]] std::string shortest_apart(std::string_view name) const;

 private:
  struct Part {
    std::string_view text;
    std::int64_t apart = 0;  ///< names with the same end that this part tells apart
  };
  [[nodiscard]] std::vector<Part> parts_of(std::string_view name) const;

  std::unordered_map<std::string, std::int64_t> count_;  // of names, by end and beginning
};
/// All of `names`, shortened.
[[nodiscard]] std::vector<std::string> shorten_names(std::span<const std::string> names,
                                                     const NameShortener::Fits& fits);

/// The unit in which all sizes of a column are written.
struct ByteUnit {
  double bytes = 1;
  const char* name = "B";
};
/// The largest one in which `largest` is at least one.
[[nodiscard]] ByteUnit unit_of_bytes(double largest);
/// "0.25 MiB": with as many digits as `largest`, the largest of the column, has room for; what
/// would be 0 but is not is "<0.01 MiB".
[[nodiscard]] std::string bytes_in(ByteUnit unit, Bytes largest, Bytes bytes);

}  // namespace tideline::render
