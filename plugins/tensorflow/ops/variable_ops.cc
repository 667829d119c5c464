// Problem: TMCI restores by writing into the memory of a value that was read from a variable. That
// is
//   lost when the value is a copy (sparse updates put a variable into copy-on-read mode), changes
//   whoever shares the memory, and leaves half a model behind when it fails.
// Idea: ops that get the variables themselves. All of them are locked, in the order of addresses as
//   TensorFlow does it; types and shapes are compared with what the backend lists; then everything
//   is loaded before any variable changes:
//   - A backend that lists what it keeps is loaded into fresh memory, which takes the place of the
//     variable's. Whoever read the variable before keeps what was read.
//   - Others (those written for TMCI, `dummy`) may leave memory as it is, and expect the variable's
//     own. They get that, if nobody shares it, and a copy is put back when loading fails; else a
//     copy that takes its place.
// TmciRestore gets values, as in TMCI. It looks for the variables to which their memory belongs,
// and fails when there are none: nothing is written into anything else. Tested by
// tests/integration/tensorflow_ops_test.py.
#include <algorithm>
#include <map>
#include <set>

#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/resource_mgr.h"
#include "tensorflow/core/framework/resource_var.h"
#include "tensorflow/core/framework/shape_inference.h"
#include "tensors.h"

namespace tideline::tmci {
namespace {

namespace errors = tensorflow::errors;
using tensorflow::OpKernelConstruction;
using tensorflow::OpKernelContext;
using tensorflow::ResourceHandle;
using tensorflow::Status;
using tensorflow::Tensor;
using tensorflow::TensorShape;
using tensorflow::Var;
using Variable = tensorflow::core::RefCountPtr<Var>;

// A variable that is to be filled.
struct Goal {
  Variable variable;
  TensorShape shape;
  std::string name;  // for messages
  bool is_in_place = false;
  Tensor fresh;   // takes the place of the variable's memory, or
  Tensor backup;  // holds what it held before it was filled in place
};

// Locks all variables, in the order of the addresses of their mutexes.
class Locked {
 public:
  explicit Locked(const std::vector<Goal>& goals) {
    for (const Goal& goal : goals) mutexes_.push_back(goal.variable->mu());
    std::sort(mutexes_.begin(), mutexes_.end());
    for (tensorflow::mutex* each : mutexes_) each->lock();
  }
  ~Locked() {
    for (tensorflow::mutex* each : mutexes_) each->unlock();
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  std::vector<tensorflow::mutex*> mutexes_;
};

struct Found {
  tensorflow::DataType type;
  std::vector<std::int64_t> dims;
};
using Listing = std::map<std::string, Found>;

int remember(void* self, const TidelineTensor* tensor) {
  if (tensor->name != nullptr && tensor->name_size > 0) {
    static_cast<Listing*>(self)->insert_or_assign(
        std::string(tensor->name, tensor->name_size),
        Found{static_cast<tensorflow::DataType>(tensor->dtype),
              {tensor->dims, tensor->dims + tensor->rank}});
  }
  return 0;
}

// Compares with what the backend has, as far as names say what belongs together.
Status compare(const Listing& listing, const std::vector<std::string>& names,
               const std::vector<Goal>& goals) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = listing.find(names[i]);
    if (found == listing.end()) return errors::NotFound("tensor '", names[i], "' was not saved");
    const TensorShape saved(found->second.dims);
    const tensorflow::DataType type = goals[i].variable->tensor()->dtype();
    if (found->second.type == type && saved == goals[i].shape) continue;
    return errors::InvalidArgument(
        "tensor '", names[i], "' was saved as ", tensorflow::DataTypeString(found->second.type),
        " ", saved.DebugString(), "; the variable is ", tensorflow::DataTypeString(type), " ",
        goals[i].shape.DebugString());
  }
  return tensorflow::OkStatus();
}

Tensor copy_of(const Tensor& tensor) {
  Tensor copy(tensor.dtype(), tensor.shape());
  std::memcpy(data_of(copy), data_of(tensor), tensor.TotalBytes());
  return copy;
}

// Where the values of a variable are loaded to.
Status prepare(OpKernelContext* ctx, bool is_replaced, Goal& goal, Tensor* destination) {
  Tensor* held = goal.variable->tensor();
  if (is_replaced || !goal.variable->is_initialized) {
    TF_RETURN_IF_ERROR(ctx->allocate_temp(held->dtype(), goal.shape, &goal.fresh));
    prefer_large_pages(goal.fresh);
    *destination = goal.fresh;
  } else if (goal.variable->copy_on_read_mode.load() || !held->RefCountIsOne()) {
    goal.fresh = copy_of(*held);
    *destination = goal.fresh;
  } else {
    goal.is_in_place = true;
    goal.backup = copy_of(*held);
    *destination = *held;
  }
  return tensorflow::OkStatus();
}

Status fill(OpKernelContext* ctx, const Target& target, std::int64_t step,
            const std::vector<std::string>& names, std::vector<Goal>& goals) {
  bool has_listing = false;
  TF_RETURN_IF_ERROR(status_of(can_list(target, &has_listing)));
  if (has_listing && !names.empty()) {
    Listing listing;
    TF_RETURN_IF_ERROR(status_of(list(target, step, remember, &listing)));
    TF_RETURN_IF_ERROR(compare(listing, names, goals));
  }
  Batch batch;
  for (std::size_t i = 0; i < goals.size(); ++i) {
    Tensor destination;
    TF_RETURN_IF_ERROR(prepare(ctx, has_listing, goals[i], &destination));
    batch.add(names.empty() ? nullptr : &names[i], destination);
  }
  const Status loaded = batch.load(ctx, target, step);
  for (Goal& goal : goals) {
    Tensor* held = goal.variable->tensor();
    if (loaded.ok() && !goal.is_in_place) {
      *held = goal.fresh;
      goal.variable->is_initialized = true;
    } else if (!loaded.ok() && goal.is_in_place) {
      std::memcpy(data_of(*held), data_of(goal.backup), goal.backup.TotalBytes());
    }
  }
  return loaded;
}

// All or none. `names` has a name for each variable, or none at all.
Status restore(OpKernelContext* ctx, const Target& target, std::int64_t step,
               const std::vector<std::string>& names, const tensorflow::DataTypeVector& types,
               std::vector<Goal>& goals) {
  std::set<Var*> all;
  for (const Goal& goal : goals) {
    if (!all.insert(goal.variable.get()).second) {
      return errors::InvalidArgument("variable ", goal.name, " is there twice");
    }
  }
  const Locked locked(goals);
  for (std::size_t i = 0; i < goals.size(); ++i) {
    Goal& goal = goals[i];
    const Tensor& held = *goal.variable->tensor();
    if (held.dtype() != types[i] || !is_plain(held.dtype())) {
      return errors::InvalidArgument(
          "variable ", goal.name, " is of type ", tensorflow::DataTypeString(held.dtype()),
          "; expected ", is_plain(held.dtype()) ? tensorflow::DataTypeString(types[i]) : "numbers");
    }
    if (goal.variable->is_initialized) goal.shape = held.shape();
  }
  return fill(ctx, target, step, names, goals);
}

class RestoreVariablesOp final : public BackendOp {
 public:
  explicit RestoreVariablesOp(OpKernelConstruction* ctx) : BackendOp(ctx) {
    int count = 0;
    OP_REQUIRES_OK(ctx, ctx->GetAttr("N", &count));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("dtypes", &types_));
    OP_REQUIRES(
        ctx, types_.size() == static_cast<std::size_t>(count),
        errors::InvalidArgument("'dtypes' has ", types_.size(), " elements; expected ", count));
    OP_REQUIRES_OK(ctx, read_names(ctx, types_.size(), &names_));
  }

 private:
  Status run(OpKernelContext* ctx) override {
    std::int64_t step = -1;
    TF_RETURN_IF_ERROR(read_step(ctx, &step));
    tensorflow::OpInputList handles;
    TF_RETURN_IF_ERROR(ctx->input_list("handles", &handles));
    std::vector<Goal> goals;
    for (int i = 0; i < handles.size(); ++i) {
      Goal& goal = goals.emplace_back();
      const ResourceHandle& handle = handles[i].scalar<ResourceHandle>()();
      const auto at = static_cast<std::size_t>(i);
      goal.name = names_.empty() ? std::to_string(i) : "'" + names_[at] + "'";
      TF_RETURN_IF_ERROR(find(ctx, handle, types_[at], goal));
    }
    return restore(ctx, target(), step, names_, types_, goals);
  }

  // A variable that has no value yet is made; its shape is then what the handle says.
  static Status find(OpKernelContext* ctx, const ResourceHandle& handle, tensorflow::DataType type,
                     Goal& goal) {
    const auto make = [&](Var** made) {
      *made = new Var(type);
      return tensorflow::OkStatus();
    };
    TF_RETURN_IF_ERROR(
        handle.IsRefCounting()
            ? tensorflow::LookupResource<Var>(ctx, handle, &goal.variable)
            : tensorflow::LookupOrCreateResource<Var>(ctx, handle, &goal.variable, make));
    const tensorflow::tf_shared_lock lock(*goal.variable->mu());
    if (goal.variable->is_initialized) return tensorflow::OkStatus();
    const auto known = handle.dtypes_and_shapes();
    if (known.size() == 1 && known[0].shape.AsTensorShape(&goal.shape)) {
      return tensorflow::OkStatus();
    }
    return errors::FailedPrecondition("variable ", goal.name,
                                      " has no value, and its handle no shape");
  }

  tensorflow::DataTypeVector types_;
  std::vector<std::string> names_;
};

// The variables of the device that a graph can name. TensorFlow lists them as text alone: lines of
// container, type, name and description.
std::vector<std::pair<std::string, std::string>> listed_variables(
    const tensorflow::ResourceMgr& manager) {
  std::vector<std::pair<std::string, std::string>> found;
  const std::string text = manager.DebugString();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::vector<std::string> words;
    for (std::size_t from = at; from < end;) {
      const std::size_t bar = std::min(text.find(" | ", from), end);
      std::string word = text.substr(from, bar - from);
      word.erase(word.find_last_not_of(' ') + 1);
      words.push_back(word);
      from = bar + 3;
    }
    if (words.size() >= 3) found.emplace_back(words[0], words[2]);
    at = end + 1;
  }
  return found;
}

class RestoreOp final : public BackendOp {
 public:
  explicit RestoreOp(OpKernelConstruction* ctx) : BackendOp(ctx) {
    OP_REQUIRES_OK(ctx, ctx->GetAttr("T", &types_));
    OP_REQUIRES_OK(ctx, read_names(ctx, types_.size(), &names_));
  }

 private:
  Status run(OpKernelContext* ctx) override {
    std::map<const void*, Variable> owners;
    for (const auto& [container, name] : listed_variables(*ctx->resource_manager())) {
      Var* variable = nullptr;
      if (!ctx->resource_manager()->Lookup<Var>(container, name, &variable).ok()) continue;
      Variable kept(variable);
      const tensorflow::tf_shared_lock lock(*kept->mu());
      if (!kept->is_initialized || kept->copy_on_read_mode.load()) continue;
      const void* memory = data_of(*kept->tensor());
      owners.emplace(memory, std::move(kept));
    }
    std::vector<Goal> goals;
    for (int i = 0; i < ctx->num_inputs(); ++i) {
      const Tensor& value = ctx->input(i);
      const auto owner = owners.find(data_of(value));
      if (owner == owners.end() || owner->second == nullptr) {
        return errors::InvalidArgument(
            "tensor ", i, names_.empty() ? "" : " '" + names_[static_cast<std::size_t>(i)] + "'",
            " is no variable's memory but a copy or a constant: what is loaded into it would be "
            "lost, or change whoever shares it. Expected TmciRestoreVariables, which gets the "
            "variables themselves");
      }
      Goal& goal = goals.emplace_back();
      goal.variable = std::move(owner->second);
      goal.name = std::to_string(i);
    }
    return restore(ctx, target(), -1, names_, types_, goals);
  }

  tensorflow::DataTypeVector types_;
  std::vector<std::string> names_;
};

REGISTER_OP("TmciRestore")
    .Attr("backend: string")
    .Attr("config: string = ''")
    .Attr("names: list(string) = []")
    .Attr("T: list(type) >= 1")
    .Input("tensors: T")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs);
REGISTER_OP("TmciRestoreVariables")
    .Attr("backend: string")
    .Attr("config: string = ''")
    .Attr("names: list(string) = []")
    .Attr("dtypes: list(type) >= 1")
    .Attr("N: int >= 1")
    .Input("handles: N * resource")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs);
REGISTER_OP("TmciRestoreVariablesStep")
    .Attr("backend: string")
    .Attr("config: string = ''")
    .Attr("names: list(string) = []")
    .Attr("dtypes: list(type) >= 1")
    .Attr("N: int >= 1")
    .Input("step: int64")
    .Input("handles: N * resource")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::NoOutputs);

REGISTER_KERNEL_BUILDER(Name("TmciRestore").Device(tensorflow::DEVICE_CPU), RestoreOp);
REGISTER_KERNEL_BUILDER(Name("TmciRestoreVariables").Device(tensorflow::DEVICE_CPU),
                        RestoreVariablesOp);
REGISTER_KERNEL_BUILDER(Name("TmciRestoreVariablesStep").Device(tensorflow::DEVICE_CPU),
                        RestoreVariablesOp);

}  // namespace
}  // namespace tideline::tmci
