// Tested by unit/actions/session_file_test.cc.
#include "app/actions/session_keeper.h"

#include <filesystem>

#include "app/actions/session_file.h"
#include "app/session/sample.h"
#include "core/base/output_file.h"

namespace tideline::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameDigits = 16;  // of the digest, in the name of a file

// Of an installation, or of the sources.
bool is_shipped(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  const auto sample = sample_path(samples().front());
  return sample && whole.parent_path() == fs::weakly_canonical(*sample, error).parent_path();
}

}  // namespace

bool SessionKeeper::is_kept(DocumentId id) const {
  return viewer_.settings.keeps_sessions && viewer_.session.graph(id).is_open() &&
         viewer_.lesson.document != id;
}

SessionKeeper::Kept& SessionKeeper::kept(const GraphDocument& graph, DocumentId id) {
  Kept& kept = kept_[id];
  const auto& file = graph.snapshot()->graph->file;
  if (kept.file != file) {
    kept = {};
    kept.file = file;
  }
  return kept;
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
  kept.is_beside = !is_shipped(kept.file->path()) &&
                   (is_free || (there && digest_of_session(*there) == kept.digest));
  kept.path = kept.is_beside ? beside : in_folder(kept);
}

void SessionKeeper::take_up_opened() {
  for (const Session::Entry& entry : viewer_.session.documents()) {
    if (!is_kept(entry.id)) continue;
    const GraphDocument& graph = viewer_.session.graph(entry.id);
    const bool is_new = !kept_.contains(entry.id);
    Kept& of_graph = kept(graph, entry.id);
    // Whoever asks for a policy, or restores one, does not want another.
    if (is_new && graph.wish().policy.is_off()) take_up(entry.id, of_graph);
  }
  std::erase_if(kept_,
                [&](const auto& entry) { return viewer_.session.find(entry.first) == nullptr; });
}

void SessionKeeper::take_up(DocumentId id, Kept& kept) {
  const std::string beside = session_path(kept.file->path());
  std::error_code error;
  if (!fs::exists(beside, error) && (folder_.empty() || !fs::exists(folder_, error))) return;
  find_place(kept);
  Journal& journal = viewer_.session.journal();
  for (const std::string& path : {beside, in_folder(kept)}) {
    if (path.empty() || !fs::exists(path, error)) continue;
    const auto text = read_session(path);
    if (!text) {
      journal.say(ui::MessageKind::kWarning, text.error().message);
      continue;
    }
    if (digest_of_session(*text) != kept.digest) {
      journal.say(ui::MessageKind::kWarning,
                  fmt::format("{} is the session of another graph, or of this one before it was "
                              "changed; File > Take up a session uses what fits",
                              path));
      continue;
    }
    const DocumentId shown = viewer_.shown;
    show(viewer_, id);
    for (const std::string& problem : take_up_session(viewer_, *text, path)) {
      journal.say(ui::MessageKind::kWarning, problem);
    }
    // Nothing new: asking before quitting would be a nuisance.
    viewer_.graph().note_written(viewer_.graph().wish());
    show(viewer_, shown);
    kept.text = *text;
    journal.say(
        ui::MessageKind::kInfo,
        fmt::format("{}: taken up where it was left; Rewrite > Reset the policy begins anew",
                    path));
    return;
  }
}

Status SessionKeeper::save() {
  Status status;
  for (const Session::Entry& entry : viewer_.session.documents()) {
    if (!is_kept(entry.id)) continue;
    Kept& of_graph = kept(viewer_.session.graph(entry.id), entry.id);
    if (of_graph.path.empty() && session_text(viewer_, entry.id, {}).empty()) continue;
    find_place(of_graph);
    const std::string text = session_text(viewer_, entry.id, of_graph.digest);
    if (text == of_graph.text || of_graph.path.empty()) continue;
    of_graph.text = text;
    std::error_code error;
    if (text.empty()) {
      fs::remove(of_graph.path, error);
      continue;
    }
    if (!of_graph.is_beside) fs::create_directories(folder_, error);
    status = write_file(of_graph.path, text, /*replace=*/true);
    if (status || !of_graph.is_beside || folder_.empty()) continue;
    of_graph.is_beside = false;
    of_graph.path = in_folder(of_graph);
    fs::create_directories(folder_, error);
    status = write_file(of_graph.path, text, /*replace=*/true);
  }
  return status;
}

}  // namespace tideline::app
