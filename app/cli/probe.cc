#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "app/engine/json_text.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/devices/device_plugin.h"
#include "core/memory/device_profile.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;
using devices::Device;
using devices::DeviceSpeeds;
using devices::DirectionSpeed;

struct ProbeOptions {
  bool json = false;
  std::string path;
  std::uint32_t device = 0;
  bool force = false;
};

struct Probe {
  std::vector<Device> devices;
  std::vector<DeviceSpeeds> speeds;  // by device
  std::string why_none;              // when there are no devices
};

// Whole numbers: nobody can tell the bytes of a second apart, and the file is the same everywhere.
std::int64_t whole(double value) {
  return static_cast<std::int64_t>(value);
}

Json direction_json(const DirectionSpeed& speed) {
  return {{"bytes_per_s", whole(speed.pinned_bytes_per_s)},
          {"latency_ns", speed.latency_ns},
          {"pageable_bytes_per_s", whole(speed.pageable_bytes_per_s)},
          {"both_directions_bytes_per_s", whole(speed.both_bytes_per_s)}};
}

Json device_json(const Device& device, const DeviceSpeeds& speeds) {
  return {{"index", device.index},
          {"name", printable(device.name, 200)},
          {"pci_bus_id", printable(device.pci_bus_id, 40)},
          {"total_bytes", device.total_bytes},
          {"free_bytes", device.free_bytes},
          {"memory_bytes_per_s", whole(speeds.memory_bytes_per_s)},
          {"copied_bytes", speeds.copied_bytes},
          {"links",
           {{"to_host", direction_json(speeds.to_host)},
            {"to_device", direction_json(speeds.to_device)}}}};
}

// What --device-profile reads; it keeps quiet about the two figures of a link that it does not use.
std::string profile_json(const Device& device, const DeviceSpeeds& speeds) {
  const Json json = {{"schema", "tideline.profile/1"},
                     {"name", printable(device.name, 200)},
                     {"device",
                      {{"total_bytes", device.total_bytes},
                       {"free_bytes", device.free_bytes},
                       {"memory_bytes_per_s", whole(speeds.memory_bytes_per_s)}}},
                     {"links",
                      {{"to_host", direction_json(speeds.to_host)},
                       {"to_device", direction_json(speeds.to_device)}}}};
  return app::json_text(json, 2) + "\n";
}

void print_direction(const char* name, const DirectionSpeed& speed) {
  say("  {:<10} {:>8.2f} GB/s pinned {:>8.2f} GB/s pageable {:>8.2f} GB/s in both directions at "
      "once "
      "{:>7.1f} us latency\n",
      name, speed.pinned_bytes_per_s / 1e9, speed.pageable_bytes_per_s / 1e9,
      speed.both_bytes_per_s / 1e9, static_cast<double>(speed.latency_ns) / 1e3);
}

// What a profile says about the device itself; empty when it is about a link.
std::string device_text(const DeviceProfile& profile) {
  if (!profile.knows_computing()) return {};
  return fmt::format(", {} at {:.0f} GB/s, {:.1f} Tflop/s in float",
                     format_bytes(profile.total_bytes), profile.memory_bytes_per_s / 1e9,
                     profile.flops_per_s_of(DataType::kFloat) / 1e12);
}

void print_text(const Probe& probe) {
  for (std::size_t i = 0; i < probe.devices.size(); ++i) {
    const Device& device = probe.devices[i];
    const DeviceSpeeds& speeds = probe.speeds[i];
    say("device {}: {} ({})\n", device.index, printable(device.name, 200),
        printable(device.pci_bus_id, 40));
    say("  memory     {} in all, {} free, {:.0f} GB/s\n", format_bytes(device.total_bytes),
        format_bytes(device.free_bytes), speeds.memory_bytes_per_s / 1e9);
    print_direction("to host", speeds.to_host);
    print_direction("to device", speeds.to_device);
  }
  if (!probe.devices.empty()) return;
  say("no device: {}\nBuilt-in profiles (assumed, not measured):\n", probe.why_none);
  for (const std::string_view name : built_in_profile_names()) {
    const DeviceProfile profile = *built_in_profile(name);
    say("  {:<8} {:>3.0f} GB/s in each direction{}\n", name, profile.to_host.bytes_per_s / 1e9,
        device_text(profile));
  }
}

void print_json(const Probe& probe) {
  Json devices = Json::array();
  for (std::size_t i = 0; i < probe.devices.size(); ++i) {
    devices.push_back(device_json(probe.devices[i], probe.speeds[i]));
  }
  Json json = {{"devices", devices}};
  if (probe.devices.empty()) json["why_none"] = probe.why_none;
  json["built_in_profiles"] = built_in_profile_names();
  say_json(json, 2);
}

// A driver that is not there is an answer, not an error.
Result<Probe> probe_devices(Progress& progress) {
  Probe probe;
  const auto plugin = devices::DevicePlugin::find();
  if (!plugin) {
    probe.why_none = plugin.error().message;
    return probe;
  }
  auto devices = plugin->devices();
  if (!devices) {
    probe.why_none = devices.error().message;
    return probe;
  }
  if (devices->empty()) probe.why_none = "the CUDA driver knows none";
  for (Device& device : *devices) {
    TIDELINE_TRY(DeviceSpeeds speeds, plugin->measure(device.index, progress));
    probe.devices.push_back(std::move(device));
    probe.speeds.push_back(speeds);
  }
  return probe;
}

Status write_profile(const ProbeOptions& options, const Probe& probe) {
  if (probe.devices.empty()) {
    return fail(Code::kNotFound, "no device, so there is no profile to write: {}", probe.why_none);
  }
  if (options.device >= probe.devices.size()) {
    return fail(Code::kNotFound, "--device {}: there are {} devices, counted from 0",
                options.device, probe.devices.size());
  }
  return write_file(options.path,
                    profile_json(probe.devices[options.device], probe.speeds[options.device]),
                    options.force);
}

int probe(const ProbeOptions& options) {
  if (!options.path.empty()) {
    if (const Status status = check_output_path(options.path, options.force); !status) {
      return report(status.error());
    }
  }
  TerminalProgress progress(false);
  const auto found = probe_devices(progress);
  if (!found) return report(found.error());
  if (!options.path.empty()) {
    if (const Status status = write_profile(options, *found); !status) {
      return report(status.error());
    }
  }
  if (options.json) {
    print_json(*found);
  } else {
    print_text(*found);
    if (!options.path.empty()) say("wrote {}\n", options.path);
  }
  return kExitDone;
}

}  // namespace

void add_probe(const Command& app, Action& action) {
  auto options = std::make_shared<ProbeOptions>();
  const Command command = app.add_subcommand(
      "probe",
      "Devices of this machine, their memory, and the speed of copies to and from the host");
  command.add_flag("--json", options->json, "Print JSON");
  command
      .add_option("-o", options->path, "Write the measured profile, for --device-profile, to FILE")
      .not_empty()
      .type_name("FILE");
  command.add_option("--device", options->device, "The device that the profile is about")
      .check(whole_number(0))
      .type_name("N")
      .show_default();
  command.add_flag("--force", options->force, "Replace FILE when it exists");
  command.callback([options, &action] { action = [options] { return probe(*options); }; });
}

}  // namespace tideline::cli
