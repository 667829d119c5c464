// The ops whose outputs may be swapped, and the ops that may read swapped tensors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/rewrite/lms/overrides.h"
#include "core/rewrite/lms2/context.h"

namespace tideline::lms2 {

/// Op types whose outputs are never swapped and that never read swapped tensors: input data,
/// variables and their updates.
[[nodiscard]] bool is_fixed_type(std::string_view type);

/// The verdict on one op in one role.
enum class Verdict : std::uint8_t {
  kCandidate,
  kNotIncluded,
  kExcludedByScope,
  kExcludedByType,
  kFixedType,
  kOnCpu,
  kOtherDevice,
  kInactive,
  kReadsNothing,  ///< in the step that TensorFlow runs
};

/// Verdicts by op.
struct Candidates {
  std::vector<Verdict> source;
  std::vector<Verdict> consumer;
  Overrides overrides;

  [[nodiscard]] bool is_source(OpId op) const { return source[op.index()] == Verdict::kCandidate; }
  [[nodiscard]] bool is_consumer(OpId op) const {
    return consumer[op.index()] == Verdict::kCandidate;
  }
};

/// Applies the filters. Errors: those of Overrides::find; kNotFound, with the reference's message,
/// for a scope or a user-given type that matches no op. Cost: O(ops x filters). Thread: pure.
[[nodiscard]] Result<Candidates> find_candidates(const Context& context);

/// The verdict as a phrase: "producer: excluded by scope loss".
[[nodiscard]] std::string explain(const Context& context, Verdict verdict, OpId op,
                                  const OpFilter& excluded);

}  // namespace tideline::lms2
