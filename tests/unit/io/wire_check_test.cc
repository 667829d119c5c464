#include "core/io/wire_check.h"

#include <catch2/catch.hpp>

#include "core/io/wire.h"

namespace tideline::io {
namespace {

using namespace std::string_literals;

std::string problem(const std::string& message) {
  const auto found = check_message(message, message_rules().graph_def, 0);
  return found ? std::to_string(found->at - message.data()) + ": " + found->what : "";
}

std::string field(std::uint32_t number, const std::string& content) {
  std::string out;
  append_bytes(out, number, content);
  return out;
}

// A GraphDef with one op whose attribute f is `value`.
std::string with_attribute(const std::string& value) {
  return field(1, field(1, "x") + field(2, "NoOp") + field(5, field(1, "f") + field(2, value)));
}

}  // namespace

TEST_CASE("sound messages pass, with fields that nobody knows") {
  CHECK(problem("").empty());
  CHECK(problem(with_attribute("\x28\x01"s)).empty());
  CHECK(problem(field(99, "anything \xff")).empty());
  CHECK(problem("\x9d\x06....\x99\x06........"s).empty());  // fixed32 and fixed64, number 99
  CHECK(problem("\x9b\x06\x08\x01\x9c\x06"s).empty());      // a group
}

TEST_CASE("lengths, tags and numbers that break their message are found where they stand") {
  CHECK(problem("\x0a\x05"
                "abc"s)
            .find("1: field 'node' is 5 bytes long, 3 are left") == 0);
  CHECK(problem("\x0a\x80\x80"s).find("1: field 'node': broken length") == 0);
  CHECK(problem("\x0f"s).find("0: wire type 7") == 0);
  CHECK(problem("\x02\x00"s).find("0: field number 0") == 0);
  CHECK(problem("\x9d\x06.."s).find("truncated number") != std::string::npos);
  CHECK(problem("\x18\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"s).find("broken number") !=
        std::string::npos);
  CHECK(problem("\x9b\x06\x08\x01"s).find("not closed") != std::string::npos);
  CHECK(problem("\x9c\x06"s).find("without a beginning") != std::string::npos);
}

TEST_CASE("tags and lengths spelled with more than five bytes are refused, as protobuf does") {
  // The version (field 3) is 1, under a tag of five and of six bytes.
  CHECK(problem("\x98\x80\x80\x80\x00\x01"s).empty());
  CHECK(problem("\x98\x80\x80\x80\x80\x00\x01"s) == "0: broken field tag");
  // An op of no bytes, under a length of five and of six bytes.
  CHECK(problem("\x0a\x80\x80\x80\x80\x00"s).empty());
  CHECK(problem("\x0a\x80\x80\x80\x80\x80\x00"s) == "1: field 'node': broken length");
}

TEST_CASE("text fields must be UTF-8, byte fields need not") {
  CHECK(problem(with_attribute(field(2, "\xff"))).empty());  // s is bytes
  CHECK(problem(with_attribute(field(9, "\xff"))).find("field 'placeholder'") != std::string::npos);
}

TEST_CASE("packed lists hold whole numbers") {
  CHECK(problem(with_attribute(field(1, field(3, "\x01\x02")))).empty());
  CHECK(problem(with_attribute(field(1, field(3, "\x01\x80")))).find("packed") !=
        std::string::npos);
  CHECK(problem(with_attribute(field(1, field(4, "12345")))).find("multiple of 4") !=
        std::string::npos);
}

TEST_CASE("messages nest a hundred deep and no deeper") {
  // func { attr { value { func { ... } } } }: three messages a turn.
  const auto nested = [](int turns) {
    std::string value;
    for (int i = 0; i < turns; ++i) {
      value = field(10, field(2, field(1, "k") + field(2, value)));
    }
    return with_attribute(value);
  };
  CHECK(problem(nested(32)).empty());
  CHECK(problem(nested(33)).find("nest more than 100 deep") != std::string::npos);
  CHECK(problem(nested(2000)).find("nest more than 100 deep") != std::string::npos);
  std::string groups;
  for (int i = 0; i < 5000; ++i) groups += "\x9b\x06";
  CHECK(problem(groups).find("nest more than 100 deep") != std::string::npos);
}

}  // namespace tideline::io
