#include "render/model/file_filter.h"

#include <catch2/catch.hpp>

namespace tideline::ui {

TEST_CASE("A filter takes endings in any case, and parts of a name between stars", "[filter]") {
  const FileFilter filter = {"", {".meta", "*tfevents*"}};
  CHECK(filter.fits("a.meta"));
  CHECK(filter.fits("A.META"));
  CHECK(filter.fits("events.out.tfevents.1763820300.host"));
  CHECK_FALSE(filter.fits("a.meta.txt"));
  CHECK_FALSE(filter.fits("meta"));
}

TEST_CASE("A filter without patterns takes all files", "[filter]") {
  CHECK(FileFilter{"All files", {}}.fits("anything"));
}

}  // namespace tideline::ui
