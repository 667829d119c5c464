#include "core/io/saved_model.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/graph/graph_edit.h"
#include "core/io/model_files.h"
#include "core/io/wire.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

namespace tideline::io {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

std::string field(std::uint32_t number, const std::string& content) {
  std::string out;
  append_bytes(out, number, content);
  return out;
}

void put(const std::string& path, const std::string& content) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string graph(const std::string& tag, const std::string& ops) {
  return field(2, field(1, field(4, tag)) + field(2, test::encode_graph(ops)));
}

std::string model_bytes() {
  return "\x08\x01" + graph("serve", "a = Const() f32[2]\n") +
         graph("train", "b = NoOp()\n c = NoOp()\n");
}

// A SavedModel folder with variables, an asset and a fingerprint.
std::string make_model(const test::TemporaryFolder& folder) {
  const std::string model = folder.file("model");
  put(model + "/saved_model.pb", model_bytes());
  put(model + "/fingerprint.pb", "print");
  put(model + "/variables/variables.index", "index");
  put(model + "/assets/deep/words.txt", "words");
  return model;
}

Result<Document> read(const std::string& folder, const std::string& tag) {
  Progress silent;
  return read_saved_model(folder, silent, {Cycles::kRefuse, tag});
}

Status write(const Document& document, const Graph& graph, const std::string& path) {
  auto out = OutputFolder::create(path, false, never_replace());
  REQUIRE(out);
  Progress silent;
  TIDELINE_RETURN_IF_ERROR(write_saved_model(
      document, graph, {Format::kSavedModel, &kBinaryFormat, true}, *out, silent));
  return out->commit();
}

}  // namespace

TEST_CASE("tags choose one graph of a SavedModel") {
  const test::TemporaryFolder folder;
  const std::string model = make_model(folder);
  REQUIRE(read(model, "serve"));
  CHECK(read(model, "serve")->graph.op_count() == 1);
  CHECK(read(model, "train")->graph.op_count() == 2);
  CHECK(read(model, "train")->place == "tags train");
  const auto any = read(model, "");
  REQUIRE_FALSE(any);
  CHECK(any.error().message.find("expected {tag} with one of 'serve', 'train'") !=
        std::string::npos);
  CHECK_FALSE(read(model, "gpu"));
}

TEST_CASE("of two graphs with the same tags the first is taken and said, and a number picks") {
  const test::TemporaryFolder folder;
  const std::string model = folder.file("model");
  const std::string both = field(1, field(4, "serve") + field(4, "gpu"));
  const std::string turned = field(1, field(4, "gpu") + field(4, "serve"));
  const std::string second = field(2, turned + field(2, test::encode_graph("b = NoOp()\n")));
  put(model + "/saved_model.pb", "\x08\x01" +
                                     field(2, both + field(2, test::encode_graph("a = NoOp()\n"))) +
                                     second + graph("serve", "c = NoOp()\n"));
  Progress silent;
  const auto with = [&](const std::string& tag, std::int64_t number) {
    return read_saved_model(model, silent, {Cycles::kRefuse, tag, Pipes::kRefuse, number});
  };
  const auto name = [](const Result<Document>& document) {
    INFO((document ? "" : document.error().message));
    REQUIRE(document);
    return std::string(document->graph.name(OpId{0}));
  };
  CHECK(name(with("gpu,serve", 0)) == "a");
  CHECK(name(with("serve,gpu", 0)) == "a");
  CHECK(name(with("serve", 0)) == "c");  // exactly these tags
  CHECK(name(with("gpu", 0)) == "a");
  CHECK(name(with("", 2)) == "b");
  CHECK(name(with("gpu,serve", 2)) == "b");
  const auto first = with("gpu", 0);
  CHECK(first->place == "tags serve,gpu, MetaGraph 1");
  REQUIRE(first->diagnostics.entries().size() == 1);
  CHECK(first->diagnostics.entries()[0].severity == Severity::kNotice);
  CHECK(first->diagnostics.entries()[0].example ==
        "tags serve,gpu, MetaGraph 1; {meta-graph} chooses another: 2");
  CHECK(with("gpu", 2)->diagnostics.entries().empty());
  CHECK(with("", 0).error().message.find("expected {tag} with one of") != std::string::npos);
  CHECK(with("", 4).error().message.find("expected {meta-graph} from 1 to 3") != std::string::npos);
  CHECK(with("gpu", 3).error().message.find("has the tags 'serve'") != std::string::npos);

  // What is written changes that graph alone.
  const auto document = with("", 1);
  GraphPlan plan;
  plan.devices = {{OpId{0}, "/cpu:0"}};
  const auto edited = apply(document->graph, plan);
  REQUIRE(edited);
  REQUIRE(write(*document, *edited, folder.file("copy")));
  const std::string written = content(folder.file("copy") + "/saved_model.pb");
  CHECK(written.find(second) != std::string::npos);
  CHECK(written.find("/cpu:0") < written.find(second));
}

TEST_CASE("a SavedModel is copied whole, byte for byte") {
  const test::TemporaryFolder folder;
  const std::string model = make_model(folder);
  const auto document = read(model, "train");
  REQUIRE(document);
  REQUIRE(write(*document, document->graph, folder.file("copy")));
  for (const char* name :
       {"saved_model.pb", "fingerprint.pb", "variables/variables.index", "assets/deep/words.txt"}) {
    CHECK(content(folder.file("copy") + "/" + name) == content(model + "/" + name));
  }
  CHECK(compare_companions(model, folder.file("copy"))->empty());
}

TEST_CASE("a changed graph loses its fingerprint and nothing else") {
  const test::TemporaryFolder folder;
  const std::string model = make_model(folder);
  const auto document = read(model, "train");
  REQUIRE(document);
  GraphPlan plan;
  plan.control = {{OpId{1}, OpId{0}}};
  const auto edited = apply(document->graph, plan);
  REQUIRE(edited);
  REQUIRE(write(*document, *edited, folder.file("copy")));
  CHECK_FALSE(fs::exists(folder.file("copy") + "/fingerprint.pb"));
  CHECK(fs::exists(folder.file("copy") + "/variables/variables.index"));
  CHECK(compare_companions(model, folder.file("copy"))->empty());
  // The other graph is as it was.
  CHECK(content(folder.file("copy") + "/saved_model.pb")
            .find(graph("serve", "a = Const() f32[2]\n")) != std::string::npos);
  put(folder.file("copy") + "/variables/variables.index", "other");
  CHECK(compare_companions(model, folder.file("copy"))->size() == 1);
}

TEST_CASE("a file of a SavedModel brings the folder that it lies in") {
  const test::TemporaryFolder folder;
  const std::string model = make_model(folder);
  CHECK(folder_around(model + "/saved_model.pb") == model);
  CHECK(folder_around(model + "/variables/variables.index").empty());
  put(folder.file("alone") + "/saved_model.pb", model_bytes());
  CHECK(folder_around(folder.file("alone") + "/saved_model.pb").empty());
}

TEST_CASE("a folder without a graph, or with something else for one, is an error that says so") {
  const test::TemporaryFolder folder;
  put(folder.file("empty") + "/x.txt", "");
  CHECK(read(folder.file("empty"), "").error().code == Code::kNotFound);
  put(folder.file("wrong") + "/saved_model.pb", test::encode_graph("a = NoOp()\n"));
  CHECK(read(folder.file("wrong"), "").error().message.find("is a graph; expected a SavedModel") !=
        std::string::npos);
  put(folder.file("split") + "/saved_model.cpb", "x");
  CHECK(read(folder.file("split"), "").error().code == Code::kUnsupported);
}

}  // namespace tideline::io
