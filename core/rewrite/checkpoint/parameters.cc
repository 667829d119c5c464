// Tested by unit/rewrite/checkpoint/options_test.cc.
#include "core/rewrite/checkpoint/rewriter.h"

#include <array>

#include "core/rewrite/bound_parameter.h"

namespace tideline::checkpoint_ops {
namespace {

using Bound = BoundParameter<CheckpointOptions>;

constexpr Bound kBackend = bound<CheckpointOptions, &CheckpointOptions::backend>(
    {.name = "backend",
     .title = "backend",
     .kind = ParameterKind::kText,
     .help = "The checkpoint backend that saves and restores; it need not be installed here",
     .expected = "the name of a backend such as file",
     .type_name = "NAME",
     .is_required = true,
     .is_always_in_plan = true});

constexpr Bound kConfig = bound<CheckpointOptions, &CheckpointOptions::config>(
    {.name = "config",
     .title = "configuration",
     .kind = ParameterKind::kText,
     .help = "Further configuration of the backend; the prefix is its path",
     .expected = "nothing, or a JSON object without path",
     .type_name = "TEXT",
     .is_always_in_plan = true});

constexpr std::array kTable = {kBackend, kConfig};

}  // namespace
}  // namespace tideline::checkpoint_ops

template <>
std::span<const tideline::BoundParameter<tideline::CheckpointOptions>>
tideline::bound_parameters<tideline::CheckpointOptions>() {
  return tideline::checkpoint_ops::kTable;
}
