#include "core/io/model_files.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace tideline::io {
namespace {

namespace fs = std::filesystem;

void put(const std::string& path, const std::string& content = "x") {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

std::string make_model(const std::string& model) {
  for (const char* name :
       {"/saved_model.pb", "/fingerprint.pb", "/keras_metadata.pb", "/variables/variables.index",
        "/variables/variables.data-00000-of-00001", "/assets/deep/words.txt",
        "/assets.extra/tf_serving_warmup_requests", "/debug/saved_model_debug_info.pb"}) {
    put(model + name);
  }
  return model;
}

std::string refusal(const std::string& folder, const std::string& source) {
  const auto files = replace_model(source)(folder, "p");
  return files ? "" : files.error().message;
}

}  // namespace

TEST_CASE("a folder of a SavedModel alone may be replaced") {
  const test::TemporaryFolder folder;
  const std::string model = make_model(folder.file("model"));
  const auto files = replace_model("")(model, "p");
  REQUIRE(files);
  CHECK(files->size() == 8);
  // Removed in this order, it is one to the end, whenever that is interrupted.
  CHECK(files->back() == "saved_model.pb");
}

TEST_CASE("a folder with a file that is of no SavedModel is not replaced") {
  const test::TemporaryFolder folder;
  for (const char* name :
       {"src/main.py", "notes.txt", "variables/train.py", "variables/old/variables.index",
        "debug/log.txt", ".git/config", "saved_model.pb.bak", "sub/saved_model.pb"}) {
    const std::string model = make_model(folder.file("model"));
    put(model + "/" + name);
    CHECK(refusal(model, "") == std::string("p: holds '") + name +
                                    "', which is of no SavedModel and would be lost; the folder "
                                    "is not replaced");
    fs::remove_all(model);
  }
}

TEST_CASE("a link to a folder is not followed when the folder around it is replaced") {
  const test::TemporaryFolder folder;
  put(folder.file("elsewhere/main.py"));
  const std::string model = make_model(folder.file("model"));
  fs::create_directory_symlink(folder.file("elsewhere"), model + "/src");
  CHECK(refusal(model, "").starts_with("p: holds 'src'"));
  fs::rename(model + "/src", model + "/assets/src");
  const auto files = replace_model("")(model, "p");
  REQUIRE(files);
  CHECK(std::find(files->begin(), files->end(), "assets/src") != files->end());
}

TEST_CASE("a file that the new folder has too is not lost") {
  const test::TemporaryFolder folder;
  const std::string source = make_model(folder.file("source"));
  const std::string copy = make_model(folder.file("copy"));
  put(source + "/notes.txt", "the same");
  put(copy + "/notes.txt", "the same");
  CHECK(refusal(copy, source).empty());
  CHECK(refusal(copy, "").starts_with("p: holds 'notes.txt'"));
  put(copy + "/notes.txt", "not alike");
  CHECK(refusal(copy, source).starts_with("p: holds 'notes.txt'"));
}

TEST_CASE("a folder without a graph is no SavedModel") {
  const test::TemporaryFolder folder;
  put(folder.file("p/assets/words.txt"));
  CHECK(refusal(folder.file("p"), "").find("folder with other content") != std::string::npos);
}

TEST_CASE("links that lead out of a SavedModel, and pipes, are refused by name") {
  const test::TemporaryFolder folder;
  const std::string model = make_model(folder.file("model"));
  put(folder.file("secret"));
  const std::string link = model + "/assets/vocab.txt";
  const auto said = [&] {
    const auto files = companion_files(model);
    return files ? "" : files.error().message.substr(0, files.error().message.find(';'));
  };
  for (const std::string& target :
       {folder.file("secret"), std::string("../../secret"), std::string("/etc/passwd"),
        std::string("nowhere"), std::string("../variables")}) {
    fs::create_symlink(target, link);
    CHECK(said() == link + ": is a link");
    fs::remove(link);
  }
  fs::create_symlink("deep/words.txt", link);
  CHECK(said().empty());
  fs::remove(link);
  REQUIRE(::mkfifo(link.c_str(), 0600) == 0);
  CHECK(said() == link + ": expected a file or a folder, not a pipe or a device");
}

TEST_CASE("a temporary file that a killed process left is no part of a SavedModel") {
  const test::TemporaryFolder folder;
  const std::string model = make_model(folder.file("model"));
  const auto before = companion_files(model);
  put(model + "/.saved_model.pb.tideline-1-abcdef");
  REQUIRE(before);
  CHECK(companion_files(model).value() == *before);
  CHECK(refusal(model, "").empty());
}

}  // namespace tideline::io
