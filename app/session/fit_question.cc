// Tested by unit/session/fit_document_test.cc.
#include "app/session/fit_question.h"

#include <utility>

namespace tideline::app {
namespace {

// Of the step as it is: a policy that swaps does not make it a GPU's.
RunModel run_of(const Wish& wish) {
  return wish.is_exact() ? RunModel{AsRun::kModelled, wish.run.executor} : wish.run;
}

}  // namespace

SizedGraph FitQuestion::graph() const {
  return {.source = source,
          .batch_size = wish.batch_size,
          .shapes = wish.shapes,
          .rounds = wish.rounds,
          .run = run_of(wish),
          .measured = measured};
}

FitRequest FitQuestion::request() const {
  const bool is_whole_device = wish.policy.budget->device == wish.profile.free_bytes;
  FitRequest request;
  request.device = is_whole_device ? wish.profile.name : format_bytes(wish.policy.budget->device);
  request.profile = wish.profile;
  // As the wish got it: a file has a name inside that no option takes.
  request.profile_word = wish.profile_file.empty() ? wish.profile.name : wish.profile_file;
  request.trace = trace;
  request.policy = wish.policy;
  request.policy.search.profile = wish.profile;
  request.wants_curve = true;
  return request;
}

bool operator==(const FitQuestion& a, const FitQuestion& b) {
  const auto device = [](const FitQuestion& question) {
    return step_options(question.wish.policy, {}, nullptr).gpu_device;
  };
  return a.source == b.source && a.measured == b.measured &&
         a.wish.batch_size == b.wish.batch_size && a.wish.shapes == b.wish.shapes &&
         a.wish.rounds == b.wish.rounds && run_of(a.wish) == run_of(b.wish) &&
         a.wish.profile == b.wish.profile && a.wish.policy.budget == b.wish.policy.budget &&
         a.wish.policy.search == b.wish.policy.search && device(a) == device(b);
}

Result<FitQuestion> fit_question(ReadGraphPtr source, MeasuredRunPtr measured,
                                 events::TraceChoice trace, Wish wish) {
  std::optional<MemoryBudget>& budget = wish.policy.budget;
  if (!budget) budget.emplace();
  if (budget->device <= 0) budget->device = wish.profile.free_bytes;
  if (budget->device <= 0) {
    return fail(Code::kInvalidArgument,
                "there is no device to fit; expected {{device-memory}}, or a device profile that "
                "has a memory, such as v100");
  }
  return FitQuestion{std::move(source), std::move(measured), std::move(trace), std::move(wish)};
}

}  // namespace tideline::app
