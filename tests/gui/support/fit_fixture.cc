#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

constexpr Bytes kGiB = Bytes{1} << 30U;

}  // namespace

std::shared_ptr<const ui::FitCard> some_fit() {
  ui::FitCard card;
  card.any_fits = true;
  card.verdict =
      "batch size 64 does not fit v100: 20.00 of 16.00 GiB; with LMS v2 it fits, 1.40 x the time";
  card.largest_batch = 51;
  card.largest = "largest batch size that fits as it is: 51 (15.94 GiB; 52 needs 16.25 GiB)";
  card.range =
      "3 sizes are guesses: 20.00 GiB with 1 for each unknown dim of what is fed, 24.00 GiB with "
      "128";
  card.kinds = {{"variables", 2 * kGiB, {}}, {"activations", 18 * kGiB, {}}};
  card.layers = {{"conv1", 12 * kGiB, "variables 1.00 GiB, activations 11.00 GiB"},
                 {"(12 others)", 8 * kGiB, "variables 1.00 GiB, activations 7.00 GiB"}};
  card.ways = {{.title = "LMS v2",
                .fits = true,
                .batch = "64",
                .peak = "12.00 GiB",
                .example = "1.4 ms",
                .cost = "1.40 x the time, link busy 60 %",
                .notes = "simulated; times are estimates",
                .command = "tideline rewrite lms2 g.meta -o g_lms.meta"},
               {.title = "smaller batch",
                .fits = true,
                .batch = "51",
                .peak = "15.94 GiB",
                .example = "1.0 ms",
                .cost = "other gradients",
                .notes = "simulated",
                .command = ""}};
  card.missing = {{"towers on 2 devices", "the graph names no loss"}};
  card.warnings = {"the graph names 2 devices, which count as one"};
  card.curve.budget = 16 * kGiB;
  card.curve.batch = 64;
  card.curve.lines = {{"as it is", {}}, {"LMS v2", {}}};
  for (const std::int64_t batch : {1, 8, 16, 32, 51, 64, 128, 256}) {
    const Bytes peak = batch * kGiB * 5 / 16;
    card.curve.lines[0].points.push_back({batch, peak, 1e6, peak <= 16 * kGiB});
    card.curve.lines[1].points.push_back({batch, peak * 3 / 5, 1.4e6, peak * 3 / 5 <= 16 * kGiB});
  }
  return std::make_shared<const ui::FitCard>(std::move(card));
}

}  // namespace tideline::gui
