// Problem: a step on a cluster takes as long as what one device does and what it waits for, and
// what it waits for was sent by another one over a network that is far slower than memory. How long
// that is cannot be told by adding up: tensors are sent while others are computed.
//
// Idea: simulate events. A device runs one op at a time, of those that are ready the first of the
// step; the CPU devices of a task share its threads and take turns. A tensor is sent when its op
// has ended, once to each device that reads it, over one hop after the other: from a GPU to its
// host, between the tasks, from the host to a GPU. Every hop is first come, first served on what it
// occupies: a direction of the link of a GPU; between tasks either what the sender sends and what
// the receiver receives, if each task has one connection for all (NetworkSpeed::is_shared), or the
// pair's own direction. A network hop occupies these for its bytes and arrives a latency later;
// what only waits for an op of another task waits a latency.
//
// The limit of a step is told by two more runs: one in which the network takes no time, and one in
// which nothing else does. The longer of the two is what the step would still take, however fast
// the other part was.
//
// Example: a worker computes a gradient of 10 MB in 4 ms and sends it to a task that applies it in
// 1 ms. At 1 GB/s the step takes 4 + 10 + 1 ms; 5 without the network, 10 for the network alone.
//
// Cost: O((ops + edges + sent) log ops) a run.
//
// Limits: a hop takes its turn when it becomes ready and keeps it, although another one might fit
// in before; memory is not limited; a loop counts
// as one round; calls and confirmations of the protocol are in the latency;
// TensorFlow runs as many ops of a CPU at a time as it has threads, here one. Source: own;
// TensorFlow, rendezvous and worker service (behaviour only).
//
// Tested by unit/memory/cluster_clock_test.cc.
#include "core/memory/cluster_clock.h"

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <tuple>

namespace tideline {
namespace {

constexpr std::uint32_t kNone = 0xffffffffU;

struct Included {
  bool network = true;  // takes time
  bool latency = true;  // of the network
  bool rest = true;     // ops, and copies between a host and its devices
};

// Something that one hop at a time occupies.
struct Line {
  double free_ns = 0;
  double busy_ns = 0;
  Bytes bytes = 0;
};

class ClusterRun {
 public:
  ClusterRun(const ClusterWork& work, const CostModel& costs, Included included)
      : work_(work), costs_(costs), network_(costs.profile().network), included_(included) {
    const std::size_t ops = work.step->ops.size();
    step_of_.assign(ops, kNone);
    for (std::uint32_t step = 0; step < work.schedule.size(); ++step) {
      step_of_[work.schedule[step].index()] = step;
    }
    devices_.resize(work.placement->devices.size());
    result_.busy_ns.assign(devices_.size(), 0);
    find_turns();
    to_host_.resize(devices_.size());
    to_device_.resize(devices_.size());
    result_.begin_ns.assign(ops, 0);
    result_.sent_ns.assign(work.sent.size(), 0);
    find_sent();
    find_edges();
  }

  ClusterTime run() {
    for (std::uint32_t step = 0; step < pending_.size(); ++step) {
      if (pending_[step] == 0) ready(step);
    }
    begin_ops(0);
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      result_.step_ns = std::max(result_.step_ns, event.at_ns);
      switch (event.kind) {
        case Event::Kind::kOpEnds: end_op(event.place, event.at_ns); break;
        case Event::Kind::kHopEnds: next_hop(event.place, event.at_ns); break;
        case Event::Kind::kMessageArrives: arrive(event.place); break;
      }
      begin_ops(event.at_ns);
    }
    add_links();
    return std::move(result_);
  }

 private:
  struct Event {
    enum class Kind : std::uint8_t { kOpEnds, kHopEnds, kMessageArrives };
    double at_ns = 0;
    std::uint64_t number = 0;  // events of one moment are in the order in which they were made
    Kind kind = Kind::kOpEnds;
    std::uint32_t place = 0;  // device; sent tensor; step that waits

    bool operator>(const Event& other) const {
      return std::tie(at_ns, number) > std::tie(other.at_ns, other.number);
    }
  };
  struct Device {
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    std::uint32_t runs = kNone;  // step
  };
  // Of a sent tensor: what is over, and who waits for it.
  struct Way {
    std::uint8_t hops = 0;
    std::vector<std::uint32_t> waiting = {};
  };

  [[nodiscard]] const ClusterDevice& device(std::uint32_t at) const {
    return work_.placement->devices[at];
  }
  [[nodiscard]] std::uint32_t device_of(OpId op) const {
    return work_.placement->device_of[op.index()];
  }

  void find_turns() {
    std::map<std::size_t, std::uint32_t> cpu_of;  // task
    for (std::uint32_t at = 0; at < devices_.size(); ++at) {
      turn_of_.push_back(device(at).is_cpu() ? cpu_of.try_emplace(device(at).task, at).first->second
                                             : at);
    }
  }

  void find_sent() {
    ways_.resize(work_.sent.size());
    sent_by_.resize(work_.schedule.size());
    for (std::uint32_t at = 0; at < work_.sent.size(); ++at) {
      const SentTensor& sent = work_.sent[at];
      const std::uint32_t step = step_of_[sent.tensor.op.index()];
      sent_by_[step].push_back(at);
      way_of_[{work_.step->tensor(sent.tensor), sent.to}] = at;
    }
  }

  // Only what comes later waits, as in the order of the step.
  void find_edges() {
    pending_.assign(work_.schedule.size(), 0);
    successors_.resize(work_.schedule.size());
    messages_.resize(work_.schedule.size());
    for (std::uint32_t step = 0; step < work_.schedule.size(); ++step) {
      const OpId op = work_.schedule[step];
      for (const StepInput& input : work_.step->inputs_of(op)) {
        const std::uint32_t maker = step_of_[work_.step->producer_of[input.tensor].index()];
        if (input.is_back_edge || maker == kNone || maker >= step) continue;
        ++pending_[step];
        const auto way = way_of_.find({input.tensor, device_of(op)});
        if (way == way_of_.end()) {
          successors_[maker].push_back(step);
        } else {
          ways_[way->second].waiting.push_back(step);
        }
      }
      for (const OpId control : work_.step->controls_of(op)) {
        const std::uint32_t maker = step_of_[control.index()];
        if (maker == kNone || maker >= step) continue;
        ++pending_[step];
        const bool is_far = device(device_of(control)).task != device(device_of(op)).task;
        (is_far ? messages_ : successors_)[maker].push_back(step);
      }
    }
  }

  void push(double at_ns, Event::Kind kind, std::uint32_t place) {
    events_.push({at_ns, next_number_++, kind, place});
  }

  void ready(std::uint32_t step) {
    const std::uint32_t at = turn_of_[device_of(work_.schedule[step])];
    devices_[at].ready.push(step);
    woken_.push_back(at);
  }

  void arrive(std::uint32_t step) {
    if (--pending_[step] == 0) ready(step);
  }

  void begin_ops(double now_ns) {
    for (const std::uint32_t at : woken_) {
      Device& device = devices_[at];
      if (device.runs != kNone || device.ready.empty()) continue;
      device.runs = device.ready.top();
      device.ready.pop();
      const OpId op = work_.schedule[device.runs];
      const double ns = included_.rest ? work_.op_ns[op.index()] : 0;
      result_.busy_ns[device_of(op)] += ns;
      result_.begin_ns[op.index()] = now_ns;
      push(now_ns + ns, Event::Kind::kOpEnds, at);
    }
    woken_.clear();
  }

  void end_op(std::uint32_t at, double now_ns) {
    const std::uint32_t step = devices_[at].runs;
    devices_[at].runs = kNone;
    woken_.push_back(at);
    for (const std::uint32_t waiting : successors_[step]) arrive(waiting);
    const double latency = latency_ns();
    for (const std::uint32_t waiting : messages_[step]) {
      push(now_ns + latency, Event::Kind::kMessageArrives, waiting);
    }
    for (const std::uint32_t sent : sent_by_[step]) next_hop(sent, now_ns);
  }

  void next_hop(std::uint32_t at, double now_ns) {
    const SentTensor& sent = work_.sent[at];
    const ClusterDevice& from = device(sent.from);
    const ClusterDevice& to = device(sent.to);
    Way& way = ways_[at];
    if (way.hops == 0) {
      ++way.hops;
      if (!from.is_cpu()) {
        occupy(at, now_ns, included_.rest ? costs_.to_host_ns(sent.bytes) : 0, 0,
               {&to_host_[sent.from], nullptr});
        return;
      }
    }
    if (way.hops == 1) {
      ++way.hops;
      if (from.task != to.task) {
        send(at, now_ns);
        return;
      }
    }
    if (way.hops == 2) {
      ++way.hops;
      if (!to.is_cpu()) {
        occupy(at, now_ns, included_.rest ? costs_.to_device_ns(sent.bytes) : 0, 0,
               {&to_device_[sent.to], nullptr});
        return;
      }
    }
    for (const std::uint32_t waiting : way.waiting) arrive(waiting);
  }

  [[nodiscard]] double latency_ns() const {
    return included_.network && included_.latency ? static_cast<double>(network_.latency_ns) : 0;
  }

  // From task to task.
  void send(std::uint32_t at, double now_ns) {
    const SentTensor& sent = work_.sent[at];
    const std::size_t from = device(sent.from).task, to = device(sent.to).task;
    constexpr std::size_t kAll = NetworkLink::kAll;
    const double ns =
        included_.network ? static_cast<double>(sent.bytes) / network_.bytes_per_s * 1e9 : 0;
    const double latency = latency_ns();
    const bool is_shared = network_.is_shared;
    Line* first = &lines_[is_shared ? std::pair(from, kAll) : std::pair(from, to)];
    Line* second = is_shared ? &lines_[{kAll, to}] : nullptr;
    for (Line* line : {first, second}) {
      if (line != nullptr) line->bytes += sent.bytes;
    }
    occupy(at, now_ns, ns, latency, {first, second});
  }

  void occupy(std::uint32_t at, double now_ns, double ns, double latency,
              std::array<Line*, 2> lines) {
    double begin = now_ns;
    for (const Line* line : lines) {
      if (line != nullptr) begin = std::max(begin, line->free_ns);
    }
    for (Line* line : lines) {
      if (line == nullptr) continue;
      line->free_ns = begin + ns;
      line->busy_ns += ns;
    }
    if (result_.sent_ns[at] == 0) result_.sent_ns[at] = begin + ns;
    push(begin + ns + latency, Event::Kind::kHopEnds, at);
  }

  void add_links() {
    for (const auto& [ends, line] : lines_) {
      result_.links.push_back({ends.first, ends.second, line.bytes, line.busy_ns});
    }
  }

  const ClusterWork& work_;
  const CostModel& costs_;
  NetworkSpeed network_;
  Included included_;
  std::vector<std::uint32_t> step_of_;                                       // by op
  std::vector<std::int32_t> pending_;                                        // by step
  std::vector<std::vector<std::uint32_t>> successors_, messages_, sent_by_;  // by step
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> way_of_;  // tensor and receiver
  std::vector<Way> ways_;                                                    // by sent tensor
  std::vector<Device> devices_;
  std::vector<std::uint32_t> turn_of_;     // by device: the one with whose ops its own take turns
  std::vector<Line> to_host_, to_device_;  // by device
  std::map<std::pair<std::size_t, std::size_t>, Line> lines_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t next_number_ = 0;
  std::vector<std::uint32_t> woken_;  // devices that may begin an op
  ClusterTime result_;
};

}  // namespace

const NetworkLink* ClusterTime::busiest_link() const {
  const auto found = std::max_element(
      links.begin(), links.end(),
      [](const NetworkLink& one, const NetworkLink& other) { return one.busy_ns < other.busy_ns; });
  return found == links.end() ? nullptr : &*found;
}

ClusterTime cluster_time(const ClusterWork& work, const CostModel& costs) {
  ClusterTime time = ClusterRun(work, costs, {}).run();
  // What is first come, first served may take longer when something else takes less. Nobody would
  // gain by that.
  const auto without = [&](Included included) {
    return std::min(time.step_ns, ClusterRun(work, costs, included).run().step_ns);
  };
  time.without_network_ns = without({.network = false});
  time.network_alone_ns = without({.rest = false});
  time.sending_alone_ns =
      std::min(time.network_alone_ns, without({.latency = false, .rest = false}));
  return time;
}

}  // namespace tideline
