// Tested by package/completion.py.
#include "app/cli/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/base/version.h"

namespace tideline::cli {
namespace {

// As text of roff: a line never begins a request, and a minus is the one that can be typed.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += "\\&";
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

// As one argument of a macro.
std::string argument(const std::string& text) {
  std::string out = "\"";
  for (const char c : roff(text)) out += c == '"' ? std::string("\\(dq") : std::string(1, c);
  return out + "\"";
}

void add_option(const Option& option, std::string& page) {
  std::string tag;
  for (const std::string& name : option.names()) {
    tag += fmt::format("{}\\fB{}\\fR", tag.empty() ? "" : ", ", roff(name));
  }
  const std::string value = option.value_name();
  if (!value.empty() && !option.is_positional()) tag += fmt::format(" \\fI{}\\fR", roff(value));
  page += fmt::format(".TP\n{}\n{}\n", tag, roff(option.help()));
  if (const auto choices = option.choices(); !choices.empty()) {
    page += fmt::format("One of {}.\n", roff(fmt::format("{}", fmt::join(choices, ", "))));
  }
}

std::string heading_of(const Option& option) {
  return option.is_positional() ? "Arguments" : option.heading();
}

// The options of a command below their headings, in the order in which --help has them. `macro`:
// of the headings.
void add_options(const Command& command, std::string_view macro, std::string& page) {
  std::vector<std::string> headings;
  for (const Option& option : command.options()) {
    const std::string heading = heading_of(option);
    if (heading.empty()) continue;
    if (std::find(headings.begin(), headings.end(), heading) == headings.end()) {
      headings.push_back(heading);
    }
  }
  for (const std::string& heading : headings) {
    page += fmt::format("{} {}\n", macro, argument(heading));
    for (const Option& option : command.options()) {
      if (heading_of(option) == heading) add_option(option, page);
    }
  }
}

std::string synopsis(const Command& command, const std::string& called) {
  std::string line = fmt::format("\\fB{}\\fR [\\fIoptions\\fR]", roff(called));
  for (const Option& option : command.options()) {
    if (option.is_positional()) line += fmt::format(" \\fI{}\\fR", roff(option.names().front()));
  }
  return line + "\n";
}

std::string head(const std::string& name, const std::string& about) {
  return fmt::format(".TH {} 1 \"\" {} \"Tideline\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
                     argument(name), argument(fmt::format("tideline {}", kVersion)), roff(name),
                     roff(about));
}

ManualPage verb_page(const Command& verb) {
  ManualPage page{"tideline-" + verb.name(), {}};
  const std::string called = "tideline " + verb.name();
  page.text = head(page.name, verb.help());
  const std::vector<Command> modes = verb.subcommands();
  if (modes.empty()) page.text += synopsis(verb, called);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (i > 0) page.text += ".br\n";
    page.text += synopsis(modes[i], called + " " + modes[i].name());
  }
  add_options(verb, ".SH", page.text);
  for (const Command& mode : modes) {
    page.text += fmt::format(".SH {}\n{}.\n", argument(mode.name()), roff(mode.help()));
    add_options(mode, ".SS", page.text);
  }
  page.text += ".SH SEE ALSO\n.BR tideline (1)\n";
  return page;
}

}  // namespace

std::vector<ManualPage> manual_pages(const Command& app) {
  ManualPage program{"tideline", head("tideline", app.help())};
  program.text += "\\fBtideline\\fR [\\fIFILE\\fR]...\n.br\n";
  program.text += "\\fBtideline\\fR \\fIVERB\\fR [\\fIoptions\\fR] ...\n";
  program.text +=
      ".SH DESCRIPTION\nWithout a verb the window opens, with the files that are named.\n";
  add_options(app, ".SH", program.text);
  program.text += ".SH VERBS\n";
  std::vector<ManualPage> pages;
  std::string others;
  for (const Command& verb : app.subcommands()) {
    pages.push_back(verb_page(verb));
    program.text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(verb.name()), roff(verb.help()));
    others += fmt::format("{}.BR {} (1)", others.empty() ? "" : ",\n", roff(pages.back().name));
  }
  program.text += ".SH NOTES\n";
  for (const std::string& line : split_list(app.footer(), '\n')) {
    if (!line.empty()) program.text += roff(line) + "\n.PP\n";
  }
  program.text += fmt::format(".SH SEE ALSO\n{}\n", others);
  pages.insert(pages.begin(), std::move(program));
  return pages;
}

}  // namespace tideline::cli
