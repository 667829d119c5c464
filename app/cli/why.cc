
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/cluster_report.h"
#include "app/cli/commands.h"
#include "app/cli/exact.h"
#include "app/cli/file_swaps.h"
#include "app/cli/opening.h"
#include "app/cli/policy_options.h"
#include "app/cli/terminal.h"
#include "app/engine/device_result.h"
#include "app/engine/planned_peaks.h"
#include "app/engine/read_cluster.h"
#include "app/engine/replanner.h"
#include "core/analysis/structure/gradient_names.h"
#include "core/base/text.h"
#include "core/graph/nearest_names.h"
#include "core/rewrite/lms/overrides.h"
#include "core/rewrite/lms/tensor_stretches.h"

namespace tideline::cli {
namespace {

struct WhyOptions {
  GraphArgument graph;
  std::string subject;
  PolicyArguments policy;
  std::string cluster;  ///< a file, or TF_CONFIG; empty: one machine
};

void print_tensor(const Graph& graph, const RewritePlan& plan, TensorId tensor) {
  if (!plan.report) {
    say("{} is not swapped: there is no policy; give the parameters of one\n",
        graph.tensor_name(tensor));
    return;
  }
  for (const std::string& line : plan.report->why(graph, plan.edit, tensor)) say("{}\n", line);
}

// Whether only the graph as written has it.
bool is_in_file(const app::SizedGraph& opened, const std::string& subject) {
  if (opened.as_written == nullptr) return false;
  const Graph& graph = opened.as_written->document.graph;
  return graph.find(subject).valid() || graph.find_tensor(subject);
}

// Where the step waits for the tensor: for its memory, for its copies, or to make it.
void print_waits(const Graph& graph, const RewritePlan& plan, const StepTime& time,
                 TensorId tensor) {
  for (const MemoryWait& wait : time.memory_waits) {
    if (wait.op != tensor.op && wait.freed != tensor) continue;
    const std::string freed = wait.freed.op.valid() ? tensor_name(graph, plan, wait.freed)
                                                    : std::string("what ops use while they run");
    say("  {} waits {} for {} of memory, until {} {}\n", op_name(graph, plan, wait.op),
        format_time(wait.wait_ns), format_bytes(wait.bytes), freed,
        wait.by_copy_out ? "is on the host" : "is not needed any more");
  }
  const auto swaps = plan.swaps();
  for (const LateSwapIn& late : time.late) {
    const bool is_copy = std::any_of(swaps.begin(), swaps.end(), [&](const PlannedSwap& swap) {
      return swap.tensor == tensor &&
             std::any_of(swap.swap_ins.begin(), swap.swap_ins.end(),
                         [&](const PlannedSwapIn& in) { return in.copy == late.tensor.op; });
    });
    if (!is_copy) continue;
    say("  {} waits {} for {}{}\n", op_name(graph, plan, late.reader), format_time(late.wait_ns),
        op_name(graph, plan, late.tensor.op),
        late.room_wait_ns > 0
            ? fmt::format(", which found no room for {}", format_time(late.room_wait_ns))
            : "");
  }
}

// Why the op is a call still, although calls were to be inlined.
void print_kept_call(const app::ReadGraph& source, std::string_view name) {
  if (!source.inlined) return;
  for (const KeptCall& call : source.inlined->made.kept) {
    if (call.op == name) say("{} stays a call: {}\n", name, call.reason);
  }
}

// What is asked about: all outputs of an op, or one.
struct Subject {
  OpId op;
  std::uint32_t first_slot = 0;
  std::uint32_t end_slot = 0;
};

// An op's name stands for all its outputs, and a place in the user's code for all ops made there.
Result<std::vector<Subject>> find_subjects(const app::SizedGraph& opened,
                                           const TensorTable& tensors, const std::string& name) {
  constexpr std::string_view kLine = "line:";
  const Graph& graph = opened.graph();
  const auto whole = [&](OpId op) { return Subject{op, 0, tensors.output_count(op)}; };
  std::vector<Subject> subjects;
  if (name.starts_with(kLine)) {
    TIDELINE_TRY(const std::vector<OpId> ops,
                 find_line(graph, opened.source->lines, name.substr(kLine.size())));
    for (const OpId op : ops) {
      if (tensors.output_count(op) > 0) subjects.push_back(whole(op));
    }
    if (subjects.empty()) subjects.push_back(whole(ops.front()));
    return subjects;
  }
  if (const OpId op = graph.find(name); op.valid()) {
    subjects.push_back(whole(op));
  } else if (const auto tensor = find_tensor(graph, tensors, name)) {
    subjects.push_back({tensor->op, tensor->slot, tensor->slot + 1});
  } else {
    return fail(Code::kNotFound,
                "there is no op or tensor '{}'{}; expected a name such as 'conv1/Relu' or "
                "'conv1/Relu:0'",
                printable(name, 200), nearest_ops(graph, name));
  }
  return subjects;
}

// "conv1, model.py:14, in train_step": the layer that an op works for, if it is in one, and its
// line.
void print_source_line(const app::ReadGraph& source, OpId op) {
  const SourceLine* line = source.lines.of(op);
  if (line == nullptr) return;
  const std::string layer = layer_name(source.document.graph.name(op));
  const std::size_t slash = layer.rfind('/');
  say("  made in {}{}\n",
      slash == std::string::npos ? "" : printable(layer.substr(0, slash)) + ", ",
      line_in_function(*line));
}

// Lists of loops have a size in `faithful` alone.
void print_subject(const app::SizedGraph& opened, const TensorTable& tensors,
                   const TensorTable& faithful, const Outcome& made, const app::DeviceResult& step,
                   const Subject& subject) {
  const Graph& graph = opened.graph();
  const GraphFacts& facts = opened.source->facts;
  for (std::uint32_t slot = subject.first_slot; slot < subject.end_slot; ++slot) {
    const TensorId tensor{subject.op, slot};
    const std::string in_file =
        why_in_file(facts, faithful.list(tensor) == nullptr ? tensors : faithful, tensor);
    if (in_file.empty()) print_tensor(graph, made.plan, tensor);
    say("{}", Lines{in_file});
    print_source_line(*opened.source, subject.op);
    const TensorStretches found =
        find_stretches(graph, facts.levels(), step.original->graph, made.plan.swaps(),
                       step.result(), tensor, &facts.copies());
    say("  memory by level: {}\n", stretches_text(graph, found));
    if (!made.used.is_off()) print_waits(graph, made.plan, step.timing.after, tensor);
  }
}

// The messages do not name the document.
Status explain(WhyOptions& options, app::SizedGraph& opened, Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(run_exactly(opened, options.policy, progress));
  const Graph& graph = opened.graph();
  TIDELINE_TRY(const TensorTable tensors, opened.tensors(SizeModel::kCompatible));
  auto found = find_subjects(opened, tensors, options.subject);
  if (!found && is_in_file(opened, options.subject)) {
    say("{} does not run: TensorFlow's graph optimizer left it out\n", options.subject);
    return {};
  }
  if (!found) return tl::unexpected(std::move(found).error());
  const std::vector<Subject>& subjects = *found;
  const OpId first = subjects.front().op;
  print_kept_call(*opened.source, graph.name(first));
  if (subjects.front().end_slot == 0) {
    say("{} has no output\n", graph.name(first));
    print_source_line(*opened.source, first);
    return {};
  }
  Policy policy = options.policy.policy;
  if (policy.search.fetches.empty()) {
    TIDELINE_TRY(const auto run,
                 app::find_run(opened, step_options(policy, {}, nullptr).gpu_device, first));
    if (run) {
      policy.search.fetches = run->fetches;
      say("in the {}:\n", run->name);
    }
  }
  app::Replanner replanner(opened);
  TIDELINE_TRY(const Outcome made, replanner.plan(policy, /*explain=*/true, progress));
  TIDELINE_TRY(const TensorTable faithful, opened.tensors(SizeModel::kFaithful));
  TIDELINE_TRY(const std::optional<Bytes> budget, app::step_budget(opened, policy));
  TIDELINE_TRY(
      const app::DeviceResult step,
      app::simulate_device(
          opened, faithful, step_options(policy, policy.search.fetches, &opened.source->functions),
          opened.costs(policy.search.profile), made.used.is_off() ? nullptr : &made.plan, budget));
  for (const Subject& subject : subjects)
    print_subject(opened, tensors, faithful, made, step, subject);
  warn(made.plan.warnings_at(step.peak_before(), step.peak(), step.effects, &step.timing));
  return {};
}

// Of the graph as it is: where the op runs, and to whom its outputs go.
Status explain_on_cluster(const WhyOptions& options, const Cluster& cluster,
                          const app::SizedGraph& opened) {
  TIDELINE_TRY(const TensorTable tensors, opened.tensors(SizeModel::kFaithful));
  TIDELINE_TRY(const std::vector<Subject> subjects,
               find_subjects(opened, tensors, options.subject));
  const DeviceProfile profile = options.policy.profile.value_or(*built_in_profile("pcie3"));
  TIDELINE_TRY(const app::ClusterStep step,
               app::simulate_on_cluster(opened, cluster, main_task(cluster), profile,
                                        options.policy.policy.search.fetches));
  const ClusterReport report{opened, cluster, step, profile, options.graph.graph.path};
  for (const Subject& subject : subjects) {
    print_on_cluster(report, subject.op, subject.first_slot, subject.end_slot);
  }
  return {};
}

int why_on_cluster(const WhyOptions& options) {
  std::string other;
  if (!options.policy.policy.is_off()) other = "a policy; expected the graph that it gives";
  if (!options.graph.plan.empty()) other = "--plan; expected the graph that it gives";
  if (options.graph.as_run == AsRun::kExact) {
    other = "--as-run exact; expected the graph of optimize";
  }
  if (!other.empty()) {
    return report_usage({Code::kInvalidArgument, "--cluster: not together with " + other});
  }
  const auto cluster = app::read_cluster(options.cluster, Pipes::kRead);
  if (!cluster) return report(cluster.error());
  TerminalProgress progress(false);
  const auto opened = open_sized_graph(options.graph, "", options.graph.run(), progress);
  if (!opened) return report(opened.error());
  const Status status = explain_on_cluster(options, *cluster, *opened);
  if (status) return kExitDone;
  return report(with_context(status.error(), options.graph.graph.path));
}

int why(WhyOptions& options) {
  if (const auto refused = refuse_policy(options.policy)) return *refused;
  if (const auto refused = check_run_model(options.graph)) return *refused;
  if (!options.cluster.empty()) return why_on_cluster(options);
  if (const auto refused = refuse_exact(options.graph, options.policy)) return *refused;
  TerminalProgress progress(false);
  auto opened =
      open_sized_graph(options.graph, "", run_of(options.graph, options.policy), progress);
  if (!opened) return report(opened.error());
  const Status status = explain(options, *opened, progress);
  if (status) return kExitDone;
  if (status.error().code == Code::kCancelled) return report(status.error());
  return report(with_context(status.error(), options.graph.graph.path));
}

}  // namespace

void add_why(const Command& app, Action& action) {
  auto options = std::make_shared<WhyOptions>();
  const Command command = app.add_subcommand(
      "why", "Why a tensor is swapped or not: the deciding rule, with its values");
  add_graph(command, options->graph);
  add_inline(command, options->graph.graph);
  add_rounds(command, options->graph);
  add_run_model(command, options->graph);
  add_plan(command, options->graph);
  command
      .add_option("TENSOR", options->subject,
                  "A tensor (conv1/Relu:0), an op for all of its outputs, or a line of code for "
                  "all that it made (line:model.py:14)")
      .required();
  command
      .add_option("--cluster", options->cluster,
                  "Where on a cluster the op runs, and to which devices its tensors are sent: JSON "
                  "as tf.train.ClusterSpec takes it, or the word TF_CONFIG")
      .not_empty()
      .type_name("FILE");
  add_policy_options(command, options->policy);
  add_search_options(command, options->policy.policy.search);
  command.callback([options, &action] { action = [options] { return why(*options); }; });
}

}  // namespace tideline::cli
