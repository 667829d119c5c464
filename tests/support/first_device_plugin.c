/* A plugin as somebody built it against the first version of core/devices/device_plugin_abi.h. Its
 * structs are written down here and never change: hosts of later versions have to load it.
 * FIRST_DEVICE_PLUGIN_SIZE: another struct_size than its own. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Device {
  uint32_t struct_size;
  uint32_t index;
  char name[128];
  char pci_bus_id[32];
  uint64_t total_bytes;
  uint64_t free_bytes;
} Device;

typedef struct Measure {
  uint32_t struct_size;
  uint32_t repeats;
  uint64_t bytes;
  int (*go_on)(void* self, uint32_t done, uint32_t total);
  void* self;
} Measure;

typedef struct Speeds {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t bytes;
  double memory_bytes_per_s;
  double pinned_to_host_bytes_per_s;
  double pinned_to_device_bytes_per_s;
  int64_t pinned_to_host_latency_ns;
  int64_t pinned_to_device_latency_ns;
  double pageable_to_host_bytes_per_s;
  double pageable_to_device_bytes_per_s;
  double both_to_host_bytes_per_s;
  double both_to_device_bytes_per_s;
} Speeds;

typedef struct Api {
  uint32_t struct_size;
  uint32_t abi_major;
  int (*count)(uint32_t* count, char* message, size_t message_size);
  int (*describe)(uint32_t index, Device* device, char* message, size_t message_size);
  int (*measure)(uint32_t index, const Measure* how, Speeds* speeds, char* message,
                 size_t message_size);
} Api;

static int count(uint32_t* count, char* message, size_t message_size) {
  (void)message;
  (void)message_size;
  *count = 1;
  return 0;
}

static int describe(uint32_t index, Device* device, char* message, size_t message_size) {
  (void)message;
  (void)message_size;
  device->struct_size = sizeof *device;
  device->index = index;
  strcpy(device->name, "First");
  device->total_bytes = 8000;
  device->free_bytes = 6000;
  return 0;
}

static int measure(uint32_t index, const Measure* how, Speeds* speeds, char* message,
                   size_t message_size) {
  const Speeds all = {sizeof all, 0, how->bytes, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  (void)index;
  (void)message;
  (void)message_size;
  *speeds = all;
  return 0;
}

__attribute__((visibility("default"))) const Api* tideline_device_api(uint32_t host_abi_major) {
  static Api api = {sizeof(Api), 1, count, describe, measure};
  const char* size = getenv("FIRST_DEVICE_PLUGIN_SIZE");
  if (size != NULL) api.struct_size = (uint32_t)atoi(size);
  return host_abi_major == 1 ? &api : NULL;
}
