// What is shown of an open checkpoint, as plain values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/units.h"
#include "render/model/tensor_tree.h"

namespace tideline::ui {

/// A tensor as the index describes it.
struct StoredRow {
  std::string name;
  std::string type;      ///< "float32"
  std::string shape;     ///< "[3,4]"
  std::string checksum;  ///< "0a1b2c3d", "2 slices", "-"
  Bytes bytes = 0;
};

/// The files and tensors of a checkpoint, from its index alone.
struct CheckpointListing {
  std::string path;
  std::string format;  ///< "TensorFlow checkpoint"
  std::vector<std::string> files;
  Bytes bytes = 0;
  std::vector<StoredRow> tensors;  ///< by name
  TensorTree tree;                 ///< of their names
};

/// What the values of one tensor are like.
struct TensorFacts {
  std::string name;
  std::vector<std::pair<std::string, std::string>> rows;  ///< "mean", "0.25"
  std::vector<std::int64_t> histogram;                    ///< by bin; empty if there is none
  std::string least, most;                                ///< the ends of its axis
  /// Of the same tensor in the checkpoint that is compared with, over the same axis; empty if there
  /// is none, or it has no such tensor.
  std::vector<std::int64_t> other_histogram;
  std::string other;    ///< path of that checkpoint; empty if it was not looked into
  std::string problem;  ///< why the values cannot be read, here or in the other; else empty
};

/// What comparing all bytes with their checksums found.
struct CheckpointCheck {
  bool is_whole = false;
  std::vector<std::string> damages;  ///< a sentence each
  std::string summary;               ///< "8 tensors, 1.09 MiB read: no damage"
};

/// How another checkpoint differs.
struct CheckpointComparison {
  struct Row {
    std::string name, what;  ///< "3 of 8 elements differ, ..."
  };
  std::string path;  ///< of the other one
  std::int64_t equal = 0;
  /// Those that one checkpoint lacks, or has with another type or shape, by name; then by the
  /// largest difference of two numbers, those that have none first.
  std::vector<Row> different;
};

/// A backend of a plugin that is loaded.
struct BackendRow {
  std::string name, about, library;
  std::vector<std::string> abilities;  ///< "saves", "loads", ...
};

/// Parts that are not known yet are null. Immutable; the parts are shared by later contents.
struct CheckpointContents {
  std::shared_ptr<const CheckpointListing> listing;  ///< never null
  std::string selected;                              ///< name of a tensor; empty: none
  std::shared_ptr<const TensorFacts> facts;          ///< of the selected tensor
  std::shared_ptr<const CheckpointCheck> check;
  std::shared_ptr<const CheckpointComparison> comparison;
  std::shared_ptr<const std::vector<BackendRow>> backends;
};

}  // namespace tideline::ui
