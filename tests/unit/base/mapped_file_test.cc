#include "core/base/mapped_file.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace tideline {

TEST_CASE("a piece keeps the whole alive") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("f")) << "0123456789";
  SharedBytes piece;
  {
    const auto whole = open_bytes(folder.file("f"));
    REQUIRE(whole);
    piece = slice_bytes(*whole, (*whole)->bytes().substr(3, 4));
    CHECK(piece->bytes().data() == (*whole)->bytes().data() + 3);
  }
  CHECK(piece->bytes() == "3456");
}

}  // namespace tideline
