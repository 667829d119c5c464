#include "tests/gui/support/fixture.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <utility>

#include "app/engine/log_contents.h"
#include "app/gui/picture.h"
#include "app/session/log_images.h"
#include "core/graph/dtype.h"
#include "render/gl/png.h"
#include "render/model/checkpoint_contents.h"
#include "render/view/swap_layout.h"
#include "tests/support/made_summaries.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

namespace tideline::gui {
namespace {

std::vector<ui::SwapRow> swap_rows(const app::Snapshot& snapshot, const render::Scene& scene) {
  const render::OpLayout ops = render::layout_ops(scene);
  const render::SwapLayout layout = render::layout_swaps(scene, ops);
  std::vector<ui::SwapRow> rows;
  for (const render::SwapSpan& span : layout.spans) {
    ui::SwapRow row;
    row.tensor = span.tensor;
    row.name = scene.graph->tensor_name(span.tensor);
    row.bytes = span.bytes;
    row.producer_level = span.producer_level;
    row.out_level = span.out_level;
    row.in_level = span.in_level;
    row.consumer_level = span.consumer_level;
    row.transfer_ns = static_cast<std::int64_t>(static_cast<double>(span.bytes) /
                                                snapshot.profile.to_host.bytes_per_s * 1e9);
    row.slack_ns = row.transfer_ns * (span.consumer_level - span.in_level + 1);
    row.wait_ns = rows.size() % 7 == 3 ? 1'500'000 : 0;
    row.why = snapshot.plan().swaps()[span.swap].why;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<ui::ActionInfo> some_actions() {
  const auto action = [](const char* id, const char* title, const char* menu, const char* keys) {
    return ui::ActionInfo{.id = id, .title = title, .menu = menu, .keys = keys, .help = title};
  };
  std::vector<ui::ActionInfo> actions = {
      action("file.open-dialog", "Open...", "File", "Ctrl+O"),
      action("file.reload", "Reload", "File", "Ctrl+R F5"),
      action("file.write-dialog", "Write...", "File", "Ctrl+S"),
      action("file.quit", "Quit", "File", "Ctrl+Q"),
      action("edit.undo", "Undo: swapin ahead 3 \u2192 5", "Edit", "Ctrl+Z"),
      action("edit.redo", "Redo", "Edit", "Ctrl+Shift+Z Ctrl+Y"),
      action("view.fit", "Fit all", "View", "Home 0"),
      action("select.next-swap", "Next swap", "View", "."),
      action("help.keys", "Keys", "Help", "F1 ?"),
      action("policy.set", "Set a parameter", "", ""),
  };
  actions[5].enabled = false;
  actions.back().needs_arguments = true;
  return actions;
}

std::unique_ptr<Fixture> empty_fixture() {
  auto made = std::make_unique<Fixture>();
  made->model.actions = some_actions();
  made->model.graph_formats = "GraphDef (.pb, .pbtxt), MetaGraph (.meta)";
  made->model.recent_files = {"/home/ann/graphs/resnet50.meta", "/home/ann/logs/run1"};
  return made;
}

std::unique_ptr<Fixture> fixture(const std::string& path, const Policy& policy,
                                 std::optional<std::int64_t> batch_size, const std::string& trace) {
  auto made = empty_fixture();
  Progress progress;
  app::OpenRequest request;
  request.graph.path = path.starts_with('/') ? path : TIDELINE_SOURCE_DIR "/" + path;
  request.batch_size = batch_size;
  if (!trace.empty()) request.trace = events::TraceChoice{trace, {}, {}};
  const auto opened = app::open(request, progress);
  INFO((opened ? "" : opened.error().message));
  REQUIRE(opened);
  made->policy = policy;
  auto snapshot = app::make_snapshot(*opened, policy, made->profile, progress);
  INFO((snapshot ? "" : snapshot.error().message));
  REQUIRE(snapshot);
  made->snapshot = *std::move(snapshot);
  const app::Snapshot& shown = *made->snapshot;
  made->totals = {shown.shown->scope_bytes, shown.scope_swapped};
  ui::UiModel& model = made->model;
  model.revision = 1;
  model.scene = shown.scene();
  model.tried = shown.tried;
  model.path = path;
  model.format = "MetaGraph, binary";
  model.summary = &shown.graph->summary;
  model.diagnostics = &shown.graph->diagnostics;
  model.scope_totals = &made->totals;
  model.policy = &made->policy;
  model.profile = &made->profile;
  model.undo_title = "swapin ahead 3 \u2192 5";
  model.unwritten = true;
  if (shown.has_plan()) model.swaps = swap_rows(shown, *model.scene);
  return made;
}

Policy lms2(int threshold, int ahead, int groupby) {
  Policy policy;
  policy.rewriter = "lms2";
  set_value(policy, "swapout-threshold", threshold);
  set_value(policy, "swapin-ahead", ahead);
  set_value(policy, "swapin-groupby", groupby);
  return policy;
}

std::unique_ptr<Fixture> tutorial() {
  return fixture("assets/samples/tutorial_mnist.meta", lms2(50, 3, 2), 100);
}

std::unique_ptr<Fixture> logged_training() {
  const test::TemporaryFolder folder;
  for (const std::string run : {"train", "eval"}) {
    std::filesystem::create_directories(folder.file(run));
    std::ofstream file(folder.file(run + "/tfevents"), std::ios::binary);
    const bool is_train = run == "train";
    std::mt19937 random(1);
    for (int row = 0; row < 400; row += is_train ? 1 : 20) {
      const int step = row < 300 ? row : row - 60;  // it began again from step 240
      const float noise = static_cast<float>(random() % 1000) / 10'000;
      const float loss = 2 / (1 + static_cast<float>(step) / 40) + (is_train ? noise : 0.3F);
      std::string values = test::simple_value("loss/total", loss);
      values += test::simple_value("loss/l2", 0.1F + loss / 20);
      if (is_train) {
        values += test::simple_value("learning_rate", step < 200 ? 0.01F : 0.001F);
      }
      file << test::summary_record(step, values, 1763820000 + 3.0 * row);
    }
  }
  Progress silent;
  auto log = test::read_event_log(folder.file(""), events::AtDamage::kStop, silent);
  REQUIRE(log);
  auto made = empty_fixture();
  auto contents = app::make_log_contents("/logs/mnist",
                                         std::make_shared<const events::EventLog>(*std::move(log)));
  contents->graphs = {{"train", "__run_graph__", "graph_def", 1024}};
  made->model.log = contents;
  return made;
}

namespace {

// Normal samples around `mean`, in buckets as TensorFlow has them.
std::string normal_histogram(double mean, double deviation) {
  std::vector<double> limits;
  std::vector<double> counts;
  for (double limit = -2; limit <= 2; limit += 0.05) {
    const double off = (limit - 0.025 - mean) / deviation;
    limits.push_back(limit);
    counts.push_back(std::floor(1000 * std::exp(-off * off / 2)));
  }
  return test::histogram_of(-2.05, 2, limits, counts);
}

// A bright ring that grows with the step.
std::string ring_png(int step) {
  gl::Image image{28, 28, {}};
  for (int y = 0; y < 28; ++y) {
    for (int x = 0; x < 28; ++x) {
      const double distance = std::hypot(x - 13.5, y - 13.5) - 4 - step / 40.0;
      const auto light = static_cast<std::uint8_t>(255 * std::exp(-distance * distance / 4));
      const auto blue = static_cast<std::uint8_t>(4 * x + 4 * y);
      image.rgba.insert(image.rgba.end(), {light, light, blue, 255});
    }
  }
  const auto bytes = gl::encode_png(image);
  REQUIRE(bytes);
  return *bytes;
}

std::string page_values(const std::string& run, int step) {
  std::string values = test::summary_value_of(
      "dense/kernel", test::bytes_field(events::summary_value::kHistogram,
                                        normal_histogram(run == "train" ? step / 300.0 - 0.5 : 0.2,
                                                         0.6 - step / 1000.0)));
  std::string image;
  io::append_varint_field(image, events::image::kWidth, 28);
  io::append_varint_field(image, events::image::kHeight, 28);
  image += test::bytes_field(events::image::kEncoded,
                             run == "eval" ? "\x89PNG and nothing more" : ring_png(step));
  values +=
      test::summary_value_of("digits", test::bytes_field(events::summary_value::kImage, image));
  if (run == "train") {
    values += test::tensor_value(
        "notes", "text",
        test::text_tensor(
            {fmt::format("epoch {}: \x1b[31mlr\x1b[0m = 0.01\n\n* a list\n* of two", step / 20)}));
  }
  return values;
}

}  // namespace

std::unique_ptr<Fixture> logged_pages() {
  const test::TemporaryFolder folder;
  for (const std::string run : {"train", "eval"}) {
    std::filesystem::create_directories(folder.file(run));
    std::ofstream file(folder.file(run + "/tfevents"), std::ios::binary);
    for (int step = 0; step <= 200; step += 10) {
      file << test::summary_record(step, page_values(run, step), 1763820000 + 3.0 * step);
    }
  }
  Progress silent;
  auto read = test::read_event_log(folder.file(""), events::AtDamage::kStop, silent);
  REQUIRE(read);
  const auto log = std::make_shared<const events::EventLog>(*std::move(read));
  auto made = empty_fixture();
  auto contents = app::make_log_contents("/logs/digits", log);
  contents->graphs = {{"train", "__run_graph__", "graph_def", 1024}};
  contents->traces = {{"train", "step100", 100}};
  made->model.log = contents;
  auto images = std::make_shared<ui::LogImages>();
  for (std::uint32_t i = 0; i < log->series().size(); ++i) {
    if (log->series()[i].kind != events::SeriesKind::kImage) continue;
    for (std::size_t row = 0; row < log->series()[i].rows.size(); ++row) {
      const ui::LogRowKey key = {i, row};
      images->rows[key] = app::read_images(*log, key, decode_logged_image);
    }
  }
  made->model.log_images = images;
  return made;
}

std::unique_ptr<Fixture> opened_log(const std::string& name) {
  Progress silent;
  auto read =
      test::read_event_log(std::string(TIDELINE_SOURCE_DIR "/tests/data/foreign/logs/") + name,
                           events::AtDamage::kStop, silent);
  REQUIRE(read);
  auto made = empty_fixture();
  made->model.log = app::make_log_contents(
      "/logs/" + name, std::make_shared<const events::EventLog>(*std::move(read)));
  return made;
}

std::unique_ptr<Fixture> trained_checkpoint() {
  auto listing = std::make_shared<ui::CheckpointListing>();
  listing->path = "/checkpoints/mnist/model-1200";
  listing->format = "TensorFlow checkpoint";
  listing->files = {"/checkpoints/mnist/model-1200.data-00000-of-00001"};
  const auto add = [&](const std::string& name, const char* shape, Bytes bytes, const char* crc) {
    listing->tensors.push_back({name, "float32", shape, crc, bytes});
    listing->bytes += bytes;
  };
  for (const std::string layer : {"conv1", "conv2", "dense"}) {
    const bool is_dense = layer == "dense";
    const char* kernel = is_dense ? "[3136,10]" : "[3,3,32,64]";
    const Bytes bytes = is_dense ? 125'440 : 73'728;
    add("model/" + layer + "/bias", is_dense ? "[10]" : "[64]", is_dense ? 40 : 256, "9be87a01");
    add("model/" + layer + "/bias/Adam", is_dense ? "[10]" : "[64]", is_dense ? 40 : 256,
        "0badcafe");
    add("model/" + layer + "/kernel", kernel, bytes, "28c0c9b1");
    add("model/" + layer + "/kernel/Adam", kernel, bytes, "3 slices");
  }
  listing->tensors.push_back({"step", "int64", "[]", "1b00e0c4", 8});
  std::vector<std::string> names;
  std::vector<Bytes> bytes;
  for (const ui::StoredRow& tensor : listing->tensors) {
    names.push_back(tensor.name);
    bytes.push_back(tensor.bytes);
  }
  listing->tree = ui::TensorTree(names, bytes);

  auto contents = std::make_shared<ui::CheckpointContents>();
  contents->listing = listing;
  contents->selected = "model/conv2/kernel";
  auto facts = std::make_shared<ui::TensorFacts>();
  facts->name = contents->selected;
  facts->rows = {{"type", "float32"},    {"shape", "[3,3,32,64]"},
                 {"elements", "18432"},  {"bytes", "72.00 KiB"},
                 {"crc32c", "28c0c9b1"}, {"min", "-0.41327"},
                 {"max", "0.398114"},    {"mean", "0.00103"},
                 {"NaN", "0"},           {"infinite", "0"},
                 {"zero", "12"}};
  for (int bin = -24; bin < 24; ++bin) {
    facts->histogram.push_back(bin == 20 ? 0 : 1200 - 2 * bin * bin + 7 * (bin % 5));
  }
  facts->least = "-0.4133";
  facts->most = "0.3981";
  contents->facts = facts;
  contents->check = std::make_shared<const ui::CheckpointCheck>(ui::CheckpointCheck{
      false,
      {"model-1200.data-00000-of-00001: tensor 'model/dense/bias': bit 3 of byte 21 is flipped"},
      "model-1200: 13 tensors, 545.66 KiB read: 1 damage"});
  contents->comparison = std::make_shared<const ui::CheckpointComparison>(
      ui::CheckpointComparison{"/checkpoints/mnist/model-1100",
                               10,
                               {{"model/conv2/bias",
                                 "64 of 64 elements differ, the first is "
                                 "number 0, by at most 0.0031"},
                                {"model/dense/kernel", "only in the first"},
                                {"step",
                                 "1 of 1 elements differ, the first is number 0, by at "
                                 "most 100"}}});
  contents->backends = std::make_shared<const std::vector<ui::BackendRow>>(
      std::vector<ui::BackendRow>{{"file",
                                   "TensorFlow checkpoints, written past the page cache",
                                   "/usr/lib/tideline/plugins/tideline_checkpoint_file.so",
                                   {"saves", "loads", "lists", "asynchronous"}},
                                  {"memory",
                                   "Copies in the process",
                                   "/usr/lib/tideline/plugins/tideline_checkpoint_memory.so",
                                   {"saves", "loads", "thread-safe"}}});
  auto made = empty_fixture();
  made->model.checkpoint = contents;
  made->model.checkpoint_formats = "TensorFlow checkpoint, safetensors, folder of .npy files";
  return made;
}

void select(Fixture& fixture, ui::ViewState& view, const std::string& name) {
  const render::Scene& scene = *fixture.model.scene;
  const OpId op = scene.graph->find(name);
  REQUIRE(op.valid());
  ui::OpCard card;
  card.op = op;
  card.name = name;
  card.type = std::string(scene.graph->type(op));
  card.device = std::string(scene.graph->device(op));
  card.phase = phase_name(scene.phases->of(op));
  card.scope = std::string(scene.scopes->scopes[scene.scopes->scope_of[op.index()]].path);
  card.level = scene.levels->level(op);
  for (std::uint32_t slot = 0; slot < scene.tensors->output_count(op); ++slot) {
    const TensorId tensor = {op, slot};
    ui::TensorCard output;
    output.tensor = tensor;
    output.name = scene.graph->tensor_name(tensor);
    output.shape = "[100,28,28,32]";
    output.type = "float32";
    output.bytes = scene.tensors->bytes(tensor);
    output.why = "distance 61 levels > threshold 50; rank 4; no filter";
    output.memory = "device 4-6, host 4-78, device 78-81; at the peak: yes, as copy";
    card.outputs.push_back(output);
  }
  for (const TensorId input : scene.graph->inputs(op))
    card.inputs.push_back(scene.graph->tensor_name(input));
  for (const Use& use : scene.consumers->data(op))
    card.consumers.emplace_back(scene.graph->name(use.consumer));
  card.attributes = {{"T", "DT_FLOAT"}, {"_output_shapes", "[[?,28,28,32]]"}};
  view.selected = TensorId{op, 0};
  fixture.model.selected = std::move(card);
}

}  // namespace tideline::gui
