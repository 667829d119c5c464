// Tested by unit/graph/device_name_test.cc.
#include "core/graph/device_name.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/graph.h"

namespace tideline {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_number(std::string_view text) {
  constexpr std::size_t kMostDigits = 9;  // fits the integers in which TensorFlow keeps it
  return !text.empty() && text.size() <= kMostDigits &&
         std::all_of(text.begin(), text.end(), is_digit);
}

// TensorFlow's rule for jobs and device types.
bool is_word(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

bool is_index(std::string_view text) {
  return text == "*" || is_number(text);
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

// One part between slashes, "task:1".
bool read_part(std::string_view part, DeviceName& name) {
  const std::size_t colon = part.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view key = part.substr(0, colon);
  const std::string_view value = part.substr(colon + 1);
  if (key == "job") {
    name.job = value;
    return is_word(value);
  }
  if (key == "replica" || key == "task") {
    (key == "task" ? name.task : name.replica) = value;
    return is_number(value);
  }
  if (key == "device") {
    const std::size_t second = value.find(':');
    name.type = upper(value.substr(0, second));
    name.index = second == std::string_view::npos ? "*" : std::string(value.substr(second + 1));
    return is_word(name.type) && is_index(name.index);
  }
  if (!equal_ignoring_case(key, "cpu") && !equal_ignoring_case(key, "gpu")) return false;
  name.type = upper(key);
  name.index = value;
  return is_index(value);
}

}  // namespace

std::optional<DeviceName> parse_device(std::string_view text) {
  DeviceName name;
  while (!text.empty()) {
    if (text.front() != '/') return std::nullopt;
    const std::size_t end = std::min(text.find('/', 1), text.size());
    if (!read_part(text.substr(1, end - 1), name)) return std::nullopt;
    text.remove_prefix(end);
  }
  return name;
}

std::string device_text(const DeviceName& name) {
  std::string text;
  const auto add = [&text](std::string_view key, const std::string& value) {
    if (value.empty()) return;
    text.append("/").append(key).append(":").append(value);
  };
  add("job", name.job);
  add("replica", name.replica);
  add("task", name.task);
  add("device", name.type);
  if (!name.type.empty()) text.append(":").append(name.index);
  return text;
}

std::string merged_device(std::string_view base, std::string_view own) {
  if (own.empty()) return std::string(base);
  const auto given = parse_device(own);
  auto merged = parse_device(base);
  if (!given || !merged) return std::string(own);
  bool adds = false;
  const auto take = [&adds](const std::string& value, std::string& place) {
    adds = adds || (value.empty() && !place.empty());
    if (!value.empty()) place = value;
  };
  take(given->job, merged->job);
  take(given->replica, merged->replica);
  take(given->task, merged->task);
  if (given->type.empty()) {
    adds = adds || !merged->type.empty();
  } else {
    merged->type = given->type;
    merged->index = given->index;
  }
  return adds ? device_text(*merged) : std::string(own);
}

std::int32_t device_count(const Graph& graph, std::string_view type) {
  constexpr std::int32_t kMost = 64;  // what a file may ask for
  std::int32_t count = 0;
  for (const std::string_view device : graph.devices()) {
    const auto name = parse_device(device);
    if (!name || name->type != type || name->index == "*") continue;
    constexpr std::size_t kDigits = 4;
    const std::int32_t index = name->index.size() > kDigits ? kMost : std::stoi(name->index);
    count = std::max(count, std::min(index + 1, kMost));
  }
  return count;
}

}  // namespace tideline
