#include "app/cli/open_viewer.h"

#include <utility>

#include "app/cli/terminal.h"

namespace tideline::cli {

app::Wish wish_of(const GraphArgument& graph) {
  app::Wish wish;
  const TensorOptions sizes = graph.tensor_options();
  wish.batch_size = sizes.batch_size;
  wish.shapes = sizes.shapes;
  wish.rounds = sizes.rounds;
  wish.run = graph.run();
  return wish;
}

std::optional<int> open_in(app::Viewer& viewer, const app::DocumentKind& kind,
                           const GraphArgument& graph, app::Wish wish) {
  app::open_document(viewer, kind, {.graph = graph.graph}, std::move(wish));
  while (viewer.session.is_busy()) {
    viewer.session.wait_for_one();
    app::poll(viewer);
  }
  if (const auto error = viewer.session.journal().take_failure()) return report(*error);
  if (viewer.graph().policy_error()) return report(*viewer.graph().policy_error());
  return std::nullopt;
}

}  // namespace tideline::cli
