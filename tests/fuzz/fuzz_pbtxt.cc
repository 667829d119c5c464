// Text into the reader of .pbtxt graphs, and what it read to text again: the first printed form
// says all that the wire form says, and reading it gives that wire form back.
#include <cstdint>
#include <string>

#include "core/io/text_format.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/written.h"

namespace tideline::fuzz {
namespace {

constexpr std::size_t kMaxInput = 1U << 20U;
constexpr std::size_t kMaxWritten = 1U << 16U;

// text -> wire -> text -> wire: both forms stay as they are from the first print on.
void check_canonical(std::string_view text, io::MessageKind message) {
  const auto wire = io::text_to_wire(text, message);
  if (!wire) {
    require_readable(wire.error());
    return;
  }
  const auto printed = io::wire_to_text(*wire, message, 0);
  if (!printed) {  // strings that are not UTF-8, which text can spell and the wire form forbids
    require_readable(printed.error());
    return;
  }
  const auto wire_again = io::text_to_wire(*printed, message);
  require(wire_again.has_value(), "printed text can be read",
          wire_again ? *printed : wire_again.error().message);
  require(*wire_again == *wire, "printed text means the same", *printed);
  const auto printed_again = io::wire_to_text(*wire_again, message, 0);
  require(printed_again && *printed_again == *printed, "text is printed the same again", *printed);
}

void check_document(std::string_view text) {
  Progress silent;
  const auto document = io::read_document("fuzz.pbtxt", own_bytes(std::string(text)), silent);
  if (!document) {
    require_readable(document.error());
    return;
  }
  if (document->encoding != &io::kTextFormat || text.size() > kMaxWritten) return;
  const std::string_view wire = document->wire->bytes();
  const auto binary = written(*document, document->graph, {document->format, &io::kBinaryFormat});
  require(binary && *binary == wire, "the binary form is the canonical one");
  const auto printed = written(*document, document->graph, {document->format, &io::kTextFormat});
  require(printed.has_value(), "a graph that was text can be text again",
          printed ? "" : printed.error().message);
  if (printed->empty()) return;
  const auto again = io::read_document("fuzz.pbtxt", own_bytes(*printed), silent);
  require(again.has_value(), "a written text opens", again ? "" : again.error().message);
  require(again->wire->bytes() == wire, "a written text means the same", *printed);
}

}  // namespace
}  // namespace tideline::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tideline;
  if (size > fuzz::kMaxInput) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz::check_canonical(text, io::MessageKind::kGraphDef);
  fuzz::check_canonical(text, io::MessageKind::kMetaGraphDef);
  fuzz::check_document(text);
  return 0;
}
