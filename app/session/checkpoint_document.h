// An open checkpoint.
#pragma once

#include <memory>
#include <string>

#include "app/session/document.h"
#include "core/checkpoint/checkpoint.h"
#include "render/model/checkpoint_contents.h"

namespace tideline::app {

/// Errors of all work go to the journal. Its jobs run one after the other.
class CheckpointDocument final : public SessionDocument {
 public:
  /// Starts opening what `request.graph.path` names (find_checkpoint.h).
  CheckpointDocument(DocumentPlace place, OpenRequest request);

  [[nodiscard]] const OpenRequest& request() const override { return request_; }
  [[nodiscard]] bool is_open() const override { return contents_ != nullptr; }
  void show_in(ui::UiModel& model) const override;
  void close() override;

  // Each starts a job and takes the place of an earlier one of its kind. Precondition: is_open().
  /// Reads the values of a tensor. Errors: kNotFound if there is none of this name.
  [[nodiscard]] Status select(const std::string& tensor);
  /// Compares all bytes with their checksums.
  void verify();
  /// Compares with the checkpoint at `path`.
  void compare(const std::string& path);
  /// Writes the tensors to `path`, in the format that its name asks for (convert.h). Errors: those
  /// that are known before the work begins.
  [[nodiscard]] Status convert(const std::string& path, bool replace);
  /// Loads the plugins that are installed.
  void list_backends();

  /// Null until it has been read.
  [[nodiscard]] const std::shared_ptr<const ui::CheckpointContents>& contents() const {
    return contents_;
  }

 private:
  using CheckpointPtr = std::shared_ptr<const checkpoint::Checkpoint>;

  // Starts a job that makes a part of the contents by `work(progress)`.
  template <typename Part, typename Work>
  void start(JobKind kind, std::string title,
             std::shared_ptr<const Part> ui::CheckpointContents::*part, Work work);
  void open();
  // Reads the values of the selected tensor.
  void look();
  void look_beside();
  // Replaces the contents by a copy that `change` has changed.
  template <typename Change>
  void change_contents(const Change& change);
  [[nodiscard]] std::function<Finish(const Error&)> reporter();
  [[nodiscard]] Jobs& jobs() override { return jobs_; }
  [[nodiscard]] const Jobs& jobs() const override { return jobs_; }

  Journal& journal_;
  OpenRequest request_;
  CheckpointPtr checkpoint_;
  std::shared_ptr<const ui::CheckpointContents> contents_;
  bool is_beside_stale_ = false;  // the facts may be of an earlier file beside this one
  Jobs jobs_;                     // last: its jobs must not outlive the rest
};

}  // namespace tideline::app
