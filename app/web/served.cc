// Tested by unit/web/served_test.cc.
#include "app/web/served.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/commands.h"
#include "app/web/gate.h"

namespace tideline::web {
namespace {

using Clock = std::chrono::steady_clock;

std::string text_of(const std::optional<ui::JobStatus>& job) {
  if (!job) return "";
  return fmt::format("{}|{}|{}", job->title, job->stage, std::floor(job->done_0_1 * 100));
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    // "/proc/self/fd/7" is not the beginning of "/proc/self/fd/71".
    const std::size_t end = at + from.size();
    if (end < text.size() && text[end] >= '0' && text[end] <= '9') {
      at = end - to.size();
      continue;
    }
    text.replace(at, from.size(), to);
  }
}

}  // namespace

void Signal::give() {
  {
    const std::scoped_lock lock(mutex_);
    ++count_;
  }
  given_.notify_all();
}

void Signal::end() {
  {
    const std::scoped_lock lock(mutex_);
    has_ended_ = true;
  }
  given_.notify_all();
}

std::uint64_t Signal::count() const {
  const std::scoped_lock lock(mutex_);
  return count_;
}

bool Signal::has_ended() const {
  const std::scoped_lock lock(mutex_);
  return has_ended_;
}

bool Signal::wait(std::uint64_t count, Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  given_.wait_until(lock, deadline, [&] { return has_ended_ || count_ > count; });
  return !has_ended_ && count_ > count;
}

Served::Served(std::string name, std::shared_ptr<session::SharedGraphs> shared)
    : id(std::move(name)),
      last_used(Clock::now()),
      session([this] { signal.give(); }, std::move(shared)),
      viewer(session) {}

void Served::poll() {
  session::poll(viewer);
  if (!resume.empty() && session::has_graph(viewer)) {
    // As messages, where they fail: nobody asked for them just now.
    session::run_intents(viewer, std::exchange(resume, {}));
    viewer.graph().end_gesture();
  }
  const std::string job = text_of(session::job_of(viewer));
  if (session.journal().revision() == seen_journal_ && job == seen_job_) return;
  seen_journal_ = session.journal().revision();
  seen_job_ = job;
  ++revision;
}

bool Served::is_opening() const {
  const auto& documents = session.documents();
  return std::any_of(documents.begin(), documents.end(),
                     [](const auto& entry) { return !entry.document->is_open(); });
}

void Served::wait_until(std::unique_lock<std::mutex>& lock, Clock::time_point deadline,
                        const std::function<bool()>& is_done) {
  while (true) {
    const std::uint64_t count = signal.count();
    poll();
    if (is_done() || Clock::now() >= deadline) return;
    lock.unlock();
    const bool was_given = signal.wait(count, deadline);
    lock.lock();
    if (!was_given) {
      poll();
      return;
    }
  }
}

std::string Served::shown(std::string text) const {
  for (const auto& upload : uploads) {
    replace_all(text, upload->path(), upload->name());
    // "Reading 7", as a job says.
    const std::string number = upload->path().substr(upload->path().rfind('/') + 1);
    for (const char* verb : {"Reading ", "Measuring "}) {
      if (text == verb + number) text = verb + upload->name();
    }
  }
  return text;
}

std::shared_ptr<Served> Sessions::add() {
  std::shared_ptr<Served> old;  // ends outside of the lock: its jobs may take a while to stop
  const std::scoped_lock lock(mutex_);
  if (has_ended_) return nullptr;
  if (sessions_.size() >= most_) {
    const auto oldest =
        std::min_element(sessions_.begin(), sessions_.end(), [](const auto& a, const auto& b) {
          return a.second->last_used.load() < b.second->last_used.load();
        });
    if (oldest == sessions_.end() ||
        Clock::now() - oldest->second->last_used.load() < std::chrono::minutes(kIdleMinutes)) {
      return nullptr;
    }
    old = std::move(oldest->second);
    sessions_.erase(oldest);
    old->signal.end();
  }
  const std::string id = random_id();
  return sessions_[id] = std::make_shared<Served>(id, shared_);
}

std::shared_ptr<Served> Sessions::find(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return nullptr;
  found->second->last_used = Clock::now();
  return found->second;
}

bool Sessions::remove(const std::string& id) {
  std::shared_ptr<Served> old;
  {
    const std::scoped_lock lock(mutex_);
    auto found = sessions_.extract(id);
    if (found.empty()) return false;
    old = std::move(found.mapped());
  }
  old->signal.end();
  return true;
}

void Sessions::end() {
  const std::scoped_lock lock(mutex_);
  has_ended_ = true;
  for (auto& [id, served] : sessions_) served->signal.end();
}

}  // namespace tideline::web
