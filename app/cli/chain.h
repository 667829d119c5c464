// Several rewriters in a row on the command line: `rewrite lms2 GRAPH ... --then lms1 ...`.
#pragma once

#include <string>
#include <vector>

namespace tideline::cli {

/// The words of one link: its mode and options.
using LinkWords = std::vector<std::string>;

/// A command line split at `--then`. Each link is parsed separately, because an option may occur
/// in several of them.
struct SplitWords {
  std::vector<char*> first;  ///< everything before the first `--then`, including the program's name
  std::vector<LinkWords> links;
};
/// Only the verb `rewrite` is split; `first` has all words of other verbs.
[[nodiscard]] SplitWords split_links(int argc, char** argv);

}  // namespace tideline::cli
