// Tested by tests/unit/view/text_fit_test.cc.
#include "render/view/text_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace tideline::render {
namespace {

constexpr std::size_t kLeastLetters = 2;
constexpr std::size_t kMostLetters = 400;
constexpr std::size_t kMostParts = 64;

bool is_unit(std::string_view word) {
  constexpr std::array<std::string_view, 10> kUnits = {"B",  "KiB", "MiB", "GiB", "TiB",
                                                       "ns", "us",  "ms",  "s",   "%"};
  return std::find(kUnits.begin(), kUnits.end(), word) != kUnits.end();
}

// `letters`, or fewer where that would leave a part of a number, or a number without its unit.
std::size_t before_number(std::string_view text, std::size_t letters) {
  for (std::size_t at = 0; at < letters;) {
    if (text[at] < '0' || text[at] > '9') {
      ++at;
      continue;
    }
    std::size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
    const std::size_t word =
        std::min(text.find_first_of(" ,)", std::min(end + 1, text.size())), text.size());
    if (end < text.size() && text[end] == ' ' && is_unit(text.substr(end + 1, word - end - 1))) {
      end = word;
    }
    if (letters < end) letters = at;
    at = end;
  }
  while (letters > 0 && text[letters - 1] == ' ') --letters;
  return letters;
}

// The longest prefix (or suffix) that fits beside the dots, by halving.
std::string shorten(const Canvas& canvas, const std::string& text, float size_px, float width_px,
                    bool keep_end) {
  const auto cut = [&](std::size_t letters) {
    return keep_end ? ".." + text.substr(text.size() - letters) : text.substr(0, letters) + "..";
  };
  std::size_t fits = 0;
  std::size_t too_many = text.size();
  while (fits + 1 < too_many) {
    const std::size_t middle = (fits + too_many) / 2;
    (canvas.text_width(cut(middle), size_px) <= width_px ? fits : too_many) = middle;
  }
  if (!keep_end) fits = before_number(text, fits);
  return fits < kLeastLetters ? std::string() : cut(fits);
}

std::string fit(const Canvas& canvas, std::string_view text, float size_px, float width_px,
                bool keep_end) {
  std::string clean = printable(text, kMostLetters);
  if (canvas.text_width(clean, size_px) <= width_px) return clean;
  for (char& letter : clean) {
    if (static_cast<unsigned char>(letter) > 0x7E) letter = '?';  // so that any place may be cut
  }
  return shorten(canvas, clean, size_px, width_px, keep_end);
}

std::vector<std::string_view> split_name(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t slash = name.find('/');
       slash != std::string_view::npos && slash + 1 < name.size(); slash = name.find('/')) {
    if (parts.size() + 1 >= kMostParts) break;
    parts.push_back(name.substr(0, slash));
    name.remove_prefix(slash + 1);
  }
  parts.push_back(name);
  return parts;
}

// The kept parts with dots between them.
std::string joined(const std::vector<std::string>& parts, const std::vector<bool>& is_kept) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool follows_gap = i > 0 && !is_kept[i - 1];
    if (!is_kept[i]) continue;
    if (follows_gap) text += text.empty() ? ".." : "/..";
    if (!text.empty()) text += '/';
    text += parts[i];
  }
  return text;
}

// The longest end of a part that has room: of a text with `before` in front of it.
std::string shortened_end(std::string_view part, const NameShortener::Fits& fits) {
  std::size_t few = std::min(part.size(), kLeastLetters);
  std::size_t many = part.size() + 1;
  while (few + 1 < many) {
    const std::size_t middle = (few + many) / 2;
    (fits(".." + std::string(part.substr(part.size() - middle))) ? few : many) = middle;
  }
  while (few < part.size() &&
         (static_cast<unsigned char>(part[part.size() - few]) & 0xC0U) == 0x80U) {
    --few;
  }
  return ".." + std::string(part.substr(part.size() - few));
}

// "..ery" of "query", ".._12" of "layer_12".
std::string short_end(std::string_view part) {
  constexpr std::size_t kEndLetters = 3;
  std::size_t letters = 0;
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  while (letters < part.size() && is_digit(part[part.size() - letters - 1])) ++letters;
  letters = letters > 0 ? std::min(letters + 1, part.size()) : std::min(kEndLetters, part.size());
  if (letters + 2 >= part.size()) return std::string(part);
  std::string end = "..";
  end += part.substr(part.size() - letters);
  return end;
}

}  // namespace

std::string fit_text(const Canvas& canvas, std::string_view text, float size_px, float width_px) {
  return fit(canvas, text, size_px, width_px, false);
}

std::string fit_name(const Canvas& canvas, std::string_view name, float size_px, float width_px) {
  return fit(canvas, name, size_px, width_px, true);
}

std::string_view last_part(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos || slash + 1 == name.size() ? name
                                                                     : name.substr(slash + 1);
}

NameShortener::NameShortener(std::span<const std::string> names) {
  for (const std::string& name : names) {
    std::string key(split_name(name).back());
    ++count_[key];
    for (const std::string_view part : split_name(name)) {
      key += '/';
      key += part;
      ++count_[key];
    }
  }
}

std::vector<NameShortener::Part> NameShortener::parts_of(std::string_view name) const {
  std::vector<Part> parts;
  const std::vector<std::string_view> texts = split_name(name);
  std::string key(texts.back());
  const auto count = [&] {
    const auto found = count_.find(key);
    return found == count_.end() ? 0 : found->second;
  };
  std::int64_t before = count();
  for (const std::string_view text : texts) {
    key += '/';
    key += text;
    const std::int64_t with = count();
    parts.push_back({text, before - with});
    before = with;
  }
  return parts;
}

// First only the ends of the parts that tell names apart, then as much as has room: parts by how
// many names they tell apart; of equal ones those near the end first, which say more.
std::string NameShortener::shorten(std::string_view name, const Fits& fits) const {
  const std::string whole = printable(name, kMostLetters);
  if (fits(whole)) return whole;
  const std::vector<Part> parts = parts_of(whole);
  std::vector<std::string> texts;
  std::vector<bool> is_kept;
  for (const Part& part : parts) {
    texts.push_back(part.apart > 0 ? short_end(part.text) : std::string(part.text));
    is_kept.push_back(part.apart > 0);
  }
  texts.back() = parts.back().text;
  is_kept.back() = true;
  std::vector<std::size_t> order;
  for (std::size_t i = parts.size() - 1; i-- > 0;) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return parts[a].apart > parts[b].apart; });
  for (std::size_t i = order.size(); i-- > 0 && !fits(joined(texts, is_kept));) {
    is_kept[order[i]] = false;
  }
  if (!fits(joined(texts, is_kept))) return shortened_end(parts.back().text, fits);
  for (const std::size_t at : order) {
    const std::string before = texts[at];
    const bool was_kept = is_kept[at];
    texts[at] = parts[at].text;
    is_kept[at] = true;
    if (fits(joined(texts, is_kept))) continue;
    texts[at] = before;
    is_kept[at] = was_kept;
  }
  return joined(texts, is_kept);
}

std::string NameShortener::shortest_apart(std::string_view name) const {
  const std::vector<Part> parts = parts_of(name);
  std::vector<std::string> texts;
  std::vector<bool> is_kept;
  for (const Part& part : parts) {
    texts.emplace_back(part.text);
    is_kept.push_back(part.apart > 0);
  }
  is_kept.back() = true;
  return joined(texts, is_kept);
}

std::vector<std::string> shorten_names(std::span<const std::string> names,
                                       const NameShortener::Fits& fits) {
  const NameShortener shortener(names);
  std::vector<std::string> shortened;
  for (const std::string& name : names) shortened.push_back(shortener.shorten(name, fits));
  return shortened;
}

ByteUnit unit_of_bytes(double largest) {
  constexpr std::array kUnits = {ByteUnit{1, "B"}, ByteUnit{1024, "KiB"},
                                 ByteUnit{kBytesPerMiB, "MiB"}, ByteUnit{kBytesPerGiB, "GiB"},
                                 ByteUnit{1024 * kBytesPerGiB, "TiB"}};
  ByteUnit unit = kUnits[0];
  for (const ByteUnit& wider : kUnits) {
    if (largest >= wider.bytes) unit = wider;
  }
  return unit;
}

std::string bytes_in(ByteUnit unit, Bytes largest, Bytes bytes) {
  if (unit.bytes <= 1) return fmt::format("{} {}", bytes, unit.name);
  const double most = static_cast<double>(largest) / unit.bytes;
  const int digits = most >= 100 ? 1 : 2;
  const double least = digits == 1 ? 0.1 : 0.01;
  const double value = static_cast<double>(bytes) / unit.bytes;
  if (bytes > 0 && value < least) return fmt::format("<{} {}", least, unit.name);
  return fmt::format("{:.{}f} {}", value, digits, unit.name);
}

}  // namespace tideline::render
