// The routes of one session.
#pragma once

#include "app/web/message.h"
#include "app/web/paths.h"
#include "app/web/served.h"
#include "app/web/uploads.h"

namespace tideline::web {

/// POST sessions/ID/act: sets the view, runs actions up to the first error, waits for what they
/// started, and answers the state with pictures.
[[nodiscard]] Response act(Served& served, const AllowedPaths& paths, const Request& request);
/// GET sessions/ID/state?since&wait.
[[nodiscard]] Response state(Served& served, const Request& request);
/// GET sessions/ID/picture, hit and rows.
[[nodiscard]] Response picture(Served& served, const Request& request);
[[nodiscard]] Response hit(Served& served, const Request& request);
[[nodiscard]] Response rows(Served& served, const Request& request);
/// POST sessions/ID/files: makes a file to be fetched.
[[nodiscard]] Response make_file(Served& served, Downloads& downloads, const Request& request);

}  // namespace tideline::web
