// The actions for sizes, the device profile and background work. Tested by
// unit/session/commands_policy_test.cc.
#include <algorithm>
#include <array>

#include "app/session/commands.h"
#include "app/session/device_profile.h"

namespace tideline::session {
namespace {

Status set_batch_size(App& app, const Arguments& arguments) {
  Wish wish = app.session.wish();
  if (arguments[0] == "none") {
    wish.batch_size.reset();
  } else {
    const auto size = parse_number(arguments[0], 1);
    if (!size) return bad_argument(arguments[0], "an integer of at least 1, or none");
    wish.batch_size = *size;
  }
  app.session.change(std::move(wish), "graph.batch-size");
  return {};
}

// "NAME=" takes a shape back.
Status set_shape(App& app, const Arguments& arguments) {
  Wish wish = app.session.wish();
  const std::string& text = arguments[0];
  if (text.size() > 1 && text.ends_with('=')) {
    const std::string name = text.substr(0, text.size() - 1);
    std::erase_if(wish.shapes, [&](const GivenShape& given) { return given.name == name; });
  } else {
    TIDELINE_TRY(GivenShape given, parse_given_shape(text));
    std::erase_if(wish.shapes, [&](const GivenShape& old) { return old.name == given.name; });
    wish.shapes.push_back(std::move(given));
  }
  app.session.change(std::move(wish));
  return {};
}

Status set_profile(App& app, const Arguments& arguments) {
  Wish wish = app.session.wish();
  TIDELINE_TRY(wish.profile, read_device_profile(arguments[0]));
  app.session.change(std::move(wish));
  return {};
}

Status cancel(App& app, const Arguments&) {
  app.session.cancel();
  return {};
}

bool has_job(const App& app) {
  return app.session.job().has_value();
}

constexpr std::array kActions = {
    Action{"graph.batch-size", "Set the batch size", "", "", "N|none",
           "Value of an unknown first dimension when sizes are computed.", 1, 1, set_batch_size,
           has_graph},
    Action{"graph.shape", "Give a shape", "", "", "NAME=1x2x?",
           "Set the shape of an op or tensor that the file does not record; NAME= removes it.", 1,
           1, set_shape, has_graph},
    Action{"profile.set", "Choose the device", "", "", "NAME|FILE",
           "Speeds of copies and ops: a link (pcie3), a device (v100), or a JSON file.", 1, 1,
           set_profile},
    Action{"job.cancel", "Cancel", "", "", "", "Stop what goes on in the background.", 0, 0, cancel,
           has_job},
};

}  // namespace

std::span<const Action> graph_actions() {
  return kActions;
}

}  // namespace tideline::session
