#include "app/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "app/cli/terminal.h"
#include "core/base/parse.h"
#include "core/base/text.h"

namespace tideline::cli {
namespace {

constexpr std::size_t kHelpColumn = 38;

// The name of the validator of one_of begins with it, and the choices follow: its description would
// be printed by --help.
constexpr std::string_view kChoices = "one of ";

template <typename T>
Option add(CLI::App* app, const std::string& name, T& value, const std::string& help) {
  return Option(app->add_option(name, value, help));
}

// "lms2, lms1 or apply": what the command that was parsed last needs one of; empty when it needs
// none or has one.
std::string missing_modes(const CLI::App& app) {
  const CLI::App* last = &app;
  while (!last->get_subcommands().empty()) last = last->get_subcommands().front();
  if (last->get_require_subcommand_min() == 0) return "";
  std::vector<std::string> modes;
  for (const CLI::App* mode : last->get_subcommands([](const CLI::App*) { return true; })) {
    modes.push_back(mode->get_name());
  }
  return alternatives(modes);
}

}  // namespace

Option Option::required() const {
  return Option(option_->required());
}

Option Option::type_name(const std::string& name) const {
  return Option(option_->type_name(name));
}

Option Option::group(const std::string& heading) const {
  return Option(option_->group(heading));
}

Option Option::show_default() const {
  return Option(option_->capture_default_str());
}

Option Option::one_value() const {
  return Option(option_->allow_extra_args(false));
}

Option Option::check(Check check) const {
  // Without a description, which --help would print beside the type's name.
  return Option(option_->check(
      CLI::Validator([check = std::move(check)](std::string& text) { return check(text); }, "")));
}

Option Option::not_empty() const {
  return check([](const std::string& text) {
    return text.empty() ? std::string("expected a name, not an empty one") : std::string();
  });
}

Option Option::one_of(std::vector<std::string> choices) const {
  std::string names = fmt::format("{}{}", kChoices, fmt::join(choices, ","));
  auto is_one = [choices = std::move(choices)](std::string& text) {
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return std::string();
    return fmt::format("expected one of {}, not {}", fmt::join(choices, ", "), text);
  };
  return Option(option_->check(CLI::Validator(std::move(is_one), "", std::move(names))));
}

Option Option::in_range(double least, double most) const {
  return check([least, most](const std::string& text) {
    const auto value = parse_as<double>(text);
    if (value && *value >= least && *value <= most) return std::string();
    return fmt::format("expected a number from {} to {}, not {}", least, most, text);
  });
}

Option Option::excludes(const Option& other) const {
  return Option(option_->excludes(other.option_));
}

Option Option::needs(const Option& other) const {
  return Option(option_->needs(other.option_));
}

bool Option::is_given() const {
  return option_->count() > 0;
}

std::string Option::name() const {
  return option_->get_name();
}

std::vector<std::string> Option::names() const {
  if (is_positional()) return {option_->get_name(true)};
  std::vector<std::string> names;
  for (const std::string& name : option_->get_snames()) names.push_back("-" + name);
  for (const std::string& name : option_->get_lnames()) names.push_back("--" + name);
  return names;
}

bool Option::is_positional() const {
  return option_->get_positional();
}

std::string Option::help() const {
  return option_->get_description();
}

std::string Option::value_name() const {
  return option_->get_items_expected_max() == 0 ? "" : option_->get_type_name();
}

std::string Option::heading() const {
  return option_->get_group();
}

std::vector<std::string> Option::choices() const {
  try {
    for (int i = 0;; ++i) {
      const std::string& name = option_->get_validator(i)->get_name();
      if (name.starts_with(kChoices)) return split_list(name.substr(kChoices.size()), ',');
    }
  } catch (const CLI::OptionNotFound&) {  // there is no way to count them
    return {};
  }
}

Option Command::add_option(const std::string& name, std::string& value,
                           const std::string& help) const {
  return add(app_, name, value, help);
}
Option Command::add_option(const std::string& name, std::vector<std::string>& values,
                           const std::string& help) const {
  return add(app_, name, values, help);
}
Option Command::add_option(const std::string& name, int& value, const std::string& help) const {
  return add(app_, name, value, help);
}
Option Command::add_option(const std::string& name, std::uint32_t& value,
                           const std::string& help) const {
  return add(app_, name, value, help);
}
Option Command::add_option(const std::string& name, double& value, const std::string& help) const {
  return add(app_, name, value, help);
}
Option Command::add_option(const std::string& name, std::optional<int>& value,
                           const std::string& help) const {
  return add(app_, name, value, help);
}
Option Command::add_option(const std::string& name, std::optional<std::int64_t>& value,
                           const std::string& help) const {
  return add(app_, name, value, help);
}
Option Command::add_option(const std::string& name, std::optional<double>& value,
                           const std::string& help) const {
  return add(app_, name, value, help);
}

Option Command::add_option_function(const std::string& name,
                                    const std::function<void(const std::string&)>& store,
                                    const std::string& help) const {
  return Option(app_->add_option_function<std::string>(name, store, help));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) const {
  return Option(app_->add_flag(name, value, help));
}

Command Command::add_subcommand(const std::string& name, const std::string& help) const {
  return Command(app_->add_subcommand(name, help));
}

void Command::require_subcommand() const {
  app_->require_subcommand(1);
}

void Command::callback(std::function<void()> chosen) const {
  app_->callback(std::move(chosen));
}

std::string Command::name() const {
  return app_->get_name();
}

std::string Command::help() const {
  return app_->get_description();
}

std::string Command::footer() const {
  return app_->get_footer();
}

std::vector<Command> Command::subcommands() const {
  std::vector<Command> commands;
  // Without a filter only those that were parsed would be listed.
  for (CLI::App* sub : app_->get_subcommands([](CLI::App*) { return true; })) {
    commands.emplace_back(sub);
  }
  return commands;
}

std::vector<Option> Command::options() const {
  std::vector<Option> options;
  for (CLI::Option* option : app_->get_options()) options.emplace_back(option);
  return options;
}

Option Command::option(const std::string& name) const {
  return Option(app_->get_option(name));
}

std::vector<std::string> Command::option_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

CommandLine::CommandLine(const std::string& name, const std::string& about,
                         const std::string& footer, const std::string& version)
    : app_(std::make_unique<CLI::App>(about, name)) {
  app_->footer(footer);
  app_->set_version_flag("--version", version);
  app_->get_formatter()->column_width(kHelpColumn);
  app_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::root() const {
  return Command(app_.get());
}

std::optional<CommandLine::Ended> CommandLine::parse(int argc, char** argv) const {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return Ended{app_->exit(help), ""};
  } catch (const CLI::CallForVersion& version) {
    return Ended{app_->exit(version), ""};
  } catch (const CLI::RequiredError& error) {
    const std::string modes = missing_modes(*app_);
    return Ended{kExitUsage, modes.empty()
                                 ? error.what()
                                 : fmt::format("the mode is missing; expected {}", modes)};
  } catch (const CLI::ParseError& error) {
    return Ended{kExitUsage, error.what()};
  }
  return std::nullopt;
}

}  // namespace tideline::cli
