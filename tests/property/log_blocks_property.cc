// However a log is cut into blocks, the same is read. With one record in each block nothing is
// remembered of earlier records, so this also compares values that are recognized by their bytes
// with those that are read field by field.
#include <catch2/catch.hpp>
#include <random>

#include "tests/support/made_summaries.h"
#include "tests/support/read_blocks.h"

namespace tideline::events {
namespace {

// Logs of steps that resemble each other, as those of training do, with something odd now and then.
class MadeLog {
 public:
  explicit MadeLog(std::uint32_t seed) : random_(seed) {
    const std::size_t tags = 1 + below(6);
    for (std::size_t i = 0; i < tags; ++i) forms_.push_back(below(kForms));
  }

  std::string bytes(std::size_t steps) {
    std::string log;
    for (step_ = 0; step_ < steps; ++step_) {
      std::string values;
      for (std::size_t i = 0; i < forms_.size(); ++i) {
        const std::size_t tag = is_odd() ? below(forms_.size()) : i;
        if (is_odd()) continue;
        if (is_odd()) forms_[tag] = below(kForms);
        std::string value = this->value(tag);
        if (is_odd()) value[below(value.size())] ^= static_cast<char>(1U << below(8));
        if (is_odd()) value.resize(below(value.size()));
        values += value;
        if (below(2) != 0) continue;
        log += test::summary_record(static_cast<std::int64_t>(step_), values);
        values.clear();
      }
      log += test::summary_record(static_cast<std::int64_t>(step_), values);
      if (is_odd()) log += framed(test::summary_event(0, "").substr(0, below(12)));
    }
    return log;
  }

 private:
  std::string value(std::size_t tag) {
    const auto number = static_cast<float>(below(1000)) / 8;
    const std::string name = "tag" + std::to_string(tag);
    switch (forms_[tag]) {
      case 0: return test::simple_value(name, number);
      case 1: return test::tensor_value(name, "scalars", test::float_tensor(number));
      case 2:
        return test::tensor_value(name, step_ == 0 ? "scalars" : "", test::float_tensor(number));
      case 3:  // as TensorFlow 2 writes it: the metadata follow
        return test::summary_value_of(
            name, test::bytes_field(summary_value::kTensor, test::float_tensor(number)) +
                      test::bytes_field(summary_value::kMetadata,
                                        test::plugin_metadata(is_odd() ? "another" : "scalars")));
      case 4: return test::tensor_value(name, "text", test::text_tensor({name, "text"}));
      case 5: return test::summary_value_of(name, "");
      case 6:
        return test::summary_value_of(name, test::bytes_field(summary_value::kOldHistogram, ""));
      default:
        return test::summary_value_of(
            name, test::bytes_field(summary_value::kHistogram,
                                    test::histogram_of(0, 1, {1, 2}, {3, number})));
    }
  }

  static constexpr std::size_t kForms = 8;

  std::size_t below(std::size_t end) { return random_() % end; }
  bool is_odd() { return below(40) == 0; }

  std::mt19937 random_;
  std::vector<std::size_t> forms_;  // by tag
  std::size_t step_ = 0;
};

}  // namespace

TEST_CASE("a log is read alike in blocks of any number of records") {
  std::int64_t rows = 0;
  std::int64_t refused = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    const std::string bytes = MadeLog(seed).bytes(40);
    const EventLog one_by_one = test::read_in_blocks(bytes, 1);
    REQUIRE(one_by_one.damage().empty());
    rows += one_by_one.counts().rows;
    refused += one_by_one.counts().refused_records + one_by_one.counts().refused_rows;
    for (const std::size_t records_each : {2U, 7U, 1000U}) {
      CHECK(test::difference(test::read_in_blocks(bytes, records_each), one_by_one) == "");
    }
  }
  CHECK(rows > 10000);
  CHECK(refused > 100);
}

}  // namespace tideline::events
