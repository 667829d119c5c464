#include <fmt/format.h>

#include "app/cli/commands.h"

namespace tideline::cli {
namespace {

std::string words_of(const Command& command) {
  std::string words;
  for (const Command& sub : command.subcommands()) words += sub.name() + " ";
  for (const std::string& name : command.option_names()) words += name + " ";
  return words;
}

// One case per path of verbs: "rewrite lms2".
void add_cases(const Command& command, const std::string& path, std::string& script) {
  for (const Command& sub : command.subcommands()) {
    const std::string inner = path.empty() ? sub.name() : path + " " + sub.name();
    script += fmt::format("    '{}') words='{}' ;;\n", inner, words_of(sub));
    add_cases(sub, inner, script);
  }
}

}  // namespace

std::string bash_completion(const Command& app) {
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
