#include <catch2/catch.hpp>

#include "tests/unit/graph/shapes/shapes_of.h"

namespace tideline {

using test::ShapesOf;

TEST_CASE("a loop keeps what holds in every turn, and gives up what changes") {
  const ShapesOf shape(R"(
    x = VariableV2() +shape=[1,6]
    zero = Const() +value=i32[]{0}
    enter = Enter(x)
    enter_i = Enter(zero)
    h = Merge(enter, next)
    i = Merge(enter_i, next_i)
    one = Const() +value=i32[]{1}
    condition = LoopCond(zero)
    switch = Switch(h, condition)
    grown = ConcatV2(switch:1, switch:1, zero) +N=2
    next = NextIteration(grown)
    more = AddV2(i, one) +T=i32
    next_i = NextIteration(more)
    target = Pack(i, one) +N=2
    shaped = Fill(target, one)
    exit = Exit(switch)
  )");
  CHECK(shape("h") == "[?,6]");
  CHECK(shape("grown") == "[?,6]");
  CHECK(shape("exit") == "[?,6]");
  CHECK(shape("i") == "[]");
  CHECK(shape("shaped") == "[?,1]");  // not [0,1], as the first turn has it
}

TEST_CASE("ranks that keep growing end as unknown") {
  const ShapesOf shape(R"(
    x = VariableV2() +shape=[6]
    enter = Enter(x)
    h = Merge(enter, next)
    zero = Const() +value=i32[]{0}
    grown = ExpandDims(h, zero)
    next = NextIteration(grown)
  )");
  CHECK(shape("h") == "?");
}

TEST_CASE("a loop that nothing enters, and a cycle that is no loop, are unknown") {
  const ShapesOf shape(R"(
    h = Merge(next)
    next = NextIteration(h)
    y = Relu(h)
  )");
  CHECK(shape("h") == "?");
  CHECK(shape("y") == "?");
}

TEST_CASE("a merge outside of loops keeps what both branches have") {
  const ShapesOf shape(R"(
    x = Placeholder() +shape=[?,6]
    flag = Placeholder() +shape=[]
    s = Switch(x, flag)
    axis = Const() +value=i32[]{1}
    a = ConcatV2(s, s, axis) +N=2
    m = Merge(s:1, a)
  )");
  CHECK(shape("m") == "[B,?]");
  CHECK(shape("m:1") == "[]");
}

TEST_CASE("stacks and arrays hold what is put in, also when it is read before in the file") {
  const ShapesOf shape(R"(
    four = Const() +value=i32[]{4}
    stack = StackV2(four)
    pop = StackPopV2(stack)
    x = Placeholder() +shape=[?,6]
    push = StackPushV2(stack, x)
    array = TensorArrayV3(four)
    write = TensorArrayWriteV3(array, four, x, array:1)
    size = TensorArraySizeV3(array, write)
    zero = Const() +value=i32[]{0}
    one = Const() +value=i32[]{1}
    all = Range(zero, size, one)
    read = TensorArrayReadV3(array, four, write)
    gathered = TensorArrayGatherV3(array, all, write)
    gradient = TensorArrayGradV3(array, write)
    unknown = Placeholder()
    wg = TensorArrayWriteV3(gradient, four, unknown, gradient:1)
    rg = TensorArrayReadV3(gradient, four, wg)
    empty = TensorArrayV3(four)
    nothing = TensorArrayReadV3(empty, four, empty:1)
  )");
  CHECK(shape("pop") == "[B,6]");
  CHECK(shape("read") == "[B,6]");
  CHECK(shape("gathered") == "[4,B,6]");
  CHECK(shape("rg") == "[B,6]");
  CHECK(shape("nothing") == "?");
}

TEST_CASE("two shapes in one container: what they have in common") {
  const ShapesOf shape(R"(
    four = Const() +value=i32[]{4}
    stack = StackV2(four)
    x = VariableV2() +shape=[3,6]
    y = VariableV2() +shape=[5,6]
    p = StackPushV2(stack, x)
    q = StackPushV2(stack, y)
    pop = StackPopV2(stack)
  )");
  CHECK(shape("pop") == "[?,6]");
}

TEST_CASE("tensor lists go by value") {
  const ShapesOf shape(R"(
    open = Const() +value=i32[]{-1}
    five = Const() +value=i32[]{5}
    list = TensorListReserve(open, five)
    x = Placeholder() +shape=[?,6]
    filled = TensorListSetItem(list, open, x)
    item = TensorListGetItem(filled, open, open)
    all = TensorListStack(filled, open)
    other = TensorListGetItem(list, open, open)
    from = TensorListFromTensor(x, open)
    row = TensorListGetItem(from, open, open)
  )");
  CHECK(shape("item") == "[B,6]");
  CHECK(shape("all") == "[5,B,6]");
  CHECK(shape("other") == "?");
  CHECK(shape("row") == "[6]");
}

TEST_CASE("inputs that stand behind their readers in the file are followed all the same") {
  const ShapesOf shape(R"(
    c = Relu(b)
    b = Relu(a)
    a = Placeholder() +shape=[?,4]
  )");
  CHECK(shape("c") == "[B,4]");
}

TEST_CASE("many loops that nothing enters, and a long chain of stacks, end in good time") {
  // Each stack is read before the one that it is filled from is filled: one fact a sweep.
  std::string text = "four = Const() +value=i32[]{4}\nx = VariableV2() +shape=[6]\n";
  constexpr int kCount = 3000;
  for (int i = kCount; i >= 0; --i) text += "s" + std::to_string(i) + " = StackV2(four)\n";
  for (int i = kCount; i > 0; --i) {
    const std::string n = std::to_string(i);
    text += "o" + n + " = StackPopV2(s" + std::to_string(i - 1) + ")\n";
    text += "u" + n + " = StackPushV2(s" + n + ", o" + n + ")\n";
    text += "h" + n + " = Merge(n" + n + ")\nn" + n + " = NextIteration(h" + n + ")\n";
  }
  text += "u0 = StackPushV2(s0, x)\nend = StackPopV2(s" + std::to_string(kCount) + ")\n";
  const ShapesOf shape(text);
  CHECK(shape("end") == "[6]");
  CHECK(shape("h7") == "?");
}

TEST_CASE("sizes near the limits of 64 bits in slices and splits overflow nothing") {
  const ShapesOf shape(R"(
    v = Const() +value=i64[3]{1,2,3}
    b = Const() +value=i64[1]{2}
    n = Const() +value=i64[1]{9223372036854775807}
    part = Slice(v, b, n)
    sizes = Const() +value=i64[2]{1,9223372036854775807}
    axis = Const() +value=i32[]{0}
    two = SplitV(v, sizes, axis) +num_split=2
    read = Identity(two:1)
  )");
  CHECK(shape("two") == "[1]");
}

}  // namespace tideline
