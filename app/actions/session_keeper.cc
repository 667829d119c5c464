// Tested by unit/actions/session_file_test.cc.
#include "app/actions/session_keeper.h"

#include <algorithm>
#include <filesystem>

#include "app/actions/session_file.h"
#include "app/engine/input_readers.h"
#include "app/session/sample.h"
#include "app/session/shipped_lessons.h"
#include "core/base/output_file.h"

namespace tideline::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameDigits = 16;  // of the digest, in the name of a file

bool are_in_one_folder(const std::string& path, const Result<std::string>& shipped) {
  std::error_code error;
  return shipped && fs::weakly_canonical(path, error).parent_path() ==
                        fs::weakly_canonical(*shipped, error).parent_path();
}

// Of an installation, or of the sources.
bool is_shipped(const std::string& path) {
  return are_in_one_folder(path, sample_path(samples().front())) ||
         are_in_one_folder(path, lesson_path(shipped_lessons().front()));
}

}  // namespace

// The session beside a file is of its main graph; those of its functions lie in the folder.
bool SessionKeeper::is_part_of_file(const Kept& kept) {
  return !kept.file->document().function.empty() || kept.file->source->choice.inlines;
}

bool SessionKeeper::is_kept(DocumentId id) const {
  return viewer_.settings.keeps_sessions && viewer_.session.graph(id).is_open() &&
         !of_lessons_.contains(id);
}

std::string SessionKeeper::in_folder(const Kept& kept) const {
  if (folder_.empty()) return {};
  return (fs::path(folder_) / (kept.digest.substr(0, kNameDigits) + ".tideline")).string();
}

// The digest is only computed for graphs of which there is something to keep.
void SessionKeeper::find_place(Kept& kept) {
  if (!kept.path.empty()) return;
  kept.digest = session_digest(*kept.file);
  const std::string beside = session_path(kept.file->path());
  const auto there = read_session(beside);
  const bool is_free = !there && there.error().code == Code::kNotFound;
  kept.is_beside = !is_part_of_file(kept) && !is_shipped(kept.file->path()) &&
                   (is_free || (there && digest_of_session(*there) == kept.digest));
  kept.path = kept.is_beside ? beside : in_folder(kept);
}

void SessionKeeper::take_up_opened() {
  of_lessons_.insert(viewer_.lesson.document);
  std::erase_if(kept_,
                [&](const auto& entry) { return viewer_.session.find(entry.first) == nullptr; });
  const GraphDocument& graph = viewer_.graph();
  if (!is_kept(viewer_.shown)) return;
  const auto [entry, is_new] = kept_.try_emplace(viewer_.shown);
  Kept& kept = entry->second;
  const auto& file = graph.snapshot()->graph->file;
  if (kept.file == file) return;
  kept = {};
  kept.file = file;
  const bool is_restored =
      std::any_of(viewer_.restoring.begin(), viewer_.restoring.end(),
                  [&](const Viewer::Restoring& one) { return one.id == viewer_.shown; });
  // Whoever asks for a policy, restores one or reads the file again does not want another.
  if (is_new && !is_restored && graph.wish().policy.is_off()) take_up(kept);
}

void SessionKeeper::take_up(Kept& kept) {
  const std::string beside = is_part_of_file(kept) ? "" : session_path(kept.file->path());
  std::error_code error;
  if (!fs::exists(beside, error) && (folder_.empty() || !fs::exists(folder_, error))) return;
  find_place(kept);
  Journal& journal = viewer_.session.journal();
  std::string of_another;
  for (const std::string& path : {beside, in_folder(kept)}) {
    if (path.empty() || !fs::exists(path, error)) continue;
    const auto text = read_session(path);
    if (!text || digest_of_session(*text) != kept.digest) {
      of_another = path;
      continue;
    }
    for (const std::string& problem : take_up_session(viewer_, *text, path)) {
      journal.say(ui::MessageKind::kWarning, problem);
    }
    // Nothing new: asking before quitting would be a nuisance.
    viewer_.graph().note_written(viewer_.graph().wish());
    kept.path = path;
    kept.is_beside = path == beside;
    kept.text = *text;
    kept.looks = session_looks(viewer_);
    kept.lines = session_wish(viewer_.graph()) + kept.looks;
    journal.say(
        ui::MessageKind::kInfo,
        fmt::format("{}: taken up where it was left; Rewrite > Reset the policy begins anew",
                    path));
    return;
  }
  if (of_another.empty()) return;
  journal.say(ui::MessageKind::kWarning,
              fmt::format("{} is no session of this graph, or of it before it was changed; File > "
                          "Take up a session uses what fits",
                          of_another));
}

Status SessionKeeper::save() {
  Status status;
  for (auto& [id, kept] : kept_) {
    if (viewer_.session.find(id) == nullptr || !is_kept(id)) continue;
    const GraphDocument& graph = viewer_.session.graph(id);
    if (graph.snapshot()->graph->file != kept.file) continue;  // not met yet
    if (id == viewer_.shown) kept.looks = session_looks(viewer_);
    const std::string lines = session_wish(graph) + kept.looks;
    if (lines == kept.lines) continue;
    if (Status saved = save(*graph.snapshot()->graph, lines, kept); !saved) {
      status = std::move(saved);
    }
  }
  return status;
}

Status SessionKeeper::save(const OpenedGraph& graph, const std::string& lines, Kept& kept) {
  find_place(kept);
  kept.lines = lines;
  if (kept.path.empty()) return {};
  const auto there = read_session(kept.path);
  std::error_code error;
  if (kept.is_beside && there.value_or("") != kept.text && !folder_.empty()) {
    kept.is_beside = false;  // another window has written there
    kept.path = in_folder(kept);
  }
  kept.text = session_text(kept.digest, lines);
  if (kept.text.empty()) {
    fs::remove(kept.path, error);
    return {};
  }
  const Readers readers = readers_of_graph(graph.document(), graph.measured);
  if (kept.is_beside) {
    Status written = write_file(kept.path, kept.text, /*replace=*/true, readers);
    if (written || folder_.empty()) return written;
    kept.is_beside = false;
    kept.path = in_folder(kept);
  }
  fs::create_directories(folder_, error);
  return write_file(kept.path, kept.text, /*replace=*/true, readers);
}

}  // namespace tideline::app
