// One value that a user can set for a rewriter, described once: the command line, scripts, the
// panel, plan JSON, copied calls and completion are made from these descriptions.
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

/// Where a front shows a parameter: with the main ones, under a heading, or folded away.
enum class ParameterGroup : std::uint8_t {
  kMain,
  kFilters,
  kOverrides,
  kAdvanced,
  kGraph,  ///< not of the policy, but of the graph; plans repeat it
};

/// std::monostate is "none".
using Value =
    std::variant<std::monostate, std::int64_t, double, bool, std::string, std::vector<std::string>>;

struct Choice {
  std::string_view value;
  std::string_view title;  ///< what a menu shows; empty: the value
};

/// How the Python library of the reference takes the value, for copied calls.
struct PythonName {
  enum class Place : std::uint8_t { kUnknown, kArgument, kAttribute };
  Place place = Place::kUnknown;  ///< kUnknown: the library does not have it
  std::string_view name = {};
  bool is_always_said = false;
  bool is_set = false;                  ///< names go into {}, else into []
  std::string_view when_true = "True";  ///< what a switch that is on is called there
};

struct Parameter {
  std::string_view name;   ///< "batch-size": the option without its dashes
  std::string_view title;  ///< "batch size": the label of a control
  ParameterKind kind = ParameterKind::kText;
  ParameterGroup group = ParameterGroup::kMain;
  /// What the value is without the user. One function, so that the default of an option struct is
  /// the only place that has it.
  Value (*default_value)() = nullptr;
  std::string_view help = {};       ///< one sentence, for --help, tooltips and documents
  std::string_view expected = {};   ///< "a whole number from 1 on, or -1 for none"
  std::string_view type_name = {};  ///< what stands for the value in --help: "N"
  /// kInteger: the range; -1 is accepted too where `is_found`.
  std::int64_t least = 0;
  std::int64_t most = 999999999;
  /// The end of a slider; 0: as many as the graph has levels.
  std::int64_t usual_most = 0;
  std::string_view quantity = {};  ///< what expectations of scripts call the value; empty: nothing
  std::string_view unit = {};      ///< "levels", "orders", "tensors"
  std::string_view text_of_least = {};  ///< what a slider shows at its least value: "all"
  std::span<const Choice> choices = {};
  bool may_be_none = false;
  bool is_found = false;         ///< a search finds it where it is -1
  bool is_required = false;      ///< on the command line
  bool chooses_rewriter = true;  ///< giving it says which rewriter is meant, where only one has it
  bool is_always_in_plan = false;  ///< plan JSON has it even where it is the default
  /// What the kind does not say about a value; may be null. Errors: kInvalidArgument.
  Status (*check)(const Value& value) = nullptr;
  std::string_view only_with = {};  ///< a switch that has to be on for an effect
  PythonName python = {};
};

/// Null when there is none of that name.
[[nodiscard]] const Parameter* find_parameter(std::span<const Parameter> parameters,
                                              std::string_view name);

/// The value that `text` means for `parameter`, as the command line and scripts write values: lists
/// parted by commas, sizes as in "4GiB", switches "on" and "off", "none". Errors: kInvalidArgument.
[[nodiscard]] Result<Value> parse_value(const Parameter& parameter, const std::string& text);
/// What parse_value takes for that value. Lists whose items have commas cannot be said.
[[nodiscard]] std::string value_text(const Value& value, ParameterKind kind);

/// "4GiB", "1000": a SIZE that parse_size takes for exactly `bytes`.
[[nodiscard]] std::string exact_size(Bytes bytes);
/// A decimal whole number of at most nine digits, not below `least`. Errors: kInvalidArgument.
[[nodiscard]] Result<int> parse_number(const std::string& text, int least);
/// "on", "off". Errors: kInvalidArgument.
[[nodiscard]] Result<bool> parse_switch(const std::string& text);

}  // namespace tideline
