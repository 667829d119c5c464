// Graphs that several sessions have open are in memory once.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/engine/opened_graph.h"

namespace tideline::app {

/// Remembers what is open, without keeping it open. Thread: any.
class SharedGraphs {
 public:
  /// The graph as `open` gives it: one that is open already if it was read from the same file,
  /// which has not changed since, or only its file. Two that open the same graph at the same time
  /// may both read it. Errors and cost: those of open; O(files) for one that is shared.
  [[nodiscard]] Result<std::shared_ptr<const OpenedGraph>> open(const OpenRequest& request,
                                                                Progress& progress);

 private:
  struct Entry {
    OpenRequest request;
    std::string state;  ///< of the files; another one: they have changed
    std::weak_ptr<const GraphFile> file;
    std::weak_ptr<const OpenedGraph> opened;
  };

  std::shared_ptr<const OpenedGraph> find_opened(const OpenRequest& request,
                                                 const std::string& state);
  std::shared_ptr<const GraphFile> find_file(const OpenRequest& request, const std::string& state);

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

/// What tells whether a file, or the files of a folder, are still the same: names, sizes, times of
/// change. Cost: O(files).
[[nodiscard]] std::string state_of_files(const std::string& path);

}  // namespace tideline::app
