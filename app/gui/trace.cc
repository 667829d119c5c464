#include "app/gui/trace.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/engine/json_text.h"

namespace tideline::gui {

Trace Trace::from_environment() {
  Trace trace;
  if (const char* path = std::getenv("TIDELINE_UI_TRACE"))
    trace.file_.reset(std::fopen(path, "we"));
  return trace;
}

void Trace::write(std::span<const ui::Item> items, const std::string& state) {
  if (file_ == nullptr) return;
  if (state == last_state_ && std::equal(items.begin(), items.end(), last_.begin(), last_.end()))
    return;
  last_.assign(items.begin(), items.end());
  last_state_ = state;
  nlohmann::json line;
  line["state"] = state;
  line["items"] = nlohmann::json::array();
  for (const ui::Item& item : items) {
    line["items"].push_back({{"label", item.label},
                             {"rect", {item.rect.x0, item.rect.y0, item.rect.x1, item.rect.y1}},
                             {"enabled", item.enabled}});
  }
  put(app::json_text(line, -1));
}

void Trace::write_keys(std::span<const ui::ActionInfo> actions) {
  if (file_ == nullptr || std::exchange(has_keys_, true)) return;
  nlohmann::json line = {{"state", ""}, {"items", nlohmann::json::array()}};
  for (const ui::ActionInfo& action : actions) {
    if (!action.keys.empty()) line["keys"][action.id] = action.keys;
  }
  put(app::json_text(line, -1));
}

void Trace::put(const std::string& line) {
  std::fputs((line + "\n").c_str(), file_.get());
  std::fflush(file_.get());
}

}  // namespace tideline::gui
