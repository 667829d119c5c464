/* What a plugin that knows compute devices offers: C99, so that any compiler can make one.
 *
 * Every struct begins with struct_size, set by whoever allocates it; fields are only ever appended,
 * and each side reads and writes only what lies inside the smaller size. Functions return 0, or
 * something else with a message for a person in `message` (always terminated). No function throws.
 */
#pragma once

/* NOLINTBEGIN: this is C */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TIDELINE_DEVICE_ABI_MAJOR 1u
#define TIDELINE_DEVICE_API_SYMBOL "tideline_device_api"

typedef struct TidelineDevice {
  uint32_t struct_size;
  uint32_t index;
  char name[128];      /* terminated */
  char pci_bus_id[32]; /* terminated; empty when there is none */
  uint64_t total_bytes;
  uint64_t free_bytes;
} TidelineDevice;

typedef struct TidelineMeasure {
  uint32_t struct_size;
  uint32_t repeats; /* the best of so many counts */
  uint64_t bytes;   /* of one copy; less when the device has not enough memory */
  /* Called before each measurement; another answer than 0 ends them all. May be null. */
  int (*go_on)(void* self, uint32_t done, uint32_t total);
  void* self;
} TidelineMeasure;

/* Bytes a second of large copies; nanoseconds that the smallest copy takes. */
typedef struct TidelineDeviceSpeeds {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t bytes;            /* of one copy, as measured */
  double memory_bytes_per_s; /* read and written by a copy inside the device */
  double pinned_to_host_bytes_per_s;
  double pinned_to_device_bytes_per_s;
  int64_t pinned_to_host_latency_ns;
  int64_t pinned_to_device_latency_ns;
  double pageable_to_host_bytes_per_s;
  double pageable_to_device_bytes_per_s;
  double both_to_host_bytes_per_s; /* pinned, while the other direction copies too */
  double both_to_device_bytes_per_s;
} TidelineDeviceSpeeds;

typedef struct TidelineDeviceApi {
  uint32_t struct_size;
  uint32_t abi_major;
  int (*count)(uint32_t* count, char* message, size_t message_size);
  int (*describe)(uint32_t index, TidelineDevice* device, char* message, size_t message_size);
  int (*measure)(uint32_t index, const TidelineMeasure* how, TidelineDeviceSpeeds* speeds,
                 char* message, size_t message_size);
} TidelineDeviceApi;

/* What every plugin has at least: the fields of the first version, up to `measure`. A host asks
 * struct_size before it uses a field that was appended later. */
#define TIDELINE_DEVICE_API_FIRST_SIZE \
  (offsetof(TidelineDeviceApi, measure) + sizeof(void (*)(void)))

/* The one symbol of a plugin; null when it does not speak `host_abi_major`. */
typedef const TidelineDeviceApi* (*TidelineDeviceApiFunction)(uint32_t host_abi_major);

#ifdef __cplusplus
}
#endif
/* NOLINTEND */
