// Tested by: tests/unit/memory/measured/traced_names_test.cc.
#include "core/memory/measured/traced_names.h"

#include <string>

#include "core/base/text.h"

namespace tideline {

std::string_view traced_type(const TracedOp& row) {
  std::size_t at = row.label.find(" = ");
  if (at == std::string_view::npos) return {};
  at += 3;
  const std::size_t end = row.label.find('(', at);
  return end == std::string_view::npos ? std::string_view() : row.label.substr(at, end - at);
}

std::optional<TensorId> fed_tensor(const Graph& graph, std::string_view name) {
  constexpr std::string_view kPrefix = "_arg_";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const std::size_t before_number = name.rfind('_');
  if (before_number == std::string_view::npos) return std::nullopt;
  name = name.substr(0, before_number);
  const std::size_t before_slot = name.rfind('_');
  if (before_slot == std::string_view::npos) return std::nullopt;
  std::string text(name);
  text[before_slot] = ':';
  return graph.find_tensor(text);
}

bool is_cpu_device(std::string_view device) {
  return contains_ignoring_case(device, "cpu");
}

bool is_memory_of(std::string_view device, std::string_view allocator) {
  if (is_cpu_device(device)) return true;
  return !contains_ignoring_case(allocator, "host") && !contains_ignoring_case(allocator, "cpu");
}

}  // namespace tideline
