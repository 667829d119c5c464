// Descriptions of the values that a user can set for a rewriter. The command line, scripts, the
// policy panel, plan JSON, copied calls and completion are generated from them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"

namespace tideline {

enum class ParameterKind : std::uint8_t {
  kInteger,  ///< std::int64_t
  kRatio,    ///< double above 0, at most 1
  kSwitch,   ///< bool
  kSize,     ///< std::int64_t bytes, or none
  kChoice,   ///< std::string, one of `choices`; std::int64_t when all choices are numbers
  kText,     ///< std::string; empty or none where `may_be_none`
  kNames,    ///< list of texts
};

/// Where a user interface shows a parameter: with the main ones, under a heading, or collapsed.
enum class ParameterGroup : std::uint8_t {
  kMain,
  kFilters,
  kOverrides,
  kAdvanced,
  kGraph,  ///< a property of the graph, not of the policy; plans record it
};

/// std::monostate is "none".
using Value =
    std::variant<std::monostate, std::int64_t, double, bool, std::string, std::vector<std::string>>;

struct Choice {
  std::string_view value;
  std::string_view title;  ///< what a menu shows; empty: the value
};

/// How the reference's Python library takes the value, for copied calls.
struct PythonName {
  enum class Place : std::uint8_t { kUnknown, kArgument, kAttribute };
  Place place = Place::kUnknown;  ///< kUnknown: the library does not have it
  std::string_view name = {};
  bool is_always_said = false;
  bool is_set = false;                  ///< names are written as a set {}, else as a list []
  std::string_view when_true = "True";  ///< how a switch that is on is written
};

struct Parameter {
  std::string_view name;       ///< "batch-size": the option without its dashes
  std::string_view title;      ///< "batch size": the label of a control
  std::string_view also = {};  ///< another name that the command line takes
  ParameterKind kind = ParameterKind::kText;
  ParameterGroup group = ParameterGroup::kMain;
  /// Returns the default; a function that reads the option struct, which alone holds defaults.
  Value (*default_value)() = nullptr;
  std::string_view help = {};       ///< one sentence, for --help, tooltips and documents
  std::string_view expected = {};   ///< "an integer of at least 1, or -1 for none"
  std::string_view type_name = {};  ///< placeholder of the value in --help: "N"
  /// kInteger: the range; -1 is accepted too where `is_found`.
  std::int64_t least = 0;
  std::int64_t most = 999999999;
  /// Upper end of a slider; 0: the number of levels of the graph.
  std::int64_t usual_most = 0;
  std::string_view quantity = {};       ///< name in the expectations of scripts; empty: none
  std::string_view unit = {};           ///< "levels", "orders", "tensors"
  std::string_view text_of_least = {};  ///< text that a slider shows at its lower end: "all"
  std::span<const Choice> choices = {};
  bool may_be_none = false;
  bool is_found = false;           ///< searched for when it is -1
  bool is_required = false;        ///< on the command line
  bool chooses_rewriter = true;    ///< giving it selects the only rewriter that has it
  bool is_always_in_plan = false;  ///< written to plan JSON even with its default value
  /// Checks beyond the kind and range; may be null. Errors: kInvalidArgument.
  Status (*check)(const Value& value) = nullptr;
  std::string_view only_with = {};  ///< a switch without which the value has no effect
  PythonName python = {};
};

/// The parameter called `name`, or null.
[[nodiscard]] const Parameter* find_parameter(std::span<const Parameter> parameters,
                                              std::string_view name);

/// Parses the value of `parameter` as written on the command line and in scripts: lists separated
/// by commas, sizes as in "4GiB", switches "on" and "off", "none". Errors: kInvalidArgument.
[[nodiscard]] Result<Value> parse_value(const Parameter& parameter, const std::string& text);
/// The inverse of parse_value, except for lists whose items contain commas.
[[nodiscard]] std::string value_text(const Value& value, ParameterKind kind);

/// `bytes` as a SIZE that parse_size parses exactly: "4GiB", "1000".
[[nodiscard]] std::string exact_size(Bytes bytes);
/// Parses a decimal integer of at most nine digits, at least `least`. Errors: kInvalidArgument.
[[nodiscard]] Result<int> parse_number(const std::string& text, int least);
/// Parses "on" or "off". Errors: kInvalidArgument.
[[nodiscard]] Result<bool> parse_switch(const std::string& text);

}  // namespace tideline
