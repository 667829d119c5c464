/* A device plugin without a device. What lies on "the device" is stored with all bits flipped, so
 * that whoever takes an address there for one on the host gets wrong values. A copy is made when
 * somebody waits for it, and not before. FAKE_DEVICE_FAIL=NAME: the function of this name fails. */
#include <core/devices/device_plugin_abi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct Copy {
  char* to;
  const char* from;
  uint64_t bytes;
} Copy;

struct TidelineLane {
  Copy copies[1000];
  uint64_t begun, done;
  pthread_mutex_t mutex;
};

static int answer(const char* name, char* message, size_t message_size) {
  const char* failing = getenv("FAKE_DEVICE_FAIL");
  if (failing == NULL || strcmp(failing, name) != 0) return 0;
  strncpy(message, name, message_size - 1);
  return 1;
}

static int count(uint32_t* count, char* message, size_t message_size) {
  *count = 1;
  return answer("count", message, message_size);
}

static int describe(uint32_t index, TidelineDevice* device, char* message, size_t message_size) {
  device->index = index;
  strcpy(device->name, "fake");
  return answer("describe", message, message_size);
}

static int measure(uint32_t index, const TidelineMeasure* how, TidelineDeviceSpeeds* speeds,
                   char* message, size_t message_size) {
  (void)index, (void)how, (void)speeds;
  strncpy(message, "measures nothing", message_size - 1);
  return 1;
}

static int open_lane(uint32_t index, TidelineLane** lane, char* message, size_t message_size) {
  (void)index;
  if (answer("open_lane", message, message_size) != 0) return 1;
  *lane = calloc(1, sizeof **lane);
  pthread_mutex_init(&(*lane)->mutex, NULL);
  return 0;
}

static int finish(TidelineLane* lane, uint64_t ticket, char* message, size_t message_size) {
  pthread_mutex_lock(&lane->mutex);
  while (lane->done < ticket) {
    const Copy* copy = &lane->copies[lane->done++ % 1000];
    for (uint64_t i = 0; i < copy->bytes; ++i) copy->to[i] = (char)~copy->from[i];
  }
  pthread_mutex_unlock(&lane->mutex);
  return answer("finish", message, message_size);
}

static void close_lane(TidelineLane* lane) {
  char message[64];
  finish(lane, lane->begun, message, sizeof message);
  pthread_mutex_destroy(&lane->mutex);
  free(lane);
}

static int pin(TidelineLane* lane, uint64_t bytes, void** memory, char* message,
               size_t message_size) {
  (void)lane;
  if (answer("pin", message, message_size) != 0) return 1;
  *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  return 0;
}

static void unpin(TidelineLane* lane, void* memory) {
  (void)lane;
  free(memory);
}

static uint64_t begin(TidelineLane* lane, char* to, const char* from, uint64_t bytes) {
  pthread_mutex_lock(&lane->mutex);
  lane->copies[lane->begun % 1000] = (Copy){to, from, bytes};
  const uint64_t ticket = ++lane->begun;
  pthread_mutex_unlock(&lane->mutex);
  return ticket;
}

static int to_host(TidelineLane* lane, void* host, const void* device, uint64_t bytes,
                   uint64_t* ticket, char* message, size_t message_size) {
  if (answer("to_host", message, message_size) != 0) return 1;  // nothing was begun
  *ticket = begin(lane, host, device, bytes);
  return 0;
}

static int to_device(TidelineLane* lane, void* device, const void* host, uint64_t bytes,
                     uint64_t* ticket, char* message, size_t message_size) {
  if (answer("to_device", message, message_size) != 0) return 1;  // nothing was begun
  *ticket = begin(lane, device, host, bytes);
  return 0;
}

__attribute__((visibility("default"))) const TidelineDeviceApi* tideline_device_api(
    uint32_t host_abi_major) {
  static const TidelineDeviceApi kApi = {sizeof(TidelineDeviceApi),
                                         TIDELINE_DEVICE_ABI_MAJOR,
                                         count,
                                         describe,
                                         measure,
                                         open_lane,
                                         close_lane,
                                         pin,
                                         unpin,
                                         to_host,
                                         to_device,
                                         finish};
  return host_abi_major == TIDELINE_DEVICE_ABI_MAJOR ? &kApi : NULL;
}
