#include "app/web/made_files.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace tideline {

TEST_CASE("An archive holds its files as they are", "[made_files]") {
  const auto archive = web::zip_of({{"a.txt", "hello"}, {"b/c.txt", ""}});
  REQUIRE(archive);
  CHECK(archive->starts_with(std::string("PK\x03\x04", 4)));
  CHECK(archive->find("a.txthello") == 30);
  // 2 local headers of 30 bytes, 2 entries of 46, the end of 22; names stand twice; 5 bytes.
  CHECK(archive->size() == 2 * 30 + 2 * 46 + 22 + 2 * (5 + 7) + 5);
  // CRC-32 of "hello" by its definition: 0x3610a686.
  CHECK(archive->substr(14, 4) == std::string("\x86\xa6\x10\x36", 4));
  CHECK(*web::zip_of({{"a.txt", "hello"}, {"b/c.txt", ""}}) == *archive);
}

}  // namespace tideline
