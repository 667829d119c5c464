// Shape inference against what TensorFlow recorded: every graph, its record set aside.
#include <iostream>
#include <map>

#include "core/graph/shapes/inference.h"
#include "core/graph/tensor_table.h"
#include "core/io/document.h"
#include "core/io/functions.h"
#include "tests/support/test_data.h"

namespace tideline {
namespace {

// Outputs of one op type, or of one graph, that were recorded with a rank.
struct Coverage {
  int recorded = 0;
  int same = 0;           // the same dims, -1 where the record has -1
  int more = 0;           // numbers where the record has -1
  int less = 0;           // no rank, or -1 where the record has a number
  int contradicting = 0;  // another rank, or another number
  std::string first_less, first_contradicting;

  void add(const Coverage& other) {
    recorded += other.recorded;
    same += other.same;
    more += other.more;
    less += other.less;
    contradicting += other.contradicting;
    if (first_less.empty()) first_less = other.first_less;
    if (first_contradicting.empty()) first_contradicting = other.first_contradicting;
  }
};

Coverage compare(const Shape& record, const Dims* inferred, const std::string& name) {
  Coverage result;
  result.recorded = 1;
  std::string text = inferred == nullptr ? "?" : "";
  bool less = inferred == nullptr;
  bool more = false;
  bool contradicting = inferred != nullptr && inferred->size() != record.dims.size();
  for (std::size_t i = 0; inferred != nullptr && i < inferred->size(); ++i) {
    const Dim dim = (*inferred)[i];
    text += to_string(dim) + " ";
    if (i >= record.dims.size()) continue;
    if (record.dims[i] == kUnknownDim) {
      more |= dim.is_number();
    } else {
      less |= !dim.is_number();
      contradicting |= dim.is_number() && dim.value() != record.dims[i];
    }
  }
  text = name + ": recorded " + to_string(record) + ", inferred [" + text + "]";
  if (contradicting) {
    result.contradicting = 1;
    result.first_contradicting = text;
  } else if (less) {
    result.less = 1;
    result.first_less = text;
  } else if (more) {
    result.more = 1;
  } else {
    result.same = 1;
  }
  return result;
}

using Table = std::map<std::string, Coverage>;

// A graph, or the body of a function, cut out of its program reads variables through handles that
// are fed. Their shapes stand nowhere but in the record of the reading, which is kept for them.
std::vector<DimsId> shapes_from_outside(const Graph& graph, const TensorTable& tensors,
                                        DimLists& lists) {
  std::vector<DimsId> known;
  for (const OpId op : graph.ops()) {
    const auto is_fed = [&](OpId producer) {
      return graph.type(producer) == "Placeholder" || graph.type(producer) == "_Arg";
    };
    const bool reads_fed = graph.type(op) == "ReadVariableOp" && !graph.inputs(op).empty() &&
                           is_fed(graph.inputs(op)[0].op);
    const bool is_outside = reads_fed || graph.type(op) == "_Arg";
    for (std::uint32_t slot = 0; slot < tensors.output_count(op); ++slot) {
      const Shape& record = tensors.shape({op, slot});
      Dims dims;
      for (const std::int64_t dim : record.dims) {
        dims.push_back(dim == kUnknownDim ? Dim::unknown() : Dim::of(dim));
      }
      known.push_back(is_outside && record.has_rank ? lists.id(dims) : kNothing);
    }
  }
  return known;
}

// `graph` is inferred, `record` is the same graph with its record.
Coverage cover(const Graph& graph, const Graph& record_graph, const FunctionLibrary& functions,
               Table& by_type) {
  const auto tensors = TensorTable::build(graph, {});
  const auto records = TensorTable::build(record_graph, {});
  REQUIRE(tensors);
  REQUIRE(records);
  std::vector<std::uint32_t> first = {0};
  for (const OpId op : graph.ops()) first.push_back(first.back() + tensors->output_count(op));
  DimLists lists;
  const std::vector<DimsId> known = shapes_from_outside(graph, *tensors, lists);
  const InferredShapes inferred = infer_shapes({graph, first, known, {}, &functions}, lists);
  Coverage all;
  for (const OpId op : graph.ops()) {
    const OpId recorded = record_graph.find(graph.name(op));
    REQUIRE(recorded.valid());
    if (!records->has_recorded_shapes(recorded)) continue;
    for (std::uint32_t slot = 0; slot < tensors->output_count(op); ++slot) {
      const Shape& record = records->shape({recorded, slot});
      if (!record.has_rank) continue;
      const Coverage one =
          compare(record, lists.find(inferred.shapes[first[op.index()] + slot]),
                  std::string(graph.type(op)) + " " + graph.tensor_name({op, slot}));
      by_type[std::string(graph.type(op))].add(one);
      all.add(one);
    }
  }
  return all;
}

void print(const std::string& title, const Table& table) {
  std::cout
      << title
      << "\n  type or graph                              rank  same  more  less  contradicts\n";
  for (const auto& [name, row] : table) {
    std::printf("  %-40.40s %6d %5d %5d %5d %5d\n", name.c_str(), row.recorded, row.same, row.more,
                row.less, row.contradicting);
    if (!row.first_contradicting.empty()) {
      std::printf("      ! %s\n", row.first_contradicting.c_str());
    }
    if (!row.first_less.empty()) std::printf("      < %s\n", row.first_less.c_str());
    std::fflush(stdout);
  }
}

}  // namespace

TEST_CASE("shapes inferred without the record: none contradicts it, 99 % are as good") {
  Table by_type;
  Table by_graph;
  int recorded = 0;
  for (const auto& path : test::graph_files()) {
    const std::string name = path.filename().string();
    Progress silent;
    const auto document = io::read_document(path.string(), silent);
    INFO(name);
    REQUIRE(document);
    // What was exported without a record stands beside the same graph with one.
    std::string partner = name;
    const std::size_t mark = partner.find("_noshapes.pb");
    if (mark != std::string::npos) partner.replace(mark, std::string::npos, ".meta");
    const auto record = mark == std::string::npos
                            ? document
                            : io::read_document(test::graph_file(partner).string(), silent);
    REQUIRE(record);
    Diagnostics unreadable;
    const FunctionLibrary functions = io::read_functions(*document, unreadable);
    const Coverage all = cover(document->graph, record->graph, functions, by_type);
    by_graph[name] = all;
    recorded += all.recorded;
    INFO(all.first_contradicting << "\n" << all.first_less);
    CHECK(all.contradicting == 0);
    CHECK(100 * (all.same + all.more) >= 99 * all.recorded);
  }
  print("by op type", by_type);
  print("by graph", by_graph);
  CHECK(by_graph.size() == test::kGraphFiles);
  CHECK(recorded == 38928);
}

TEST_CASE(
    "shapes inferred in the bodies of functions: none contradicts the record, 99 % are as good") {
  Table by_type;
  Coverage all;
  for (const auto& path : {test::graph_file("tf2_controlflow.pb"),
                           test::kData / "saved_models/keras/saved_model.pb"}) {
    Progress silent;
    const auto document = io::read_document(path.string(), silent);
    INFO(path);
    REQUIRE(document);
    Diagnostics unreadable;
    const FunctionLibrary functions = io::read_functions(*document, unreadable);
    for (const auto& [function, content] : functions.functions) {
      INFO(function);
      const Coverage one = cover(content.body, content.body, functions, by_type);
      CHECK(one.contradicting == 0);
      all.add(one);
    }
  }
  print("in bodies of functions", by_type);
  INFO(all.first_less);
  CHECK(100 * (all.same + all.more) >= 99 * all.recorded);
  CHECK(all.recorded == 345);
}

}  // namespace tideline
