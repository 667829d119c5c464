#include "core/analysis/swap_copies.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/graph_data.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// "a:0 out>in(reader reader; waits) in(reader)": one line a swap.
std::string names(const Graph& graph, const std::vector<OpId>& ops) {
  std::string text;
  for (const OpId op : ops) text += (text.empty() ? "" : " ") + std::string(graph.name(op));
  return text;
}
std::vector<std::string> copies_in(std::string_view text) {
  const io::Document document = test::read_graph(text);
  const Graph& graph = document.graph;
  const SwapCopies copies = find_swap_copies(graph, Consumers(graph));
  CHECK(find_swap_copies(graph).copy_count() == copies.copy_count());
  std::vector<std::string> lines;
  for (const FileSwap& swap : copies.swaps) {
    std::string line =
        fmt::format("{} {}>", graph.tensor_name(swap.tensor), graph.name(swap.swap_out));
    CHECK(copies.contains(swap.swap_out));
    CHECK(copies.of(swap.tensor) == &swap);
    for (const FileSwapIn& in : swap.swap_ins) {
      line += fmt::format("{}({}; {})", graph.name(in.copy), names(graph, in.consumers),
                          names(graph, in.waits_for));
      CHECK(copies.contains(in.copy));
    }
    lines.push_back(line);
  }
  return lines;
}
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("the copies that LMS writes are found with readers and triggers") {
  CHECK(copies_in(R"(
    a = Relu() f32[4]
    b = Relu(a) f32[4]
    c = Add(b, lms/swapin_a_0) f32[4]
    d = Add(lms/swapin_a_0, lms/swapin_a_0) f32[4]
    e = Add(d, lms/swapin_a_0_1) f32[4]
    lms/swapout_a_0 = Identity(a) @/cpu:0 f32[4]
    lms/swapin_a_0 = Identity(lms/swapout_a_0, ^b, ^b) @/cpu:0 f32[4]
    lms/swapin_a_0_1 = Identity(lms/swapout_a_0) @/cpu:0 f32[4]
  )") == Lines{"a:0 lms/swapout_a_0>lms/swapin_a_0(c d; b)lms/swapin_a_0_1(e; )"});
}

TEST_CASE(
    "copies are found below the scope that a graph was imported into, and copied to a device") {
  CHECK(copies_in(R"(
    net/a = Split() f32[4] f32[4]
    net/lms/swapout = Identity(net/a:1) @/job:worker/device:CPU:0 f32[4]
    net/lms/swapin = Identity(net/lms/swapout) @/gpu:0 f32[4]
    net/b = Relu(net/lms/swapin) f32[4]
  )") == Lines{"net/a:1 net/lms/swapout>net/lms/swapin(net/b; )"});
}

TEST_CASE("the copies of TensorFlow's memory optimizer are found by their types") {
  CHECK(copies_in(R"(
    a = Relu() @/gpu:0 f32[4]
    b = Relu(a, ^swap_out_a_0) @/gpu:0 f32[4]
    c = Add(b, swap_in_a_0) @/gpu:0 f32[4]
    swap_out_a_0 = _CopyFromGpuToHost(a) @/gpu:0 f32[4]
    swap_in_a_0 = _CopyFromHostToGpu(swap_out_a_0, ^b) @/gpu:0 f32[4]
  )") == Lines{"a:0 swap_out_a_0>swap_in_a_0(c; b)"});
}

TEST_CASE("an Identity on the host is a swap only by name, place and readers") {
  const auto with = [](const std::string& out, const std::string& more) {
    return copies_in("a = Relu() f32[4]\n" + out + "\n" + more);
  };
  const std::string back = "lms/swapin_a = Identity(lms/swapout_a) @/cpu:0 f32[4]\n";
  const std::string read = "b = Relu(lms/swapin_a) f32[4]\n";
  const std::string out = "lms/swapout_a = Identity(a) @/cpu:0 f32[4]";
  CHECK(with(out, back + read).size() == 1);
  CHECK(with("lms/swapout_a = Identity(a) f32[4]", back + read).empty());      // on the device
  CHECK(with("lms/swapout_a = Relu(a) @/cpu:0 f32[4]", back + read).empty());  // no copy
  CHECK(with(out, back).empty());                                              // nobody reads it
  CHECK(with(out, "b = Relu(lms/swapout_a) f32[4]\n").empty());                // not copied back
  CHECK(with(out, back + read + "c = Relu(lms/swapout_a) @/cpu:0 f32[4]").empty());  // read there
  CHECK(copies_in(R"(
    a = Relu() f32[4]
    films/swapout = Identity(a) @/cpu:0 f32[4]
    films/swapin = Identity(films/swapout) @/cpu:0 f32[4]
    b = Relu(films/swapin) f32[4]
    on_host = Identity(b) @/cpu:0 f32[4]
    back = Identity(on_host) f32[4]
    c = Relu(back) f32[4]
  )")
            .empty());
}

TEST_CASE("LMS v1 swaps what ops of the host make, too") {
  CHECK(copies_in(R"(
    a = Relu() @/cpu:0 f32[4]
    lms/swapout = Identity(a) @/cpu:0 f32[4]
    lms/swapin = Identity(lms/swapout) @/cpu:0 f32[4]
    b = Relu(lms/swapin) f32[4]
  )") == Lines{"a:0 lms/swapout>lms/swapin(b; )"});
}

TEST_CASE("of copies of copies the first pair is a swap") {
  CHECK(copies_in(R"(
    a = Relu() @/gpu:0 f32[4]
    out = _CopyFromGpuToHost(a) @/gpu:0 f32[4]
    lms/swapin/lms/swapout = Identity(out) @/cpu:0 f32[4]
    again = _CopyFromGpuToHost(lms/swapin/lms/swapout) @/gpu:0 f32[4]
    back = _CopyFromHostToGpu(again) @/gpu:0 f32[4]
    b = Relu(back) @/gpu:0 f32[4]
  )") == Lines{"a:0 out>lms/swapin/lms/swapout(again; )"});
}

TEST_CASE("none of the graphs that nobody rewrote holds a swap") {
  for (const auto& path : test::graph_files()) {
    INFO(path);
    const io::Document document = test::open_graph(path);
    CHECK(find_swap_copies(document.graph).empty());
  }
}

TEST_CASE("copies in a file are counted in words") {
  SwapCopies copies;
  CHECK(copies_in_file_text(copies).empty());
  copies.swaps.resize(1);
  copies.swaps[0].swap_ins.resize(1);
  CHECK(copies_in_file_text(copies) ==
        "2 copies are in this file: 1 tensor is swapped out, with 1 swap-in");
  copies.swaps.resize(2);
  copies.swaps[1].swap_ins.resize(2);
  CHECK(copies_in_file_text(copies) ==
        "5 copies are in this file: 2 tensors are swapped out, with 3 swap-ins");
}

}  // namespace tideline
