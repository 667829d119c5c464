#include "core/events/choose_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/base/text.h"

namespace tideline::events {
namespace {

using Candidates = std::vector<const LoggedGraph*>;

constexpr std::size_t kMaxListed = 12;

std::string list(const Candidates& candidates) {
  std::string text;
  for (std::size_t i = 0; i < candidates.size() && i < kMaxListed; ++i) {
    text += (i == 0 ? "" : "; ") + describe(*candidates[i]);
  }
  if (candidates.size() > kMaxListed) {
    text += fmt::format("; and {} more", candidates.size() - kMaxListed);
  }
  return text;
}

std::string full_tag(const LoggedGraph& graph) {
  return graph.part.empty() ? graph.tag : graph.tag + ":" + graph.part;
}

template <typename Condition>
Candidates those(const Candidates& candidates, const Condition& condition) {
  Candidates found;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(found),
               [&](const LoggedGraph* graph) { return condition(*graph); });
  return found;
}

Result<Candidates> matching(Candidates candidates, const GraphWish& wish) {
  const auto narrow = [&](const std::optional<NamePattern>& pattern, const char* option,
                          const auto& is, const auto& holds) -> Status {
    if (!pattern) return {};
    Candidates found = those(candidates, is);
    if (found.empty()) found = those(candidates, holds);
    if (found.empty()) {
      return fail(Code::kNotFound, "{} '{}' matches none of the graphs; there are: {}", option,
                  printable(pattern->text()), list(candidates));
    }
    candidates = std::move(found);
    return {};
  };
  TIDELINE_RETURN_IF_ERROR(narrow(
      wish.run, "{run}", [&](const LoggedGraph& graph) { return graph.run == wish.run->text(); },
      [&](const LoggedGraph& graph) { return wish.run->matches(graph.run); }));
  TIDELINE_RETURN_IF_ERROR(narrow(
      wish.tag, "{tag}",
      [&](const LoggedGraph& graph) {
        return graph.tag == wish.tag->text() || full_tag(graph) == wish.tag->text();
      },
      [&](const LoggedGraph& graph) {
        return wish.tag->matches(graph.tag) || wish.tag->matches(full_tag(graph));
      }));
  return candidates;
}

// The last of one source, unless there is none.
const LoggedGraph* last_of(const Candidates& candidates, GraphSource source) {
  const auto found = std::find_if(candidates.rbegin(), candidates.rend(),
                                  [&](const auto* graph) { return graph->source == source; });
  return found == candidates.rend() ? nullptr : *found;
}

template <typename Name>
bool all_same(const Candidates& candidates, const Name& name) {
  return std::all_of(candidates.begin(), candidates.end(), [&](const LoggedGraph* graph) {
    return name(*graph) == name(*candidates.front());
  });
}

// The preferred graph of one run; null when there is no preference.
const LoggedGraph* preferred(const Candidates& candidates) {
  for (const GraphSource whole : {GraphSource::kMetaGraphDef, GraphSource::kGraphDef}) {
    if (const LoggedGraph* graph = last_of(candidates, whole)) return graph;
  }
  if (!all_same(candidates, [](const LoggedGraph& graph) { return graph.tag; })) return nullptr;
  // A tag is logged again at later steps; each time all its graphs come in one event.
  const Candidates latest = those(candidates, [&](const LoggedGraph& graph) {
    return graph.event == candidates.back()->event;
  });
  if (latest.size() == 1) return latest.front();
  const Candidates functions = those(latest, [](const LoggedGraph& graph) {
    return graph.source == GraphSource::kBeforeOptimization;
  });
  return functions.size() == 1 ? functions.front() : nullptr;
}

}  // namespace

Result<LoggedGraph> choose_graph(const std::vector<LoggedGraph>& graphs, const GraphWish& wish,
                                 Diagnostics& diagnostics) {
  if (graphs.empty()) return fail(Code::kNotFound, "no graph in this log");
  Candidates all;
  for (const LoggedGraph& graph : graphs) all.push_back(&graph);
  TIDELINE_TRY(const Candidates candidates, matching(std::move(all), wish));
  if (!all_same(candidates, [](const LoggedGraph& graph) { return graph.run; })) {
    return fail(Code::kInvalidArgument, "{} graphs of several runs; choose with {{run}}: {}",
                candidates.size(), list(candidates));
  }
  const LoggedGraph* graph = preferred(candidates);
  if (graph == nullptr) {
    return fail(Code::kInvalidArgument, "{} graphs; choose with {{tag}}: {}", candidates.size(),
                list(candidates));
  }
  if (candidates.size() > 1) {
    diagnostics.add(Severity::kInfo, "graph chosen among several of the run",
                    fmt::format("{} of {}", describe(*graph), candidates.size()));
  }
  return *graph;
}

}  // namespace tideline::events
