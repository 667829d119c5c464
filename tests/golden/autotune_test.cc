// The play and the search of LMS v2 against the reference with every arbitrary choice made in file
// order.
#include "core/rewrite/lms2/play.h"
#include "core/rewrite/lms2/play_input.h"
#include "core/rewrite/lms2/prepared.h"
#include "core/rewrite/lms2/tune.h"
#include "tests/golden/oracles.h"

namespace tideline {
namespace {

using Json = nlohmann::json;

io::Document graph_of(const Json& oracle) {
  return test::open_graph(test::graph_file(oracle["graph"]));
}

// The reference sums in floats here and there: 0.1 % is what the specification allows.
void check_near(Bytes ours, const Json& theirs) {
  CHECK(static_cast<double>(ours) ==
        Approx(static_cast<double>(theirs.get<Bytes>())).epsilon(0.001));
}

void check_plays(const io::Document& document, const Json& oracle) {
  Lms2Options options;
  options.batch_size = oracle["batch_size"].get<std::int64_t>();
  const auto prepared = lms2::Prepared::make(document.graph, document.collections, options);
  REQUIRE(prepared);
  const auto graph = lms2::build_play_graph((*prepared)->context(), (*prepared)->candidates(),
                                            (*prepared)->variables().trainable);
  REQUIRE(graph);
  lms2::Player player(*graph);
  check_near(player.play({graph->levels, 1, 0, 0}).device_peak,
             oracle["peak_without_swapping"]["file_order"]);
  for (const Json& play : oracle["plays"]) {
    INFO(play.dump());
    const SwapParameters set{play["swapout_threshold"], play["swapin_ahead"],
                             play["swapin_groupby"], play["sync_mode"]};
    const SearchPrediction result = player.play(set);
    check_near(result.device_peak, play["file_order"]["device_peak"]);
    check_near(result.host_peak, play["file_order"]["host_peak"]);
    CHECK(result.swapped_out_tensors == play["file_order"]["swapped_out_tensors"]);
    const MemoryTimeline timeline = player.timeline(set);
    CHECK(timeline.device_peak == result.device_peak);
    CHECK(*std::max_element(timeline.host.begin(), timeline.host.end()) == result.host_peak);
    Bytes alive = 0;
    for (const LiveTensor& tensor : timeline.alive_at_peak) alive += tensor.bytes;
    CHECK(alive == result.device_peak);
  }
}

void check_search(const io::Document& document, const Json& oracle) {
  for (const Json& search : oracle["autotune"]) {
    INFO(search.dump());
    Lms2Options options;
    options.batch_size = oracle["batch_size"].get<std::int64_t>();
    MemoryBudget budget;
    budget.device = search["device_memory_bytes"];
    budget.ratio = oracle["memory_ratio"];
    Progress silent;
    const auto tuned = tune_lms2(document.graph, document.collections, options, budget, silent,
                                 {.is_faithful = false});
    REQUIRE(tuned);
    CHECK(tuned->trainable_bytes == oracle["trainable_bytes"]);
    const Json& wanted = search["file_order"];
    CHECK(tuned->found == !wanted.contains("error"));
    CHECK((tuned->smallest_feasible_bytes <= budget.device) == tuned->found);
    CHECK(tuned->lower_bound_bytes <= tuned->least_peak);
    if (!tuned->found) {
      CHECK(tuned->failure == wanted["error"]);
      continue;
    }
    CHECK(tuned->necessary == wanted["necessary"]);
    CHECK(tuned->parameters == SwapParameters{wanted["swapout_threshold"], wanted["swapin_ahead"],
                                              wanted["swapin_groupby"], wanted["sync_mode"]});
  }
}

}  // namespace

TEST_CASE("oracles of LMS v2's automatic mode: peaks and parameters are equal") {
  for (const auto& [path, oracle] : test::oracles("lms_v2_autotune", 3)) {
    INFO(path);
    const io::Document document = graph_of(oracle);
    check_plays(document, oracle);
    check_search(document, oracle);
  }
}

TEST_CASE("automatic mode refuses in the reference's words, and names fields, not properties") {
  const std::string properties = "Please set the mini-batch";
  for (const char* name : {"tutorial_auto_nobatch.json", "lstm_auto.json"}) {
    const Json oracle = test::read_json(test::kData / "lms_v2" / name);
    const io::Document document = graph_of(oracle);
    Progress silent;
    const auto tuned =
        tune_lms2(document.graph, document.collections, {}, {}, silent, {.is_faithful = false});
    REQUIRE_FALSE(tuned);
    const std::string reference = oracle["error"].get<std::string>();
    const std::string said = "ValueError: " + tuned.error().message;
    if (const std::size_t at = reference.find(properties); at == std::string::npos) {
      CHECK(said == reference);
    } else {
      CHECK(said == reference.substr(0, at) +
                        "Please give {batch-size}, or values for {swapout-threshold}, "
                        "{swapin-ahead} and {swapin-groupby}");
    }
  }
}

}  // namespace tideline
