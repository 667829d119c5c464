// The tree of the parser is walked by its iterator, not by recursion, so that what is nested deeply
// takes no stack. Tested by tests/gui/markdown_test.cc.
#include "render/model/parse_markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <memory>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "render/model/log_texts.h"

namespace tideline::ui {
namespace {

using Kind = MarkdownBlock::Kind;

struct Free {
  void operator()(cmark_parser* parser) const { cmark_parser_free(parser); }
  void operator()(cmark_node* node) const { cmark_node_free(node); }
  void operator()(cmark_iter* iter) const { cmark_iter_free(iter); }
};

std::string_view literal_of(cmark_node* node) {
  const char* text = cmark_node_get_literal(node);
  return text == nullptr ? std::string_view() : std::string_view(text);
}

class Walk {
 public:
  MarkdownText run(cmark_node* root) {
    const std::unique_ptr<cmark_iter, Free> iter(cmark_iter_new(root));
    for (auto event = cmark_iter_next(iter.get()); event != CMARK_EVENT_DONE;
         event = cmark_iter_next(iter.get())) {
      cmark_node* node = cmark_iter_get_node(iter.get());
      if (!take_extension(node, event == CMARK_EVENT_ENTER)) {
        event == CMARK_EVENT_ENTER ? enter(node) : leave(node);
      }
    }
    return std::move(text_);
  }

 private:
  struct List {
    bool is_numbered = false;
    int next = 1;
  };

  // Nodes of extensions have no fixed types.
  bool take_extension(cmark_node* node, bool is_enter) {
    const std::string_view type = cmark_node_get_type_string(node);
    if (type == "strikethrough") {
      struck_ += is_enter ? 1 : -1;
    } else if (type == "table") {
      is_enter ? add_block(Kind::kTable) : end_block();
    } else if (type == "table_header" || type == "table_row") {
      if (is_enter) text_.blocks.back().rows.emplace_back();
    } else if (type == "table_cell") {
      if (is_enter) text_.blocks.back().rows.back().emplace_back();
      line_ = is_enter ? &text_.blocks.back().rows.back().back() : nullptr;
    } else {
      return false;
    }
    return true;
  }

  void add_block(Kind kind) {
    MarkdownBlock& block = text_.blocks.emplace_back();
    block.kind = kind;
    block.quotes = quotes_;
    block.lists = static_cast<int>(lists_.size());
    block.marker = std::exchange(marker_, {});
    line_ = nullptr;
  }
  void end_block() { line_ = nullptr; }

  void enter(cmark_node* node) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_BLOCK_QUOTE: ++quotes_; break;
      case CMARK_NODE_LIST:
        lists_.push_back({cmark_node_get_list_type(node) == CMARK_ORDERED_LIST,
                          cmark_node_get_list_start(node)});
        break;
      case CMARK_NODE_ITEM: {
        List& list = lists_.back();
        marker_ = list.is_numbered ? fmt::format("{}.", list.next++) : "\u2022";
        break;
      }
      case CMARK_NODE_PARAGRAPH:
        add_block(Kind::kParagraph);
        begin_line();
        break;
      case CMARK_NODE_HEADING:
        add_block(Kind::kHeading);
        text_.blocks.back().level = cmark_node_get_heading_level(node);
        begin_line();
        break;
      case CMARK_NODE_CODE_BLOCK: add_lines(Kind::kCode, literal_of(node), true); break;
      case CMARK_NODE_HTML_BLOCK: add_lines(Kind::kParagraph, literal_of(node), false); break;
      case CMARK_NODE_THEMATIC_BREAK: add_block(Kind::kRule); break;
      case CMARK_NODE_TEXT:
      case CMARK_NODE_HTML_INLINE: add(literal_of(node), false); break;
      case CMARK_NODE_CODE: add(literal_of(node), true); break;
      case CMARK_NODE_SOFTBREAK: add(" ", false); break;
      case CMARK_NODE_LINEBREAK: break_line(); break;
      case CMARK_NODE_EMPH: ++emphasised_; break;
      case CMARK_NODE_STRONG: ++strong_; break;
      case CMARK_NODE_LINK:
      case CMARK_NODE_IMAGE: addresses_.emplace_back(address_of(node)); break;
      default: break;
    }
  }

  void leave(cmark_node* node) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_BLOCK_QUOTE: --quotes_; break;
      case CMARK_NODE_LIST: lists_.pop_back(); break;
      case CMARK_NODE_ITEM:
        if (!marker_.empty()) add_block(Kind::kParagraph);  // an item without anything
        break;
      case CMARK_NODE_PARAGRAPH:
      case CMARK_NODE_HEADING: end_block(); break;
      case CMARK_NODE_EMPH: --emphasised_; break;
      case CMARK_NODE_STRONG: --strong_; break;
      case CMARK_NODE_LINK:
      case CMARK_NODE_IMAGE: addresses_.pop_back(); break;
      default: break;
    }
  }

  static std::string address_of(cmark_node* node) {
    const char* url = cmark_node_get_url(node);
    const std::string address = printable(url == nullptr ? "" : url, 1000);
    return address.empty() ? "(no address)" : address;
  }

  void begin_line() { line_ = &text_.blocks.back().lines.emplace_back(); }
  void break_line() {
    if (text_.blocks.empty() || text_.blocks.back().kind == Kind::kTable) return add(" ", false);
    begin_line();
  }

  void add_lines(Kind kind, std::string_view text, bool is_code) {
    add_block(kind);
    while (!text.empty()) {
      begin_line();
      add(take_until(text, '\n'), is_code);
    }
    end_block();
  }

  void add(std::string_view text, bool is_code) {
    if (line_ == nullptr || text.empty()) return;
    MarkdownRun run;
    for (const char letter : text) {
      letter == '\t' ? run.text.append("    ") : run.text.append(1, letter == '\n' ? ' ' : letter);
    }
    run.text = printable(run.text, kMostTextBytes);
    if (!addresses_.empty()) run.address = addresses_.back();
    run.is_strong = strong_ > 0;
    run.is_emphasised = emphasised_ > 0;
    run.is_struck = struck_ > 0;
    run.is_code = is_code;
    if (!line_->empty()) {
      MarkdownRun& last = line_->back();
      MarkdownRun same = run;
      same.text = last.text;
      if (same == last) {
        last.text += run.text;
        return;
      }
    }
    line_->push_back(std::move(run));
  }

  MarkdownText text_;
  MarkdownLine* line_ = nullptr;  // that gets the text
  std::vector<List> lists_;
  std::vector<std::string> addresses_;  // of the links around
  std::string marker_;                  // of the next block
  int quotes_ = 0, strong_ = 0, emphasised_ = 0, struck_ = 0;
};

}  // namespace

MarkdownText parse_markdown(std::string_view text) {
  cmark_gfm_core_extensions_ensure_registered();
  const std::unique_ptr<cmark_parser, Free> parser(cmark_parser_new(CMARK_OPT_VALIDATE_UTF8));
  for (const char* name : {"table", "strikethrough"}) {
    if (cmark_syntax_extension* extension = cmark_find_syntax_extension(name)) {
      cmark_parser_attach_syntax_extension(parser.get(), extension);
    }
  }
  cmark_parser_feed(parser.get(), text.data(), text.size());
  const std::unique_ptr<cmark_node, Free> root(cmark_parser_finish(parser.get()));
  return Walk().run(root.get());
}

}  // namespace tideline::ui
