// Tested by the golden case sweep and property/sweep.py.
#include "app/cli/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "app/cli/json_number.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/rewrite/plan/plan_json.h"
#include "core/rewrite/plan/value_json.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;
using app::SweepRow;

// "device-memory 4GiB, batch-size 8".
std::string settings_text(const SweepReport& report, const SweepRow& row) {
  std::string text;
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    const Parameter& parameter = *report.request.varied[i].parameter;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", parameter.name,
                        value_text(row.values[i], parameter.kind));
  }
  return text;
}

std::string percent_text(double percent) {
  return fmt::format("{:+.1f} %", percent);
}

std::string plans_text(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "plan" : "plans");
}

// "12.0 % less than 4.00 GiB".
std::string compared_text(double percent, const std::string& than) {
  constexpr double kNothing = 0.05;
  if (std::abs(percent) < kNothing) return "as much as " + than;
  return fmt::format("{:.1f} % {} than {}", std::abs(percent), percent < 0 ? "less" : "more", than);
}

// "9 plans, which all fit", "the 3 that fit of 9 plans".
std::string fitting_text(const std::vector<SweepRow>& rows) {
  const auto fit = std::count_if(rows.begin(), rows.end(),
                                 [](const SweepRow& row) { return row.fits().value_or(false); });
  if (static_cast<std::size_t>(fit) == rows.size()) {
    return plans_text(rows.size()) + (fit == 1 ? ", which fits" : ", which all fit");
  }
  return fmt::format("the {} that {} of {}", fit, fit == 1 ? "fits" : "fit",
                     plans_text(rows.size()));
}

// Rows that are as good as the best one.
std::ptrdiff_t equals_of(const SweepReport& report, const SweepRow& best) {
  return std::count_if(report.found.rows.begin(), report.found.rows.end(),
                       [&](const SweepRow& row) {
                         return row.fits() == best.fits() && row.device_peak == best.device_peak &&
                                row.step_ns == best.step_ns && row.batch == best.batch;
                       });
}

bool varies_batch(const SweepReport& report) {
  return std::any_of(
      report.request.varied.begin(), report.request.varied.end(),
      [](const Varied& varied) { return varied.parameter->group == ParameterGroup::kGraph; });
}

std::string none_fits_text(const SweepReport& report) {
  const auto over = [](const SweepRow& row) {
    return row.stuck_at.value_or(row.device_peak) - *row.budget;
  };
  const std::vector<SweepRow>& rows = report.found.rows;
  const SweepRow& nearest =
      *std::min_element(rows.begin(), rows.end(),
                        [&](const SweepRow& a, const SweepRow& b) { return over(a) < over(b); });
  return fmt::format("none of {} fits: the nearest, {}, {} {}, {} more than {}",
                     plans_text(rows.size()), settings_text(report, nearest),
                     nearest.stuck_at ? "gets stuck where it would hold" : "needs",
                     format_bytes(*nearest.budget + over(nearest)), format_bytes(over(nearest)),
                     format_bytes(*nearest.budget));
}

// Below each other, as wide as the widest.
class Columns {
 public:
  void add(std::vector<std::string> cells) {
    widths_.resize(std::max(widths_.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      widths_[i] = std::max(widths_[i], cells[i].size());
    }
    lines_.push_back(std::move(cells));
  }
  void print(std::optional<std::size_t> marked) const {
    for (std::size_t line = 0; line < lines_.size(); ++line) {
      std::string text = marked && line == *marked + 1 ? "*" : " ";
      for (std::size_t i = 0; i < lines_[line].size(); ++i) {
        text += fmt::format(" {:>{}} ", lines_[line][i], widths_[i]);
      }
      while (text.ends_with(' ')) text.pop_back();
      say("{}\n", text);
    }
  }

 private:
  std::vector<std::vector<std::string>> lines_;
  std::vector<std::size_t> widths_;
};

std::string fits_text(const SweepRow& row) {
  if (row.stuck_at) return "gets stuck";
  return *row.fits() ? "fits" : "does not fit";
}

Json row_json(const SweepReport& report, const SweepRow& row) {
  Json json;
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    json[json_key(*report.request.varied[i].parameter)] = value_json(row.values[i]);
  }
  json["device_peak_bytes"] = row.device_peak;
  json["host_peak_bytes"] = row.host_peak;
  json["device_peak_before_bytes"] = row.peak_before;
  const bool has_times = !report.request.is_compatible;
  if (has_times) {
    json["before_ns"] = row.before_ns;
    json["step_ns"] = row.step_ns;
    json["added_ns"] = row.step_ns - row.before_ns;
    json["added_percent"] = json_number(row.added_percent());
  }
  json["swapped_out_tensors"] = row.swapped_out_tensors;
  json["swap_ins"] = row.swap_ins;
  json["bytes_out"] = row.bytes_out;
  json["bytes_in"] = row.bytes_in;
  if (has_times) json["late_swap_ins"] = row.late_swap_ins;
  json["budget_bytes"] = row.budget ? Json(*row.budget) : Json();
  if (has_times) {
    json["stuck"] = row.stuck_at.has_value();
    json["stuck_bytes"] = row.stuck_at ? Json(*row.stuck_at) : Json();
  }
  const auto fits = row.fits();
  json["fits"] = fits ? Json(*fits) : Json();
  return json;
}

}  // namespace

std::string best_text(const SweepReport& report) {
  if (!report.found.best) return none_fits_text(report);
  const std::vector<SweepRow>& rows = report.found.rows;
  const SweepRow& best = rows[*report.found.best];
  const std::ptrdiff_t equals = equals_of(report, best);
  const std::string first = equals > 1 ? fmt::format(" (the first of {} equal ones)", equals) : "";
  const bool has_times = !report.request.is_compatible;
  const std::string step = fmt::format("step {}, {}", format_time(best.step_ns),
                                       compared_text(best.added_percent(), "without swaps"));
  const std::string peak = format_bytes(best.device_peak);
  if (best.budget && !has_times) {
    return fmt::format("best: {}, the lowest device peak of {}{}: {} of {}",
                       settings_text(report, best), fitting_text(rows), first, peak,
                       format_bytes(*best.budget));
  }
  if (best.budget) {
    return fmt::format("best: {}, the fastest{} of {}{}: device peak {} of {}, {}",
                       settings_text(report, best), varies_batch(report) ? " by example" : "",
                       fitting_text(rows), first, peak, format_bytes(*best.budget), step);
  }
  const double change = best.peak_before > 0
                            ? 100 * static_cast<double>(best.device_peak - best.peak_before) /
                                  static_cast<double>(best.peak_before)
                            : 0;
  return fmt::format(
      "best: {}, the lowest device peak of {}{}: {}, {}{}", settings_text(report, best),
      plans_text(rows.size()), first, peak,
      compared_text(change, fmt::format("{} without swaps", format_bytes(best.peak_before))),
      has_times ? "; " + step : "");
}

void print_sweep_json(const SweepReport& report) {
  const app::SweepRequest& request = report.request;
  Json json;
  json["file"] = report.path;
  json["model"] = request.is_compatible ? "compatible" : "faithful";
  if (!request.is_compatible) {
    for (const auto& [key, value] : run_members(report.found.run)) json[key] = value;
  }
  json["policy"] = request.policy.rewriter;
  if (!request.is_compatible) json["profile"] = request.profile.name;
  json["varied"] = Json::array();
  for (const Varied& varied : request.varied) {
    Json values = Json::array();
    for (const Value& value : varied.values) values.push_back(value_json(value));
    json["varied"].push_back({{"name", varied.parameter->name}, {"values", std::move(values)}});
  }
  json["starting_values"] = Json::object();
  for (const Parameter* parameter : report.started) {
    json["starting_values"][json_key(*parameter)] =
        value_json(request.policy.values.get(*parameter));
  }
  json["plans"] = Json::array();
  for (const SweepRow& row : report.found.rows) json["plans"].push_back(row_json(report, row));
  json["best"] = report.found.best ? Json(*report.found.best) : Json();
  json["best_text"] = best_text(report);
  json["warnings"] = warnings_json(report.warnings);
  say_json(json);
}

void print_sweep_csv(const SweepReport& report) {
  std::string names;
  for (const Varied& varied : report.request.varied)
    names += fmt::format("{},", varied.parameter->name);
  say("{}device_peak_bytes,host_peak_bytes,bytes_out,bytes_in,added_ms,fits,step_ms,added_percent,"
      "swapped_out_tensors,swap_ins,late_swap_ins,best\n",
      names);
  constexpr double kNanosPerMilli = 1e6;
  for (std::size_t i = 0; i < report.found.rows.size(); ++i) {
    const SweepRow& row = report.found.rows[i];
    std::string values;
    for (const Value& value : row.values) {
      // Sizes in bytes, as those of the other columns.
      const auto* whole = std::get_if<std::int64_t>(&value);
      values += whole != nullptr ? fmt::format("{},", *whole)
                                 : value_text(value, ParameterKind::kRatio) + ",";
    }
    const auto fits = row.fits();
    // Without times their columns are empty.
    const auto time = [&](double number) {
      return report.request.is_compatible ? std::string() : text_number(number);
    };
    say("{}{},{},{},{},{},{},{},{},{},{},{},{}\n", values, row.device_peak, row.host_peak,
        row.bytes_out, row.bytes_in,
        time(static_cast<double>(row.step_ns - row.before_ns) / kNanosPerMilli),
        !fits   ? ""
        : *fits ? "true"
                : "false",
        time(static_cast<double>(row.step_ns) / kNanosPerMilli), time(row.added_percent()),
        row.swapped_out_tensors, row.swap_ins,
        report.request.is_compatible ? std::string() : std::to_string(row.late_swap_ins),
        report.found.best == i ? "true" : "false");
  }
}

namespace {

// What is there for all plans, above their table.
void print_sweep_head(const SweepReport& report) {
  const app::SweepRequest& request = report.request;
  const std::vector<SweepRow>& rows = report.found.rows;
  const std::string run = request.is_compatible ? "" : run_text(report.found.run);
  say("{}: {} of {}{}{}, {}\n", report.path, plans_text(rows.size()), request.policy.rewriter,
      run.empty() ? "" : ", a step ", run,
      request.is_compatible ? "as LMS v2 counts" : "profile " + request.profile.name);
  for (const Parameter* parameter : report.started) {
    say("  {} is {}, its starting value\n", parameter->name,
        value_text(request.policy.values.get(*parameter), parameter->kind));
  }
  if (varies_batch(report)) return;
  say("  without swaps: device peak {}{}\n", format_bytes(rows.front().peak_before),
      request.is_compatible ? "" : ", step " + format_time(rows.front().before_ns));
}

}  // namespace

void print_sweep_table(const SweepReport& report) {
  const app::SweepRequest& request = report.request;
  const std::vector<SweepRow>& rows = report.found.rows;
  const bool has_times = !request.is_compatible;
  print_sweep_head(report);
  const bool has_budget = rows.front().budget.has_value();
  Columns columns;
  std::vector<std::string> heading;
  for (const Varied& varied : request.varied) heading.emplace_back(varied.parameter->name);
  for (const char* name : {"device peak", "host peak"}) heading.emplace_back(name);
  if (has_times) heading.insert(heading.end(), {"step", "added"});
  heading.emplace_back("swaps");
  if (has_times) heading.emplace_back("late swap-ins");
  if (has_budget) heading.insert(heading.end(), {"budget", ""});
  columns.add(std::move(heading));
  for (const SweepRow& row : rows) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      cells.push_back(value_text(row.values[i], request.varied[i].parameter->kind));
    }
    cells.push_back(format_bytes(row.device_peak));
    cells.push_back(format_bytes(row.host_peak));
    if (has_times) cells.push_back(format_time(row.step_ns));
    if (has_times) cells.push_back(percent_text(row.added_percent()));
    cells.push_back(std::to_string(row.swapped_out_tensors));
    if (has_times) cells.push_back(std::to_string(row.late_swap_ins));
    if (has_budget) cells.push_back(format_bytes(*row.budget));
    if (has_budget) cells.push_back(fits_text(row));
    columns.add(std::move(cells));
  }
  columns.print(report.found.best);
  const bool any_stuck = std::any_of(rows.begin(), rows.end(),
                                     [](const SweepRow& row) { return row.stuck_at.has_value(); });
  if (any_stuck) say("  a plan that gets stuck is shown as if nothing waited for memory\n");
  if (report.found.best) say("{}\n", best_text(report));
}

}  // namespace tideline::cli
