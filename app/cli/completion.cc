// Tested by package/completion.py.
#include "app/cli/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace tideline::cli {
namespace {

// A verb, a mode of one, or the program itself (without a path): "rewrite lms2".
struct Place {
  std::string path;
  Command command;
};

void add_places(const Command& command, const std::string& path, std::vector<Place>& places) {
  places.push_back({path, command});
  for (const Command& sub : command.subcommands()) {
    add_places(sub, path.empty() ? sub.name() : path + " " + sub.name(), places);
  }
}

std::vector<Place> places_of(const Command& app) {
  std::vector<Place> places;
  add_places(app, "", places);
  return places;
}

// The first clause of a help text: lists of completions have one line for each.
std::string short_help(const std::string& help) {
  return help.substr(0, std::min({help.find(';'), help.find(". "), help.find(" (")}));
}

std::string replaced(const std::string& text, char which, std::string_view with) {
  std::string out;
  for (const char c : text) {
    if (c == which) {
      out += with;
    } else {
      out += c;
    }
  }
  return out;
}

// In single quotes, for bash and zsh.
std::string quoted(const std::string& text) {
  return "'" + replaced(text, '\'', R"('\'')") + "'";
}

// In single quotes, for fish, which knows backslashes there.
std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, '\\', R"(\\)"), '\'', R"(\')") + "'";
}

// A value and what it is, as zsh's _describe takes them.
std::string described(const std::string& word, const std::string& help) {
  return quoted(replaced(word, ':', R"(\:)") + ":" + short_help(help));
}

std::string words_of(const Command& command) {
  std::string words;
  for (const Command& sub : command.subcommands()) words += sub.name() + " ";
  for (const std::string& name : command.option_names()) words += name + " ";
  return words;
}

using Say = std::function<std::string(const std::string& choice)>;

// "    'sweep --model') VARIABLE=(...)\n", one for each option with a few values.
std::string choice_cases(const std::vector<Place>& places, const Say& one,
                         std::string_view variable) {
  std::string cases;
  for (const auto& [path, command] : places) {
    for (const Option& option : command.options()) {
      const std::vector<std::string> choices = option.choices();
      if (choices.empty() || option.is_positional()) continue;
      std::string values;
      for (const std::string& choice : choices) values += one(choice) + " ";
      for (const std::string& name : option.names()) {
        cases += fmt::format("    {}) {}=({}) ;;\n",
                             quoted(path.empty() ? name : path + " " + name), variable, values);
      }
    }
  }
  return cases;
}

}  // namespace

std::string bash_completion(const Command& app) {
  const std::vector<Place> places = places_of(app);
  std::string cases;
  for (const auto& [path, command] : places) {
    if (path.empty()) continue;
    cases += fmt::format("    '{}') words='{}' ;;\n", path, words_of(command));
  }
  return fmt::format(R"BASH(# bash completion for tideline
_tideline() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" path="" word words
  local -a values=()
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$word" in
      -*|*/*|*.*) ;;
      *) [ "$(wc -w <<<"$path")" -lt 2 ] && path="${{path:+$path }}$word" ;;
    esac
  done
  case "$path" in
{}    *) words='{}' ;;
  esac
  case "${{path:+$path }}${{COMP_WORDS[COMP_CWORD-1]}}" in
{}  esac
  if [ ${{#values[@]}} -gt 0 ]; then
    COMPREPLY=($(compgen -W "${{values[*]}}" -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ "$current" == -* ]] || COMPREPLY+=($(compgen -f -- "$current"))
}}
complete -o filenames -F _tideline tideline
)BASH",
                     cases, words_of(app), choice_cases(places, quoted, "values"));
}

std::string zsh_completion(const Command& app) {
  const std::vector<Place> places = places_of(app);
  std::string cases;
  for (const auto& [path, command] : places) {
    cases += fmt::format("    {})\n      verbs=(", quoted(path));
    for (const Command& sub : command.subcommands()) {
      cases += described(sub.name(), sub.help()) + " ";
    }
    cases += ")\n      options=(";
    for (const Option& option : command.options()) {
      if (option.is_positional()) continue;
      for (const std::string& name : option.names()) cases += described(name, option.help()) + " ";
    }
    cases += ") ;;\n";
  }
  return fmt::format(R"ZSH(#compdef tideline
_tideline() {{
  local where="" word
  local -a verbs options values
  for word in "${{(@)words[2,CURRENT-1]}}"; do
    case "${{where:+$where }}$word" in
      {}) where="${{where:+$where }}$word" ;;
    esac
  done
  case "$where" in
{}  esac
  case "${{where:+$where }}${{words[CURRENT-1]}}" in
{}  esac
  if (( $#values )); then
    compadd -a values
  elif [[ "${{words[CURRENT]}}" == -* ]]; then
    _describe -o option options
  else
    (( $#verbs )) && _describe verb verbs
    _files
  fi
}}
if [ "$funcstack[1]" = _tideline ]; then
  _tideline "$@"
else
  compdef _tideline tideline
fi
)ZSH",
                     [&] {
                       std::string paths;
                       for (const auto& [path, command] : places) {
                         if (path.empty()) continue;
                         paths += (paths.empty() ? "" : "|") + quoted(path);
                       }
                       return paths;
                     }(),
                     cases, choice_cases(places, quoted, "values"));
}

std::string fish_completion(const Command& app) {
  std::string lines;
  std::string paths;
  for (const auto& [path, command] : places_of(app)) {
    if (!path.empty()) paths += " " + fish_quoted(path);
    const std::string here =
        fmt::format("complete -c tideline -n {}",
                    fish_quoted("test (__tideline_where) = " + fish_quoted(path)));
    for (const Command& sub : command.subcommands()) {
      lines += fmt::format("{} -a {} -d {}\n", here, fish_quoted(sub.name()),
                           fish_quoted(short_help(sub.help())));
    }
    for (const Option& option : command.options()) {
      if (option.is_positional()) continue;
      lines += here;
      for (const std::string& name : option.names()) {
        lines += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      lines += " -d " + fish_quoted(short_help(option.help()));
      if (!option.value_name().empty()) lines += " -r";
      if (const auto choices = option.choices(); !choices.empty()) {
        lines += fmt::format(" -f -a {}", fish_quoted(fmt::format("{}", fmt::join(choices, " "))));
      }
      lines += "\n";
    }
  }
  return fmt::format(R"FISH(# fish completion for tideline
function __tideline_where
  set -l known{}
  set -l where ""
  for word in (commandline -opc)[2..]
    set -l longer (string trim "$where $word")
    contains -- $longer $known; and set where $longer
  end
  echo "$where"
end
{})FISH",
                     paths, lines);
}

}  // namespace tideline::cli
