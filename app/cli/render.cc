// The verb render: a view as a picture file, without a window.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/device_profile.h"
#include "app/cli/lms2_options.h"
#include "app/cli/terminal.h"
#include "app/session/snapshot.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "render/view/picture.h"
#include "render/view/svg_canvas.h"

namespace tideline::cli {
namespace {

struct RenderOptions {
  GraphArgument graph;
  Lms2Arguments policy;
  std::string view = "both";
  std::string output;
  std::string size = "1600x1000";
  double scale = 1;
  std::string theme = "dark";
  std::string fetch;
  std::string profile = "pcie3";
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

Policy policy_of(const RenderOptions& options) {
  Policy policy;
  if (!names_a_policy(options.policy)) return policy;
  policy.mode = PolicyMode::kLms2;
  policy.lms2 = options.policy.lms;
  policy.keep_tensors = options.policy.lms.keep_tensors;
  policy.swap_tensors = options.policy.lms.swap_tensors;
  if (!options.policy.device_memory.empty()) policy.budget = options.policy.budget;
  return policy;
}

// "lms2: threshold 100, ahead 5, group-by 10".
std::string policy_text(const session::Snapshot& snapshot) {
  if (!snapshot.has_plan()) return "no policy";
  const Lms2Options& used = snapshot.planned.used.lms2;
  if (!snapshot.plan().necessary) return "lms2: fits without swaps";
  return fmt::format("lms2: threshold {}, ahead {}, group-by {}{}", used.swapout_threshold,
                     used.swapin_ahead, used.swapin_groupby,
                     used.sync_mode == 0 ? "" : fmt::format(", sync mode {}", used.sync_mode));
}

Result<std::string> draw(const RenderOptions& options, const session::Snapshot& snapshot) {
  const render::Scene scene = snapshot.scene();
  render::Picture picture;
  picture.scene = &scene;
  picture.view = options.view == "levels"   ? render::PictureView::kLevels
                 : options.view == "memory" ? render::PictureView::kMemory
                                            : render::PictureView::kBoth;
  picture.theme = *render::theme_of_name(options.theme);
  const std::string& path = options.graph.graph.path;
  picture.title = path.substr(path.find_last_of('/') + 1);
  picture.subtitle = policy_text(snapshot);
  const auto [width, height] = *parse_size_px(options.size);
  picture.width_px = static_cast<float>(width);
  picture.height_px = static_cast<float>(height);
  render::SvgCanvas canvas(picture.width_px, picture.height_px, options.scale,
                           render::palette(picture.theme).background);
  render::draw_picture(canvas, picture);
  return canvas.finish();
}

Status render_graph(const RenderOptions& options) {
  TIDELINE_TRY(const DeviceProfile profile, read_device_profile(options.profile));
  TerminalProgress progress(false);
  session::OpenRequest request;
  request.graph = options.graph.graph;
  request.batch_size = options.graph.batch_size;
  request.shapes = options.graph.tensor_options().shapes;
  request.fetches = split_list(options.fetch, ',');
  TIDELINE_TRY(const auto graph, session::open(request, progress));
  const auto snapshot = session::make_snapshot(graph, policy_of(options), profile, progress);
  if (!snapshot) {
    if (snapshot.error().code == Code::kCancelled) return tl::unexpected(snapshot.error());
    return tl::unexpected(with_context(snapshot.error(), options.graph.graph.path));
  }
  TIDELINE_TRY(const std::string bytes, draw(options, **snapshot));
  TIDELINE_RETURN_IF_ERROR(write_file(options.output, bytes, options.force));
  fmt::print("wrote {}\n", options.output);
  return {};
}

// By the name; nothing for another one.
bool ends_with(const std::string& path, std::string_view ending) {
  return path.size() > ending.size() && path.ends_with(ending);
}

int render_picture(RenderOptions& options) {
  const Status complete_status = complete(options.policy, options.graph);
  if (!complete_status && names_a_policy(options.policy)) {
    return report_usage(complete_status.error());
  }
  if (ends_with(options.output, ".png")) {
    return report_usage(
        {Code::kUnsupported,
         fmt::format("-o {}: this build draws no PNG (it has no window either); expected .svg",
                     options.output)});
  }
  if (!ends_with(options.output, ".svg")) {
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format("-o {}: expected a name that ends in .svg or .png", options.output)});
  }
  if (Status status = check_output_path(options.output, options.force); !status) {
    return report(status.error());
  }
  if (Status status = render_graph(options); !status) return report(status.error());
  return kExitDone;
}

void add_look(CLI::App& command, RenderOptions& options) {
  command.add_option("-o,--output", options.output, "Picture to write: .svg or .png")
      ->type_name("FILE")
      ->required();
  command.add_option("--view", options.view, "levels, memory, or both below each other")
      ->check(CLI::IsMember({"levels", "memory", "both"}))
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--size", options.size, "Width and height of the picture before --scale")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return parse_size_px(text) ? std::string()
                                       : fmt::format("expected WIDTHxHEIGHT, each {} to {}, not {}",
                                                     kLeastPx, kMostPx, text);
          },
          ""))
      ->type_name("WxH")
      ->capture_default_str();
  command
      .add_option("--scale", options.scale, "Enlarges the picture and everything in it (0.5 to 8)")
      ->check(CLI::Range(0.5, 8.0))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--theme", options.theme, "dark, light or color-blind-safe")
      ->check(CLI::IsMember({"dark", "light", "color-blind-safe"}))
      ->type_name("NAME")
      ->capture_default_str();
  command.add_flag("--force", options.force, "Replace FILE when it exists");
}

}  // namespace

void add_render(CLI::App& app, Action& action) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* command =
      app.add_subcommand("render", "A picture of levels, swaps and memory, without a window");
  add_graph(*command, options->graph);
  add_look(*command, *options);
  command
      ->add_option("--fetch", options->fetch,
                   "Ops that the step is run for (comma list; default: "
                   "the collection train_op, else all Apply ops)")
      ->type_name("OP,...");
  command
      ->add_option("--device-profile", options->profile,
                   "pcie3, pcie4, pcie5, nvlink, or a JSON file: how fast copies are")
      ->type_name("NAME|FILE")
      ->capture_default_str();
  add_lms2_options(*command, options->policy);
  command->callback(
      [options, &action] { action = [options] { return render_picture(*options); }; });
}

}  // namespace tideline::cli
