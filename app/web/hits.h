// What is under the mouse on a chart, as a page asks for it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/view/diff_view.h"
#include "render/view/levels_view.h"
#include "render/view/memory_view.h"
#include "render/view/scopes_view.h"
#include "render/view/timeline_view.h"

namespace tideline::web {

/// {"kind", "tensor", "level", "lines", "rect"} and what a view adds. `scene` outlives it. Thread:
/// pure.
class HitJson {
 public:
  using Json = nlohmann::ordered_json;
  HitJson(const render::Scene& scene, render::Point at) : scene_(scene), at_(at) {}

  [[nodiscard]] Json nothing(const std::vector<std::string>& lines) const;
  [[nodiscard]] Json of(const render::MemoryLook& look) const;
  [[nodiscard]] Json of(const render::LevelsLook& look) const;
  /// `loop`: the one that is shown. With "scope", or the "functions" and the "loop" of an op.
  [[nodiscard]] Json of(const render::ScopesLook& look, std::string_view loop) const;
  /// With what a click does ("act"), and the "range" that a double click shows.
  [[nodiscard]] Json of(const render::TimelineLook& look) const;
  /// With what a click does, and the "list" that the wheel scrolls.
  [[nodiscard]] Json of(const render::DiffLook& look) const;
  /// "levels" of what a rectangle from the mouse to `corner` touches; null for none.
  [[nodiscard]] Json band(const render::ScopesLook& look, render::Point corner) const;

 private:
  [[nodiscard]] Json made(std::string_view kind, std::optional<TensorId> tensor,
                          std::optional<double> level, const std::vector<std::string>& lines,
                          const std::optional<render::Rect>& rect) const;

  const render::Scene& scene_;
  render::Point at_;
};

}  // namespace tideline::web
