#include "core/base/text.h"

#include <catch2/catch.hpp>

#include "core/base/base64.h"
namespace tideline {

TEST_CASE("UTF-8 is recognised, its broken forms are not") {
  CHECK(is_utf8(""));
  CHECK(is_utf8("conv1/Relu, plain and longer than eight bytes"));
  CHECK(is_utf8("свёртка/畳み込み/🙂"));
  CHECK_FALSE(is_utf8("\xff"));
  CHECK_FALSE(is_utf8("ends in the middle \xe7\x95"));
  CHECK_FALSE(is_utf8("\xc0\xaf"));          // overlong '/'
  CHECK_FALSE(is_utf8("\xed\xa0\x80"));      // a surrogate
  CHECK_FALSE(is_utf8("\xf4\x90\x80\x80"));  // above U+10FFFF
}

TEST_CASE("lists are cut at the separator, without blanks and empty pieces") {
  CHECK(split_list("loss,accuracy, dropout,,", ',') ==
        std::vector<std::string>{"loss", "accuracy", "dropout"});
  CHECK(split_list("", ',').empty());
}

TEST_CASE("text for messages shows bytes that a terminal should not see") {
  CHECK(printable("a\nb\xff"
                  "c") == "a\\x0ab\\xffc");
  CHECK(printable("abcdef", 3) == "abc...");
  CHECK(printable("畳") == "畳");
}

TEST_CASE("base64 there and back; what is none is refused") {
  for (const auto& [bytes, text] :
       std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                        {"f", "Zg=="},
                                                        {"fo", "Zm8="},
                                                        {"foo", "Zm9v"},
                                                        {"foobar", "Zm9vYmFy"},
                                                        {std::string("\xff\x00\xfe", 3), "/wD+"}}) {
    CHECK(base64(bytes) == text);
    CHECK(from_base64(text) == bytes);
  }
  for (const char* wrong : {"Zg=", "Z", "Zg==Zg==", "Z===", "Zm 9", "Zm9!", "===="}) {
    CHECK_FALSE(from_base64(wrong));
  }
}

TEST_CASE("device words are found in any case") {
  CHECK(contains_ignoring_case("/job:x/device:CPU:0", "cpu"));
  CHECK(contains_ignoring_case("/Cpu:0", "cpu"));
  CHECK_FALSE(contains_ignoring_case("/gpu:0", "cpu"));
  CHECK(equal_ignoring_case("/GPU:0", "/gpu:0"));
  CHECK_FALSE(equal_ignoring_case("/gpu:0", "/gpu:01"));
  CHECK(lower_case("/Job:X/GPU:0 \xc3\x84[") == "/job:x/gpu:0 \xc3\x84[");
  CHECK(lower_case("").empty());
}

}  // namespace tideline
