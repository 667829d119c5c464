// Which page may show this one in a frame.
#pragma once

#include <string>
#include <string_view>

#include "app/web/message.h"

namespace tideline::web {

/// The field Content-Security-Policy of every answer: nothing from elsewhere, and in no frame.
inline constexpr const char* kPolicyField = "Content-Security-Policy";
inline constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src "
    "'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors "
    "'none'";

/// Empty if `text` is one origin as a browser says it, "http://localhost:8888" or
/// "https://hub.example.org": a scheme, a name in lower case or an IPv4 address, and a port where
/// it is not the scheme's. Else what is expected. Thread: pure.
[[nodiscard]] std::string why_no_origin(const std::string& text);

/// Lets pages of `origin`, and of no other, show the answer in a frame. `origin` is one, or empty
/// for none.
void let_frame(Response& response, const std::string& origin);

}  // namespace tideline::web
