#include "core/rewrite/lms2/options.h"
#include "core/base/parse.h"

#include <algorithm>
#include <array>

#include "core/rewrite/lms/own_ahead.h"

namespace tideline {
namespace {

Status require(int value, std::string_view option, int least) {
  if (value < -1) {
    return fail(Code::kInvalidArgument, "{} is {}; expected {} or more", option, value, least);
  }
  if (value < 0) {
    return fail(Code::kInvalidArgument, "{} is missing; expected a number of levels, {} or more",
                option, least);
  }
  if (value < least) {
    return fail(Code::kInvalidArgument, "{} is {}; expected {} or more", option, value, least);
  }
  return {};
}

// "  12 " -> 12, "" -> nothing, as Python's int() on the pieces of a slice.
Result<std::optional<long>> slice_part(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  if (text.front() == '+') text.remove_prefix(1);
  const auto value = parse_as<long>(text);
  constexpr long kFar = 1L << 40;
  if (!value) return fail(Code::kInvalidArgument, "'{}' is not a level", text);
  return std::clamp(*value, -kFar, kFar);
}

struct Slice {
  std::array<std::optional<long>, 3> parts;  // start, stop, step
};

Result<Slice> parse_slice(std::string_view text) {
  Slice slice;
  std::size_t part = 0;
  while (true) {
    const std::size_t colon = text.find(':');
    if (part >= slice.parts.size()) return fail(Code::kInvalidArgument, "too many ':'");
    TIDELINE_TRY(slice.parts.at(part), slice_part(text.substr(0, colon)));
    if (colon == std::string_view::npos) return slice;
    text.remove_prefix(colon + 1);
    ++part;
  }
}

}  // namespace

Result<std::vector<int>> select_levels(const std::string& text, int level_count) {
  const auto wrong = [&](const std::string& why) {
    return fail(
        Code::kInvalidArgument,
        "{{serialization}}: '{}': {}; expected levels as in Python, such as 70, -1 or 60:64", text,
        why);
  };
  auto parsed = parse_slice(text);
  if (!parsed) return wrong(parsed.error().message);
  const auto& [start, stop, stride] = parsed->parts;
  std::vector<int> levels;
  if (text.find(':') == std::string::npos) {
    if (!start) return wrong("empty");
    const long level = *start < 0 ? *start + level_count : *start;
    if (level >= 0 && level < level_count) levels.push_back(static_cast<int>(level));
    return levels;
  }
  const long step = stride.value_or(1);
  if (step == 0) return wrong("a step of zero");
  // Python's rules: negative bounds count from the end, then both are clipped to the list.
  const long count = level_count;
  const long low = step > 0 ? 0 : -1;
  const long high = step > 0 ? count : count - 1;
  const auto bound = [&](std::optional<long> value, long missing) {
    if (!value) return missing;
    return std::clamp(*value < 0 ? *value + count : *value, low, high);
  };
  const long first = bound(start, step > 0 ? low : high);
  const long last = bound(stop, step > 0 ? high : low);
  for (long level = first; step > 0 ? level < last : level > last; level += step) {
    levels.push_back(static_cast<int>(level));
  }
  std::sort(levels.begin(), levels.end());
  return levels;
}

Status validate(const Lms2Options& options) {
  if (options.sync_mode < 0 || options.sync_mode > 3) {
    return fail(Code::kInvalidArgument, "{{sync-mode}} is {}; expected 0, 1, 2 or 3",
                options.sync_mode);
  }
  TIDELINE_RETURN_IF_ERROR(require(options.swapout_threshold, "{swapout-threshold}", 1));
  TIDELINE_RETURN_IF_ERROR(require(options.swapin_ahead, "{swapin-ahead}", 1));
  TIDELINE_RETURN_IF_ERROR(require(options.swapin_groupby, "{swapin-groupby}", 0));
  if (options.batch_size && *options.batch_size < 1) {
    return fail(Code::kInvalidArgument, "{{batch-size}} is {}; expected 1 or more",
                *options.batch_size);
  }
  TIDELINE_RETURN_IF_ERROR(check_aheads(options.ahead_tensors));
  if (options.swap_lists && options.copy_mode == CopyMode::kGrappler) {
    return fail(
        Code::kInvalidArgument,
        "{{swap-lists}}: the copies of {{copy-mode}} grappler are of tensors, not of lists; "
        "expected {{copy-mode}} identity");
  }
  if (options.cpu_device.empty()) {
    return fail(Code::kInvalidArgument,
                "{{cpu-device}} is empty; expected a device such as /cpu:0");
  }
  for (const std::string& text : options.serialization) {
    TIDELINE_RETURN_IF_ERROR(select_levels(text, 1));
  }
  return {};
}

}  // namespace tideline
