// Tested by unit/engine/export_log_test.cc, integration/event_log_test.py.
#include "app/engine/export_log.h"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <utility>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/crc32c.h"
#include "core/base/output_folder.h"
#include "core/base/strictest.h"
#include "core/base/text.h"
#include "core/events/row_reader.h"
#include "core/events/row_values.h"
#include "core/io/npy.h"
#include "core/io/tensor_elements.h"
#include "core/io/wire.h"

namespace tideline::app {
namespace {

using events::Series;
using events::SeriesKind;
using events::ValueRow;

// A file to be written, beside others of the same row.
struct Content {
  std::string ending;
  std::string bytes;
};

// Arrays that NumPy lacks a type for stay what they are: an encoded TensorProto.
Result<std::vector<Content>> tensor_files(std::string_view content) {
  TIDELINE_TRY(const io::TensorElements tensor,
               io::decode_elements(content, events::most_tensor_bytes(content)));
  std::vector<Content> files;
  for (const std::string_view text : tensor.texts) {
    files.push_back({events::file_ending(text), std::string(text)});
  }
  if (tensor.type == DataType::kString) return files;
  auto head = io::npy_head(tensor.type, tensor.dims);
  if (head) {
    files.push_back({".npy", *std::move(head) + tensor.content});
  } else {
    files.push_back({".pb", std::string(content)});
  }
  return files;
}

Result<std::vector<Content>> histogram_files(const ValueRow& row, std::string_view content) {
  TIDELINE_TRY(const auto buckets, events::histogram_buckets(row.form, content));
  TIDELINE_TRY(std::string bytes,
               io::npy_head(DataType::kDouble, {static_cast<std::int64_t>(buckets.size()), 3}));
  for (const events::HistogramBucket& bucket : buckets) {
    for (const double number : {bucket.left, bucket.right, bucket.count}) {
      append_little_endian(bytes, std::bit_cast<std::uint64_t>(number));
    }
  }
  return std::vector<Content>{{".npy", std::move(bytes)}};
}

std::vector<Content> encoded_files(const std::vector<std::string_view>& encoded) {
  std::vector<Content> files;
  for (const std::string_view bytes : encoded) {
    files.push_back({events::file_ending(bytes), std::string(bytes)});
  }
  return files;
}

// The files of a row; none for a kind that has no file.
Result<std::vector<Content>> files_of(const Series& series, const ValueRow& row,
                                      std::string_view content) {
  switch (series.kind) {
    case SeriesKind::kHistogram: return histogram_files(row, content);
    case SeriesKind::kImage: {
      TIDELINE_TRY(const auto images, events::image_values(row.form, content));
      return encoded_files(images.encoded);
    }
    case SeriesKind::kAudio: {
      TIDELINE_TRY(const auto recordings, events::audio_values(row.form, content));
      return encoded_files(recordings);
    }
    case SeriesKind::kText: {
      TIDELINE_TRY(std::vector<Content> files, tensor_files(content));
      for (Content& file : files) {
        if (file.ending == ".bin") file.ending = ".txt";
      }
      return files;
    }
    case SeriesKind::kTensor: return tensor_files(content);
    case SeriesKind::kGraph:
    case SeriesKind::kMetaGraph:
    case SeriesKind::kRunMetadata:
      return std::vector<Content>{{".pb", std::string(events::blob_of(row.form, content))}};
    case SeriesKind::kKerasGraph:
      return std::vector<Content>{{".json", std::string(events::blob_of(row.form, content))}};
    default: return std::vector<Content>();
  }
}

class Exporter {
 public:
  Exporter(const events::EventLog& log, const LogWish& wish, const Readers& readers,
           OutputFolder& folder, Progress& progress)
      : log_(log), wish_(wish), readers_(readers), folder_(folder), progress_(progress) {}

  Status write(const Series& series) {
    const std::string place =
        safe_file_name(log_.runs()[series.run]) + "/" + safe_file_name(series.tag) + "/";
    if (series.kind == SeriesKind::kScalar) return write_scalars(series, place);
    if (series.kind == SeriesKind::kHparams) {
      return write_file(place + "hparams.pb", events::plugin_content(series.metadata));
    }
    std::map<std::int64_t, int> rows_of_step;
    for (const ValueRow& row : series.rows) {
      if (!wish_.steps.has(row.step)) continue;
      const int number = ++rows_of_step[row.step];
      TIDELINE_TRY(const std::string content, reader_.read(row));
      auto files = files_of(series, row, content);
      if (!files) {
        return tl::unexpected(
            with_context(std::move(files).error(),
                         fmt::format("tag '{}', step {}", printable(series.tag), row.step)));
      }
      if (files->empty()) ++counts.left_out;
      std::string name = fmt::format("{}{}_{}", place, events::kind_name(series.kind), row.step);
      if (number > 1) name += fmt::format("-{}", number);
      for (std::size_t i = 0; i < files->size(); ++i) {
        const std::string index = files->size() > 1 ? fmt::format("_{}", i) : "";
        TIDELINE_RETURN_IF_ERROR(write_file(name + index + (*files)[i].ending, (*files)[i].bytes));
      }
    }
    return {};
  }

  ExportCounts counts;

 private:
  Status write_scalars(const Series& series, const std::string& place) {
    constexpr std::int64_t kPointsPerReport = 1 << 16;
    std::int64_t points = 0;
    std::string text = "step,wall_time,value\n";
    for (const events::ScalarPoint& point : series.points) {
      if (!wish_.steps.has(point.step)) continue;
      if (++points % kPointsPerReport == 0 && !progress_.report("exporting", counts.files, 0)) {
        return cancelled();
      }
      text += fmt::format("{},{},{}\n", point.step, point.wall_time, point.value);
    }
    return write_file(place + "scalars.csv", text);
  }

  Status write_file(const std::string& name, std::string_view bytes) {
    if (counts.files == kMostExportedFiles) {
      return fail(Code::kUnsupported,
                  "more than {} files; expected fewer: choose with --run, --tag or --steps",
                  kMostExportedFiles);
    }
    ++counts.files;
    if (!progress_.report("exporting", counts.files, 0)) return cancelled();
    TIDELINE_TRY(OutputFile file, folder_.file(name, readers_));
    TIDELINE_RETURN_IF_ERROR(file.append(bytes));
    return file.commit();
  }

  const events::EventLog& log_;
  events::RowReader reader_{log_};
  const LogWish& wish_;
  Readers readers_;
  OutputFolder& folder_;
  Progress& progress_;
};

}  // namespace

std::string safe_file_name(std::string_view name) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+=";
  constexpr std::size_t kLongest = 200;
  if (name.empty()) return "%";
  std::string safe;
  for (const char byte : name) {
    const bool is_plain = kPlain.find(byte) != std::string_view::npos;
    if (is_plain && (byte != '.' || !safe.empty())) {
      safe += byte;
    } else {
      safe += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    }
    if (safe.size() > kLongest) return safe + fmt::format("~{:08x}", crc32c(name));
  }
  return safe;
}

Result<ExportCounts> export_log(const events::EventLog& log, const LogWish& wish,
                                const std::string& folder, Progress& progress) {
  TIDELINE_TRY(const auto wanted, wanted_series(log, wish, {}));
  Readers readers;
  for (const events::LogFile& file : log.files()) {
    readers = strictest(readers, readers_of(file.file.path));
  }
  TIDELINE_TRY(OutputFolder out,
               OutputFolder::create(folder, false, never_replace(), as_folder(readers)));
  out.sync_at_end();
  Exporter exporter(log, wish, readers, out, progress);
  for (const Series* series : wanted) TIDELINE_RETURN_IF_ERROR(exporter.write(*series));
  if (exporter.counts.files == 0) {
    return fail(Code::kNotFound, "nothing to export; expected rows that have a file");
  }
  TIDELINE_RETURN_IF_ERROR(out.commit());
  return exporter.counts;
}

}  // namespace tideline::app
