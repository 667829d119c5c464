// Tested by unit/analysis/structure/gradient_names_test.cc.
#include "core/analysis/structure/gradient_names.h"

#include <algorithm>

namespace tideline {

std::vector<std::string_view> name_parts(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t slash = std::min(name.find('/', at), name.size());
    if (slash > at) parts.push_back(name.substr(at, slash - at));
    at = slash + 1;
  }
  return parts;
}

bool is_gradient_scope(std::string_view part) {
  if (part == "gradient_tape") return true;
  constexpr std::string_view kName = "gradients";
  if (!part.starts_with(kName)) return false;
  part.remove_prefix(kName.size());
  return part.empty() || (part.starts_with('_') && part.size() > 1 &&
                          part.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

std::string_view gradient_scope_of(std::string_view name) {
  std::string_view scope;
  const std::vector<std::string_view> parts = name_parts(name);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (!is_gradient_scope(parts[i])) continue;
    const char* const end = parts[i].data() + parts[i].size();
    scope = name.substr(0, static_cast<std::size_t>(end - name.data()));
  }
  return scope;
}

std::string layer_name(std::string_view name) {
  const std::string_view scope = gradient_scope_of(name);
  if (scope.empty()) return std::string(name);
  constexpr std::string_view kGradient = "_grad";
  std::string layer;
  for (const std::string_view part : name_parts(name.substr(scope.size()))) {
    const bool is_gradient = part.size() > kGradient.size() && part.ends_with(kGradient);
    if (!layer.empty()) layer += '/';
    layer += is_gradient ? part.substr(0, part.size() - kGradient.size()) : part;
    if (is_gradient) break;
  }
  return layer;
}

}  // namespace tideline
