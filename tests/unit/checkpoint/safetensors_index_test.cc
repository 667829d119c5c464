#include "core/checkpoint/compare.h"
#include "core/checkpoint/convert.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/tensor_bundle.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/checkpoint/verify.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

std::string copy_sharded(const test::TemporaryFolder& folder) {
  for (const auto& file :
       std::filesystem::directory_iterator(test::kData / "foreign/checkpoints/sharded")) {
    std::filesystem::copy_file(file.path(), folder.file(file.path().filename().string()));
  }
  return folder.file("model.safetensors.index.json");
}

std::string error_of(const std::string& path, const std::string& content) {
  write(path, content);
  const auto checkpoint = open_checkpoint(path);
  return checkpoint ? "opened" : checkpoint.error().message;
}

}  // namespace

TEST_CASE("several safetensors files with an index are one checkpoint") {
  const test::TemporaryFolder folder;
  const std::string path = copy_sharded(folder);
  for (const std::string& named : {path, folder.file("model.safetensors"), folder.file("")}) {
    INFO(named);
    const Checkpoint checkpoint = opened(named);
    CHECK(checkpoint.format == &kShardedSafetensorsFormat);
    CHECK(checkpoint.path == path);
    REQUIRE(checkpoint.tensors.size() == 2);
    CHECK(checkpoint.find("b")->pieces.front().file == 1);
    DataFiles files(checkpoint);
    CHECK(*read_tensor(files, *checkpoint.find("b")) == std::string(4, '\0'));
  }
  Progress silent;
  const Checkpoint source = opened(path);
  CHECK(verify(source, silent)->damages.empty());
  REQUIRE(convert(source, folder.file("one"), kBundleFormat, false, silent));
  const Checkpoint again = opened(folder.file("one"));
  const auto differences = compare(source, again, silent);
  REQUIRE(differences);
  for (const TensorDifference& each : *differences) {
    CHECK(each.change == TensorChange::kEqual);
  }
  CHECK_FALSE(check_conversion(source, folder.file("model-00001-of-00002.safetensors"),
                               kSafetensorsFormat, true));
}

TEST_CASE("an index that names what is not there is refused") {
  const test::TemporaryFolder folder;
  const std::string path = copy_sharded(folder);
  const std::string second = folder.file("model-00002-of-00002.safetensors");
  std::filesystem::rename(second, second + ".away");
  CHECK(open_checkpoint(path).error().message ==
        second + ": is missing; " + path + " says that it has tensor 'b'");
  const std::string shard = "model-00001-of-00002.safetensors";
  CHECK(error_of(path, R"({"weight_map":{"x":")" + shard + "\"}}") ==
        folder.file(shard) + ": has no tensor 'x', which " + path + " says is in it");
  for (const char* file : {"../m.safetensors", "/etc/m.safetensors", "", ".."}) {
    CHECK(error_of(path, std::string(R"({"weight_map":{"x":")") + file + "\"}}") ==
          path + ": weight_map: tensor 'x': expected the name of a file in the same folder");
  }
  for (const char* text : {"", "{", "[]", "{}", R"({"weight_map":[]})", R"({"weight_map":3})"}) {
    CHECK(error_of(path, text) == path + ": expected JSON with an object 'weight_map'");
  }
}

}  // namespace tideline::checkpoint
