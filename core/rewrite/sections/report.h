// What a plan of sections says about the runs of a cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/units.h"
#include "core/graph/graph.h"

namespace tideline {

/// Peaks of device memory by the faithful model. Units: bytes.
struct RunPeak {
  Bytes peak = 0;      ///< variables and constants included
  Bytes resident = 0;  ///< of it, what is there for the whole run
  [[nodiscard]] Bytes transient() const { return peak - resident; }
};

/// The backward run of one section. Ids are those of the plan.
struct SectionPhase {
  int section = 0;
  std::string label;  ///< "graph_section_2", "levels 10 to 24"
  OpId train_op;      ///< runs all targets
  /// Placeholder of the run, and the tensor of the original whose kept value it is fed.
  std::vector<std::pair<OpId, TensorId>> feeds;
  /// Tensor to fetch in this run, and the tensor of the original whose value it is.
  std::vector<std::pair<TensorId, TensorId>> cache;
  std::vector<OpId> targets;  ///< ops of the original: what it updates
  std::size_t copies = 0;     ///< ops that were copied
  std::optional<RunPeak> peak = {};
};

/// What the reference feeds and caches for a section. Sorted by name.
struct ReferenceSection {
  int index = 0;
  OpId train_op;
  std::vector<TensorId> feeds, cache;
};

/// What the reference does for an op that its user fetches from a cycle.
struct ReferenceFetch {
  OpId op;
  int section = -1;             ///< the section with whose run it is fetched; -1: the forward run
  std::vector<TensorId> feeds;  ///< that run is fed these as well; by name
  /// The runs of these sections keep these as well; by section, then by name.
  std::vector<std::pair<int, TensorId>> cache;
};

struct SectionsReport {
  TensorId loss;                        ///< fetched in the forward run
  std::vector<TensorId> forward_cache;  ///< by name
  std::vector<SectionPhase> phases;     ///< in the order in which they run: the last section first
  std::vector<ReferenceSection> reference;        ///< with --compat, instead of phases; by index
  std::vector<ReferenceFetch> reference_fetches;  ///< with --compat, in the order of --fetches
  std::vector<std::int32_t> borders;  ///< levels at which sections begin, if cut by levels
  std::optional<RunPeak> plain = {};  ///< the step of the original
  std::optional<RunPeak> forward = {};
  /// Bytes on the device by run of the cycle and by step of the run, as TensorFlow runs them; empty
  /// where the runs were not simulated so.
  std::vector<std::vector<Bytes>> run_memory = {};
  Bytes kept_bytes = 0;  ///< the most that the host keeps between runs
  std::vector<std::string> notices;
};

}  // namespace tideline
