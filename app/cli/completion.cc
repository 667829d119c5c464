#include <fmt/format.h>

#include "app/cli/commands.h"

namespace tideline::cli {
namespace {

std::string words_of(const CLI::App& command) {
  std::string words;
  for (const CLI::App* sub : command.get_subcommands(nullptr)) words += sub->get_name() + " ";
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words += "--" + name + " ";
    for (const std::string& name : option->get_snames()) words += "-" + name + " ";
  }
  return words;
}

// One case per path of verbs: "rewrite lms2".
void add_cases(const CLI::App& command, const std::string& path, std::string& script) {
  for (const CLI::App* sub : command.get_subcommands(nullptr)) {
    const std::string inner = path.empty() ? sub->get_name() : path + " " + sub->get_name();
    script += fmt::format("    '{}') words='{}' ;;\n", inner, words_of(*sub));
    add_cases(*sub, inner, script);
  }
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string cases;
  add_cases(app, "", cases);
  return fmt::format(R"BASH(# bash completion for tideline
_tideline() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" path="" word words
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$word" in
      -*|*/*|*.*) ;;
      *) [ "$(wc -w <<<"$path")" -lt 2 ] && path="${{path:+$path }}$word" ;;
    esac
  done
  case "$path" in
{}    *) words='{}' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ "$current" == -* ]] || COMPREPLY+=($(compgen -f -- "$current"))
}}
complete -o filenames -F _tideline tideline
)BASH",
                     cases, words_of(app));
}

}  // namespace tideline::cli
