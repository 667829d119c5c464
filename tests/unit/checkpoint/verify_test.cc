#include "core/checkpoint/verify.h"

#include <fmt/format.h>

#include <random>

#include "core/base/crc32c.h"
#include "core/checkpoint/flipped_bit.h"
#include "core/checkpoint/tensor_bundle.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

Verification verified(const std::string& prefix) {
  const Checkpoint checkpoint = opened(prefix);
  Progress silent;
  const auto found = verify(checkpoint, silent);
  REQUIRE(found);
  return *found;
}

std::string flipped(std::string bytes, std::size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  return bytes;
}

}  // namespace

TEST_CASE("checkpoints of TensorFlow have no damage") {
  for (const char* name : {"small", "sliced"}) {
    const Verification found = verified(sample(name));
    CHECK(found.damages.empty());
    CHECK(found.unchecked == 0);
    CHECK(found.bytes > 100);
  }
}

TEST_CASE("every flipped bit of a checkpoint is found, with tensor, byte and bit") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("sliced", folder);
  for (std::int64_t shard = 0; shard < 2; ++shard) {
    const std::string path = shard_path(prefix, shard, 2);
    const std::string content = test::content_of(path);
    for (std::size_t bit = 0; bit < 8 * content.size(); ++bit) {
      write(path, flipped(content, bit));
      const Verification found = verified(prefix);
      INFO("bit " << bit << " of " << path);
      REQUIRE(found.damages.size() == 1);
      CHECK(found.damages[0].tensor == (shard == 0 && bit >= 8 * 96U ? "b" : "w"));
      CHECK(found.damages[0].file == path);
      CHECK(found.damages[0].offset == static_cast<std::int64_t>(bit / 8));
      CHECK(found.damages[0].bit == static_cast<int>(bit % 8));
    }
    write(path, content);
  }
}

TEST_CASE("flipped bits among strings are found, though their checksum is not of the bytes") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("small", folder);
  const std::string path = shard_path(prefix, 0, 1);
  const std::string content = test::content_of(path);
  for (std::size_t byte = 406; byte < 724; ++byte) {
    write(path, flipped(content, 8 * byte + byte % 8));
    const Verification found = verified(prefix);
    INFO("byte " << byte);
    REQUIRE(found.damages.size() == 1);
    CHECK(found.damages[0].tensor == "extras/text/.ATTRIBUTES/VARIABLE_VALUE");
    CHECK(found.damages[0].offset == 406);
  }
}

TEST_CASE("bytes that belong to no tensor have to be zero") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("sliced", folder);
  const std::string path = shard_path(prefix, 1, 2);
  const std::string content = test::content_of(path);
  write(path, content + std::string(100, '\0'));
  CHECK(verified(prefix).damages.empty());
  write(path, content + std::string(100, '\0') + "x");
  const Verification found = verified(prefix);
  REQUIRE(found.damages.size() == 1);
  CHECK(found.damages[0].what == "byte 164 belongs to no tensor and is not zero");
}

TEST_CASE("a missing data file is a finding for each tensor in it") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("sliced", folder);
  std::filesystem::remove(shard_path(prefix, 0, 2));
  const Verification found = verified(prefix);
  REQUIRE(found.damages.size() == 2);
  CHECK(found.damages[0].tensor == "b");
  CHECK(found.damages[1].tensor == "w");
}

TEST_CASE("a flipped bit is located by checksums alone, two are not mistaken for one") {
  std::minstd_rand random(3);
  std::string bytes(100000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  const std::uint32_t right = crc32c(bytes);
  const auto size = static_cast<std::int64_t>(bytes.size());
  for (int i = 0; i < 40; ++i) {
    const std::size_t bit = random() % (8 * bytes.size());
    const auto found = find_flipped_bit(crc32c(flipped(bytes, bit)), right, size);
    REQUIRE(found);
    CHECK(found->byte == static_cast<std::int64_t>(bit / 8));
    CHECK(found->bit == static_cast<int>(bit % 8));
    const std::size_t other = (bit + 1 + random() % 1000) % (8 * bytes.size());
    CHECK_FALSE(find_flipped_bit(crc32c(flipped(flipped(bytes, bit), other)), right, size));
  }
}

}  // namespace tideline::checkpoint
