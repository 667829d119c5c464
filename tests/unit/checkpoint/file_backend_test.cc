#include "core/checkpoint/file_backend.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <random>
#include <thread>

#include "core/checkpoint/data_files.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/verify.h"
#include "tests/unit/checkpoint/backends.h"

namespace tideline::checkpoint {

TEST_CASE("file writes a checkpoint of TensorFlow's format and loads it in place") {
  const test::TemporaryFolder folder;
  Backends backends;
  const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file", folder.file("m"));
  Progress silent;
  Floats small("layer/small", {1, 2, 3});
  Floats large("layer/large", std::vector<float>(400000, 0.5F));
  Floats other("other", std::vector<float>(300001, -1));
  const auto tensors = [&] { return std::vector{small.tensor(), large.tensor(), other.tensor()}; };
  for (int round = 0; round < 3; ++round) {
    small.values[0] = static_cast<float>(round);
    REQUIRE(file->save(tensors(), -1, {}, silent));
    const Checkpoint checkpoint = opened(folder.file("m"));
    const auto found = verify(checkpoint, silent);
    REQUIRE(found);
    CHECK(found->damages.empty());
    // What is written from where it lies has an offset that equals its address.
    const Piece& piece = checkpoint.find("layer/large")->pieces[0];
    CHECK(static_cast<std::uintptr_t>(piece.offset) % 4096 ==
          reinterpret_cast<std::uintptr_t>(large.values.data()) % 4096);
    small.values = {7, 7, 7};
    large.values.assign(large.values.size(), 7);
    REQUIRE(file->load(tensors(), -1, silent));
    CHECK(small.values == std::vector<float>{static_cast<float>(round), 2, 3});
    CHECK(large.values == std::vector<float>(400000, 0.5F));
  }
  CHECK(file->list(-1, silent)->size() == 3);
  Floats missing("missing", {1});
  Floats wrong("layer/small", {8, 8});
  const Status refused = file->load({wrong.tensor(), large.tensor()}, -1, silent);
  CHECK(refused.error().message == "file: " + folder.file("m") +
                                       ": tensor 'layer/small' is float32 [3]; "
                                       "expected float32 [2] in 8 bytes");
  CHECK(wrong.values == std::vector<float>{8, 8});
  CHECK(file->load({missing.tensor()}, -1, silent).error().code == Code::kNotFound);
  CHECK_FALSE(file->save({small.tensor(), small.tensor()}, -1, {}, silent));
  REQUIRE(file->load(tensors(), -1, silent));
}

TEST_CASE("file keeps the last steps, and every so many") {
  const test::TemporaryFolder folder;
  Backends backends;
  const auto file = opened_backend(
      backends, TIDELINE_FILE_PLUGIN, "file",
      R"({"path": ")" + folder.file("m-{step}") + R"(", "keep_last": 2, "keep_every": 30})");
  Progress silent;
  Floats a("a", {0});
  for (std::int64_t step = 0; step <= 70; step += 10) {
    a.values[0] = static_cast<float>(step);
    REQUIRE(file->save({a.tensor()}, step, {}, silent));
  }
  CHECK(file->save({a.tensor()}, -1, {}, silent).error().code == Code::kInvalidArgument);
  for (const std::int64_t step : {0, 30, 60, 70}) {
    REQUIRE(file->load({a.tensor()}, step, silent));
    CHECK(a.values[0] == static_cast<float>(step));
  }
  CHECK(file->load({a.tensor()}, 50, silent).error().code == Code::kNotFound);
  REQUIRE(file->load({a.tensor()}, -1, silent));
  CHECK(a.values[0] == 70);
  // Four checkpoints of two files, and TensorFlow's file that names them.
  CHECK(folder.entries() == 9);
  CHECK(opened(folder.file("")).path == folder.file("m-70"));
  CHECK(test::content_of(folder.file("checkpoint")) ==
        "model_checkpoint_path: \"m-70\"\nall_model_checkpoint_paths: \"m-0\"\n"
        "all_model_checkpoint_paths: \"m-30\"\nall_model_checkpoint_paths: \"m-60\"\n"
        "all_model_checkpoint_paths: \"m-70\"\n");
}

TEST_CASE("file saves in the background from memory that the host keeps") {
  const test::TemporaryFolder folder;
  Backends backends;
  const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file",
                                   R"({"path": ")" + folder.file("m") + R"(", "async": true})");
  struct Kept {
    std::atomic<int> retained = 0;
    std::atomic<int> released = 0;
  } kept;
  Retention retention;
  retention.self = &kept;
  retention.retain = [](void* self) {
    ++static_cast<Kept*>(self)->retained;
    return self;
  };
  retention.release = [](void* self) { ++static_cast<Kept*>(self)->released; };
  Progress silent;
  Floats a("a", std::vector<float>(1000000, 1));
  REQUIRE(file->save({a.tensor()}, -1, retention, silent));
  CHECK(kept.retained == 1);
  REQUIRE(file->wait(silent));
  CHECK(kept.released == 1);
  CHECK(opened(folder.file("m")).tensors.size() == 1);
  // A failure is told by the next wait, once.
  std::filesystem::remove_all(folder.file(""));
  write(std::filesystem::path(folder.file("")).parent_path().string(), "in the way");
  REQUIRE(file->save({a.tensor()}, -1, retention, silent));
  CHECK(file->wait(silent).error().code == Code::kIo);
  CHECK(file->wait(silent));
  CHECK(kept.released == 2);
  std::filesystem::remove(std::filesystem::path(folder.file("")).parent_path());
  std::filesystem::create_directory(folder.file(""));
}

TEST_CASE("file makes the folder and keeps strings in TensorFlow's form") {
  const test::TemporaryFolder folder;
  Backends backends;
  const std::string prefix = folder.file("new/er/m");
  const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file", prefix);
  Progress silent;
  const std::vector<std::string> texts = {"first", "", std::string("with\0zero", 9)};
  std::string bytes = encode_strings(texts).bytes;
  const std::int64_t count = 3;
  TidelineTensor tensor = Floats("text", {1}).tensor();
  tensor.name = "text";
  tensor.dtype = static_cast<std::uint32_t>(DataType::kString);
  tensor.dims = &count;
  tensor.data = bytes.data();
  tensor.bytes = bytes.size();
  REQUIRE(file->save({tensor}, -1, {}, silent));
  const Checkpoint saved = opened(prefix);
  CHECK(verify(saved, silent)->damages.empty());
  DataFiles files(saved);
  CHECK(read_strings(files, saved.tensors[0]) == texts);
  const auto listed = file->list(-1, silent);
  REQUIRE(listed);
  REQUIRE(listed->at(0).bytes == bytes.size());
  std::string loaded(bytes.size(), '?');
  tensor.data = loaded.data();
  REQUIRE(file->load({tensor}, -1, silent));
  CHECK(loaded == bytes);
  bytes[0] = 9;  // another length than its checksum says
  tensor.data = bytes.data();
  CHECK(file->save({tensor}, -1, {}, silent).error().code == Code::kCorrupt);
  const auto safetensors = opened_backend(backends, TIDELINE_SAFETENSORS_PLUGIN, "safetensors",
                                          folder.file("m.safetensors"));
  tensor.data = loaded.data();
  CHECK(safetensors->save({tensor}, -1, {}, silent).error().message ==
        "safetensors: tensor 'text': is of type string; expected numbers");
}

TEST_CASE("objects that save one checkpoint at a time leave a whole one") {
  const test::TemporaryFolder folder;
  Backends backends;
  REQUIRE(backends.load(TIDELINE_FILE_PLUGIN));
  // Without the lock every third round or so ends with an index beside the data of another save.
  for (int round = 0; round < 6; ++round) {
    std::vector<std::thread> threads;
    std::atomic<int> failed = 0;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&, i] {
        Progress silent;
        const auto file = backends.open("file", folder.file("m"));
        Floats a("a", std::vector<float>(30, static_cast<float>(i)));
        for (int save = 0; save < 15; ++save) {
          if (!(*file)->save({a.tensor()}, -1, {}, silent)) ++failed;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(failed == 0);
    Progress silent;
    const auto found = verify(opened(folder.file("m")), silent);
    REQUIRE(found);
    CHECK(found->damages.empty());
  }
}

TEST_CASE("a checkpoint that only its owner could read stays private") {
  const test::TemporaryFolder folder;
  Backends backends;
  const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file", folder.file("m"));
  Progress silent;
  Floats a("a", {1});
  REQUIRE(file->save({a.tensor()}, -1, {}, silent));
  std::filesystem::permissions(folder.file("m.index"), std::filesystem::perms(0600));
  REQUIRE(file->save({a.tensor()}, -1, {}, silent));
  for (const auto& entry : std::filesystem::directory_iterator(folder.file(""))) {
    CHECK((entry.status().permissions() & std::filesystem::perms(0077)) ==
          std::filesystem::perms::none);
  }
}

TEST_CASE("large tensors are read several at a time, and damage and cancelling end all of it") {
  const test::TemporaryFolder folder;
  Backends backends;
  const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file", folder.file("m"));
  Progress silent;
  std::vector<Floats> large;
  std::vector<TidelineTensor> tensors;
  for (int i = 0; i < 5; ++i) {
    large.emplace_back("large_" + std::to_string(i),
                       std::vector<float>(5000000, 1.5F * static_cast<float>(i)));
  }
  for (Floats& one : large) tensors.push_back(one.tensor());
  REQUIRE(file->save(tensors, -1, {}, silent));
  for (Floats& one : large) std::fill(one.values.begin(), one.values.end(), -1.0F);
  REQUIRE(file->load(tensors, -1, silent));
  for (int i = 0; i < 5; ++i) {
    CHECK(large[static_cast<std::size_t>(i)].values ==
          std::vector<float>(5000000, 1.5F * static_cast<float>(i)));
  }
  struct Refuses final : Progress {
    bool report(std::string_view /*stage*/, std::int64_t /*done*/,
                std::int64_t /*total*/) override {
      return false;
    }
  } refuses;
  CHECK(file->load(tensors, -1, refuses).error().code == Code::kCancelled);
  const Checkpoint checkpoint = opened(folder.file("m"));
  const Piece& piece = checkpoint.find("large_3")->pieces[0];
  std::fstream data(checkpoint.files[piece.file], std::ios::in | std::ios::out | std::ios::binary);
  data.seekp(piece.offset + 4000001);
  data.put('\x7f');
  data.close();
  const Status damaged = file->load(tensors, -1, silent);
  REQUIRE_FALSE(damaged);
  CHECK(damaged.error().code == Code::kCorrupt);
  CHECK(damaged.error().message.find("'large_3'") != std::string::npos);
}

TEST_CASE("file refuses what it cannot keep, and writes nothing") {
  const test::TemporaryFolder folder;
  Backends backends;
  const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file", folder.file("m"));
  Progress silent;
  Floats a("a", {1});
  const auto refused = [&](const TidelineTensor& tensor) {
    const Status saved = file->save({tensor}, -1, {}, silent);
    return saved ? "saved" : saved.error().message;
  };
  TidelineTensor wrong = a.tensor();
  wrong.dtype = 7;
  CHECK(refused(wrong).starts_with("file: tensor 'a': "));
  wrong.dtype = 9999;
  CHECK(refused(wrong).starts_with("file: tensor 'a': is of type"));
  wrong = a.tensor();
  wrong.bytes = 8;
  CHECK(refused(wrong) == "file: tensor 'a': float32 [1] does not have 8 bytes");
  wrong = a.tensor();
  wrong.data = nullptr;
  CHECK(refused(wrong) == "file: tensor 'a' has 4 bytes, but no address");
  CHECK(folder.entries() == 0);
}

TEST_CASE("every flipped bit of what file wrote is found, by tensor and place") {
  const test::TemporaryFolder folder;
  Backends backends;
  const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file", folder.file("m"));
  Progress silent;
  Floats small("small", {1, 2, 3});
  Floats large("large", std::vector<float>(100000, 0.5F));
  REQUIRE(file->save({small.tensor(), large.tensor()}, -1, {}, silent));
  const Checkpoint checkpoint = opened(folder.file("m"));
  const std::string path = checkpoint.files[0];
  const std::string whole = test::content_of(path);
  std::minstd_rand random(11);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    const std::size_t at = i < 100 ? static_cast<std::size_t>(i) : random() % whole.size();
    const int bit = static_cast<int>(random() % 8);
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
    write(path, damaged);
    const auto found = verify(checkpoint, silent);
    REQUIRE(found);
    REQUIRE(found->damages.size() == 1);
    const Damage& damage = found->damages[0];
    const auto offset = static_cast<std::int64_t>(at);
    CHECK(damage.offset == offset);
    const auto holds = [&](const char* name) {
      const Piece& piece = checkpoint.find(name)->pieces[0];
      return offset >= piece.offset && offset < piece.offset + piece.bytes;
    };
    CHECK(damage.tensor == (holds("small") ? "small" : holds("large") ? "large" : ""));
    if (!damage.tensor.empty()) CHECK(damage.bit == bit);
  }
}

TEST_CASE("one object may be called from several threads") {
  const test::TemporaryFolder folder;
  Backends backends;
  const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file", folder.file("m-{step}"));
  std::vector<std::thread> threads;
  std::atomic<int> failed = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      Progress silent;
      Floats a("a", std::vector<float>(100000, static_cast<float>(i)));
      if (!file->save({a.tensor()}, i, {}, silent)) ++failed;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failed == 0);
  Progress silent;
  for (int i = 0; i < 4; ++i) {
    Floats a("a", std::vector<float>(100000, -1));
    REQUIRE(file->load({a.tensor()}, i, silent));
    CHECK(a.values == std::vector<float>(100000, static_cast<float>(i)));
  }
}

TEST_CASE("safetensors keeps a file with checksums, and the last steps") {
  const test::TemporaryFolder folder;
  Backends backends;
  const auto file = opened_backend(
      backends, TIDELINE_SAFETENSORS_PLUGIN, "safetensors",
      R"({"path": ")" + folder.file("m-{step}.safetensors") + R"(", "keep_last": 2})");
  Progress silent;
  Floats small("small", {1, 2, 3});
  Floats large("large", std::vector<float>(400001, 0.5F));
  std::int8_t byte = 7;
  TidelineTensor scalar = small.tensor();
  scalar.name = "scalar";
  scalar.name_size = 6;
  scalar.dtype = static_cast<std::uint32_t>(DataType::kInt8);
  scalar.rank = 0;
  scalar.data = &byte;
  scalar.bytes = 1;
  for (const std::int64_t step : {1, 2, 10}) {
    small.values[0] = static_cast<float>(step);
    REQUIRE(file->save({scalar, small.tensor(), large.tensor()}, step, {}, silent));
  }
  CHECK(folder.entries() == 2);
  const Checkpoint checkpoint = opened(folder.file("m-10.safetensors"));
  CHECK(checkpoint.format == &kSafetensorsFormat);
  const auto found = verify(checkpoint, silent);
  REQUIRE(found);
  CHECK(found->unchecked == 0);
  CHECK(found->damages.empty());
  small.values = {0, 0, 0};
  large.values.assign(large.values.size(), 0);
  byte = 0;
  REQUIRE(file->load({scalar, large.tensor(), small.tensor()}, -1, silent));
  CHECK(small.values == std::vector<float>{10, 2, 3});
  CHECK(large.values == std::vector<float>(400001, 0.5F));
  CHECK(byte == 7);
  REQUIRE(file->load({small.tensor()}, 2, silent));
  CHECK(small.values[0] == 2);
  CHECK(file->list(-1, silent)->size() == 3);
  CHECK_FALSE(file->save({small.tensor(), small.tensor()}, 11, {}, silent));
  CHECK(folder.entries() == 2);
}

}  // namespace tideline::checkpoint
