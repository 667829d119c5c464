// The verb render: draws a view into a picture file, or a step into many, without a window.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/diff_picture.h"
#include "app/cli/exact.h"
#include "app/cli/frames.h"
#include "app/cli/opening.h"
#include "app/cli/picture_output.h"
#include "app/cli/policy_options.h"
#include "app/cli/run_metadata.h"
#include "app/cli/scopes_options.h"
#include "app/cli/terminal.h"
#include "app/engine/fit.h"
#include "app/engine/input_readers.h"
#include "app/engine/planned_peaks.h"
#include "app/engine/shown_fit.h"
#include "app/engine/snapshot.h"
#include "core/base/output_file.h"
#include "core/base/strictest.h"
#include "render/model/chart_looks.h"
#include "render/model/shown_axis.h"
#include "render/view/picture.h"

namespace tideline::cli {
namespace {

struct RenderOptions {
  GraphArgument graph;
  PolicyArguments policy;
  std::string run_metadata;
  std::string view = "both";
  std::string axis = ui::kAxisWords.front();
  PictureOptions picture;
  PartOptions part;
  ScopesOptions scopes;
  DiffPictureOptions diff;
  FrameOptions frames;
};

// Writes a picture, or the frames that begin with it.
using Write = std::function<Status(render::Picture picture)>;

constexpr const char* kFitView = "fit";
constexpr const char* kTimelineView = "timeline";
constexpr const char* kMemoryView = "memory";
constexpr const char* kScopesView = "scopes";
constexpr const char* kDiffView = "diff";
constexpr std::string_view kDeviceParameter = "gpu-device";  // of all rewriters

bool is_fit(const RenderOptions& options) {
  return options.view == kFitView;
}

// "lms2: " and its main values.
std::string policy_text(const app::Snapshot& snapshot) {
  const Policy& used = snapshot.planned.used;
  if (used.is_off()) {
    const SwapCopies& copies = snapshot.shown->file->copies;
    if (copies.empty()) return "no policy";
    return fmt::format("no policy, {} copies in the graph", copies.copy_count());
  }
  const auto& tuned = snapshot.planned.tuned;
  if (tuned && !tuned->necessary && !tuned->already_edited) {
    return used.rewriter + ": fits without swaps";
  }
  const std::string values = used.chosen()->caption(used.values, false);
  if (!values.empty()) return fmt::format("{}: {}", used.rewriter, values);
  return fmt::format("{}: {} tensors swapped", used.rewriter, snapshot.plan().swaps().size());
}

std::string title_of(const RenderOptions& options) {
  const std::string& path = options.graph.graph.path;
  return path.substr(path.find_last_of('/') + 1);
}

Error of_file(Error error, const RenderOptions& options) {
  return error.code == Code::kCancelled ? error
                                        : with_context(std::move(error), options.graph.graph.path);
}

// The part of the view on the axis that was asked for.
Result<render::ViewPart> part_of(const RenderOptions& options, const render::Scene& scene,
                                 const app::OpenedGraph& graph) {
  ui::ViewState view;
  if (options.view == kTimelineView) view.tab = ui::Tab::kTimeline;
  if (options.view == kMemoryView) view.tab = ui::Tab::kMemory;
  if (options.view == kScopesView) view.tab = ui::Tab::kScopes;
  view.memory_axis = ui::axis_of_word(options.axis);
  const ui::ShownAxis axis = ui::shown_axis(scene, view);
  const bool is_time = axis.per_us > 0;
  if (view.memory_axis == ui::AxisKind::kMeasuredTime && scene.measured == nullptr) {
    return fail(Code::kInvalidArgument,
                "--axis measured needs a traced step; expected --run-metadata");
  }
  if (view.memory_axis == ui::AxisKind::kTime && !is_time) {
    return fail(Code::kInvalidArgument,
                "--axis time: the step has no op whose time is known; expected level or step");
  }
  const double positions = is_time ? std::ceil(axis.count / axis.per_us) : axis.count;
  const bool is_step = view.tab == ui::Tab::kMemory && view.memory_axis == ui::AxisKind::kStep;
  PartOptions asked = options.part;
  if (options.view == kDiffView) asked.select.clear();  // an op of either graph
  TIDELINE_TRY(auto part, picture_part(asked, graph, static_cast<int>(positions),
                                       is_time                        ? "microseconds"
                                       : view.tab == ui::Tab::kScopes ? "thousandths"
                                       : is_step                      ? "steps"
                                                                      : "levels"));
  part.range = {axis.positions(part.range.first), axis.positions(part.range.span)};
  part.memory_axis = ui::memory_axis_of(view, scene);
  part.levels_color = colors_of(options.scopes, options.view);
  if (view.tab == ui::Tab::kScopes) {
    TIDELINE_TRY(part.scopes, scopes_part(options.scopes, scene));
  }
  return part;
}

// `run` is the run of a cycle that is drawn; empty for a step.
Status draw(const RenderOptions& options, const app::Snapshot& snapshot, const std::string& run,
            const Write& write, Progress& progress) {
  const render::Scene scene = snapshot.scene();
  render::Picture picture;
  picture.view = render::find_view(options.view);
  if (picture.view != nullptr && picture.view->needs_trace && scene.measured == nullptr) {
    return fail(Code::kInvalidArgument,
                "--view {} needs a traced step; expected --run-metadata, or a log with one",
                options.view);
  }
  if (picture.view != nullptr && picture.view->needs_search && scene.tried == nullptr) {
    return fail(Code::kInvalidArgument,
                "--view {} shows what a search tried; expected --device-memory, and a parameter "
                "to search for",
                options.view);
  }
  TIDELINE_TRY(picture.part, part_of(options, scene, *snapshot.shown));
  picture.scene = &scene;
  picture.title = title_of(options);
  picture.subtitle = run.empty() ? policy_text(snapshot) : run + ", " + policy_text(snapshot);
  if (!picture.part.scopes.loop.empty())
    picture.subtitle += ", loop " + printable(picture.part.scopes.loop);
  DiffPicture diff;
  if (options.view == kDiffView) {
    TIDELINE_TRY(diff, diff_picture(options.diff, snapshot, options.part.select,
                                    options.scopes.expand, picture, progress));
    if (diff.text) picture.changed_text = &*diff.text;
  }
  return write(std::move(picture));
}

// The curve of the step as it is and of the best ways.
Status draw_fit(const RenderOptions& options, const app::SizedGraph& opened,
                const DeviceProfile& profile, std::vector<std::string> fetches, const Write& write,
                Progress& progress) {
  app::FitRequest request;
  request.policy = options.policy.policy;
  request.policy.search.fetches = std::move(fetches);
  request.profile = profile;
  const std::string& memory = options.policy.device_memory;
  request.device = memory.empty() ? options.policy.profile_name : memory;
  request.wants_curve = true;
  auto found = app::fit(opened, request, progress);
  if (!found) return tl::unexpected(of_file(std::move(found).error(), options));
  warn(found->warnings);
  const ui::FitCard card = app::shown_fit(*std::move(found));
  render::Picture picture;
  picture.fit = &card.curve;
  picture.why_no_fit = card.why_no_curve;
  picture.title = title_of(options);
  picture.subtitle = card.verdict + "; " + card.largest;
  return write(std::move(picture));
}

Status draw_scene(const RenderOptions& options, const app::SizedGraph& opened,
                  const DeviceProfile& profile, std::vector<std::string> fetches,
                  const std::string& run_shown, const Write& write, Progress& progress) {
  app::OpenRequest request;
  request.batch_size = opened.batch_size;
  request.shapes = opened.shapes;
  request.rounds = opened.rounds;
  request.run = opened.run;
  request.fetches = std::move(fetches);
  TIDELINE_TRY(const auto graph, app::resize(std::make_shared<const app::GraphFile>(opened.source),
                                             request, opened.measured, progress));
  auto snapshot = app::make_snapshot(graph, options.policy.policy, profile, progress);
  if (!snapshot) return tl::unexpected(of_file(std::move(snapshot).error(), options));
  warn((*snapshot)->warnings());
  return draw(options, **snapshot, run_shown, write, progress);
}

Status write_picture(const RenderOptions& options, render::Picture picture, const Readers& readers,
                     const Front& front, Progress& progress) {
  if (options.frames.folder.empty()) {
    TIDELINE_TRY(const std::string bytes, draw_picture(options.picture, std::move(picture), front));
    TIDELINE_RETURN_IF_ERROR(
        write_file(options.picture.path, bytes, options.picture.force, readers));
    say("wrote {}\n", options.picture.path);
    return {};
  }
  TIDELINE_TRY(
      const std::int64_t count,
      write_frames(options.frames, options.picture, std::move(picture), readers, front, progress));
  say("wrote {}: {} frames\n", options.frames.folder, count);
  return {};
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
  std::vector<std::string> fetches = options.policy.policy.search.fetches;
  std::string run_shown;
  if (fetches.empty()) {
    TIDELINE_TRY(
        const auto run,
        app::find_run(opened, step_options(options.policy.policy, {}, nullptr).gpu_device));
    if (run) {
      fetches = run->fetches;
      run_shown = run->name;
    }
  }
  const Write write = [&](render::Picture picture) {
    return write_picture(options, std::move(picture),
                         strictest(app::readers_of_graph(opened.source->document, opened.measured),
                                   app::readers_of_inputs({options.policy.profile_name})),
                         front, progress);
  };
  return is_fit(options)
             ? draw_fit(options, opened, profile, fetches, write, progress)
             : draw_scene(options, opened, profile, fetches, run_shown, write, progress);
}

// Axis and contents of a curve of a fit are of no step.
std::optional<int> refuse_part(const RenderOptions& options) {
  if (!is_fit(options)) return std::nullopt;
  for (const auto& [name, text] :
       {std::pair("--range", options.part.range), std::pair("--select", options.part.select)}) {
    if (text.empty()) continue;
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format("{} is given; expected none with --view fit, which shows no step", name)});
  }
  return std::nullopt;
}

// Only memory has several axes.
std::optional<int> refuse_axis(const RenderOptions& options) {
  if (options.axis == ui::kAxisWords.front()) return std::nullopt;
  if (options.view == kMemoryView && options.frames.folder.empty()) return std::nullopt;
  return report_usage(
      {Code::kInvalidArgument,
       fmt::format("--axis {} is given; expected --view memory and no --record", options.axis)});
}

// A recording walks the levels.
std::optional<int> refuse_output(const RenderOptions& options, const Front& front) {
  if (options.frames.folder.empty()) {
    if (!options.picture.path.empty()) return refuse_picture(options.picture, front);
    return report_usage(
        {Code::kInvalidArgument, "--output is required, or --record for the frames of a step"});
  }
  if (is_fit(options) || options.view == kTimelineView || options.view == kScopesView ||
      options.view == kDiffView) {
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format("--record is given with --view {}; expected levels, memory or both",
                     options.view)});
  }
  return refuse_frames(options.frames, options.picture, front);
}

// Every way is tried for a fit, within a budget.
std::optional<int> refuse_policy_of_view(RenderOptions& options) {
  if (!is_fit(options)) return refuse_policy(options.policy);
  if (!options.policy.rewriter.empty()) {
    return report_usage({Code::kInvalidArgument,
                         "--policy is given; expected none with --view fit, which tries all"});
  }
  for (const ParameterOption& given : options.policy.options) {
    if (!given.option.is_given() || given.parameter->name == kDeviceParameter) continue;
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format(
             "{} is given; expected no option of a rewriter with --view fit, which tries all",
             given.option.name())});
  }
  options.policy.policy.rewriter = "lms2";  // whose search needs no more than a budget
  if (const auto refused = refuse_search(options.policy)) return refused;
  options.policy.policy.rewriter = kPolicyOff;
  return std::nullopt;
}

int render_picture(RenderOptions& options, const Front& front) {
  if (const auto refused = refuse_policy_of_view(options)) return *refused;
  if (const auto refused = refuse_part(options)) return *refused;
  if (const auto refused = refuse_axis(options)) return *refused;
  if (const auto refused = refuse_scopes(options.scopes, options.view)) return *refused;
  if (const auto refused =
          refuse_diff(options.diff, options.view, !options.policy.policy.is_off())) {
    return *refused;
  }
  if (const auto refused = check_run_model(options.graph)) return *refused;
  if (const auto refused = refuse_plan(options.graph, options.run_metadata)) return *refused;
  if (const auto refused = refuse_exact(options.graph, options.policy, options.run_metadata)) {
    return *refused;
  }
  if (const auto refused = refuse_output(options, front)) return *refused;
  if (Status status = render_graph(options, front); !status) return report(status.error());
  return kExitDone;
}

void add_look(const Command& command, RenderOptions& options) {
  const Option output =
      command.add_option("-o,--output", options.picture.path, "Picture to write: .svg or .png")
          .not_empty()
          .type_name("FILE");
  add_frames(command, options.frames);
  command.option("--record").excludes(output);
  std::vector<std::string> views = render::view_words();
  views.emplace_back("both");
  command
      .add_option("--view", options.view,
                  fmt::format("{}: levels above memory; scopes are boxes; diff compares with "
                              "--original, or with what the policy makes; timeline is of a traced "
                              "step; tried is all that a "
                              "search tried; fit needs --device-memory or --device-profile",
                              alternatives(views)))
      .one_of(views)
      .type_name("NAME")
      .show_default();
  command
      .add_option("--axis", options.axis,
                  "Of --view memory: level, step, time (estimated, with the copies of swaps above) "
                  "or measured (with --run-metadata)")
      .one_of({ui::kAxisWords.begin(), ui::kAxisWords.end()})
      .type_name("NAME")
      .show_default();
  add_scopes_look(command, options.scopes);
  add_diff_look(command, options.diff);
  add_picture_look(command, options.picture);
  add_picture_part(command, options.part);
  command.add_flag("--force", options.picture.force, "Replace FILE when it exists");
}

}  // namespace

void add_render(const Command& app, const Front& front, Action& action) {
  auto options = std::make_shared<RenderOptions>();
  const Command command =
      app.add_subcommand("render", "Draw levels, swaps and memory as a picture, without a window");
  add_graph(command, options->graph);
  add_inline(command, options->graph.graph);
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
