// Tested by unit/model/glossary_test.cc.
#include "render/model/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/base/text.h"

namespace tideline::ui {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::string without_marks(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != '`' && c != '*') plain += c;
  }
  return plain;
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         (static_cast<unsigned char>(c) & 0x80U);
}

// How long the term is at the beginning of `rest`; 0: it is another word.
std::size_t length_at(std::string_view rest, std::string_view word) {
  if (rest.size() < word.size() || !equal_ignoring_case(rest.substr(0, word.size()), word))
    return 0;
  for (const std::string_view plural : {"", "s", "es"}) {
    const std::size_t length = word.size() + plural.size();
    if (rest.substr(word.size()).starts_with(plural) &&
        (rest.size() == length || !is_letter(rest[length]))) {
      return length;
    }
  }
  return 0;
}

}  // namespace

std::vector<GlossaryEntry> parse_glossary(std::string_view text) {
  std::vector<GlossaryEntry> entries;
  for (const std::string& line : split_list(text, '\n')) {
    if (!line.starts_with("| ")) continue;
    const std::size_t unit = line.find('|', 1), meaning = line.find('|', unit + 1);
    const std::size_t end = line.rfind('|');
    if (unit == std::string::npos || meaning == std::string::npos || end <= meaning) continue;
    const std::string_view row = line;
    const std::string words(trimmed(row.substr(1, unit - 1)));
    if (words == "word") continue;  // the heading
    for (const std::string& one : split_list(words, ',')) {
      const std::string_view word = trimmed(std::string_view(one).substr(0, one.find('(')));
      if (word.empty()) continue;
      entries.push_back({without_marks(word),
                         without_marks(trimmed(row.substr(unit + 1, meaning - unit - 1))),
                         without_marks(trimmed(row.substr(meaning + 1, end - meaning - 1))),
                         without_marks(words)});
    }
  }
  return entries;
}

std::span<const GlossaryEntry> glossary() {
  static const std::vector<GlossaryEntry> kAll = parse_glossary(glossary_text());
  return kAll;
}

std::vector<const GlossaryEntry*> terms_in(std::string_view text, std::size_t most) {
  std::vector<const GlossaryEntry*> found;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_letter(text[at])) {
      ++at;
      continue;
    }
    const GlossaryEntry* longest = nullptr;
    std::size_t length = 0;
    for (const GlossaryEntry& entry : glossary()) {
      const std::size_t own = length_at(text.substr(at), entry.word);
      if (own > length) {
        length = own;
        longest = &entry;
      }
    }
    const bool is_known =
        longest != nullptr && std::any_of(found.begin(), found.end(), [&](const auto* entry) {
          return entry->meaning == longest->meaning;
        });
    if (longest != nullptr && !is_known) found.push_back(longest);
    at += std::max<std::size_t>(length, 1);
    while (at < text.size() && length == 0 && is_letter(text[at])) ++at;  // the rest of the word
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const GlossaryEntry* entry) { return entry->word == "level"; });
  if (found.size() > most) found.resize(most);
  return found;
}

std::string explained(std::string_view text, std::size_t most) {
  std::string paragraphs;
  for (const GlossaryEntry* entry : terms_in(text, most)) {
    const std::string unit = entry->unit.empty() ? "" : " (" + entry->unit + ")";
    paragraphs += fmt::format("{}{}{}: {}", paragraphs.empty() ? "" : "\n", entry->words, unit,
                              entry->meaning);
  }
  return paragraphs;
}

}  // namespace tideline::ui
