// The window while a large log is opened: after how long the first chart has points, and the most
// CPU that a frame takes until its draw lists are ready. bench_log_ui LOGDIR...: five times each.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/actions/ui_model.h"
#include "render/model/view_cache.h"
#include "render/ui/imgui_context.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace {

using namespace tideline;  // NOLINT: a program of one file
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 5;
constexpr std::chrono::microseconds kFrame(16'667);

double cpu_ms_of_thread() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Opened {
  std::optional<double> first_chart_s;
  double loaded_s = 0;
  std::vector<double> frames_ms;  // of CPU
};

bool has_points(const ui::UiModel& model) {
  if (model.log == nullptr) return false;
  const auto& all = model.log->events->series();
  return std::any_of(all.begin(), all.end(),
                     [](const auto& series) { return !series.points.empty(); });
}

Opened open(const std::string& path) {
  const ui::ImGuiScope scope;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {1600, 1000};
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  const ui::Fonts fonts = ui::load_fonts(*io.Fonts, 15);
  ui::apply_theme(render::ThemeKind::kDark, 1);
  app::Session session([] {});
  app::Viewer viewer(session);
  ui::Widgets widgets;
  ui::ViewCache cache;
  Opened opened;
  const Clock::time_point begin = Clock::now();
  app::OpenRequest request;
  request.graph.path = path;
  viewer.shown = session.open(*app::find_document_kind("log"), request);
  // A few frames after the last part, which frees what the part before had.
  for (int after = 0; after < 30;) {
    const Clock::time_point frame = Clock::now();
    const double before = cpu_ms_of_thread();
    app::poll(viewer);
    const ui::UiModel& model = app::make_ui_model(viewer);
    ui::Intents intents;
    ImGui::NewFrame();
    ui::Ui ui = {model, viewer.view, widgets, intents, fonts, cache};
    ui::draw_window(ui);
    ImGui::Render();
    opened.frames_ms.push_back(cpu_ms_of_thread() - before);
    if (!opened.first_chart_s && has_points(model)) opened.first_chart_s = seconds_since(begin);
    const auto job = session.find(viewer.shown);
    if (job == nullptr) break;
    if (after == 0 && opened.first_chart_s && !session.is_busy())
      opened.loaded_s = seconds_since(begin);
    if (opened.loaded_s > 0) ++after;
    std::this_thread::sleep_until(frame + kFrame);
  }
  return opened;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    for (int round = 0; round < kRounds; ++round) {
      Opened opened = open(argv[i]);
      if (!opened.first_chart_s) {
        fmt::print(stderr, "bench_log_ui: {} has no scalars that can be read\n", argv[i]);
        return 1;
      }
      auto& frames = opened.frames_ms;
      std::sort(frames.begin(), frames.end());
      fmt::print(
          "first chart {:.2f} s, loaded {:.2f} s, CPU of {} frames: median {:.1f} ms, longest "
          "{:.1f} ms\n",
          *opened.first_chart_s, opened.loaded_s, frames.size(), frames[frames.size() / 2],
          frames.back());
    }
  }
}
