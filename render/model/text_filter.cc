#include "render/model/text_filter.h"

#include "core/base/text.h"

namespace tideline::ui {
namespace {

bool is_plain(std::string_view text) {
  return text.find_first_of("\\^$.|?*+()[]{}") == std::string_view::npos;
}

}  // namespace

void TextFilter::set(const std::string& text) {
  text_ = text;
  error_.clear();
  pattern_.reset();
  if (is_plain(text)) return;
  if (auto compiled = NamePattern::compile(text)) {
    pattern_ = *std::move(compiled);
  } else {
    error_ = compiled.error().message;
  }
}

bool TextFilter::matches(std::string_view name) const {
  if (text_.empty() || !error_.empty()) return true;
  return pattern_ ? pattern_->matches(name) : contains_ignoring_case(name, text_);
}

}  // namespace tideline::ui
