// Tested by unit/checkpoint/file_config_test.cc.
#include "core/checkpoint/file_config.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/output_file.h"
#include "core/base/parse.h"
#include "core/base/sync.h"
#include "core/base/text.h"
#include "core/checkpoint/bundle_writer.h"

namespace tideline::checkpoint {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view kStep = "{step}";

tl::unexpected<Error> bad(std::string_view field, const char* expected) {
  return fail(Code::kInvalidArgument, "configuration: '{}': expected {}", printable(field),
              expected);
}

Status set_field(const std::string& name, const Json& value, FileConfig& config) {
  if (name == "path") {
    if (!value.is_string()) return bad(name, "a prefix");
    config.path = value.get<std::string>();
    return {};
  }
  if (name == "async" || (name == "incremental" && config.format == &kBundleFormat)) {
    if (!value.is_boolean()) return bad(name, "true or false");
    (name == "async" ? config.is_async : config.is_incremental) = value.get<bool>();
    return {};
  }
  if (name != "keep_last" && name != "keep_every") {
    return bad(name, config.format == &kBundleFormat
                         ? "one of path, async, incremental, keep_last and keep_every"
                         : "one of path, async, keep_last and keep_every");
  }
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >> 62U != 0) {
    return bad(name, "a number from 0 on");
  }
  (name == "keep_last" ? config.keep_last : config.keep_every) = value.get<std::int64_t>();
  return {};
}

std::string file_name(const std::string& path) {
  return fs::path(path).filename().string();
}

std::string with_step(const FileConfig& config, std::int64_t step) {
  std::string path = config.path;
  const std::size_t at = path.rfind(kStep);
  if (at != std::string::npos) path.replace(at, kStep.size(), std::to_string(step));
  return path;
}

// As text of the message CheckpointState.
std::string state_name(const FileConfig& config, std::int64_t step) {
  std::string out = "\"";
  for (const char c : file_name(with_step(config, step))) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

void remove_checkpoint(const FileConfig& config, const std::string& path, RemovedFiles* removed) {
  ::unlink(config.format->main_file(path).c_str());
  if (config.format == &kBundleFormat) remove_other_shards(path, -1, removed);
}

}  // namespace

bool FileConfig::has_steps() const {
  return path.find(kStep) != std::string::npos;
}

Result<FileConfig> parse_file_config(std::string_view text, const CheckpointFormat& format) {
  FileConfig config;
  config.format = &format;
  if (text.starts_with('{') && !text.starts_with(kStep)) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) {
      return fail(Code::kInvalidArgument, "configuration: expected a prefix or a JSON object");
    }
    for (const auto& [name, value] : json.items()) {
      TIDELINE_RETURN_IF_ERROR(set_field(name, value, config));
    }
  } else {
    config.path = text;
  }
  if (config.path.empty() || config.path.back() == '/' || has_control_character(config.path)) {
    return bad("path", "the prefix of a checkpoint");
  }
  const std::size_t at = config.path.find(kStep);
  if (at != std::string::npos && (config.path.find(kStep, at + 1) != std::string::npos ||
                                  config.path.find('/', at) != std::string::npos)) {
    return bad("path", "{step} at most once, and in the name of the files");
  }
  if (!config.has_steps() && (config.keep_last > 0 || config.keep_every > 0)) {
    return bad("path", "{step}, because keep_last and keep_every choose among steps");
  }
  if (config.keep_every > 0 && config.keep_last == 0) {
    return bad("keep_last", "a number from 1 on with keep_every");
  }
  return config;
}

Result<std::string> prefix_of_step(const FileConfig& config, std::int64_t step) {
  if (config.has_steps() && step < 0) {
    return fail(Code::kInvalidArgument,
                "{}: the step is not known; expected a path without {{step}}", config.path);
  }
  return with_step(config, step);
}

std::vector<std::int64_t> saved_steps(const FileConfig& config) {
  const std::string pattern = config.format->main_file(file_name(config.path));
  const std::size_t at = pattern.find(kStep);
  std::vector<std::int64_t> steps;
  if (at == std::string::npos) return steps;
  const std::string_view before = std::string_view(pattern).substr(0, at);
  const std::string_view after = std::string_view(pattern).substr(at + kStep.size());
  std::error_code error;
  for (fs::directory_iterator entry(folder_of(config.path), error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::string_view text(name);
    if (text.size() <= before.size() + after.size() || !text.starts_with(before) ||
        !text.ends_with(after)) {
      continue;
    }
    text = text.substr(before.size(), text.size() - before.size() - after.size());
    const auto step = parse_as<std::int64_t>(text);
    if (step && *step >= 0 && std::to_string(*step) == text) steps.push_back(*step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

Result<std::string> prefix_to_load(const FileConfig& config, std::int64_t step) {
  if (config.has_steps() && step < 0) {
    const std::vector<std::int64_t> steps = saved_steps(config);
    if (steps.empty()) {
      return fail(Code::kNotFound, "{}: there is no checkpoint of any step", config.path);
    }
    step = steps.back();
  }
  return with_step(config, step);
}

Status finish_step(const FileConfig& config, std::int64_t step, RemovedFiles* removed) {
  if (!config.has_steps()) return {};
  std::vector<std::int64_t> kept;
  std::vector<std::int64_t> old;
  const std::vector<std::int64_t> steps = saved_steps(config);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool is_kept = config.keep_last == 0 || steps[i] == step ||
                         steps.size() - i <= static_cast<std::size_t>(config.keep_last) ||
                         (config.keep_every > 0 && steps[i] % config.keep_every == 0);
    (is_kept ? kept : old).push_back(steps[i]);
  }
  std::string text = fmt::format("model_checkpoint_path: {}\n", state_name(config, step));
  for (const std::int64_t each : kept) {
    text += fmt::format("all_model_checkpoint_paths: {}\n", state_name(config, each));
  }
  const std::string state = (fs::path(folder_of(config.path)) / "checkpoint").string();
  if (config.format == &kBundleFormat) {
    TIDELINE_RETURN_IF_ERROR(write_file(state, text, true));
  }
  for (const std::int64_t each : old) remove_checkpoint(config, with_step(config, each), removed);
  return {};
}

}  // namespace tideline::checkpoint
