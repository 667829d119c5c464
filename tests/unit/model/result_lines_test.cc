#include "render/model/result_lines.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "core/memory/measured/measured_peaks.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::make_ui_model;
using app::run_action;
using test::Desk;
using test::open_tutorial;
using ui::ResultCard;
using ui::ResultLine;
using ui::Tone;

ResultCard card_of(Desk& desk) {
  return ui::result_card(make_ui_model(desk), 0);
}

const ResultLine* find(const ResultCard& card, std::string_view words) {
  const auto found = std::find_if(card.lines.begin(), card.lines.end(), [&](const auto& line) {
    return line.text.find(words) != std::string::npos;
  });
  return found == card.lines.end() ? nullptr : &*found;
}

const ResultLine* named(const ResultCard& card, std::string_view name) {
  const auto found = std::find_if(card.lines.begin(), card.lines.end(),
                                  [&](const auto& line) { return line.name == name; });
  return found == card.lines.end() ? nullptr : &*found;
}

void run(Desk& desk, std::string_view action, const std::vector<std::string>& words) {
  REQUIRE(run_action(desk, action, words));
  test::settle(desk);
}

}  // namespace

TEST_CASE("without a policy the result is the peak of the step") {
  Desk desk;
  open_tutorial(desk);
  const ResultCard card = card_of(desk);
  const auto& curves = make_ui_model(desk).scene->devices.front();
  CHECK(card.title == format_bytes(curves.before->device_peak));
  CHECK(card.can_write);
  REQUIRE(find(card, "no swaps: the mode is off") != nullptr);
  REQUIRE(find(card, "no device budget given") != nullptr);
  CHECK(find(card, "no device budget given")->tone == Tone::kDim);
  REQUIRE(named(card, "parts") != nullptr);
  CHECK(named(card, "parts")->text == parts_text(peak_parts(*curves.before)));
  CHECK(named(card, "parts")->is_small);
  CHECK(named(card, "step") != nullptr);
  CHECK(named(card, "copies") == nullptr);
}

TEST_CASE("a batch that is open is told as an assumption, one that is given is not") {
  Desk desk;
  open_tutorial(desk);
  const ResultCard open = card_of(desk);
  REQUIRE(named(open, "batch") != nullptr);
  CHECK(named(open, "batch")->text == "batch size: open, 1 assumed");
  CHECK(named(open, "batch")->tone == Tone::kWarning);
  run(desk, "graph.batch-size", {"100"});
  CHECK(named(card_of(desk), "batch") == nullptr);
}

TEST_CASE("beside the peak stands how the step runs, and its peak as in the file") {
  Desk desk;
  open_tutorial(desk, 50);
  run(desk, "graph.batch-size", {"100"});
  const ResultCard card = card_of(desk);
  REQUIRE_FALSE(card.lines.empty());
  CHECK(card.lines.front().name == "as-run");
  const std::string said = card.lines.front().text;
  CHECK(said.starts_with("as TensorFlow runs it on a GPU; "));  // tensors are swapped
  run(desk, "graph.as-run", {"off"});
  CHECK(named(card_of(desk), "as-run") == nullptr);
  CHECK(card_of(desk).title != card.title);
  const Bytes in_file = make_ui_model(desk).scene->devices.front().before->device_peak;
  CHECK(said.ends_with("; " + format_bytes(in_file) + " as in the file"));
  run(desk, "edit.undo", {});
  CHECK(card_of(desk).title == card.title);
  run(desk, "graph.as-run", {"modelled", "cpu"});
  CHECK(card_of(desk).lines.front().text.starts_with(
      "as TensorFlow runs it on a CPU with one thread; "));
}

TEST_CASE("with a policy it is both peaks, what is swapped, and what that costs") {
  Desk desk;
  open_tutorial(desk, 50);
  run(desk, "graph.batch-size", {"100"});
  const ResultCard card = card_of(desk);
  const ui::UiModel& model = make_ui_model(desk);
  const auto& curves = model.scene->devices.front();
  CHECK(card.title.find(" \u2192 ") != std::string::npos);
  CHECK(card.title.ends_with(format_bytes(curves.after->device_peak)));
  const ResultLine* swapped = find(card, " tensors swapped\n");
  REQUIRE(swapped != nullptr);
  CHECK(swapped->text.starts_with(std::to_string(model.scene->plan->swaps().size()) + " "));
  CHECK(find(card, "host peak " + format_bytes(curves.after->host_peak)) != nullptr);
  REQUIRE(named(card, "step") != nullptr);
  CHECK(named(card, "step")->text.find("\u2192") != std::string::npos);
  for (const char* name : {"copies", "range"}) {
    REQUIRE(named(card, name) != nullptr);
    CHECK(named(card, name)->is_small);
  }
  CHECK(find(card, "op times: ") != nullptr);
  const ResultLine* idle = find(card, "do not lower the peak");
  REQUIRE(idle != nullptr);
  CHECK(idle->tone == Tone::kWarning);
  CHECK(idle->label == "Keep all of these");
  run(desk, idle->action, {});
  CHECK(find(card_of(desk), "do not lower the peak") == nullptr);
}

TEST_CASE("what TensorFlow says stands beside the modelled numbers") {
  Desk desk;
  open_tutorial(desk, 50);
  run(desk, "policy.set", {"device-memory", "1GiB"});
  ui::UiModel model = make_ui_model(desk);
  const std::string modelled = ui::result_card(model, 0).title;
  model.exact.emplace();
  ResultCard card = ui::result_card(model, 0);
  CHECK(card.lines.front().text.starts_with("modelled as TensorFlow runs it on a GPU; "));
  CHECK(named(card, "exactly")->text == "asking TensorFlow which step it runs");
  constexpr Bytes kMib = Bytes{1} << 20U;
  model.exact = {"2.15.1", {{900 * kMib}}, {{800 * kMib}}};
  card = ui::result_card(model, 0);
  CHECK(card.title == modelled);
  CHECK(named(card, "exactly")->text ==
        "as TensorFlow 2.15.1 runs it, exactly: 900.00 \u2192 800.00 MiB");
  CHECK(named(card, "exactly")->tone == Tone::kText);
  model.exact->after = {{1100 * kMib}};
  card = ui::result_card(model, 0);
  CHECK(named(card, "exactly")->text.ends_with("\nexceeds 1.00 GiB by 76.00 MiB"));
  CHECK(named(card, "exactly")->tone == Tone::kError);
  model.exact->after.clear();
  model.exact->problem = "the plan makes several runs";
  card = ui::result_card(model, 0);
  CHECK(named(card, "exactly")->text == "as TensorFlow 2.15.1 runs it, exactly: 900.00 MiB");
  CHECK(named(card, "not-exactly")->label.empty());
  model.exact->before.clear();
  card = ui::result_card(model, 0);
  CHECK(named(card, "exactly") == nullptr);
  CHECK(named(card, "not-exactly")->text == "not known exactly: the plan makes several runs");
  CHECK(named(card, "not-exactly")->action == "graph.as-run");
  CHECK(named(card, "not-exactly")->arguments == std::vector<std::string>{"exact", "by-devices"});
}

TEST_CASE("a budget is kept or exceeded in words and colour") {
  Desk desk;
  open_tutorial(desk, 50);
  run(desk, "policy.set", {"device-memory", "1GiB"});
  const ResultCard roomy = card_of(desk);
  const ResultLine* fits = find(roomy, "fits 1.00 GiB, ");
  REQUIRE(fits != nullptr);
  CHECK(fits->tone == Tone::kGood);
  run(desk, "policy.set", {"device-memory", "1MiB"});
  const ResultCard tight = card_of(desk);
  const ResultLine* exceeds = find(tight, "exceeds 1.00 MiB by ");
  REQUIRE(exceeds != nullptr);
  CHECK(exceeds->tone == Tone::kError);
  run(desk, "policy.set", {"host-memory", "1KiB"});
  const ResultCard full = card_of(desk);
  const ResultLine* host = find(full, "(exceeds 1.00 KiB)");
  REQUIRE(host != nullptr);
  CHECK(host->tone == Tone::kError);
}

TEST_CASE("a plan that raises the peak does not look like success in the lines") {
  Desk desk;
  open_tutorial(desk, 10);
  run(desk, "policy.set", {"swapin-groupby", "0"});
  run(desk, "graph.batch-size", {"256"});
  const ResultCard card = card_of(desk);
  REQUIRE(named(card, "raised") != nullptr);
  CHECK(named(card, "raised")->tone == Tone::kWarning);
  CHECK_FALSE(named(card, "raised")->is_detail);
}

TEST_CASE("copies that come late are said beside the step, all others behind the button") {
  Desk desk;
  app::open_graph(desk, {.graph = {.path = std::string(TIDELINE_SOURCE_DIR) +
                                           "/assets/tutorials/lessons/chain.meta"}});
  test::settle(desk);
  run(desk, "graph.batch-size", {"4096"});
  run(desk, "profile.set", {"v100"});
  run(desk, "policy.mode", {"lms2"});
  run(desk, "policy.set", {"swapout-threshold", "20"});
  run(desk, "policy.set", {"swapin-groupby", "0"});
  run(desk, "policy.set", {"swapin-ahead", "7"});
  const ResultCard early = card_of(desk);
  REQUIRE(named(early, "copies") != nullptr);
  CHECK(named(early, "copies")->tone == Tone::kDim);
  CHECK(named(early, "copies")->is_detail);
  run(desk, "policy.set", {"swapin-ahead", "1"});
  const ResultCard late = card_of(desk);
  REQUIRE(named(late, "copies") != nullptr);
  CHECK(named(late, "copies")->tone == Tone::kError);
  CHECK_FALSE(named(late, "copies")->is_detail);
  CHECK(named(late, "range")->is_detail);
}

TEST_CASE("a wish without a plan is told alone, with a way back") {
  Desk desk;
  open_tutorial(desk, 50);
  run(desk, "policy.set", {"excl-output-by-scopes", "nowhere"});
  REQUIRE_FALSE(make_ui_model(desk).policy_error.empty());
  const ResultCard card = card_of(desk);
  CHECK_FALSE(card.can_write);
  REQUIRE(card.lines.size() == 1);
  CHECK(card.lines[0].tone == Tone::kError);
  CHECK_FALSE(card.lines[0].is_detail);
  run(desk, card.lines[0].action, {});
  CHECK(card_of(desk).can_write);
}

TEST_CASE("plans without swaps have a report of their own") {
  Desk desk;
  open_tutorial(desk);
  run(desk, "policy.mode", {"replicate"});
  run(desk, "policy.set", {"devices", "/device:GPU:0,/device:GPU:1"});
  run(desk, "policy.set", {"split", "Placeholder:0,Placeholder_1:0"});
  run(desk, "policy.set", {"loss", "loss/sparse_softmax_cross_entropy_loss/value"});
  run(desk, "policy.set", {"train-op", "adam_optimizer/Adam"});
  const ui::UiModel& model = make_ui_model(desk);
  INFO(model.policy_error);
  REQUIRE_FALSE(model.report.empty());
  const ResultCard card = card_of(desk);
  CHECK(find(card, "tensors swapped") == nullptr);
  const ResultLine* first = named(card, "report");
  REQUIRE(first != nullptr);
  CHECK(first->text == model.report.front());
  CHECK(first->is_detail);
}

TEST_CASE("the peaks of a traced step stand on the card with an explanation") {
  Desk desk;
  app::open_graph(desk, {.graph = {.path = TIDELINE_SOURCE_DIR "/tests/data/logs/tf1_mlp"}}, {});
  test::settle(desk);
  REQUIRE(desk.graph().snapshot());
  const ResultCard card = card_of(desk);
  const ResultLine* measured = named(card, "measured");
  REQUIRE(measured != nullptr);
  CHECK(measured->tone == Tone::kMeasured);
  CHECK(measured->text.find('\n') != std::string::npos);
  CHECK(measured->hint.starts_with("A trace does not record"));
}

TEST_CASE("a device beyond the last is the last, and every tone has a name") {
  Desk desk;
  open_tutorial(desk, 50);
  const ui::UiModel& model = make_ui_model(desk);
  const std::size_t last = model.scene->devices.size() - 1;
  CHECK(ui::result_card(model, 99).title == ui::result_card(model, last).title);
  std::set<std::string_view> names;
  for (const Tone tone :
       {Tone::kText, Tone::kDim, Tone::kGood, Tone::kWarning, Tone::kError, Tone::kMeasured}) {
    names.insert(ui::tone_name(tone));
  }
  CHECK(names.size() == 6);
}

}  // namespace tideline
