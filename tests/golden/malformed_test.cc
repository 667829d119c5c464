// Broken files: the exit code and the message that was promised for each.
#include "core/analysis/summary.h"
#include "tests/golden/oracles.h"

namespace tideline {
namespace {

// What `inspect` does, as an error message; empty when it would print.
std::string inspect(const std::filesystem::path& path, std::string& format) {
  Progress silent;
  // The name of the file says what is wrong with it; the message must say so by itself.
  const auto document = io::read_document("file", own_bytes(test::content_of(path)), silent);
  if (!document) return document.error().message;
  format = io::format_name(document->format);
  const auto tensors = TensorTable::build(document->graph, {});
  if (!tensors) return tensors.error().message;
  const auto summary = summarize(GraphFacts(document->graph), document->collections, *tensors);
  return summary ? "" : summary.error().message;
}

}  // namespace

TEST_CASE("every malformed graph file has its promised end") {
  for (const auto& [path, fact] : test::malformed_graphs()) {
    INFO(path.filename());
    std::string format;
    const std::string error = inspect(path, format);
    CHECK(error.empty() == (fact["exit"] == 0));
    CHECK(error.find(fact.value("message_names", "")) != std::string::npos);
    if (fact.contains("opened_as")) CHECK(format == fact["opened_as"]);
  }
}

}  // namespace tideline
