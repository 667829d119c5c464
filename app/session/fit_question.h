// What a fit of a document is asked about: its graph, sizes and device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/fit.h"
#include "app/engine/sized_graph.h"
#include "app/session/wish.h"

namespace tideline::app {

/// Equal questions have the same answer: values of rewriters do not matter, only the device that
/// they are about.
struct FitQuestion {
  ReadGraphPtr source;
  MeasuredRunPtr measured;
  events::TraceChoice trace;  ///< that `measured` is of
  Wish wish;                  ///< its budget is that of the device

  [[nodiscard]] SizedGraph graph() const;
  [[nodiscard]] FitRequest request() const;
  friend bool operator==(const FitQuestion& a, const FitQuestion& b);
};

/// About the device memory of the wish or, without one, that of its profile. Errors:
/// kInvalidArgument if there is neither, naming what to fill in.
[[nodiscard]] Result<FitQuestion> fit_question(ReadGraphPtr source, MeasuredRunPtr measured,
                                               events::TraceChoice trace, Wish wish);

}  // namespace tideline::app
