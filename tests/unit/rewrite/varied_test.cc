#include "core/rewrite/varied.h"

#include <catch2/catch.hpp>

namespace tideline {
namespace {

const Rewriter& lms2_rewriter() {
  return *find_rewriter("lms2");
}

// Of what is accepted: the values as they are written.
std::string values_of(const std::string& text) {
  const auto varied = parse_varied(lms2_rewriter(), text);
  INFO(text << ": " << (varied ? "" : varied.error().message));
  REQUIRE(varied);
  std::string all;
  for (const Value& value : varied->values) {
    all += (all.empty() ? "" : " ") + value_text(value, varied->parameter->kind);
  }
  return all;
}

// Of what is refused: why.
std::string reason_of(const std::string& text, std::string_view rewriter = "lms2") {
  const auto varied = parse_varied(*find_rewriter(rewriter), text);
  INFO(text);
  REQUIRE_FALSE(varied);
  CHECK(varied.error().code == Code::kInvalidArgument);
  return varied.error().message;
}

Varied varied_of(const std::string& text) {
  const auto varied = parse_varied(lms2_rewriter(), text);
  REQUIRE(varied);
  return *varied;
}

}  // namespace

TEST_CASE("a range has its first value, and its last one if the steps meet it", "[varied]") {
  CHECK(values_of("swapin-ahead=1:4") == "1 2 3 4");
  CHECK(values_of("swapin-ahead=3:3") == "3");
  CHECK(values_of("swapout-threshold=5:60:20") == "5 25 45");
  CHECK(values_of("swapout-threshold=5:65:20") == "5 25 45 65");
  CHECK(values_of("swapin-groupby=0:1") == "0 1");
  CHECK(values_of("sync-mode=0:3:3") == "0 3");
  CHECK(values_of("batch-size=16:64:16") == "16 32 48 64");
}

TEST_CASE("sizes count in bytes", "[varied]") {
  CHECK(values_of("device-memory=1GiB:2GiB:512MiB") == "1GiB 1536MiB 2GiB");
  CHECK(values_of("device-memory=2GiB,1G,100") == "100 1GiB 2GiB");
}

TEST_CASE("a list ascends, however it was written", "[varied]") {
  CHECK(values_of("swapin-ahead=7") == "7");
  CHECK(values_of("swapin-ahead=30,4,100") == "4 30 100");
}

TEST_CASE("a refused value says what was expected", "[varied]") {
  using Catch::Matchers::Contains;
  CHECK_THAT(reason_of("ahead=1:2"),
             Contains("'ahead' is no number of lms2") && Contains("swapin-ahead, swapin-groupby"));
  CHECK_THAT(reason_of("cpu-device=1"), Contains("is no number"));
  CHECK_THAT(reason_of("swapin-ahead=1:2", "lms1"), Contains("is no number of lms1"));
  CHECK_THAT(reason_of("swapin-ahead"), Contains("has no values; expected NAME=FIRST:LAST"));
  CHECK_THAT(reason_of("swapin-ahead="), Contains("has no values"));
  CHECK_THAT(reason_of("swapin-ahead=0:3"),
             Contains("'0' is no value of swapin-ahead") && Contains("an integer from 1 to"));
  CHECK_THAT(reason_of("swapin-ahead=-1"), Contains("'-1' is no value"));
  CHECK_THAT(reason_of("swapin-ahead=x"), Contains("'x' is no value"));
  CHECK_THAT(reason_of("swapin-ahead=1:x"), Contains("'x' is no number; expected a whole number"));
  CHECK_THAT(reason_of("swapin-ahead=1:2.5"), Contains("'2.5' is no number"));
  CHECK_THAT(reason_of("swapin-ahead=1:5:0"), Contains("the step is 0; expected one above 0"));
  CHECK_THAT(reason_of("swapin-ahead=1:5:-2"), Contains("the step is -2"));
  CHECK_THAT(reason_of("swapin-ahead=5:1"), Contains("'5:1' is reversed"));
  CHECK_THAT(reason_of("swapin-ahead=1::5"), Contains("'1::5' is no range"));
  CHECK_THAT(reason_of("swapin-ahead=1:2:3:4"), Contains("is no range"));
  CHECK_THAT(reason_of("swapin-ahead=1,,5"), Contains("is no list"));
  CHECK_THAT(reason_of("swapin-ahead=5,1,5"), Contains("5 stands twice"));
  CHECK_THAT(reason_of("sync-mode=0:4"), Contains("'4' is no value") && Contains("0, 1, 2 or 3"));
  CHECK_THAT(reason_of("device-memory=1GiB:2GiB"), Contains("has no step"));
  CHECK_THAT(reason_of("device-memory=0,1GiB"), Contains("expected a size above 0"));
  CHECK_THAT(reason_of("device-memory=1:9000PiB:1"), Contains("is no size"));
  CHECK_THAT(reason_of("batch-size=0,8"), Contains("'0' is no value of batch-size"));
}

TEST_CASE("as many plans as are allowed, and one more", "[varied]") {
  CHECK(varied_of("swapin-ahead=1:10000").values.size() == kMostPlans);
  CHECK_THAT(reason_of("swapin-ahead=1:10001"),
             Catch::Matchers::Contains("10001 plans; expected at most 10000"));
  CHECK_THAT(reason_of("swapin-ahead=1:999999999"), Catch::Matchers::Contains("999999999 plans"));
  const std::vector<Varied> most = {varied_of("swapin-ahead=1:100"),
                                    varied_of("swapout-threshold=1:100")};
  CHECK(count_combinations(most) == kMostPlans);
  const std::vector<Varied> more = {varied_of("swapin-ahead=1:101"),
                                    varied_of("swapout-threshold=1:100")};
  REQUIRE_FALSE(count_combinations(more));
  CHECK_THAT(count_combinations(more).error().message, Catch::Matchers::Contains("10100 plans"));
}

TEST_CASE("no parameter is varied twice", "[varied]") {
  const std::vector<Varied> twice = {varied_of("swapin-ahead=1:2"), varied_of("swapin-ahead=3:4")};
  REQUIRE_FALSE(count_combinations(twice));
  CHECK_THAT(count_combinations(twice).error().message,
             Catch::Matchers::Contains("swapin-ahead is varied twice"));
}

TEST_CASE("every combination comes once, the last parameter changes first", "[varied]") {
  const std::vector<Varied> varied = {varied_of("swapout-threshold=5:15:5"),
                                      varied_of("swapin-ahead=1:2")};
  REQUIRE(count_combinations(varied) == 6);
  std::string all;
  for (std::size_t i = 0; i < 6; ++i) {
    for (const Value& value : combination(varied, i)) {
      all += value_text(value, ParameterKind::kInteger) + " ";
    }
  }
  CHECK(all == "5 1 5 2 10 1 10 2 15 1 15 2 ");
}

TEST_CASE("whatever can be varied takes back what it says", "[varied]") {
  for (const Rewriter* rewriter : policy_rewriters()) {
    const auto all = variable_parameters(*rewriter);
    CHECK(all.size() >= 3);
    for (const Parameter* parameter : all) {
      const bool is_size = parameter->kind == ParameterKind::kSize;
      const std::string text = std::string(parameter->name) + (is_size ? "=1GiB" : "=1");
      INFO(rewriter->id << " " << text);
      const auto varied = parse_varied(*rewriter, text);
      REQUIRE(varied);
      CHECK(varied->parameter->name == parameter->name);
      CHECK(varied->values.size() == 1);
    }
  }
}

}  // namespace tideline
