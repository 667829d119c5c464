#include "app/cli/device_profile.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/mapped_file.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::json;

// Reads numbers out of one object of the profile; remembers the first that is wrong.
class Reader {
 public:
  Reader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

  // Absent: `value` stays as it is.
  void number(const char* key, double least, double& value) {
    if (!json_.is_object() || !json_.contains(key)) return;
    const Json& entry = json_[key];
    if (entry.is_number() && entry.get<double>() >= least && entry.get<double>() < kMost) {
      value = entry.get<double>();
    } else if (problem_.empty()) {
      problem_ = fmt::format("'{}.{}' is {}; expected a number of at least {}", where_, key,
                             entry.dump(-1, ' ', false, Json::error_handler_t::replace), least);
    }
  }
  void integer(const char* key, std::int64_t& value) {
    auto as_double = static_cast<double>(value);
    number(key, 0, as_double);
    value = static_cast<std::int64_t>(as_double);
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  static constexpr double kMost = 9e18;
  const Json& json_;
  std::string where_;
  std::string problem_;
};

Status read_link(const Json& links, const char* key, LinkSpeed& link) {
  if (!links.is_object() || !links.contains(key)) return {};
  Reader reader(links[key], std::string("links.") + key);
  reader.number("bytes_per_s", 1, link.bytes_per_s);
  reader.integer("latency_ns", link.latency_ns);
  if (!reader.problem().empty()) return fail(Code::kCorrupt, "{}", reader.problem());
  return {};
}

Result<DeviceProfile> parse(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return fail(Code::kCorrupt, "no JSON object");
  const Json schema = json.value("schema", Json());
  if (schema != "tideline.profile/1") {
    return fail(Code::kUnsupported, "'schema' is {}; expected \"tideline.profile/1\"",
                schema.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  DeviceProfile profile = *built_in_profile("pcie3");
  profile.name = "unnamed";
  if (json.contains("name") && json["name"].is_string()) profile.name = json["name"];
  const Json device = json.value("device", Json::object());
  Reader reader(device, "device");
  reader.integer("total_bytes", profile.total_bytes);
  reader.integer("free_bytes", profile.free_bytes);
  reader.number("memory_bytes_per_s", 1, profile.memory_bytes_per_s);
  if (!reader.problem().empty()) return fail(Code::kCorrupt, "{}", reader.problem());
  const Json links = json.value("links", Json::object());
  TIDELINE_RETURN_IF_ERROR(read_link(links, "to_host", profile.to_host));
  TIDELINE_RETURN_IF_ERROR(read_link(links, "to_device", profile.to_device));
  return profile;
}

}  // namespace

Result<DeviceProfile> read_device_profile(const std::string& name_or_path) {
  if (const auto built_in = built_in_profile(name_or_path)) return *built_in;
  auto bytes = open_bytes(name_or_path);
  if (!bytes) {
    return fail(bytes.error().code, "--device-profile: {}; expected a file or one of {}",
                bytes.error().message, fmt::join(built_in_profile_names(), ", "));
  }
  auto profile = parse((*bytes)->bytes());
  if (!profile) return tl::unexpected(with_context(std::move(profile).error(), name_or_path));
  return profile;
}

}  // namespace tideline::cli
