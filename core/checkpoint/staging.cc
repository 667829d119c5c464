// Problem: a backend reads and writes memory of the host. A tensor on a GPU has to be copied, and
// the driver copies at the speed of the bus, and beside other work, only from and to pages that
// stay where they are. Idea: one pinned area for all tensors of a call, which the next call uses
// again. Saving, all copies are begun at once, and a backend that asks (`ready`) writes the first
// tensors while the last are on their way; a save in the background keeps the area and not the
// tensors, so training goes on at once. Loading, each tensor is sent off as soon as it is whole
// (`filled`) while the next is read. Price: as much pinned memory as the tensors have bytes.
// Source: CUDA C++ Programming Guide, sections "Page-Locked Host Memory" and "Asynchronous
// Concurrent Execution"; the staging of PyTorch's distributed checkpoints works alike. Tested by
// unit/checkpoint/staging_test.cc.
#include "core/checkpoint/staging.h"

#include <algorithm>
#include <map>
#include <string>

namespace tideline::checkpoint {
namespace {

// As the allocators of frameworks and direct writes have it.
constexpr std::size_t kLargeBytes = std::size_t{256} << 10U;
constexpr std::size_t kStagingAlignment = 64, kLargeAlignment = 4096;

std::size_t place_after(std::size_t at, std::size_t bytes) {
  const std::size_t alignment = bytes < kLargeBytes ? kStagingAlignment : kLargeAlignment;
  return (at + alignment - 1) / alignment * alignment;
}

std::string name_of(const TidelineTensor& tensor, std::size_t i) {
  if (tensor.name == nullptr) return fmt::format("tensor {}", i);
  return fmt::format("tensor '{}'", std::string_view(tensor.name, tensor.name_size));
}

}  // namespace

bool is_on_device(const TidelineTensor& tensor) {
  return tensor.device_type != TIDELINE_DEVICE_HOST;
}

Result<std::shared_ptr<PinnedArea>> PinnedAreas::take(std::uint32_t device, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto is_free = [&](const std::shared_ptr<PinnedArea>& area) {
    return area.use_count() == 1 && area->device == device;
  };
  for (const std::shared_ptr<PinnedArea>& area : areas_) {
    if (is_free(area) && area->bytes >= bytes) return area;
  }
  areas_.erase(std::remove_if(areas_.begin(), areas_.end(), is_free), areas_.end());
  TIDELINE_TRY(const devices::DevicePlugin plugin, devices::DevicePlugin::find());
  TIDELINE_TRY(std::unique_ptr<devices::CopyLane> lane, plugin.open_lane(device));
  TIDELINE_TRY(char* const memory, lane->pin(bytes));
  areas_.push_back(std::make_shared<PinnedArea>(device, std::move(lane), memory, bytes));
  return areas_.back();
}

Result<std::shared_ptr<Staging>> Staging::create(const std::vector<TidelineTensor>& tensors,
                                                 PinnedAreas& areas) {
  const std::shared_ptr<Staging> staging(new Staging);
  staging->on_host_ = tensors;
  staging->staged_.resize(tensors.size());
  std::map<std::uint32_t, std::size_t> sizes;  // by device
  std::vector<std::size_t> places(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TidelineTensor& tensor = tensors[i];
    if (!is_on_device(tensor)) continue;
    if (tensor.device_type != TIDELINE_DEVICE_CUDA || tensor.device_id < 0) {
      return fail(Code::kUnsupported, "{} lies on a device of type {}; expected host or CUDA",
                  name_of(tensor, i), tensor.device_type);
    }
    if (tensor.data == nullptr && tensor.bytes > 0) {
      return fail(Code::kInvalidArgument, "{} has {} bytes, but no address", name_of(tensor, i),
                  tensor.bytes);
    }
    std::size_t& end = sizes[static_cast<std::uint32_t>(tensor.device_id)];
    places[i] = place_after(end, tensor.bytes);
    end = places[i] + tensor.bytes;
  }
  std::map<std::uint32_t, PinnedArea*> area_of;
  for (const auto& [device, bytes] : sizes) {
    auto area = areas.take(device, std::max<std::size_t>(bytes, 1));
    if (!area) {
      return tl::unexpected(
          with_context(area.error(), fmt::format("tensors lie on CUDA device {}", device)));
    }
    area_of[device] = area->get();
    staging->areas_.push_back(*std::move(area));
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!is_on_device(tensors[i])) continue;
    PinnedArea* area = area_of[static_cast<std::uint32_t>(tensors[i].device_id)];
    staging->staged_[i] = {area, tensors[i].data, 0};
    TidelineTensor& here = staging->on_host_[i];
    here.data = area->memory + places[i];
    here.device_type = TIDELINE_DEVICE_HOST;
    here.device_id = 0;
    // Whatever the host's own object says of the device is not true of the copy.
    here.native = nullptr;
    here.native_type = nullptr;
  }
  return staging;
}

Staging::~Staging() {
  // Nobody is left who could be told.
  static_cast<void>(finish());
}

Status Staging::kept(Status status) {
  if (!status && !first_error_) first_error_ = status.error();
  return status;
}

bool Staging::are_all_staged() const {
  return std::all_of(staged_.begin(), staged_.end(),
                     [](const Staged& one) { return one.area != nullptr; });
}

Status Staging::begin_to_host() {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < staged_.size(); ++i) {
    Staged& one = staged_[i];
    if (one.area == nullptr || on_host_[i].bytes == 0) continue;
    auto ticket = one.area->lane->to_host(static_cast<char*>(on_host_[i].data), one.device,
                                          on_host_[i].bytes);
    if (!ticket) return kept(tl::unexpected(ticket.error()));
    one.ticket = *ticket;
  }
  return {};
}

Status Staging::ready(std::size_t i) {
  if (i >= staged_.size()) return {};
  const Staged& one = staged_[i];  // not written while a save goes on
  if (one.ticket == 0) return {};
  Status done = one.area->lane->finish(one.ticket);
  const std::lock_guard lock(mutex_);
  return kept(std::move(done));
}

Status Staging::filled(std::size_t i) {
  const std::lock_guard lock(mutex_);
  if (i >= staged_.size()) return {};
  Staged& one = staged_[i];
  if (one.area == nullptr || one.ticket != 0 || on_host_[i].bytes == 0) return {};
  auto ticket = one.area->lane->to_device(one.device, static_cast<const char*>(on_host_[i].data),
                                          on_host_[i].bytes);
  if (!ticket) return kept(tl::unexpected(ticket.error()));
  one.ticket = *ticket;
  return {};
}

Status Staging::fill_rest() {
  for (std::size_t i = 0; i < staged_.size(); ++i) TIDELINE_RETURN_IF_ERROR(filled(i));
  return {};
}

Status Staging::finish() {
  const std::lock_guard lock(mutex_);
  for (const Staged& one : staged_) {
    if (one.ticket != 0) static_cast<void>(kept(one.area->lane->finish(one.ticket)));
  }
  if (first_error_) return tl::unexpected(*first_error_);
  return {};
}

}  // namespace tideline::checkpoint
