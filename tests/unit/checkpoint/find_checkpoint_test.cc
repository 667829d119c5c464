#include "core/checkpoint/find_checkpoint.h"

#include "core/checkpoint/prefix_files.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

namespace fs = std::filesystem;

std::string found(const std::string& path) {
  const auto result = open_checkpoint(path);
  return result ? result->path : result.error().message;
}

std::string note(const std::string& path) {
  const auto result = open_checkpoint(path);
  return result && result->notes.size() == 1 ? result->notes.front() : "none";
}

void rename_prefix(const test::TemporaryFolder& folder, const std::string& to) {
  for (const char* end : {".index", ".data-00000-of-00002", ".data-00001-of-00002"}) {
    fs::rename(folder.file("ckpt") + end, folder.file(to) + end);
  }
}

}  // namespace

TEST_CASE("the file checkpoint leads to what it names, relative or absolute") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("sliced", folder);
  const std::string state = folder.file("checkpoint");
  for (const std::string& name :
       {std::string("ckpt"), std::string("./ckpt"), prefix, folder.file("./ckpt")}) {
    write(state, "model_checkpoint_path: \"" + name + "\"\n");
    INFO(name);
    CHECK(fs::weakly_canonical(found(state)) == fs::weakly_canonical(prefix));
    CHECK(fs::weakly_canonical(found(folder.file(""))) == fs::weakly_canonical(prefix));
    CHECK(note(state) == "none");
  }
  rename_prefix(folder, "größe");
  write(state, "model_checkpoint_path: \"gr\\303\\266\\303\\237e\"\n");
  CHECK(found(state) == folder.file("größe"));
}

TEST_CASE("a folder that was moved is read by the name beside its file checkpoint") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("sliced", folder);
  const std::string state = folder.file("checkpoint");
  write(state, "model_checkpoint_path: \"/was/elsewhere/ckpt\"\n");
  CHECK(found(state) == prefix);
  CHECK(note(state) == state +
                           ": names '/was/elsewhere/ckpt', which is in another folder; this is the "
                           "one of that name beside it, " +
                           prefix);
  write(state, "model_checkpoint_path: \"/was/elsewhere/other\"\n");
  CHECK(found(state) == state +
                            ": names '/was/elsewhere/other', which is not in the same folder; "
                            "expected to be given that path; beside it lies ckpt.index");
  write(state, "model_checkpoint_path: \"gone\"\n");
  CHECK(found(folder.file("")) == state + ": names 'gone', which is not there; expected " +
                                      folder.file("gone.index") + "; beside it lies ckpt.index");
}

TEST_CASE("a file checkpoint leads to no other folder, though there is one") {
  const test::TemporaryFolder folder;
  const test::TemporaryFolder other;
  const std::string prefix = copy_sample("sliced", other);
  const std::string state = folder.file("checkpoint");
  write(state, "model_checkpoint_path: \"" + prefix + "\"\n");
  CHECK(found(state).find("is not in the same folder") != std::string::npos);
  fs::create_directories(folder.file("sub"));
  for (const auto& file : fs::directory_iterator(other.file(""))) {
    fs::copy_file(file.path(), folder.file("sub") / file.path().filename());
  }
  write(state, "model_checkpoint_path: \"sub/ckpt\"\n");
  CHECK(found(state) == folder.file("sub/ckpt"));
}

TEST_CASE("a .meta, a data file and a prefix without its step stand for a checkpoint") {
  const test::TemporaryFolder folder;
  copy_sample("sliced", folder);
  rename_prefix(folder, "m-200");
  write(folder.file("m-200.meta"), "graph");
  for (const char* name :
       {"m-200", "m-200.meta", "m-200.index", "m-200.data-00001-of-00002", "m"}) {
    INFO(name);
    CHECK(found(folder.file(name)) == folder.file("m-200"));
  }
  CHECK(note(folder.file("m")) == folder.file("m") +
                                      ": names no single checkpoint; this is its highest step, " +
                                      folder.file("m-200"));
  fs::copy_file(folder.file("m-200.index"), folder.file("m-1000.index"));
  fs::copy_file(folder.file("m-200.index"), folder.file("m-99.index"));
  fs::copy_file(folder.file("m-200.index"), folder.file("m-x2000.index"));
  write(folder.file("m-3000.meta"), "graph");
  CHECK(found(folder.file("m")) == folder.file("m-1000"));
}

TEST_CASE("of a checkpoint of which one half is there, the other is named") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("sliced", folder);
  write(folder.file("ckpt.meta"), "graph");
  fs::copy_file(prefix + ".index", folder.file("another.index"));
  fs::remove(prefix + ".index");
  const std::string want = prefix + ".index: is missing; expected it beside " + prefix +
                           ".data-00000-of-00002, which cannot be read without it; beside it lies "
                           "another.index";
  for (const char* end : {"", ".meta", ".index", ".data-00000-of-00002"}) {
    INFO(end);
    CHECK(found(prefix + end) == want);
  }
  fs::remove(prefix + ".data-00000-of-00002");
  fs::remove(prefix + ".data-00001-of-00002");
  CHECK(found(prefix) ==
        prefix + ".index: is missing; " + prefix +
            ".meta has the graph of this checkpoint, but no values; beside it lies "
            "another.index");
  const Checkpoint alone = opened(folder.file("another"));
  CHECK(missing_files(alone) ==
        std::vector<std::string>{folder.file("another.data-00000-of-00002"),
                                 folder.file("another.data-00001-of-00002")});
}

TEST_CASE("the shards of version 1 are found by prefix, by pattern and by each") {
  const test::TemporaryFolder folder;
  const fs::path samples = test::kData / "foreign/checkpoints/version_1";
  for (const auto& file : fs::directory_iterator(samples)) {
    fs::copy_file(file.path(), folder.file(file.path().filename().string()));
  }
  for (const char* name : {"sharded.ckpt-5",
                           "sharded.ckpt-5-????"
                           "?-of-00002",
                           "sharded.ckpt", "sharded.ckpt-5-00001-of-00002", "checkpoint"}) {
    INFO(name);
    const Checkpoint result = opened(folder.file(name));
    CHECK(result.path == folder.file("sharded.ckpt-5"));
    CHECK(result.files.size() == 2);
  }
  fs::remove(folder.file("sharded.ckpt-5-00000-of-00002"));
  CHECK(found(folder.file("sharded.ckpt-5")) == folder.file("sharded.ckpt-5-00000-of-00002") +
                                                    ": is missing; expected it beside " +
                                                    folder.file("sharded.ckpt-5-00001-of-00002"));
  CHECK(note(folder.file("sharded.ckpt-5-00001-of-00002")).find("is missing") != std::string::npos);
}

TEST_CASE("what opens as a checkpoint is told from graphs by its content") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("sliced", folder);
  write(folder.file("ckpt.meta"), "graph");
  write(folder.file("checkpoint"), "model_checkpoint_path: \"ckpt\"");
  write(folder.file("graph.pb"), "graph");
  const std::string foreign = (test::kData / "foreign/checkpoints").string();
  for (const std::string& path :
       {prefix, prefix + ".index", folder.file("checkpoint"), foreign + "/version_1/sliced.ckpt",
        foreign + "/npz/stored.npz", foreign + "/sharded/model.safetensors.index.json"}) {
    INFO(path);
    CHECK(names_checkpoint(path));
  }
  for (const std::string& path :
       {folder.file("ckpt.meta"), folder.file("graph.pb"), folder.file("none"), folder.file("")}) {
    INFO(path);
    CHECK_FALSE(names_checkpoint(path));
  }
}

}  // namespace tideline::checkpoint
