// An open event log. What training appends to it is read on while it is open in a window.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/session/document.h"
#include "app/session/log_images.h"
#include "core/events/event_log.h"
#include "core/events/log_source.h"

namespace tideline::app {

class LogDocument final : public SessionDocument {
 public:
  /// Starts reading the event file or log folder `request.graph.path`. Errors go to the journal.
  /// While a large log is read, `contents` has what was read so far. With `place.wake`, `poll`
  /// looks for what was appended, as often as twice a second.
  LogDocument(DocumentPlace place, OpenRequest request);

  [[nodiscard]] const OpenRequest& request() const override { return request_; }
  [[nodiscard]] bool is_open() const override { return contents_ != nullptr; }
  void show_in(ui::UiModel& model) const override;
  void close() override;

  /// Starts reading another log, whose runs then stand beside those that are there under a name of
  /// its own (LogContents::added), and are read on like them. Errors go to the journal.
  void add(const std::string& path);
  /// Takes it away again: the others are read anew, because nothing is removed from what was read.
  /// Errors: kNotFound when no log of this name was added.
  [[nodiscard]] Status remove(const std::string& name);

  /// Decodes the rows of images that are wanted and not there yet, one after the other; the model
  /// gets them when they are there. To be called whenever it is shown. `decode` is called from
  /// another thread.
  void want_images(const std::vector<ui::LogRowKey>& wanted, const DecodeImage& decode);

  /// Null until the first part of the log has been read.
  [[nodiscard]] const std::shared_ptr<const ui::LogContents>& contents() const { return contents_; }

 private:
  using Clock = std::chrono::steady_clock;
  using ContentsPtr = std::shared_ptr<const ui::LogContents>;

  // Where the reading stands. Belongs to the jobs, of which one runs at a time.
  struct Reading {
    std::optional<events::LogSource> source;
    // Not changed once it was shown: what is appended goes into a copy.
    std::shared_ptr<events::EventLog> log = std::make_shared<events::EventLog>();
    std::uint64_t order = 0;     // as LogContents::order
    std::size_t graph_rows = 0;  // that `listed` is of
    ContentsPtr listed;          // has the lists of graphs
    int looks = 0;
    std::vector<ui::LogContents::Added> added;
    bool is_broken_off = false;  // some of what the source gave is not in the log
  };
  // What a running job has read so far, and old contents that it is to free: freeing those of a
  // large log takes longer than a frame.
  struct News {
    std::mutex mutex;
    ContentsPtr contents;
    std::vector<ContentsPtr> unused;
  };

  static Result<ContentsPtr> read(const std::string& path, bool is_whole, Reading& reading,
                                  News& news, Progress& progress);
  static Result<ContentsPtr> read_on(const std::string& path, Reading& reading, News& news,
                                     Progress& progress);
  static Result<ContentsPtr> add_to(const std::string& path, const std::string& added,
                                    bool is_whole, Reading& reading, Progress& progress);
  static Result<ContentsPtr> read_without(const std::string& path, const std::string& name,
                                          bool is_whole, Reading& reading, Progress& progress);
  void change(std::string title,
              std::function<Result<ContentsPtr>(Reading& reading, Progress& progress)> read);
  static void sort(events::EventLog& log, Reading& reading);
  static ContentsPtr publish(const std::string& path, Reading& reading);
  static void free_unused(News& news);
  void show(const ContentsPtr& contents);
  void follow();
  void take(const ContentsPtr& contents);
  bool take_news() override;
  [[nodiscard]] Jobs& jobs() override { return jobs_; }
  [[nodiscard]] const Jobs& jobs() const override { return jobs_; }

  Journal& journal_;
  OpenRequest request_;
  ContentsPtr contents_;
  std::vector<ui::LogRowKey> wanted_;
  std::shared_ptr<const ui::LogImages> images_ = std::make_shared<ui::LogImages>();
  std::shared_ptr<Reading> reading_ = std::make_shared<Reading>();
  std::shared_ptr<News> news_ = std::make_shared<News>();
  std::vector<ContentsPtr> replaced_;  // that views may still hold
  bool has_window_ = false;
  bool follows_ = false;  // once it was read, in a window
  Clock::time_point looked_at_;
  Jobs jobs_;  // last: its jobs must not outlive the rest
};

}  // namespace tideline::app
