#include "core/checkpoint/taken_over.h"

#include <sys/stat.h>

#include <set>

#include "core/checkpoint/verify.h"
#include "tests/unit/checkpoint/backends.h"

namespace tideline::checkpoint {
namespace {

ino_t inode(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_ino;
}

// The file that holds a tensor, as a number that its names share.
ino_t home_of(const std::string& prefix, const std::string& name) {
  const Checkpoint checkpoint = opened(prefix);
  return inode(checkpoint.files[checkpoint.find(name)->pieces[0].file]);
}

void check_whole(const std::string& prefix) {
  Progress silent;
  const auto found = verify(opened(prefix), silent);
  REQUIRE(found);
  CHECK(found->tensors == 3);
  CHECK(found->damages.empty());
}

// Three tensors and an incremental backend.
struct Model {
  Model(const test::TemporaryFolder& folder, const std::string& path)
      : file(opened_backend(backends, TIDELINE_FILE_PLUGIN, "file",
                            R"({"incremental": true, "path": ")" + folder.file(path) + "\"}")) {}

  void save(std::int64_t step = -1) {
    const Status saved =
        file->save({frozen.tensor(), trained.tensor(), small.tensor()}, step, {}, silent);
    INFO((saved ? "" : saved.error().message));
    REQUIRE(saved);
  }
  void load(std::int64_t step = -1) {
    frozen.values.assign(frozen.values.size(), -1);
    trained.values.assign(trained.values.size(), -1);
    small.values.assign(small.values.size(), -1);
    REQUIRE(file->load({frozen.tensor(), trained.tensor(), small.tensor()}, step, silent));
  }

  Backends backends;
  std::unique_ptr<Backend> file;
  Progress silent;
  Floats frozen{"frozen", std::vector<float>(500000, 0.25F)};
  Floats trained{"trained", std::vector<float>(300000, 0)};
  Floats small{"small", {1, 2, 3}};
};

}  // namespace

TEST_CASE("what does not change is written once, then kept under another name") {
  const test::TemporaryFolder folder;
  Model model(folder, "m");
  model.save();
  std::set<ino_t> homes;
  for (int round = 1; round < 5; ++round) {
    model.trained.values.assign(model.trained.values.size(), static_cast<float>(round));
    model.save();
    check_whole(folder.file("m"));
    homes.insert(home_of(folder.file("m"), "frozen"));
    CHECK(home_of(folder.file("m"), "trained") != home_of(folder.file("m"), "frozen"));
  }
  CHECK(homes.size() == 1);
  // The index and its data files, nothing of those before.
  CHECK(folder.entries() == 1 + static_cast<std::ptrdiff_t>(opened(folder.file("m")).files.size()));
  model.load();
  CHECK(model.frozen.values == std::vector<float>(500000, 0.25F));
  CHECK(model.trained.values == std::vector<float>(300000, 4));
  CHECK(model.small.values == std::vector<float>{1, 2, 3});
}

TEST_CASE("a save without a change writes no data") {
  const test::TemporaryFolder folder;
  Model model(folder, "m");
  model.save();
  const ino_t home = home_of(folder.file("m"), "frozen");
  model.save();
  CHECK(home_of(folder.file("m"), "frozen") == home);
  CHECK(home_of(folder.file("m"), "trained") == home);
  check_whole(folder.file("m"));
}

TEST_CASE("checkpoints of several steps share data files, and each stands alone") {
  const test::TemporaryFolder folder;
  Model model(folder, "m-{step}");
  for (int step = 1; step < 5; ++step) {
    model.trained.values.assign(model.trained.values.size(), static_cast<float>(step));
    model.save(step);
  }
  CHECK(home_of(folder.file("m-2"), "frozen") == home_of(folder.file("m-4"), "frozen"));
  for (const char* old : {"m-1", "m-2", "m-3"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder.file(""))) {
      if (entry.path().filename().string().starts_with(old)) std::filesystem::remove(entry);
    }
  }
  check_whole(folder.file("m-4"));
  model.load(4);
  CHECK(model.frozen.values == std::vector<float>(500000, 0.25F));
  CHECK(model.trained.values == std::vector<float>(300000, 4));
}

TEST_CASE("a damaged file is not taken over, nor one with a tensor that is gone") {
  const test::TemporaryFolder folder;
  Model model(folder, "m");
  model.save();
  model.trained.values[0] = 1;
  model.save();
  const ino_t home = home_of(folder.file("m"), "frozen");
  const Checkpoint before = opened(folder.file("m"));
  const Piece& piece = before.find("frozen")->pieces[0];
  {
    std::fstream data(before.files[piece.file], std::ios::in | std::ios::out | std::ios::binary);
    data.seekp(piece.offset + 1000);
    data.put('!');
  }
  model.save();
  CHECK(home_of(folder.file("m"), "frozen") != home);
  check_whole(folder.file("m"));
  REQUIRE(model.file->save({model.frozen.tensor(), model.trained.tensor()}, -1, {}, model.silent));
  const auto found = verify(opened(folder.file("m")), model.silent);
  REQUIRE(found);
  CHECK(found->tensors == 2);
  CHECK(found->damages.empty());
}

TEST_CASE("another type or shape of the same bytes is a change") {
  const test::TemporaryFolder folder;
  Model model(folder, "m");
  model.save();
  TidelineTensor other = model.frozen.tensor();
  const std::vector<std::int64_t> dims = {1000, 500};
  other.dims = dims.data();
  other.rank = 2;
  REQUIRE(model.file->save({other, model.trained.tensor(), model.small.tensor()}, -1, {},
                           model.silent));
  CHECK(opened(folder.file("m")).find("frozen")->dims == dims);
  check_whole(folder.file("m"));
}

}  // namespace tideline::checkpoint
