// Tested by unit/web/connection_test.cc.
#include "app/web/message.h"

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "app/engine/json_text.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::web {

OpenFile::~OpenFile() {
  ::close(fd_);
}

const char* code_name(Code code) {
  switch (code) {
    case Code::kInvalidArgument: return "invalid_argument";
    case Code::kNotFound: return "not_found";
    case Code::kCorrupt: return "corrupt";
    case Code::kUnsupported: return "unsupported";
    case Code::kIo: return "io";
    case Code::kUnavailable: return "unavailable";
    case Code::kOverBudget: return "over_budget";
    case Code::kCancelled: return "cancelled";
    case Code::kInternal: break;
  }
  return "internal";
}

Response error_response(int status, std::string_view code, std::string_view message) {
  nlohmann::ordered_json json;
  json["error"] = {{"code", std::string(code)},
                   {"message", with_parameter_names(message, Naming::kField)}};
  Response response;
  response.status = status;
  response.body = app::json_text(json, -1);
  return response;
}

Response error_response(const Error& error) {
  const int status = error.code == Code::kInternal ? 500 : 422;
  return error_response(status, code_name(error.code), error.message);
}

}  // namespace tideline::web
