// Decompositions and solvers over the last two dims, and Fourier transforms.

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// Outer dims with inner ones behind them.
Dims extended(const Dims& dims, std::size_t dropped, std::initializer_list<Dim> inner) {
  Dims result(dims.begin(), dims.end() - static_cast<std::ptrdiff_t>(dropped));
  result.insert(result.end(), inner);
  return result;
}

// Dims of an input of at least two dims; null when unknown, and then perhaps a contradiction.
const Dims* matrix(RuleContext& context, std::size_t input) {
  const Dims* dims = context.shape(input);
  if (dims != nullptr && dims->size() < 2) {
    context.contradict();
    return nullptr;
  }
  return dims;
}

Dim rows(const Dims& dims) {
  return dims[dims.size() - 2];
}

// A square matrix: either side tells the other.
std::optional<Dim> side(RuleContext& context, const Dims& dims) {
  const auto dim = meet(rows(dims), dims.back());
  if (!dim) context.contradict();
  return dim;
}

void square(RuleContext& context) {
  const Dims* dims = matrix(context, 0);
  if (dims == nullptr) return;
  if (const auto n = side(context, *dims)) context.set_shape(0, extended(*dims, 2, {*n, *n}));
}

// One number a matrix, for each output.
void per_matrix(RuleContext& context) {
  const Dims* dims = matrix(context, 0);
  if (dims == nullptr) return;
  for (std::size_t i = 0; i < context.output_count(); ++i) {
    context.set_shape(i, extended(*dims, 2, {}));
  }
}

void qr(RuleContext& context) {
  const Dims* dims = matrix(context, 0);
  if (dims == nullptr) return;
  const Dim m = rows(*dims);
  const Dim n = dims->back();
  const Dim least = minimum(m, n);
  const bool full = context.boolean("full_matrices", false);
  context.set_shape(0, extended(*dims, 2, {m, full ? m : least}));
  context.set_shape(1, extended(*dims, 2, {full ? m : least, n}));
}

void svd(RuleContext& context) {
  const Dims* dims = matrix(context, 0);
  if (dims == nullptr) return;
  const Dim m = rows(*dims);
  const Dim n = dims->back();
  const Dim least = minimum(m, n);
  const bool full = context.boolean("full_matrices", false);
  context.set_shape(0, extended(*dims, 2, {least}));
  if (!context.boolean("compute_uv", true)) {
    context.set_shape(1, Dims{Dim::of(0)});
    context.set_shape(2, Dims{Dim::of(0)});
    return;
  }
  context.set_shape(1, extended(*dims, 2, {m, full ? m : least}));
  context.set_shape(2, extended(*dims, 2, {n, full ? n : least}));
}

void eigen(RuleContext& context) {
  const Dims* dims = matrix(context, 0);
  if (dims == nullptr) return;
  const auto n = side(context, *dims);
  if (!n) return;
  context.set_shape(0, extended(*dims, 2, {*n}));
  if (context.boolean("compute_v", true)) {
    context.set_shape(1, extended(*dims, 2, {*n, *n}));
  } else {
    context.set_shape(1, Dims{Dim::of(0)});
  }
}

void lu(RuleContext& context) {
  const Dims* dims = matrix(context, 0);
  if (dims == nullptr) return;
  const auto n = side(context, *dims);
  if (!n) return;
  context.set_shape(0, extended(*dims, 2, {*n, *n}));
  context.set_shape(1, extended(*dims, 2, {*n}));
}

// matrix [..., m, n], right-hand sides [..., m, k]: solutions [..., n, k]
void solve(RuleContext& context) {
  const Dims* a = matrix(context, 0);
  const Dims* b = matrix(context, 1);
  if (a == nullptr || b == nullptr) return;
  if (!meet(rows(*a), rows(*b))) return context.contradict();
  const bool least_squares = context.type() == "MatrixSolveLs";
  const DimsId outer = broadcast_shapes(context, context.checked_id(extended(*a, 2, {})),
                                        context.checked_id(extended(*b, 2, {})));
  const Dims* dims = context.lists().find(outer);
  if (dims == nullptr || context.has_contradiction()) return;
  const auto n = least_squares ? std::optional<Dim>(a->back()) : meet(a->back(), rows(*b));
  if (!n) return context.contradict();
  context.set_shape(0, extended(*dims, 0, {*n, b->back()}));
}

// Real input of the wanted lengths gives half as many, and one, complex numbers in the last dim;
// the other way round all of them.
template <std::size_t count, bool real_input>
void fourier(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return;
  if (dims->size() < count) return context.contradict();
  const Dims* lengths = context.value(1);
  Dims result = *dims;
  for (std::size_t i = 0; i < count; ++i) {
    const bool known = lengths != nullptr && lengths->size() == count;
    Dim length = known ? (*lengths)[i] : Dim::unknown();
    if (real_input && i + 1 == count && !length.is(0)) {
      length = length.is_number() ? Dim::of(length.value() / 2 + 1) : Dim::unknown();
    }
    result[dims->size() - count + i] = length;
  }
  context.set_shape(0, result);
}

constexpr ShapeRuleEntry kLinearAlgebraTable[] = {
    {"Cholesky BatchCholesky MatrixInverse BatchMatrixInverse MatrixSquareRoot "
     "MatrixExponential MatrixLogarithm",
     square},
    {"MatrixDeterminant BatchMatrixDeterminant LogMatrixDeterminant", per_matrix},
    {"Qr", qr},
    {"Svd", svd},
    {"SelfAdjointEigV2 Eig", eigen},
    {"Lu", lu},
    {"MatrixSolve MatrixTriangularSolve MatrixSolveLs BatchMatrixSolve "
     "BatchMatrixTriangularSolve",
     solve},
    {"RFFT", fourier<1, true>},
    {"RFFT2D", fourier<2, true>},
    {"RFFT3D", fourier<3, true>},
    {"IRFFT", fourier<1, false>},
    {"IRFFT2D", fourier<2, false>},
    {"IRFFT3D", fourier<3, false>},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kLinearAlgebraRules = kLinearAlgebraTable;

}  // namespace tideline::shapes
