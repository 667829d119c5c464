// The files of the page, which are part of the program.
#pragma once

#include <span>
#include <string_view>

namespace tideline::web {

struct FrontFile {
  std::string_view name;  ///< "main.js"
  std::string_view content;
  std::string_view hash;  ///< of the content, in hexadecimal
};

/// All files of app/web/front, put in here when the program is built (embed.cmake).
[[nodiscard]] std::span<const FrontFile> front_files();

/// "text/javascript; charset=utf-8" for "main.js". Thread: pure.
[[nodiscard]] std::string_view content_type(std::string_view name);

}  // namespace tideline::web
