// Tested by the golden case chain.
#include "app/cli/chain.h"

#include <string_view>

namespace tideline::cli {

SplitWords split_links(int argc, char** argv) {
  SplitWords words;
  const bool is_rewrite = argc > 1 && std::string_view(argv[1]) == "rewrite";
  for (int i = 0; i < argc; ++i) {
    if (is_rewrite && std::string_view(argv[i]) == "--then") {
      words.links.emplace_back();
    } else if (words.links.empty()) {
      words.first.push_back(argv[i]);
    } else {
      words.links.back().emplace_back(argv[i]);
    }
  }
  return words;
}

}  // namespace tideline::cli
