// The verb render: draws a view into a picture file, without a window.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/exact.h"
#include "app/cli/opening.h"
#include "app/cli/policy_options.h"
#include "app/cli/run_metadata.h"
#include "app/cli/terminal.h"
#include "app/engine/input_readers.h"
#include "app/engine/planned_peaks.h"
#include "app/engine/snapshot.h"
#include "core/base/output_file.h"
#include "core/base/strictest.h"
#include "render/view/picture.h"

namespace tideline::cli {
namespace {

struct RenderOptions {
  GraphArgument graph;
  PolicyArguments policy;
  std::string run_metadata;
  std::string view = "both";
  std::string output;
  std::string size = "1600x1000";
  double scale = 1;
  std::string theme = "dark";
  bool force = false;
};

constexpr int kLeastPx = 200;
constexpr int kMostPx = 16384;

// WIDTHxHEIGHT; nothing for anything else.
std::optional<std::pair<int, int>> parse_size_px(const std::string& text) {
  const auto side = [](std::string_view digits) {
    if (digits.empty() || digits.size() > 5) return 0;
    int value = 0;
    for (const char digit : digits) {
      if (digit < '0' || digit > '9') return 0;
      value = 10 * value + (digit - '0');
    }
    return value >= kLeastPx && value <= kMostPx ? value : 0;
  };
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) return std::nullopt;
  const int width = side(std::string_view(text).substr(0, cross));
  const int height = side(std::string_view(text).substr(cross + 1));
  if (width == 0 || height == 0) return std::nullopt;
  return std::pair(width, height);
}

// "lms2: " and its main values.
std::string policy_text(const app::Snapshot& snapshot) {
  const Policy& used = snapshot.planned.used;
  if (used.is_off()) {
    const SwapCopies& copies = snapshot.shown->file->copies;
    if (copies.empty()) return "no policy";
    return fmt::format("no policy, {} copies in the file", copies.copy_count());
  }
  const auto& tuned = snapshot.planned.tuned;
  if (tuned && !tuned->necessary && !tuned->already_edited) {
    return used.rewriter + ": fits without swaps";
  }
  const std::string values = used.chosen()->caption(used.values, false);
  if (!values.empty()) return fmt::format("{}: {}", used.rewriter, values);
  return fmt::format("{}: {} tensors swapped", used.rewriter, snapshot.plan().swaps().size());
}

bool is_png(const RenderOptions& options) {
  return options.output.ends_with(".png");
}

// In pixels of the file: everything in it grows with --scale.
Result<std::string> draw_png(const RenderOptions& options, render::Picture picture,
                             const app::DrawPng& draw_on) {
  const auto scale = static_cast<float>(options.scale);
  picture.width_px = std::round(picture.width_px * scale);
  picture.height_px = std::round(picture.height_px * scale);
  picture.font_px *= scale;
  return draw_on(static_cast<int>(picture.width_px), static_cast<int>(picture.height_px), scale,
                 picture.theme,
                 [&](render::Canvas& canvas) { render::draw_picture(canvas, picture); });
}

// `run` is the run of a cycle that is drawn; empty for a step.
Result<std::string> draw(const RenderOptions& options, const app::Snapshot& snapshot,
                         const std::string& run, const Front& front) {
  const render::Scene scene = snapshot.scene();
  render::Picture picture;
  picture.view = render::find_view(options.view);
  if (picture.view != nullptr && picture.view->needs_trace && scene.measured == nullptr) {
    return fail(Code::kInvalidArgument,
                "--view {} needs a traced step; expected --run-metadata, or a log with one",
                options.view);
  }
  picture.scene = &scene;
  picture.theme = *render::theme_of_name(options.theme);
  const std::string& path = options.graph.graph.path;
  picture.title = path.substr(path.find_last_of('/') + 1);
  picture.subtitle = run.empty() ? policy_text(snapshot) : run + ", " + policy_text(snapshot);
  const auto [width, height] = *parse_size_px(options.size);
  picture.width_px = static_cast<float>(width);
  picture.height_px = static_cast<float>(height);
  if (is_png(options)) return draw_png(options, std::move(picture), front.draw_png);
  return render::draw_svg(picture, options.scale);
}

Status render_graph(RenderOptions& options, const Front& front) {
  const DeviceProfile profile = options.policy.profile.value_or(*built_in_profile("pcie3"));
  TerminalProgress progress(false);
  TIDELINE_TRY(app::SizedGraph opened,
               open_sized_graph(options.graph, options.run_metadata,
                                run_of(options.graph, options.policy), progress));
  if (Status status = run_exactly(opened, options.policy, progress); !status) {
    return tl::unexpected(with_context(std::move(status).error(), options.graph.graph.path));
  }
  app::OpenRequest request;
  request.batch_size = opened.batch_size;
  request.shapes = opened.shapes;
  request.rounds = opened.rounds;
  request.run = opened.run;
  request.fetches = options.policy.policy.search.fetches;
  std::string run_shown;
  if (request.fetches.empty()) {
    TIDELINE_TRY(
        const auto run,
        app::find_run(opened, step_options(options.policy.policy, {}, nullptr).gpu_device));
    if (run) {
      request.fetches = run->fetches;
      run_shown = run->name;
    }
  }
  TIDELINE_TRY(const auto graph, app::resize(std::make_shared<const app::GraphFile>(opened.source),
                                             request, opened.measured, progress));
  const auto snapshot = app::make_snapshot(graph, options.policy.policy, profile, progress);
  if (!snapshot) {
    if (snapshot.error().code == Code::kCancelled) return tl::unexpected(snapshot.error());
    return tl::unexpected(with_context(snapshot.error(), options.graph.graph.path));
  }
  warn((*snapshot)->warnings());
  TIDELINE_TRY(const std::string bytes, draw(options, **snapshot, run_shown, front));
  TIDELINE_RETURN_IF_ERROR(
      write_file(options.output, bytes, options.force,
                 strictest(app::readers_of_graph(opened.source->document, opened.measured),
                           app::readers_of_inputs({options.policy.profile_name}))));
  say("wrote {}\n", options.output);
  return {};
}

int render_picture(RenderOptions& options, const Front& front) {
  if (const auto refused = refuse_policy(options.policy)) return *refused;
  if (const auto refused = check_run_model(options.graph)) return *refused;
  if (const auto refused = refuse_plan(options.graph, options.run_metadata)) return *refused;
  if (const auto refused = refuse_exact(options.graph, options.policy, options.run_metadata)) {
    return *refused;
  }
  const std::string& path = options.output;
  if (!path.ends_with(".svg") && !is_png(options)) {
    return report_usage({Code::kInvalidArgument,
                         fmt::format("-o {}: expected a name that ends in .svg or .png", path)});
  }
  if (is_png(options) && !front.draw_png) {
    return report_usage(
        {Code::kUnsupported,
         fmt::format("-o {}: this build has no window and cannot draw PNG; expected "
                     ".svg",
                     path)});
  }
  if (Status status = check_output_path(options.output, options.force); !status) {
    return report(status.error());
  }
  if (Status status = render_graph(options, front); !status) return report(status.error());
  return kExitDone;
}

void add_look(const Command& command, RenderOptions& options) {
  command.add_option("-o,--output", options.output, "Picture to write: .svg or .png")
      .not_empty()
      .type_name("FILE")
      .required();
  std::vector<std::string> views = render::view_words();
  views.emplace_back("both");
  command
      .add_option(
          "--view", options.view,
          fmt::format("{}: levels above memory; timeline is of a traced step", alternatives(views)))
      .one_of(views)
      .type_name("NAME")
      .show_default();
  command.add_option("--size", options.size, "Width and height of the picture before --scale")
      .check([](const std::string& text) {
        return parse_size_px(text) ? std::string()
                                   : fmt::format("expected WIDTHxHEIGHT, each {} to {}, not {}",
                                                 kLeastPx, kMostPx, text);
      })
      .type_name("WxH")
      .show_default();
  command
      .add_option("--scale", options.scale, "Enlarges the picture and everything in it (0.5 to 8)")
      .in_range(0.5, 8.0)
      .type_name("N")
      .show_default();
  command.add_option("--theme", options.theme, "dark, light or color-blind-safe")
      .one_of({"dark", "light", "color-blind-safe"})
      .type_name("NAME")
      .show_default();
  command.add_flag("--force", options.force, "Replace FILE when it exists");
}

}  // namespace

void add_render(const Command& app, const Front& front, Action& action) {
  auto options = std::make_shared<RenderOptions>();
  const Command command =
      app.add_subcommand("render", "Draw levels, swaps and memory as a picture, without a window");
  add_graph(command, options->graph);
  add_rounds(command, options->graph);
  add_run_model(command, options->graph);
  add_plan(command, options->graph);
  add_run_metadata(command, options->run_metadata);
  add_look(command, *options);
  add_search_options(command, options->policy.policy.search);
  add_policy_options(command, options->policy);
  command.callback([options, &front, &action] {
    action = [options, &front] { return render_picture(*options, front); };
  });
}

}  // namespace tideline::cli
