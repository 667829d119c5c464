// An open event log, with the list of its graphs and traced steps.
#pragma once

#include <memory>
#include <string>

#include "app/session/document.h"

namespace tideline::session {

class LogDocument final : public Document {
 public:
  /// Starts reading the event file or log folder `request.graph.path`. Errors go to the journal.
  LogDocument(DocumentPlace place, OpenRequest request);

  [[nodiscard]] const OpenRequest& request() const override { return request_; }
  [[nodiscard]] bool is_open() const override { return contents_ != nullptr; }
  void show_in(ui::UiModel& model) const override;
  void close() override;

  /// Null until the log has been read.
  [[nodiscard]] const std::shared_ptr<const ui::LogContents>& contents() const { return contents_; }

 private:
  [[nodiscard]] Jobs& jobs() override { return jobs_; }
  [[nodiscard]] const Jobs& jobs() const override { return jobs_; }

  Journal& journal_;
  OpenRequest request_;
  std::shared_ptr<const ui::LogContents> contents_;
  Jobs jobs_;  // last: its jobs must not outlive the rest
};

}  // namespace tideline::session
