// The parser of the command line, as the verbs see it. Only command_line.cc includes CLI11: its
// header costs every file that includes it more than ten seconds to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tideline::cli {

/// Judges the text of a value: nothing when it is good, else what was expected.
using Check = std::function<std::string(const std::string& text)>;

/// A handle of one option, flag or positional argument; the CommandLine owns what it names. All
/// functions return the handle, so that they can be chained. Messages about wrong values name the
/// option and end with exit code 2.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  /// What stands for the value in --help: "FILE".
  Option type_name(const std::string& name) const;
  /// The heading under which --help lists it.
  Option group(const std::string& heading) const;
  /// --help shows the value that the variable has now.
  Option show_default() const;
  /// One value each time the option is given; a vector would else take all that follow.
  Option one_value() const;
  Option check(Check check) const;
  Option one_of(std::vector<std::string> choices) const;
  /// A decimal number between both, inclusive.
  Option in_range(double least, double most) const;
  Option excludes(const Option& other) const;
  Option needs(const Option& other) const;

  /// Whether the user gave it. Only after parsing.
  [[nodiscard]] bool is_given() const;
  /// As the user writes it: "--batch-size".
  [[nodiscard]] std::string name() const;

 private:
  CLI::Option* option_;
};

/// A handle of a verb, of a mode of a verb, or of the program itself.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  /// A value that is stored in `value`, which must outlive parsing. A name without dashes is a
  /// positional argument; "-o,--output" gives two names. Types: text, texts (each time the option
  /// is given, and all that follow it), numbers.
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
  /// A value that is handed to `store` instead.
  Option add_option_function(const std::string& name, std::function<void(const std::string&)> store,
                             const std::string& help) const;
  Option add_flag(const std::string& name, bool& value, const std::string& help) const;

  Command add_subcommand(const std::string& name, const std::string& help) const;
  /// One of the subcommands, which messages call its modes, has to be given.
  void require_subcommand() const;
  /// Called after parsing when the user chose this command.
  void callback(std::function<void()> chosen) const;

  [[nodiscard]] std::string name() const;
  /// In the order in which they were added.
  [[nodiscard]] std::vector<Command> subcommands() const;
  [[nodiscard]] std::vector<Option> options() const;
  /// The option called `name`, which was added before.
  [[nodiscard]] Option option(const std::string& name) const;
  /// All options as the user may write them: "--output", "-o".
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

  /// What parsing came to. Nothing: the variables are filled, and the callback of the chosen
  /// command has been called. Help and the version have been printed (exit code 0).
  struct Ended {
    int exit_code = 0;
    std::string message;  ///< why the arguments are wrong; empty: all was printed
  };
  [[nodiscard]] std::optional<Ended> parse(int argc, char** argv) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace tideline::cli
