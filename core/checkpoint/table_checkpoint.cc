// Format: a table whose empty key holds a SavedTensorSlices message with a list of tensors: names,
//   types, shapes and the slices that this file has. Every slice has an entry of its own under the
//   key that ordered_code.h makes; a tensor that is not partitioned has one slice that covers all.
// Idea: the list becomes tensors with pieces that know their keys. Values stay in the file until
//   they are wanted; then blocks are read in the order of the keys, one at a time.
// Source: TensorFlow 2.15, saved_tensor_slice.proto, tensor_slice_writer.cc,
// tensor_slice_reader.cc. Tested by: unit/checkpoint/table_checkpoint_test.cc,
// tests/integration/checkpoint_test.py.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/text.h"
#include "core/checkpoint/bundle_entry.h"
#include "core/checkpoint/data_files.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/ordered_code.h"
#include "core/checkpoint/prefix_files.h"
#include "core/checkpoint/saved_slice.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/table_file.h"
#include "core/checkpoint/verify.h"
#include "core/graph/element_type.h"
#include "core/io/wire.h"

namespace tideline::checkpoint {
namespace {

using io::Field;
using io::FieldReader;

constexpr std::uint32_t kMetaEntry = 1;                                // of SavedTensorSlices
constexpr std::uint32_t kTensorEntry = 1, kVersions = 2;               // of SavedTensorSliceMeta
constexpr std::uint32_t kLeastConsumer = 2;                            // of VersionDef
constexpr std::uint32_t kName = 1, kShape = 2, kType = 3, kSlice = 4;  // of SavedSliceMeta
constexpr std::int64_t kTableVersion = 1;                              // of TensorFlow's format

struct ListedTensor {
  std::string name;
  DataType type = DataType::kInvalid;
  std::vector<std::int64_t> dims;
  std::vector<std::vector<SliceExtent>> slices;
};

tl::unexpected<Error> damaged_table() {
  return fail(Code::kCorrupt, "the list of tensors does not parse");
}

Result<ListedTensor> parse_listed(std::string_view message) {
  ListedTensor listed;
  FieldReader reader(message);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(kName)) {
      listed.name = field.bytes;
    } else if (field.is_bytes(kShape)) {
      listed.dims.clear();
      TIDELINE_RETURN_IF_ERROR(parse_shape(field.bytes, listed.dims));
    } else if (field.is_varint(kType)) {
      listed.type = static_cast<DataType>(field.varint);
    } else if (field.is_bytes(kSlice)) {
      TIDELINE_TRY(std::vector<SliceExtent> slice, parse_slice(field.bytes));
      listed.slices.push_back(std::move(slice));
    }
  }
  if (reader.damaged()) return damaged_table();
  return listed;
}

Status check_versions(std::string_view message) {
  FieldReader reader(message);
  for (Field field; reader.next(field);) {
    if (field.is_varint(kLeastConsumer) &&
        field.varint > static_cast<std::uint64_t>(kTableVersion)) {
      return fail(Code::kUnsupported, "is for readers of version {} on; this is version {}",
                  field.varint, kTableVersion);
    }
  }
  return {};
}

// Whether `value`, under the empty key, is that of a checkpoint and not of the index of another.
bool is_list(std::string_view value) {
  FieldReader reader(value);
  Field field;
  return reader.next(field) && field.is_bytes(kMetaEntry);
}

class Lister {
 public:
  // Adds the tensors of a file.
  Status add_file(TableFile& table, std::uint32_t file) {
    TIDELINE_TRY(const auto value, table.find(""));
    if (!value) {
      return fail(Code::kCorrupt,
                  "is a table, but has no list of tensors; expected a checkpoint of TensorFlow");
    }
    if (!is_list(*value)) {
      return fail(Code::kInvalidArgument, "is an index without the name of one; expected {}",
                  index_path("NAME"));
    }
    const std::string list(*value);
    key_bytes_left_ = most_key_bytes(table.size());
    FieldReader outer(list);
    for (Field field; outer.next(field);) {
      if (field.is_bytes(kMetaEntry)) TIDELINE_RETURN_IF_ERROR(add_list(field.bytes, file));
    }
    if (outer.damaged()) return damaged_table();
    return read_strings(table);
  }

  Result<std::vector<StoredTensor>> finish() {
    std::vector<StoredTensor> tensors;
    for (auto& [name, tensor] : tensors_) {
      TIDELINE_RETURN_IF_ERROR(finish_tensor(tensor));
      tensors.push_back(std::move(tensor));
    }
    return tensors;
  }

 private:
  Status add_list(std::string_view list, std::uint32_t file) {
    FieldReader reader(list);
    for (Field field; reader.next(field);) {
      if (field.is_bytes(kVersions)) TIDELINE_RETURN_IF_ERROR(check_versions(field.bytes));
      if (!field.is_bytes(kTensorEntry)) continue;
      auto listed = parse_listed(field.bytes);
      if (!listed) return tl::unexpected(std::move(listed).error());
      if (Status added = add(*listed, file); !added) {
        return tl::unexpected(with_context(std::move(added).error(),
                                           fmt::format("tensor '{}'", printable(listed->name))));
      }
    }
    if (reader.damaged()) return damaged_table();
    return {};
  }

  Status add(const ListedTensor& listed, std::uint32_t file) {
    if (listed.name.empty()) return fail(Code::kCorrupt, "has an empty name");
    if (!element_bytes(listed.type) || is_reference(listed.type)) {
      return fail(Code::kCorrupt, "has the unknown type number {}",
                  static_cast<std::uint32_t>(listed.type));
    }
    if (!count_elements(listed.dims)) {
      return fail(Code::kCorrupt, "has more elements than 63 bits can count");
    }
    StoredTensor& tensor = tensors_[listed.name];
    if (tensor.name.empty()) {
      tensor.name = listed.name;
      tensor.type = listed.type;
      tensor.dims = listed.dims;
    } else if (tensor.type != listed.type || tensor.dims != listed.dims) {
      return fail(Code::kCorrupt, "is {} in one file and {} in another", type_and_shape(tensor),
                  describe(listed.type, Shape::of(listed.dims)));
    }
    for (const std::vector<SliceExtent>& extents : listed.slices) {
      // Every slice has a key with the name in it somewhere in the table.
      if (listed.name.size() + 1 > key_bytes_left_) return too_many_key_bytes();
      key_bytes_left_ -= listed.name.size() + 1;
      if (listed.type == DataType::kString) {
        TIDELINE_RETURN_IF_ERROR(list_strings(tensor, extents));
      } else {
        TIDELINE_RETURN_IF_ERROR(add_piece(tensor, extents, file));
      }
    }
    return {};
  }

  static Status add_piece(StoredTensor& tensor, const std::vector<SliceExtent>& extents,
                          std::uint32_t file) {
    if (element_bytes(tensor.type) == 0) {
      return fail(Code::kUnsupported, "is of type {}; expected numbers or strings",
                  element_type_name(tensor.type));
    }
    Piece piece;
    TIDELINE_RETURN_IF_ERROR(place_slice(tensor.dims, extents, piece));
    const auto bytes = tensor_content_bytes(tensor.type, piece.length);
    if (!bytes) return fail(Code::kCorrupt, "has more bytes than 63 bits can count");
    piece.file = file;
    piece.bytes = *bytes;
    Packing packing;
    packing.key = slice_key(tensor.name, extents);
    packing.type = tensor.type;
    piece.packing = std::make_shared<const Packing>(std::move(packing));
    tensor.pieces.push_back(std::move(piece));
    return {};
  }

  Status list_strings(StoredTensor& tensor, const std::vector<SliceExtent>& extents) {
    Piece piece;
    TIDELINE_RETURN_IF_ERROR(place_slice(tensor.dims, extents, piece));
    if (piece.length != tensor.dims || tensor.strings ||
        !strings_.emplace(slice_key(tensor.name, extents), &tensor).second) {
      return fail(Code::kUnsupported, "is partitioned and of type string; expected one of numbers");
    }
    return {};
  }

  // Those that were listed, in the order of their keys.
  Status read_strings(TableFile& table) {
    for (const auto& [key, tensor] : strings_) {
      TIDELINE_TRY(const auto entry, table.find(key));
      if (!entry) {
        return fail(Code::kCorrupt, "tensor '{}': has no values in the file",
                    printable(tensor->name));
      }
      TIDELINE_TRY(std::vector<std::string> strings, saved_strings(*entry));
      if (static_cast<std::int64_t>(strings.size()) != tensor->element_count()) {
        return fail(Code::kCorrupt, "tensor '{}': has {} strings; expected {}",
                    printable(tensor->name), strings.size(), tensor->element_count());
      }
      tensor->strings_crc = encode_strings(strings).crc;  // as read: the block had its checksum
      tensor->strings = std::make_shared<const std::vector<std::string>>(std::move(strings));
    }
    strings_.clear();
    return {};
  }

  static Status finish_tensor(StoredTensor& tensor) {
    auto& pieces = tensor.pieces;
    if (tensor.strings) return {};
    if (pieces.empty()) {
      return fail(Code::kCorrupt, "tensor '{}': has no slices", printable(tensor.name));
    }
    if (pieces.size() == 1 && pieces.front().length == tensor.dims) {
      pieces.front().start.clear();
      pieces.front().length.clear();
      return {};
    }
    tensor.is_sliced = true;
    // In the order in which the files have them.
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
      return std::tie(a.file, a.packing->key) < std::tie(b.file, b.packing->key);
    });
    const auto twice =
        std::adjacent_find(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
          return a.file == b.file && a.packing->key == b.packing->key;
        });
    if (twice == pieces.end()) return {};
    return fail(Code::kCorrupt, "tensor '{}': lists a slice twice", printable(tensor.name));
  }

  std::map<std::string, StoredTensor> tensors_;
  std::map<std::string, StoredTensor*> strings_;  // by key, of one file
  std::size_t key_bytes_left_ = 0;
};

// Blocks of a table that hold no tensor of the list.
Status check_tables(DataFiles& files, Verification& found, Progress& progress) {
  const auto& paths = files.checkpoint().files;
  for (std::uint32_t file = 0; file < paths.size(); ++file) {
    const Status checked =
        files.check_rest_of_table(file, progress, [&](std::uint64_t offset, const Error& error) {
          found.damages.push_back(
              {"", paths[file], static_cast<std::int64_t>(offset), 0, -1, error.message});
        });
    if (!checked && checked.error().code == Code::kCancelled) return checked;
    // Any other error was said for each tensor in it.
  }
  return {};
}

Result<Checkpoint> open_files(const std::string& path, std::vector<std::string> files) {
  Checkpoint checkpoint;
  checkpoint.format = &kTableFormat;
  checkpoint.path = path;
  checkpoint.files = std::move(files);
  Lister lister;
  for (std::uint32_t file = 0; file < checkpoint.files.size(); ++file) {
    TIDELINE_TRY(TableFile table, TableFile::open(checkpoint.files[file]));
    if (Status added = lister.add_file(table, file); !added) {
      return tl::unexpected(with_context(std::move(added).error(), checkpoint.files[file]));
    }
  }
  auto tensors = lister.finish();
  if (!tensors) return tl::unexpected(with_context(std::move(tensors).error(), path));
  checkpoint.tensors = *std::move(tensors);
  return checkpoint;
}

// With the others of its kind if the name of the file is that of a shard.
Result<Checkpoint> open_tables(const std::string& path) {
  TableShards shards = table_shards_of(path);
  const bool is_shard =
      std::find(shards.files.begin(), shards.files.end(), path) != shards.files.end();
  if (is_shard && shards.missing.empty()) return open_files(shards.prefix, std::move(shards.files));
  auto alone = open_files(path, {path});
  if (alone && is_shard) {
    alone->notes.push_back(
        fmt::format("{}: is missing; these are the tensors of {} alone", shards.missing, path));
  }
  return alone;
}

}  // namespace

constinit const CheckpointFormat kTableFormat = {
    .title = "TensorFlow checkpoint of version 1",
    .open = open_tables,
    .check_rest = check_tables,
};

}  // namespace tideline::checkpoint
