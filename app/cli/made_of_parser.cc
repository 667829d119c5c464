// Tested by package/completion.py.
#include "app/cli/made_of_parser.h"

#include "app/cli/completion.h"
#include "app/cli/manual.h"
#include "app/cli/terminal.h"
#include "core/base/output_folder.h"

namespace tideline::cli {
namespace {

struct Shell {
  const char* flag;
  const char* help;
  std::string (*script)(const Command& app);
};
constexpr std::array<Shell, 3> kShells = {{
    {"--bash-completion", "Print a completion script for bash", bash_completion},
    {"--zsh-completion", "Print a completion script for zsh", zsh_completion},
    {"--fish-completion", "Print a completion script for fish", fish_completion},
}};

Status write_pages(const Command& app, const std::string& path) {
  TIDELINE_TRY(OutputFolder folder, OutputFolder::create(path, false, never_replace()));
  for (const ManualPage& page : manual_pages(app)) {
    TIDELINE_TRY(OutputFile file, folder.file(page.name + ".1"));
    TIDELINE_RETURN_IF_ERROR(file.append(page.text));
    TIDELINE_RETURN_IF_ERROR(file.commit());
  }
  return commit_together({&folder});
}

}  // namespace

void MadeOfParser::add_to(const Command& app) {
  for (std::size_t i = 0; i < kShells.size(); ++i) {
    app.add_flag(kShells[i].flag, wants_[i], kShells[i].help);
  }
  app.add_option("--man-pages", pages_, "Write the manual pages into DIR, a new or empty folder")
      .not_empty()
      .type_name("DIR");
}

std::optional<int> MadeOfParser::make(const Command& app) const {
  for (std::size_t i = 0; i < kShells.size(); ++i) {
    if (!wants_[i]) continue;
    say("{}", Lines{kShells[i].script(app)});
    return kExitDone;
  }
  if (pages_.empty()) return std::nullopt;
  if (Status written = write_pages(app, pages_); !written) return report(written.error());
  return kExitDone;
}

}  // namespace tideline::cli
