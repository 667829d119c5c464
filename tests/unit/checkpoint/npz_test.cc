#include <zlib.h>

#include "core/base/bytes.h"
#include "core/checkpoint/compare.h"
#include "core/checkpoint/convert.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/checkpoint/verify.h"
#include "core/io/npy.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

std::string archive(const std::string& name) {
  return (test::kData / "foreign/checkpoints/npz" / name).string();
}

std::uint32_t crc_of(const std::string& bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

std::string deflated(const std::string& bytes) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  std::string copy = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

struct Member {
  std::string name;
  std::string packed;
  std::uint16_t method = 0;
  std::uint32_t bytes = 0;
  std::uint32_t crc = 0;
  std::uint16_t flags = 0;
};

Member stored(const std::string& name, const std::string& bytes) {
  return {name, bytes, 0, static_cast<std::uint32_t>(bytes.size()), crc_of(bytes), 0};
}

// The bytes that both headers of a member have in common.
std::string common(const Member& member) {
  std::string text;
  append_little_endian(text, std::uint16_t{20});
  append_little_endian(text, member.flags);
  append_little_endian(text, member.method);
  append_little_endian(text, std::uint32_t{0});
  append_little_endian(text, member.crc);
  append_little_endian(text, static_cast<std::uint32_t>(member.packed.size()));
  append_little_endian(text, member.bytes);
  append_little_endian(text, static_cast<std::uint16_t>(member.name.size()));
  append_little_endian(text, std::uint16_t{0});
  return text;
}

// `repeats`: how often the directory lists each member.
std::string zip_of(const std::vector<Member>& members, int repeats = 1) {
  std::string file;
  std::string directory;
  std::uint16_t count = 0;
  for (const Member& member : members) {
    for (int i = 0; i < repeats; ++i, ++count) {
      directory += "PK\x01\x02" + std::string(2, '\0') + common(member) + std::string(10, '\0');
      append_little_endian(directory, static_cast<std::uint32_t>(file.size()));
      directory += member.name;
    }
    file += "PK\x03\x04" + common(member) + member.name + member.packed;
  }
  std::string end("PK\x05\x06\0\0\0\0", 8);
  append_little_endian(end, count);
  append_little_endian(end, count);
  append_little_endian(end, static_cast<std::uint32_t>(directory.size()));
  append_little_endian(end, static_cast<std::uint32_t>(file.size()));
  append_little_endian(end, std::uint16_t{0});
  return file + directory + end;
}

std::string npy_of(const std::string& bytes) {
  return *io::npy_head(DataType::kUint8, {static_cast<std::int64_t>(bytes.size())}) + bytes;
}

std::string error_of(const std::string& path, const std::string& content) {
  write(path, content);
  const auto checkpoint = open_checkpoint(path);
  return checkpoint ? "opened" : checkpoint.error().message.substr(path.size() + 2);
}

}  // namespace

TEST_CASE("an .npz archive that NumPy wrote is read, stored and deflated") {
  const Checkpoint plain = opened(archive("stored.npz"));
  REQUIRE(plain.tensors.size() == 2);
  CHECK(plain.format == &kNpzFormat);
  const Checkpoint packed = opened(archive("deflated.npz"));
  REQUIRE(packed.tensors.size() == 4);
  CHECK(packed.find("layer/kernel")->type == DataType::kBool);
  CHECK(packed.find("zeros")->dims == std::vector<std::int64_t>{100, 50});
  DataFiles plain_files(plain);
  DataFiles packed_files(packed);
  for (const char* name : {"w", "n"}) {
    const auto a = read_tensor(plain_files, *plain.find(name));
    const auto b = read_tensor(packed_files, *packed.find(name));
    REQUIRE(a);
    REQUIRE(b);
    CHECK(*a == *b);
  }
  CHECK(*read_tensor(packed_files, *packed.find("zeros")) == std::string(40000, '\0'));
  CHECK(*read_tensor(plain_files, *plain.find("n")) == std::string("\7\0\0\0\0\0\0\0", 8));
}

TEST_CASE("an .npz archive is converted into every format without a change") {
  const test::TemporaryFolder folder;
  Progress silent;
  const Checkpoint source = opened(archive("deflated.npz"));
  for (const char* name : {"out", "out.safetensors", "out/"}) {
    const std::string out = folder.file(name);
    REQUIRE(convert(source, out, format_of_name(out), false, silent));
    const Checkpoint again = opened(out);
    const auto differences = compare(source, again, silent);
    REQUIRE(differences);
    for (const TensorDifference& each : *differences) CHECK(each.change == TensorChange::kEqual);
    std::filesystem::remove_all(out);
  }
  CHECK(convert(source, folder.file("out.npz"), format_of_name("out.npz"), false, silent)
            .error()
            .message.find("is read only") != std::string::npos);
}

TEST_CASE("every flipped bit of the values in an .npz archive is found") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("m.npz");
  std::string values;  // more than what is read when the archive is opened
  for (int i = 0; i < 6000; ++i) values += static_cast<char>(i * i % 251);
  const std::string bytes = npy_of(values);
  Member packed = stored("b.npy", bytes);
  packed.packed = deflated(bytes);
  packed.method = 8;
  std::string content = zip_of({stored("a.npy", bytes), packed});
  const std::size_t begin = 30 + 5 + 128;  // the values of the first member
  // The header before the second member says again what the directory says; of the last byte some
  // bits are unused.
  const std::size_t header = begin + values.size();
  const std::size_t end = content.find("PK\x01\x02") - 1;
  Progress silent;
  int found_by_verify = 0;
  for (std::size_t bit = 8 * begin; bit < 8 * end; bit += 101) {
    if (bit / 8 >= header && bit / 8 < header + 30 + 5) continue;
    content[bit / 8] = static_cast<char>(content[bit / 8] ^ (1 << bit % 8));
    write(path, content);
    const auto checkpoint = open_checkpoint(path);
    INFO("bit " << bit);
    if (checkpoint) {
      const auto found = verify(*checkpoint, silent);
      REQUIRE(found);
      CHECK_FALSE(found->damages.empty());
      ++found_by_verify;
    }
    content[bit / 8] = static_cast<char>(content[bit / 8] ^ (1 << bit % 8));
  }
  CHECK(found_by_verify > 400);
  write(path, content);
  const auto whole = verify(opened(path), silent);
  REQUIRE(whole);
  CHECK(whole->damages.empty());
  CHECK(whole->unchecked == 0);
}

TEST_CASE("archives made to unpack to much more than they are get refused") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("m.npz");
  const std::string bytes = npy_of(std::string(100000, '\0'));
  Member bomb = stored("a.npy", bytes);
  bomb.packed = deflated(bytes);
  bomb.method = 8;
  CHECK(error_of(path, zip_of({bomb})) == "opened");
  CHECK(error_of(path, zip_of({bomb}, 2)) ==
        "member 'a.npy': its bytes are those of member 'a.npy', too");
  bomb.bytes = 4000000000U;
  CHECK(
      error_of(path, zip_of({bomb})) ==
      fmt::format("member 'a.npy': says that its {} bytes unpack to 4000000000, which no deflated "
                  "bytes can",
                  bomb.packed.size()));
  Member wrong = stored("a.npy", bytes);
  wrong.bytes = 5;
  CHECK(error_of(path, zip_of({wrong})).find("unpack to 5") != std::string::npos);
}

TEST_CASE("archives that cannot be read are refused with the reason") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("m.npz");
  Member member = stored("a.npy", npy_of("x"));
  const std::string whole = zip_of({member});
  for (std::size_t size = 60; size < whole.size(); ++size) {
    CHECK(error_of(path, whole.substr(0, size)) != "opened");
  }
  member.flags = 1;
  CHECK(error_of(path, zip_of({member})) ==
        "member 'a.npy': is encrypted; expected an archive without a password");
  member.flags = 0;
  member.method = 12;
  CHECK(error_of(path, zip_of({member})) ==
        "member 'a.npy': is compressed by method 12; expected 0 (stored) or 8 (deflated)");
  CHECK(error_of(path, zip_of({stored("a.npy", npy_of("x") + "y")})) ==
        "member 'a.npy': uint8 [1] has 1 bytes of elements, the member holds 2");
  write(path, zip_of({stored("a.npy", npy_of("x")), stored("readme.txt", "hello")}));
  const Checkpoint checkpoint = opened(path);
  CHECK(checkpoint.tensors.size() == 1);
  CHECK(checkpoint.notes == std::vector<std::string>{path + ": 1 of 2 members are no .npy files"});
}

}  // namespace tideline::checkpoint
