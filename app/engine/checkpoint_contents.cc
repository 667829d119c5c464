// Tested by unit/session/checkpoint_document_test.cc.
#include "app/engine/checkpoint_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "app/engine/checkpoint_text.h"
#include "core/base/text.h"
#include "core/checkpoint/compare.h"
#include "core/checkpoint/find_checkpoint.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/histogram.h"
#include "core/checkpoint/statistics.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/verify.h"
#include "core/graph/element_type.h"

namespace tideline::app {
namespace {

using checkpoint::Checkpoint;
using checkpoint::DataFiles;
using checkpoint::StoredTensor;

constexpr std::size_t kShownStrings = 8;
constexpr std::size_t kShownBytes = 200;

bool has_order(const StoredTensor& tensor) {
  const ElementFamily family = element_family(tensor.type);
  return family != ElementFamily::kNone && family != ElementFamily::kComplex;
}

// Of a tensor and, if that has numbers of the name, of another checkpoint.
Status add_histograms(DataFiles& files, const StoredTensor& tensor, const Checkpoint* other,
                      Progress& progress, ui::TensorFacts& facts) {
  const StoredTensor* twin = other != nullptr ? other->find(tensor.name) : nullptr;
  const bool has_twin = twin != nullptr && has_order(*twin);
  checkpoint::Histogram histogram;
  bool has_both = false;
  if (has_twin) {
    DataFiles other_files(*other);
    auto both =
        checkpoint::histograms_of({&files, &tensor}, {&other_files, twin}, kShownBins, progress);
    if (!both && both.error().code == Code::kCancelled) return tl::unexpected(both.error());
    has_both = both.has_value();
    if (has_both) {
      histogram = std::move(both->first);
      facts.other_histogram = std::move(both->second.counts);
    } else {
      facts.problem = with_context(both.error(), other->path).message;
    }
  }
  if (!has_both) {
    TIDELINE_TRY(histogram, checkpoint::histogram_of(files, tensor, kShownBins, progress));
  }
  facts.histogram = std::move(histogram.counts);
  if (facts.histogram.empty() && facts.other_histogram.empty()) return {};
  facts.least = fmt::format("{:.4g}", histogram.least);
  facts.most = fmt::format("{:.4g}", histogram.most);
  return {};
}

Status add_numbers(DataFiles& files, const StoredTensor& tensor, const Checkpoint* other,
                   Progress& progress, ui::TensorFacts& facts) {
  TIDELINE_TRY(const checkpoint::Statistics found,
               checkpoint::statistics_of(files, tensor, progress));
  auto& rows = facts.rows;
  rows.emplace_back("min", number_text(found.least));
  rows.emplace_back("max", number_text(found.most));
  rows.emplace_back("mean", number_text(found.mean));
  rows.emplace_back("NaN", fmt::format("{}", found.nans));
  rows.emplace_back("infinite", fmt::format("{}", found.infinities));
  rows.emplace_back("zero", fmt::format("{}", found.zeros));
  if (!has_order(tensor)) return {};
  return add_histograms(files, tensor, other, progress, facts);
}

Status add_strings(DataFiles& files, const StoredTensor& tensor, ui::TensorFacts& facts) {
  TIDELINE_TRY(const std::vector<std::string> strings, checkpoint::read_strings(files, tensor));
  for (std::size_t i = 0; i < strings.size() && i < kShownStrings; ++i) {
    facts.rows.emplace_back(fmt::format("[{}]", i), printable(strings[i], kShownBytes));
  }
  return {};
}

Status add_values(DataFiles& files, const StoredTensor& tensor, const Checkpoint* other,
                  Progress& progress, ui::TensorFacts& facts) {
  if (tensor.type == DataType::kString) return add_strings(files, tensor, facts);
  if (element_family(tensor.type) == ElementFamily::kNone) return {};
  return add_numbers(files, tensor, other, progress, facts);
}

// What has no numbers to be compared comes first.
std::pair<bool, double> rank_of(const checkpoint::TensorDifference& each) {
  const bool is_of_values = each.change == checkpoint::TensorChange::kValues && each.largest;
  return {!is_of_values, is_of_values ? *each.largest : 0};
}

}  // namespace

std::shared_ptr<const ui::CheckpointListing> list_checkpoint(const Checkpoint& checkpoint) {
  auto listing = std::make_shared<ui::CheckpointListing>();
  listing->path = checkpoint.path;
  listing->format = checkpoint.format->title;
  listing->files = checkpoint.files;
  listing->bytes = stored_bytes(checkpoint);
  std::vector<std::string> names;
  std::vector<Bytes> bytes;
  for (const StoredTensor& tensor : checkpoint.tensors) {
    listing->tensors.push_back({tensor.name, checkpoint::type_name(tensor), shape_text(tensor),
                                checksum_text(tensor), tensor.stored_bytes()});
    names.push_back(tensor.name);
    bytes.push_back(tensor.stored_bytes());
  }
  listing->tree = ui::TensorTree(names, bytes);
  return listing;
}

Result<std::shared_ptr<const ui::TensorFacts>> look_at_tensor(const Checkpoint& checkpoint,
                                                              const std::string& name,
                                                              const std::string& other,
                                                              Progress& progress) {
  const StoredTensor* tensor = checkpoint.find(name);
  if (tensor == nullptr) {
    return fail(Code::kNotFound, "{}: has no tensor '{}'", checkpoint.path, printable(name));
  }
  auto facts = std::make_shared<ui::TensorFacts>();
  facts->name = name;
  facts->rows = {{"type", checkpoint::type_name(*tensor)},
                 {"shape", shape_text(*tensor)},
                 {"elements", fmt::format("{}", tensor->element_count())},
                 {"bytes", format_bytes(tensor->stored_bytes())},
                 {"crc32c", checksum_text(*tensor)}};
  DataFiles files(checkpoint);
  std::optional<Checkpoint> compared;
  if (!other.empty()) {
    auto opened = checkpoint::open_checkpoint(other);
    if (opened) {
      compared = *std::move(opened);
    } else {
      facts->problem = opened.error().message;
    }
    facts->other = other;
  }
  const Checkpoint* beside = compared ? &*compared : nullptr;
  if (const Status status = add_values(files, *tensor, beside, progress, *facts); !status) {
    if (status.error().code == Code::kCancelled) return tl::unexpected(status.error());
    facts->problem = status.error().message;
  }
  return std::shared_ptr<const ui::TensorFacts>(std::move(facts));
}

Result<std::shared_ptr<const ui::CheckpointCheck>> check_checkpoint(const Checkpoint& checkpoint,
                                                                    Progress& progress) {
  TIDELINE_TRY(const checkpoint::Verification found, checkpoint::verify(checkpoint, progress));
  auto check = std::make_shared<ui::CheckpointCheck>();
  check->is_whole = found.damages.empty();
  for (const checkpoint::Damage& damage : found.damages) {
    check->damages.push_back(damage_text(damage));
  }
  check->summary = summary_text(checkpoint.path, found);
  if (const std::string unchecked = unchecked_text(found); !unchecked.empty()) {
    check->summary += "; " + unchecked;
  }
  return std::shared_ptr<const ui::CheckpointCheck>(std::move(check));
}

Result<std::shared_ptr<const ui::CheckpointComparison>> compare_with(const Checkpoint& checkpoint,
                                                                     const std::string& path,
                                                                     Progress& progress) {
  TIDELINE_TRY(const Checkpoint other, checkpoint::open_checkpoint(path));
  TIDELINE_TRY(const auto compared, checkpoint::compare(checkpoint, other, progress));
  auto comparison = std::make_shared<ui::CheckpointComparison>();
  comparison->path = other.path;
  std::vector<const checkpoint::TensorDifference*> different;
  for (const checkpoint::TensorDifference& each : compared) {
    if (each.change == checkpoint::TensorChange::kEqual) {
      ++comparison->equal;
    } else if (each.change == checkpoint::TensorChange::kOnlyFirst || each.moved == nullptr) {
      different.push_back(&each);
    }
  }
  std::stable_sort(different.begin(), different.end(),
                   [](const auto* a, const auto* b) { return rank_of(*a) > rank_of(*b); });
  for (const auto* each : different) {
    comparison->different.push_back({each->name, what_differs(*each)});
  }
  return std::shared_ptr<const ui::CheckpointComparison>(std::move(comparison));
}

std::vector<checkpoint::BackendFacts> installed_backends(std::vector<Error>& problems) {
  // For the whole process, because plugins stay loaded until it ends.
  static checkpoint::Backends backends;
  problems = backends.find_all();
  return backends.facts();
}

ui::BackendRow backend_row(const checkpoint::BackendFacts& facts) {
  return {facts.name, facts.about, facts.library, checkpoint::capability_names(facts.capabilities)};
}

}  // namespace tideline::app
