// `checkpoint verify`, `checkpoint diff` and `checkpoint convert`.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/checkpoint.h"
#include "app/cli/terminal.h"
#include "app/engine/checkpoint_text.h"
#include "core/base/units.h"
#include "core/checkpoint/compare.h"
#include "core/checkpoint/convert.h"
#include "core/checkpoint/verify.h"
#include "core/graph/element_type.h"

namespace tideline::cli {
namespace {

using checkpoint::Checkpoint;
using checkpoint::Damage;
using checkpoint::StoredTensor;
using checkpoint::TensorChange;
using checkpoint::TensorDifference;
using checkpoint::Verification;
using Json = nlohmann::ordered_json;

struct VerifyOptions {
  std::string path;
  bool json = false;
};

struct CheckpointDiffOptions {
  std::string first;
  std::string second;
  bool json = false;
};

struct CheckpointConvertOptions {
  std::string path;
  std::string output;
  std::string format;
  bool force = false;
  bool quiet = false;
};

void print_json(const std::string& path, const Verification& found) {
  Json json = {{"path", path},
               {"tensors", found.tensors},
               {"bytes", found.bytes},
               {"without_checksum", found.unchecked},
               {"damages", Json::array()}};
  for (const Damage& damage : found.damages) {
    json["damages"].push_back(
        {{"tensor", damage.tensor.empty() ? Json(nullptr) : Json(damage.tensor)},
         {"file", damage.file},
         {"offset", damage.offset},
         {"bytes", damage.bytes},
         {"bit", damage.bit < 0 ? Json(nullptr) : Json(damage.bit)},
         {"what", damage.what}});
  }
  say_json(json);
}

void print_text(const Checkpoint& opened, const Verification& found) {
  for (const Damage& damage : found.damages) say("{}\n", app::damage_text(damage));
  say("{}\n", app::summary_text(opened.path, found));
  const std::string unchecked = app::unchecked_text(found);
  if (!unchecked.empty()) say("{}\n", unchecked);
}

int verify_checkpoint(const VerifyOptions& options) {
  const auto opened = open_named_checkpoint(options.path);
  if (!opened) {
    // A damaged index is a finding like any other.
    const int code = report(opened.error());
    if (opened.error().code != Code::kCorrupt) return code;
    Verification found;
    found.damages.push_back({"", options.path, 0, 0, -1, opened.error().message});
    if (options.json) print_json(options.path, found);
    return kExitCheck;
  }
  TerminalProgress progress(options.json);
  const auto found = checkpoint::verify(*opened, progress);
  if (!found) return report(found.error());
  if (options.json) {
    print_json(opened->path, *found);
  } else {
    print_text(*opened, *found);
  }
  return found->damages.empty() ? kExitDone : kExitCheck;
}

Json difference_json(const TensorDifference& found) {
  Json json;
  json["name"] = found.name;
  json["change"] = found.moved != nullptr ? "moved" : checkpoint::change_name(found.change);
  const StoredTensor* second = found.moved != nullptr ? found.moved : found.second;
  for (const auto& [side, tensor] :
       {std::pair("first", found.first), std::pair("second", second)}) {
    json[side] = nullptr;
    if (tensor == nullptr) continue;
    json[side] = {{"dtype", checkpoint::type_name(*tensor)}, {"shape", tensor->dims}};
  }
  if (found.moved != nullptr) json["moved_to"] = found.moved->name;
  if (found.change == TensorChange::kValues) {
    json["different_elements"] = found.different;
    json["first_different"] = found.first_different;
    json["largest_difference"] = found.largest ? Json(*found.largest) : Json(nullptr);
  }
  return json;
}

// The number of tensors that differ.
Result<std::int64_t> diff(const CheckpointDiffOptions& options, Progress& progress) {
  TIDELINE_TRY(const Checkpoint first, open_named_checkpoint(options.first));
  TIDELINE_TRY(const Checkpoint second, open_named_checkpoint(options.second));
  TIDELINE_TRY(const auto found, checkpoint::compare(first, second, progress));
  std::int64_t equal = 0;
  std::int64_t moved = 0;  // two entries each, of which the first counts
  for (const TensorDifference& each : found) {
    if (each.change == TensorChange::kEqual) ++equal;
    if (each.change == TensorChange::kOnlyFirst && each.moved != nullptr) ++moved;
  }
  const std::int64_t different = static_cast<std::int64_t>(found.size()) - equal - moved;
  Json differences = Json::array();
  for (const TensorDifference& each : found) {
    const bool is_second = each.change == TensorChange::kOnlySecond && each.moved != nullptr;
    if (each.change == TensorChange::kEqual || is_second) continue;
    if (options.json) {
      differences.push_back(difference_json(each));
    } else {
      say("{}: {}\n", each.name, app::what_differs(each));
    }
  }
  if (options.json) {
    say_json({{"first", first.path},
              {"second", second.path},
              {"equal", equal},
              {"different", different},
              {"differences", std::move(differences)}});
  } else {
    say("{} tensors are equal, {} differ{}\n", equal, different,
        moved > 0 ? fmt::format(", {} of them only in their names", moved) : "");
  }
  return different;
}

int diff_checkpoints(const CheckpointDiffOptions& options) {
  TerminalProgress progress(options.json);
  const auto different = diff(options, progress);
  if (!different) return report(different.error());
  return *different == 0 ? kExitDone : kExitCheck;
}

Status convert_checkpoint_file(const CheckpointConvertOptions& options) {
  const auto& format = options.format.empty() ? checkpoint::format_of_name(options.output)
                                              : *checkpoint::parse_format(options.format);
  TIDELINE_TRY(const Checkpoint opened, open_named_checkpoint(options.path));
  TerminalProgress progress(options.quiet);
  TIDELINE_RETURN_IF_ERROR(
      checkpoint::convert(opened, options.output, format, options.force, progress));
  if (!options.quiet) {
    say("wrote {}: {}, {} tensors\n", options.output, format.title, opened.tensors.size());
  }
  return {};
}

int convert_checkpoint(const CheckpointConvertOptions& options) {
  const Status status = convert_checkpoint_file(options);
  return status ? kExitDone : report(status.error());
}

}  // namespace

void add_checkpoint_verify(const Command& checkpoint, Action& action) {
  auto options = std::make_shared<VerifyOptions>();
  const Command command =
      checkpoint.add_subcommand("verify", "Compare every byte with its checksum");
  add_checkpoint_path(command, "CHECKPOINT", options->path);
  command.add_flag("--json", options->json, "Print JSON");
  command.callback(
      [options, &action] { action = [options] { return verify_checkpoint(*options); }; });
}

void add_checkpoint_diff(const Command& checkpoint, Action& action) {
  auto options = std::make_shared<CheckpointDiffOptions>();
  const Command command =
      checkpoint.add_subcommand("diff", "Compare two checkpoints tensor by tensor, bit for bit");
  add_checkpoint_path(command, "FIRST", options->first);
  add_checkpoint_path(command, "SECOND", options->second);
  command.add_flag("--json", options->json, "Print JSON");
  command.callback(
      [options, &action] { action = [options] { return diff_checkpoints(*options); }; });
}

void add_checkpoint_convert(const Command& checkpoint, Action& action) {
  auto options = std::make_shared<CheckpointConvertOptions>();
  const Command command =
      checkpoint.add_subcommand("convert", "Write the tensors in another format");
  add_checkpoint_path(command, "CHECKPOINT", options->path);
  command.add_option("-o,--output", options->output, "Output: " + checkpoint::expected_output())
      .type_name("OUT")
      .required();
  command.add_option("--to", options->format, "Format of OUT, if its name does not tell")
      .one_of(checkpoint::texts_of(&checkpoint::CheckpointFormat::word));
  command.add_flag("--force", options->force, "Replace what exists");
  command.add_flag("--quiet", options->quiet, "Print errors only");
  command.callback(
      [options, &action] { action = [options] { return convert_checkpoint(*options); }; });
}

}  // namespace tideline::cli
