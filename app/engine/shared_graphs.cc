// Tested by unit/engine/shared_graphs_test.cc.
//
// Measured with 100,000 ops: the graph and what is computed from it alone take 140 MB, the sizes
// and steps 60 more; a plan on top of it takes 60 (see also bench/RESULTS.md).
#include "app/engine/shared_graphs.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

namespace tideline::app {
namespace {

namespace fs = std::filesystem;

bool is_same_trace(const OpenRequest& a, const OpenRequest& b) {
  if (a.trace.has_value() != b.trace.has_value()) return false;
  return !a.trace || (a.trace->path == b.trace->path && a.trace->run == b.trace->run &&
                      a.trace->tag == b.trace->tag);
}

// A traced step of another file may have changed: it is read again.
bool is_same(const OpenRequest& a, const OpenRequest& b) {
  const bool is_own_trace = !a.trace || a.trace->path.empty() || a.trace->path == a.graph.path;
  return is_own_trace && a.graph == b.graph && is_same_trace(a, b) &&
         a.batch_size == b.batch_size && a.shapes == b.shapes && a.rounds == b.rounds &&
         a.run == b.run && a.fetches == b.fetches;
}

std::string state_of_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return "?";
  return fmt::format("{}:{}:{}:{}.{}:{}.{};", status.st_dev, status.st_ino, status.st_size,
                     status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                     status.st_ctim.tv_nsec);
}

}  // namespace

std::string state_of_files(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return state_of_file(path);
  std::vector<std::string> files;
  for (auto at = fs::recursive_directory_iterator(
           path, fs::directory_options::skip_permission_denied, error);
       at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (error) break;
    std::error_code none;
    if (!at->is_directory(none)) files.push_back(at->path().string());
  }
  std::sort(files.begin(), files.end());
  std::string state;
  for (const std::string& file : files) state += file + ":" + state_of_file(file);
  return state;
}

std::shared_ptr<const OpenedGraph> SharedGraphs::find_opened(const OpenRequest& request,
                                                             const std::string& state) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(entries_, [](const Entry& entry) { return entry.file.expired(); });
  for (const Entry& entry : entries_) {
    if (entry.state != state || !is_same(entry.request, request)) continue;
    if (auto opened = entry.opened.lock()) return opened;
  }
  return nullptr;
}

std::shared_ptr<const GraphFile> SharedGraphs::find_file(const OpenRequest& request,
                                                         const std::string& state) {
  const std::scoped_lock lock(mutex_);
  for (const Entry& entry : entries_) {
    if (entry.state != state || entry.request.graph != request.graph) continue;
    if (auto file = entry.file.lock()) return file;
  }
  return nullptr;
}

Result<std::shared_ptr<const OpenedGraph>> SharedGraphs::open(const OpenRequest& request,
                                                              Progress& progress) {
  const std::string state = state_of_files(request.graph.path);
  if (auto opened = find_opened(request, state)) return opened;
  TIDELINE_TRY(auto opened, app::open(request, progress, find_file(request, state)));
  const std::scoped_lock lock(mutex_);
  entries_.push_back({request, state, opened->file, opened});
  return opened;
}

}  // namespace tideline::app
