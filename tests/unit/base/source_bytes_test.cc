#include "core/base/source_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <thread>

#include "core/base/input_file.h"
#include "tests/support/temporary_folder.h"

namespace tideline {

TEST_CASE("what was read stays as it was when the file is cut or overwritten") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("f");
  const std::string content(1 << 20, 'x');
  std::ofstream(path) << content;
  const auto bytes = open_bytes(path);
  REQUIRE(bytes);
  std::ofstream(path) << "y";
  CHECK((*bytes)->bytes() == content);
}

TEST_CASE("a file that changes while it is read is whole or a message, never less") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("f");
  constexpr std::int64_t kSize = 8 << 20;
  std::ofstream(path) << "";
  REQUIRE(::truncate(path.c_str(), kSize) == 0);
  std::atomic<bool> is_over = false;
  std::thread writer([&] {
    while (!is_over) {
      static_cast<void>(::truncate(path.c_str(), 4096));
      static_cast<void>(::truncate(path.c_str(), kSize));
    }
  });
  int refused = 0;
  // On a busy machine the writer may get no turn for a while.
  for (int i = 0; i < 300 || (refused == 0 && i < 100'000); ++i) {
    const auto bytes = open_bytes(path);
    if (bytes) {
      const std::size_t size = (*bytes)->bytes().size();
      CHECK((size == kSize || size == 4096));
    } else {
      CHECK(bytes.error().message == path +
                                         ": changed while it was read; expected a file that "
                                         "nobody writes to");
      ++refused;
    }
  }
  is_over = true;
  writer.join();
  CHECK(refused > 0);
}

TEST_CASE("a file that somebody wrote to since it was opened has changed") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("f");
  std::ofstream(path) << "0123456789";
  auto file = InputFile::open(path);
  REQUIRE(file);
  CHECK(file->check_unchanged());
  // The same size, at another time: as fast as this the clock of the file system may not tick.
  std::fstream(path) << "abcdefghij";
  const timespec times[2] = {{0, UTIME_OMIT}, {1000, 0}};  // NOLINT(modernize-avoid-c-arrays)
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
  CHECK(file->check_unchanged().error().code == Code::kIo);
}

TEST_CASE("pipes, devices and folders are refused at once") {
  const test::TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(open_bytes(pipe).error().message == pipe + ": is a pipe; expected a file");
  CHECK(open_bytes("/dev/zero").error().message == "/dev/zero: is a device; expected a file");
  CHECK(open_bytes("/dev/zero", Pipes::kRead).error().code == Code::kInvalidArgument);
  CHECK(open_bytes(folder.file("")).error().code == Code::kInvalidArgument);
  CHECK(open_bytes(folder.file("missing")).error().code == Code::kNotFound);
}

TEST_CASE("a pipe that is refused as a file keeps its writer for who reads it") {
  const test::TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (int i = 0; i < 50; ++i) {
    // A writer that waits for its reader, as a shell's redirection does.
    std::thread writer([&] { std::ofstream(pipe) << "content"; });
    CHECK_FALSE(InputFile::open(pipe));
    const auto bytes = open_bytes(pipe, Pipes::kRead);
    writer.join();
    REQUIRE(bytes);
    CHECK((*bytes)->bytes() == "content");
  }
}

TEST_CASE("a pipe is read to its end where the caller can wait") {
  const test::TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::thread writer([&] { std::ofstream(pipe) << "content"; });
  const auto bytes = open_bytes(pipe, Pipes::kRead);
  writer.join();
  REQUIRE(bytes);
  CHECK((*bytes)->bytes() == "content");
}

TEST_CASE("bytes know who may read their file, copies of them as well") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("f");
  std::ofstream(path) << "0123456789";
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  const auto bytes = open_bytes(path);
  REQUIRE(bytes);
  CHECK((*bytes)->readers().mode == 0640);
  CHECK(own_bytes("copy", (*bytes)->readers())->readers().mode == 0640);
  CHECK(own_bytes("made")->readers().mode == 0777);
}

}  // namespace tideline
