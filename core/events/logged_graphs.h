// The graphs inside event files and log folders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/source_bytes.h"
#include "core/events/event_log.h"
#include "core/events/log_folder.h"

namespace tideline::events {

/// The kind of event that holds the graph. Its bytes are a MetaGraphDef for kMetaGraphDef and a
/// GraphDef otherwise.
enum class GraphSource : std::uint8_t {
  kGraphDef,            ///< the graph of the run
  kMetaGraphDef,        ///< the same with collections
  kBeforeOptimization,  ///< of a traced function; the one that TensorBoard shows
  kAfterOptimization,   ///< of a traced function
  kPartition,           ///< the part on one device, of a traced step or function
};

/// "graph_def", "meta_graph_def", ...: the name of the field in the format.
[[nodiscard]] const char* graph_source_name(GraphSource source);

/// Tags of graphs that belong to a whole run. The first is TensorBoard's.
inline constexpr const char* kRunGraphTag = "__run_graph__";
inline constexpr const char* kRunMetaGraphTag = "__run_meta_graph__";

/// A graph in a log, copied from it.
struct LoggedGraph {
  std::string run;   ///< the folder, relative to the log; "." for the log itself
  std::string tag;   ///< under which it was logged
  std::string part;  ///< tells several graphs of one tag apart: "function_0/pre_optimization_graph"
  GraphSource source = GraphSource::kGraphDef;
  std::int64_t event =
      0;  ///< number of the record over all files, from 1; graphs of one event belong together
  std::int64_t step = 0;
  double wall_time = 0;  ///< seconds since 1970, as written
  std::string file;
  SharedBytes bytes;
};

/// "run 'train', tag '__run_graph__' (graph_def, 77.0 KiB)", printable; the tag with ":" and the
/// part when there is one.
[[nodiscard]] std::string describe(const LoggedGraph& graph);

/// The graphs of the event file or log folder `path`, in the order of runs, files and records.
/// Damaged files are read up to the damage; events and run metadata that do not parse are skipped,
/// and so are files that cannot be opened (an error if `path` is that file). All of this is counted
/// in `diagnostics`, as are empty graphs and Keras's layer graphs, which have no ops. At most
/// kMaxGraphs are listed. The graphs themselves are not parsed. Errors: those of find_event_files
/// and open_bytes. Cost: one pass over the bytes, for checksums.
[[nodiscard]] Result<std::vector<LoggedGraph>> list_graphs(const std::string& path,
                                                           Diagnostics& diagnostics,
                                                           Progress& progress);

/// The same for one file whose bytes are in memory.
[[nodiscard]] Result<std::vector<LoggedGraph>> list_graphs(const EventFile& file,
                                                           const SharedBytes& bytes,
                                                           Diagnostics& diagnostics,
                                                           Progress& progress);

inline constexpr std::size_t kMaxGraphs = 10'000;

/// The graphs of a log that was read already; unreadable records are counted.
[[nodiscard]] std::vector<LoggedGraph> list_graphs(const EventLog& log, Diagnostics& diagnostics);

}  // namespace tideline::events
