// The timeline, in sizes and letters that leave little room: no text lies on another one.
#include <catch2/catch.hpp>

#include "app/engine/snapshot.h"
#include "render/view/timeline_view.h"
#include "tests/support/test_data.h"
#include "tests/unit/view/label_canvas.h"

namespace tideline::render {

TEST_CASE("no text of the timeline lies on another one: three traced steps") {
  for (const char* log : {"tf1_mlp", "tf1_mnist_deep", "tf1_lstm"}) {
    Progress silent;
    app::OpenRequest request;
    request.graph.path = (test::kData / "logs" / log).string();
    const auto graph = app::open(request, silent);
    REQUIRE(graph);
    const auto snapshot = app::make_snapshot(*graph, Policy{}, *built_in_profile("pcie3"), silent);
    REQUIRE(snapshot);
    const Scene scene = (*snapshot)->scene();
    REQUIRE(scene.measured != nullptr);
    const TimelineLayout timeline = layout_timeline(scene);
    std::size_t seen = 0;
    for (const Size size : kSizes) {
      for (const float font : kFonts) {
        for (const double share : {1.0, 0.1, 0.005}) {
          const double span = share * timeline.count;
          const TimelineLook look = {.scene = &scene,
                                     .timeline = &timeline,
                                     .palette = &palette(ThemeKind::kDark),
                                     .area = {0, 0, size.width, size.height},
                                     .range = {0.3 * timeline.count * (1 - share), span},
                                     .stretch = TimelineStretch{span * 0.4, span * 0.6},
                                     .selected = {},
                                     .cursor = span * 0.5,
                                     .font_px = font};
          INFO(log << " " << size.width << "x" << size.height << " font " << font << " span "
                   << span);
          LabelCanvas canvas(size);
          draw_timeline(canvas, look);
          check_labels(canvas);
          seen += canvas.labels.size();
        }
      }
    }
    CHECK(seen > 100);
  }
}

}  // namespace tideline::render
