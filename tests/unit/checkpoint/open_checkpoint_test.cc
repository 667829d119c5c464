#include "core/checkpoint/find_checkpoint.h"

#include "core/checkpoint/format.h"
#include "core/checkpoint/tensor_bundle.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

std::string error_of(const std::string& path) {
  const auto checkpoint = open_checkpoint(path);
  return checkpoint ? "opened" : checkpoint.error().message;
}

}  // namespace

TEST_CASE("a checkpoint is found by its prefix, each of its files and its folder") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("sliced", folder);
  write(folder.file("checkpoint"),
        "model_checkpoint_path: \"ckpt\"\nall_model_checkpoint_paths: \"ckpt\"\n");
  for (const std::string& path :
       {prefix, index_path(prefix), shard_path(prefix, 1, 2), folder.file("")}) {
    const Checkpoint checkpoint = opened(path);
    CHECK(checkpoint.tensors.size() == 2);
    CHECK(checkpoint.format == &kBundleFormat);
  }
  std::filesystem::remove(shard_path(prefix, 1, 2));
  CHECK(opened(shard_path(prefix, 1, 2)).tensors.size() == 2);
}

TEST_CASE("a folder with one checkpoint stands for it, one with several for none") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("small", folder);
  std::filesystem::create_directories(folder.file("arrays"));
  write(folder.file("arrays/x.npy"), "");  // beside a checkpoint, no part of one
  CHECK(opened(folder.file("")).path == prefix);
  std::filesystem::copy_file(index_path(prefix), index_path(folder.file("another")));
  CHECK(error_of(folder.file("")) == folder.file("") +
                                         ": holds 2 checkpoints; expected the prefix of one, such "
                                         "as " +
                                         prefix);
}

TEST_CASE("names of any length are read without a stack as deep") {
  const test::TemporaryFolder folder;
  write(folder.file("checkpoint"), "model_checkpoint_path: \"" + std::string(100000, 'a') + "\"");
  CHECK(error_of(folder.file("")) ==
        folder.file("checkpoint") + ": expected a line with model_checkpoint_path");
  CHECK_FALSE(open_checkpoint(std::string(100000, 'a') + ".index"));
  const std::string prefix = copy_sample("small", folder);
  write(folder.file("checkpoint"), "other: 1\nmodel_checkpoint_path: \"c\\\"k\"\n");
  CHECK(error_of(folder.file("")).find("c\"k") != std::string::npos);
}

TEST_CASE("the variables of a SavedModel are a checkpoint") {
  const std::string model = (test::kData / "saved_models/train_step").string();
  const Checkpoint checkpoint = opened(model);
  CHECK(checkpoint.path == model + "/variables/variables");
  CHECK_FALSE(checkpoint.tensors.empty());
}

TEST_CASE("what is no checkpoint is refused, with what was expected") {
  const test::TemporaryFolder folder;
  const std::string expected =
      "expected the prefix of a TensorFlow checkpoint, a SavedModel, a safetensors file or a "
      "folder of .npy files";
  CHECK(error_of(folder.file("none")) ==
        folder.file("none") + ": there is no checkpoint of this name; " + expected);
  CHECK(error_of(folder.file("")) == folder.file("") + ": holds no checkpoint; " + expected);
  write(folder.file("text"), "hello");
  CHECK(error_of(folder.file("text")) == folder.file("text") + ": is no checkpoint; " + expected);
  write(folder.file("empty"), "");
  CHECK(error_of(folder.file("empty")) == folder.file("empty") + ": is no checkpoint; " + expected);
  std::filesystem::copy_file(sample("small") + ".index", folder.file("index_alone"));
  CHECK(error_of(folder.file("index_alone")) ==
        folder.file("index_alone") + ": is an index without the name of one; expected NAME.index");
  write(folder.file("checkpoint"), "nothing");
  CHECK(error_of(folder.file("")) ==
        folder.file("checkpoint") + ": expected a line with model_checkpoint_path");
  write(folder.file("checkpoint"), "model_checkpoint_path: \"../elsewhere/m\"");
  CHECK(error_of(folder.file("")) ==
        folder.file("checkpoint") +
            ": names '../elsewhere/m', which is not in the same folder; expected to be given that "
            "path");
}

}  // namespace tideline::checkpoint
