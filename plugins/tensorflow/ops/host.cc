// Tested by tests/integration/tensorflow_ops_test.py.
#include "host.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/checkpoint/backend.h"
#include "core/checkpoint/backend_plugin.h"
#include "core/checkpoint/folder_lock.h"
#include "core/checkpoint/string_tensor.h"

#define TIDELINE_EXPORTED extern "C" __attribute__((visibility("default")))

namespace tideline::tmci {
namespace {

using checkpoint::Backend;
using checkpoint::Backends;
using checkpoint::Retention;

constexpr std::size_t kMostIdle = 8;

// Runs `work`, which returns a Status, and lets no exception out.
template <typename Work>
Reply answered(const Work& work) noexcept {
  Reply reply;
  reply.code = checkpoint::plugin_detail::guarded(reply.text, sizeof reply.text, work);
  return reply;
}

// Where this library lies. The package's own plugins are in a folder beside it.
std::string own_folder() {
  Dl_info info{};
  static const char here = 0;
  if (dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return {};
  return std::filesystem::path(info.dli_fname).parent_path().string();
}

Status find_plugin(Backends& backends, const std::string& name) {
  if (std::getenv("TIDELINE_PLUGINS") == nullptr) {
    for (const checkpoint::BackendFacts& each : backends.facts()) {
      if (each.name == name) return {};
    }
    // A name with other characters than those of an identifier is refused by `find`.
    const bool is_plain = name.find('/') == std::string::npos;
    const std::string path = own_folder() + "/plugins/tideline_checkpoint_" + name + ".so";
    std::error_code error;
    if (is_plain && std::filesystem::exists(path, error)) return backends.load(path);
  }
  return backends.find(name);
}

class Registry {
 public:
  using Object = std::shared_ptr<Backend>;
  using Key = std::pair<std::string, std::string>;

  Backends& backends() { return backends_; }

  Result<Object> open(const Target& target) {
    std::vector<Used> closed;  // after the lock: closing may wait for a save
    const std::lock_guard lock(mutex_);
    const Key key{target.backend, target.config};
    TIDELINE_TRY(Object object, opened(key));
    const auto used = std::find_if(recent_.begin(), recent_.end(),
                                   [&](const Used& each) { return each.key == key; });
    if (used == recent_.end()) {
      recent_.emplace_front(key, object);
    } else {
      recent_.splice(recent_.begin(), recent_, used);
    }
    while (recent_.size() > kMostIdle) {
      closed.push_back(std::move(recent_.back()));
      recent_.pop_back();
    }
    std::erase_if(open_, [](const auto& each) { return each.second.expired(); });
    return object;
  }

  // Ends the saves of all objects. Errors: that of the first that failed.
  Status close() {
    std::list<Used> closed;
    {
      const std::lock_guard lock(mutex_);
      closed.swap(recent_);
    }
    Status first;
    for (const Used& used : closed) {
      Progress silent;
      if (Status status = used.object->wait(silent); !status && first) first = std::move(status);
    }
    return first;
  }

 private:
  struct Used {
    Key key;
    Object object;

    Used(Key the_key, Object the_object) : key(std::move(the_key)), object(std::move(the_object)) {}
    Used(Used&&) = default;
    Used& operator=(Used&&) = default;
    Used(const Used&) = delete;
    Used& operator=(const Used&) = delete;
    // Nobody asks any more how its saves ended.
    ~Used() {
      if (object == nullptr) return;
      Progress silent;
      if (const Status status = object->wait(silent); !status) {
        std::fprintf(stderr, "tideline: a save in the background failed: %s\n",
                     status.error().message.c_str());
      }
    }
  };

  Result<Object> opened(const Key& key) {
    if (const auto found = open_.find(key); found != open_.end()) {
      if (Object object = found->second.lock()) return object;
    }
    if (const Status found = find_plugin(backends_, key.first);
        !found && found.error().code != Code::kNotFound) {
      return tl::unexpected(found.error());
    }
    TIDELINE_TRY(Object object, backends_.open(key.first, key.second));
    open_[key] = object;
    return object;
  }

  std::mutex mutex_;
  Backends backends_;
  std::map<Key, std::weak_ptr<Backend>> open_;
  std::list<Used> recent_;  // those used last, the last one first
};

// Never destroyed: threads of TensorFlow may still run when the process ends.
Registry& registry() {
  static auto* all = new Registry;
  return *all;
}

class CallerProgress final : public Progress {
 public:
  explicit CallerProgress(const Caller& caller) : caller_(caller) {}
  bool report(std::string_view stage, std::int64_t /*done*/, std::int64_t /*total*/) override {
    if (!has_said_ && stage.starts_with(checkpoint::kWaiting)) {
      std::fprintf(stderr, "tideline: %s\n", std::string(stage).c_str());
      has_said_ = true;
    }
    return caller_.is_cancelled == nullptr || !caller_.is_cancelled(caller_.self);
  }

 private:
  const Caller& caller_;
  bool has_said_ = false;
};

void copy_text(const std::string& text, char* to, std::size_t size) {
  if (size > 0) std::snprintf(to, size, "%s", text.c_str());
}

int told(const Reply& reply, char* text, std::size_t size) {
  copy_text(reply.text, text, size);
  return reply.code;
}

}  // namespace

Reply save(const Target& target, const TidelineTensor* tensors, std::size_t count,
           const Caller& caller) noexcept {
  return answered([&]() -> Status {
    TIDELINE_TRY(const auto object, registry().open(target));
    CallerProgress progress(caller);
    return object->save({tensors, tensors + count}, caller.step,
                        Retention{caller.retain, caller.release, caller.self}, progress);
  });
}

Reply load(const Target& target, const TidelineTensor* tensors, std::size_t count,
           const Caller& caller) noexcept {
  return answered([&]() -> Status {
    TIDELINE_TRY(const auto object, registry().open(target));
    CallerProgress progress(caller);
    return object->load({tensors, tensors + count}, caller.step, progress);
  });
}

Reply list(const Target& target, std::int64_t step, TidelineTensorVisitor visit,
           void* self) noexcept {
  return answered([&]() -> Status {
    TIDELINE_TRY(const auto object, registry().open(target));
    Progress silent;
    TIDELINE_TRY(const auto listed, object->list(step, silent));
    for (const checkpoint::ListedTensor& each : listed) {
      TidelineTensor tensor{};
      tensor.struct_size = sizeof tensor;
      tensor.dtype = static_cast<std::uint32_t>(each.type);
      tensor.name = each.name.data();
      tensor.name_size = each.name.size();
      tensor.dims = each.dims.data();
      tensor.rank = static_cast<std::uint32_t>(each.dims.size());
      tensor.device_type = TIDELINE_DEVICE_HOST;
      tensor.bytes = each.bytes;
      if (visit(self, &tensor) != 0) break;
    }
    return {};
  });
}

Reply can_list(const Target& target, bool* can) noexcept {
  return answered([&]() -> Status {
    TIDELINE_TRY(const auto object, registry().open(target));
    for (const checkpoint::BackendFacts& each : registry().backends().facts()) {
      if (each.name == target.backend) {
        *can = (each.capabilities & TIDELINE_CHECKPOINT_LISTS) != 0;
      }
    }
    return {};
  });
}

Reply config_for(const char* config, const char* prefix,
                 void (*place)(void* self, const char* text), void* self) noexcept {
  return answered([&]() -> Status {
    using Json = nlohmann::json;
    Json json = *config == '\0' ? Json::object() : Json::parse(config, nullptr, false);
    if (!json.is_object()) {
      return fail(
          Code::kInvalidArgument,
          "config is '{}'; expected nothing or a JSON object, because the prefix says where "
          "the checkpoint is",
          printable(config));
    }
    if (json.contains("path")) {
      return fail(Code::kInvalidArgument, "config: 'path' is what the prefix says");
    }
    if (json.empty() && *prefix != '{') {
      place(self, prefix);
      return {};
    }
    json["path"] = prefix;
    place(self, json.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
    return {};
  });
}

Reply encode_strings(const Text* strings, std::size_t count,
                     void (*place)(void* self, const Text& bytes), void* self) noexcept {
  return answered([&]() -> Status {
    std::vector<std::string> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) all.emplace_back(strings[i].data, strings[i].size);
    const std::string bytes = checkpoint::encode_strings(all).bytes;
    place(self, {bytes.data(), bytes.size()});
    return {};
  });
}

Reply decode_strings(const Text& bytes, std::size_t count,
                     void (*place)(void* self, std::size_t at, const Text& string),
                     void* self) noexcept {
  return answered([&]() -> Status {
    TIDELINE_TRY(const auto decoded, checkpoint::decode_strings({bytes.data, bytes.size},
                                                                static_cast<std::int64_t>(count)));
    for (std::size_t i = 0; i < count; ++i) {
      place(self, i, {decoded.strings[i].data(), decoded.strings[i].size()});
    }
    return {};
  });
}

// What Python calls, by ctypes. Results are TidelineCheckpointCodes.

TIDELINE_EXPORTED int tideline_tmci_load_plugin(const char* path, char* text, std::size_t size) {
  return told(answered([&] { return registry().backends().load(path); }), text, size);
}

/// `visit` gets name, description, path and capabilities of each backend.
TIDELINE_EXPORTED int tideline_tmci_backends(void (*visit)(const char*, const char*, const char*,
                                                           std::uint32_t),
                                             char* text, std::size_t size) {
  return told(answered([&]() -> Status {
                for (const checkpoint::BackendFacts& each : registry().backends().facts()) {
                  visit(each.name.c_str(), each.about.c_str(), each.library.c_str(),
                        each.capabilities);
                }
                return {};
              }),
              text, size);
}

TIDELINE_EXPORTED int tideline_tmci_list(const char* backend, const char* config, std::int64_t step,
                                         TidelineTensorVisitor visit, char* text,
                                         std::size_t size) {
  return told(list({backend, config}, step, visit, nullptr), text, size);
}

TIDELINE_EXPORTED int tideline_tmci_wait(const char* backend, const char* config, char* text,
                                         std::size_t size) {
  return told(answered([&]() -> Status {
                TIDELINE_TRY(const auto object, registry().open({backend, config}));
                Progress silent;
                return object->wait(silent);
              }),
              text, size);
}

TIDELINE_EXPORTED int tideline_tmci_close(char* text, std::size_t size) {
  return told(answered([] { return registry().close(); }), text, size);
}

}  // namespace tideline::tmci
