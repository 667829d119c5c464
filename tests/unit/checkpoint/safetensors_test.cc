#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/format.h"

#include <fmt/format.h>

#include "core/base/bytes.h"
#include "core/checkpoint/compare.h"
#include "core/checkpoint/convert.h"
#include "core/checkpoint/data_files.h"
#include "core/checkpoint/tensor_bundle.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/checkpoint/verify.h"
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

TEST_CASE("types that only safetensors has are listed, verified and converted") {
  const Checkpoint checkpoint =
      opened((test::kData / "foreign/checkpoints/fp4.safetensors").string());
  REQUIRE(checkpoint.tensors.size() == 2);
  CHECK(type_and_shape(*checkpoint.find("w")) == "F4 [16]");
  CHECK(type_and_shape(*checkpoint.find("s")) == "F8_E8M0 [4]");
  Progress silent;
  const auto verified = verify(checkpoint, silent);
  REQUIRE(verified);
  CHECK(verified->damages.empty());
  CHECK(verified->bytes == 12);
  const test::TemporaryFolder folder;
  const std::string out = folder.file("out.safetensors");
  REQUIRE(convert(checkpoint, out, kSafetensorsFormat, false, silent));
  const Checkpoint again = opened(out);
  CHECK(type_and_shape(*again.find("w")) == "F4 [16]");
  const auto differences = compare(checkpoint, again, silent);
  REQUIRE(differences);
  for (const TensorDifference& each : *differences) CHECK(each.change == TensorChange::kEqual);
  CHECK(convert(checkpoint, folder.file("out"), kBundleFormat, false, silent).error().message ==
        checkpoint.path +
            ": tensor 's' is of type F8_E8M0, which only safetensors has; expected a .safetensors "
            "file as output");
}

TEST_CASE("elements of less than a byte lie side by side") {
  const auto head = [](const std::string& type, int elements, int bytes) {
    return fmt::format(R"({{"a":{{"dtype":"{}","shape":[{}],"data_offsets":[0,{}]}}}})", type,
                       elements, bytes);
  };
  for (const char* type : {"F6_E2M3", "F6_E3M2"}) {
    CHECK(error_of(head(type, 4, 3), "xyz") == "read");
    CHECK(error_of(head(type, 3, 3), "xyz") ==
          fmt::format("m: tensor 'a': {} [3] does not take the bytes from 0 to 3", type));
  }
  CHECK(error_of(head("F4", 6, 3), "xyz") == "read");
  CHECK(error_of(head("F4", 5, 3), "xyz") ==
        "m: tensor 'a': F4 [5] does not take the bytes from 0 to 3");
  for (const char* type : {"F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"}) {
    CHECK(error_of(head(type, 3, 3), "xyz") == "read");
  }
}

TEST_CASE("a header is read up to the library's limit, and a longer one is named") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("m.safetensors");
  std::string head = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
  head.resize(100'000'000, ' ');
  write(path, file_of(head, "x"));
  CHECK(opened(path).tensors.size() == 1);
  head += ' ';
  write(path, file_of(head, "x"));
  CHECK(open_checkpoint(path).error().message ==
        path +
            ": has a header of 100000001 bytes; expected at most 100000000, the limit of the "
            "safetensors library");
}

TEST_CASE("what is nested in a header takes no space") {
  std::string deep(5'000'000, '[');
  deep += std::string(5'000'000, ']');
  std::string wide = "[";
  for (int i = 0; i < 2'000'000; ++i) wide += "[],";
  wide += "0]";
  for (const std::string& value : {deep, wide}) {
    CHECK(error_of(R"({"a":{"dtype":"U8","shape":[],"data_offsets":[0,1],"x":)" + value + "}}",
                   "x") == "read");
    CHECK(error_of(R"({"a":{"dtype":"U8","data_offsets":[0,1],"shape":)" + value + "}}", "x") ==
          "m: tensor 'a': shape: expected whole numbers");
  }
}

}  // namespace tideline::checkpoint
