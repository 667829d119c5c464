// The verb fit: whether a step fits a device, and the ways to make it fit.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/fit_report.h"
#include "app/cli/opening.h"
#include "app/cli/picture_output.h"
#include "app/cli/policy_options.h"
#include "app/cli/run_metadata.h"
#include "app/cli/terminal.h"
#include "app/engine/device_profile.h"
#include "app/engine/fit.h"
#include "app/engine/fit_json.h"
#include "app/engine/fit_log.h"
#include "app/engine/input_readers.h"
#include "app/engine/shown_fit.h"
#include "core/base/output_file.h"
#include "core/base/strictest.h"
#include "core/base/text.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct FitOptions {
  GraphArgument graph;
  std::string device;  ///< of --device; empty: all built-in ones
  std::string run_metadata;
  std::string gpu_device, fetch, host_memory, memory_ratio, profile, deadline;
  bool wants_curve = false;
  bool json = false;
  PictureOptions picture;  ///< of the curve; without a path none is drawn
  std::string log_path;    ///< of the curve; empty: none is written

  [[nodiscard]] bool needs_curve() const {
    return wants_curve || !picture.path.empty() || !log_path.empty();
  }
};

// "2s", "500ms", "1.5": seconds without a unit.
std::optional<double> parse_seconds(std::string_view text) {
  double factor = 1;
  if (text.ends_with("ms")) {
    factor = 1e-3;
    text.remove_suffix(2);
  } else if (text.ends_with('s')) {
    text.remove_suffix(1);
  }
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string_view::npos) return {};
  try {
    std::size_t read = 0;
    const double number = std::stod(std::string(text), &read);
    if (read != text.size() || !std::isfinite(number)) return {};
    return number * factor;
  } catch (const std::exception&) {
    return {};
  }
}

std::vector<std::string> all_devices() {
  std::vector<std::string> devices;
  for (const std::string_view name : built_in_profile_names()) {
    if (built_in_profile(name)->free_bytes > 0) devices.emplace_back(name);
  }
  return devices;
}

// A device of the table, a size of its memory, or a profile's file.
Status read_device(const std::string& word, app::FitRequest& request, MemoryBudget& budget) {
  request.device = word;
  if (const auto profile = built_in_profile(word); profile && profile->free_bytes > 0) {
    request.profile = *profile;
    request.profile_word = word;
    budget.device = profile->free_bytes;
    return {};
  }
  if (const auto size = parse_size(word)) {
    if (*size <= 0) {
      return fail(Code::kInvalidArgument, "--device is 0; expected a SIZE above it");
    }
    budget.device = *size;
    return {};
  }
  if (built_in_profile(word)) {
    return fail(Code::kInvalidArgument,
                "--device: '{}' is a link without memory; expected a device, or a SIZE with "
                "--device-profile {}",
                word, word);
  }
  std::error_code none;
  if (!std::filesystem::exists(word, none)) {
    return fail(Code::kInvalidArgument,
                "--device: '{}' is no device, no SIZE and no file; expected one of {}, a SIZE such "
                "as 16GiB, or the file of a profile",
                printable(word), fmt::join(all_devices(), ", "));
  }
  TIDELINE_TRY(auto profile, app::read_device_profile(word, Pipes::kRead));
  if (profile.free_bytes <= 0) {
    return fail(Code::kInvalidArgument,
                "--device {}: 'device.free_bytes' is missing or 0; expected the bytes that a step "
                "may use, or a SIZE with --device-profile",
                word);
  }
  budget.device = profile.free_bytes;
  request.profile = std::move(profile);
  request.profile_word = word;
  return {};
}

Result<app::FitRequest> request_of(const FitOptions& options, const std::string& device) {
  app::FitRequest request;
  MemoryBudget budget;
  TIDELINE_RETURN_IF_ERROR(read_device(device, request, budget));
  if (!options.profile.empty()) {
    TIDELINE_TRY(request.profile, app::read_device_profile(options.profile, Pipes::kRead));
    request.profile_word = options.profile;
  }
  if (!options.host_memory.empty()) {
    const auto size = parse_size(options.host_memory);
    if (!size) return tl::unexpected(with_context(size.error(), "--host-memory"));
    budget.host = *size;
  }
  request.policy.budget = budget;
  for (const auto& [name, text] : {std::pair("gpu-device", options.gpu_device),
                                   std::pair("memory-ratio", options.memory_ratio)}) {
    if (!text.empty()) TIDELINE_RETURN_IF_ERROR(set_parameter(request.policy, name, text));
  }
  request.policy.search.fetches = split_list(options.fetch, ',');
  request.policy.search.profile = request.profile;
  request.trace = {options.run_metadata, options.graph.graph.run, options.graph.graph.tag};
  if (options.run_metadata.empty()) request.trace = {};
  request.wants_curve = options.needs_curve();
  if (!options.deadline.empty()) {
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(
                           std::chrono::duration<double>(*parse_seconds(options.deadline)));
    request.is_late = [end] { return Clock::now() >= end; };
  }
  return request;
}

// Picture and log, if they are wanted. Where the peak does not depend on the batch, the picture
// says so, and a log would be empty.
Status write_curve(const FitOptions& options, const app::SizedGraph& graph, const app::Fit& fit,
                   const Front& front) {
  if (!options.log_path.empty() && fit.curve.empty()) {
    return fail(Code::kInvalidArgument, "--tb: {}", app::largest_batch_reason(fit.largest));
  }
  const Readers readers =
      strictest(app::readers_of_graph(graph.source->document, graph.measured),
                app::readers_of_inputs({options.profile, options.run_metadata}));
  if (!options.picture.path.empty()) {
    const ui::FitCard card = app::shown_fit(fit);
    render::Picture picture;
    picture.fit = &card.curve;
    picture.why_no_fit = card.why_no_curve;
    const std::string& path = options.graph.graph.path;
    picture.title = path.substr(path.find_last_of('/') + 1);
    picture.subtitle = card.verdict + "; " + card.largest;
    TIDELINE_TRY(const std::string bytes, draw_picture(options.picture, std::move(picture), front));
    TIDELINE_RETURN_IF_ERROR(
        write_file(options.picture.path, bytes, options.picture.force, readers));
  }
  if (options.log_path.empty()) return {};
  return app::write_fit_log(options.log_path, options.picture.force, fit.curve, readers);
}

int answer(const FitOptions& options, const std::vector<app::FitRequest>& requests,
           const Front& front) {
  TerminalProgress progress(false);
  std::optional<EndsAtOnce> until_something_is_written;
  until_something_is_written.emplace();
  const auto graph =
      open_sized_graph(options.graph, options.run_metadata, options.graph.run(), progress);
  if (!graph) return report(graph.error());
  app::KnownPeaks peaks;
  std::vector<app::Fit> fits;
  for (app::FitRequest request : requests) {
    request.known_peaks = &peaks;
    request.wants_ways = requests.size() == 1;
    auto fit = app::fit(*graph, request, progress);
    if (!fit) {
      if (fit.error().code == Code::kCancelled) return report(fit.error());
      return report(with_context(std::move(fit).error(), options.graph.graph.path));
    }
    fits.push_back(*std::move(fit));
  }
  until_something_is_written.reset();
  if (Status status = write_curve(options, *graph, fits.front(), front); !status) {
    return report(status.error());
  }
  const std::string& path = options.graph.graph.path;
  if (options.json) {
    nlohmann::ordered_json json = {{"file", path}};
    if (fits.size() == 1) {
      json.update(app::fit_json(fits.front()));
    } else {
      json["devices"] = nlohmann::ordered_json::array();
      for (const app::Fit& fit : fits) json["devices"].push_back(app::fit_json(fit));
    }
    say_json(json);
  } else {
    const std::string name = printable(path.substr(path.find_last_of('/') + 1));
    if (fits.size() == 1) {
      print_fit(name, fits.front());
    } else {
      print_devices(name, fits);
    }
  }
  if (!options.json && !options.picture.path.empty()) say("wrote {}\n", options.picture.path);
  if (!options.json && !options.log_path.empty()) say("wrote {}\n", options.log_path);
  std::fflush(stdout);  // what is to be doubted comes last on a terminal and in a file alike
  warn(fits.front().warnings);
  const bool any =
      std::any_of(fits.begin(), fits.end(), [](const app::Fit& fit) { return fit.any_fits(); });
  return any ? kExitDone : kExitCheck;
}

int fit(const FitOptions& options, const Front& front) {
  if (const auto refused = check_run_model(options.graph)) return *refused;
  if (options.graph.as_run == AsRun::kExact) {
    return report_usage({Code::kInvalidArgument,
                         "--as-run exact: many batch sizes are asked about; expected modelled or "
                         "off"});
  }
  if (!options.picture.path.empty()) {
    if (const auto refused = refuse_picture(options.picture, front)) return *refused;
  }
  if (!options.log_path.empty()) {
    const Status status = app::check_fit_log(options.log_path, options.picture.force);
    if (!status) return report(status.error());
  }
  if (options.device.empty() && (options.needs_curve() || !options.profile.empty())) {
    return report_usage(
        {Code::kInvalidArgument, "--device is missing; expected a device or a SIZE"});
  }
  std::vector<app::FitRequest> requests;
  const std::vector<std::string> devices =
      options.device.empty() ? all_devices() : std::vector{options.device};
  for (const std::string& device : devices) {
    auto request = request_of(options, device);
    if (!request) return report_usage(request.error());
    requests.push_back(*std::move(request));
  }
  return answer(options, requests, front);
}

void add_device_options(const Command& command, FitOptions& options) {
  command
      .add_option("--device", options.device,
                  fmt::format("{}, the SIZE of its memory, or a profile's file (default: a line "
                              "for each of these)",
                              fmt::join(all_devices(), ", ")))
      .not_empty()
      .type_name("NAME|SIZE|FILE");
  command
      .add_option("--device-profile", options.profile,
                  "Speeds of the device, if not those that --device names")
      .not_empty()
      .type_name("NAME|FILE");
  for (const auto& [name, value] :
       {std::pair<std::string_view, std::string*>("host-memory", &options.host_memory),
        {"memory-ratio", &options.memory_ratio},
        {"gpu-device", &options.gpu_device}}) {
    const Parameter& parameter = *find_policy_parameter(name);
    command.add_option(fmt::format("--{}", name), *value, std::string(parameter.help))
        .type_name(std::string(parameter.type_name));
  }
}

}  // namespace

void add_fit(const Command& app, const Front& front, Action& action) {
  auto options = std::make_shared<FitOptions>();
  const Command command = app.add_subcommand(
      "fit", "Whether a step fits a device, its largest batch, and the ways to make it fit");
  add_graph(command, options->graph);
  add_inline(command, options->graph.graph);
  add_rounds(command, options->graph);
  add_run_model(command, options->graph);
  add_device_options(command, *options);
  command
      .add_option("--fetch", options->fetch,
                  "Ops that the step is run for (comma list; default: the collection train_op, "
                  "else all Apply ops)")
      .type_name("OP,...");
  add_run_metadata(command, options->run_metadata);
  command
      .add_option("--deadline", options->deadline,
                  "Leave out the ways that are not found in this time: 2s, 500ms")
      .check([](const std::string& text) {
        return parse_seconds(text) ? std::string()
                                   : "expected a time such as 2s or 500ms, not " + text;
      })
      .type_name("TIME");
  command.add_flag("--curve", options->wants_curve,
                   "Also peaks and times over the batch size, of the three best ways");
  command.add_flag("--json", options->json, "Print JSON");
  command.add_option("-o,--output", options->picture.path, "Draw the curve: .svg or .png")
      .not_empty()
      .type_name("FILE");
  add_picture_look(command, options->picture);
  command.add_option("--tb", options->log_path, "Write the curve as a log for TensorBoard")
      .not_empty()
      .type_name("DIR");
  command.add_flag("--force", options->picture.force, "Replace what exists");
  command.callback(
      [options, &front, &action] { action = [options, &front] { return fit(*options, front); }; });
}

}  // namespace tideline::cli
