#include "core/devices/device_plugin.h"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "core/base/output_file.h"
#include "core/devices/device_plugin_abi.h"
#include "tests/support/temporary_folder.h"

namespace tideline::devices {

// Built against structs that never change (tests/support/first_device_plugin.c): this fails once a
// field is appended and the plugins that lack it are refused for that.
TEST_CASE("A plugin of the first version is loaded by every later one", "[runtime]") {
  const auto plugin = DevicePlugin::load(TIDELINE_FIRST_DEVICE_PLUGIN);
  INFO((plugin ? "" : plugin.error().message));
  REQUIRE(plugin);
  const auto devices = plugin->devices();
  REQUIRE(devices);
  REQUIRE(devices->size() == 1);
  CHECK(devices->front().name == "First");
  CHECK(devices->front().pci_bus_id.empty());
  CHECK(devices->front().free_bytes == 6000);
  Progress silent;
  const auto speeds = plugin->measure(0, silent);
  REQUIRE(speeds);
  CHECK(speeds->memory_bytes_per_s == 1);
  CHECK(speeds->to_host.pinned_bytes_per_s == 2);
  CHECK(speeds->to_device.both_bytes_per_s == 9);
}

TEST_CASE("The first version of the table of functions has a size that never changes",
          "[runtime]") {
  CHECK(TIDELINE_DEVICE_API_FIRST_SIZE == 8 + 3 * sizeof(void*));  // two numbers, three functions
}

TEST_CASE("A table without all functions of the first version is no plugin", "[runtime]") {
  ::setenv("FIRST_DEVICE_PLUGIN_SIZE", "24", 1);
  const auto plugin = DevicePlugin::load(TIDELINE_FIRST_DEVICE_PLUGIN);
  ::unsetenv("FIRST_DEVICE_PLUGIN_SIZE");
  REQUIRE_FALSE(plugin);
  CHECK(plugin.error().code == Code::kUnsupported);
  CHECK(plugin.error().message.find("is not a device plugin of version 1") != std::string::npos);
}

TEST_CASE("What is no library cannot be loaded", "[runtime]") {
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder.file("plugin.so"), "no library", false));
  const auto plugin = DevicePlugin::load(folder.file("plugin.so"));
  REQUIRE_FALSE(plugin);
  CHECK(plugin.error().message.starts_with("cannot be loaded: "));
}

}  // namespace tideline::devices
