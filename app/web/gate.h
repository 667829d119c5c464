// Who may ask, and for which files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/web/message.h"

namespace tideline::web {

/// 256 bits of the system's random numbers, in 64 hexadecimal digits.
[[nodiscard]] std::string random_token();
/// 128 bits in 32 digits; names of sessions, uploads and files.
[[nodiscard]] std::string random_id();

/// Decides about a request by its header alone. Thread: immutable.
class Gate {
 public:
  /// `token` empty: none is needed, nor a known host, because the socket lets nobody else in.
  /// `hosts`: names besides localhost, 127.0.0.1 and [::1] by which this server may be called.
  Gate(std::string token, std::vector<std::string> hosts);

  /// 421 for a host that is not ours (a page of somebody else whose name was pointed here), 403
  /// for a page of another origin, 401 without the token where `needs_token`.
  [[nodiscard]] std::optional<Response> refuse(const Request& request, bool needs_token) const;

 private:
  [[nodiscard]] bool is_own_host(std::string_view host) const;

  std::string token_;
  std::vector<std::string> hosts_;
};

}  // namespace tideline::web
