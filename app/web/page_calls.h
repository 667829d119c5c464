// The actions that a page asks for.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "app/actions/commands.h"

namespace tideline::web {

/// The words of an action, such as ["view.tab", "memory"]. Errors: kInvalidArgument, beginning with
/// `member`, by which the body calls them.
[[nodiscard]] Result<app::Words> parse_words(const nlohmann::json& list, std::string_view member);

/// What `words`, which are not empty, ask for. Everything that a page asks for is read here, so
/// that what is checked is what runs. Errors: kInvalidArgument for what is no action, kUnsupported
/// for one that is not for pages (Action::fronts), saying what to do instead.
[[nodiscard]] Result<app::Call> parse_page_call(const app::Words& words);

/// The actions of a session that is opened again. Errors: those above; kInvalidArgument for what
/// changes more than a wish.
[[nodiscard]] Result<ui::Intents> parse_resume(const nlohmann::json& list);

}  // namespace tideline::web
