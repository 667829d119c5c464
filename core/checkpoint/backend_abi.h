/* The C99 interface of checkpoint backends: plugins that keep the tensors of a
 * running program.
 *
 * Every struct begins with struct_size, set by the side that allocates it.
 * Fields are only ever appended, and each side reads and writes only fields
 * within the smaller of the two sizes. Functions that return int return one of
 * TidelineCheckpointCode; unless that is OK, they have written a
 * null-terminated text for the user to `message`. No exception may leave a
 * function. Pointers that are passed in are valid during the call only, unless
 * said otherwise.
 */
#pragma once

/* NOLINTBEGIN: this is C */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TIDELINE_CHECKPOINT_ABI_MAJOR 1u
#define TIDELINE_CHECKPOINT_API_SYMBOL "tideline_checkpoint_api"

typedef enum TidelineCheckpointCode {
  TIDELINE_CHECKPOINT_OK = 0,
  TIDELINE_CHECKPOINT_INVALID = 1,     /* the request is at fault: configuration, shapes */
  TIDELINE_CHECKPOINT_NOT_FOUND = 2,   /* no such checkpoint or tensor */
  TIDELINE_CHECKPOINT_CORRUPT = 3,     /* what was saved is damaged */
  TIDELINE_CHECKPOINT_UNSUPPORTED = 4, /* not something that this backend does */
  TIDELINE_CHECKPOINT_IO = 5,          /* disk full, no permission, no network */
  TIDELINE_CHECKPOINT_CANCELLED = 6,   /* go_on asked for it */
  TIDELINE_CHECKPOINT_INTERNAL = 7
} TidelineCheckpointCode;

/* What a backend can do: bits of TidelineBackend.capabilities. */
#define TIDELINE_CHECKPOINT_SAVES 1u        /* `save` is there */
#define TIDELINE_CHECKPOINT_LOADS 2u        /* `load` is there */
#define TIDELINE_CHECKPOINT_LISTS 4u        /* `list` is there */
#define TIDELINE_CHECKPOINT_ASYNC 8u        /* `save` may return before all is kept; see `wait` */
#define TIDELINE_CHECKPOINT_THREAD_SAFE 16u /* calls on one object may be concurrent */
#define TIDELINE_CHECKPOINT_NEEDS_NAMES 32u /* tensors without names are refused */
#define TIDELINE_CHECKPOINT_STREAMS 64u     /* uses `ready` and `filled` of a call */

/* As in DLPack. */
#define TIDELINE_DEVICE_HOST 1
#define TIDELINE_DEVICE_CUDA 2

/* A tensor that lies in memory, in row-major order. Saving reads `data`,
 * loading writes it. Strings (dtype 7) have the form of a TensorFlow checkpoint
 * there, of `bytes` bytes: the lengths as varints, four bytes of checksum, the
 * strings; what `list` says of their size is that of this form. */
typedef struct TidelineTensor {
  uint32_t struct_size;
  uint32_t dtype;   /* number of the type in TensorFlow's DataType: 1 is float32 */
  const char* name; /* UTF-8, not null-terminated; null where the host knows
                       positions alone */
  size_t name_size;
  const int64_t* dims;
  uint32_t rank;
  int32_t device_type; /* TIDELINE_DEVICE_... */
  int32_t device_id;
  uint32_t reserved;
  void* data;
  uint64_t bytes;
  /* The host's own object for this tensor, of the type and version that
   * `native_type` names, for a backend that was compiled for that host:
   * "tensorflow::Tensor 2.15.1". Else null. */
  const void* native;
  const char* native_type;
} TidelineTensor;

/* What goes with a call. */
typedef struct TidelineCall {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t step; /* of training; -1: not known when saving, the latest when
                   loading */
  /* Progress; a result other than 0 cancels. May be null. `total` is 0 if it is
   * not known. */
  int (*go_on)(void* self, const char* stage, uint64_t done, uint64_t total);
  void* self;
  char* message; /* for errors */
  size_t message_size;
  /* Asynchronous saves: keeps the memory of all tensors as it is until
   * `release` is called with the result, from any thread, exactly once. Null
   * where memory cannot be kept: the backend then copies, or finishes before it
   * returns. */
  void* (*retain)(void* self);
  void (*release)(void* retained);
  /* Appended. Tensors that the host is still copying from a device: waits until
   * the memory of tensors[index] of a save can be read. Tensors that the host
   * then copies to a device: tensors[index] of a load is whole. From any
   * thread, until the call returns. Null where there is nothing to wait for or
   * to say; else a backend without TIDELINE_CHECKPOINT_STREAMS is called after
   * all copies were made, and before they are. */
  int (*ready)(void* self, uint64_t index);
  int (*filled)(void* self, uint64_t index);
} TidelineCall;

/* Receives the tensors of a checkpoint; a result other than 0 ends the listing.
 */
typedef int (*TidelineTensorVisitor)(void* self, const TidelineTensor* tensor);

typedef struct TidelineBackend {
  uint32_t struct_size;
  uint32_t capabilities;
  const char* name;  /* a C identifier */
  const char* about; /* one sentence */
  /* Makes an object from a configuration, whose form is the backend's affair
   * ("" if none is given). */
  int (*open)(const char* config, void** object, char* message, size_t message_size);
  /* Ends all work of the object first. */
  void (*close)(void* object);
  /* Keeps all tensors, or none of them: whoever loads sees this checkpoint or
   * the one before. The tensors are passed by pointers, because a host of a
   * later version may have longer ones. */
  int (*save)(void* object, const TidelineTensor* const* tensors, uint64_t count,
              const TidelineCall* call);
  /* Fills the memory of all tensors. Names, types and shapes are compared
   * before anything is written. After an error the memory may hold anything. */
  int (*load)(void* object, const TidelineTensor* const* tensors, uint64_t count,
              const TidelineCall* call);
  /* Names, types, shapes and sizes, without data. */
  int (*list)(void* object, TidelineTensorVisitor visit, void* self, const TidelineCall* call);
  /* Waits for all saves; fails with the error of the first that failed since
   * the last call. */
  int (*wait)(void* object, const TidelineCall* call);
} TidelineBackend;

#define TIDELINE_BACKEND_FIRST_SIZE (offsetof(TidelineBackend, wait) + sizeof(void (*)(void)))
#define TIDELINE_TENSOR_FIRST_SIZE (offsetof(TidelineTensor, native_type) + sizeof(const char*))
#define TIDELINE_CALL_FIRST_SIZE (offsetof(TidelineCall, release) + sizeof(void (*)(void)))

/* The backends of a plugin. An element of `backends` is as long as its
 * struct_size says. */
typedef struct TidelineCheckpointApi {
  uint32_t struct_size;
  uint32_t abi_major;
  uint32_t count;
  uint32_t reserved;
  const TidelineBackend* const* backends;
} TidelineCheckpointApi;

typedef struct TidelineCheckpointHost {
  uint32_t struct_size;
  uint32_t abi_major;
  const char* name; /* "tideline 0.1.0" */
} TidelineCheckpointHost;

/* The only exported function of a plugin. Returns null if it does not support
 * the host's version. */
typedef const TidelineCheckpointApi* (*TidelineCheckpointApiFunction)(
    const TidelineCheckpointHost* host, uint32_t host_abi_major);

#ifdef __cplusplus
}
#endif
/* NOLINTEND */
