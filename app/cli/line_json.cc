// Tested by the golden case source_lines.
#include "app/cli/line_json.h"

#include <nlohmann/json.hpp>

namespace tideline::cli {

void add_line(const SourceLine* line, nlohmann::ordered_json& entry) {
  if (line == nullptr) return;
  entry["line"] = {{"file", line->file}, {"line", line->line}, {"function", line->function}};
}

}  // namespace tideline::cli
