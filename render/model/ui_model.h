// All that the panels show, as plain values: made by the app for each frame in which something
// changed, read by the panels, which answer with intents.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/summary.h"
#include "core/base/diagnostics.h"
#include "core/graph/source_lines.h"
#include "core/memory/device_profile.h"
#include "core/memory/run_model.h"
#include "core/rewrite/lms/overrides.h"
#include "core/rewrite/tried_settings.h"
#include "render/model/diff_state.h"
#include "render/model/exact_peaks.h"
#include "render/model/file_filter.h"
#include "render/model/fit_card.h"
#include "render/model/lesson_card.h"
#include "render/view/scene.h"

namespace tideline {
struct Policy;
}
namespace tideline::events {
class EventLog;
struct HparamsTable;
enum class SeriesKind : std::uint8_t;
}  // namespace tideline::events

namespace tideline::ui {

struct CheckpointContents;
struct LogImages;

/// A line of the table of actions, as menus, palette and key sheet show it.
struct ActionInfo {
  std::string id;                ///< "policy.set"
  std::string title;             ///< "Undo: batch size 3 -> 5"
  std::string menu;              ///< "File"; empty: in no menu
  std::string keys;              ///< "Ctrl+Shift+Z"; empty: none. Several are parted by a blank
  std::string help;              ///< arguments and effect, one sentence
  bool needs_arguments = false;  ///< only scripts, panels and the palette's line can run it
  bool enabled = true;
  bool checked = false;
};

/// A swap-in with what led to it. Levels are those of Scene::levels.
struct SwapRow {
  TensorId tensor;
  std::string name;  ///< "conv1/Relu:0"
  Bytes bytes = 0;
  std::int32_t producer_level = 0;
  std::int32_t out_level = 0;  ///< from here on the copy on the host is there
  std::int32_t in_level = 0;   ///< from here on it is back
  std::int32_t consumer_level = 0;
  std::int64_t transfer_ns = 0;  ///< one way, by the profile
  std::int64_t slack_ns = 0;     ///< from the swap-in's trigger to its first consumer, less the
                                 ///< copy; negative: it comes late
  std::int64_t wait_ns = 0;      ///< > 0: the swap-in comes late
  std::string why;
  SourceLine line;  ///< of the user's code that made the tensor; no file: not known
  Override user = Override::kNone;
  int own_ahead = 0;  ///< Overrides::ahead_of
  AtPeak at_peak = AtPeak::kAway;
  bool is_idle = false;  ///< SwapEffect::is_idle
  bool in_file = false;  ///< of the graph's own copies: no policy keeps its tensor on the device

  /// From the level at which it is back to its first reader.
  [[nodiscard]] std::int32_t slack_levels() const { return consumer_level - in_level; }
};

/// An output of the selected op.
struct TensorCard {
  TensorId tensor;
  std::string name, shape, type;
  Bytes bytes = 0;
  bool unknown_size = false;
  bool swapped = false;
  std::string why;     ///< the rule that decided, with its values; empty without a policy
  std::string memory;  ///< every stretch of levels on device and host (tensor_stretches.h)
  Override user = Override::kNone;
  int own_ahead = 0;  ///< Overrides::ahead_of
};

/// The selected op.
struct OpCard {
  OpId op;
  std::string name, type, device, phase, scope;
  SourceLine line;  ///< of the user's code that made it; no file: not known
  std::int32_t level = 0;
  std::vector<TensorCard> outputs;
  std::vector<std::string> inputs, controls, consumers;         ///< names of tensors and ops
  std::vector<std::pair<std::string, std::string>> attributes;  ///< key, value as text, cut short
};

struct FileEntry {
  std::string name;
  bool is_folder = false;
  Bytes bytes = 0;
  std::string detail = {};  ///< shown instead of its size
};

/// A folder as the file browser shows it, or a graph with its functions.
struct FolderListing {
  std::string path;
  bool is_file = false;            ///< a graph: the entries are functions of it
  std::vector<FileEntry> entries;  ///< folders first, then by name
  std::string error;               ///< why it cannot be listed; else empty
};

/// A run of the cycle that a plan makes of a step.
struct RunRow {
  std::string name;    ///< "forward", "section 2"
  Bytes peak = 0;      ///< by the faithful model, what is resident included; 0: not known
  Bytes resident = 0;  ///< of it, what is there for the whole run
  std::size_t takes = 0, keeps = 0;  ///< values that it is fed, and that are fetched for later runs
};

/// Names in the graph that parameters ask for, likely ones first.
struct FilePicks {
  std::vector<std::string> losses;     ///< tensors
  std::vector<std::string> train_ops;  ///< ops that update variables
  std::vector<std::string> inputs;     ///< ops that a step is fed through
};

/// A graph that comes with the program.
struct SampleInfo {
  std::string word;   ///< as the action takes it
  std::string title;  ///< "Residual net"
  std::string shows;  ///< what there is to see
};

/// What is at the path in the dialog for writing.
struct WritePlace {
  bool exists = false;
  std::string problem;  ///< why the path cannot be written to; empty: nothing known against it
};

enum class MessageKind : std::uint8_t { kInfo, kWarning, kError };
struct Message {
  MessageKind kind = MessageKind::kInfo;
  std::string text;
};

/// Work that goes on beside the window.
struct JobStatus {
  std::string title;  ///< "Reading resnet50.meta"
  std::string stage;
  double done_0_1 = -1;  ///< -1: not known
};

/// An open document.
struct DocumentInfo {
  std::string title;  ///< "resnet50.meta"; with its folder if two have the same name
  std::string path;
  std::string kind;  ///< "graph", "log", "checkpoint"
  bool is_shown = false;
  bool is_unwritten = false;
  bool is_busy = false;
};

/// The contents of an open log, as far as they were read. Immutable.
struct LogContents {
  /// All series with one tag and kind, of different runs.
  struct Tag {
    std::string name;
    events::SeriesKind kind{};
    std::vector<std::uint32_t> series;  ///< indices of EventLog::series, by the names of their runs
  };
  struct LoggedGraph {
    std::string run, tag;  ///< whole names, which select the graph
    std::string kind;      ///< "graph_def", "meta_graph_def", ...
    Bytes bytes = 0;
  };
  struct LoggedStep {
    std::string run, tag;
    std::int64_t step = 0;
  };
  /// Another log whose runs stand beside those of the first.
  struct Added {
    std::string path;
    std::string name;  ///< of its runs: "name", "name/train"
  };
  std::string path;
  std::vector<Added> added;
  std::shared_ptr<const events::EventLog> events;  ///< null when only the lists below are known
  std::vector<std::uint32_t> runs;   ///< indices of EventLog::runs, by log, then by name
  std::vector<double> run_begins_s;  ///< by EventLog::runs: wall time of its first value
  std::vector<Tag> tags;             ///< by name and kind
  std::vector<LoggedGraph> graphs;
  std::vector<LoggedStep> traces;
  std::shared_ptr<const events::HparamsTable> hparams;  ///< null without hyperparameters
  std::uint64_t order = 0;  ///< changes when rows that were there before have moved
  Diagnostics diagnostics;
};

struct ScopeTotals {
  std::vector<Bytes> bytes;    ///< by scope: outputs of its ops, scopes inside included
  std::vector<Bytes> swapped;  ///< of these
};

/// Whatever is empty or null is not there; panels then say what to do about it.
struct UiModel {
  std::vector<DocumentInfo> documents;
  // What is open.
  std::shared_ptr<const void> keep_alive;  ///< the snapshot that the pointers go into
  std::uint64_t revision = 0;              ///< changes with every new snapshot, and more often
  std::optional<render::Scene> scene;
  std::string path, format;  ///< "MetaGraph, binary, 3.09 MB"
  std::string function;      ///< whose body the graph is; empty: the graph of the file
  const Summary* summary = nullptr;
  const Diagnostics* diagnostics = nullptr;
  const ScopeTotals* scope_totals = nullptr;
  std::shared_ptr<const LogContents> log;                ///< null unless a log is shown
  std::shared_ptr<const LogImages> log_images;           ///< null: none was decoded yet
  std::shared_ptr<const CheckpointContents> checkpoint;  ///< null unless a checkpoint is shown

  // What is wanted, and what came of it. `policy` is the newest wish; the scene may still show the
  // one before it (`is_stale`).
  const Policy* policy = nullptr;
  const DeviceProfile* profile = nullptr;
  RunModel run = {};  ///< how the step is simulated
  /// Only if `run` is kExact: the scene is modelled even then.
  std::optional<ExactPeaks> exact = {};
  FitState fit;    ///< of the step without a policy
  DiffState diff;  ///< of two graphs, this one as a rule among them
  bool is_stale = false;
  std::string
      policy_error;  ///< why the wish cannot be fulfilled; the scene shows the last that could
  /// What a search tried, also if nothing of it fits and there is no plan; null without one.
  std::shared_ptr<const TriedSettings> tried;
  std::string tuned_text;           ///< what automatic mode found; empty when it is off
  std::vector<std::string> report;  ///< what a rewriter says of its plan
  std::vector<Warning> warnings;    ///< of the plan, with texts as they are shown
  std::vector<SwapRow> swaps;
  std::vector<RunRow> runs;  ///< of a plan that makes a cycle of a step
  FilePicks picks;
  std::optional<OpCard> selected;
  bool unwritten = false;  ///< the plan has changed since the graph was written

  // The app itself.
  std::vector<ActionInfo> actions;
  // For dialogs: "GraphDef (.pb, .pbtxt), ..."; "the prefix of a TensorFlow checkpoint, ...".
  std::string graph_formats, checkpoint_formats;
  std::optional<JobStatus> job;
  std::vector<Message> messages;  ///< newest last
  std::vector<std::string> recent_files;
  std::vector<SampleInfo> samples;
  std::vector<SampleInfo> lessons;   ///< that come with the program
  std::optional<LessonCard> lesson;  ///< the one that is played
  std::string try_first;  ///< what to do first in a sample that nothing was done to; else empty
  std::optional<FolderListing> folder;   ///< for Popup::kOpen and the like, kWrite
  std::vector<FileFilter> file_filters;  ///< for Popup::kOpen and the like; the last is all files
  WritePlace write_place;                ///< for Popup::kWrite
  /// Scripts of what earlier windows left unwritten, which can be restored.
  std::vector<std::string> unwritten_before;
  std::vector<std::string> search_hits;  ///< names of tensors and ops for ViewState::search
  std::int64_t search_total = 0;
  std::string search_problem;          ///< why ViewState::search cannot be read; empty: it can
  std::string undo_title, redo_title;  ///< empty: nothing to undo
};

}  // namespace tideline::ui
