// Tested by unit/web/routes_checkpoint_test.cc.
#include "app/web/checkpoint_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/session/document.h"
#include "app/web/state_json.h"
#include "core/base/text.h"
#include "render/model/checkpoint_contents.h"

namespace tideline::web {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// By number of CheckpointView::sort_column.
constexpr std::array<std::string_view, 5> kTensorColumns = {"name", "type", "shape", "bytes",
                                                            "checksum"};
constexpr std::size_t kMostFilesNamed = 8;
constexpr std::size_t kMostDamages = 20;
constexpr std::size_t kMostClosed = 2000;
constexpr std::size_t kLongestTensor = 1000;

ordered_json facts_json(const Served& served, const ui::TensorFacts& facts) {
  ordered_json shown;
  shown["rows"] = ordered_json::array();
  for (const auto& [name, value] : facts.rows) shown["rows"].push_back({name, value});
  shown["histogram"] = facts.histogram;
  shown["least"] = facts.least;
  shown["most"] = facts.most;
  shown["other_histogram"] = facts.other_histogram;
  shown["other"] = served.shown(printable(facts.other, kLongestTensor));
  shown["problem"] = served.shown(printable(facts.problem, kLongestTensor));
  return shown;
}

ordered_json check_json(const Served& served, const ui::CheckpointCheck& check) {
  ordered_json damages = ordered_json::array();
  for (std::size_t i = 0; i < std::min(check.damages.size(), kMostDamages); ++i) {
    damages.push_back(served.shown(printable(check.damages[i], kLongestTensor)));
  }
  return {{"whole", check.is_whole},
          {"summary", printable(check.summary, kLongestTensor)},
          {"damages", damages},
          {"damage_count", check.damages.size()}};
}

ordered_json tensor_json(const ui::CheckpointListing& listing, std::uint32_t index, bool is_tree,
                         const std::vector<std::uint32_t>& closed) {
  const ui::TensorTree::Node& node = listing.tree.nodes()[index];
  const bool has_parts = is_tree && node.end > index + 1;
  ordered_json row = {{"node", index},
                      {"depth", is_tree ? node.depth : 0},
                      {"label", printable(node.label, kLongestTensor)},
                      {"tensor", nullptr},
                      {"bytes", node.bytes},
                      {"size", format_bytes(node.bytes)},
                      {"tensors", node.tensor_count},
                      {"has_parts", has_parts},
                      {"open", !std::binary_search(closed.begin(), closed.end(), index)}};
  if (node.tensor == ui::TensorTree::kNone) return row;
  const ui::StoredRow& tensor = listing.tensors[static_cast<std::size_t>(node.tensor)];
  row["tensor"] = tensor.name;
  if (!is_tree) row["label"] = printable(tensor.name, kLongestTensor);
  row["type"] = tensor.type;
  row["shape"] = tensor.shape;
  row["bytes"] = tensor.bytes;
  row["size"] = format_bytes(tensor.bytes);
  row["checksum"] = tensor.checksum;
  return row;
}

Status take_order(ui::CheckpointView& view, const Request& request) {
  view.filter = request.parameter("filter");
  std::string_view sort = request.parameter("sort");
  if (sort.empty()) return {};
  const bool is_descending = sort.starts_with('-');
  if (is_descending) sort.remove_prefix(1);
  const auto* const found = std::find(kTensorColumns.begin(), kTensorColumns.end(), sort);
  if (found == kTensorColumns.end()) {
    return fail(Code::kInvalidArgument,
                "sort: invalid value '{}'; expected {}, with - in front for the other way round",
                printable(sort), fmt::join(kTensorColumns, ", "));
  }
  view.sort_column = static_cast<int>(found - kTensorColumns.begin());
  view.sort_descending = is_descending;
  return {};
}

Result<ordered_json> tensors_json(Served& served, const Request& request, std::size_t first,
                                  std::size_t count) {
  ui::CheckpointView& view = served.viewer.view.checkpoint;
  TIDELINE_RETURN_IF_ERROR(take_order(view, request));
  const ui::UiModel& model = update_model(served);
  const std::vector<std::uint32_t>& rows = served.cache.tensor_rows();
  const bool is_tree = view.sort_column == 0 && !view.sort_descending;
  ordered_json list = ordered_json::array();
  for (std::size_t i = std::min(first, rows.size()); i < std::min(rows.size(), first + count);
       ++i) {
    list.push_back(tensor_json(*model.checkpoint->listing, rows[i], is_tree, view.closed));
  }
  return ordered_json{{"total", rows.size()},
                      {"rows", std::move(list)},
                      {"problem", served.cache.tensor_filter().error()}};
}

ordered_json differences_json(const ui::CheckpointContents& checkpoint, std::size_t first,
                              std::size_t count) {
  ordered_json list = ordered_json::array();
  std::size_t total = 0;
  if (checkpoint.comparison) {
    const auto& rows = checkpoint.comparison->different;
    total = rows.size();
    for (std::size_t i = std::min(first, total); i < std::min(total, first + count); ++i) {
      list.push_back({{"tensor", rows[i].name},
                      {"name", printable(rows[i].name, kLongestTensor)},
                      {"what", printable(rows[i].what, kLongestTensor)}});
    }
  }
  return {{"total", total}, {"rows", std::move(list)}};
}

}  // namespace

ordered_json checkpoint_json(Served& served, const ui::UiModel& model) {
  const ui::CheckpointContents& checkpoint = *model.checkpoint;
  const ui::CheckpointListing& listing = *checkpoint.listing;
  ordered_json shown;
  shown["path"] = served.shown(printable(listing.path, kLongestTensor));
  shown["format"] = listing.format;
  shown["tensors"] = listing.tensors.size();
  shown["bytes"] = listing.bytes;
  shown["size"] = format_bytes(listing.bytes);
  shown["files"] = ordered_json::array();
  for (std::size_t i = 0; i < std::min(listing.files.size(), kMostFilesNamed); ++i) {
    shown["files"].push_back(printable(app::file_name(listing.files[i]), 400));
  }
  shown["file_count"] = listing.files.size();
  shown["selected"] = checkpoint.selected;
  shown["facts"] = nullptr;
  if (checkpoint.facts) shown["facts"] = facts_json(served, *checkpoint.facts);
  shown["check"] = nullptr;
  if (checkpoint.check) shown["check"] = check_json(served, *checkpoint.check);
  shown["comparison"] = nullptr;
  if (const auto& comparison = checkpoint.comparison) {
    shown["comparison"] = {{"path", served.shown(printable(comparison->path, kLongestTensor))},
                           {"equal", comparison->equal},
                           {"different", comparison->different.size()}};
  }
  return shown;
}

Result<ordered_json> checkpoint_rows_json(Served& served, const Request& request, std::size_t first,
                                          std::size_t count) {
  const std::string_view table = request.parameter("table");
  if (table == "tensors") return tensors_json(served, request, first, count);
  if (table == "differences") {
    return differences_json(*update_model(served).checkpoint, first, count);
  }
  return fail(Code::kInvalidArgument, "table: invalid value '{}'; expected tensors or differences",
              printable(table));
}

ordered_json checkpoint_view_json(const ui::CheckpointView& view) {
  ordered_json shown = ordered_json::object();
  if (view.closed.size() <= kMostClosed) shown["closed"] = view.closed;
  return shown;
}

bool set_checkpoint_view(ui::CheckpointView& view, const json& value) {
  if (!value.is_object()) return false;
  std::vector<std::uint32_t> closed = view.closed;
  for (const auto& item : value.items()) {
    if (item.key() != "closed" || !item.value().is_array()) return false;
    closed.clear();
    for (const json& node : item.value()) {
      if (!node.is_number_unsigned() || node.get<std::uint64_t>() > 0xFFFFFFFFU) return false;
      closed.push_back(node.get<std::uint32_t>());
    }
  }
  std::sort(closed.begin(), closed.end());
  closed.erase(std::unique(closed.begin(), closed.end()), closed.end());
  view.closed = std::move(closed);
  return true;
}

}  // namespace tideline::web
