#include "app/engine/shown_fit.h"

#include <catch2/catch.hpp>

namespace tideline::app {
namespace {

constexpr Bytes kGiB = Bytes{1} << 30U;

// 64 examples need 20 GiB of 16; 51 fit.
Fit too_large() {
  Fit fit;
  fit.device = "v100";
  fit.budget = 16 * kGiB;
  fit.step.batch = 64;
  fit.step.peak = fit.step.least = fit.step.most = 20 * kGiB;
  fit.step.step_ns = 64'000'000;
  fit.step.kinds = {{"optimizer_slots", 4 * kGiB}, {"activations", 16 * kGiB}};
  fit.step.layers = {{"conv1", 0, 15 * kGiB, kGiB, 0, 14 * kGiB, 0},
                     {"", 12, 5 * kGiB, 0, 0, 0, 0}};
  fit.largest = {.batch = 51, .peak = 16 * kGiB - 1, .next_peak = 17 * kGiB, .tried = {}};
  FitWay way;
  way.title = "LMS v2";
  way.fits = true;
  way.batch = 64;
  way.peak = 10 * kGiB;
  way.host_peak = 12 * kGiB;
  way.step_ns = 96'000'000;
  way.cost = "1.50 x the time";
  way.confidence = "simulated";
  way.command = "tideline rewrite lms2 g.meta";
  fit.ways = {way};
  fit.missing = {{"towers on 2 devices", "there is no loss"}};
  return fit;
}

}  // namespace

TEST_CASE("the verdict says what is needed and what makes it fit") {
  Fit fit = too_large();
  ui::FitCard card = shown_fit(fit);
  CHECK_FALSE(card.fits);
  CHECK(card.any_fits);
  CHECK(
      card.verdict ==
      "batch size 64 does not fit v100: 20.00 of 16.00 GiB; with LMS v2 it fits, 1.50 x the time");
  fit.ways.front().fits = false;
  card = shown_fit(fit);
  CHECK_FALSE(card.any_fits);
  CHECK(card.verdict ==
        "batch size 64 does not fit v100: 20.00 of 16.00 GiB; no way was found that fits");
  fit.step.fits = true;
  fit.step.is_batch_assumed = true;
  fit.step.peak = kGiB / 2;
  fit.device.clear();
  card = shown_fit(fit);
  CHECK(card.any_fits);
  CHECK(card.verdict == "batch size 64 (assumed) fits the device: 512.00 MiB of 16.00 GiB");
}

TEST_CASE("the largest batch size is there in every case") {
  Fit fit = too_large();
  CHECK(shown_fit(fit).largest ==
        "largest batch size that fits as it is: 51 (16.00 GiB; 52 needs 17.00 GiB)");
  fit.largest.batch = 0;
  CHECK(shown_fit(fit).largest ==
        "no batch size fits as it is: a single example does not fit, it needs 16.00 GiB");
  fit.largest.batch.reset();
  CHECK(shown_fit(fit).largest == "every batch size that was tried fits");
  CHECK(shown_fit(fit).why_no_curve == "There is no curve: no batch size was simulated.");
  fit.largest.depends_on_batch = false;
  CHECK(shown_fit(fit).largest == "the peak does not depend on the batch size");
  CHECK(shown_fit(fit).why_no_curve ==
        "There is no curve: the peak does not depend on the batch size.");
}

TEST_CASE("what is not certain of the peak is said with its cause") {
  Fit fit = too_large();
  CHECK(shown_fit(fit).range.empty());
  fit.step.most = 24 * kGiB;
  fit.step.unknown_sizes = 3;
  fit.step.expected_sizes = "; expected {shape} of x";
  CHECK(shown_fit(fit).range ==
        "3 sizes are guesses: 20.00 GiB with 1 for each unknown dim of what is fed, 24.00 GiB with "
        "128; expected 'shape' of x");
  fit.step.measured_peak = 21 * kGiB;
  CHECK(shown_fit(fit).range == "the traced step had a peak of 21.00 GiB");
}

TEST_CASE("parts, ways and missing ways are rows") {
  const ui::FitCard card = shown_fit(too_large());
  REQUIRE(card.kinds.size() == 2);
  CHECK(card.kinds[0].name == "optimizer slots");
  CHECK(card.kinds[1].bytes == 16 * kGiB);
  REQUIRE(card.layers.size() == 2);
  CHECK(card.layers[0].detail == "variables 1.00 GiB, activations 14.00 GiB");
  CHECK(card.layers[1].name == "(12 others)");
  REQUIRE(card.ways.size() == 1);
  const ui::FitRow& row = card.ways.front();
  CHECK(row.batch == "64");
  CHECK(row.peak == "10.00 GiB");
  CHECK(row.example == "1.5 ms");  // 96 ms of 64 examples
  CHECK(row.notes == "simulated\nhost memory 12.00 GiB");
  CHECK(row.command == "tideline rewrite lms2 g.meta");
  REQUIRE(card.missing.size() == 1);
  CHECK(card.missing[0].reason == "there is no loss");
}

TEST_CASE("a way says what does not fit, its devices and its warnings") {
  Fit fit = too_large();
  fit.ways.front().fits = false;
  fit.ways.front().devices = 2;
  fit.ways.front().warnings = {{.kind = "peak", .text = "{swapin-ahead} is too large"}};
  const ui::FitRow row = shown_fit(fit).ways.front();
  CHECK(row.batch == "64 on 2 devices");
  CHECK(row.peak == "10.00 GiB, does not fit");
  CHECK(row.notes == "simulated\nhost memory 12.00 GiB\n'swapin-ahead' is too large");
}

}  // namespace tideline::app
