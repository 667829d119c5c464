#include "core/runtime/compare.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace tideline::runtime {
namespace {

std::vector<std::int64_t> index_of(std::int64_t element, const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> index(dims.size());
  for (std::size_t i = dims.size(); i-- > 0;) {
    index[i] = element % dims[i];
    element /= dims[i];
  }
  return index;
}

std::int64_t count_different(const TensorValue& a, const TensorValue& b) {
  const std::int64_t count = a.element_count();
  const std::size_t size = a.content.size() / static_cast<std::size_t>(count);
  std::int64_t different = 0;
  for (std::size_t at = 0; at < a.content.size(); at += size) {
    if (a.content.compare(at, size, b.content, at, size) != 0) ++different;
  }
  return different;
}

std::optional<Difference> difference_of(std::int64_t step, const std::string& tensor,
                                        const TensorValue& a, const TensorValue& b) {
  Difference found;
  found.step = step;
  found.tensor = tensor;
  if (a.type != b.type || a.dims != b.dims) {
    found.what =
        fmt::format("the original has {}, the rewritten graph {}", describe(a), describe(b));
    return found;
  }
  const auto element = first_different_element(a, b);
  if (!element) return std::nullopt;
  found.index = index_of(*element, a.dims);
  found.original = element_text(a, *element);
  found.rewritten = element_text(b, *element);
  found.original_bits = element_bits(a, *element);
  found.rewritten_bits = element_bits(b, *element);
  found.ulps = ulp_distance(a, b, *element);
  found.different_elements = count_different(a, b);
  found.elements = a.element_count();
  return found;
}

bool is_finite(const TensorValue& value) {
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    const auto number = element_number(value, i);
    if (number && !std::isfinite(*number)) return false;
  }
  return true;
}

class Comparer {
 public:
  Comparer(Trainer& original, Trainer& rewritten, Progress& progress)
      : original_(original), rewritten_(rewritten), progress_(progress) {
    for (const TrainedVariable& variable : rewritten.training().variables) {
      partners_.emplace(variable.name, &variable);
    }
  }

  // Variables that begin differently get the original's value.
  Status start() {
    TIDELINE_RETURN_IF_ERROR(original_.initialise(progress_));
    TIDELINE_RETURN_IF_ERROR(rewritten_.initialise(progress_));
    for (const TrainedVariable& variable : original_.training().variables) {
      const auto partner = partners_.find(variable.name);
      if (partner == partners_.end()) continue;
      TIDELINE_TRY(const auto a, original_.read(variable, progress_));
      TIDELINE_TRY(const auto b, rewritten_.read(*partner->second, progress_));
      if (!a || (b && !difference_of(-1, variable.name, *a, *b))) continue;
      if (partner->second->assign.empty()) continue;  // compare_variables will say so
      TIDELINE_RETURN_IF_ERROR(rewritten_.assign(*partner->second, *a, progress_));
      ++comparison.copied;
    }
    return compare_variables(-1);
  }

  Status step(std::int64_t step, const BoundFeeds& original, const BoundFeeds& rewritten,
              bool trace) {
    TIDELINE_TRY(StepResult a, original_.step(step, original, trace, progress_));
    TIDELINE_TRY(StepResult b, rewritten_.step(step, rewritten, trace, progress_));
    comparison.original_traces = std::move(a.run_metadata);
    comparison.rewritten_traces = std::move(b.run_metadata);
    const TensorName& loss = original_.training().loss;
    comparison.difference =
        difference_of(step, fmt::format("{}:{}", loss.op, loss.slot), a.loss, b.loss);
    if (comparison.first_not_finite < 0 && !is_finite(a.loss)) comparison.first_not_finite = step;
    comparison.losses.push_back(std::move(a.loss));
    if (comparison.difference) return {};
    return compare_variables(step);
  }

  Comparison comparison;

 private:
  Status compare_variables(std::int64_t step) {
    comparison.variables = 0;
    comparison.uninitialised = 0;
    for (const TrainedVariable& variable : original_.training().variables) {
      const auto partner = partners_.find(variable.name);
      if (partner == partners_.end()) {
        return missing(step, variable, "the rewritten graph has no such variable");
      }
      TIDELINE_TRY(const auto a, original_.read(variable, progress_));
      TIDELINE_TRY(const auto b, rewritten_.read(*partner->second, progress_));
      if (!a && !b) {
        ++comparison.uninitialised;
        continue;
      }
      if (!b) return missing(step, variable, "it has no value in the rewritten graph");
      if (!a) return missing(step, variable, "it has no value in the original");
      comparison.difference = difference_of(step, variable.name, *a, *b);
      if (comparison.difference) return {};
      ++comparison.variables;
    }
    return {};
  }

  Status missing(std::int64_t step, const TrainedVariable& variable, const char* what) {
    comparison.difference.emplace();
    comparison.difference->step = step;
    comparison.difference->tensor = variable.name;
    comparison.difference->what = what;
    return {};
  }

  Trainer& original_;
  Trainer& rewritten_;
  Progress& progress_;
  std::map<std::string, const TrainedVariable*> partners_;
};

}  // namespace

Result<Comparison> compare_training(Trainer& original, const BoundFeeds& original_feeds,
                                    Trainer& rewritten, const BoundFeeds& rewritten_feeds,
                                    std::int64_t steps, bool trace_last, Progress& progress) {
  Comparer comparer(original, rewritten, progress);
  TIDELINE_RETURN_IF_ERROR(comparer.start());
  for (std::int64_t step = 0; step < steps && !comparer.comparison.difference; ++step) {
    if (!progress.report("comparing", step, steps)) return cancelled();
    TIDELINE_RETURN_IF_ERROR(
        comparer.step(step, original_feeds, rewritten_feeds, trace_last && step + 1 == steps));
    ++comparer.comparison.steps;
  }
  return std::move(comparer.comparison);
}

}  // namespace tideline::runtime
