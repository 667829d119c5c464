// The command that writes what a plan gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/events/logged_trace.h"
#include "core/events/open_graph.h"
#include "core/graph/tensor_options.h"
#include "core/memory/run_model.h"
#include "core/rewrite/policy.h"

namespace tideline::app {

/// Where a command is to be read: what the user pastes into a shell must hold no hidden characters
/// (core/base/characters.h), which the terminal or the shell's line editor would obey; so these are
/// written as $'\033', which bash, zsh and POSIX of 2024 know. A script may be run by an older
/// shell, and holds them as they are, in quotes.
enum class Reader { kPaste, kScript };

/// What a command says.
struct PlanWords {
  events::GraphChoice graph;
  events::TraceChoice trace = {};  ///< whose sizes and times the plan uses; none without a path
  Policy policy = {};              ///< off: the command converts
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};
  std::vector<GivenRounds> rounds = {};
  RunModel run = {};
  std::string profile = {};  ///< name or file of the device profile; empty: the usual one
  std::vector<std::string> fetches = {};  ///< as the profile, said where the rewriter searches
  std::string output = {};
};

/// `tideline rewrite ...`, quoted for a POSIX shell, see Reader. Errors: kUnsupported for a value
/// that cannot be expressed on the command line, such as a list item with a comma, or different
/// choices of a run for graph and traced step.
[[nodiscard]] Result<std::string> plan_command(const PlanWords& words,
                                               Reader reader = Reader::kPaste);

/// Whether the value of `parameter`, written as an option, is read back as it is: a list cannot
/// hold a comma. Errors: kUnsupported.
[[nodiscard]] Status check_option(const Policy& policy, const Parameter& parameter);

/// The options that say how a step is simulated, but for the defaults: names and values.
using RunOptions = std::vector<std::pair<const char*, std::string>>;
[[nodiscard]] RunOptions run_options(const RunModel& run);

/// The inverse of parse_given_shape: "x=1x28x?".
[[nodiscard]] std::string given_shape_text(const GivenShape& given);

/// `word` as one word of a POSIX shell.
[[nodiscard]] std::string shell_quoted(std::string_view word, Reader reader = Reader::kPaste);

}  // namespace tideline::app
