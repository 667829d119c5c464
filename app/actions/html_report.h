// The result of a policy as one page of HTML: what the window shows of a graph, to be kept or sent.
#pragma once

#include <string>

#include "app/session/viewer.h"

namespace tideline::app {

inline constexpr std::size_t kMostReportedSwaps = 1000;
inline constexpr std::size_t kMostReportedLive = 30;

/// The page of the graph that is shown, under its policy: card, warnings, the command that writes
/// the graph, pictures of the views, what is alive at the peak and the table of swaps; for each
/// device what is of one. The page
/// needs nothing beside it. The same state gives the same bytes. Precondition: a graph is open, and
/// there is a plan for the policy. Cost: that of the pictures. Thread: the session's.
[[nodiscard]] std::string html_report(Viewer& viewer);

}  // namespace tideline::app
