#include "core/rewrite/lms2/options.h"

#include <catch2/catch.hpp>

namespace tideline {

TEST_CASE("levels are selected as Python selects from a list") {
  using Levels = std::vector<int>;
  const auto select = [](const char* text, int count = 10) {
    const auto levels = select_levels(text, count);
    REQUIRE(levels);
    return *levels;
  };
  CHECK(select("3") == Levels{3});
  CHECK(select("-1") == Levels{9});
  CHECK(select("10").empty());
  CHECK(select("-11").empty());
  CHECK(select("2:5") == Levels{2, 3, 4});
  CHECK(select(" 8 : ") == Levels{8, 9});
  CHECK(select(":2") == Levels{0, 1});
  CHECK(select("-3:") == Levels{7, 8, 9});
  CHECK(select("-3:-1") == Levels{7, 8});
  CHECK(select("5:2").empty());
  CHECK(select("1:9:3") == Levels{1, 4, 7});
  CHECK(select("::-4") == Levels{1, 5, 9});
  CHECK(select("7:2:-2") == Levels{3, 5, 7});
  CHECK(select("0:99999999999999") == select(":"));
  CHECK(select(":", 0).empty());
}

TEST_CASE("text that selects nothing sensible is an error") {
  for (const char* text : {"", "a", "1:b", "1:2:3:4", "1:2:0", "1.5", "--1", "1-2"}) {
    INFO(text);
    CHECK_FALSE(select_levels(text, 10));
  }
}

TEST_CASE("parameters are checked by value, and the option is named") {
  Lms2Options options;
  options.swapout_threshold = 50;
  options.swapin_ahead = 3;
  options.swapin_groupby = 0;
  CHECK(validate(options));
  const auto error = [](Lms2Options changed) {
    const Status status = validate(changed);
    return status ? "" : status.error().message;
  };
  Lms2Options changed = options;
  changed.swapout_threshold = -1;
  CHECK(error(changed).find("{swapout-threshold} is missing") == 0);
  changed.swapout_threshold = 0;
  CHECK(error(changed).find("{swapout-threshold} is 0") == 0);
  changed = options;
  changed.swapin_ahead = 0;
  CHECK(error(changed).find("{swapin-ahead} is 0") == 0);
  changed.swapin_ahead = -1;
  CHECK(error(changed).find("{swapin-ahead} is missing") == 0);
  changed = options;
  changed.swapin_groupby = -1;
  CHECK(error(changed).find("{swapin-groupby} is missing") == 0);
  changed.sync_mode = 2;
  CHECK(error(changed).find("{swapin-groupby} is missing") == 0);
  changed = options;
  changed.swapin_groupby = -3;
  CHECK(error(changed).find("{swapin-groupby} is -3") == 0);
  changed.sync_mode = 4;
  CHECK(error(changed).find("{sync-mode} is 4") == 0);
  changed = options;
  changed.serialization = {"x"};
  CHECK(error(changed).find("{serialization}: 'x'") == 0);
}

}  // namespace tideline
