#include "app/engine/say.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "app/engine/json_text.h"
#include "app/session/journal.h"

namespace tideline {

TEST_CASE("A name on the terminal is on one line, and moves no cursor", "[session]") {
  CHECK(app::shown("a\nnothing else changed\r\x1b[1A") ==
        "a\\x0anothing else changed\\x0d\\x1b[1A");
  CHECK(app::shown(3) == 3);
}

TEST_CASE("A name of any length is printed whole", "[session]") {
  const std::string name(5000, 'x');
  CHECK(app::shown(name) == name);
}

TEST_CASE("Of lines the ends stay, and nothing else that a terminal obeys", "[session]") {
  CHECK(app::shown(app::Lines{"a\tb\n\x1b[K\xc2\x9b\n"}) == "a\tb\n\\x1b[K\\u009b\n");
  CHECK(app::shown(app::Lines{""}).empty());
}

TEST_CASE("A message in the window is one line that shows what a name holds", "[session]") {
  app::Journal journal;
  journal.say(ui::MessageKind::kWarning, "a\n\xe2\x80\xae.meta: cannot open");
  CHECK(journal.messages().back().text == "a\\x0a\\u202e.meta: cannot open");
}

TEST_CASE("JSON holds no character that a terminal obeys, and the same text", "[session]") {
  const std::string name = "\x1b\x7f\xc2\x9b[\xe2\x80\xae\xe2\x80\xa8\xf3\xa0\x81\x81\n é";
  const nlohmann::ordered_json json = {{"name", name}, {"bytes", 1}};
  const std::string text = app::json_text(json);
  CHECK(text ==
        "{\n \"name\": \"\\u001b\\u007f\\u009b[\\u202e\\u2028\\udb40\\udc41\\n é\",\n \"bytes\": "
        "1\n}");
  CHECK(nlohmann::ordered_json::parse(text) == json);
}

}  // namespace tideline
