#include "core/runtime/seeds.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/base/parse.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::runtime {
namespace {

using io::append_bytes;
using io::append_varint_field;
using io::Field;
using io::FieldReader;

constexpr std::int64_t kFirstSeed2 = 1000;

// The op types of TensorFlow 2.15 that have the attributes seed and seed2. An exporter may
// have left them out, because 0 is the default.
constexpr std::string_view kSeededTypes =
    "AllCandidateSampler ComputeAccidentalHits CudnnRNN CudnnRNNBackprop CudnnRNNBackpropV2 "
    "CudnnRNNBackpropV3 CudnnRNNCanonicalToParams CudnnRNNCanonicalToParamsV2 "
    "CudnnRNNParamsSize CudnnRNNParamsToCanonical CudnnRNNParamsToCanonicalV2 CudnnRNNV2 "
    "CudnnRNNV3 FixedUnigramCandidateSampler FractionalAvgPool FractionalMaxPool "
    "LearnedUnigramCandidateSampler LogUniformCandidateSampler Multinomial "
    "ParameterizedTruncatedNormal RandomCrop RandomGamma RandomPoisson RandomPoissonV2 "
    "RandomShuffle RandomShuffleQueue RandomShuffleQueueV2 RandomStandardNormal RandomUniform "
    "RandomUniformInt SampleDistortedBoundingBox SampleDistortedBoundingBoxV2 SnapshotDataset "
    "ThreadUnsafeUnigramCandidateSampler TruncatedNormal UniformCandidateSampler";

// What a NodeDef says of its seeds.
struct Seeds {
  std::string_view name;
  bool is_random = false;  // of a type with seeds, or with an attribute seed2
  std::uint64_t seed = 0;
  std::uint64_t seed2 = 0;
};

struct Attribute {
  std::string_view key;
  std::string_view value;
};

Attribute read_attribute(std::string_view entry) {
  Attribute attribute;
  FieldReader reader(entry);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(io::map_entry::kKey)) attribute.key = field.bytes;
    if (field.is_bytes(io::map_entry::kValue)) attribute.value = field.bytes;
  }
  return attribute;
}

std::uint64_t read_integer(std::string_view value) {
  std::uint64_t integer = 0;
  FieldReader reader(value);
  for (Field field; reader.next(field);) {
    if (field.is_varint(io::attr_value::kInt)) integer = field.varint;
  }
  return integer;
}

std::string_view type_of(std::string_view node) {
  FieldReader reader(node);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(io::node_def::kOp)) return field.bytes;
  }
  return {};
}

Seeds read_seeds(std::string_view node) {
  Seeds seeds;
  seeds.is_random = has_word(kSeededTypes, type_of(node));
  // Most ops are no random ones; a search for the bytes is faster than a walk.
  if (!seeds.is_random && node.find("seed2") == std::string_view::npos) return seeds;
  FieldReader reader(node);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(io::node_def::kName)) seeds.name = field.bytes;
    if (!field.is_bytes(io::node_def::kAttr)) continue;
    const Attribute attribute = read_attribute(field.bytes);
    if (attribute.key == "seed") seeds.seed = read_integer(attribute.value);
    if (attribute.key != "seed2") continue;
    seeds.is_random = true;
    seeds.seed2 = read_integer(attribute.value);
  }
  return seeds;
}

void append_integer_attribute(std::string& node, std::string_view key, std::int64_t integer) {
  std::string value;
  append_varint_field(value, io::attr_value::kInt, static_cast<std::uint64_t>(integer));
  std::string entry;
  append_bytes(entry, io::map_entry::kKey, key);
  append_bytes(entry, io::map_entry::kValue, value);
  append_bytes(node, io::node_def::kAttr, entry);
}

std::string seeded(std::string_view node, std::int64_t seed, std::int64_t seed2) {
  std::string out;
  FieldReader reader(node);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(io::node_def::kAttr)) {
      const std::string_view key = read_attribute(field.bytes).key;
      if (key == "seed" || key == "seed2") continue;
    }
    out += field.whole;
  }
  append_integer_attribute(out, "seed", seed);
  append_integer_attribute(out, "seed2", seed2);
  return out;
}

// Ops of functions are known as "function\0op".
std::string inner_name(std::string_view function, std::string_view op) {
  return std::string(function) + '\0' + std::string(op);
}

std::string_view function_name(std::string_view function) {
  FieldReader reader(function);
  for (Field field; reader.next(field);) {
    if (!field.is_bytes(io::function_def::kSignature)) continue;
    FieldReader signature(field.bytes);
    for (Field inner; signature.next(inner);) {
      if (inner.is_bytes(io::function_def::kName)) return inner.bytes;
    }
  }
  return {};
}

template <typename Visit>
void each_function(std::string_view library, const Visit& visit) {
  FieldReader reader(library);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(io::function_library::kFunction)) visit(field.bytes);
  }
}

bool needs_seed(const Seeds& seeds) {
  return seeds.is_random && seeds.seed == 0 && seeds.seed2 == 0;
}

std::vector<std::string> unseeded_in_functions(std::string_view graph_def) {
  std::vector<std::string> names;
  FieldReader reader(graph_def);
  for (Field field; reader.next(field);) {
    if (!field.is_bytes(io::graph_def::kLibrary)) continue;
    each_function(field.bytes, [&](std::string_view function) {
      FieldReader ops(function);
      for (Field op; ops.next(op);) {
        if (!op.is_bytes(io::function_def::kNode)) continue;
        const Seeds seeds = read_seeds(op.bytes);
        if (needs_seed(seeds)) names.push_back(inner_name(function_name(function), seeds.name));
      }
    });
  }
  std::sort(names.begin(), names.end());
  return names;
}

using SeedNumbers = std::map<std::string, std::int64_t, std::less<>>;

std::string seeded_function(std::string_view function, std::int64_t seed,
                            const SeedNumbers& numbers) {
  std::string out;
  FieldReader reader(function);
  for (Field field; reader.next(field);) {
    const bool is_op = field.is_bytes(io::function_def::kNode);
    const Seeds seeds = is_op ? read_seeds(field.bytes) : Seeds{};
    if (needs_seed(seeds)) {
      const auto number = numbers.find(inner_name(function_name(function), seeds.name));
      append_bytes(out, field.number, seeded(field.bytes, seed, number->second));
    } else {
      out += field.whole;
    }
  }
  return out;
}

std::string seeded_library(std::string_view library, std::int64_t seed,
                           const SeedNumbers& numbers) {
  std::string out;
  FieldReader reader(library);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(io::function_library::kFunction)) {
      append_bytes(out, field.number, seeded_function(field.bytes, seed, numbers));
    } else {
      out += field.whole;
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> random_ops(std::string_view graph_def) {
  std::vector<std::string> names;
  FieldReader reader(graph_def);
  for (Field field; reader.next(field);) {
    if (!field.is_bytes(io::graph_def::kNode)) continue;
    const Seeds seeds = read_seeds(field.bytes);
    if (seeds.is_random) names.emplace_back(seeds.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::int64_t count_unseeded(std::string_view graph_def) {
  auto count = static_cast<std::int64_t>(unseeded_in_functions(graph_def).size());
  FieldReader reader(graph_def);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(io::graph_def::kNode) && needs_seed(read_seeds(field.bytes))) ++count;
  }
  return count;
}

std::string with_seeds(std::string_view graph_def, std::int64_t seed,
                       const std::vector<std::string>& order) {
  std::int64_t next = kFirstSeed2;
  SeedNumbers numbers;
  for (const std::string& name : order) numbers.emplace(name, next++);
  for (const std::string& name : random_ops(graph_def)) {
    if (numbers.emplace(name, next).second) ++next;
  }
  SeedNumbers inner;
  for (const std::string& name : unseeded_in_functions(graph_def)) inner.emplace(name, next++);
  std::string out;
  out.reserve(graph_def.size() + 32 * (numbers.size() + inner.size()));
  FieldReader reader(graph_def);
  for (Field field; reader.next(field);) {
    const bool is_op = field.is_bytes(io::graph_def::kNode);
    const Seeds seeds = is_op ? read_seeds(field.bytes) : Seeds{};
    if (seeds.is_random) {
      append_bytes(out, field.number, seeded(field.bytes, seed, numbers.find(seeds.name)->second));
    } else if (field.is_bytes(io::graph_def::kLibrary) && !inner.empty()) {
      append_bytes(out, field.number, seeded_library(field.bytes, seed, inner));
    } else {
      out += field.whole;
    }
  }
  return out;
}

}  // namespace tideline::runtime
