#include "core/checkpoint/moved_tensors.h"

#include "core/checkpoint/bundle_writer.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

using Tensors = std::vector<std::pair<std::string, std::string>>;  // names and bytes

Checkpoint written(const std::string& prefix, const Tensors& tensors) {
  auto out = BundleWriter::create(prefix, false);
  REQUIRE(out);
  for (const auto& [name, bytes] : tensors) {
    REQUIRE(out->begin(name, DataType::kUint8, {static_cast<std::int64_t>(bytes.size())}));
    REQUIRE(out->append(bytes));
    REQUIRE(out->end());
  }
  REQUIRE(out->commit());
  return opened(prefix);
}

std::vector<std::string> changes(const Checkpoint& first, const Checkpoint& second) {
  Progress silent;
  const auto differences = compare(first, second, silent);
  REQUIRE(differences);
  std::vector<std::string> found;
  for (const TensorDifference& each : *differences) {
    if (each.moved == nullptr) {
      found.push_back(each.name + " " + change_name(each.change));
    } else if (each.change == TensorChange::kOnlyFirst) {
      found.push_back(each.name + " moved to " + each.moved->name);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("a variable that was renamed is said to have moved") {
  const test::TemporaryFolder folder;
  const Checkpoint first =
      written(folder.file("a"),
              {{"dense/kernel", "abcd"}, {"dense/bias", "xy"}, {"gone", "1234"}, {"same", "z"}});
  const Checkpoint second =
      written(folder.file("b"),
              {{"layer/kernel", "abcd"}, {"layer/bias", "xy"}, {"new", "5678"}, {"same", "z"}});
  CHECK(changes(first, second) == std::vector<std::string>{"dense/bias moved to layer/bias",
                                                           "dense/kernel moved to layer/kernel",
                                                           "gone only in the first",
                                                           "new only in the second", "same equal"});
}

TEST_CASE("of several equal tensors each moves to one place") {
  const test::TemporaryFolder folder;
  const Checkpoint first =
      written(folder.file("a"), {{"a1", "00"}, {"a2", "00"}, {"a3", "00"}, {"e", ""}});
  const Checkpoint second = written(folder.file("b"), {{"b1", "00"}, {"b2", "00"}, {"f", ""}});
  CHECK(changes(first, second) ==
        std::vector<std::string>{"a1 moved to b1", "a2 moved to b2", "a3 only in the first",
                                 "e only in the first", "f only in the second"});
}

}  // namespace tideline::checkpoint
