// The graphs inside event files and log folders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/mapped_file.h"
#include "core/base/progress.h"
#include "core/events/log_folder.h"

namespace tideline::events {

/// What wrote the graph into the log, which is also what its bytes are: a MetaGraphDef for
/// kMetaGraphDef, a GraphDef for all others.
enum class GraphSource : std::uint8_t {
  kGraphDef,            ///< the graph of the run
  kMetaGraphDef,        ///< the same with its collections
  kBeforeOptimization,  ///< of a function that was traced; what TensorBoard shows
  kAfterOptimization,   ///< of a function that was traced
  kPartition,           ///< the part of one device, of a traced step or function
};

/// "graph_def", "meta_graph_def", ...: the name of the field in the format.
[[nodiscard]] const char* graph_source_name(GraphSource source);

/// Tags of graphs that belong to a run as a whole: the first is the name that TensorBoard gives.
inline constexpr const char* kRunGraphTag = "__run_graph__";
inline constexpr const char* kRunMetaGraphTag = "__run_meta_graph__";

/// A graph in a log. `bytes` keeps the mapped file alive.
struct LoggedGraph {
  std::string run;  ///< the folder, relative to the log; "." for the log itself
  std::string tag;  ///< the name under which it was logged
  std::string
      part;  ///< which of several graphs under this tag: "function_0/pre_optimization_graph"
  GraphSource source = GraphSource::kGraphDef;
  std::int64_t event =
      0;  ///< which record of all files, counted from 1: graphs of one belong together
  std::int64_t step = 0;
  double wall_time = 0;  ///< seconds since 1970, as the writer said
  std::string file;
  SharedBytes bytes;
};

/// "run 'train', tag '__run_graph__' (graph_def, 77.0 KiB)", printable; the tag with ":" and the
/// part when there is one.
[[nodiscard]] std::string describe(const LoggedGraph& graph);

/// The graphs of the event file or log folder `path`, in the order of runs, files and records.
/// Damaged files are read up to the damage, files that cannot be opened are passed over (a single
/// one is an error), events and run metadata that do not parse too; all this is counted in
/// `diagnostics`, and so are empty graphs and Keras's pictures of layers, which hold no ops. At
/// most kMaxGraphs are listed. The graphs themselves are not looked into. Errors: those of
/// find_event_files and open_bytes. Cost: one pass over the bytes, for checksums.
[[nodiscard]] Result<std::vector<LoggedGraph>> list_graphs(const std::string& path,
                                                           Diagnostics& diagnostics,
                                                           Progress& progress,
                                                           Hold hold = Hold::kMap);

/// The same for one file whose bytes are there.
[[nodiscard]] Result<std::vector<LoggedGraph>> list_graphs(const EventFile& file,
                                                           const SharedBytes& bytes,
                                                           Diagnostics& diagnostics,
                                                           Progress& progress);

inline constexpr std::size_t kMaxGraphs = 10'000;

}  // namespace tideline::events
