// Containers of tensors: TensorArrays, stacks, tensor lists, queues.
#include <algorithm>

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// What a container holds; sets `waiting` while nothing was put in.
DimsId content_or_wait(RuleContext& context, std::size_t input) {
  const DimsId content = context.content(input);
  if (content != kPending) return content;
  if (context.fact(input).handle.is_cell()) context.wait();
  return kNothing;
}

DimsId with_first(RuleContext& context, Dim first, DimsId rest) {
  const Dims* inner = context.lists().find(rest);
  if (inner == nullptr) return kNothing;
  Dims dims{first};
  dims.insert(dims.end(), inner->begin(), inner->end());
  return context.checked_id(dims);
}

DimsId without_first(RuleContext& context, DimsId shape) {
  const Dims* dims = context.lists().find(shape);
  if (dims == nullptr || dims->empty()) return kNothing;
  return context.checked_id(Dims(dims->begin() + 1, dims->end()));
}

Dim first_of(const RuleContext& context, std::size_t input) {
  const Dims* dims = context.shape(input);
  return dims == nullptr || dims->size() != 1 ? Dim::unknown() : dims->front();
}

bool is_complete(RuleContext& context, DimsId shape) {
  const Dims* dims = context.lists().find(shape);
  return dims != nullptr &&
         std::all_of(dims->begin(), dims->end(), [](Dim dim) { return dim.is_number(); });
}

// Pieces of different lengths.
DimsId piece_of(RuleContext& context, std::size_t input) {
  const Dims* dims = context.shape(input);
  if (dims == nullptr || dims->empty()) return kNothing;
  Dims piece = *dims;
  piece[0] = Dim::unknown();
  return context.checked_id(piece);
}

// TensorArrays: handle and flow. A declared shape counts when it is complete; else the elements
// decide.
void tensor_array(RuleContext& context) {
  const DimsId declared = context.shape_attribute("element_shape");
  const bool grows = context.boolean("dynamic_size", false);
  context.set_shape(0, Dims{Dim::of(2)});
  context.set_handle(0, context.own_cell(is_complete(context, declared) ? declared : kNothing,
                                         grows ? kNothing : context.fact(0).value));
  context.set_shape(1, DimLists::scalar());
}

// The array of gradients has elements of the same shape as the array. Only the array's elements are
// collected, because less may be known of gradients.
void tensor_array_gradient(RuleContext& context) {
  context.set_shape(0, Dims{Dim::of(2)});
  context.set_handle(0, context.fact(0).handle.for_reading());
  context.set_shape(1, DimLists::scalar());
}

void tensor_array_write(RuleContext& context) {
  scalar(context);
  context.put(0, context.fact(2).shape);
}

void tensor_array_scatter(RuleContext& context) {
  scalar(context);
  context.put(0, without_first(context, context.fact(2).shape));
}

void tensor_array_split(RuleContext& context) {
  scalar(context);
  context.put(0, piece_of(context, 1));
}

void tensor_array_read(RuleContext& context) {
  context.set_shape(0, content_or_wait(context, 0));
}

void tensor_array_gather(RuleContext& context) {
  context.set_shape(0, with_first(context, first_of(context, 1), content_or_wait(context, 0)));
}

// Elements of different lengths one behind the other, and the lengths.
void set_concatenation(RuleContext& context, DimsId element) {
  context.set_shape(0, with_first(context, Dim::unknown(), without_first(context, element)));
  context.set_shape(1, Dims{Dim::unknown()});
}

void tensor_array_concat(RuleContext& context) {
  set_concatenation(context, content_or_wait(context, 0));
}

void container_size(RuleContext& context) {
  scalar(context);
  if (const Dims* length = context.lists().find(context.container_length(0))) {
    context.set_value(0, *length);
  }
}

// Stacks
void stack(RuleContext& context) {
  context.set_shape(0, Dims{Dim::of(2)});
  context.set_handle(0, context.own_cell(kNothing));
}

void stack_push(RuleContext& context) {
  context.set(0, context.fact(1));
  context.put(0, context.fact(1));
}

void stack_pop(RuleContext& context) {
  const TensorFact content = context.content_fact(0);
  if (content.shape == kPending) return context.wait();
  context.set(0, content);
}

// Tensor lists are values: an op that puts something in gives a new list.
void new_list(RuleContext& context, DimsId length) {
  scalar(context);
  const DimsId declared = shape_from_value(context, 0);
  context.set_handle(0, Handle::of_content(is_complete(context, declared) ? declared : kPending,
                                           length, context.data_type("element_dtype")));
}

void empty_list(RuleContext& context) {
  new_list(context, context.checked_id({Dim::of(0)}));
}

void reserved_list(RuleContext& context) {
  new_list(context, context.fact(1).value);
}

// The list of input 0 with a further element.
void put_into_list(RuleContext& context, DimsId element, DimsId length) {
  scalar(context);
  const Handle list = context.fact(0).handle;
  if (!list.has_content()) return;
  context.set_handle(0, Handle::of_content(join_lists(context.lists(), list.value(), element),
                                           length, list.type()));
}

// The length of the list at input 0 with `more` elements; kNothing unless it is a known number.
DimsId length_with(RuleContext& context, std::int64_t more) {
  const Dims* length = context.lists().find(context.fact(0).handle.length());
  if (length == nullptr || length->size() != 1 || !length->front().is_number()) return kNothing;
  const std::int64_t now = length->front().value() + more;
  return now < 0 ? kNothing : context.checked_id({Dim::of(now)});
}

void list_push_back(RuleContext& context) {
  put_into_list(context, context.fact(1).shape, length_with(context, 1));
}

void list_set_item(RuleContext& context) {
  const bool grows = context.boolean("resize_if_index_out_of_bounds", false);
  put_into_list(context, context.fact(2).shape, grows ? kNothing : context.fact(0).handle.length());
}

void list_from_tensor(RuleContext& context) {
  scalar(context);
  const Dims* dims = context.shape(0);
  const bool known = dims != nullptr && !dims->empty();
  context.set_handle(0, Handle::of_content(without_first(context, context.fact(0).shape),
                                           known ? context.checked_id({dims->front()}) : kNothing,
                                           context.data_type("element_dtype")));
}

// Elements of a tensor put at places of a new list.
void list_scatter(RuleContext& context) {
  scalar(context);
  context.set_handle(0, Handle::of_content(without_first(context, context.fact(0).shape)));
}

void list_scatter_into(RuleContext& context) {
  put_into_list(context, without_first(context, context.fact(1).shape), kNothing);
}

void list_resize(RuleContext& context) {
  scalar(context);
  const Handle list = context.fact(0).handle;
  if (list.has_content()) {
    context.set_handle(0, Handle::of_content(list.value(), context.fact(1).value, list.type()));
  }
}

void list_concat_lists(RuleContext& context) {
  same_as_first(context);
  context.set_handle(0,
                     join_handles(context.lists(), context.fact(0).handle, context.fact(1).handle));
}

DimsId list_content(const RuleContext& context) {
  const Handle list = context.fact(0).handle;
  return list.has_content() && list.value() != kPending ? list.value() : kNothing;
}

// What the list holds, and what the reader says that it holds.
DimsId list_element(RuleContext& context, std::size_t shape_input) {
  DimsId element = list_content(context);
  const bool is_vector = context.rank(shape_input) == 1;
  if (is_vector) element = meet_shapes(context, shape_from_value(context, shape_input), element);
  return element;
}

void list_get_item(RuleContext& context) {
  context.set_shape(0, list_element(context, 2));
}

void list_concat(RuleContext& context) {
  DimsId element = list_content(context);
  if (element == kNothing) element = context.shape_attribute("element_shape");
  set_concatenation(context, element);
}

void list_concat_with_shape(RuleContext& context) {
  const DimsId element = list_element(context, 1);
  if (!context.has_contradiction()) set_concatenation(context, element);
}

void list_pop_back(RuleContext& context) {
  const DimsId element = list_element(context, 1);
  if (context.has_contradiction()) return;
  context.set_shape(0, DimLists::scalar());
  const Handle list = context.fact(0).handle;
  if (list.has_content()) {
    context.set_handle(0, Handle::of_content(list.value(), length_with(context, -1), list.type()));
  }
  context.set_shape(1, element);
}

void list_stack(RuleContext& context) {
  const std::int64_t declared = context.integer("num_elements", -1);
  const DimsId element = list_element(context, 1);
  if (context.has_contradiction()) return;
  Dim count = declared >= 0 ? Dim::of(declared) : Dim::unknown();
  const Dims* length = context.lists().find(context.container_length(0));
  if (count.is_unknown() && length != nullptr && length->size() == 1) count = length->front();
  context.set_shape(0, with_first(context, count, element));
}

void list_gather(RuleContext& context) {
  const DimsId element = list_element(context, 2);
  if (context.has_contradiction()) return;
  context.set_shape(0, with_first(context, first_of(context, 1), element));
}

void list_split(RuleContext& context) {
  scalar(context);
  context.set_handle(0, Handle::of_content(piece_of(context, 0)));
}

// The shape of the elements as a vector, as far as the list declares it: a list of unknown rank
// gives a scalar, -1.
void list_element_shape(RuleContext& context) {
  const Dims* dims = context.lists().find(list_content(context));
  if (dims == nullptr) return;
  context.set_shape(0, Dims{Dim::of(static_cast<std::int64_t>(dims->size()))});
  context.set_value(0, *dims);
}

// Queues: what comes out was declared by the queue.
template <bool reference>
void queue(RuleContext& context) {
  if (reference) {
    context.set_shape(0, Dims{Dim::of(2)});
  } else {
    scalar(context);
  }
  context.set_handle(0, context.own_cell(kNothing));
}

std::vector<DimsId> queue_shapes(RuleContext& context) {
  const OpId owner = context.container_owner(0);
  return owner.valid() ? context.shape_list_of(owner, "shapes") : std::vector<DimsId>{};
}

void dequeue(RuleContext& context) {
  const auto shapes = queue_shapes(context);
  for (std::size_t i = 0; i < shapes.size(); ++i) context.set_shape(i, shapes[i]);
}

// `counted`: how many elements is an input.
template <bool counted>
void dequeue_batch(RuleContext& context) {
  context.mark_fed();
  const Dim count = counted ? only_element(context, 1) : Dim::unknown();
  const auto shapes = queue_shapes(context);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    context.set_shape(i, with_first(context, count, shapes[i]));
  }
}

// Conditional accumulators give a mean of what was put in.
void accumulator(RuleContext& context) {
  context.set_shape(0, Dims{Dim::of(2)});
  const DimsId shape = context.shape_attribute("shape");
  if (shape != kNothing) context.set_handle(0, Handle::of_content(shape));
}

void resource_accumulator(RuleContext& context) {
  accumulator(context);
  context.set_shape(0, kNothing);
}

void take_gradient(RuleContext& context) {
  const DimsId content = context.content(0);
  if (content != kPending) context.set_shape(0, content);
}

constexpr ShapeRuleEntry kContainerTable[] = {
    {"TensorArrayV3", tensor_array},
    {"TensorArrayGradV3", tensor_array_gradient},
    {"TensorArrayWriteV3", tensor_array_write},
    {"TensorArrayScatterV3", tensor_array_scatter},
    {"TensorArraySplitV3", tensor_array_split},
    {"TensorArrayReadV3", tensor_array_read},
    {"TensorArrayGatherV3", tensor_array_gather},
    {"TensorArrayConcatV3", tensor_array_concat},
    {"TensorArraySizeV3 TensorListLength", container_size},
    {"Stack StackV2", stack},
    {"StackPush StackPushV2", stack_push},
    {"StackPop StackPopV2", stack_pop},
    {"EmptyTensorList", empty_list},
    {"TensorListReserve", reserved_list},
    {"TensorListPushBack", list_push_back},
    {"TensorListSetItem", list_set_item},
    {"TensorListFromTensor", list_from_tensor},
    {"TensorListScatterV2 TensorListScatter", list_scatter},
    {"TensorListScatterIntoExistingList", list_scatter_into},
    {"TensorListResize", list_resize},
    {"TensorListConcatLists", list_concat_lists},
    {"TensorListGetItem", list_get_item},
    {"TensorListPopBack", list_pop_back},
    {"TensorListStack", list_stack},
    {"TensorListGather", list_gather},
    {"TensorListConcat", list_concat},
    {"TensorListConcatV2", list_concat_with_shape},
    {"TensorListSplit", list_split},
    {"TensorListElementShape", list_element_shape},
    {"FIFOQueueV2 PaddingFIFOQueueV2 RandomShuffleQueueV2", queue<false>},
    {"FIFOQueue PaddingFIFOQueue RandomShuffleQueue", queue<true>},
    {"QueueDequeue QueueDequeueV2", dequeue},
    {"QueueDequeueMany QueueDequeueManyV2", dequeue_batch<true>},
    {"QueueDequeueUpTo QueueDequeueUpToV2", dequeue_batch<false>},
    {"ConditionalAccumulator", accumulator},
    {"ResourceConditionalAccumulator", resource_accumulator},
    {"AccumulatorTakeGradient ResourceAccumulatorTakeGradient", take_gradient},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kContainerRules = kContainerTable;

}  // namespace tideline::shapes
