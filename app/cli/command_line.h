// The interface of verbs to the command line parser. Only command_line.cc includes CLI11, whose
// header takes more than ten seconds to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
class Option;
}  // namespace CLI

namespace tideline::cli {

/// Checks the text of a value. Returns what was expected, or an empty text if the value is valid.
using Check = std::function<std::string(const std::string& text)>;

/// A handle of an option, flag or positional argument, which the CommandLine owns. Functions return
/// the handle, so that calls can be chained. A wrong value gives a message that names the option,
/// and exit code 2.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  /// Placeholder of the value in --help: "FILE".
  Option type_name(const std::string& name) const;
  /// The heading under which --help lists it.
  Option group(const std::string& heading) const;
  /// Makes --help show the current value of the variable as the default.
  Option show_default() const;
  /// Makes a vector option take one value each time it is given instead of all that follow.
  Option one_value() const;
  Option check(Check check) const;
  Option one_of(std::vector<std::string> choices) const;
  /// Refuses an empty text, which would look like an option that was not given.
  Option not_empty() const;
  /// Requires a decimal number in [least, most].
  Option in_range(double least, double most) const;
  Option excludes(const Option& other) const;
  Option needs(const Option& other) const;

  /// Whether the user gave it. Only after parsing.
  [[nodiscard]] bool is_given() const;
  /// As written by the user: "--batch-size".
  [[nodiscard]] std::string name() const;
  /// All of them, the one-letter one first: "-o", "--output". Of a positional argument its name.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool is_positional() const;
  [[nodiscard]] std::string help() const;
  /// The placeholder of its value; empty for a flag.
  [[nodiscard]] std::string value_name() const;
  /// The heading under which --help lists it; empty if it is hidden.
  [[nodiscard]] std::string heading() const;
  /// What one_of allows; empty where values are free.
  [[nodiscard]] std::vector<std::string> choices() const;

 private:
  CLI::Option* option_;
};

/// A handle of a verb, of a mode of a verb, or of the program itself.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  /// Adds an option that is stored in `value`, which must outlive parsing. A name without dashes is
  /// a positional argument; "-o,--output" gives two names. A vector takes all values that follow
  /// the option, each time it is given.
  Option add_option(const std::string& name, std::string& value, const std::string& help) const;
  Option add_option(const std::string& name, std::vector<std::string>& values,
                    const std::string& help) const;
  Option add_option(const std::string& name, int& value, const std::string& help) const;
  Option add_option(const std::string& name, std::uint32_t& value, const std::string& help) const;
  Option add_option(const std::string& name, double& value, const std::string& help) const;
  Option add_option(const std::string& name, std::optional<int>& value,
                    const std::string& help) const;
  Option add_option(const std::string& name, std::optional<std::int64_t>& value,
                    const std::string& help) const;
  Option add_option(const std::string& name, std::optional<double>& value,
                    const std::string& help) const;
  /// Adds an option whose value is passed to `store`.
  Option add_option_function(const std::string& name,
                             const std::function<void(const std::string&)>& store,
                             const std::string& help) const;
  Option add_flag(const std::string& name, bool& value, const std::string& help) const;

  Command add_subcommand(const std::string& name, const std::string& help) const;
  /// Requires one of the subcommands, which messages call modes.
  void require_subcommand() const;
  /// Called after parsing when the user chose this command.
  void callback(std::function<void()> chosen) const;

  [[nodiscard]] std::string name() const;
  /// What it is for, as --help says.
  [[nodiscard]] std::string help() const;
  /// What --help says behind the options.
  [[nodiscard]] std::string footer() const;
  /// In the order in which they were added.
  [[nodiscard]] std::vector<Command> subcommands() const;
  [[nodiscard]] std::vector<Option> options() const;
  /// The option called `name`. Precondition: it was added before.
  [[nodiscard]] Option option(const std::string& name) const;
  /// All names of options: "--output", "-o".
  [[nodiscard]] std::vector<std::string> option_names() const;

 private:
  CLI::App* app_;
};

/// The whole command line of a program.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& about, const std::string& footer,
              const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  [[nodiscard]] Command root() const;

  /// Why the program should exit after parsing: help or version were printed, or an error.
  struct Ended {
    int exit_code = 0;
    std::string message;  ///< why the arguments are wrong; empty: everything was printed
  };
  /// Parses the arguments, stores the values and calls the callback of the chosen command. Returns
  /// nullopt if the program should go on.
  [[nodiscard]] std::optional<Ended> parse(int argc, char** argv) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace tideline::cli
