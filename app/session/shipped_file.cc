// Tested by unit/session/sample_test.cc.
#include "app/session/shipped_file.h"

#include <array>
#include <filesystem>

namespace tideline::app {
namespace {

namespace fs = std::filesystem;

// Build folders are build/PRESET, and the program lies two folders below.
constexpr std::array kPlaces = {"../share/tideline", "../../../assets", "../../../../assets"};

}  // namespace

Result<std::string> shipped_file(std::string_view folder, std::string_view file,
                                 std::string_view what) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::string places;
  for (const char* place : kPlaces) {
    const fs::path path = (program / place / folder / file).lexically_normal();
    if (fs::is_regular_file(path, error)) return path.string();
    places += (places.empty() ? "" : ", ") + path.string();
  }
  return fail(Code::kNotFound, "{} is not there: expected one of {}", what, places);
}

}  // namespace tideline::app
