#include "app/web/made_files.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/temporary_folder.h"

namespace tideline {

TEST_CASE("An archive holds its files as they are", "[made_files]") {
  const auto made = [] {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("b"));
    std::ofstream(folder.file("b/c.txt"));
    std::ofstream(folder.file("a.txt")) << "hello";
    const auto file = web::zip_of(folder.file(""));
    REQUIRE(file);
    std::string bytes((*file)->bytes(), ' ');
    CHECK(::pread((*file)->fd(), bytes.data(), bytes.size(), 0) ==
          static_cast<ssize_t>(bytes.size()));
    return bytes;
  };
  const std::string archive = made();
  CHECK(archive.starts_with(std::string("PK\x03\x04", 4)));
  CHECK(archive.find("a.txthello") == 30);
  // 2 local headers of 30 bytes, 2 entries of 46, the end of 22; names stand twice; 5 bytes.
  CHECK(archive.size() == 2 * 30 + 2 * 46 + 22 + 2 * (5 + 7) + 5);
  // CRC-32 of "hello" by its definition: 0x3610a686.
  CHECK(archive.substr(14, 4) == std::string("\x86\xa6\x10\x36", 4));
  CHECK(made() == archive);
}

TEST_CASE("An archive that cannot be written is an error", "[made_files]") {
  CHECK_FALSE(web::zip_of("/proc/self/fdinfo"));
}

}  // namespace tideline
