// Rewriters one after the other on the command line: `rewrite lms2 GRAPH ... --then lms1 ...`.
#pragma once

#include <string>
#include <vector>

namespace tideline::cli {

/// The words of one link: its mode and options.
using LinkWords = std::vector<std::string>;

/// A command line without the links behind `--then`, and the links. Each is parsed by itself,
/// because the same option may stand in several of them.
struct SplitWords {
  std::vector<char*> first;  ///< the program's name included
  std::vector<LinkWords> links;
};
/// Only the verb rewrite has links; the words of others stay together.
[[nodiscard]] SplitWords split_links(int argc, char** argv);

}  // namespace tideline::cli
