#include "core/runtime/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/graph/device_name.h"
#include "core/graph/nearest_names.h"
#include "core/graph/op_types.h"
#include "core/graph/placeholder_shape.h"
#include "core/io/functions.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"
#include "core/io/write_document.h"
#include "core/runtime/needed_ops.h"
#include "core/runtime/seeds.h"

namespace tideline::runtime {
namespace {

constexpr std::string_view kAssignSuffix = "/Assign";

tl::unexpected<Error> no_op(const io::Document& document, const char* role,
                            const std::string& name) {
  return fail(Code::kNotFound, "{}: {}: the graph has no op '{}'{}", document.path, role,
              printable(name), nearest_ops(document.graph, name));
}

Result<std::string> existing_op(const io::Document& document, const char* role,
                                const std::string& name) {
  // An op given as a tensor or control input is understood.
  const std::string plain = name.starts_with('^') ? name.substr(1) : name;
  if (document.graph.find(plain).valid()) return plain;
  if (const auto tensor = document.graph.find_tensor(plain)) {
    return std::string(document.graph.name(tensor->op));
  }
  return no_op(document, role, name);
}

TensorName name_of(const Graph& graph, TensorId tensor) {
  return {std::string(graph.name(tensor.op)), static_cast<std::int32_t>(tensor.slot)};
}

bool is_assign(std::string_view type) {
  return type == "Assign" || type == "AssignVariableOp";
}

// The encoded GraphDef: the document's, or one made of a function's body.
Result<std::string> encoded_graph(const io::Document& document, Progress& progress) {
  if (!document.function.empty()) {
    return io::standalone_graph(document, document.graph, progress);
  }
  std::string bytes;
  bytes.reserve(document.graph_bytes.size());
  TIDELINE_RETURN_IF_ERROR(io::write_document(document, document.graph, {io::Format::kGraph},
                                              io::append_to(bytes), progress));
  return bytes;
}

// Adds ops that read resource variables: a handle is no value.
class ReadOps {
 public:
  explicit ReadOps(const Graph& graph) : graph_(graph) {
    while (graph_.find(prefix_ + "0").valid()) prefix_ = "_" + prefix_;
  }

  Result<TensorName> add(OpId variable, std::string& graph_def) {
    TIDELINE_TRY(const auto type, graph_.attribute(variable, "dtype"));
    if (!type || type->kind != AttrValue::Kind::kType) {
      return fail(Code::kCorrupt, "op '{}': has no attribute dtype", graph_.name(variable));
    }
    const std::string name = fmt::format("{}{}", prefix_, count_++);
    io::append_bytes(graph_def, io::graph_def::kNode,
                     graph_.codec().encode(name, "ReadVariableOp", graph_.device(variable),
                                           {std::string(graph_.name(variable))},
                                           {{"dtype", AttrValue::of_type(type->type)}}));
    return TensorName{name, 0};
  }

 private:
  const Graph& graph_;
  std::string prefix_ = "tideline_read_";
  int count_ = 0;
};

Status add_variables(const Graph& graph, Training& training) {
  ReadOps reads(graph);
  for (const OpId op : graph.ops()) {
    if (!is_variable_type(graph.type(op))) continue;
    TrainedVariable variable;
    variable.name = graph.name(op);
    variable.read = {variable.name, 0};
    if (graph.type(op) == "VarHandleOp") {
      TIDELINE_TRY(variable.read, reads.add(op, training.graph_def));
    }
    const OpId assign = graph.find(variable.name + std::string(kAssignSuffix));
    if (assign.valid() && is_assign(graph.type(assign)) && graph.inputs(assign).size() >= 2) {
      variable.assign = graph.name(assign);
      variable.initial = name_of(graph, graph.inputs(assign)[1]);
    }
    training.variables.push_back(std::move(variable));
  }
  return {};
}

// Nothing in the file initialises them: their values are assigned by name.
void add_captured(const Graph& graph, const std::vector<CapturedVariable>& captured,
                  Training& training) {
  const std::vector<CapturedOps> ops = make_variables(graph, captured, training.graph_def);
  for (std::size_t i = 0; i < captured.size(); ++i) {
    training.variables.push_back(
        {captured[i].first.name, {ops[i].read, 0}, {ops[i].value, 0}, ops[i].assign});
  }
  training.captured = captured;
}

Status add_start_values(const TrainingRequest& request, Training& training) {
  std::vector<WantedVariable> wanted;
  for (const TrainedVariable& variable : training.variables) wanted.push_back({variable.name});
  for (const CapturedVariable& variable : training.captured) {
    const auto own = std::find_if(wanted.begin(), wanted.end(), [&](const WantedVariable& other) {
      return other.name == variable.first.name;
    });
    if (own != wanted.end()) own->saved_as = variable.saved_as;
  }
  if (!request.from.empty()) {
    TIDELINE_TRY(training.start, find_start_values(request.from, wanted));
  } else if (!request.captured_from.empty() && !training.captured.empty()) {
    std::erase_if(wanted, [](const WantedVariable& variable) { return variable.saved_as.empty(); });
    if (wanted.empty()) return {};
    auto found = find_start_values(request.captured_from, wanted);
    // The checkpoint of a model need not have what one of its functions captures.
    if (!found && found.error().code == Code::kNotFound) return {};
    TIDELINE_TRY(training.start, std::move(found));
  }
  return {};
}

void add_collection(const io::Document& document, const std::string& key, Training& training) {
  const auto names = document.collections.names.find(key);
  if (names == document.collections.names.end()) return;
  for (const std::string& name : names->second) {
    const OpId op = document.graph.find(name.substr(0, name.find(':')));
    if (op.valid()) training.initialisers.emplace_back(document.graph.name(op));
  }
}

Status add_initialisers(const io::Document& document, const TrainingRequest& request,
                        Training& training) {
  for (const std::string& name : request.inits) {
    TIDELINE_TRY(std::string op, existing_op(document, "{init}", name));
    training.initialisers.push_back(std::move(op));
  }
  if (!request.inits.empty()) return {};
  for (const TrainedVariable& variable : training.variables) {
    if (!variable.assign.empty()) training.initialisers.push_back(variable.assign);
  }
  std::sort(training.initialisers.begin(), training.initialisers.end());
  if (training.initialisers.empty()) add_collection(document, "init_op", training);
  add_collection(document, "table_initializer", training);
  return {};
}

Status check_cycle(const io::Document& document, const Cycle& cycle) {
  const auto check = [&](const std::string& name) -> Status {
    if (document.graph.find_tensor(name)) return {};
    return fail(Code::kNotFound, "{}: the plan runs '{}', which the graph does not have{}",
                document.path, printable(name), nearest_ops(document.graph, name));
  };
  for (const CycleRun& run : cycle.runs) {
    if (!run.target.empty()) TIDELINE_RETURN_IF_ERROR(check(run.target));
    for (const auto& [placeholder, value] : run.feeds) TIDELINE_RETURN_IF_ERROR(check(placeholder));
    for (const auto& [tensor, name] : run.keeps) TIDELINE_RETURN_IF_ERROR(check(tensor));
  }
  return {};
}

bool is_placeholder(std::string_view type) {
  return type == "Placeholder" || type == "PlaceholderV2" || type == "_Arg";
}

struct Wanted {
  std::optional<DataType> type;
  Shape shape;
};

Wanted wanted_by(const Graph& graph, OpId placeholder) {
  Wanted wanted;
  const bool is_argument = graph.type(placeholder) == "_Arg";  // of a function's body
  const auto type = graph.attribute(placeholder, is_argument ? "T" : "dtype");
  if (type && *type && (*type)->kind == AttrValue::Kind::kType) wanted.type = (*type)->type;
  wanted.shape = declared_shape(graph, placeholder);
  return wanted;
}

bool fits(const Shape& shape, const std::vector<std::int64_t>& dims) {
  // TensorFlow 1 wrote an unknown shape as a scalar.
  if (!shape.has_rank || shape.dims.empty()) return true;
  if (shape.dims.size() != dims.size()) return false;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (shape.dims[i] != kUnknownDim && shape.dims[i] != dims[i]) return false;
  }
  return true;
}

// "{feed} x=float32:Nx32 or {feed} x=FILE.npy"
std::string how_to_feed(std::string_view name, const Wanted& wanted) {
  std::string dims;
  for (const std::int64_t dim : wanted.shape.dims) {
    dims += dims.empty() ? "" : "x";
    dims += dim == kUnknownDim ? "N" : std::to_string(dim);
  }
  if (!wanted.shape.has_rank) dims = "SHAPE";
  return fmt::format("{{feed}} {0}={1}:{2} or {{feed}} {0}=FILE.npy", name,
                     wanted.type ? element_type_name(*wanted.type) : "DTYPE", dims);
}

std::string what_is_wanted(const Graph& graph, OpId op, const Wanted& wanted) {
  return fmt::format("placeholder '{}' expects {}", graph.name(op),
                     describe(wanted.type.value_or(DataType::kInvalid), wanted.shape));
}

// Placeholders that the step needs, in file order.
std::vector<OpId> unfed_placeholders(const Graph& graph, const std::vector<OpId>& from,
                                     const std::set<TensorId>& fed) {
  const std::vector<bool> needed = needed_ops(graph, from, fed);
  std::vector<OpId> unfed;
  for (const OpId op : graph.ops()) {
    if (needed[op.index()] && is_placeholder(graph.type(op)) && !fed.contains(TensorId{op, 0})) {
      unfed.push_back(op);
    }
  }
  return unfed;
}

Status check_feed(const io::Document& document, const Feed& feed, TensorId tensor) {
  const Graph& graph = document.graph;
  if (!is_placeholder(graph.type(tensor.op))) return {};
  const Wanted wanted = wanted_by(graph, tensor.op);
  if ((!wanted.type || base_type(*wanted.type) == feed.type()) && fits(wanted.shape, feed.dims())) {
    return {};
  }
  return fail(Code::kInvalidArgument, "{}: {}; {{feed}} {} gives {} per step ({})", document.path,
              what_is_wanted(graph, tensor.op, wanted), feed.name(),
              describe(feed.type(), Shape::of(feed.dims())), feed.source());
}

// TensorFlow may run any of the functions in the place of another.
bool has_copies_in_functions(const io::Document& document) {
  Diagnostics unread;
  const FunctionLibrary library = io::read_functions(document, unread);
  for (const io::FunctionInfo& info : io::list_functions(document)) {
    const Function* function = library.find(info.name);
    if (function == nullptr) continue;
    const Graph& body = function->body;
    for (const OpId op : body.ops()) {
      if (copies_to_host(body.type(op)) || copies_from_host(body.type(op))) return true;
    }
  }
  return false;
}

// Sessions here run on CPUs, for which nobody has kernels of the memory optimizer's copies.
Status check_kernels(const io::Document& document, const Training& training) {
  if (training.graph_def.find(kCopyToHost) == std::string::npos &&
      training.graph_def.find(kCopyFromHost) == std::string::npos) {
    return {};
  }
  const Graph& graph = document.graph;
  const std::vector<bool> needed =
      needed_ops(graph, {graph.find(training.train), graph.find(training.loss.op)}, {});
  OpId copy;
  for (const OpId op : graph.ops()) {
    const bool copies = copies_to_host(graph.type(op)) || copies_from_host(graph.type(op));
    if (copies && needed[op.index()] && !copy.valid()) copy = op;
  }
  if (!copy.valid() && !has_copies_in_functions(document)) return {};
  return fail(
      Code::kUnsupported,
      "{}: {} copies by {} and {}, for which TensorFlow has kernels on GPUs alone, and steps "
      "are run on a CPU here; expected a graph whose swaps are Identity ops, as without "
      "{{copy-mode}} grappler",
      document.path,
      copy.valid() ? fmt::format("op '{}'", printable(graph.name(copy))) : "a function",
      kCopyToHost, kCopyFromHost);
}

}  // namespace

std::int64_t Training::made_up() const {
  return std::count_if(captured.begin(), captured.end(), [&](const CapturedVariable& variable) {
    return !start.tensors.contains(variable.first.name);
  });
}

std::int64_t random_ops_of_step(const io::Document& document, const Training& training) {
  const Graph& graph = document.graph;
  const std::vector<bool> needed =
      needed_ops(graph, {graph.find(training.train), graph.find(training.loss.op)}, {});
  return std::count_if(training.random_ops.begin(), training.random_ops.end(),
                       [&](const std::string& name) {
                         const OpId op = graph.find(name);
                         return !op.valid() || needed[op.index()];
                       });
}

Result<Training> prepare_training(const io::Document& document, const TrainingRequest& request,
                                  Progress& progress) {
  Training training;
  TIDELINE_TRY(training.train, existing_op(document, "{train}", request.train));
  const auto loss = document.graph.find_tensor(request.loss);
  if (!loss) return no_op(document, "{loss}", request.loss);
  training.loss = name_of(document.graph, *loss);
  training.cpu_devices = std::max(1, device_count(document.graph, "CPU"));
  TIDELINE_TRY(training.graph_def, encoded_graph(document, progress));
  training.random_ops = random_ops(training.graph_def);
  if (request.seed) {
    training.graph_def =
        with_seeds(training.graph_def, *request.seed,
                   request.seed_order.empty() ? training.random_ops : request.seed_order);
  }
  training.unseeded = count_unseeded(training.graph_def);
  if (Status status = add_variables(document.graph, training); !status) {
    return tl::unexpected(with_context(std::move(status).error(), document.path));
  }
  TIDELINE_RETURN_IF_ERROR(add_initialisers(document, request, training));
  add_captured(document.graph, request.captured, training);
  std::sort(training.variables.begin(), training.variables.end(),
            [](const TrainedVariable& a, const TrainedVariable& b) { return a.name < b.name; });
  TIDELINE_RETURN_IF_ERROR(add_start_values(request, training));
  TIDELINE_RETURN_IF_ERROR(check_kernels(document, training));
  training.op_libraries = request.op_libraries;
  if (request.cycle) {
    TIDELINE_RETURN_IF_ERROR(check_cycle(document, *request.cycle));
    training.cycle = request.cycle;
  }
  return training;
}

Result<std::vector<TensorName>> match_feeds(const io::Document& document,
                                            const TrainingRequest& request,
                                            const std::vector<Feed>& feeds) {
  const Graph& graph = document.graph;
  std::vector<TensorName> names;
  std::set<TensorId> fed;
  for (const Feed& feed : feeds) {
    const auto tensor = graph.find_tensor(feed.name());
    if (!tensor) return no_op(document, "{feed}", feed.name());
    if (!fed.insert(*tensor).second) {
      return fail(Code::kInvalidArgument, "{}: '{}' is fed twice", document.path, feed.name());
    }
    TIDELINE_RETURN_IF_ERROR(check_feed(document, feed, *tensor));
    names.push_back(name_of(graph, *tensor));
  }
  std::vector<OpId> from;
  for (const CapturedVariable& variable : request.captured) {
    fed.insert(TensorId{graph.find(variable.first.name), 0});
  }
  TIDELINE_TRY(const std::string train, existing_op(document, "{train}", request.train));
  from.push_back(graph.find(train));
  if (const auto loss = graph.find_tensor(request.loss)) from.push_back(loss->op);
  std::string missing;
  for (const OpId op : unfed_placeholders(graph, from, fed)) {
    const Wanted wanted = wanted_by(graph, op);
    if (wanted.type && !element_bytes(*wanted.type).value_or(0)) {
      return fail(
          Code::kUnsupported,
          "{}: {}, which cannot be fed; a graph that gets tables, iterators, strings, variants or "
          "variables of unknown shape from outside cannot be run by itself",
          document.path, what_is_wanted(graph, op, wanted));
    }
    missing += fmt::format("{}{}, say {}", missing.empty() ? "" : "; ",
                           what_is_wanted(graph, op, wanted), how_to_feed(graph.name(op), wanted));
  }
  if (missing.empty()) return names;
  return fail(Code::kInvalidArgument, "{}: placeholders that are not fed: {}", document.path,
              missing);
}

}  // namespace tideline::runtime
