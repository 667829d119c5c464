#include "core/checkpoint/convert.h"

#include "core/base/output_file.h"
#include "core/checkpoint/bundle_writer.h"
#include "core/checkpoint/compare.h"
#include "core/checkpoint/data_files.h"
#include "core/checkpoint/extras.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/npy_folder.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_bundle.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/checkpoint/verify.h"
#include "core/graph/element_type.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

Status converted(const std::string& from, const std::string& to, bool replace = false) {
  Progress silent;
  return convert(opened(from), to, format_of_name(to), replace, silent);
}

Verification verify_of(const std::string& path) {
  const Checkpoint checkpoint = opened(path);
  Progress silent;
  const auto found = verify(checkpoint, silent);
  REQUIRE(found);
  return *found;
}

void require_equal(const std::string& a, const std::string& b) {
  const Checkpoint first = opened(a);
  const Checkpoint second = opened(b);
  Progress silent;
  const auto found = compare(first, second, silent);
  INFO((found ? "" : found.error().message));
  REQUIRE(found);
  CHECK(found->size() == first.tensors.size());
  for (const TensorDifference& each : *found) {
    INFO(each.name);
    CHECK(each.change == TensorChange::kEqual);
  }
}

// One tensor of every type that has a size.
std::string every_type(const test::TemporaryFolder& folder) {
  const std::string prefix = folder.file("every");
  auto writer = BundleWriter::create(prefix, false);
  REQUIRE(writer);
  for (std::uint32_t number = 1; number <= 30; ++number) {
    const auto type = static_cast<DataType>(number);
    const std::int64_t size = element_bytes(type).value_or(0);
    if (size == 0) continue;
    REQUIRE(writer->begin("a/" + element_type_name(type), type, {3, 1, 2}));
    std::string bytes;
    for (std::int64_t i = 0; i < 6 * size; ++i) bytes += static_cast<char>(i * 37 + number);
    REQUIRE(writer->append(bytes));
    REQUIRE(writer->end());
  }
  REQUIRE(writer->add_strings("text", {2}, {"one", std::string("\0\xff", 2)}));
  REQUIRE(writer->commit());
  return prefix;
}

}  // namespace

TEST_CASE("checkpoints go through every format and come back the same") {
  const test::TemporaryFolder folder;
  for (const std::string& source : {sample("small"), sample("sliced"), every_type(folder)}) {
    const std::string name = std::filesystem::path(source).parent_path().filename().string() +
                             std::filesystem::path(source).filename().string();
    const std::string tensors = folder.file(name + ".safetensors");
    const std::string arrays = folder.file(name + "_arrays/");
    const std::string bundle = folder.file(name + "_again");
    REQUIRE(converted(source, tensors));
    require_equal(source, tensors);
    REQUIRE(converted(tensors, arrays));
    require_equal(source, arrays);
    REQUIRE(converted(arrays, bundle));
    require_equal(source, bundle);
    Progress silent;
    for (const std::string& path : {tensors, arrays, bundle}) {
      const Checkpoint checkpoint = opened(path);
      const auto found = verify(checkpoint, silent);
      REQUIRE(found);
      CHECK(found->damages.empty());
      CHECK(found->unchecked == 0);
    }
  }
}

TEST_CASE("a conversion compares checksums and leaves nothing behind when one is wrong") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("small", folder);
  const std::string data = shard_path(prefix, 0, 1);
  std::string content = test::content_of(data);
  content[2000] = static_cast<char>(content[2000] ^ 1);
  write(data, content);
  const auto before = folder.entries();
  for (const char* out : {"out.safetensors", "out/", "out"}) {
    CHECK(converted(prefix, folder.file(out)).error().code == Code::kCorrupt);
    CHECK(folder.entries() == before);
  }
}

TEST_CASE("an output that exists is replaced only when that is wanted") {
  const test::TemporaryFolder folder;
  for (const char* name : {"o.safetensors", "o/", "o"}) {
    const std::string out = folder.file(name);
    REQUIRE(converted(sample("sliced"), out));
    CHECK(converted(sample("small"), out).error().code == Code::kInvalidArgument);
    require_equal(sample("sliced"), out);
    REQUIRE(converted(sample("small"), out, true));
    require_equal(sample("small"), out);
    CHECK(converted(out, out, true)
              .error()
              .message.ends_with(
                  "is the checkpoint itself or a part of it; expected another output"));
  }
  write(folder.file("o/notes.txt"), "mine");
  CHECK(converted(sample("sliced"), folder.file("o/"), true).error().message.find("notes.txt") !=
        std::string::npos);
}

TEST_CASE("a part of the checkpoint is no output") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("small", folder);
  const auto refused = [&](const std::string& out, const CheckpointFormat& format) {
    const Checkpoint source = opened(prefix);
    Progress silent;
    const Status status = convert(source, out, format, true, silent);
    return !status && status.error().message.ends_with("expected another output");
  };
  CHECK(refused(index_path(prefix), kSafetensorsFormat));
  CHECK(refused(shard_path(prefix, 0, 1), kSafetensorsFormat));
  CHECK(refused(folder.file(""), kNpyFolderFormat));
  CHECK(verify_of(prefix).damages.empty());
}

TEST_CASE("a prefix has a name") {
  const test::TemporaryFolder folder;
  for (const std::string& out : {std::string(), folder.file("")}) {
    const Checkpoint source = opened(sample("small"));
    Progress silent;
    const Status status = convert(source, out, kBundleFormat, false, silent);
    REQUIRE_FALSE(status);
    CHECK(status.error().message.find("expected the prefix of a checkpoint") != std::string::npos);
  }
  CHECK(folder.entries() == 0);
}

TEST_CASE("a flipped bit among the strings of a file without other checksums is found") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("m.safetensors");
  REQUIRE(converted(sample("small"), path));
  std::string content = test::content_of(path);
  const std::size_t at = content.find("strings");
  REQUIRE(at != std::string::npos);
  const std::size_t digit = content.find_first_of("0123456789", at);
  content[digit] = content[digit] == '6' ? '7' : '6';
  write(path, content);
  const Verification found = verify_of(path);
  REQUIRE(found.damages.size() == 1);
  CHECK(found.damages[0].what.find("its strings have the crc32c") == 0);
  const Checkpoint checkpoint = opened(path);
  DataFiles files(checkpoint);
  const auto read = read_strings(files, *checkpoint.find(found.damages[0].tensor));
  REQUIRE_FALSE(read);
  CHECK(read.error().code == Code::kCorrupt);
}

TEST_CASE("a checkpoint is whole after every step of writing over it") {
  const test::TemporaryFolder folder;
  const std::string prefix = folder.file("m");
  REQUIRE(converted(sample("small"), prefix));
  {
    // Killed before the index: new data lie there, the old checkpoint counts.
    auto writer = BundleWriter::create(prefix, true);
    REQUIRE(writer);
    REQUIRE(writer->begin("x", DataType::kUint8, {1}));
    REQUIRE(writer->append("x"));
    REQUIRE(writer->end());
    require_equal(sample("small"), prefix);
  }
  write(shard_path(prefix, 0, 2), "left by a process that was killed");
  require_equal(sample("small"), prefix);
  CHECK(other_shard_count(prefix) == 2);
  REQUIRE(converted(sample("sliced"), prefix, true));
  require_equal(sample("sliced"), prefix);
  // The index and two shards; what was there before is gone.
  CHECK(folder.entries() == 3);
  REQUIRE(converted(sample("small"), prefix, true));
  require_equal(sample("small"), prefix);
  CHECK(folder.entries() == 2);
  // Beside a damaged index nothing is touched before the new one is there.
  write(index_path(prefix), "damaged");
  CHECK(other_shard_count(prefix) == 2);
  REQUIRE(converted(sample("sliced"), prefix, true));
  require_equal(sample("sliced"), prefix);
}

TEST_CASE("data without an index are not removed unless that is wanted") {
  const test::TemporaryFolder folder;
  const std::string prefix = folder.file("m");
  write(shard_path(prefix, 0, 3), "somebody's");
  CHECK(converted(sample("small"), prefix).error().message ==
        shard_path(prefix, 0, 3) + ": exists; give {force} to replace it");
  CHECK(folder.entries() == 1);
  REQUIRE(converted(sample("small"), prefix, true));
  CHECK(folder.entries() == 2);
}

TEST_CASE("a writer of checkpoints refuses names and sizes that cannot be") {
  const test::TemporaryFolder folder;
  auto writer = BundleWriter::create(folder.file("m"), false);
  REQUIRE(writer);
  CHECK_FALSE(writer->begin("", DataType::kUint8, {}));
  CHECK_FALSE(writer->begin(std::string("\0x", 2), DataType::kUint8, {}));
  REQUIRE(writer->begin("a", DataType::kUint8, {2}));
  REQUIRE(writer->append("x"));
  CHECK(writer->end().error().message == "tensor 'a': uint8 [2] does not have 1 bytes");
  REQUIRE(writer->begin("b", DataType::kUint8, {}));
  REQUIRE(writer->append("x"));
  REQUIRE(writer->end());
  CHECK(writer->begin("b", DataType::kUint8, {}).error().message == "tensor 'b' is there twice");
}

TEST_CASE("the format of an output follows from its name") {
  CHECK(&format_of_name("a/b.safetensors") == &kSafetensorsFormat);
  CHECK(&format_of_name("a/b/") == &kNpyFolderFormat);
  CHECK(&format_of_name("a/b") == &kBundleFormat);
  CHECK(parse_format("npy") == &kNpyFolderFormat);
  CHECK_FALSE(parse_format("hdf5"));
}

TEST_CASE("names of tensors survive as names of files") {
  for (const std::string name : {"w", "a/b/c", "a//b", "/a", "a/", "", ".hidden/..", "a.npy/b",
                                 "a.npy", "%41", "%", "weiß/β", "a b:0", "x\ny"}) {
    const std::string file = npy_file_name(name);
    INFO(name << " as " << file);
    CHECK(npy_tensor_name(file) == name);
    for (const std::filesystem::path& part : std::filesystem::path(file)) {
      CHECK_FALSE(part.string().starts_with('.'));
    }
    CHECK(file.front() != '/');
  }
  CHECK(npy_file_name("model/.ATTRIBUTES/VALUE") == "model/%2EATTRIBUTES/VALUE.npy");
}

TEST_CASE("folders of arrays that others wrote are checkpoints") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("arrays/layer"));
  const std::string head("\x93NUMPY\x01\x00", 8);
  std::string dict = "{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }";
  dict.resize(117, ' ');
  dict += '\n';
  write(folder.file("arrays/layer/kernel.npy"), head + std::string("\x76\x00", 2) + dict + "abcd");
  write(folder.file("arrays/readme.txt"), "hello");
  const Checkpoint checkpoint = opened(folder.file("arrays"));
  REQUIRE(checkpoint.tensors.size() == 1);
  CHECK(checkpoint.tensors[0].name == "layer/kernel");
  CHECK(checkpoint.tensors[0].type == DataType::kUint16);
  CHECK_FALSE(checkpoint.tensors[0].pieces[0].crc);
  DataFiles files(checkpoint);
  CHECK(*read_tensor(files, checkpoint.tensors[0]) == "abcd");
  write(
      folder.file("arrays/tideline.json"),
      R"({"schema": "tideline.checkpoint/1", "tensors": {"layer/kernel": {"dtype": "float32"}}})");
  CHECK(open_checkpoint(folder.file("arrays")).error().message ==
        folder.file("arrays") +
            ": tensor 'layer/kernel': holds uint16 [2], which cannot be float32");
}

TEST_CASE("a description beside arrays is checked word for word") {
  const auto error = [](const std::string& tensors) {
    const auto parsed =
        parse_extras(R"({"schema": "tideline.checkpoint/1", "tensors": )" + tensors + "}");
    return parsed ? std::string("read") : parsed.error().message;
  };
  CHECK(error("{}") == "read");
  CHECK(error(R"({"t": {"crc32c": "0012abff", "dtype": "bfloat16"}})") == "read");
  CHECK(error(R"({"t": {"shape": [2], "strings": ["", "ff"]}})") == "read");
  CHECK(error("[]") == "'tensors': expected an object");
  CHECK(error(R"({"t": 1})") == "tensor 't': 'tensors': expected an object");
  CHECK(error(R"({"t": {"crc32c": "12"}})") ==
        "tensor 't': 'crc32c': expected eight hexadecimal digits");
  CHECK(error(R"({"t": {"dtype": "float33"}})") == "tensor 't': 'dtype': expected an element type");
  CHECK(error(R"({"t": {"strings": []}})") == "tensor 't': 'shape': expected a list of sizes");
  CHECK(error(R"({"t": {"shape": [3], "strings": ["ff"]}})") ==
        "tensor 't': 'strings': expected as many as the shape says");
  CHECK(error(R"({"t": {"shape": [1], "strings": ["f"]}})") ==
        "tensor 't': 'strings': expected a list of hexadecimal digits");
  CHECK_FALSE(parse_extras("{"));
  CHECK_FALSE(parse_extras("[1]"));
  CHECK_FALSE(parse_extras(R"({"schema": "tideline.checkpoint/2", "tensors": {}})"));
}

}  // namespace tideline::checkpoint
