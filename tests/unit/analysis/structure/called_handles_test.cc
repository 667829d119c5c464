#include "core/analysis/structure/called_handles.h"

#include <catch2/catch.hpp>

#include "tests/support/function_texts.h"

namespace tideline {
namespace {

// What a step with loss scaling does: the update is in a branch.
FunctionLibrary update_in_branch() {
  return test::functions({{"then", R"(
      w = _Arg() +T=res
      m = _Arg() +T=res
      count = _Arg() +T=res
      g = _Arg() +T=f32
      one = Const()
      add = AssignAddVariableOp(m, g)
      r = ReadVariableOp(m, ^add)
      sub = AssignSubVariableOp(w, r)
      next = AssignAddVariableOp(count, one)
    )"},
                          {"else", R"(
      w = _Arg() +T=res
      m = _Arg() +T=res
      count = _Arg() +T=res
      g = _Arg() +T=f32
    )"},
                          {"outer", R"(
      g = _Arg() +T=f32
      w = _Arg() +T=res
      m = _Arg() +T=res
      count = _Arg() +T=res
      same = Identity(w)
      choose = Const()
      if = If(choose, same, m, count, g) +then_branch=&then +else_branch=&else
    )"}});
}

constexpr const char* kCalls = R"(
    w = Placeholder()
    m = Placeholder()
    count = Placeholder()
    g = Placeholder()
    if = If(g, w, m, count, g) +then_branch=&then +else_branch=&else
    call = PartitionedCall(g, w, m, count) +f=&outer
    native = outer(g, w, m, count)
)";

}  // namespace

TEST_CASE("a call uses the handles that its functions use, by argument position") {
  const io::Document document = test::read_graph(kCalls);
  const FunctionLibrary library = update_in_branch();
  const CalledHandles handles(&library);
  for (const char* call : {"if", "call", "native"}) {
    INFO(call);
    const auto uses = handles.uses(document.graph, test::op(document, call));
    const std::size_t first = 1;  // the predicate, or the gradient
    CHECK((uses[first].is_written && !uses[first].is_read));
    CHECK((uses[first + 1].is_written && uses[first + 1].is_read));
    CHECK((uses[first + 2].is_written && !uses[first + 2].is_read));
    CHECK((!uses[0].is_written && !uses[0].is_read));
  }
}

TEST_CASE("only what is computed from a marked input counts as written from it") {
  const io::Document document = test::read_graph(kCalls);
  const FunctionLibrary library = update_in_branch();
  const CalledHandles handles(&library);
  const OpId branch = test::op(document, "if");
  using Slots = std::vector<std::uint32_t>;
  CHECK(handles.written_from(document.graph, branch, {false, false, false, false, true}) ==
        Slots{1, 2});
  // The predicate decides whether anything is written, and is in no value.
  CHECK(handles.written_from(document.graph, branch, {true, false, false, false, false}).empty());
  const OpId call = test::op(document, "call");
  CHECK(handles.written_from(document.graph, call, {true, false, false, false}) == Slots{1, 2});
}

TEST_CASE("functions that call each other, or that are not there, end") {
  const FunctionLibrary library = test::functions({{"a", R"(
      w = _Arg() +T=res
      again = b(w)
    )"},
                                                   {"b", R"(
      w = _Arg() +T=res
      again = PartitionedCall(w) +f=&a
      gone = PartitionedCall(w) +f=&nobody
      read = ReadVariableOp(w)
    )"}});
  const io::Document document = test::read_graph(R"(
    w = Placeholder()
    call = PartitionedCall(w) +f=&a
  )");
  const CalledHandles handles(&library);
  const OpId call = test::op(document, "call");
  CHECK(handles.uses(document.graph, call)[0].is_read);
  CHECK(handles.written_from(document.graph, call, {true}).empty());
  CHECK_FALSE(CalledHandles(nullptr).uses(document.graph, call)[0].is_read);
}

}  // namespace tideline
