#include "render/ui/fonts.h"

#include <imgui.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/temporary_folder.h"
#include "tests/support/without_root_rights.h"

namespace tideline::ui {
namespace {

constexpr float kSizePx = 15;

void check_usable(const Fonts& fonts) {
  for (const ImFont* font : {fonts.tiny, fonts.small, fonts.body, fonts.large}) {
    REQUIRE(font != nullptr);
    CHECK(font->FindGlyphNoFallback('a') != nullptr);
  }
}

}  // namespace

TEST_CASE("A font file that cannot be read is a message and the built-in font", "[fonts]") {
  const test::TemporaryFolder folder;
  const std::string closed = folder.file("closed.ttf");
  std::ofstream(closed) << "x";
  REQUIRE(::chmod(closed.c_str(), 0) == 0);
  REQUIRE(::mkfifo(folder.file("pipe.ttf").c_str(), 0600) == 0);
  ImFontAtlas atlas;
  const test::WithoutRootRights as_anybody;
  for (const std::string& file : {closed, folder.file("pipe.ttf"), folder.file("")}) {
    const Fonts fonts = load_fonts(atlas, kSizePx, {file, file});
    CHECK(fonts.problem.starts_with(file + ": "));
    CHECK(fonts.problem.ends_with("; the built-in font is used"));
    check_usable(fonts);
  }
}

TEST_CASE("A damaged font file is a message and the built-in font", "[fonts]") {
  const test::TemporaryFolder folder;
  const std::string damaged = folder.file("damaged.ttf");
  std::ofstream(damaged) << "this is no font";
  ImFontAtlas atlas;
  const Fonts fonts = load_fonts(atlas, kSizePx, {damaged, damaged});
  CHECK(fonts.problem.find("is no font") != std::string::npos);
  check_usable(fonts);
}

TEST_CASE("A font of the user's choice is used for everything, or DejaVu Sans instead", "[fonts]") {
  const test::TemporaryFolder folder;
  ImFontAtlas atlas;
  const Typefaces usual;
  const float sans = load_fonts(atlas, kSizePx).body->CalcTextSizeA(kSizePx, 1e6F, 0, "WWWW").x;
  const auto width = [&](const std::string& file, std::string& problem) {
    const Fonts fonts = load_chosen_fonts(atlas, kSizePx, file);
    check_usable(fonts);
    problem = fonts.problem;
    return fonts.body->CalcTextSizeA(kSizePx, 1e6F, 0, "WWWW").x;
  };
  std::string problem;
  CHECK(width("", problem) == sans);
  CHECK(problem.empty());
  CHECK(width(usual.bold, problem) > sans);
  CHECK(problem.empty());
  std::ofstream(folder.file("damaged.ttf")) << "this is no font";
  std::ofstream(folder.file("empty.ttf")) << "";
  // A font without letters, and one whose tables end early.
  std::ifstream whole(usual.regular, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(whole), {});
  std::ofstream(folder.file("short.ttf"), std::ios::binary) << bytes.substr(0, 3000);
  for (const char* table : {"cmap", "post"}) {  // where letters are found, and their names
    const std::size_t at = bytes.find(table);
    REQUIRE(at < 400);
    bytes.replace(at, 4, "none");
  }
  std::ofstream(folder.file("letterless.ttf"), std::ios::binary) << bytes;
  for (const char* name : {"damaged.ttf", "empty.ttf", "none.ttf", "short.ttf", "letterless.ttf"}) {
    INFO(name);
    CHECK(width(folder.file(name), problem) == sans);
    CHECK(problem.starts_with(folder.file(name) + ": "));
    CHECK(problem.ends_with("; the usual font is used"));
  }
}

TEST_CASE("Fonts that came with the program go before those that Debian installs", "[fonts]") {
  const test::TemporaryFolder folder;
  const std::filesystem::path shipped = folder.file("share/tideline/fonts");
  std::filesystem::create_directories(shipped);
  std::filesystem::create_directories(folder.file("bin"));
  std::ofstream(shipped / "DejaVuSans-Bold.ttf") << "x";
  const Typefaces found = typefaces_beside(folder.file("bin"));
  CHECK(found.bold == shipped / "DejaVuSans-Bold.ttf");
  CHECK(found.regular == Typefaces().regular);
  CHECK(found.code == Typefaces().code);
  CHECK(usual_typefaces().bold == Typefaces().bold);
}

TEST_CASE("Where the typeface is not installed, the built-in font needs no message", "[fonts]") {
  ImFontAtlas atlas;
  const Fonts fonts = load_fonts(atlas, kSizePx, {"/nowhere/a.ttf", "/nowhere/b.ttf"});
  CHECK(fonts.problem.empty());
  check_usable(fonts);
}

}  // namespace tideline::ui
