// Ops that take and give values. TmciCheckpoint saves its inputs where they lie. TmciSave and
// TmciLoad have the inputs and outputs of SaveV2 and RestoreV2, so that a graph's saver can be
// moved to a backend op by op: the prefix reaches the backend as its configuration, slices of one
// variable are put together, because backends know whole tensors alone. Tested by
// tests/integration/tensorflow_ops_test.py.
#include <map>
#include <optional>

#include "slices.h"
#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/shape_inference.h"
#include "tensors.h"

namespace tideline::tmci {
namespace {

namespace errors = tensorflow::errors;
using tensorflow::OpInputList;
using tensorflow::OpKernelConstruction;
using tensorflow::OpKernelContext;
using tensorflow::Status;
using tensorflow::Tensor;
using tensorflow::TensorShape;
using tensorflow::tstring;

class CheckpointOp final : public BackendOp {
 public:
  explicit CheckpointOp(OpKernelConstruction* ctx) : BackendOp(ctx) {
    tensorflow::DataTypeVector types;
    OP_REQUIRES_OK(ctx, ctx->GetAttr("T", &types));
    OP_REQUIRES_OK(ctx, read_names(ctx, types.size(), &names_));
  }

 private:
  Status run(OpKernelContext* ctx) override {
    std::int64_t step = -1;
    TF_RETURN_IF_ERROR(read_step(ctx, &step));
    OpInputList values;
    TF_RETURN_IF_ERROR(ctx->input_list("tensors", &values));
    Batch batch;
    for (int i = 0; i < values.size(); ++i) {
      const auto* name = names_.empty() ? nullptr : &names_[static_cast<std::size_t>(i)];
      TF_RETURN_IF_ERROR(add_value(name, values[i], i, batch));
    }
    return batch.save(ctx, target(), step);
  }

  std::vector<std::string> names_;
};

// The inputs that SaveV2 and RestoreV2 have in common.
struct Request {
  std::string config;
  std::vector<std::string> names;
  std::vector<std::optional<Slice>> slices;  // none: the whole tensor
};

Status read_request(OpKernelContext* ctx, const std::string& config, std::size_t count,
                    Request* request) {
  const Tensor& prefix = ctx->input(0);
  const Tensor& names = ctx->input(1);
  const Tensor& slices = ctx->input(2);
  if (prefix.NumElements() != 1) {
    return errors::InvalidArgument("'prefix' has the shape ", prefix.shape().DebugString(),
                                   "; expected a single string");
  }
  for (const Tensor* input : {&names, &slices}) {
    if (static_cast<std::size_t>(input->NumElements()) != count) {
      return errors::InvalidArgument("'", input == &names ? "tensor_names" : "shape_and_slices",
                                     "' has ", input->NumElements(), " elements; expected ", count);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::int64_t>(i);
    request->names.emplace_back(names.flat<tstring>()(at));
    const std::string text(slices.flat<tstring>()(at));
    request->slices.push_back(text.empty() ? std::nullopt : parse_slice(text));
    if (!text.empty() && !request->slices.back()) {
      return errors::InvalidArgument("tensor '", request->names.back(), "': '", text,
                                     "' is no slice; expected one like '6 4 0,3:-'");
    }
  }
  const std::string path(prefix.flat<tstring>()(0));
  const auto place = [](void* self, const char* text) { *static_cast<std::string*>(self) = text; };
  return status_of(config_for(config.c_str(), path.c_str(), place, &request->config));
}

class SaveOp final : public BackendOp {
 public:
  explicit SaveOp(OpKernelConstruction* ctx) : BackendOp(ctx) {}

 private:
  struct Sliced {
    std::vector<Slice> slices;
    Tensor whole;
  };

  Status run(OpKernelContext* ctx) override {
    constexpr int kFirst = 3;
    Request request;
    const int count = ctx->num_inputs() - kFirst;
    TF_RETURN_IF_ERROR(read_request(ctx, config(), static_cast<std::size_t>(count), &request));
    Batch batch;
    std::map<std::string, Sliced> sliced;
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Tensor& value = ctx->input(kFirst + i);
      if (request.slices[at]) {
        TF_RETURN_IF_ERROR(
            add_slice(request.names[at], *request.slices[at], value, sliced[request.names[at]]));
      } else {
        TF_RETURN_IF_ERROR(add_value(&request.names[at], value, i, batch));
      }
    }
    for (auto& [name, one] : sliced) {
      if (!cover_all(one.slices)) {
        return errors::Unimplemented(
            "tensor '", name, "': its slices are not the whole of ",
            one.whole.shape().DebugString(),
            "; backends keep whole tensors: expected all slices in one op, each once");
      }
      TF_RETURN_IF_ERROR(add_value(&name, one.whole, 0, batch));
    }
    return batch.save(ctx, {backend().c_str(), request.config.c_str()}, -1);
  }

  static Status add_slice(const std::string& name, const Slice& slice, const Tensor& value,
                          Sliced& to) {
    const TensorShape whole(slice.whole);
    if (value.shape() != TensorShape(slice.length)) {
      return errors::InvalidArgument("tensor '", name, "' has the shape ",
                                     value.shape().DebugString(), ", its slice ",
                                     TensorShape(slice.length).DebugString());
    }
    if (!is_plain(value.dtype())) {
      return errors::Unimplemented("tensor '", name, "': a slice of type ",
                                   tensorflow::DataTypeString(value.dtype()), "; expected numbers");
    }
    if (to.slices.empty()) to.whole = Tensor(value.dtype(), whole);
    if (to.whole.shape() != whole || to.whole.dtype() != value.dtype()) {
      return errors::InvalidArgument("tensor '", name,
                                     "': its slices differ in type or whole shape");
    }
    to.slices.push_back(slice);
    copy_slice(slice, static_cast<std::size_t>(tensorflow::DataTypeSize(value.dtype())),
               data_of(to.whole), data_of(value), true);
    return tensorflow::OkStatus();
  }
};

// What a checkpoint holds, by name.
struct Found {
  tensorflow::DataType type;
  TensorShape shape;
  std::int64_t bytes;
};
using Listing = std::map<std::string, Found>;

int remember(void* self, const TidelineTensor* tensor) {
  const std::vector<std::int64_t> dims(tensor->dims, tensor->dims + tensor->rank);
  static_cast<Listing*>(self)->insert_or_assign(
      std::string(tensor->name == nullptr ? "" : tensor->name, tensor->name_size),
      Found{static_cast<tensorflow::DataType>(tensor->dtype), TensorShape(dims),
            static_cast<std::int64_t>(tensor->bytes)});
  return 0;
}

class LoadOp final : public BackendOp {
 public:
  explicit LoadOp(OpKernelConstruction* ctx) : BackendOp(ctx) {
    OP_REQUIRES_OK(ctx, ctx->GetAttr("dtypes", &types_));
  }

 private:
  Status run(OpKernelContext* ctx) override {
    Request request;
    TF_RETURN_IF_ERROR(read_request(ctx, config(), types_.size(), &request));
    const Target place{backend().c_str(), request.config.c_str()};
    Listing listing;
    TF_RETURN_IF_ERROR(status_of(list(place, -1, remember, &listing)));
    // What is not an output itself, by name: whole tensors of slices, and strings as bytes.
    std::map<std::string, Tensor> aside;
    std::map<std::string, Tensor> loaded;
    Batch batch;
    for (std::size_t i = 0; i < types_.size(); ++i) {
      const std::string& name = request.names[i];
      const auto found = listing.find(name);
      TF_RETURN_IF_ERROR(check(i, request, found == listing.end() ? nullptr : &found->second));
      if (aside.count(name) != 0 || loaded.count(name) != 0) continue;
      TF_RETURN_IF_ERROR(
          prepare(ctx, static_cast<int>(i), request, found->second, aside, loaded, batch));
    }
    TF_RETURN_IF_ERROR(batch.load(ctx, place, -1));
    for (std::size_t i = 0; i < types_.size(); ++i) {
      TF_RETURN_IF_ERROR(
          give(ctx, static_cast<int>(i), request, listing.at(request.names[i]), aside, loaded));
    }
    return tensorflow::OkStatus();
  }

  Status check(std::size_t i, const Request& request, const Found* found) const {
    const std::string& name = request.names[i];
    if (found == nullptr) {
      return errors::NotFound(request.config, ": has no tensor '", name, "'");
    }
    if (found->type != types_[i]) {
      return errors::InvalidArgument(request.config, ": tensor '", name, "' is of type ",
                                     tensorflow::DataTypeString(found->type), "; expected ",
                                     tensorflow::DataTypeString(types_[i]));
    }
    if (!is_plain(found->type) && found->type != tensorflow::DT_STRING) {
      return errors::Unimplemented(request.config, ": tensor '", name, "' is of type ",
                                   tensorflow::DataTypeString(found->type),
                                   "; expected numbers or strings");
    }
    if (!request.slices[i]) return tensorflow::OkStatus();
    if (TensorShape(request.slices[i]->whole) != found->shape || !is_plain(found->type)) {
      return errors::InvalidArgument(request.config, ": tensor '", name, "' is ",
                                     tensorflow::DataTypeString(found->type), " ",
                                     found->shape.DebugString(), "; expected numbers of the shape ",
                                     TensorShape(request.slices[i]->whole).DebugString());
    }
    return tensorflow::OkStatus();
  }

  static Status prepare(OpKernelContext* ctx, int i, const Request& request, const Found& found,
                        std::map<std::string, Tensor>& aside, std::map<std::string, Tensor>& loaded,
                        Batch& batch) {
    const std::string& name = request.names[static_cast<std::size_t>(i)];
    if (found.type == tensorflow::DT_STRING) {
      const Tensor bytes(tensorflow::DT_UINT8, {found.bytes});
      aside[name] = bytes;
      batch.add_strings(&name, found.shape, bytes);
      return tensorflow::OkStatus();
    }
    Tensor fresh;
    TF_RETURN_IF_ERROR(ctx->allocate_temp(found.type, found.shape, &fresh));
    prefer_large_pages(fresh);
    batch.add(&name, fresh);
    (request.slices[static_cast<std::size_t>(i)] ? aside : loaded)[name] = fresh;
    return tensorflow::OkStatus();
  }

  static Status give(OpKernelContext* ctx, int i, const Request& request, const Found& found,
                     const std::map<std::string, Tensor>& aside,
                     const std::map<std::string, Tensor>& loaded) {
    const std::string& name = request.names[static_cast<std::size_t>(i)];
    const auto& slice = request.slices[static_cast<std::size_t>(i)];
    const auto whole = loaded.find(name);
    const Tensor& source = whole != loaded.end() ? whole->second : aside.at(name);
    if (!slice && found.type != tensorflow::DT_STRING) {
      ctx->set_output(i, source);
      return tensorflow::OkStatus();
    }
    Tensor* out = nullptr;
    const TensorShape shape = slice ? TensorShape(slice->length) : found.shape;
    TF_RETURN_IF_ERROR(ctx->allocate_output(i, shape, &out));
    if (slice) {
      copy_slice(*slice, static_cast<std::size_t>(tensorflow::DataTypeSize(found.type)),
                 data_of(source), data_of(*out), false);
      return tensorflow::OkStatus();
    }
    const auto place = [](void* self, std::size_t at, const Text& text) {
      static_cast<Tensor*>(self)->flat<tstring>()(static_cast<std::int64_t>(at)) =
          tstring(text.data, text.size);
    };
    return status_of(decode_strings({data_of(source), source.TotalBytes()},
                                    static_cast<std::size_t>(found.shape.num_elements()), place,
                                    out));
  }

  tensorflow::DataTypeVector types_;
};

REGISTER_OP("TmciCheckpoint")
    .Attr("backend: string")
    .Attr("config: string = ''")
    .Attr("names: list(string) = []")
    .Attr("T: list(type) >= 1")
    .Input("tensors: T")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs);
REGISTER_OP("TmciCheckpointStep")
    .Attr("backend: string")
    .Attr("config: string = ''")
    .Attr("names: list(string) = []")
    .Attr("T: list(type) >= 1")
    .Input("step: int64")
    .Input("tensors: T")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs);
REGISTER_OP("TmciSave")
    .Attr("backend: string")
    .Attr("config: string = ''")
    .Attr("T: list(type) >= 1")
    .Input("prefix: string")
    .Input("tensor_names: string")
    .Input("shape_and_slices: string")
    .Input("tensors: T")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs);
REGISTER_OP("TmciLoad")
    .Attr("backend: string")
    .Attr("config: string = ''")
    .Attr("dtypes: list(type) >= 1")
    .Input("prefix: string")
    .Input("tensor_names: string")
    .Input("shape_and_slices: string")
    .Output("tensors: dtypes")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::UnknownShape);

REGISTER_KERNEL_BUILDER(Name("TmciCheckpoint").Device(tensorflow::DEVICE_CPU), CheckpointOp);
REGISTER_KERNEL_BUILDER(Name("TmciCheckpointStep").Device(tensorflow::DEVICE_CPU), CheckpointOp);
REGISTER_KERNEL_BUILDER(Name("TmciSave").Device(tensorflow::DEVICE_CPU), SaveOp);
REGISTER_KERNEL_BUILDER(Name("TmciLoad").Device(tensorflow::DEVICE_CPU), LoadOp);

}  // namespace
}  // namespace tideline::tmci
