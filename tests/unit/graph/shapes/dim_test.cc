#include "core/graph/shapes/dim.h"

#include <catch2/catch.hpp>

#include "core/graph/shapes/dim_lists.h"

namespace tideline {

TEST_CASE("a symbol is equal to itself alone, and what is made of it is not known") {
  const Dim a = Dim::symbol(1);
  const Dim b = Dim::symbol(2);
  CHECK(a == Dim::symbol(1));
  CHECK(!a.is_unknown());
  CHECK(a.recorded() == kUnknownDim);
  CHECK(add(a, Dim::of(0)) == a);
  CHECK(multiply(Dim::of(1), a) == a);
  CHECK(divide_up(a, Dim::of(1)) == a);
  CHECK(add(a, Dim::of(1)).is_unknown());
  CHECK(multiply(a, a).is_unknown());
  CHECK(divide(Dim::batch(4), a).is_unknown());
  CHECK(join(a, b).is_unknown());
  CHECK(meet(a, Dim::of(3)) == Dim::of(3));
  CHECK(broadcast(a, a) == a);
  CHECK(broadcast(a, Dim::of(1)) == a);
  CHECK(broadcast(a, b)->is_unknown());
  CHECK(to_string(a) == "s1");
}

TEST_CASE("multiples of the batch add, scale and divide where the answer is sure") {
  const Dim batch = Dim::batch();
  CHECK(multiply(batch, Dim::of(128)) == Dim::batch(128));
  CHECK(add(Dim::batch(2), Dim::batch(3)) == Dim::batch(5));
  CHECK(add(batch, Dim::of(1)).is_unknown());
  CHECK(multiply(batch, batch).is_unknown());
  CHECK(multiply(batch, Dim::of(0)) == Dim::of(0));
  CHECK(divide(Dim::batch(128), Dim::of(32)) == Dim::batch(4));
  CHECK(divide(Dim::batch(128), batch) == Dim::of(128));
  CHECK(divide(Dim::batch(3), Dim::of(2)).is_unknown());
  CHECK(maximum(batch, Dim::of(1)) == batch);
  CHECK(maximum(batch, Dim::of(2)).is_unknown());
  CHECK(subtract(batch, batch).is_unknown());
}

TEST_CASE("arithmetic that does not fit 64 bits is unknown, and so is a division by zero") {
  const Dim large = Dim::of(INT64_MAX);
  const Dim least = Dim::of(INT64_MIN);
  CHECK(add(large, Dim::of(1)).is_unknown());
  CHECK(multiply(large, Dim::of(2)).is_unknown());
  CHECK(subtract(Dim::of(0), least).is_unknown());
  CHECK(divide(large, Dim::of(0)).is_unknown());
  CHECK(divide(least, Dim::of(-1)).is_unknown());
  CHECK(multiply(Dim::batch(INT64_MAX), Dim::of(2)).is_unknown());
  CHECK(remainder(least, Dim::of(-1)).is_unknown());
}

TEST_CASE("division rounds down, as Python does") {
  CHECK(divide(Dim::of(-7), Dim::of(2)) == Dim::of(-4));
  CHECK(remainder(Dim::of(-1), Dim::of(4)) == Dim::of(3));
  CHECK(divide_up(Dim::of(7), Dim::of(2)) == Dim::of(4));
}

TEST_CASE("a join keeps what both say, a meet what either says") {
  CHECK(join(Dim::of(3), Dim::of(3)) == Dim::of(3));
  CHECK(join(Dim::of(3), Dim::of(4)).is_unknown());
  CHECK(join(Dim::of(3), Dim::batch()).is_unknown());
  CHECK(meet(Dim::of(3), Dim::unknown()) == Dim::of(3));
  CHECK(meet(Dim::of(3), Dim::batch()) == Dim::of(3));
  CHECK_FALSE(meet(Dim::of(3), Dim::of(4)));
}

TEST_CASE("broadcasting: a 1 gives way, an unknown dim beside a number is that number or 1") {
  CHECK(broadcast(Dim::of(1), Dim::batch()) == Dim::batch());
  CHECK(broadcast(Dim::unknown(), Dim::of(7)) == Dim::of(7));
  CHECK(broadcast(Dim::unknown(), Dim::of(1))->is_unknown());
  CHECK(broadcast(Dim::batch(), Dim::unknown())->is_unknown());
  CHECK_FALSE(broadcast(Dim::of(2), Dim::of(3)));
}

TEST_CASE("equal lists share a number, and too long ones have none") {
  DimLists lists;
  const DimsId a = lists.id({Dim::of(2), Dim::batch()});
  CHECK(a == lists.id({Dim::of(2), Dim::batch()}));
  CHECK(a != lists.id({Dim::of(2), Dim::unknown()}));
  CHECK(lists.id({}) == DimLists::scalar());
  CHECK(lists.find(kNothing) == nullptr);
  CHECK(lists.id(Dims(DimLists::kMaxLength + 1)) == kNothing);
}

}  // namespace tideline
