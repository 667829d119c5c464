// Checkpoints of several safetensors files, which a file of JSON keeps together: {"metadata":
// {...}, "weight_map": {TENSOR: FILE}}. Its tensors are those that it lists. Source: the
// transformers library. Tested by unit/checkpoint/safetensors_index_test.cc.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/input_file.h"
#include "core/base/source_bytes.h"
#include "core/base/text.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/safetensors_head.h"

namespace tideline::checkpoint {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view kEndingOfIndex = ".safetensors.index.json";
constexpr const char* kMap = "weight_map";
constexpr std::size_t kMostShardFiles = 100'000;

// File names, each with the tensors that it should have.
using Shards = std::map<std::string, std::vector<std::string>>;

Result<Shards> parse_index(std::string_view text) {
  // Lists and what lies deeper than the map belong to nothing that is read.
  const Json json = Json::parse(
      text,
      [](int depth, Json::parse_event_t event, Json&) {
        return event != Json::parse_event_t::array_start &&
               (depth < 2 || event != Json::parse_event_t::object_start);
      },
      false);
  const auto map = json.is_object() ? json.find(kMap) : json.end();
  if (!json.is_object() || map == json.end() || !map->is_object()) {
    return fail(Code::kCorrupt, "expected JSON with an object '{}'", kMap);
  }
  Shards shards;
  for (const auto& [tensor, file] : map->items()) {
    const bool is_name = file.is_string();
    const std::string name = is_name ? file.get<std::string>() : std::string();
    // A foreign folder shall not make us open files elsewhere.
    if (!is_name || name.empty() || name.find('/') != std::string::npos || name == "." ||
        name == "..") {
      return fail(Code::kCorrupt, "{}: tensor '{}': expected the name of a file in the same folder",
                  kMap, printable(tensor));
    }
    shards[name].push_back(tensor);
  }
  if (shards.size() > kMostShardFiles) {
    return fail(Code::kUnsupported, "names {} files; expected at most {}", shards.size(),
                kMostShardFiles);
  }
  return shards;
}

Status add_shard(const std::string& path, const std::string& file,
                 const std::vector<std::string>& names, Checkpoint& checkpoint) {
  auto shard = kSafetensorsFormat.open(file);
  if (!shard && shard.error().code == Code::kNotFound) {
    return fail(Code::kNotFound, "{}: is missing; {} says that it has tensor '{}'", file, path,
                printable(names.front()));
  }
  if (!shard) return tl::unexpected(std::move(shard).error());
  const auto index = static_cast<std::uint32_t>(checkpoint.files.size());
  checkpoint.files.push_back(file);
  for (const std::string& name : names) {
    const StoredTensor* tensor = shard->find(name);
    if (tensor == nullptr) {
      return fail(Code::kCorrupt, "{}: has no tensor '{}', which {} says is in it", file,
                  printable(name), path);
    }
    checkpoint.tensors.push_back(*tensor);
    for (Piece& piece : checkpoint.tensors.back().pieces) piece.file = index;
  }
  if (shard->tensors.size() > names.size()) {
    checkpoint.notes.push_back(fmt::format("{}: has {} tensors that {} does not list", file,
                                           shard->tensors.size() - names.size(), path));
  }
  return {};
}

// The files that the index `path` names, all of which lie in its folder.
Result<Checkpoint> open_sharded_safetensors(const std::string& path) {
  TIDELINE_TRY(const InputFile file, InputFile::open(path));
  if (file.size() > static_cast<std::size_t>(kMostSafetensorsHeadBytes)) {
    return fail(Code::kUnsupported, "{}: has {} bytes; expected at most {}", path, file.size(),
                kMostSafetensorsHeadBytes);
  }
  TIDELINE_TRY(const SharedBytes bytes, open_bytes(path));
  auto shards = parse_index(bytes->bytes());
  if (!shards) return tl::unexpected(with_context(std::move(shards).error(), path));
  Checkpoint checkpoint;
  checkpoint.format = &kShardedSafetensorsFormat;
  checkpoint.path = path;
  for (const auto& [name, tensors] : *shards) {
    const std::string shard = (fs::path(path).parent_path() / name).string();
    TIDELINE_RETURN_IF_ERROR(add_shard(path, shard, tensors, checkpoint));
  }
  sort_by_name(checkpoint.tensors);
  return checkpoint;
}

}  // namespace

constinit const CheckpointFormat kShardedSafetensorsFormat = {
    .title = "safetensors files",
    .sure_ending = kEndingOfIndex,
    .file_in_folder = "model.safetensors.index.json",
    .folder_sign = kEndingOfIndex,
    .open = open_sharded_safetensors,
};

}  // namespace tideline::checkpoint
