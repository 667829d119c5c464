#include "core/checkpoint/safetensors.h"

#include "core/base/bytes.h"
#include "core/checkpoint/data_files.h"
#include "core/checkpoint/tensor_stream.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

std::string file_of(const std::string& head, const std::string& data = "") {
  std::string file;
  append_little_endian(file, std::uint64_t{head.size()});
  return file + head + data;
}

std::string error_of(const std::string& head, const std::string& data = "") {
  const std::string file = file_of(head, data);
  const auto parsed = parse_safetensors("m", file, static_cast<std::int64_t>(file.size()));
  return parsed ? "read" : parsed.error().message;
}

}  // namespace

TEST_CASE("a safetensors file that others wrote is read") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("model.safetensors");
  write(path, file_of(R"({"b":{"dtype":"F16","shape":[2],"data_offsets":[4,8]},)"
                      R"("__metadata__":{"format":"pt"},)"
                      R"("a":{"dtype":"U8","shape":[2,2],"data_offsets":[0,4]},)"
                      R"("none":{"dtype":"F32","shape":[0],"data_offsets":[4,4]}}   )",
                      "abcdefgh"));
  const Checkpoint checkpoint = opened(path);
  REQUIRE(checkpoint.tensors.size() == 3);
  DataFiles files(checkpoint);
  CHECK(*read_tensor(files, *checkpoint.find("a")) == "abcd");
  CHECK(*read_tensor(files, *checkpoint.find("b")) == "efgh");
  CHECK(read_tensor(files, *checkpoint.find("none"))->empty());
  CHECK(checkpoint.find("b")->type == DataType::kHalf);
}

TEST_CASE("broken safetensors files are refused with tensor and field") {
  CHECK(error_of(R"({"a":{"dtype":"U8","shape":[9223372036854775807],)"
                 R"("data_offsets":[0,9223372036854775807]}})") ==
        "m: tensor 'a': data_offsets: 9223372036854775807; the file has 0 bytes of data");
  CHECK(error_of("{}") == "read");
  CHECK(error_of("{") == "m: the header is no JSON object");
  CHECK(error_of("{} x") == "m: the header is no JSON object");
  CHECK(error_of(R"({"a":1})") == "m: tensor 'a': its entry: expected an object");
  CHECK(error_of(R"({"a":{"dtype":"Q7","shape":[],"data_offsets":[0,1]}})", "x") ==
        "m: tensor 'a': dtype: 'Q7'; expected a type of TensorFlow");
  CHECK(error_of(R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", "x") ==
        "m: tensor 'a': shape: expected whole numbers");
  CHECK(error_of(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,1]}})", "x") ==
        "m: tensor 'a': uint8 [2] does not take the bytes from 0 to 1");
  CHECK(error_of(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "xy") ==
        "m: tensor 'a': begins at byte 62; expected it behind the tensor before it, at byte 61");
  CHECK(error_of(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "xy") ==
        "m: its tensors end at byte 62, the file at byte 63");
  CHECK(error_of(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                 R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                 "xy") == "m: tensor 'a' is there twice");
  CHECK(
      error_of(
          R"({"a":{"dtype":"U8","shape":[4294967296,4294967296,4294967296],"data_offsets":[0,1]}})",
          "x") ==
      "m: tensor 'a': uint8 [4294967296,4294967296,4294967296] does not take the "
      "bytes from 0 to 1");
  const std::string file = file_of("{}", "");
  CHECK(parse_safetensors("m", file.substr(0, 9), 9).error().message ==
        "m: ends inside its header of 2 bytes");
  CHECK_FALSE(parse_safetensors("m", "", 0));
  CHECK_FALSE(parse_safetensors("m", std::string(20, '\xff'), 20));
}

}  // namespace tideline::checkpoint
