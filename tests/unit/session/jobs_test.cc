#include "app/session/jobs.h"

#include <catch2/catch.hpp>
#include <future>
#include <stdexcept>

namespace tideline {
namespace {

using app::Finish;
using app::Job;
using app::JobKind;
using app::Jobs;

// A job that says when it has begun, and goes on until it is let go or asked to stop.
struct Slow {
  std::promise<void> begun;
  std::atomic<bool> may_go = false;
  std::atomic<bool> was_stopped = false;

  void run(Progress& progress) {
    begun.set_value();
    while (!may_go) {
      if (progress.report("waiting", 1, 4)) continue;
      was_stopped = true;
      return;
    }
  }
};

Job slow_job(JobKind kind, Slow& slow, std::string& log, const std::string& name) {
  return {kind,
          name,
          [&slow, &log, name](Progress& progress) -> Finish {
            slow.run(progress);
            return [&log, name] { log += name; };
          },
          {}};
}

Job quick_job(JobKind kind, std::string& log, const std::string& name) {
  return {
      kind, name, [&log, name](Progress&) -> Finish { return [&log, name] { log += name; }; }, {}};
}

void finish_all(Jobs& jobs) {
  while (!jobs.is_idle()) {
    jobs.wait();
    jobs.take();
  }
}

}  // namespace

TEST_CASE("Jobs finish in the order in which they were started, when they are taken", "[session]") {
  std::string log;
  Jobs jobs;
  jobs.start(quick_job(JobKind::kOpen, log, "a"));
  jobs.start(quick_job(JobKind::kWrite, log, "b"));
  jobs.start(quick_job(JobKind::kOpen, log, "c"));
  jobs.wait();
  CHECK(log.empty());
  finish_all(jobs);
  CHECK(log == "abc");
}

TEST_CASE("The newest wish of a kind wins, and one that runs is stopped", "[session]") {
  std::string log;
  Slow slow;
  Jobs jobs;
  jobs.replace(slow_job(JobKind::kPlan, slow, log, "old"));
  slow.begun.get_future().wait();
  jobs.replace(quick_job(JobKind::kPlan, log, "between"));
  jobs.start(quick_job(JobKind::kWrite, log, "write "));
  jobs.replace(quick_job(JobKind::kPlan, log, "new"));
  finish_all(jobs);
  CHECK(log == "write new");
  CHECK(slow.was_stopped);
}

TEST_CASE("What is done but not taken yet is dropped by a newer wish, too", "[session]") {
  std::string log;
  Jobs jobs;
  jobs.replace(quick_job(JobKind::kPlan, log, "old"));
  jobs.wait();
  jobs.replace(quick_job(JobKind::kPlan, log, "new"));
  finish_all(jobs);
  CHECK(log == "new");
}

TEST_CASE("A cancelled job finishes all the same, so that somebody can say so", "[session]") {
  std::string log;
  Slow slow;
  Jobs jobs;
  jobs.start(slow_job(JobKind::kOpen, slow, log, "a"));
  slow.begun.get_future().wait();
  jobs.cancel();
  finish_all(jobs);
  CHECK(slow.was_stopped);
  CHECK(log == "a");
}

TEST_CASE("The running job says how far it is", "[session]") {
  std::string log;
  Slow slow;
  Jobs jobs;
  CHECK_FALSE(jobs.status());
  jobs.start(slow_job(JobKind::kOpen, slow, log, "Reading g.pb"));
  slow.begun.get_future().wait();
  while (jobs.status()->stage.empty()) std::this_thread::yield();
  CHECK(jobs.status()->title == "Reading g.pb");
  CHECK(jobs.status()->stage == "waiting");
  CHECK(jobs.status()->done_0_1 == 0.25);
  CHECK(jobs.has(JobKind::kOpen));
  CHECK_FALSE(jobs.has(JobKind::kPlan));
  slow.may_go = true;
  finish_all(jobs);
}

TEST_CASE("Whoever sleeps is woken when a job is done", "[session]") {
  std::promise<void> woken;
  Jobs jobs([&] { woken.set_value(); });
  jobs.start({JobKind::kOpen, "a", [](Progress&) -> Finish { return {}; }, {}});
  woken.get_future().wait();
  CHECK(jobs.take());
}

TEST_CASE("A job that throws is an error, not the end", "[session]") {
  std::string said;
  Jobs jobs;
  const auto failed = [&](const Error& error) -> Finish {
    return [&said, error] { said += error.message + "\n"; };
  };
  jobs.start({JobKind::kOpen, "a", [](Progress&) -> Finish { throw std::bad_alloc(); }, failed});
  jobs.start({JobKind::kOpen, "b", [](Progress&) -> Finish { throw std::runtime_error("made up"); },
              failed});
  finish_all(jobs);
  CHECK(said == "out of memory\ninternal error: made up\n");
}

TEST_CASE("Leaving stops what runs and forgets what waits", "[session]") {
  std::string log;
  Slow slow;
  {
    Jobs jobs;
    jobs.start(slow_job(JobKind::kOpen, slow, log, "a"));
    jobs.start(quick_job(JobKind::kOpen, log, "b"));
    slow.begun.get_future().wait();
  }
  CHECK(slow.was_stopped);
  CHECK(log.empty());
}

TEST_CASE("A finish may drop those behind it and start others", "[session]") {
  std::string log;
  Jobs jobs;
  jobs.start({JobKind::kOpen,
              "a",
              [&](Progress&) -> Finish {
                return [&] {
                  log += "a";
                  jobs.drop(JobKind::kPlan);
                  jobs.start(quick_job(JobKind::kWrite, log, "c"));
                };
              },
              {}});
  jobs.start(quick_job(JobKind::kPlan, log, "b"));
  finish_all(jobs);
  CHECK(log == "ac");
}

}  // namespace tideline
