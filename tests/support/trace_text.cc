#include "tests/support/trace_text.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <sstream>
#include <vector>

#include "core/base/text.h"
#include "core/events/run_metadata.h"
#include "core/io/text_format.h"

namespace tideline::test {
namespace {

// "0:1024[2,3]&7#1!" as a NodeOutput.
std::string output_text(const std::string& word, const std::string& allocator) {
  const auto after = [&](char mark) {
    const std::size_t at = word.find(mark);
    return at == std::string::npos ? std::string("0")
                                   : std::to_string(std::stoll(word.substr(at + 1)));
  };
  const std::string bytes = after(':');
  std::string shape;
  if (const std::size_t open = word.find('['); open != std::string::npos) {
    shape = "shape {";
    for (const std::string& dim :
         split_list(word.substr(open + 1, word.find(']') - open - 1), ',')) {
      shape += fmt::format(" dim {{ size: {} }}", dim);
    }
    shape += " }";
  }
  const bool is_told = word.find('!') == std::string::npos;
  return fmt::format(
      "output {{ slot: {} tensor_description {{ dtype: DT_FLOAT {} allocation_description {{ "
      "requested_bytes: {} allocated_bytes: {} allocation_id: {} ptr: {} allocator_name: '{}' }} "
      "}} "
      "}}\n",
      std::stoi(word), shape, bytes, is_told ? bytes : "0", after('#'), after('&'), allocator);
}

std::string row_text(const std::vector<std::string>& fields, const std::string& allocator) {
  const std::string& label = fields[0];
  const std::string name = label.substr(0, label.find(" = "));
  const std::string times = fields.size() > 1 ? fields[1] : "0+0";
  std::string row = fmt::format(
      "node_stats {{ node_name: '{}' timeline_label: '{}' all_start_micros: {} "
      "op_end_rel_micros: {}\n",
      name, label, std::stoll(times), std::stoll(times.substr(times.find('+') + 1)));
  if (fields.size() > 2) {
    for (const std::string& word : split_list(fields[2], ' ')) {
      row += output_text(word, allocator);
    }
  }
  if (fields.size() > 3 && !fields[3].empty()) {
    row += fmt::format("memory {{ allocator_name: '{}'\n", allocator);
    for (const std::string& word : split_list(fields[3], ' ')) {
      row += fmt::format("allocation_records {{ alloc_micros: {} alloc_bytes: {} }}\n",
                         std::stoll(word.substr(word.find('@') + 1)), std::stoll(word));
    }
    row += "}\n";
  }
  return row + "}\n";
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '|');) {
    const auto pieces = split_list(field, '\n');  // without the blanks around
    fields.push_back(pieces.empty() ? "" : pieces.front());
  }
  return fields;
}

}  // namespace

std::string trace_pbtxt(std::string_view text) {
  std::string device = "/device:CPU:0";
  std::string allocator = "cpu";
  std::string rows;
  std::string all = "step_stats {\n";
  const auto flush = [&] {
    if (!rows.empty()) all += fmt::format("dev_stats {{ device: '{}'\n{}}}\n", device, rows);
    rows.clear();
  };
  for (const std::string& line : split_list(text, '\n')) {
    if (line.starts_with("device ")) {
      flush();
      device = line.substr(7);
    } else if (line.starts_with("allocator ")) {
      allocator = line.substr(10);
    } else {
      rows += row_text(fields_of(line), allocator);
    }
  }
  flush();
  return all + "}\n";
}

std::string encode_trace(std::string_view text) {
  const auto wire = io::text_to_wire(trace_pbtxt(text), io::MessageKind::kRunMetadata);
  INFO((wire ? "" : wire.error().message));
  REQUIRE(wire);
  return *wire;
}

StepTrace read_trace(std::string_view text) {
  Diagnostics diagnostics;
  auto trace = events::read_run_metadata(own_bytes(encode_trace(text)), diagnostics);
  INFO((trace ? "" : trace.error().message));
  REQUIRE(trace);
  return *std::move(trace);
}

}  // namespace tideline::test
