// Tested by unit/session/log_document_test.cc, unit/session/session_test.cc.
#include "app/session/log_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/engine/log_contents.h"
#include "app/engine/read_log.h"
#include "core/base/text.h"

namespace tideline::app {
namespace {

using namespace std::chrono_literals;

// The first part of a large log is shown at once, later ones when twice as much time went by: each
// is a copy, and so all of them together cost no more than the last one.
constexpr auto kFirstLook = 100ms;
constexpr auto kPause = 400ms;
constexpr int kLooksForFolder = 3;

}  // namespace

LogDocument::LogDocument(DocumentPlace place, OpenRequest request)
    : journal_(place.journal), request_(std::move(request)), jobs_(place.wake) {
  const auto failed = [this](const Error& error) -> Finish {
    return [this, error] { journal_.report(error); };
  };
  const std::string& path = request_.graph.path;
  const bool has_window = has_window_ = static_cast<bool>(place.wake);
  jobs_.start({JobKind::kOpen, "Reading " + file_name(path),
               [this, path, failed, has_window, reading = reading_,
                news = news_](Progress& progress) -> Finish {
                 auto contents = read(path, !has_window, *reading, *news, progress);
                 if (!contents) return failed(contents.error());
                 return [this, has_window, found = *std::move(contents)] {
                   take(found);
                   follows_ = has_window;
                   looked_at_ = Clock::now();
                 };
               },
               failed});
}

void LogDocument::sort(events::EventLog& log, Reading& reading) {
  if (log.sort_rows()) ++reading.order;
}

LogDocument::ContentsPtr LogDocument::publish(const std::string& path, Reading& reading) {
  sort(*reading.log, reading);
  auto contents = make_log_contents(path, reading.log);
  contents->order = reading.order;
  contents->added = reading.added;
  const std::size_t rows = graph_rows(*reading.log);
  if (!reading.listed || rows != reading.graph_rows) {
    list_logged_graphs(*contents);
    reading.graph_rows = rows;
  } else {
    contents->graphs = reading.listed->graphs;
    contents->traces = reading.listed->traces;
  }
  reading.listed = contents;
  return contents;
}

// `is_whole`: nothing more will be appended.
Result<LogDocument::ContentsPtr> LogDocument::read(const std::string& path, bool is_whole,
                                                   Reading& reading, News& news,
                                                   Progress& progress) {
  TIDELINE_TRY(reading.source, events::LogSource::open(path, events::AtDamage::kStop, progress));
  const Clock::time_point begin = Clock::now();
  Clock::duration next = kFirstLook;
  const auto look = [&](const events::EventLog& log) {
    free_unused(news);
    const Clock::duration passed = Clock::now() - begin;
    if (passed < next) return;
    next = 2 * passed;
    const auto copy = std::make_shared<events::EventLog>(log);
    sort(*copy, reading);
    auto contents = make_log_contents(path, copy);
    contents->order = reading.order;
    const std::scoped_lock lock(news.mutex);
    news.contents = std::move(contents);
  };
  TIDELINE_RETURN_IF_ERROR(read_blocks(*reading.source, *reading.log, progress, 0, look));
  if (is_whole) reading.source->finish();
  reading.source->report_to(*reading.log);
  return publish(path, reading);
}

// Null when there is nothing new.
Result<LogDocument::ContentsPtr> LogDocument::read_on(const std::string& path, Reading& reading,
                                                      News& news, Progress& progress) {
  free_unused(news);
  if (reading.is_broken_off) return read_without(path, "", false, reading, progress);
  const bool looks_for_files = ++reading.looks % kLooksForFolder == 0;
  TIDELINE_RETURN_IF_ERROR(reading.source->refresh(looks_for_files, progress));
  if (!reading.source->has_news()) return ContentsPtr();
  reading.log = std::make_shared<events::EventLog>(*reading.log);
  TIDELINE_RETURN_IF_ERROR(read_blocks(*reading.source, *reading.log, progress));
  reading.source->report_to(*reading.log);
  return publish(path, reading);
}

Result<LogDocument::ContentsPtr> LogDocument::add_to(const std::string& path,
                                                     const std::string& added, bool is_whole,
                                                     Reading& reading, Progress& progress) {
  if (!reading.source) return fail(Code::kInvalidArgument, "{}: was not read", path);
  if (reading.is_broken_off) {
    TIDELINE_RETURN_IF_ERROR(read_without(path, "", is_whole, reading, progress));
  }
  const std::string name = added_name(*reading.source, added);
  TIDELINE_RETURN_IF_ERROR(reading.source->add(added, name, progress));
  reading.log = std::make_shared<events::EventLog>(*reading.log);
  reading.is_broken_off = true;  // until all of it is there
  TIDELINE_RETURN_IF_ERROR(read_blocks(*reading.source, *reading.log, progress));
  reading.is_broken_off = false;
  reading.added.push_back({added, name});
  if (is_whole) reading.source->finish();
  reading.source->report_to(*reading.log);
  return publish(path, reading);
}

Result<LogDocument::ContentsPtr> LogDocument::read_without(const std::string& path,
                                                           const std::string& name, bool is_whole,
                                                           Reading& reading, Progress& progress) {
  Reading fresh;
  fresh.order = reading.order + 1;  // rows have other places
  TIDELINE_TRY(fresh.source, events::LogSource::open(path, events::AtDamage::kStop, progress));
  for (const ui::LogContents::Added& one : reading.added) {
    if (one.name == name) continue;
    TIDELINE_RETURN_IF_ERROR(fresh.source->add(one.path, one.name, progress));
    fresh.added.push_back(one);
  }
  TIDELINE_RETURN_IF_ERROR(read_blocks(*fresh.source, *fresh.log, progress));
  if (is_whole) fresh.source->finish();
  fresh.source->report_to(*fresh.log);
  auto contents = publish(path, fresh);
  reading = std::move(fresh);
  return contents;
}

void LogDocument::change(
    std::string title,
    std::function<Result<ContentsPtr>(Reading& reading, Progress& progress)> read) {
  const auto failed = [this](const Error& error) -> Finish {
    return [this, error] { journal_.report(error); };
  };
  jobs_.start(
      {JobKind::kOpen, std::move(title),
       [this, failed, read = std::move(read), reading = reading_](Progress& progress) -> Finish {
         auto contents = read(*reading, progress);
         if (!contents) return failed(contents.error());
         return [this, found = *std::move(contents)] {
           take(found);
           looked_at_ = Clock::now();
         };
       },
       failed});
}

void LogDocument::add(const std::string& path) {
  change("Reading " + file_name(path), [own = request_.graph.path, path, is_whole = !has_window_](
                                           Reading& reading, Progress& progress) {
    return add_to(own, path, is_whole, reading, progress);
  });
}

Status LogDocument::remove(const std::string& name) {
  const bool is_there =
      contents_ != nullptr && std::any_of(contents_->added.begin(), contents_->added.end(),
                                          [&](const auto& one) { return one.name == name; });
  if (!is_there) return fail(Code::kNotFound, "no log '{}' was added", printable(name));
  change("Reading " + file_name(request_.graph.path),
         [own = request_.graph.path, name, is_whole = !has_window_](Reading& reading,
                                                                    Progress& progress) {
           return read_without(own, name, is_whole, reading, progress);
         });
  return {};
}

void LogDocument::free_unused(News& news) {
  std::vector<ContentsPtr> unused;  // freed after the lock is
  const std::scoped_lock lock(news.mutex);
  unused.swap(news.unused);
}

void LogDocument::show(const ContentsPtr& contents) {
  if (contents_) {
    if (contents_->order != contents->order) images_ = std::make_shared<ui::LogImages>();
    replaced_.push_back(std::move(contents_));
  }
  contents_ = contents;
}

void LogDocument::take(const ContentsPtr& contents) {
  show(contents);
  const std::scoped_lock lock(news_->mutex);
  news_->contents.reset();
  journal_.touch();
}

void LogDocument::follow() {
  const auto failed = [this](const Error& error) -> Finish {
    return [this, error] {
      follows_ = false;
      journal_.report(error);
    };
  };
  jobs_.start({JobKind::kFollow, "",
               [this, failed, path = request_.graph.path, reading = reading_,
                news = news_](Progress& progress) -> Finish {
                 auto contents = read_on(path, *reading, *news, progress);
                 if (!contents) return failed(contents.error());
                 return [this, found = *std::move(contents)] {
                   if (found) take(found);
                   looked_at_ = Clock::now();
                 };
               },
               failed});
}

bool LogDocument::take_news() {
  if (follows_ && jobs_.is_idle() && Clock::now() - looked_at_ >= kPause) follow();
  ContentsPtr contents;
  {
    const std::scoped_lock lock(news_->mutex);
    contents = std::exchange(news_->contents, nullptr);
    // Views let go of contents when they draw the next ones.
    for (ContentsPtr& old : replaced_) {
      if (old.use_count() == 1) news_->unused.push_back(std::move(old));
    }
    std::erase(replaced_, nullptr);
  }
  if (!contents) return false;
  show(contents);
  journal_.touch();
  return true;
}

void LogDocument::show_in(ui::UiModel& model) const {
  model.log = contents_;
  model.log_images = images_;
}

void LogDocument::want_images(const std::vector<ui::LogRowKey>& wanted, const DecodeImage& decode) {
  if (!contents_ || !decode) return;
  wanted_ = wanted;
  if (jobs_.has(JobKind::kImages)) return;  // its end is news, so that this is called again
  const std::shared_ptr<const events::EventLog>& log = contents_->events;
  const auto missing = std::find_if(wanted.begin(), wanted.end(), [&](const ui::LogRowKey& key) {
    return !images_->rows.contains(key) && key.series < log->series().size() &&
           key.row < log->series()[key.series].rows.size();
  });
  if (missing == wanted.end()) return;
  const auto failed = [this, key = *missing](const Error& error) -> Finish {
    return [this, key, error] {
      auto row = std::make_shared<ui::LoggedRow>();
      row->problem = error.message;
      images_ = with_row(*images_, key, std::move(row), wanted_);
      journal_.touch();
    };
  };
  jobs_.start({JobKind::kImages, "",
               [this, log, decode, order = contents_->order, key = *missing](Progress&) -> Finish {
                 return [this, order, key, row = read_images(*log, key, decode)] {
                   if (!contents_ || contents_->order != order) return journal_.touch();
                   images_ = with_row(*images_, key, row, wanted_);
                   journal_.touch();
                 };
               },
               failed});
}

void LogDocument::close() {
  jobs_.drop(JobKind::kOpen);
  jobs_.drop(JobKind::kFollow);
  jobs_.drop(JobKind::kImages);
  follows_ = false;
  contents_.reset();
  replaced_.clear();
  journal_.touch();
}

}  // namespace tideline::app
