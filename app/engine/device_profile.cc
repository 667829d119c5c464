#include "app/engine/device_profile.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/engine/json_object.h"
#include "core/base/source_bytes.h"
#include "core/base/text.h"

namespace tideline::app {
namespace {

using Json = nlohmann::json;

constexpr double kMostOfProfile = 9e18;

// One object of the profile. What is absent stays as it is; what nobody asks for does not matter.
class ProfileReader {
 public:
  // `json` may be null: the object is absent.
  ProfileReader(const Json* json, std::string prefix) : json_(json), prefix_(std::move(prefix)) {}

  Result<ProfileReader> object(const char* key) const {
    const Json* value = find(key);
    if (value == nullptr || value->is_object()) return ProfileReader(value, prefix_ + key + ".");
    return wrong(key, *value, "an object");
  }
  Status text(const char* key, std::string& value) const {
    const Json* entry = find(key);
    if (entry == nullptr) return {};
    if (!entry->is_string()) return wrong(key, *entry, "a text");
    value = entry->get<std::string>();
    return {};
  }
  Status number(const char* key, double least, double& value) const {
    const Json* entry = find(key);
    if (entry == nullptr) return {};
    const double given = entry->is_number() ? entry->get<double>() : -1.0;
    if (!(given >= least) || given >= kMostOfProfile) {
      return wrong(key, *entry, fmt::format("a number from {} to {}", least, kMostOfProfile));
    }
    value = given;
    return {};
  }
  Status integer(const char* key, std::int64_t& value) const {
    const Json* entry = find(key);
    double given = 0;
    TIDELINE_RETURN_IF_ERROR(number(key, 0, given));
    if (entry == nullptr) return {};
    if (given != std::floor(given)) return wrong(key, *entry, "an integer");
    value =
        entry->is_number_integer() ? entry->get<std::int64_t>() : static_cast<std::int64_t>(given);
    return {};
  }

  Status flag(const char* key, bool& value) const {
    const Json* entry = find(key);
    if (entry == nullptr) return {};
    if (!entry->is_boolean()) return wrong(key, *entry, "true or false");
    value = entry->get<bool>();
    return {};
  }

  // What the object has, sorted.
  std::vector<std::string> keys() const {
    std::vector<std::string> keys;
    if (json_ == nullptr) return keys;
    for (const auto& entry : json_->items()) keys.push_back(entry.key());
    return keys;
  }
  tl::unexpected<Error> wrong_key(const std::string& key, std::string_view what,
                                  std::string_view expected) const {
    return fail(Code::kCorrupt, "'{}{}' {}; expected {}", prefix_, printable(key, 100), what,
                expected);
  }

 private:
  const Json* find(const char* key) const {
    if (json_ == nullptr) return nullptr;
    const auto entry = json_->find(key);
    return entry == json_->end() ? nullptr : &*entry;
  }
  tl::unexpected<Error> wrong(const char* key, const Json& value,
                              const std::string& expected) const {
    return fail(Code::kCorrupt, "'{}{}' is {}; expected {}", prefix_, key, shown_json(value),
                expected);
  }

  const Json* json_;
  std::string prefix_;
};

Status read_link(const ProfileReader& links, const char* key, LinkSpeed& link) {
  TIDELINE_TRY(const ProfileReader reader, links.object(key));
  TIDELINE_RETURN_IF_ERROR(reader.number("bytes_per_s", 1, link.bytes_per_s));
  return reader.integer("latency_ns", link.latency_ns);
}

// Of numbers, as op types name them; complex ones are counted in the type of their parts.
std::optional<DataType> rated_type(const std::string& name) {
  const auto type = parse_data_type(name);
  if (!type || is_reference(*type) || element_bytes(*type).value_or(0) == 0) return std::nullopt;
  if (type == DataType::kComplex64 || type == DataType::kComplex128) return std::nullopt;
  return type;
}

Status read_rates(const ProfileReader& device, DeviceProfile& profile) {
  bool has_tf32 = false;
  TIDELINE_RETURN_IF_ERROR(device.flag("float_is_tf32", has_tf32));
  TIDELINE_TRY(const ProfileReader rates, device.object("flops_per_s"));
  for (const std::string& key : rates.keys()) {
    const auto type = rated_type(key);
    if (!type) {
      return rates.wrong_key(key, "names no element type of real numbers",
                             "a name such as float, half, bfloat16 or int8");
    }
    if (profile.flops_per_s_of(*type) > 0) {
      return rates.wrong_key(key, "names an element type again", "each type once");
    }
    FlopsRate rate{*type, 0, is_on_tensor_cores(*type) || (has_tf32 && type == DataType::kFloat)};
    TIDELINE_RETURN_IF_ERROR(rates.number(key.c_str(), 1, rate.flops_per_s));
    profile.flops_per_s.push_back(rate);
  }
  return {};
}

Result<DeviceProfile> parse(std::string_view text) {
  TIDELINE_TRY(const Json json, parse_json_object(text, "profile"));
  const auto schema = json.find("schema");
  if (schema == json.end() || *schema != "tideline.profile/1") {
    return fail(Code::kUnsupported, "'schema' is {}; expected \"tideline.profile/1\"",
                schema == json.end() ? "missing" : shown_json(*schema));
  }
  DeviceProfile profile = *built_in_profile("pcie3");
  profile.name = "unnamed";
  const ProfileReader whole(&json, "");
  TIDELINE_RETURN_IF_ERROR(whole.text("name", profile.name));
  TIDELINE_TRY(const ProfileReader device, whole.object("device"));
  TIDELINE_RETURN_IF_ERROR(device.integer("total_bytes", profile.total_bytes));
  TIDELINE_RETURN_IF_ERROR(device.integer("free_bytes", profile.free_bytes));
  TIDELINE_RETURN_IF_ERROR(device.number("memory_bytes_per_s", 1, profile.memory_bytes_per_s));
  TIDELINE_RETURN_IF_ERROR(read_rates(device, profile));
  TIDELINE_RETURN_IF_ERROR(device.integer("launch_ns", profile.launch_ns));
  TIDELINE_TRY(const ProfileReader links, whole.object("links"));
  TIDELINE_RETURN_IF_ERROR(read_link(links, "to_host", profile.to_host));
  TIDELINE_RETURN_IF_ERROR(read_link(links, "to_device", profile.to_device));
  TIDELINE_TRY(const ProfileReader network, whole.object("network"));
  TIDELINE_RETURN_IF_ERROR(network.number("bytes_per_s", 1, profile.network.bytes_per_s));
  TIDELINE_RETURN_IF_ERROR(network.integer("latency_ns", profile.network.latency_ns));
  TIDELINE_RETURN_IF_ERROR(network.flag("shared", profile.network.is_shared));
  return profile;
}

}  // namespace

Result<DeviceProfile> read_device_profile(const std::string& name_or_path, Pipes pipes) {
  if (const auto built_in = built_in_profile(name_or_path)) return *built_in;
  auto bytes = open_bytes(name_or_path, pipes);
  if (!bytes) {
    return fail(bytes.error().code, "--device-profile: {}; expected a file or one of {}",
                bytes.error().message, fmt::join(built_in_profile_names(), ", "));
  }
  auto profile = parse((*bytes)->bytes());
  if (!profile) return tl::unexpected(with_context(std::move(profile).error(), name_or_path));
  return profile;
}

}  // namespace tideline::app
