// Places ops as TensorFlow's placer does.
//
// Problem: memory and traffic by task need the device of every op, and a graph names devices for
// some ops only, some of them in part ("/job:ps/task:1", "/device:GPU:0").
//
// Idea: the placer's own rules, which need no kernels where devices are CPUs.
//   1. Ops that share a variable (a reference or a handle) or name each other in `_class` are one
//      group; what its members say of the device is put together.
//   2. A group is placed on the best device that fits: a GPU before a CPU, then the first by name,
//      so that an op without any device lands on the job that comes first in the alphabet. With
//      soft placement a type that the task does not have becomes its CPU.
//   3. An op without inputs and with one output (a constant) goes to the device of all of its
//      readers, if that is one and it has not been told otherwise.
//   4. What only asks for a shape goes to where its input is, likewise.
//
// Cost: a pass over ops and edges, and one over the devices for each group. Limits: which kernels a
// GPU lacks is not known beyond the kinds of op_facts (core/graph/op_facts.h): an op without a
// device counts as one that a GPU can run if it computes. Source: TensorFlow,
// common_runtime/placer.cc, colocation_graph.cc, device_set.cc (facts). Tested by
// unit/analysis/cluster_placement_test.cc and integration/cluster_traffic_test.py.
#include "core/analysis/cluster_placement.h"

#include <algorithm>
#include <tuple>

#include "core/graph/device_name.h"
#include "core/graph/op_types.h"

namespace tideline {
namespace {

constexpr std::string_view kColocation = "loc:@";
constexpr std::uint32_t kNoDevice = 0xffffffffU;

// Whether `wanted`, which may say little, fits the device.
bool fits(const DeviceName& wanted, const ClusterTask& task, const ClusterDevice& device) {
  const auto same = [](const std::string& given, const std::string& own) {
    return given.empty() || given == "*" || given == own;
  };
  return same(wanted.job, task.job) && same(wanted.task, std::to_string(task.index)) &&
         same(wanted.replica, "0") && same(wanted.type, device.type) &&
         same(wanted.index, device.index);
}

class ClusterPlacer {
 public:
  ClusterPlacer(const GraphFacts& facts, const TensorTable& tensors, const Cluster& cluster)
      : facts_(facts),
        graph_(facts.graph()),
        tensors_(tensors),
        cluster_(cluster),
        parent_(graph_.op_count()),
        wanted_(graph_.op_count()) {}

  Result<ClusterPlacement> run(const ClusterTask& client) {
    TIDELINE_RETURN_IF_ERROR(find_devices());
    TIDELINE_RETURN_IF_ERROR(find_groups());
    place_groups();
    place_by_neighbours();
    feed_from(client);
    return std::move(placed_);
  }

 private:
  Status find_devices() {
    for (std::size_t at = 0; at < cluster_.tasks.size(); ++at) {
      const ClusterTask& task = cluster_.tasks[at];
      for (const std::string& device : task.devices) add_device(at, device);
      if (task.devices.empty()) add_device(at, "CPU:0");
    }
    for (const std::string_view text : graph_.devices()) {
      const auto name = parse_device(text);
      if (!name || name->job.empty() || name->task.empty()) continue;
      const ClusterTask* task = cluster_.find(name->job, std::stoi(name->task));
      if (task == nullptr) return check_device(cluster_, std::string(text), "device");
      const bool is_whole = !name->type.empty() && name->index != "*";
      if (task->devices.empty() && is_whole) {
        add_device(static_cast<std::size_t>(task - cluster_.tasks.data()),
                   name->type + ":" + name->index);
      }
    }
    std::sort(placed_.devices.begin(), placed_.devices.end(),
              [](const ClusterDevice& one, const ClusterDevice& other) {
                return std::tie(one.task, one.name) < std::tie(other.task, other.name);
              });
    return {};
  }
  void add_device(std::size_t task, const std::string& device) {
    const std::size_t colon = device.find(':');
    ClusterDevice added{task, device.substr(0, colon), device.substr(colon + 1),
                        device_of_task(cluster_.tasks[task], device)};
    const auto same = [&](const ClusterDevice& one) { return one.name == added.name; };
    const auto& devices = placed_.devices;
    if (std::any_of(devices.begin(), devices.end(), same)) return;
    placed_.devices.push_back(std::move(added));
  }

  std::uint32_t root(OpId op) {
    std::uint32_t at = op.value;
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  void unite(OpId one, OpId other) { parent_[root(one)] = root(other); }

  Status find_groups() {
    for (const OpId op : graph_.ops()) parent_[op.index()] = op.value;
    for (const OpId op : graph_.ops()) {
      TIDELINE_RETURN_IF_ERROR(unite_with_class(op));
      const auto inputs = graph_.inputs(op);
      for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
        const bool is_handle = tensors_.type(inputs[slot]) == DataType::kResource;
        if (is_handle || graph_.reads_reference(op, slot)) unite(op, inputs[slot].op);
      }
    }
    for (const OpId op : graph_.ops()) {
      const auto said = parse_device(graph_.device(op));
      DeviceName& wanted = wanted_[root(op)];
      if (!said) continue;
      const auto take = [](const std::string& from, std::string& to) {
        if (to.empty()) to = from;
      };
      take(said->job, wanted.job);
      take(said->replica, wanted.replica);
      take(said->task, wanted.task);
      if (!wanted.type.empty() || said->type.empty()) continue;
      wanted.type = said->type;
      wanted.index = said->index;
    }
    return {};
  }
  Status unite_with_class(OpId op) {
    TIDELINE_TRY(const auto groups, graph_.attribute(op, "_class"));
    if (!groups) return {};
    for (const std::string& group : groups->strings) {
      if (!group.starts_with(kColocation)) continue;
      const OpId other = graph_.find(std::string_view(group).substr(kColocation.size()));
      if (other.valid()) unite(op, other);
    }
    return {};
  }

  [[nodiscard]] bool can_be_on(const DeviceName& wanted, std::uint32_t device) const {
    const ClusterDevice& one = placed_.devices[device];
    return fits(wanted, cluster_.tasks[one.task], one);
  }
  // The best device; a GPU only if `computes`.
  [[nodiscard]] std::uint32_t best(const DeviceName& wanted, bool computes) const {
    std::uint32_t found = kNoDevice;
    for (std::uint32_t i = 0; i < placed_.devices.size(); ++i) {
      if (!can_be_on(wanted, i)) continue;
      const ClusterDevice& one = placed_.devices[i];
      if (!one.is_cpu() && !computes && wanted.type.empty()) continue;
      if (found == kNoDevice || is_better(one, placed_.devices[found])) found = i;
    }
    return found;
  }
  [[nodiscard]] bool is_better(const ClusterDevice& one, const ClusterDevice& other) const {
    if (one.is_cpu() != other.is_cpu()) return !one.is_cpu();
    return one.name < other.name;
  }

  void place_groups() {
    std::vector<std::uint32_t> of_group(graph_.op_count(), kNoDevice);
    placed_.device_of.resize(graph_.op_count());
    for (const OpId op : graph_.ops()) {
      std::uint32_t& device = of_group[root(op)];
      DeviceName wanted = wanted_[root(op)];
      if (device == kNoDevice) {
        device = best(wanted, facts_.ops().of(graph_, op).kind != OpKind::kControl);
        if (device == kNoDevice) {
          wanted.type = "CPU";
          wanted.index = "*";
          device = best(wanted, false);
        }
        if (device == kNoDevice) device = best({}, false);
      }
      placed_.device_of[op.index()] = device;
    }
  }

  [[nodiscard]] bool is_generator(OpId op) const {
    return graph_.inputs(op).empty() && tensors_.output_count(op) == 1 &&
           !is_reference(tensors_.type({op, 0})) && tensors_.type({op, 0}) != DataType::kResource;
  }
  void place_by_neighbours() {
    for (const OpId op : graph_.ops()) {
      const std::string_view type = graph_.type(op);
      const bool asks_for_shape =
          (type == "Shape" || type == "Size" || type == "Rank") && graph_.inputs(op).size() == 1;
      if (!asks_for_shape) continue;
      move_to(op, placed_.device_of[graph_.inputs(op).front().op.index()]);
    }
    for (const OpId op : graph_.ops()) {
      if (!is_generator(op)) continue;
      std::uint32_t device = kNoDevice;
      bool is_one = true;
      const auto meet = [&](OpId reader) {
        const std::uint32_t of_reader = placed_.device_of[reader.index()];
        is_one = is_one && (device == kNoDevice || device == of_reader);
        device = of_reader;
      };
      for (const Use use : facts_.consumers().data(op)) meet(use.consumer);
      for (const OpId waiter : facts_.consumers().control(op)) meet(waiter);
      if (is_one && device != kNoDevice) move_to(op, device);
    }
  }
  void move_to(OpId op, std::uint32_t device) {
    if (can_be_on(wanted_[root(op)], device)) placed_.device_of[op.index()] = device;
  }

  void feed_from(const ClusterTask& client) {
    DeviceName cpu{client.job, "", std::to_string(client.index), "CPU", "0"};
    const std::uint32_t device = best(cpu, false);
    if (device == kNoDevice) return;
    for (const OpId op : graph_.ops()) {
      const bool is_fed = facts_.ops().of(graph_, op).kind == OpKind::kPlaceholder &&
                          tensors_.output_count(op) > 0 &&
                          tensors_.type({op, 0}) != DataType::kResource;
      if (is_fed) placed_.device_of[op.index()] = device;
    }
  }

  const GraphFacts& facts_;
  const Graph& graph_;
  const TensorTable& tensors_;
  const Cluster& cluster_;
  std::vector<std::uint32_t> parent_;  // by op: towards the root of its group
  std::vector<DeviceName> wanted_;     // by root
  ClusterPlacement placed_;
};

}  // namespace

Result<ClusterPlacement> place_on_cluster(const GraphFacts& facts, const TensorTable& tensors,
                                          const Cluster& cluster, const ClusterTask& client) {
  return ClusterPlacer(facts, tensors, cluster).run(client);
}

}  // namespace tideline
