// Tested by unit/rewrite/replicate/towers_test.cc.
#include "core/rewrite/replicate/tower_plan.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/device_name.h"

namespace tideline::replicate {
namespace {

bool has_scope(const Graph& graph, const std::string& prefix) {
  const std::string_view scope = std::string_view(prefix).substr(0, prefix.size() - 1);
  for (const OpId op : graph.ops()) {
    const std::string_view name = graph.name(op);
    if (name.starts_with(prefix) || name == scope) return true;
  }
  return false;
}

}  // namespace

TowerPlan::TowerPlan(const Context& context, const Regions& regions,
                     const ReplicateOptions& options)
    : context_(context),
      regions_(regions),
      devices_(context, regions, options),
      names_(context.graph),
      rank_(context.graph.op_count()) {
  find_prefixes(options.devices.size());
  std::uint32_t rank = 0;
  for (const OpId op : regions.replicated) rank_[op.index()] = rank++;
  for (std::size_t tower = 1; tower < towers(); ++tower) {
    for (const OpId op : regions.replicated) names_.reserve(copy_name(op, tower));
  }
}

void TowerPlan::find_prefixes(std::size_t towers) {
  prefixes_.emplace_back();
  for (std::size_t tower = 1; tower < towers; ++tower) {
    std::string prefix = fmt::format("tower_{}/", tower);
    for (int again = 1; has_scope(context_.graph, prefix); ++again) {
      prefix = fmt::format("tower_{}_{}/", tower, again);
    }
    prefixes_.push_back(std::move(prefix));
  }
}

OpId TowerPlan::add(const New& op) {
  const std::string name = names_.make(op.wanted);
  return plan_.add_op(context_.graph,
                      {name, op.type, op.device, op.inputs, op.control_inputs, op.attributes});
}

OpId TowerPlan::add_int32(const std::string& wanted, const std::string& device,
                          std::int32_t value) {
  return add({"Const",
              wanted,
              device,
              {},
              {},
              {{"dtype", AttrValue::of_type(DataType::kInt32)},
               {"value", AttrValue::of_int32_scalar(value)}}});
}

void TowerPlan::add_splits(const Targets& targets) {
  for (std::size_t i = 0; i < targets.inputs.size(); ++i) {
    const SplitInput& input = targets.inputs[i];
    if (!regions_.is_read[i]) continue;
    if (input.is_sparse()) {
      add_sparse_split(input);
    } else {
      add_split(input.tensors.front());
    }
  }
}

void TowerPlan::add_split(TensorId tensor) {
  const std::string name = names_.make("split_inputs/split");
  const OpId axis = add_int32(name + "/split_dim", devices_.parameters(), 0);
  const OpId split = plan_.add_op(
      context_.graph, {name,
                       "Split",
                       devices_.parameters(),
                       {{axis, 0}, tensor},
                       {},
                       {{"T", AttrValue::of_type(base_type(context_.tensors.type(tensor)))},
                        {"num_split", AttrValue::of_int(static_cast<std::int64_t>(towers()))}}});
  splits_.push_back({tensor, split, 0});
}

// TensorFlow splits sparse tensors on a CPU alone. The parts of a tower are one output each of the
// three lists: indices, values, shapes.
void TowerPlan::add_sparse_split(const SplitInput& input) {
  DeviceName device = parse_device(devices_.parameters()).value_or(DeviceName{});
  device.type = "CPU";
  device.index = "0";
  const std::string on = device_text(device);
  const std::string name = names_.make("split_inputs/split");
  const OpId axis = add_int32(name + "/axis", on, 0);
  const OpId wide = add({"Cast",
                         name + "/split_dim",
                         on,
                         {{axis, 0}},
                         {},
                         {{"DstT", AttrValue::of_type(DataType::kInt64)},
                          {"SrcT", AttrValue::of_type(DataType::kInt32)}}});
  const TensorId values = input.tensors[1];
  std::vector<TensorId> inputs = {{wide, 0}};
  inputs.insert(inputs.end(), input.tensors.begin(), input.tensors.end());
  const OpId split = plan_.add_op(
      context_.graph, {name,
                       "SparseSplit",
                       on,
                       inputs,
                       {},
                       {{"T", AttrValue::of_type(base_type(context_.tensors.type(values)))},
                        {"num_split", AttrValue::of_int(static_cast<std::int64_t>(towers()))}}});
  std::uint32_t slot = 0;
  for (const TensorId tensor : input.tensors) {
    splits_.push_back({tensor, split, slot});
    slot += static_cast<std::uint32_t>(towers());
  }
}

Status TowerPlan::add_towers(const Targets& targets, const ReplicateOptions& options,
                             Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(devices_.spread(options));
  add_splits(targets);
  first_copy_ = context_.graph.op_count() + static_cast<std::uint32_t>(plan_.added.size());
  for (std::size_t tower = 1; tower < towers(); ++tower) {
    if (!progress.report("copying towers", static_cast<std::int64_t>(tower),
                         static_cast<std::int64_t>(towers()))) {
      return cancelled();
    }
    for (const OpId op : regions_.replicated) TIDELINE_RETURN_IF_ERROR(add_copy(op, tower));
  }
  // The first tower reads the first part, and so does all else that looks at the batch.
  // But not what another split tensor is made of.
  for (const Split& split : splits_) {
    for (const Use use : context_.consumers.data(split.tensor.op)) {
      const OpId reader = use.consumer;
      if (context_.graph.inputs(reader)[use.slot] != split.tensor ||
          regions_.update.is_update[reader.index()] || regions_.marks.above[reader.index()]) {
        continue;
      }
      plan_.rerouted.push_back({reader, use.slot, split.tensor, split.part(0)});
    }
  }
  return {};
}

OpId TowerPlan::copy_of(OpId op, std::size_t tower) const {
  if (tower == 0 || !regions_.has_copies(op)) return op;
  const auto copies = static_cast<std::uint32_t>(regions_.replicated.size());
  return OpId{first_copy_ + static_cast<std::uint32_t>(tower - 1) * copies + rank_[op.index()]};
}

TensorId TowerPlan::copy_of(TensorId tensor, std::size_t tower) const {
  const auto split = std::find_if(splits_.begin(), splits_.end(),
                                  [&](const Split& one) { return one.tensor == tensor; });
  if (split != splits_.end()) return split->part(tower);
  return {copy_of(tensor.op, tower), tensor.slot};
}

std::vector<TensorId> TowerPlan::copies_of(TensorId tensor) const {
  std::vector<TensorId> copies;
  for (std::size_t tower = 0; tower < towers(); ++tower) copies.push_back(copy_of(tensor, tower));
  return copies;
}

Status TowerPlan::add_copy(OpId op, std::size_t tower) {
  const Graph& graph = context_.graph;
  const std::string name = copy_name(op, tower);
  const std::string device = devices_.of(op, tower);
  CopiedOp copy{op, name, device};
  for (const TensorId input : graph.inputs(op)) copy.inputs.push_back(copy_of(input, tower));
  for (const OpId input : graph.control_inputs(op)) {
    // Only the first tower waits for ops that it alone has, such as moving averages.
    const bool is_of_first = !regions_.has_copies(input) &&
                             !regions_.update.is_update[input.index()] &&
                             regions_.marks.of_batch[input.index()];
    if (!is_of_first) copy.control_inputs.push_back(copy_of(input, tower));
  }
  return change_attributes(op, plan_.add_copy(graph, copy), tower);
}

// What must differ between copies: loops of one frame name would share a frame, variables of one
// shared name a value, and random ops of one seed their numbers.
Status TowerPlan::change_attributes(OpId op, OpId copy, std::size_t tower) {
  const Graph& graph = context_.graph;
  const NodeCodec& codec = graph.codec();
  const std::string& prefix = prefixes_[tower];
  Status status;
  bool is_seeded = false;
  std::int64_t second_seed = 0;
  graph.codec().for_each_attribute(
      graph.encoded(op), [&](std::string_view key, std::string_view encoded) {
        if (key == "_output_shapes") {
          plan_.remove_attribute(copy, key);
          return;
        }
        const bool is_seed = context_.kind(op) == OpKind::kRandom && key.starts_with("seed");
        if (key != "_class" && key != "frame_name" && key != "shared_name" && !is_seed) return;
        auto value = codec.decode(encoded);
        if (!value) {
          if (status) {
            status = tl::unexpected(with_context(
                std::move(value).error(),
                fmt::format("op {}: attribute '{}'", shown(graph, op), printable(key))));
          }
          return;
        }
        if (is_seed) {
          is_seeded = is_seeded || value->integer != 0;
          if (key == "seed2") second_seed = value->integer;
        } else if (key == "_class") {
          bool changed = false;
          for (std::string& group : value->strings) {
            constexpr std::string_view kColocated = "loc:@";
            if (!group.starts_with(kColocated)) continue;
            const OpId other = graph.find(std::string_view(group).substr(kColocated.size()));
            if (!other.valid() || !regions_.has_copies(other)) continue;
            group.insert(kColocated.size(), prefix);
            changed = true;
          }
          if (changed) plan_.set_attribute(graph, copy, key, *value);
        } else if (key == "frame_name") {
          value->string = prefix + value->string;
          plan_.set_attribute(graph, copy, key, *value);
        } else if (!value->string.empty() || context_.kind(op) == OpKind::kVariable) {
          value->kind = AttrValue::Kind::kString;
          value->string = prefix + std::string(graph.name(op));
          plan_.set_attribute(graph, copy, key, *value);
        }
      });
  if (is_seeded) {
    constexpr std::uint64_t kBetweenTowers = 1000003;  // a prime; any distance would do
    const auto seed = static_cast<std::uint64_t>(second_seed) + tower * kBetweenTowers;
    plan_.set_attribute(graph, copy, "seed2", AttrValue::of_int(static_cast<std::int64_t>(seed)));
  }
  return status;
}

Result<DataType> TowerPlan::type_of(TensorId tensor) const {
  const DataType type = base_type(context_.tensors.type(tensor));
  if (type != DataType::kInvalid) return type;
  return fail(Code::kUnsupported,
              "the type of '{}' is unknown; expected an op type with a "
              "signature",
              context_.graph.tensor_name(tensor));
}

TensorId TowerPlan::tower_count(DataType type) {
  for (const auto& [known, tensor] : counts_) {
    if (known == type) return tensor;
  }
  if (!count_.valid()) {
    count_ = add_int32("gradient_aggregating/towers", devices_.parameters(),
                       static_cast<std::int32_t>(towers()));
  }
  const OpId cast =
      add({"Cast",
           "gradient_aggregating/Cast",
           devices_.parameters(),
           {{count_, 0}},
           {},
           {{"DstT", AttrValue::of_type(type)}, {"SrcT", AttrValue::of_type(DataType::kInt32)}}});
  counts_.emplace_back(type, TensorId{cast, 0});
  return {cast, 0};
}

Result<TensorId> TowerPlan::combine(const Combined& combined) {
  TIDELINE_TRY(const DataType type, type_of(combined.tensor));
  const AttrValue element = AttrValue::of_type(type);
  std::vector<TensorId> inputs = copies_of(combined.tensor);
  if (towers() == 1) {
    return TensorId{
        add({"Identity", combined.wanted, combined.device, inputs, {}, {{"T", element}}}), 0};
  }
  const bool is_concat = combined.kind == CutKind::kRows || combined.kind == CutKind::kIndices;
  const bool is_mean = combined.is_mean && combined.kind != CutKind::kIndices;
  const std::string name =
      names_.make(combined.wanted + (is_mean ? (is_concat ? "/concat" : "/AddN") : ""));
  const AttrValue count = AttrValue::of_int(static_cast<std::int64_t>(towers()));
  OpId result;
  if (is_concat) {
    inputs.push_back({add_int32(name + "/axis", combined.device, 0), 0});
    result = plan_.add_op(
        context_.graph,
        {name,
         "ConcatV2",
         combined.device,
         inputs,
         {},
         {{"N", count}, {"T", element}, {"Tidx", AttrValue::of_type(DataType::kInt32)}}});
  } else {
    result =
        plan_.add_op(context_.graph,
                     {name, "AddN", combined.device, inputs, {}, {{"N", count}, {"T", element}}});
  }
  if (is_mean) {
    const TensorId divisor = tower_count(type);
    result = add({"RealDiv",
                  combined.wanted,
                  combined.device,
                  {{result, 0}, divisor},
                  {},
                  {{"T", element}}});
  }
  return TensorId{result, 0};
}

}  // namespace tideline::replicate
