/* The C99 interface of plugins for compute devices.
 *
 * Every struct begins with struct_size, set by the side that allocates it. Fields are only ever
 * appended, and each side reads and writes only fields within the smaller of the two sizes.
 * Functions return 0 on success; otherwise `message` holds a null-terminated text for the user. No
 * exception may leave a function. Thread: calls are not concurrent, but those of different lanes
 * may be.
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
  char name[128];      /* null-terminated */
  char pci_bus_id[32]; /* null-terminated; empty when there is none */
  uint64_t total_bytes;
  uint64_t free_bytes;
} TidelineDevice;

typedef struct TidelineMeasure {
  uint32_t struct_size;
  uint32_t repeats; /* number of repetitions, of which the fastest is reported */
  uint64_t bytes;   /* of one copy; less if the device does not have enough memory */
  /* Called before each measurement; a result other than 0 cancels. May be null. */
  int (*go_on)(void* self, uint32_t done, uint32_t total);
  void* self;
} TidelineMeasure;

/* Bandwidths of large copies in bytes/s, and times of the smallest copy in ns. */
typedef struct TidelineDeviceSpeeds {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t bytes;            /* of one copy, as measured */
  double memory_bytes_per_s; /* of a copy within the device, reads and writes added */
  double pinned_to_host_bytes_per_s;
  double pinned_to_device_bytes_per_s;
  int64_t pinned_to_host_latency_ns;
  int64_t pinned_to_device_latency_ns;
  double pageable_to_host_bytes_per_s;
  double pageable_to_device_bytes_per_s;
  double both_to_host_bytes_per_s; /* pinned, with concurrent copies to the device */
  double both_to_device_bytes_per_s;
} TidelineDeviceSpeeds;

/* Copies between a device and pinned memory of the host, one after the other, in the background. */
typedef struct TidelineLane TidelineLane;

typedef struct TidelineDeviceApi {
  uint32_t struct_size;
  uint32_t abi_major;
  int (*count)(uint32_t* count, char* message, size_t message_size);
  int (*describe)(uint32_t index, TidelineDevice* device, char* message, size_t message_size);
  int (*measure)(uint32_t index, const TidelineMeasure* how, TidelineDeviceSpeeds* speeds,
                 char* message, size_t message_size);
  /* The rest was appended; a plugin has all of it, or nothing. */
  int (*open_lane)(uint32_t index, TidelineLane** lane, char* message, size_t message_size);
  /* Waits for all copies. Memory that was pinned for the lane is given back before. */
  void (*close_lane)(TidelineLane* lane);
  /* Memory of the host whose pages stay where they are, aligned to 4096 bytes. */
  int (*pin)(TidelineLane* lane, uint64_t bytes, void** memory, char* message, size_t message_size);
  void (*unpin)(TidelineLane* lane, void* memory);
  /* Begins a copy. What the device does with its side must be done before, and the memory of both
   * sides must stay until `finish`. `ticket` numbers the copies of the lane from 1 on. */
  int (*to_host)(TidelineLane* lane, void* host, const void* device, uint64_t bytes,
                 uint64_t* ticket, char* message, size_t message_size);
  int (*to_device)(TidelineLane* lane, void* device, const void* host, uint64_t bytes,
                   uint64_t* ticket, char* message, size_t message_size);
  /* Waits for the copy `ticket` and all before it. Thread: may be concurrent with itself. */
  int (*finish)(TidelineLane* lane, uint64_t ticket, char* message, size_t message_size);
} TidelineDeviceApi;

/* Size of the first version, up to `measure`, which every plugin has at least. A host checks
 * struct_size before it uses a field that was appended later. */
#define TIDELINE_DEVICE_API_FIRST_SIZE \
  (offsetof(TidelineDeviceApi, measure) + sizeof(void (*)(void)))

/* Size up to `finish`. */
#define TIDELINE_DEVICE_API_LANES_SIZE \
  (offsetof(TidelineDeviceApi, finish) + sizeof(void (*)(void)))

/* The only exported function of a plugin. Returns null if it does not support `host_abi_major`. */
typedef const TidelineDeviceApi* (*TidelineDeviceApiFunction)(uint32_t host_abi_major);

#ifdef __cplusplus
}
#endif
/* NOLINTEND */
