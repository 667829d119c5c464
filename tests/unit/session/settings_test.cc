#include "app/session/settings.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "app/actions/commands.h"
#include "core/base/output_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {

using app::Settings;

TEST_CASE("Settings come back as they were saved", "[session]") {
  const test::TemporaryFolder folder;
  Settings settings;
  settings.remember("/a.pb");
  settings.remember("/b.pb");
  settings.theme = render::ThemeKind::kColorBlindSafe;
  settings.font_px = 20;
  settings.font_file = "/fonts/a b.ttf";
  settings.window_x_px = -1200;
  settings.window_y_px = 40;
  settings.bottom_share = 0.5F;
  settings.keeps_sessions = false;
  const std::string path = folder.file("deep/er/settings.json");
  REQUIRE(app::save_settings(settings, path));
  CHECK(app::load_settings(path) == settings);
}

TEST_CASE("Broken settings never stop the app", "[session]") {
  const test::TemporaryFolder folder;
  for (
      const char* text :
      {"", "{", "[]", "null", R"({"schema":"tideline.settings/2","font_px":20})",
       R"({"schema":"tideline.settings/1","font_px":"big","font_file":3,"recent_files":{},"theme":7})",
       R"({"schema":"tideline.settings/1","font_px":1e300,"left_px":-1,"theme":"neon"})"}) {
    INFO(text);
    CHECK(app::parse_settings(text) == Settings{});
  }
  CHECK(app::load_settings(folder.file("missing")) == Settings{});
  CHECK(app::load_settings(folder.file("")) == Settings{});
  CHECK(app::load_settings("") == Settings{});
  CHECK(app::load_settings("/dev/zero") == Settings{});
}

TEST_CASE("What is good in damaged settings counts", "[session]") {
  const Settings settings = app::parse_settings(
      R"({"schema":"tideline.settings/1","recent_files":["/a",3,"/b"],"font_px":18,"left_px":[]})");
  CHECK(settings.recent_files == std::vector<std::string>{"/a", "/b"});
  CHECK(settings.font_px == 18);
  CHECK(settings.left_px == Settings{}.left_px);
}

TEST_CASE("Settings that cannot be written are an error, and the old ones stay", "[session]") {
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder.file("file"), "x", true));
  CHECK_FALSE(app::save_settings({}, folder.file("file/settings.json")));
  CHECK_FALSE(app::save_settings({}, "/dev/full"));
  CHECK_FALSE(app::save_settings({}, ""));
}

TEST_CASE("The newest of the recent files is the first, and none stands twice", "[session]") {
  Settings settings;
  for (int i = 0; i < 30; ++i) settings.remember(std::to_string(i));
  CHECK(settings.recent_files.size() == Settings::kMostRecent);
  CHECK(settings.recent_files.front() == "29");
  settings.remember("20");
  CHECK(settings.recent_files.front() == "20");
  CHECK(std::count(settings.recent_files.begin(), settings.recent_files.end(), "20") == 1);
}

TEST_CASE("Settings lie where the desktop wants them", "[session]") {
  CHECK(app::settings_path("/x", "/home/u") == "/x/tideline/settings.json");
  CHECK(app::settings_path(nullptr, "/home/u") == "/home/u/.config/tideline/settings.json");
  CHECK(app::settings_path("relative", "/home/u") == "/home/u/.config/tideline/settings.json");
  CHECK(app::settings_path("", "").empty());
}

TEST_CASE("A name that is no text of the encoding is saved all the same", "[session]") {
  Settings settings;
  settings.remember("/a\xff.pb");
  CHECK(app::parse_settings(app::settings_text(settings)).recent_files.size() == 1);
}

TEST_CASE("A recent file is found again from another folder", "[session]") {
  test::Desk viewer;
  const auto here = std::filesystem::current_path();
  const std::string relative = std::filesystem::path(test::tutorial()).lexically_relative(here);
  REQUIRE(relative != test::tutorial());
  REQUIRE(app::run_action(viewer, "file.open", {relative}));
  test::settle(viewer);
  CHECK(viewer.settings.recent_files == std::vector<std::string>{test::tutorial()});
}

}  // namespace tideline
