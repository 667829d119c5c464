// Broken files: the exit code and the message that was promised for each.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/analysis/summary.h"
#include "core/io/document.h"
#include "tests/golden/data_folders.h"

namespace tideline {
namespace {

// What `inspect` does, as an error message; empty when it would print.
std::string inspect(const std::filesystem::path& path, std::string& format) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  Progress silent;
  // The name of the file says what is wrong with it; the message must say so by itself.
  const auto document = io::read_document("file", own_bytes(std::move(bytes)), silent);
  if (!document) return document.error().message;
  format = io::format_name(document->format);
  const auto tensors = TensorTable::build(document->graph, {});
  if (!tensors) return tensors.error().message;
  const auto summary = summarize(document->graph, document->collections, *tensors);
  return summary ? "" : summary.error().message;
}

}  // namespace

TEST_CASE("every malformed graph file has its promised end") {
  int files = 0;
  for (const auto& folder : test::folders("malformed", "malformed")) {
    std::ifstream file(folder / "facts.json");
    const nlohmann::json facts = nlohmann::json::parse(file);
    for (const auto& [name, fact] : facts.items()) {
      if (fact["verb"] != "inspect") continue;
      INFO(name);
      std::string format;
      const std::string error = inspect(folder / name, format);
      CHECK(error.empty() == (fact["exit"] == 0));
      CHECK(error.find(fact.value("message_names", "")) != std::string::npos);
      if (fact.contains("opened_as")) CHECK(format == fact["opened_as"]);
      ++files;
    }
  }
  CHECK(files >= 25);
}

}  // namespace tideline
