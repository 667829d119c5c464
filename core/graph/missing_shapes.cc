// Problem: shapes may be missing in the file, in part or entirely, and the user may know more.
// Idea: what is known beforehand (recorded, given) is an input of the inference, which propagates
// it to all consumers. Which result counts depends on the model: the compatible one takes a
// recorded shape as it is, even one of unknown rank, because the reference does; the faithful one
// takes the most specific shape that is known. A given shape counts in both.
// Tested by unit/graph/tensor_table_test.cc.
#include "core/graph/missing_shapes.h"

#include <algorithm>
#include <map>

#include "core/graph/nearest_names.h"
#include "core/graph/placeholder_shape.h"
#include "core/graph/shapes/inference.h"

namespace tideline {
namespace {

// Given shapes by tensor.
using Given = std::map<std::uint32_t, Shape>;

// The combination of both shapes; nullopt when they contradict each other.
std::optional<Shape> both(const Shape& a, const Shape& b) {
  if (!a.has_rank) return b;
  if (!b.has_rank) return a;
  if (a.dims.size() != b.dims.size()) return std::nullopt;
  Shape shape = a;
  for (std::size_t i = 0; i < a.dims.size(); ++i) {
    if (a.dims[i] == kUnknownDim) {
      shape.dims[i] = b.dims[i];
    } else if (b.dims[i] != kUnknownDim && b.dims[i] != a.dims[i]) {
      return std::nullopt;
    }
  }
  return shape;
}

Result<Given> find_given(const RecordedShapes& recorded, const std::vector<GivenShape>& shapes) {
  Given given;
  for (const GivenShape& entry : shapes) {
    const auto tensor = recorded.graph.find_tensor(entry.name);
    const bool exists = tensor && tensor->slot < recorded.first[tensor->op.index() + 1] -
                                                     recorded.first[tensor->op.index()];
    if (!exists) {
      return fail(Code::kNotFound,
                  "{{shape}} {}: there is no such tensor{}; expected the name of an op with an "
                  "output, or of a tensor",
                  entry.name, tensor ? "" : nearest_ops(recorded.graph, entry.name));
    }
    const std::uint32_t at = recorded.first[tensor->op.index()] + tensor->slot;
    Shape said = recorded.shapes[recorded.shape_of[at]];
    if (recorded.graph.type(tensor->op).starts_with("Placeholder")) {
      said = both(said, declared_shape(recorded.graph, tensor->op)).value_or(said);
    }
    if (const auto before = given.find(at); before != given.end()) said = before->second;
    const auto met = both(said, entry.shape);
    if (!met) {
      return fail(Code::kInvalidArgument, "{{shape}} {}: {} contradicts the known shape {}",
                  entry.name, to_string(entry.shape), to_string(said));
    }
    given[at] = *met;
  }
  return given;
}

// What was measured goes into the inference where it does not contradict what is known otherwise.
void add_measured(const RecordedShapes& recorded, const MeasuredSizes& measured, Given& given) {
  for (const MeasuredSize& entry : measured.sizes) {
    const std::size_t op = entry.tensor.op.index();
    if (!entry.shape.has_rank || op >= recorded.graph.op_count()) continue;
    const std::uint32_t at = recorded.first[op] + entry.tensor.slot;
    if (at >= recorded.first[op + 1] || at < recorded.first[op]) continue;
    if (!both(recorded.shapes[recorded.shape_of[at]], entry.shape)) continue;
    given.emplace(at, entry.shape);
  }
}

DimsId id_of(const Shape& shape, DimLists& lists) {
  if (!shape.has_rank) return kNothing;
  Dims dims;
  for (const std::int64_t dim : shape.dims) {
    dims.push_back(dim == kUnknownDim ? Dim::unknown() : Dim::of(dim));
  }
  return lists.id(dims);
}

Shape shape_of(const Dims& dims) {
  Shape shape = Shape::of({});
  for (const Dim dim : dims) shape.dims.push_back(dim.recorded());
  return shape;
}

// Recorded and given shapes, as the inference wants them.
std::vector<DimsId> known_ids(const RecordedShapes& recorded, const Given& given, DimLists& lists) {
  std::vector<DimsId> id_of_shape;
  for (const Shape& shape : recorded.shapes) id_of_shape.push_back(id_of(shape, lists));
  std::vector<DimsId> known;
  for (const std::uint32_t shape : recorded.shape_of) known.push_back(id_of_shape[shape]);
  for (const auto& [tensor, shape] : given) known[tensor] = id_of(shape, lists);
  return known;
}

// The same with multiples of an open batch counted as often for one example.
Shape counted_shape(const Dims& dims) {
  Shape shape = shape_of(dims);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].is_batch()) shape.dims[i] = dims[i].value();
  }
  return shape;
}

OpId op_of(const RecordedShapes& recorded, std::uint32_t tensor) {
  const auto next = std::upper_bound(recorded.first.begin(), recorded.first.end(), tensor);
  return OpId{static_cast<std::uint32_t>(next - recorded.first.begin() - 1)};
}

void note_oddities(const RecordedShapes& recorded, const InferredShapes& inferred,
                   const std::vector<DimsId>& known, const DimLists& lists,
                   MissingShapes& missing) {
  missing.difference_count = static_cast<std::int64_t>(inferred.differences.size());
  if (!inferred.differences.empty()) {
    const auto& first = inferred.differences.front();
    const OpId op = op_of(recorded, first.output);
    const TensorId tensor{op, first.output - recorded.first[op.index()]};
    const Dims* dims = lists.find(first.inferred);
    missing.first_difference =
        fmt::format("{}: recorded {}, inferred {}", recorded.graph.tensor_name(tensor),
                    to_string(shape_of(*lists.find(known[first.output]))),
                    to_string(dims == nullptr ? Shape::unknown() : shape_of(*dims)));
  }
  missing.contradiction_count = static_cast<std::int64_t>(inferred.contradictions.size());
  if (!inferred.contradictions.empty()) {
    const OpId op = inferred.contradictions.front();
    missing.first_contradiction =
        fmt::format("{}: {}", recorded.graph.name(op), recorded.graph.type(op));
  }
}

// The tensors of one op that get another shape than the file says.
class Chooser {
 public:
  Chooser(const RecordedShapes& recorded, const TensorOptions& options, const Given& given,
          const DimLists& lists, MissingShapes& missing)
      : recorded_(recorded), options_(options), given_(given), lists_(lists), missing_(missing) {}

  void choose(OpId op, std::uint32_t tensor, DimsId inferred) {
    const Shape& said = recorded_.shapes[recorded_.shape_of[tensor]];
    const bool is_given = given_.find(tensor) != given_.end();
    const bool stands = options_.model == SizeModel::kCompatible && !is_given &&
                        options_.measured == nullptr &&
                        (recorded_.recorded[op.index()] || said.has_rank);
    const Dims* dims = lists_.find(inferred);
    if (stands || dims == nullptr) return;
    Shape shape = shape_of(*dims);
    // Equal dims can have different sizes because of multiples of the batch.
    const bool has_multiple =
        std::any_of(dims->begin(), dims->end(), [](Dim dim) { return dim.is_batch(); });
    const bool differs = shape != said;
    if (!differs && !(has_multiple && options_.model == SizeModel::kFaithful)) return;
    missing_.found.push_back({tensor, std::move(shape), *dims, differs && !is_given});
  }

 private:
  const RecordedShapes& recorded_;
  const TensorOptions& options_;
  const Given& given_;
  const DimLists& lists_;
  MissingShapes& missing_;
};

}  // namespace

Result<MissingShapes> find_missing_shapes(const RecordedShapes& recorded,
                                          const TensorOptions& options, bool some_are_missing) {
  TIDELINE_TRY(Given given, find_given(recorded, options.shapes));
  const bool is_measured = options.measured != nullptr;
  if (is_measured) add_measured(recorded, *options.measured, given);
  MissingShapes missing;
  DimLists lists;
  Chooser chooser(recorded, options, given, lists, missing);
  if (!some_are_missing && options.model == SizeModel::kCompatible && !is_measured) {
    for (const auto& [tensor, shape] : given) {
      chooser.choose(op_of(recorded, tensor), tensor, id_of(shape, lists));
    }
    return missing;
  }
  const std::vector<DimsId> known = known_ids(recorded, given, lists);
  const bool is_faithful = options.model == SizeModel::kFaithful;
  // What the op computes is what will be allocated, whatever an older TensorFlow recorded.
  std::vector<bool> certain(known.size());
  for (const auto& [tensor, shape] : given) certain[tensor] = true;
  const InferredShapes inferred = infer_shapes(
      {recorded.graph, recorded.first, known, is_faithful ? options.batch_size : std::nullopt,
       options.functions, is_faithful ? &options.rounds : nullptr,
       is_measured ? &options.measured->called_loops : nullptr, is_faithful ? &certain : nullptr},
      lists);
  for (const OpId op : recorded.graph.ops()) {
    for (std::uint32_t i = recorded.first[op.index()]; i < recorded.first[op.index() + 1]; ++i) {
      chooser.choose(op, i, inferred.shapes[i]);
    }
  }
  for (const InferredShapes::List& list : inferred.lists) {
    const Dims* element = lists.find(list.element);
    missing.lists.push_back({list.output,
                             element == nullptr ? Shape::unknown() : counted_shape(*element),
                             list.length, list.type});
  }
  missing.numbers = inferred.numbers;
  missing.loops = inferred.loops;
  note_oddities(recorded, inferred, known, lists, missing);
  return missing;
}

std::optional<Bytes> bytes_of(const MissingShapes::Found& found, DataType type,
                              const TensorOptions& options) {
  if (options.model == SizeModel::kCompatible) {
    return tensor_bytes(found.shape, type, options.batch_size);
  }
  // A multiple of an open batch counts as often for one example.
  Shape counted = found.shape;
  for (std::size_t i = 0; i < found.dims.size(); ++i) {
    if (found.dims[i].is_batch()) counted.dims[i] = found.dims[i].value();
  }
  return tensor_bytes(counted, type, options.batch_size);
}

bool is_guess(const MissingShapes::Found& found, DataType type, const TensorOptions& options) {
  if (options.model == SizeModel::kCompatible) {
    return size_is_unknown(found.shape, type, options.batch_size);
  }
  return size_is_unknown(found.shape, type, std::nullopt);
}

}  // namespace tideline
