// Tested by unit/session/settings_test.cc.
#include "app/session/settings.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/engine/json_text.h"
#include "core/base/output_file.h"
#include "core/base/source_bytes.h"
#include "core/base/text.h"

namespace tideline::app {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kSchema = "tideline.settings/1";
constexpr std::size_t kMostSettingsBytes = std::size_t{1} << 20U;

// A number in [least, most], else what `value` was.
template <typename Number>
void read_number(const OrderedJson& json, const char* key, double least, double most,
                 Number& value) {
  const auto entry = json.find(key);
  if (entry == json.end() || !entry->is_number()) return;
  const double number = entry->get<double>();
  if (number >= least && number <= most) value = static_cast<Number>(number);
}

// The numbers of the file, and what they may be.
template <typename AnySettings, typename Visit>
void for_each_number(AnySettings& settings, const Visit& visit) {
  visit("font_px", settings.font_px, 8, 48);
  visit("window_width_px", settings.window_width_px, 200, 16384);
  visit("window_height_px", settings.window_height_px, 200, 16384);
  visit("window_x_px", settings.window_x_px, -32768, 32767);
  visit("window_y_px", settings.window_y_px, -32768, 32767);
  visit("left_px", settings.left_px, 100, 4000);
  visit("right_px", settings.right_px, 100, 4000);
  visit("bottom_share", settings.bottom_share, 0.05, 0.95);
  visit("inspector_share", settings.inspector_share, 0.05, 0.95);
}

}  // namespace

void Settings::remember(const std::string& path) {
  std::erase(recent_files, path);
  recent_files.insert(recent_files.begin(), path);
  if (recent_files.size() > kMostRecent) recent_files.resize(kMostRecent);
}

std::string settings_path(const char* xdg_config_home, const char* home) {
  const std::string_view xdg = xdg_config_home == nullptr ? "" : xdg_config_home;
  if (xdg.starts_with('/')) return std::string(xdg) + "/tideline/settings.json";
  const std::string_view user = home == nullptr ? "" : home;
  if (user.starts_with('/')) return std::string(user) + "/.config/tideline/settings.json";
  return {};
}

Settings parse_settings(std::string_view text) {
  Settings settings;
  const OrderedJson json = OrderedJson::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("schema", OrderedJson()) != kSchema) return settings;
  if (const auto recent = json.find("recent_files"); recent != json.end() && recent->is_array()) {
    for (const OrderedJson& path : *recent) {
      if (settings.recent_files.size() == Settings::kMostRecent) break;
      if (path.is_string()) settings.recent_files.push_back(path.get<std::string>());
    }
  }
  if (const auto theme = json.find("theme"); theme != json.end() && theme->is_string()) {
    settings.theme = render::theme_of_name(theme->get<std::string>()).value_or(settings.theme);
  }
  if (const auto keeps = json.find("keeps_sessions"); keeps != json.end() && keeps->is_boolean()) {
    settings.keeps_sessions = keeps->get<bool>();
  }
  if (const auto font = json.find("font_file"); font != json.end() && font->is_string()) {
    settings.font_file = font->get<std::string>();
  }
  for_each_number(settings, [&](const char* key, auto& value, double least, double most) {
    read_number(json, key, least, most, value);
  });
  return settings;
}

std::string settings_text(const Settings& settings) {
  OrderedJson json;
  json["schema"] = kSchema;
  json["recent_files"] = settings.recent_files;
  json["theme"] = render::theme_name(settings.theme);
  json["keeps_sessions"] = settings.keeps_sessions;
  json["font_file"] = settings.font_file;
  for_each_number(settings,
                  [&](const char* key, auto value, double, double) { json[key] = value; });
  return json_text(json) + "\n";
}

Settings load_settings(const std::string& path) {
  std::error_code error;
  // Only a file: a pipe or a device could make the app wait for ever.
  if (path.empty() || !std::filesystem::is_regular_file(path, error)) return {};
  const auto bytes = open_bytes(path);
  if (!bytes || (*bytes)->bytes().size() > kMostSettingsBytes) return {};
  return parse_settings((*bytes)->bytes());
}

Status save_settings(const Settings& settings, const std::string& path) {
  if (path.empty()) return fail(Code::kIo, "there is no place for settings: HOME is not set");
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (error) return fail(Code::kIo, "{}: cannot create the folder: {}", path, error.message());
  return write_file(path, settings_text(settings), /*replace=*/true);
}

}  // namespace tideline::app
