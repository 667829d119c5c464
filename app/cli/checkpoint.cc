#include "app/cli/checkpoint.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/terminal.h"
#include "app/engine/checkpoint_text.h"
#include "core/base/units.h"
#include "core/checkpoint/find_checkpoint.h"
#include "core/checkpoint/format.h"
#include "core/graph/element_type.h"

namespace tideline::cli {
namespace {

using checkpoint::Checkpoint;
using checkpoint::Piece;
using checkpoint::StoredTensor;
using Json = nlohmann::ordered_json;

struct LsOptions {
  std::string path;
  bool json = false;
};

Json piece_json(const Piece& piece) {
  Json json;
  json["shard"] = piece.file;
  json["offset"] = piece.offset;
  json["size"] = piece.bytes;
  json["crc32c"] = piece.crc ? Json(*piece.crc) : Json(nullptr);
  return json;
}

Json listed_json(const StoredTensor& tensor) {
  Json json = tensor_json(tensor);
  if (tensor.pieces.size() == 1 && !tensor.is_sliced) {
    json.update(piece_json(tensor.pieces.front()));
    return json;
  }
  // In slices, or strings that lie beside the arrays.
  for (const char* field : {"shard", "offset"}) json[field] = nullptr;
  json["size"] = tensor.stored_bytes();
  json["crc32c"] = nullptr;
  if (!tensor.is_sliced) return json;
  json["slices"] = Json::array();
  for (const Piece& piece : tensor.pieces) {
    Json slice = {{"start", piece.start}, {"length", piece.length}};
    slice.update(piece_json(piece));
    json["slices"].push_back(std::move(slice));
  }
  return json;
}

void print_json(const Checkpoint& opened) {
  Json json;
  json["path"] = opened.path;
  json["format"] = opened.format->title;
  json["files"] = opened.files;
  json["bytes"] = app::stored_bytes(opened);
  json["tensors"] = Json::array();
  for (const StoredTensor& tensor : opened.tensors) json["tensors"].push_back(listed_json(tensor));
  if (auto missing = checkpoint::missing_files(opened); !missing.empty()) {
    json["missing"] = std::move(missing);
  }
  say_json(json);
}

void print_text(const Checkpoint& opened) {
  say("{}: {}, {} tensors, {} in {} {}\n", opened.path, opened.format->title, opened.tensors.size(),
      format_bytes(app::stored_bytes(opened)), opened.files.size(),
      opened.files.size() == 1 ? "file" : "files");
  if (opened.tensors.empty()) return;
  say("  {:<10} {:<18} {:>12} {:>9}  {}\n", "dtype", "shape", "bytes", "crc32c", "name");
  for (const StoredTensor& tensor : opened.tensors) {
    say("  {:<10} {:<18} {:>12} {:>9}  {}\n", checkpoint::type_name(tensor),
        app::shape_text(tensor), tensor.stored_bytes(), app::checksum_text(tensor), tensor.name);
  }
  for (const std::string& file : checkpoint::missing_files(opened)) {
    say("{}: is missing; the values of this checkpoint cannot be read without it\n", file);
  }
}

int list(const LsOptions& options) {
  const auto opened = open_named_checkpoint(options.path);
  if (!opened) return report(opened.error());
  if (options.json) {
    print_json(*opened);
  } else {
    print_text(*opened);
  }
  return kExitDone;
}

}  // namespace

void add_checkpoint_path(const Command& command, const std::string& name, std::string& path) {
  command
      .add_option(
          name, path,
          fmt::format("Prefix, file or folder of a checkpoint ({}), or a SavedModel",
                      fmt::join(checkpoint::texts_of(&checkpoint::CheckpointFormat::title), ", ")))
      .not_empty()
      .required();
}

Result<Checkpoint> open_named_checkpoint(const std::string& path) {
  auto opened = checkpoint::open_checkpoint(path);
  if (!opened) return opened;
  for (const std::string& note : opened->notes) complain("tideline: note: {}\n", note);
  return opened;
}

Json tensor_json(const StoredTensor& tensor) {
  Json json;
  json["name"] = tensor.name;
  json["dtype"] = checkpoint::type_name(tensor);
  json["shape"] = tensor.dims;
  return json;
}

void add_checkpoint_ls(const Command& checkpoint, Action& action) {
  auto options = std::make_shared<LsOptions>();
  const Command command = checkpoint.add_subcommand(
      "ls", "The tensors: type, shape, bytes and checksum; data files are not read");
  add_checkpoint_path(command, "CHECKPOINT", options->path);
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([options, &action] { action = [options] { return list(*options); }; });
}

void add_checkpoint(const Command& app, Action& action) {
  const Command command =
      app.add_subcommand("checkpoint", "Look at checkpoints, check and convert them");
  command.require_subcommand();
  add_checkpoint_ls(command, action);
  add_checkpoint_stat(command, action);
  add_checkpoint_cat(command, action);
  add_checkpoint_verify(command, action);
  add_checkpoint_diff(command, action);
  add_checkpoint_convert(command, action);
  add_checkpoint_backends(command, action);
}

}  // namespace tideline::cli
