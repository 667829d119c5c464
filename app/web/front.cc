#include "app/web/front.h"

#include <array>
#include <utility>

namespace tideline::web {

std::string_view content_type(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kTypes = {{
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".woff2", "font/woff2"},
      {".png", "image/png"},
  }};
  for (const auto& [ending, type] : kTypes) {
    if (name.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

}  // namespace tideline::web
