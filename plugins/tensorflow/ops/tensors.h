// What the kernels have in common: TensorFlow's tensors as a backend gets them, errors, attributes.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <string>
#include <vector>

#include "core/checkpoint/backend_abi.h"
#include "host.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/public/version.h"

namespace tideline::tmci {

inline tensorflow::Status status_of(const Reply& reply) {
  namespace errors = tensorflow::errors;
  switch (reply.code) {
    case TIDELINE_CHECKPOINT_OK: return tensorflow::OkStatus();
    case TIDELINE_CHECKPOINT_INVALID: return errors::InvalidArgument(reply.text);
    case TIDELINE_CHECKPOINT_NOT_FOUND: return errors::NotFound(reply.text);
    case TIDELINE_CHECKPOINT_CORRUPT: return errors::DataLoss(reply.text);
    case TIDELINE_CHECKPOINT_UNSUPPORTED: return errors::Unimplemented(reply.text);
    case TIDELINE_CHECKPOINT_CANCELLED: return errors::Cancelled(reply.text);
    default: return errors::Internal(reply.text);
  }
}

inline char* data_of(const tensorflow::Tensor& tensor) {
  return const_cast<char*>(tensor.tensor_data().data());
}

/// Numbers, whose bytes mean the same in another process.
inline bool is_plain(tensorflow::DataType type) {
  return tensorflow::DataTypeSize(type) > 0 && !tensorflow::IsRefType(type);
}

/// Fresh memory is touched for the first time when it is written: with large pages that costs a
/// 512th of the page faults.
inline void prefer_large_pages(const tensorflow::Tensor& tensor) {
  constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20U;
  const auto begin = reinterpret_cast<std::uintptr_t>(data_of(tensor));
  const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage;
  const std::uintptr_t last = (begin + tensor.TotalBytes()) / kPage * kPage;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

/// The tensors of a call: those of TensorFlow, and what says to a backend where they lie.
class Batch {
 public:
  /// The name is not copied; null where there are none.
  void add(const std::string* name, const tensorflow::Tensor& tensor) {
    TidelineTensor& one = described(name, tensor.dtype(), tensor.shape(), tensor);
    one.native = &kept_.back();
    one.native_type = native_type();
  }
  /// Strings in the form of host.h, which are the bytes of `encoded`.
  void add_strings(const std::string* name, const tensorflow::TensorShape& shape,
                   const tensorflow::Tensor& encoded) {
    described(name, tensorflow::DT_STRING, shape, encoded);
  }

  [[nodiscard]] tensorflow::Status save(tensorflow::OpKernelContext* ctx, const Target& target,
                                        std::int64_t step) {
    Running running{ctx, this};
    Caller caller;
    caller.step = step;
    caller.self = &running;
    caller.is_cancelled = is_cancelled;
    caller.retain = retain;
    caller.release = release;
    return status_of(tmci::save(target, all_.data(), all_.size(), caller));
  }
  [[nodiscard]] tensorflow::Status load(tensorflow::OpKernelContext* ctx, const Target& target,
                                        std::int64_t step) {
    Running running{ctx, this};
    Caller caller;
    caller.step = step;
    caller.self = &running;
    caller.is_cancelled = is_cancelled;
    return status_of(tmci::load(target, all_.data(), all_.size(), caller));
  }

 private:
  using Tensors = std::deque<tensorflow::Tensor>;
  struct Running {
    tensorflow::OpKernelContext* ctx;
    Batch* batch;
  };

  static bool is_cancelled(void* self) {
    auto* manager = static_cast<Running*>(self)->ctx->cancellation_manager();
    return manager != nullptr && manager->IsCancelled();
  }
  // Tensors that are referred to stay as they are: TensorFlow then writes into a copy.
  static void* retain(void* self) { return new Tensors(static_cast<Running*>(self)->batch->kept_); }
  static void release(void* retained) { delete static_cast<Tensors*>(retained); }

  static const char* native_type() {
    static const std::string type = std::string("tensorflow::Tensor ") + TF_VERSION_STRING;
    return type.c_str();
  }

  TidelineTensor& described(const std::string* name, tensorflow::DataType type,
                            const tensorflow::TensorShape& shape,
                            const tensorflow::Tensor& memory) {
    kept_.push_back(memory);
    const auto sizes = shape.dim_sizes();
    dims_.emplace_back(sizes.begin(), sizes.end());
    TidelineTensor& one = all_.emplace_back();
    one = {};
    one.struct_size = sizeof one;
    one.dtype = static_cast<std::uint32_t>(type);
    if (name != nullptr) {
      one.name = name->data();
      one.name_size = name->size();
    }
    one.dims = dims_.back().data();
    one.rank = static_cast<std::uint32_t>(dims_.back().size());
    one.device_type = TIDELINE_DEVICE_HOST;
    one.data = data_of(memory);
    one.bytes = memory.TotalBytes();
    return one;
  }

  Tensors kept_;  // deques: `all_` points to their elements
  std::deque<std::vector<std::int64_t>> dims_;
  std::vector<TidelineTensor> all_;
};

/// The strings of a tensor as bytes.
inline tensorflow::Status encoded(const tensorflow::Tensor& strings, tensorflow::Tensor* bytes) {
  std::vector<Text> texts;
  for (std::int64_t i = 0; i < strings.NumElements(); ++i) {
    const tensorflow::tstring& text = strings.flat<tensorflow::tstring>()(i);
    texts.push_back({text.data(), text.size()});
  }
  const auto place = [](void* self, const Text& made) {
    tensorflow::Tensor out(tensorflow::DT_UINT8, {static_cast<std::int64_t>(made.size)});
    std::memcpy(data_of(out), made.data, made.size);
    *static_cast<tensorflow::Tensor*>(self) = out;
  };
  return status_of(encode_strings(texts.data(), texts.size(), place, bytes));
}

/// Adds a value to `batch`; numbers without a copy. Errors: for resources and variants.
inline tensorflow::Status add_value(const std::string* name, const tensorflow::Tensor& value,
                                    int position, Batch& batch) {
  if (value.dtype() == tensorflow::DT_STRING) {
    tensorflow::Tensor bytes;
    TF_RETURN_IF_ERROR(encoded(value, &bytes));
    batch.add_strings(name, value.shape(), bytes);
    return tensorflow::OkStatus();
  }
  if (!is_plain(value.dtype())) {
    return tensorflow::errors::Unimplemented(
        "tensor ", position, name == nullptr ? "" : " '", name == nullptr ? "" : *name,
        name == nullptr ? "" : "'", " is of type ", tensorflow::DataTypeString(value.dtype()),
        "; expected numbers or strings");
  }
  batch.add(name, value);
  return tensorflow::OkStatus();
}

/// The attributes that all ops have, and Compute without exceptions.
class BackendOp : public tensorflow::OpKernel {
 public:
  explicit BackendOp(tensorflow::OpKernelConstruction* ctx) : OpKernel(ctx) {
    OP_REQUIRES_OK(ctx, ctx->GetAttr("backend", &backend_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("config", &config_));
  }

  void Compute(tensorflow::OpKernelContext* ctx) final {
    try {
      ctx->SetStatus(run(ctx));
    } catch (const std::exception& problem) {
      ctx->SetStatus(tensorflow::errors::Internal(problem.what()));
    } catch (...) {
      ctx->SetStatus(tensorflow::errors::Internal("an unknown exception"));
    }
  }

 protected:
  virtual tensorflow::Status run(tensorflow::OpKernelContext* ctx) = 0;

  [[nodiscard]] Target target() const { return {backend_.c_str(), config_.c_str()}; }
  [[nodiscard]] const std::string& backend() const { return backend_; }
  [[nodiscard]] const std::string& config() const { return config_; }

  /// Names, of which there are as many as `count`, or none.
  static tensorflow::Status read_names(tensorflow::OpKernelConstruction* ctx, std::size_t count,
                                       std::vector<std::string>* names) {
    TF_RETURN_IF_ERROR(ctx->GetAttr("names", names));
    if (names->empty() || names->size() == count) return tensorflow::OkStatus();
    return tensorflow::errors::InvalidArgument("'names' has ", names->size(),
                                               " elements; expected none or ", count);
  }

  /// The step that an op of training gets as an input, or -1.
  static tensorflow::Status read_step(tensorflow::OpKernelContext* ctx, std::int64_t* step) {
    const tensorflow::Tensor* input = nullptr;
    *step = -1;
    if (ctx->op_kernel().def().op().find("Step") == std::string::npos)
      return tensorflow::OkStatus();
    TF_RETURN_IF_ERROR(ctx->input("step", &input));
    if (input->NumElements() != 1) {
      return tensorflow::errors::InvalidArgument(
          "'step' has the shape ", input->shape().DebugString(), "; expected a single number");
    }
    *step = input->flat<std::int64_t>()(0);
    return tensorflow::OkStatus();
  }

 private:
  std::string backend_;
  std::string config_;
};

}  // namespace tideline::tmci
