#include "app/engine/fit_log.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "core/events/event_log.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

namespace tideline {
namespace {

render::FitCurve curve() {
  return {{{"as it is", {{8, 1000, 2e6, true}, {16, 1900, 1.5e6, false}}},
           {"LMS v2", {{16, 950, 4e6, true}}}},
          1500,
          16};
}

}  // namespace

TEST_CASE("a curve becomes a run for each line, with the batch size as the step") {
  const test::TemporaryFolder folder;
  const std::string log = folder.file("log");
  REQUIRE(app::write_fit_log(log, false, curve(), {}));
  Progress silent;
  const auto read = test::read_event_log(log, events::AtDamage::kStop, silent);
  REQUIRE(read);
  std::string text;
  for (const events::Series& series : read->series()) {
    if (series.kind != events::SeriesKind::kScalar) continue;
    text += fmt::format("{} {}:", read->runs()[series.run], series.tag);
    for (const events::ScalarPoint& point : series.points) {
      text += fmt::format(" {}={}", point.step, point.value);
    }
    text += "\n";
  }
  CHECK(text ==
        "LMS_v2 device_peak_bytes: 16=950\nLMS_v2 example_ms: 16=4\n"
        "as_it_is device_peak_bytes: 8=1000 16=1900\nas_it_is example_ms: 8=2 16=1.5\n"
        "as_it_is budget_bytes: 8=1500 16=1500\n");
}

TEST_CASE("a log that exists is replaced only if that is wanted") {
  const test::TemporaryFolder folder;
  const std::string log = folder.file("log");
  REQUIRE(app::write_fit_log(log, false, curve(), {}));
  CHECK_FALSE(app::check_fit_log(log, false));
  CHECK_FALSE(app::write_fit_log(log, false, curve(), {}));
  CHECK(app::check_fit_log(log, true));
  CHECK(app::write_fit_log(log, true, curve(), {}));
}

}  // namespace tideline
