#include "core/rewrite/lms/scope_rules.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kScopes = R"(
  conv1/a = MadeUp() f32[4]
  conv1/in/b = MadeUp(conv1/a) f32[4]
  conv10/a = MadeUp(conv1/in/b) f32[4]
  fc/a = MadeUp(conv10/a) f32[4]
  fc/b = MadeUp(fc/a) f32[4]
)";

struct Scoped {
  io::Document document = test::read_graph(kScopes);
  Policy policy;

  explicit Scoped(const char* rewriter) { policy.rewriter = rewriter; }
  void set(std::string_view path, ScopeRule rule) {
    REQUIRE(set_scope_rule(policy, document.graph, path, rule));
  }
  [[nodiscard]] ScopeRules rules() const { return scope_rules(policy); }
};

}  // namespace

TEST_CASE("never swapping one scope leaves all others as they were") {
  for (const char* rewriter : {"lms2", "lms1", "off"}) {
    INFO(rewriter);
    Scoped made(rewriter);
    made.set("fc", ScopeRule::kNever);
    CHECK(made.rules().never == Names{"fc"});
    CHECK(made.rules().only.empty());
    CHECK(made.rules().effect("fc") == ScopeEffect::kNever);
    for (const char* other : {"conv1", "conv1/in", "conv10"}) {
      CHECK(made.rules().own(other) == ScopeRule::kAutomatic);
      CHECK(made.rules().effect(other) == ScopeEffect::kAutomatic);
    }
  }
}

TEST_CASE("a scope has one rule: the last one set") {
  Scoped made("lms2");
  made.set("fc", ScopeRule::kNever);
  made.set("fc", ScopeRule::kOnly);
  made.set("fc", ScopeRule::kOnly);
  CHECK(made.rules().only == Names{"fc"});
  CHECK(made.rules().never.empty());
  CHECK(made.rules().own("fc") == ScopeRule::kOnly);
  made.set("fc", ScopeRule::kAutomatic);
  CHECK(made.rules().empty());
  CHECK(made.policy.values == Policy().values);
}

TEST_CASE("a rule for conv1 is none for conv10, though filters of LMS v2 are plain prefixes") {
  Scoped made("lms2");
  made.set("conv1", ScopeRule::kNever);
  CHECK(made.rules().never == Names{"conv1/"});
  CHECK(made.rules().own("conv1") == ScopeRule::kNever);
  CHECK(made.rules().effect("conv1/in") == ScopeEffect::kNever);
  CHECK(made.rules().effect("conv10") == ScopeEffect::kAutomatic);
  made.set("conv1", ScopeRule::kOnly);
  CHECK(made.rules().never.empty());
  CHECK(made.rules().only == Names{"conv1/"});

  Scoped whole("lms1");
  whole.set("conv1", ScopeRule::kNever);
  CHECK(whole.rules().never == Names{"conv1"});
  CHECK(whole.rules().effect("conv10") == ScopeEffect::kAutomatic);
}

TEST_CASE("a prefix typed by hand is shown for every scope that it matches") {
  Scoped made("lms2");
  set_value(made.policy, "excl-output-by-scopes", Names{"conv"});
  CHECK(made.rules().effect("conv1") == ScopeEffect::kNever);
  CHECK(made.rules().effect("conv10") == ScopeEffect::kNever);
  CHECK(made.rules().own("conv1") == ScopeRule::kAutomatic);
  CHECK(made.rules().effect("fc") == ScopeEffect::kAutomatic);
}

TEST_CASE("only one scope leaves out all but those around and inside it") {
  Scoped made("lms2");
  made.set("conv1/in", ScopeRule::kOnly);
  CHECK(made.rules().effect("conv1/in") == ScopeEffect::kOnly);
  CHECK(made.rules().effect("conv1/in/deeper") == ScopeEffect::kOnly);
  CHECK(made.rules().effect("conv1") == ScopeEffect::kAutomatic);
  CHECK(made.rules().effect("fc") == ScopeEffect::kLeftOut);
  made.set("fc", ScopeRule::kNever);
  CHECK(made.rules().effect("fc") == ScopeEffect::kNever);
}

TEST_CASE("what is in force is one line, and is cleared at once") {
  Scoped made("lms2");
  CHECK(made.rules().text().empty());
  made.set("conv1", ScopeRule::kOnly);
  made.set("conv10", ScopeRule::kOnly);
  CHECK(made.rules().text() == "only: conv1/, conv10");
  made.set("fc", ScopeRule::kNever);
  CHECK(made.rules().text() == "only: conv1/, conv10; never: fc");
  set_value(made.policy, "excl-output-by-types", Names{"Relu"});
  clear_scope_rules(made.policy);
  CHECK(made.rules().empty());
  CHECK(names_of(made.policy, "excl-output-by-types") == Names{"Relu"});
}

TEST_CASE("each rewriter has its own rules") {
  Scoped made("lms2");
  made.set("fc", ScopeRule::kNever);
  made.policy.rewriter = "lms1";
  CHECK(made.rules().empty());
  made.set("conv1", ScopeRule::kNever);
  made.policy.rewriter = "lms2";
  CHECK(made.rules().never == Names{"fc"});
}

TEST_CASE("a scope without a name has no rule") {
  Scoped made("lms2");
  CHECK(set_scope_rule(made.policy, made.document.graph, "", ScopeRule::kNever).error().code ==
        Code::kInvalidArgument);
  CHECK_FALSE(set_scope_rule(made.policy, made.document.graph, "/", ScopeRule::kNever));
}

}  // namespace tideline
