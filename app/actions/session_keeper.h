// Keeps the state of the graphs of a window in session files (session_file.h), from which the next
// window takes it up.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "app/session/viewer.h"

namespace tideline::app {

/// A graph's session file stands beside it. Where nobody may write, where the file there is of
/// another graph or was written by somebody else meanwhile, and for graphs that come with the
/// program, it is `FOLDER/DIGEST.tideline` instead. No file is made for a graph in which nothing
/// was changed, and none for a lesson's, also when the lesson has ended. No effect while
/// Settings::keeps_sessions is false. Thread: the session's.
class SessionKeeper {
 public:
  /// `folder` may be empty: there is none.
  SessionKeeper(Viewer& viewer, std::string folder) : viewer_(viewer), folder_(std::move(folder)) {}

  /// Takes up the session of the graph that is shown, when it is shown for the first time, unless
  /// it was opened with a policy. A session of another graph is not taken up, and the journal says
  /// how it can be (`session.take-up`). Cost: of a graph with a session file a pass over its bytes.
  void take_up_opened();

  /// Writes the session files of graphs whose state has changed. Errors: kIo, of the last place
  /// that was tried; the message begins with the path.
  [[nodiscard]] Status save();

 private:
  struct Kept {
    std::shared_ptr<const GraphFile> file;  // that the rest is of
    std::string digest;                     // empty until it is needed
    std::string path;                       // where its session file stands, or is to
    bool is_beside = false;                 // in `path`
    std::string text;                       // of the file, as this window read or wrote it
    std::string lines;                      // of the state that it had then
    std::string looks;                      // when it was last shown
  };
  [[nodiscard]] bool is_kept(DocumentId id) const;
  [[nodiscard]] std::string in_folder(const Kept& kept) const;
  void find_place(Kept& kept);
  void take_up(Kept& kept);
  [[nodiscard]] static bool is_part_of_file(const Kept& kept);
  [[nodiscard]] Status save(const OpenedGraph& graph, const std::string& lines, Kept& kept);

  Viewer& viewer_;
  std::string folder_;
  std::map<DocumentId, Kept> kept_;  // that were shown
  std::set<DocumentId> of_lessons_;  // also of those that have ended
};

}  // namespace tideline::app
