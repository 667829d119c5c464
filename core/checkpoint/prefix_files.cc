// Tested by unit/checkpoint/find_checkpoint_test.cc.
#include "core/checkpoint/prefix_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/base/sync.h"

namespace tideline::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndex = ".index";
constexpr std::string_view kShard = "-00000-of-00000";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Parses a name that ends as `form`, in which zeros stand for digits. `with_pattern`: the number of
// the shard may be "?????".
std::optional<ShardName> parse_end(std::string_view path, std::string_view form,
                                   bool with_pattern = false) {
  if (path.size() < form.size()) return std::nullopt;
  const std::string_view end = path.substr(path.size() - form.size());
  ShardName name;
  name.prefix = path.substr(0, path.size() - form.size());
  for (std::size_t i = 0; i < end.size(); ++i) {
    const bool is_shard = i < form.find("-of");
    if (form[i] == '0' && is_shard && with_pattern && end[i] == '?') continue;
    if (form[i] != '0' ? end[i] != form[i] : !is_digit(end[i])) return std::nullopt;
    if (form[i] != '0') continue;
    std::int64_t& number = is_shard ? name.shard : name.shards;
    number = 10 * number + (end[i] - '0');
  }
  return name;
}

// Calls `each` with the name of every file beside `prefix` that begins as it, and with the rest.
template <typename Each>
void for_each_beside(const std::string& prefix, const Each& each) {
  const std::string begin = fs::path(prefix).filename().string();
  std::error_code error;
  for (fs::directory_iterator at(folder_of(prefix), error);
       !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(begin)) each(name, std::string_view(name).substr(begin.size()));
  }
}

std::string beside(const std::string& prefix, const std::string& name) {
  return prefix.substr(0, prefix.size() - fs::path(prefix).filename().string().size()) + name;
}

std::string table_shard_path(const std::string& prefix, std::int64_t shard, std::int64_t shards) {
  return fmt::format("{}-{:05}-of-{:05}", prefix, shard, shards);
}

}  // namespace

std::string index_path(const std::string& prefix) {
  return prefix + std::string(kIndex);
}

std::string shard_path(const std::string& prefix, std::int64_t shard, std::int64_t shards) {
  return fmt::format("{}.data-{:05}-of-{:05}", prefix, shard, shards);
}

std::optional<ShardName> parse_shard_name(std::string_view path) {
  return parse_end(path, ".data-00000-of-00000");
}

std::string_view prefix_of_file(std::string_view path) {
  if (path.ends_with(kIndex)) return path.substr(0, path.size() - kIndex.size());
  const auto shard = parse_shard_name(path);
  return shard ? shard->prefix : std::string_view();
}

std::vector<std::string> prefixes_in(const std::string& folder) {
  std::vector<std::string> prefixes;
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const std::string path = at->path().string();
    if (path.ends_with(kIndex)) prefixes.emplace_back(prefix_of_file(path));
  }
  std::sort(prefixes.begin(), prefixes.end());
  return prefixes;
}

std::vector<std::string> data_shards_of(const std::string& prefix) {
  std::vector<std::string> files;
  for_each_beside(prefix, [&](const std::string& name, std::string_view rest) {
    const auto shard = parse_shard_name(rest);
    if (shard && shard->prefix.empty()) files.push_back(beside(prefix, name));
  });
  std::sort(files.begin(), files.end());
  return files;
}

TableShards table_shards_of(const std::string& prefix) {
  const auto named = parse_end(prefix, kShard, true);
  TableShards found;
  found.prefix = named ? named->prefix : std::string_view(prefix);
  std::map<std::int64_t, std::map<std::int64_t, std::string>> by_shards;
  for_each_beside(found.prefix, [&](const std::string& name, std::string_view rest) {
    const auto shard = parse_end(rest, kShard);
    if (!shard || !shard->prefix.empty() || shard->shard >= shard->shards) return;
    if (named && named->shards != shard->shards) return;
    by_shards[shard->shards].emplace(shard->shard, beside(found.prefix, name));
  });
  if (by_shards.empty()) return found;
  auto chosen = std::find_if(by_shards.begin(), by_shards.end(), [](const auto& each) {
    return static_cast<std::int64_t>(each.second.size()) == each.first;
  });
  const bool is_whole = chosen != by_shards.end();
  if (!is_whole) chosen = by_shards.begin();
  for (auto& [shard, file] : chosen->second) {
    if (found.missing.empty() && shard != static_cast<std::int64_t>(found.files.size())) {
      found.missing = table_shard_path(found.prefix, static_cast<std::int64_t>(found.files.size()),
                                       chosen->first);
    }
    found.files.push_back(std::move(file));
  }
  if (!is_whole && found.missing.empty()) {
    found.missing = table_shard_path(found.prefix, static_cast<std::int64_t>(found.files.size()),
                                     chosen->first);
  }
  return found;
}

std::vector<std::string> steps_of(const std::string& prefix) {
  // By the digits without leading zeros: a number of more is higher.
  std::map<std::pair<std::size_t, std::string>, std::string> steps;
  for_each_beside(prefix, [&](const std::string&, std::string_view rest) {
    if (!rest.starts_with('-')) return;
    const std::string_view digits =
        rest.substr(1, std::min(rest.find_first_not_of("0123456789", 1), rest.size()) - 1);
    const std::string_view after = rest.substr(1 + digits.size());
    const bool is_file = after.empty() || after == kIndex || parse_end(after, kShard).has_value();
    if (digits.empty() || !is_file) return;
    const std::string value(digits.substr(std::min(digits.find_first_not_of('0'), digits.size())));
    steps[{value.size(), value}] = fmt::format("{}-{}", prefix, digits);
  });
  std::vector<std::string> prefixes;
  for (auto& [value, step] : steps) prefixes.push_back(std::move(step));
  return prefixes;
}

}  // namespace tideline::checkpoint
