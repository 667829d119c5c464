#include <set>

#include "core/checkpoint/compare.h"
#include "core/checkpoint/convert.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/ordered_code.h"
#include "core/checkpoint/saved_slice.h"
#include "core/checkpoint/sstable.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/checkpoint/verify.h"
#include "core/graph/element_type.h"
#include "core/io/wire.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

std::string version_1(const std::string& name) {
  return (test::kData / "foreign/checkpoints/version_1" / name).string();
}

// The elements as text, one after the other.
std::string values(const Checkpoint& checkpoint, const std::string& name) {
  DataFiles files(checkpoint);
  const StoredTensor* tensor = checkpoint.find(name);
  REQUIRE(tensor != nullptr);
  const auto content = read_tensor(files, *tensor);
  INFO((content ? "" : content.error().message));
  REQUIRE(content);
  const auto size = static_cast<std::size_t>(*element_bytes(tensor->type));
  std::string text;
  for (std::size_t at = 0; at < content->size(); at += size) {
    text += element_text(tensor->type, std::string_view(*content).substr(at, size)) + " ";
  }
  return text;
}

// A table with one float tensor "t" of `count` elements, whose message holds `floats`.
std::string table_of(std::int64_t count, const std::string& floats) {
  std::string dim;
  io::append_varint_field(dim, 1, static_cast<std::uint64_t>(count));
  std::string shape;
  io::append_bytes(shape, 2, dim);
  std::string extent;
  io::append_bytes(extent, 1, "");
  std::string listed;
  io::append_bytes(listed, 1, "t");
  io::append_bytes(listed, 2, shape);
  io::append_varint_field(listed, 3, 1);
  io::append_bytes(listed, 4, extent);
  std::string list;
  io::append_bytes(list, 1, listed);
  std::string head;
  io::append_bytes(head, 1, list);
  std::string tensor;
  io::append_bytes(tensor, 5, floats);
  std::string saved;
  io::append_bytes(saved, 3, tensor);
  std::string data;
  io::append_bytes(data, 2, saved);
  return write_table({{"", head}, {slice_key("t", {{0, -1}}), data}});
}

}  // namespace

TEST_CASE("a checkpoint of version 1 is read, every element type that TensorFlow saves in it") {
  const Checkpoint checkpoint = opened(version_1("every.ckpt-3"));
  CHECK(checkpoint.format == &kTableFormat);
  CHECK(checkpoint.tensors.size() == 18);
  CHECK(values(checkpoint, "v_float32") == "0 1 -2 3 100 -5 ");
  CHECK(values(checkpoint, "v_float64") == "0 1 -2 3 100 -5 ");
  CHECK(values(checkpoint, "v_float16") == "0 1 -2 3 100 -5 ");
  for (const char* type : {"int8", "int16", "int32", "int64"}) {
    INFO(type);
    CHECK(values(checkpoint, std::string("v_") + type) == "0 1 -2 3 100 -5 ");
  }
  CHECK(values(checkpoint, "v_qint8") == "0 1 2 3 100 -5 ");
  CHECK(values(checkpoint, "v_quint8") == "0 1 2 3 100 200 ");
  CHECK(values(checkpoint, "v_qint32") == "0 1 2 3 100 -5 ");
  CHECK(values(checkpoint, "v_uint8") == "0 1 2 3 100 250 ");
  CHECK(values(checkpoint, "v_uint16") == "0 1 2 3 100 250 ");
  CHECK(values(checkpoint, "v_bool") == "true false true false false true ");
  CHECK(values(checkpoint, "v_complex64") == "(1,2) (0,0) (3,0) (4,0) (0,5) (-6,0) ");
  CHECK(values(checkpoint, "v_complex128") == "(1,2) (0,0) (3,0) (4,0) (0,5) (-6,0) ");
  CHECK(values(checkpoint, "global_step") == "7 ");
  CHECK(values(checkpoint, "empty").empty());
  DataFiles files(checkpoint);
  CHECK(*read_strings(files, *checkpoint.find("text")) ==
        std::vector<std::string>{"alpha", "", "βγ"});
}

TEST_CASE("slices and shards of version 1 are put together") {
  const Checkpoint sliced = opened(version_1("sliced.ckpt"));
  std::string want;
  for (int i = 0; i < 40; ++i) want += std::to_string(i) + " ";
  CHECK(values(sliced, "w") == want);
  CHECK(sliced.find("w")->pieces.size() == 2);
  CHECK(values(sliced, "b") == "1.5 -2 ");
  const Checkpoint sharded = opened(version_1("sharded.ckpt-5"));
  CHECK(sharded.files.size() == 2);
  CHECK(values(sharded, "a") == "1 2 3 ");
  CHECK(values(sharded, "b") == "4 5 ");
}

TEST_CASE("a checkpoint of version 1 is converted into every format without a change") {
  const test::TemporaryFolder folder;
  Progress silent;
  for (const char* name : {"every.ckpt-3", "sliced.ckpt", "sharded.ckpt-5"}) {
    const Checkpoint source = opened(version_1(name));
    for (const std::string& end :
         {std::string(""), std::string(".safetensors"), std::string("/")}) {
      const std::string out = folder.file(name) + "-out" + end;
      INFO(out);
      const Status converted = convert(source, out, format_of_name(out), false, silent);
      INFO((converted ? "" : converted.error().message));
      REQUIRE(converted);
      const Checkpoint again = opened(out);
      const auto differences = compare(source, again, silent);
      REQUIRE(differences);
      CHECK(differences->size() == source.tensors.size());
      for (const TensorDifference& each : *differences) {
        INFO(each.name);
        CHECK(each.change == TensorChange::kEqual);
      }
    }
  }
}

TEST_CASE("every flipped bit of a checkpoint of version 1 is found") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("m.ckpt");
  std::string content = test::content_of(version_1("sliced.ckpt"));
  Progress silent;
  for (std::size_t bit = 0; bit < 8 * content.size(); ++bit) {
    content[bit / 8] = static_cast<char>(content[bit / 8] ^ (1 << bit % 8));
    write(path, content);
    const auto checkpoint = open_checkpoint(path);
    INFO("bit " << bit);
    if (checkpoint) {
      const auto found = verify(*checkpoint, silent);
      REQUIRE(found);
      CHECK_FALSE(found->damages.empty());
    }
    content[bit / 8] = static_cast<char>(content[bit / 8] ^ (1 << bit % 8));
  }
  write(path, content);
  const auto whole = verify(opened(path), silent);
  REQUIRE(whole);
  CHECK(whole->damages.empty());
  CHECK(whole->unchecked == 0);
}

TEST_CASE("a list of version 1 that its values contradict is refused") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("m.ckpt");
  const auto error = [&](std::int64_t count, const std::string& floats) {
    write(path, table_of(count, floats));
    const Checkpoint checkpoint = opened(path);
    DataFiles files(checkpoint);
    const auto content = read_tensor(files, checkpoint.tensors.front());
    return content ? "read" : content.error().message;
  };
  CHECK(error(2, std::string(8, 'x')) == "read");
  CHECK(error(std::int64_t{1} << 40U, std::string(8, 'x')) ==
        path + ": holds 8 bytes of values; its list of tensors says 4398046511104");
  CHECK(error(3, std::string(8, 'x')) ==
        path + ": holds 8 bytes of values; its list of tensors says 12");
  write(path, write_table({{"a", "b"}}));
  CHECK(open_checkpoint(path).error().message.starts_with(path + ": is a table, but has no list"));
}

TEST_CASE("whole numbers of a slice are read from any place") {
  std::string numbers;
  for (const std::uint64_t value : {std::uint64_t{1}, std::uint64_t{300}, ~std::uint64_t{0}}) {
    io::append_varint(numbers, value);
  }
  std::string tensor;
  io::append_bytes(tensor, 7, numbers);
  io::append_varint_field(tensor, 7, 5);  // not packed
  std::string saved;
  io::append_bytes(saved, 3, tensor);
  std::string message;
  io::append_bytes(message, 2, saved);
  auto slice = SavedSlice::parse(message, DataType::kInt32);
  REQUIRE(slice);
  const std::string want("\1\0\0\0\x2c\1\0\0\xff\xff\xff\xff\5\0\0\0", 16);
  REQUIRE(slice->bytes() == 16);
  for (std::size_t size = 1; size <= 16; ++size) {
    for (std::size_t at = 0; at + size <= 16; ++at) {
      std::string read(size, '?');
      slice->read(static_cast<Bytes>(at), read.data(), size);
      CHECK(read == want.substr(at, size));
    }
  }
  CHECK_FALSE(SavedSlice::parse(message.substr(0, message.size() - 1), DataType::kInt32));
}

}  // namespace tideline::checkpoint
