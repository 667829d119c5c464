// Tested by unit/session/checkpoint_document_test.cc.
#include "app/session/checkpoint_document.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "app/engine/checkpoint_contents.h"
#include "core/base/text.h"
#include "core/checkpoint/convert.h"
#include "core/checkpoint/find_checkpoint.h"

namespace tideline::app {

using checkpoint::Checkpoint;

CheckpointDocument::CheckpointDocument(DocumentPlace place, OpenRequest request)
    : journal_(place.journal), request_(std::move(request)), jobs_(place.wake) {
  open();
}

std::function<Finish(const Error&)> CheckpointDocument::reporter() {
  return [this](const Error& error) -> Finish { return [this, error] { journal_.report(error); }; };
}

void CheckpointDocument::open() {
  const std::string& path = request_.graph.path;
  jobs_.start({JobKind::kOpen, "Reading " + file_name(path),
               [this, path, failed = reporter()](Progress&) -> Finish {
                 auto opened = checkpoint::open_checkpoint(path);
                 if (!opened) return failed(opened.error());
                 auto held = std::make_shared<const Checkpoint>(*std::move(opened));
                 auto contents = std::make_shared<ui::CheckpointContents>();
                 contents->listing = list_checkpoint(*held);
                 return [this, held = std::move(held), contents = std::move(contents)] {
                   checkpoint_ = held;
                   contents_ = contents;
                   for (const std::string& note : held->notes) {
                     journal_.say(ui::MessageKind::kInfo, note);
                   }
                   journal_.touch();
                 };
               },
               reporter()});
}

template <typename Change>
void CheckpointDocument::change_contents(const Change& change) {
  auto changed = std::make_shared<ui::CheckpointContents>(*contents_);
  change(*changed);
  contents_ = std::move(changed);
  journal_.touch();
}

template <typename Part, typename Work>
void CheckpointDocument::start(JobKind kind, std::string title,
                               std::shared_ptr<const Part> ui::CheckpointContents::*part,
                               Work work) {
  jobs_.replace({kind, std::move(title),
                 [this, part, work = std::move(work), failed = reporter(),
                  checkpoint = checkpoint_](Progress& progress) -> Finish {
                   auto made = work(*checkpoint, progress);
                   if (!made) return failed(made.error());
                   return [this, part, made = *std::move(made)] {
                     if (!contents_) return;  // it was closed meanwhile
                     change_contents(
                         [&](ui::CheckpointContents& contents) { contents.*part = made; });
                     look_beside();
                   };
                 },
                 reporter()});
}

Status CheckpointDocument::select(const std::string& tensor) {
  if (checkpoint_->find(tensor) == nullptr) {
    return fail(Code::kNotFound, "{}: has no tensor '{}'", checkpoint_->path, printable(tensor));
  }
  if (contents_->selected == tensor && contents_->facts) return {};
  change_contents([&](ui::CheckpointContents& contents) {
    contents.selected = tensor;
    contents.facts.reset();
  });
  look();
  return {};
}

void CheckpointDocument::look() {
  is_beside_stale_ = false;
  const std::string& tensor = contents_->selected;
  const auto& comparison = contents_->comparison;
  start(JobKind::kLook, "Reading " + printable(tensor), &ui::CheckpointContents::facts,
        [tensor, other = comparison ? comparison->path : std::string()](
            const Checkpoint& checkpoint, Progress& progress) {
          return look_at_tensor(checkpoint, tensor, other, progress);
        });
}

// The tensor that is selected has a second histogram as soon as there is another checkpoint.
void CheckpointDocument::look_beside() {
  const auto& [facts, comparison] = std::tie(contents_->facts, contents_->comparison);
  if (!facts || !comparison) return;
  if (is_beside_stale_ || facts->other != comparison->path) look();
}

void CheckpointDocument::verify() {
  change_contents([](ui::CheckpointContents& contents) { contents.check.reset(); });
  start(JobKind::kVerify, "Verifying " + file_name(checkpoint_->path),
        &ui::CheckpointContents::check, check_checkpoint);
}

void CheckpointDocument::compare(const std::string& path) {
  change_contents([](ui::CheckpointContents& contents) {
    contents.comparison.reset();
    if (!contents.facts || contents.facts->other.empty()) return;
    auto alone = std::make_shared<ui::TensorFacts>(*contents.facts);
    alone->other_histogram.clear();
    alone->other.clear();
    contents.facts = std::move(alone);
  });
  is_beside_stale_ = true;
  start(JobKind::kCompare, "Comparing with " + file_name(path), &ui::CheckpointContents::comparison,
        [path](const Checkpoint& checkpoint, Progress& progress) {
          return compare_with(checkpoint, path, progress);
        });
}

Status CheckpointDocument::convert(const std::string& path, bool replace) {
  const checkpoint::CheckpointFormat& format = checkpoint::format_of_name(path);
  TIDELINE_RETURN_IF_ERROR(checkpoint::check_conversion(*checkpoint_, path, format, replace));
  jobs_.start({JobKind::kWrite, "Writing " + file_name(path),
               [this, path, &format, replace, failed = reporter(),
                checkpoint = checkpoint_](Progress& progress) -> Finish {
                 const Status status =
                     checkpoint::convert(*checkpoint, path, format, replace, progress);
                 if (!status) return failed(status.error());
                 return [this, path, &format, count = checkpoint->tensors.size()] {
                   journal_.say(ui::MessageKind::kInfo,
                                fmt::format("wrote {}: {}, {} tensors", path, format.title, count));
                 };
               },
               reporter()});
  return {};
}

void CheckpointDocument::list_backends() {
  jobs_.replace({JobKind::kPlugins, "Loading plugins",
                 [this](Progress&) -> Finish {
                   auto rows = std::make_shared<std::vector<ui::BackendRow>>();
                   std::vector<Error> problems;
                   for (const auto& facts : installed_backends(problems)) {
                     rows->push_back(backend_row(facts));
                   }
                   return [this, rows = std::move(rows), problems = std::move(problems)] {
                     for (const Error& problem : problems) {
                       journal_.say(ui::MessageKind::kWarning, problem.message);
                     }
                     if (!contents_) return;
                     change_contents(
                         [&](ui::CheckpointContents& contents) { contents.backends = rows; });
                   };
                 },
                 reporter()});
}

void CheckpointDocument::show_in(ui::UiModel& model) const {
  model.checkpoint = contents_;
}

void CheckpointDocument::close() {
  for (const JobKind kind :
       {JobKind::kOpen, JobKind::kLook, JobKind::kVerify, JobKind::kCompare, JobKind::kPlugins}) {
    jobs_.drop(kind);
  }
  contents_.reset();
  checkpoint_.reset();
  journal_.touch();
}

}  // namespace tideline::app
