// Tested by unit/checkpoint/backend_test.cc.
#include "core/checkpoint/backend.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/plugin_folders.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/checkpoint/backend_abi.h"
#include "core/checkpoint/staging.h"

namespace tideline::checkpoint {
namespace {

using Message = std::array<char, 1024>;

Code code_of(int code) {
  switch (code) {
    case TIDELINE_CHECKPOINT_INVALID: return Code::kInvalidArgument;
    case TIDELINE_CHECKPOINT_NOT_FOUND: return Code::kNotFound;
    case TIDELINE_CHECKPOINT_CORRUPT: return Code::kCorrupt;
    case TIDELINE_CHECKPOINT_UNSUPPORTED: return Code::kUnsupported;
    case TIDELINE_CHECKPOINT_IO: return Code::kIo;
    case TIDELINE_CHECKPOINT_CANCELLED: return Code::kCancelled;
    default: return Code::kInternal;
  }
}

// A plugin may forget the end of its text, or the text.
Status status_of(int code, Message& message, const std::string& name) {
  if (code == TIDELINE_CHECKPOINT_OK) return {};
  message.back() = '\0';
  std::string text = printable(message.data(), message.size());
  if (text.empty()) text = fmt::format("failed with code {}", code);
  return fail(code_of(code), "{}: {}", name, text);
}

struct Reporter {
  Progress& progress;
  const Retention* retention = nullptr;
  std::shared_ptr<Staging> staging = nullptr;
};

int go_on(void* self, const char* stage, std::uint64_t done, std::uint64_t total) {
  const auto* reporter = static_cast<const Reporter*>(self);
  const bool goes_on =
      reporter->progress.report(stage == nullptr ? "" : stage, static_cast<std::int64_t>(done),
                                static_cast<std::int64_t>(total));
  return goes_on ? 0 : 1;
}

void* retain(void* self) {
  const Retention& retention = *static_cast<const Reporter*>(self)->retention;
  return retention.retain(retention.self);
}

// What an asynchronous save keeps: copies of the tensors on devices, and a hold on the memory of
// the tensors on the host.
struct Kept {
  std::shared_ptr<Staging> staging;
  Retention users;
  void* retained = nullptr;
};

void* retain_staged(void* self) {
  const auto* reporter = static_cast<const Reporter*>(self);
  const Retention& users = *reporter->retention;
  void* retained = users.retain == nullptr ? nullptr : users.retain(users.self);
  return new Kept{reporter->staging, users, retained};
}

void release_staged(void* retained) {
  const std::unique_ptr<Kept> kept(static_cast<Kept*>(retained));
  if (kept->users.retain != nullptr) kept->users.release(kept->retained);
}

int ready(void* self, std::uint64_t index) {
  return static_cast<const Reporter*>(self)->staging->ready(static_cast<std::size_t>(index)) ? 0
                                                                                             : 1;
}

int filled(void* self, std::uint64_t index) {
  return static_cast<const Reporter*>(self)->staging->filled(static_cast<std::size_t>(index)) ? 0
                                                                                              : 1;
}

TidelineCall call_of(Reporter& reporter, std::int64_t step, Message& message) {
  TidelineCall call{};
  call.struct_size = sizeof call;
  call.step = step;
  call.go_on = go_on;
  call.self = &reporter;
  call.message = message.data();
  call.message_size = message.size();
  if (reporter.retention != nullptr && reporter.retention->retain != nullptr) {
    call.retain = retain;
    call.release = reporter.retention->release;
  }
  if (reporter.staging == nullptr) return call;
  call.ready = ready;
  call.filled = filled;
  const bool are_all_staged = reporter.staging->are_all_staged();
  if (reporter.retention != nullptr && (call.retain != nullptr || are_all_staged)) {
    call.retain = retain_staged;
    call.release = release_staged;
  }
  return call;
}

bool is_identifier(const char* name) {
  if (name == nullptr || *name == '\0') return false;
  const std::string_view text(name);
  return text.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
         std::string_view::npos;
}

Status check_table(const TidelineBackend* table, const std::string& library) {
  if (table == nullptr || table->struct_size < TIDELINE_BACKEND_FIRST_SIZE ||
      table->open == nullptr || table->close == nullptr || !is_identifier(table->name)) {
    return fail(Code::kUnsupported, "{}: has a backend without a name, 'open' or 'close'", library);
  }
  return {};
}

// A capability counts only with its function.
bool can(const TidelineBackend* table, std::uint32_t capability, bool has_function) {
  return (table->capabilities & capability) != 0 && has_function;
}

tl::unexpected<Error> cannot(const std::string& name, const char* what) {
  return fail(Code::kUnsupported, "{}: this backend cannot {}", name, what);
}

std::vector<const TidelineTensor*> pointers(const std::vector<TidelineTensor>& tensors) {
  std::vector<const TidelineTensor*> found;
  found.reserve(tensors.size());
  for (const TidelineTensor& tensor : tensors) found.push_back(&tensor);
  return found;
}

struct Listing {
  std::vector<ListedTensor> tensors;
  bool ran_out_of_memory = false;
};

// No exception may pass through the plugin that calls this.
int visit(void* self, const TidelineTensor* tensor) {
  auto& listing = *static_cast<Listing*>(self);
  try {
    ListedTensor& one = listing.tensors.emplace_back();
    if (tensor->name != nullptr) one.name.assign(tensor->name, tensor->name_size);
    one.type = static_cast<DataType>(tensor->dtype);
    one.dims.assign(tensor->dims, tensor->dims + tensor->rank);
    one.bytes = tensor->bytes;
    return 0;
  } catch (const std::bad_alloc&) {
    listing.ran_out_of_memory = true;
    return 1;
  }
}

}  // namespace

Backend::Backend(const TidelineBackend* table, std::string name, void* object)
    : table_(table),
      name_(std::move(name)),
      areas_(std::make_unique<PinnedAreas>()),
      object_(object) {}

Backend::~Backend() {
  table_->close(object_);
}

std::unique_lock<std::mutex> Backend::turn() {
  const bool is_safe = (table_->capabilities & TIDELINE_CHECKPOINT_THREAD_SAFE) != 0;
  return is_safe ? std::unique_lock<std::mutex>() : std::unique_lock<std::mutex>(mutex_);
}

bool Backend::streams() const {
  return (table_->capabilities & TIDELINE_CHECKPOINT_STREAMS) != 0;
}

Status Backend::save(const std::vector<TidelineTensor>& tensors, std::int64_t step,
                     const Retention& retention, Progress& progress) {
  if (!can(table_, TIDELINE_CHECKPOINT_SAVES, table_->save != nullptr)) {
    return cannot(name_, "save");
  }
  if (std::none_of(tensors.begin(), tensors.end(), is_on_device)) {
    return save_from_host(tensors, step, retention, nullptr, progress);
  }
  TIDELINE_TRY(const std::shared_ptr<Staging> staging, Staging::create(tensors, *areas_));
  TIDELINE_RETURN_IF_ERROR(staging->begin_to_host());
  if (!streams()) {
    TIDELINE_RETURN_IF_ERROR(staging->finish());
  }
  Status saved = save_from_host(staging->on_host(), step, retention, staging, progress);
  // An error of the device comes first, since it causes the backend's. From here on the tensors may
  // change.
  TIDELINE_RETURN_IF_ERROR(staging->finish());
  return saved;
}

Status Backend::save_from_host(const std::vector<TidelineTensor>& tensors, std::int64_t step,
                               const Retention& retention, const std::shared_ptr<Staging>& staging,
                               Progress& progress) {
  const auto lock = turn();
  Message message{};
  Reporter reporter{progress, &retention, staging};
  const TidelineCall call = call_of(reporter, step, message);
  const std::vector<const TidelineTensor*> passed = pointers(tensors);
  return status_of(table_->save(object_, passed.data(), passed.size(), &call), message, name_);
}

Status Backend::load(const std::vector<TidelineTensor>& tensors, std::int64_t step,
                     Progress& progress) {
  if (!can(table_, TIDELINE_CHECKPOINT_LOADS, table_->load != nullptr)) {
    return cannot(name_, "load");
  }
  if (std::none_of(tensors.begin(), tensors.end(), is_on_device)) {
    return load_to_host(tensors, step, nullptr, progress);
  }
  TIDELINE_TRY(const std::shared_ptr<Staging> staging, Staging::create(tensors, *areas_));
  Status loaded = load_to_host(staging->on_host(), step, staging, progress);
  if (loaded) loaded = staging->fill_rest();
  TIDELINE_RETURN_IF_ERROR(staging->finish());
  return loaded;
}

Status Backend::load_to_host(const std::vector<TidelineTensor>& tensors, std::int64_t step,
                             const std::shared_ptr<Staging>& staging, Progress& progress) {
  const auto lock = turn();
  Message message{};
  Reporter reporter{progress, nullptr, staging};
  const TidelineCall call = call_of(reporter, step, message);
  const std::vector<const TidelineTensor*> passed = pointers(tensors);
  return status_of(table_->load(object_, passed.data(), passed.size(), &call), message, name_);
}

Result<std::vector<ListedTensor>> Backend::list(std::int64_t step, Progress& progress) {
  if (!can(table_, TIDELINE_CHECKPOINT_LISTS, table_->list != nullptr)) {
    return cannot(name_, "list");
  }
  const auto lock = turn();
  Message message{};
  Reporter reporter{progress};
  const TidelineCall call = call_of(reporter, step, message);
  Listing listing;
  TIDELINE_RETURN_IF_ERROR(
      status_of(table_->list(object_, visit, &listing, &call), message, name_));
  if (listing.ran_out_of_memory) return fail(Code::kInternal, "{}: out of memory", name_);
  return std::move(listing.tensors);
}

Status Backend::wait(Progress& progress) {
  if (table_->wait == nullptr) return {};
  const auto lock = turn();
  Message message{};
  Reporter reporter{progress};
  const TidelineCall call = call_of(reporter, -1, message);
  return status_of(table_->wait(object_, &call), message, name_);
}

Status Backends::add_all(const std::vector<const TidelineBackend*>& tables,
                         const std::string& library) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    TIDELINE_RETURN_IF_ERROR(check_table(tables[i], library));
    const auto has_its_name = [&](const TidelineBackend* other) {
      return std::strcmp(other->name, tables[i]->name) == 0;
    };
    const auto other = std::find_if(loaded_.begin(), loaded_.end(),
                                    [&](const Loaded& each) { return has_its_name(each.table); });
    if (other != loaded_.end()) {
      return fail(Code::kInvalidArgument, "{}: backend '{}' is there already, from {}", library,
                  tables[i]->name, other->library);
    }
    if (std::any_of(tables.begin(), tables.begin() + static_cast<std::ptrdiff_t>(i),
                    has_its_name)) {
      return fail(Code::kInvalidArgument, "{}: has two backends '{}'", library, tables[i]->name);
    }
  }
  for (const TidelineBackend* table : tables) loaded_.push_back({table, library});
  return {};
}

Status Backends::load(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return fail(Code::kNotFound, "{}: cannot open: {}", path, std::strerror(errno));
  }
  const std::lock_guard lock(mutex_);
  for (const Library& library : libraries_) {
    if (library.device == status.st_dev && library.inode == status.st_ino) return {};
  }
  // A name without a slash would be searched in the system's folders.
  const std::string place = std::filesystem::absolute(path).string();
  void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    return fail(Code::kUnsupported, "{}: cannot be loaded: {}", path,
                printable(why == nullptr ? "unknown reason" : why, 600));
  }
  void* symbol = dlsym(library, TIDELINE_CHECKPOINT_API_SYMBOL);
  static const std::string kName = fmt::format("tideline {}", kVersion);
  static const TidelineCheckpointHost kHost = {sizeof kHost, TIDELINE_CHECKPOINT_ABI_MAJOR,
                                               kName.c_str()};
  const TidelineCheckpointApi* api = symbol == nullptr
                                         ? nullptr
                                         : reinterpret_cast<TidelineCheckpointApiFunction>(symbol)(
                                               &kHost, TIDELINE_CHECKPOINT_ABI_MAJOR);
  if (api == nullptr || api->abi_major != TIDELINE_CHECKPOINT_ABI_MAJOR ||
      api->struct_size < sizeof(TidelineCheckpointApi)) {
    return fail(Code::kUnsupported, "{}: is not a checkpoint plugin of version {}", path,
                TIDELINE_CHECKPOINT_ABI_MAJOR);
  }
  TIDELINE_RETURN_IF_ERROR(add_all({api->backends, api->backends + api->count}, path));
  libraries_.push_back({status.st_dev, status.st_ino});
  return {};
}

Status Backends::find(const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    for (const Loaded& each : loaded_) {
      if (name == each.table->name) return {};
    }
  }
  const std::string file = fmt::format("tideline_checkpoint_{}.so", name);
  if (is_identifier(name.c_str())) {
    for (const std::string& path : plugin_paths(file, "checkpoint/" + name)) {
      std::error_code error;
      if (std::filesystem::exists(path, error)) return load(path);
    }
  }
  return fail(Code::kNotFound,
              "there is no checkpoint backend '{}': expected a plugin {} (see "
              "$TIDELINE_PLUGINS)",
              printable(name), printable(file));
}

Status Backends::add(const TidelineBackend* backend) {
  const std::lock_guard lock(mutex_);
  return add_all({backend}, "the program");
}

Result<std::unique_ptr<Backend>> Backends::open(const std::string& name,
                                                const std::string& config) const {
  const TidelineBackend* table = nullptr;
  std::vector<std::string> names;
  {
    const std::lock_guard lock(mutex_);
    for (const Loaded& each : loaded_) {
      if (name == each.table->name) table = each.table;
      names.emplace_back(each.table->name);
    }
  }
  if (table == nullptr) {
    return fail(Code::kNotFound, "there is no checkpoint backend '{}'; expected {}",
                printable(name), names.empty() ? "a loaded plugin" : alternatives(names));
  }
  Message message{};
  void* object = nullptr;
  TIDELINE_RETURN_IF_ERROR(status_of(
      table->open(config.c_str(), &object, message.data(), message.size()), message, name));
  return std::make_unique<Backend>(table, name, object);
}

std::vector<BackendFacts> Backends::facts() const {
  const std::lock_guard lock(mutex_);
  std::vector<BackendFacts> facts;
  for (const Loaded& each : loaded_) {
    facts.push_back({each.table->name, each.table->about == nullptr ? "" : each.table->about,
                     each.library, each.table->capabilities});
  }
  return facts;
}

}  // namespace tideline::checkpoint
