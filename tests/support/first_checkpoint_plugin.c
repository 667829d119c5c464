/* A plugin with checkpoint backends in C99, as somebody may write it: `counter`
 * keeps nothing but counts calls, and `quiet` fails without a word. */
#include <core/checkpoint/backend_abi.h>
#include <stdio.h>
#include <string.h>

#if defined(__GNUC__)
#define EXPORTED __attribute__((visibility("default")))
#else
#define EXPORTED
#endif

static int saves = 0;

static int open_counter(const char* config, void** object, char* message, size_t message_size) {
  if (strcmp(config, "good") != 0) {
    /* Longer than any buffer: nobody may rely on an end. */
    memset(message, 'x', message_size);
    return TIDELINE_CHECKPOINT_INVALID;
  }
  *object = &saves;
  return TIDELINE_CHECKPOINT_OK;
}

static void close_counter(void* object) {
  (void)object;
}

static int save_counter(void* object, const TidelineTensor* const* tensors, uint64_t count,
                        const TidelineCall* call) {
  uint64_t i = 0;
  (void)tensors;
  for (i = 0; i < count; ++i) {
    if (call->go_on != NULL && call->go_on(call->self, "counting", i, count) != 0) {
      snprintf(call->message, call->message_size, "stopped at %d", (int)i);
      return TIDELINE_CHECKPOINT_CANCELLED;
    }
  }
  ++*(int*)object;
  return TIDELINE_CHECKPOINT_OK;
}

static int load_quiet(void* object, const TidelineTensor* const* tensors, uint64_t count,
                      const TidelineCall* call) {
  (void)object;
  (void)tensors;
  (void)count;
  (void)call;
  return 42;
}

static const TidelineBackend counter = {sizeof(TidelineBackend),
                                        TIDELINE_CHECKPOINT_SAVES | TIDELINE_CHECKPOINT_LISTS,
                                        "counter",
                                        "Counts saves.",
                                        open_counter,
                                        close_counter,
                                        save_counter,
                                        NULL,
                                        NULL,
                                        NULL};
static const TidelineBackend quiet = {sizeof(TidelineBackend),
                                      TIDELINE_CHECKPOINT_LOADS,
                                      "quiet",
                                      NULL,
                                      open_counter,
                                      close_counter,
                                      NULL,
                                      load_quiet,
                                      NULL,
                                      NULL};
static const TidelineBackend* const backends[] = {&counter, &quiet};
static const TidelineCheckpointApi api = {sizeof(TidelineCheckpointApi),
                                          TIDELINE_CHECKPOINT_ABI_MAJOR, 2, 0, backends};

EXPORTED const TidelineCheckpointApi* tideline_checkpoint_api(const TidelineCheckpointHost* host,
                                                              uint32_t host_abi_major) {
  (void)host;
  return host_abi_major == TIDELINE_CHECKPOINT_ABI_MAJOR ? &api : NULL;
}
