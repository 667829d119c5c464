// Mutates encoded graphs field by field. Changing single bytes nearly always breaks some length, so
// that nothing behind the reader would be reached; here the lengths are set anew, and inputs are
// pointed at ops that exist.
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace tideline::fuzz {
namespace {

using io::Field;
using io::WireType;

constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxInput = 1U << 16U;

// A field; whatever reads as a message is taken for one, text too when it happens to.
struct Part {
  std::uint32_t number = 0;
  WireType type = WireType::kVarint;
  std::uint64_t value = 0;
  std::string bytes;  // payload of what holds no parts; groups: tags and all
  std::vector<Part> parts;
};
using Parts = std::vector<Part>;

bool take_apart(std::string_view message, int depth, Parts& parts) {
  io::FieldReader reader(message);
  Field field;
  while (reader.next(field)) {
    Part part{field.number, field.type, field.varint, {}, {}};
    if (field.type == WireType::kGroupStart) part.bytes = field.whole;
    if (field.type == WireType::kBytes &&
        (depth >= kMaxDepth || !take_apart(field.bytes, depth + 1, part.parts))) {
      part.parts.clear();
      part.bytes = field.bytes;
    }
    parts.push_back(std::move(part));
  }
  return !reader.damaged();
}

void append(std::string& out, const Part& part) {
  if (part.type == WireType::kGroupStart) {
    out += part.bytes;
    return;
  }
  if (part.type == WireType::kVarint) return io::append_varint_field(out, part.number, part.value);
  if (part.type == WireType::kBytes) {
    std::string content = part.bytes;
    for (const Part& inner : part.parts) append(content, inner);
    return io::append_bytes(out, part.number, content);
  }
  io::append_varint(out, std::uint64_t{part.number} << 3U | static_cast<std::uint64_t>(part.type));
  const int size = part.type == WireType::kFixed64 ? 8 : 4;
  for (int i = 0; i < size; ++i) out.push_back(static_cast<char>(part.value >> (8 * i)));
}

std::string put_together(const Parts& parts) {
  std::string out;
  for (const Part& part : parts) append(out, part);
  return out;
}

class Mutation {
 public:
  Mutation(Parts& parts, unsigned seed) : top_(parts), random_(seed) {}

  void apply() {
    for (int count = 1 + below(3); count > 0; --count) {
      collect();
      if (places_.empty()) return;
      if (below(4) == 0) {
        connect();
      } else {
        change(places_[static_cast<std::size_t>(below(static_cast<int>(places_.size())))]);
      }
    }
  }

 private:
  struct Place {
    Parts* parts;
    std::size_t index;
    [[nodiscard]] Part& part() const { return (*parts)[index]; }
  };

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  void collect() {
    places_.clear();
    ops_.clear();
    collect(top_, 0);
  }
  void collect(Parts& parts, int depth) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      places_.push_back({&parts, i});
      // Ops of a GraphDef, or of one inside a MetaGraphDef.
      if (depth <= 1 && parts[i].number == io::graph_def::kNode && !parts[i].parts.empty()) {
        ops_.push_back({&parts, i});
      }
      collect(parts[i].parts, depth + 1);
    }
  }

  // Lets an op read another one.
  void connect() {
    if (ops_.empty()) return;
    const auto any = [&]() -> Part& {
      return ops_[static_cast<std::size_t>(below(static_cast<int>(ops_.size())))].part();
    };
    const Part& producer = any();
    Part input{io::node_def::kInput, WireType::kBytes, 0, {}, {}};
    for (const Part& field : producer.parts) {
      if (field.number == io::node_def::kName) {
        input.bytes = field.bytes + put_together(field.parts);
      }
    }
    const int kind = below(4);
    if (kind == 0) input.bytes.insert(0, "^");
    if (kind == 1) input.bytes += ":" + std::to_string(below(3));
    Part& consumer = any();
    auto at = consumer.parts.begin();
    while (at != consumer.parts.end() && at->number < io::node_def::kInput) ++at;
    if (kind == 0) {
      while (at != consumer.parts.end() && at->number == io::node_def::kInput) ++at;
    }
    const bool replace = at != consumer.parts.end() && at->number == io::node_def::kInput;
    if (replace && below(2) == 0) {
      *at = std::move(input);
    } else {
      consumer.parts.insert(at, std::move(input));
    }
  }

  void change(const Place& place) {
    Parts& parts = *place.parts;
    const auto at = parts.begin() + static_cast<std::ptrdiff_t>(place.index);
    const Place other = places_[static_cast<std::size_t>(below(static_cast<int>(places_.size())))];
    switch (below(8)) {
      case 0: parts.erase(at); return;
      case 1: parts.insert(at, Part(*at)); return;
      case 2:
        std::swap(*at, parts[static_cast<std::size_t>(below(static_cast<int>(parts.size())))]);
        return;
      case 3: {  // the content of another field, under this one's number
        Part copy = other.part();
        copy.number = at->number;
        *at = std::move(copy);
        return;
      }
      case 4: {
        Part copy = other.part();
        parts.insert(at, std::move(copy));
        return;
      }
      default: change_value(*at); return;
    }
  }

  void change_value(Part& part) {
    if (part.type != WireType::kBytes && part.type != WireType::kGroupStart) {
      constexpr std::int64_t kValues[] = {0, 1, 2, 3, 7, -1, -5, 1 << 20, 1LL << 31, 1LL << 62};
      part.value = below(4) == 0 ? mutated_number(part.value)
                                 : static_cast<std::uint64_t>(kValues[below(10)]);
      return;
    }
    std::string content = part.bytes + put_together(part.parts);
    const std::size_t size = content.size();
    content.resize(size + 16);
    content.resize(
        LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(content.data()), size, content.size()));
    part.parts.clear();
    part.bytes = std::move(content);
  }

  static std::uint64_t mutated_number(std::uint64_t value) {
    std::uint8_t bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    LLVMFuzzerMutate(bytes, sizeof value, sizeof value);
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }

  Parts& top_;
  std::minstd_rand random_;
  std::vector<Place> places_;
  std::vector<Place> ops_;
};

}  // namespace
}  // namespace tideline::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  using namespace tideline::fuzz;
  Parts parts;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (seed % 3 == 0 || size > kMaxInput || !take_apart(bytes, 0, parts)) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  Mutation(parts, seed).apply();
  const std::string out = put_together(parts);
  if (out.empty() || out.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, out.data(), out.size());
  return out.size();
}

// Some fields of one graph among those of the other.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,
                                                 const std::uint8_t* data2, std::size_t size2,
                                                 std::uint8_t* out, std::size_t max_size,
                                                 unsigned seed) {
  using namespace tideline::fuzz;
  Parts parts;
  Parts others;
  if (size1 > kMaxInput || size2 > kMaxInput ||
      !take_apart({reinterpret_cast<const char*>(data1), size1}, 0, parts) ||
      !take_apart({reinterpret_cast<const char*>(data2), size2}, 0, others)) {
    return 0;
  }
  std::minstd_rand random(seed);
  for (Part& other : others) {
    if (random() % 2 != 0) continue;
    const std::size_t at = random() % (parts.size() + 1);
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), std::move(other));
  }
  const std::string bytes = put_together(parts);
  if (bytes.size() > max_size) return 0;
  std::memcpy(out, bytes.data(), bytes.size());
  return bytes.size();
}
