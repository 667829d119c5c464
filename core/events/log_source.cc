// Tested by unit/events/log_source_test.cc, integration/follow_log_test.py.
#include "core/events/log_source.h"

#include <sys/stat.h>

#include <filesystem>

#include "core/base/text.h"
#include "core/events/decode_events.h"
#include "core/events/log_walk.h"

namespace tideline::events {
namespace {

namespace fs = std::filesystem;

// A file that was chosen by itself may have any name, but must be a log; an empty one will be.
Status check_single_file(const std::string& path) {
  TIDELINE_TRY(const InputFile file, InputFile::open(path));
  if (file.size() == 0) return {};
  TIDELINE_RETURN_IF_ERROR(refuse_foreign_log(path));
  if (is_log_file(path) ||
      fs::path(path).filename().native().find("tfevents") != std::string::npos) {
    return {};
  }
  return fail(Code::kInvalidArgument, "{}: is no event log; expected an event file or a folder",
              path);
}

}  // namespace

Result<LogSource> LogSource::open(const std::string& path, AtDamage at_damage, Progress& progress) {
  LogSource source(at_damage);
  TIDELINE_RETURN_IF_ERROR(source.add(path, "", progress));
  return source;
}

Status LogSource::add(const std::string& path, const std::string& name, Progress& progress) {
  const Log log{path, name};
  TIDELINE_TRY(std::vector<EventFile> files, find(log, diagnostics_, progress));
  std::erase_if(files, [this](const EventFile& file) { return known_.contains(file.path); });
  if (files.empty()) {
    return fail(Code::kInvalidArgument, "{}: is there already; expected another log", path);
  }
  logs_.push_back(log);
  for (EventFile& file : files) {
    file.log = static_cast<std::uint32_t>(logs_.size() - 1);
    std::error_code error;
    const auto size = fs::file_size(file.path, error);
    if (!error) bytes_total_ += size;
    follow(std::move(file));
  }
  return {};
}

bool LogSource::has_run(const std::string& name) const {
  return std::any_of(files_.begin(), files_.end(), [&](const Followed& followed) {
    const std::string& run = followed.file.run;
    return run == name || run.starts_with(name + "/");
  });
}

Result<std::vector<EventFile>> LogSource::find(const Log& log, Diagnostics& diagnostics,
                                               Progress& progress) const {
  TIDELINE_TRY(std::vector<EventFile> files, find_event_files(log.path, diagnostics, progress));
  if (files.size() == 1 && files.front().path == log.path) {
    TIDELINE_RETURN_IF_ERROR(check_single_file(log.path));
  }
  if (log.name.empty()) return files;
  for (EventFile& file : files) {
    file.run = file.run == "." ? log.name : log.name + "/" + file.run;
  }
  return files;
}

void LogSource::follow(EventFile file) {
  known_.insert(file.path);
  files_.emplace_back().file = std::move(file);
}

void LogSource::lose(Followed& followed, Severity severity, const char* kind,
                     const std::string& why) {
  followed.state = State::kGone;
  followed.blocks.reset();
  has_news_ = true;
  diagnostics_.add(severity, kind, printable(why));
}

Status LogSource::open_file(Followed& followed) const {
  TIDELINE_TRY(InputFile file, InputFile::open(followed.file.path));
  if (followed.position.at == 0) TIDELINE_RETURN_IF_ERROR(refuse_foreign_log(file.path()));
  if (followed.position.at > 0 && followed.identity != file.identity()) {
    return changed_while_read(file.path());
  }
  followed.identity = file.identity();
  followed.blocks.emplace(std::move(file), at_damage_, followed.position);
  return {};
}

void LogSource::close_file(std::uint32_t index) {
  Followed& followed = files_[index];
  if (!followed.blocks) return;
  followed.position = followed.blocks->position();
  followed.size = followed.blocks->limit();
  if (followed.blocks->has_ended()) followed.state = State::kEnded;
  for (const RecordDamage& damage : followed.blocks->damage()) damage_.push_back({index, damage});
  followed.blocks.reset();
}

Result<bool> LogSource::read_block(std::uint32_t index, RecordBlock& block) {
  Followed& followed = files_[index];
  if (!followed.blocks) TIDELINE_RETURN_IF_ERROR(open_file(followed));
  block.file = index;
  return followed.blocks->next(block);
}

bool LogSource::next(RecordBlock& block) {
  for (; current_ < files_.size(); ++current_) {
    Followed& followed = files_[current_];
    if (followed.state != State::kReading) continue;
    const auto is_there = read_block(current_, block);
    if (!is_there) {
      close_file(current_);
      lose(followed, Severity::kDataLoss, "event file that cannot be read",
           is_there.error().message);
      continue;
    }
    if (*is_there) {
      bytes_read_ += block.buffer.bytes().size();
      return true;
    }
    close_file(current_);
  }
  return false;
}

void LogSource::end_file(std::uint32_t file) {
  close_file(file);
  if (files_[file].state == State::kReading) files_[file].state = State::kEnded;
}

void LogSource::look_at(Followed& followed) {
  struct stat now {};
  const std::string& path = followed.file.path;
  if (::stat(path.c_str(), &now) != 0) {
    if (followed.state == State::kReading) {
      lose(followed, Severity::kNotice, "event file that was deleted; what was read is kept", path);
    }
    return;
  }
  const auto size = static_cast<std::uint64_t>(now.st_size);
  const bool was_opened = followed.identity != std::pair<dev_t, ino_t>();
  const bool is_other = was_opened && followed.identity != std::pair(now.st_dev, now.st_ino);
  const bool is_emptied = size == 0 && followed.position.at > 0;
  if (is_other || is_emptied) {
    diagnostics_.add(Severity::kNotice,
                     "event file that was replaced; the new one is read from its beginning",
                     printable(path));
    has_news_ = true;
    followed.position = {};
    followed.state = State::kReading;
    followed.identity = {};
  } else if (size < followed.position.at && followed.state == State::kReading) {
    lose(followed, Severity::kNotice, "event file that was cut; what was read is kept", path);
  }
  if (followed.state == State::kReading && size > followed.size) {
    bytes_total_ += size - followed.size;
    has_news_ = true;
  }
}

Status LogSource::refresh(bool new_files, Progress& progress) {
  has_news_ = false;
  for (Followed& followed : files_) look_at(followed);
  if (new_files) {
    for (std::uint32_t log = 0; log < logs_.size(); ++log) {
      Diagnostics again;  // counted already
      auto found = find(logs_[log], again, progress);
      if (!found && found.error().code == Code::kCancelled) return cancelled();
      if (!found) continue;
      for (EventFile& file : *found) {
        if (known_.contains(file.path)) continue;
        file.log = log;
        follow(std::move(file));
        has_news_ = true;
      }
    }
  }
  current_ = 0;
  return {};
}

void LogSource::finish() {
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    Followed& followed = files_[i];
    if (followed.state != State::kReading || followed.position.at >= followed.size) continue;
    if (!open_file(followed)) continue;
    // What grew since then is not incomplete.
    if (followed.blocks->limit() == followed.size) followed.blocks->finish();
    close_file(i);
  }
}

void LogSource::report_to(EventLog& log) {
  for (std::uint32_t i = 0; i < files_.size(); ++i) log.add_file(i, files_[i].file);
  for (const FileDamage& damage : damage_) log.add_damage(damage);
  damage_.clear();
  log.add_diagnostics(diagnostics_);
  diagnostics_ = {};
}

}  // namespace tideline::events
