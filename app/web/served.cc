// Tested by unit/web/served_test.cc.
#include "app/web/served.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/actions/commands.h"
#include "app/actions/lesson_player.h"
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

Visits::Visit::Visit(Visits& visits, std::function<bool()> has_hung_up)
    : visits_(visits), has_hung_up_(std::move(has_hung_up)) {
  const std::scoped_lock lock(visits_.mutex_);
  visits_.visits_.insert(this);
}

Visits::Visit::~Visit() {
  const std::scoped_lock lock(visits_.mutex_);
  visits_.visits_.erase(this);
}

bool Visits::has_any() const {
  const std::scoped_lock lock(mutex_);
  return std::any_of(visits_.begin(), visits_.end(), [](const Visit* visit) {
    return !visit->has_hung_up_ || !visit->has_hung_up_();
  });
}

Served::Served(std::string name, std::shared_ptr<app::SharedGraphs> shared,
               std::vector<std::shared_ptr<Upload>> given)
    : id(std::move(name)),
      uploads(std::move(given)),
      last_used(Clock::now()),
      session([this] { signal.give(); }, std::move(shared)),
      viewer(session) {}

void Served::poll() {
  app::poll(viewer);
  app::continue_lesson(viewer);
  if (!resume.empty() && app::has_graph(viewer)) {
    // As messages, where they fail: nobody asked for them just now.
    app::run_intents(viewer, std::exchange(resume, {}));
    viewer.graph().end_gesture();
  }
  const std::string job = text_of(app::job_of(viewer));
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

Sessions::Sessions(std::size_t most, std::function<void(const Served&)> gives_way,
                   std::chrono::milliseconds left_life)
    : most_(most),
      gives_way_(std::move(gives_way)),
      left_life_(left_life),
      ending_([this](const std::stop_token& stop) { end_those_left(stop); }) {}

// Precondition: the mutex is held.
Sessions::Entries::iterator Sessions::next_to_give_way() {
  auto next = sessions_.end();
  for (auto at = sessions_.begin(); at != sessions_.end(); ++at) {
    const Served& served = *at->second;
    if (!served.was_left && served.visits.has_any()) continue;
    const auto rank = [](const Served& one) {
      return std::pair(!one.was_left.load(), one.last_used.load());
    };
    if (next == sessions_.end() || rank(served) < rank(*next->second)) next = at;
  }
  return next;
}

std::shared_ptr<Served> Sessions::add(std::vector<std::shared_ptr<Upload>> uploads) {
  std::shared_ptr<Served> old;  // ends outside of the lock: its jobs may take a while to stop
  std::shared_ptr<Served> added;
  {
    const std::scoped_lock lock(mutex_);
    if (has_ended_) return nullptr;
    const bool is_full = sessions_.size() >= most_;
    const auto place = is_full ? next_to_give_way() : sessions_.end();
    if (is_full && place == sessions_.end()) return nullptr;
    added = std::make_shared<Served>(random_id(), shared_, std::move(uploads));
    sessions_[added->id] = added;
    if (is_full) {
      old = std::move(place->second);
      sessions_.erase(place);
    }
  }
  if (old) {
    old->signal.end();
    if (gives_way_ && !old->was_left) gives_way_(*old);
  }
  return added;
}

std::shared_ptr<Served> Sessions::find(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return nullptr;
  found->second->last_used = Clock::now();
  found->second->was_left = false;
  return found->second;
}

bool Sessions::leave(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return false;
  found->second->last_used = Clock::now();
  found->second->was_left = true;
  someone_left_.notify_all();
  return true;
}

// Sleeps while no page went.
void Sessions::end_those_left(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    std::shared_ptr<Served> over;  // one at a time: there may be no memory for a list
    std::optional<Clock::time_point> next;
    for (auto at = sessions_.begin(); at != sessions_.end() && !over; ++at) {
      if (!at->second->was_left) continue;
      const auto due = at->second->last_used.load() + left_life_;
      next = std::min(next.value_or(due), due);
      if (due <= Clock::now()) over = at->second;
    }
    if (over) {
      sessions_.erase(over->id);
      lock.unlock();
      over->signal.end();
      over.reset();
      lock.lock();
    } else if (next) {
      someone_left_.wait_until(lock, stop, *next, [] { return false; });
    } else {
      someone_left_.wait(lock, stop, [this] {
        return std::any_of(sessions_.begin(), sessions_.end(),
                           [](const auto& entry) { return entry.second->was_left.load(); });
      });
    }
  }
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
