// The routes of the server: what a request does, and its answer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/web/gate.h"
#include "app/web/message.h"
#include "app/web/paths.h"
#include "app/web/served.h"
#include "app/web/sources.h"
#include "app/web/uploads.h"

namespace tideline::web {

inline constexpr int kApiVersion = 1;
inline constexpr std::uint64_t kMostBodyBytes = 64 * 1024;
inline constexpr std::uint64_t kUploadLimit = std::uint64_t{1} << 30U;

struct RoutesOptions {
  std::size_t sessions = 8;
  std::uint64_t upload_limit = kUploadLimit;
  std::string frame_origin;  ///< whose pages may frame this one; empty: none
  std::string spool;  ///< folder for files that are made; empty: the system's for temporary ones
};

/// Thread: any number of requests at a time; requests of one session take turns.
class Routes final : public Application {
 public:
  /// `paths` outlives it.
  Routes(Gate gate, AllowedPaths& paths, const RoutesOptions& options = {});

  [[nodiscard]] std::variant<ExpectedBody, Response> begin(const Request& request) override;
  [[nodiscard]] Response answer(const Request& request) override;

  /// Ends all waiting.
  void end() { sessions_.end(); }

 private:
  [[nodiscard]] ExpectedBody begin_upload(const Request& request);
  [[nodiscard]] Response route(const Request& request);
  [[nodiscard]] Response about() const;
  [[nodiscard]] Response open_session(const Request& request);
  [[nodiscard]] Response of_session(const Request& request, const std::string& rest);

  Gate gate_;
  AllowedPaths& paths_;
  RoutesOptions options_;
  UploadRoom upload_room_;  // outlives what uses it
  Sessions sessions_;
  Uploads uploads_;
  Downloads downloads_;
  Sources sources_;
};

}  // namespace tideline::web
