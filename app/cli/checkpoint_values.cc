// `checkpoint stat` and `checkpoint cat`: what the tensors hold.

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/checkpoint.h"
#include "app/cli/json_number.h"
#include "app/cli/terminal.h"
#include "app/engine/checkpoint_text.h"
#include "app/engine/json_text.h"
#include "core/base/bytes.h"
#include "core/base/output_file.h"
#include "core/checkpoint/convert.h"
#include "core/checkpoint/histogram.h"
#include "core/checkpoint/statistics.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/graph/element_type.h"
#include "core/io/npy.h"

namespace tideline::cli {
namespace {

using checkpoint::Checkpoint;
using checkpoint::DataFiles;
using checkpoint::Statistics;
using checkpoint::StoredTensor;
using Json = nlohmann::ordered_json;

struct StatOptions {
  std::string path;
  std::vector<std::string> names;
  int bins = 0;  ///< of a histogram; 0: none
  bool json = false;
};

struct CatOptions {
  std::string path;
  std::string name;
  std::string output;
  bool force = false;
  bool json = false;
};

Json number_json(const std::optional<checkpoint::Number>& number) {
  if (!number) return nullptr;
  return std::visit(
      [](auto value) {
        if constexpr (std::is_same_v<decltype(value), double>) return json_number(value);
        return Json(value);
      },
      *number);
}

Result<const StoredTensor*> find_tensor(const Checkpoint& opened, const std::string& name) {
  if (const StoredTensor* found = opened.find(name)) return found;
  return fail(Code::kNotFound, "{}: has no tensor '{}'; expected a name that checkpoint ls lists",
              opened.path, printable(name));
}

Result<std::vector<const StoredTensor*>> chosen_tensors(const Checkpoint& opened,
                                                        const std::vector<std::string>& names) {
  std::vector<const StoredTensor*> chosen;
  for (const std::string& name : names) {
    TIDELINE_TRY(const StoredTensor* tensor, find_tensor(opened, name));
    chosen.push_back(tensor);
  }
  if (!names.empty()) return chosen;
  for (const StoredTensor& tensor : opened.tensors) chosen.push_back(&tensor);
  return chosen;
}

// No numbers, no statistics: strings are counted alone.
Result<Statistics> statistics_or_count(DataFiles& files, const StoredTensor& tensor,
                                       Progress& progress) {
  if (element_family(tensor.type) != ElementFamily::kNone) {
    return checkpoint::statistics_of(files, tensor, progress);
  }
  Statistics counted;
  counted.elements = tensor.element_count();
  return counted;
}

Json statistics_json(const StoredTensor& tensor, const Statistics& found) {
  Json json = tensor_json(tensor);
  json["bytes"] = tensor.stored_bytes();
  json["elements"] = found.elements;
  json["min"] = number_json(found.least);
  json["max"] = number_json(found.most);
  json["mean"] = found.mean ? json_number(*found.mean) : Json(nullptr);
  json["nan"] = found.nans;
  json["infinite"] = found.infinities;
  json["zero"] = found.zeros;
  return json;
}

Json histogram_json(const checkpoint::Histogram& found) {
  const bool has_any = !found.counts.empty();
  return {{"least", has_any ? Json(found.least) : Json(nullptr)},
          {"most", has_any ? Json(found.most) : Json(nullptr)},
          {"counts", found.counts},
          {"left_out", found.left_out}};
}

void print_histogram(const checkpoint::Histogram& found) {
  const auto count = static_cast<double>(found.counts.size());
  const auto edge = [&](std::size_t bin) {
    return found.least + (found.most - found.least) * (static_cast<double>(bin) / count);
  };
  for (std::size_t i = 0; i < found.counts.size(); ++i) {
    say("      from {:<13.6g} {}\n", edge(i), found.counts[i]);
  }
}

// Of tensors that have one.
Result<std::optional<checkpoint::Histogram>> histogram_of(DataFiles& files,
                                                          const StoredTensor& tensor, int bins,
                                                          Progress& progress) {
  const ElementFamily family = element_family(tensor.type);
  if (bins == 0 || family == ElementFamily::kNone || family == ElementFamily::kComplex) {
    return std::optional<checkpoint::Histogram>();
  }
  TIDELINE_TRY(auto found,
               checkpoint::histogram_of(files, tensor, static_cast<std::size_t>(bins), progress));
  return std::optional<checkpoint::Histogram>(std::move(found));
}

void print_statistics(const StoredTensor& tensor, const Statistics& found) {
  say("  {:<10} {:<18} {:>12} {:>13} {:>13} {:>13} {:>6} {:>6}  {}\n",
      checkpoint::type_name(tensor), app::shape_text(tensor), tensor.stored_bytes(),
      app::number_text(found.least), app::number_text(found.most), app::number_text(found.mean),
      found.nans, found.infinities, tensor.name);
}

Status stat_tensors(const StatOptions& options, Progress& progress) {
  TIDELINE_TRY(const Checkpoint opened, open_named_checkpoint(options.path));
  TIDELINE_TRY(const auto chosen, chosen_tensors(opened, options.names));
  DataFiles files(opened);
  Json tensors = Json::array();
  if (!options.json) {
    say("  {:<10} {:<18} {:>12} {:>13} {:>13} {:>13} {:>6} {:>6}  {}\n", "dtype", "shape", "bytes",
        "min", "max", "mean", "nan", "inf", "name");
  }
  for (const StoredTensor* tensor : chosen) {
    TIDELINE_TRY(const Statistics found, statistics_or_count(files, *tensor, progress));
    TIDELINE_TRY(const auto histogram, histogram_of(files, *tensor, options.bins, progress));
    if (options.json) {
      tensors.push_back(statistics_json(*tensor, found));
      if (histogram) tensors.back()["histogram"] = histogram_json(*histogram);
    } else {
      print_statistics(*tensor, found);
      if (histogram) print_histogram(*histogram);
    }
  }
  if (options.json) say_json({{"path", opened.path}, {"tensors", std::move(tensors)}});
  return {};
}

int stat_checkpoint(const StatOptions& options) {
  TerminalProgress progress(options.json);
  const Status status = stat_tensors(options, progress);
  return status ? kExitDone : report(status.error());
}

// Elements of a part, one after the other.
template <typename Each>
void for_each_element(DataType type, std::string_view part, const Each& each) {
  const auto size = static_cast<std::size_t>(element_bytes(type).value_or(1));
  for (std::size_t at = 0; at + size <= part.size(); at += size) each(part.substr(at, size));
}

Json element_json(DataType type, std::string_view element) {
  switch (element_family(type)) {
    case ElementFamily::kFloat: return json_number(element_number(type, element).value_or(0));
    case ElementFamily::kSigned: return sign_extended(from_little_endian(element), element.size());
    case ElementFamily::kUnsigned: return from_little_endian(element);
    case ElementFamily::kBool: return from_little_endian(element) != 0;
    default: return element_text(type, element);
  }
}

// Calls `each` with the bytes of every element. To print one takes far longer than to read it, so
// `progress` may cancel within a part, too.
template <typename Each>
Status for_each_printed(DataFiles& files, const StoredTensor& tensor, Progress& progress,
                        const Each& each) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 15U;  // of whole elements of every type
  std::int64_t done = 0;
  return checkpoint::for_each_part(files, tensor, [&](std::string_view part) -> Status {
    while (!part.empty()) {
      if (!progress.report("reading", done, tensor.stored_bytes())) return cancelled();
      const std::string_view piece = part.substr(0, kPieceBytes);
      for_each_element(tensor.type, piece, each);
      part.remove_prefix(piece.size());
      done += static_cast<std::int64_t>(piece.size());
    }
    return {};
  });
}

// Calls `each` with every element as JSON.
template <typename Each>
Status for_each_value(DataFiles& files, const StoredTensor& tensor, Progress& progress,
                      const Each& each) {
  if (tensor.type == DataType::kString) {
    TIDELINE_TRY(const std::vector<std::string> strings, checkpoint::read_strings(files, tensor));
    for (const std::string& text : strings) each(Json(text));
    return {};
  }
  return for_each_printed(files, tensor, progress, [&](std::string_view element) {
    each(element_json(tensor.type, element));
  });
}

// Element by element: as one JSON value, a tensor would take many times its size.
Status print_json(DataFiles& files, const StoredTensor& tensor, Progress& progress) {
  constexpr std::size_t kPrintedAtOnce = std::size_t{1} << 16U;
  std::string text = app::json_text(tensor_json(tensor), -1);
  text.back() = ',';
  text += "\"values\":[";
  bool is_first = true;
  TIDELINE_RETURN_IF_ERROR(for_each_value(files, tensor, progress, [&](const Json& value) {
    if (!is_first) text += ',';
    is_first = false;
    text += app::json_text(value, -1);
    if (text.size() < kPrintedAtOnce) return;
    say("{}", text);
    text.clear();
  }));
  say("{}]}}\n", text);
  return {};
}

Status print_text(DataFiles& files, const StoredTensor& tensor, Progress& progress) {
  if (tensor.type == DataType::kString) {
    TIDELINE_TRY(const std::vector<std::string> strings, checkpoint::read_strings(files, tensor));
    for (const std::string& text : strings) say("{}\n", text);
    return {};
  }
  // A line a row: the last dimension.
  const std::int64_t row = tensor.dims.empty() ? 1 : tensor.dims.back();
  std::int64_t index = 0;
  std::string line;
  return for_each_printed(files, tensor, progress, [&](std::string_view element) {
    if (!line.empty()) line += ' ';
    line += element_text(tensor.type, element);
    if (++index % row != 0) return;
    say("{}\n", line);
    line.clear();
  });
}

Status write_npy(DataFiles& files, const StoredTensor& tensor, const CatOptions& options,
                 Progress& progress) {
  if (checkpoint::holds_file_of(files.checkpoint(), options.output)) {
    return fail(Code::kInvalidArgument,
                "{}: is the checkpoint itself or a part of it; expected another output",
                options.output);
  }
  auto head = io::npy_head(tensor.type, tensor.dims);
  if (!head) {
    return tl::unexpected(with_context(std::move(head).error(), printable(tensor.name)));
  }
  TIDELINE_TRY(OutputFile out, OutputFile::create(options.output, options.force,
                                                  checkpoint::source_readers(files.checkpoint())));
  TIDELINE_RETURN_IF_ERROR(out.append(*head));
  TIDELINE_RETURN_IF_ERROR(checkpoint::for_each_part(
      files, tensor, progress, [&](std::string_view part) { return out.append(part); }));
  return out.commit();
}

Status cat_tensor(const CatOptions& options) {
  TIDELINE_TRY(const Checkpoint opened, open_named_checkpoint(options.path));
  TIDELINE_TRY(const StoredTensor* tensor, find_tensor(opened, options.name));
  DataFiles files(opened);
  TIDELINE_RETURN_IF_ERROR(checkpoint::check_has_values(files, *tensor));
  TerminalProgress progress(options.output.empty());  // what is printed is to be seen
  if (!options.output.empty()) return write_npy(files, *tensor, options, progress);
  return options.json ? print_json(files, *tensor, progress) : print_text(files, *tensor, progress);
}

int cat_checkpoint(const CatOptions& options) {
  const Status status = cat_tensor(options);
  return status ? kExitDone : report(status.error());
}

}  // namespace

void add_checkpoint_stat(const Command& checkpoint, Action& action) {
  auto options = std::make_shared<StatOptions>();
  const Command command =
      checkpoint.add_subcommand("stat", "Least, most and mean of each tensor, NaN and infinities");
  add_checkpoint_path(command, "CHECKPOINT", options->path);
  command.add_option("TENSOR", options->names, "Only these tensors");
  command
      .add_option("--bins", options->bins,
                  "Also print a histogram of so many bins, each with its lower end")
      .type_name("N")
      .in_range(1, static_cast<int>(checkpoint::kMostBins));
  command.add_flag("--json", options->json, "Print JSON");
  command.callback(
      [options, &action] { action = [options] { return stat_checkpoint(*options); }; });
}

void add_checkpoint_cat(const Command& checkpoint, Action& action) {
  auto options = std::make_shared<CatOptions>();
  const Command command = checkpoint.add_subcommand(
      "cat", "The values of a tensor: a line for each row, or a .npy file");
  add_checkpoint_path(command, "CHECKPOINT", options->path);
  command.add_option("TENSOR", options->name, "Name of the tensor").required();
  const Option output =
      command.add_option("-o,--output", options->output, "Write the tensor to this .npy file")
          .not_empty()
          .type_name("FILE");
  command.add_flag("--force", options->force, "Replace a file that exists").needs(output);
  command.add_flag("--json", options->json, "Print JSON").excludes(output);
  command.callback([options, &action] { action = [options] { return cat_checkpoint(*options); }; });
}

}  // namespace tideline::cli
