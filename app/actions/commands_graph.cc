// The actions for sizes, the device profile and background work. Tested by
// unit/actions/commands_policy_test.cc.
#include <algorithm>
#include <array>

#include "app/actions/commands.h"
#include "app/engine/device_profile.h"

namespace tideline::app {
namespace {

Answered set_batch_size(Viewer& viewer, const Arguments& arguments) {
  Wish wish = viewer.graph().wish();
  if (arguments.text(0) == "none") {
    wish.batch_size.reset();
  } else {
    const auto size = parse_number(arguments.text(0), 1);
    if (!size) return bad_argument(arguments.text(0), "an integer of at least 1, or none");
    wish.batch_size = *size;
  }
  viewer.graph().change(std::move(wish), "graph.batch-size");
  return {};
}

// A shape, or the rounds of a loop; "NAME=" takes them back.
template <auto kList, auto kParse>
Answered give(Viewer& viewer, const Arguments& arguments) {
  Wish wish = viewer.graph().wish();
  auto& list = wish.*kList;
  const auto forget = [&](std::string_view name) {
    std::erase_if(list, [&](const auto& given) { return given.name == name; });
  };
  const std::string& text = arguments.text(0);
  if (text.size() > 1 && text.ends_with('=')) {
    forget(std::string_view(text).substr(0, text.size() - 1));
  } else {
    TIDELINE_TRY(auto given, kParse(text));
    forget(given.name);
    list.push_back(std::move(given));
  }
  viewer.graph().change(std::move(wish));
  return {};
}

Answered set_branch(Viewer& viewer, const Arguments& arguments) {
  Wish wish = viewer.graph().wish();
  if (wish.run.as_run == AsRun::kOff) {
    return fail(Code::kInvalidArgument,
                "both branches count in a step as in the file; expected graph.as-run modelled "
                "before a branch is chosen");
  }
  const std::string& name = arguments.text(0);
  if (name.empty()) return bad_argument(name, "the name of a conditional");
  std::erase_if(wish.run.branches, [&](const GivenBranch& given) { return given.name == name; });
  if (arguments.text(1) != branch_source_name(BranchSource::kLarger)) {
    wish.run.branches.push_back({name, arguments.text(1) == branch_name(true)});
  }
  viewer.graph().change(std::move(wish));
  return {};
}

Answered set_run(Viewer& viewer, const Arguments& arguments) {
  Wish wish = viewer.graph().wish();
  wish.run = {.branches = std::move(wish.run.branches)};
  for (const AsRun how : {AsRun::kOff, AsRun::kExact}) {
    if (arguments.text(0) == as_run_name(how)) wish.run.as_run = how;
  }
  if (wish.run.as_run == AsRun::kOff) wish.run = kAsInFile;
  if (arguments.size() > 1) {
    if (wish.run.as_run == AsRun::kOff) {
      return bad_argument(arguments.text(1), "no executor for a step as in the file");
    }
    for (const Executor executor : {Executor::kCpu, Executor::kGpu}) {
      if (arguments.text(1) == executor_name(executor)) wish.run.executor = executor;
    }
  }
  if (wish == viewer.graph().wish()) {
    viewer.graph().ask_exactly();
  } else {
    viewer.graph().change(std::move(wish));
  }
  return {};
}

Answered set_profile(Viewer& viewer, const Arguments& arguments) {
  Wish wish = viewer.graph().wish();
  std::string name = arguments.text(0);
  wish.profile_file.clear();
  if (!built_in_profile(name)) {
    TIDELINE_TRY(name, resolved(viewer, name, PathUse::kRead));
    wish.profile_file = name;
  }
  TIDELINE_TRY(wish.profile, read_device_profile(name));
  viewer.graph().change(std::move(wish));
  return {};
}

Answered find_fit(Viewer& viewer, const Arguments&) {
  viewer.view.tab = ui::Tab::kFit;
  TIDELINE_RETURN_IF_ERROR(viewer.graph().find_fit());
  return {};
}

Answered copy_way(Viewer& viewer, const Arguments& arguments) {
  const std::shared_ptr<const ui::FitCard> card = viewer.graph().fit().card;
  const std::size_t count = card != nullptr ? card->ways.size() : 0;
  const auto number = static_cast<std::size_t>(arguments.whole(0));
  if (number > count || card->ways[number - 1].command.empty()) {
    return bad_argument(std::to_string(number),
                        "the number of a way with a command, after graph.fit");
  }
  viewer.clipboard = card->ways[number - 1].command;
  viewer.session.journal().say(ui::MessageKind::kInfo, "copied: " + *viewer.clipboard);
  return *viewer.clipboard;
}

Answered cancel(Viewer& viewer, const Arguments&) {
  for (const Session::Entry* entry : in_order(viewer)) {
    if (!entry->document->job()) continue;
    entry->document->cancel();
    break;
  }
  return {};
}

bool has_job(const Viewer& viewer) {
  return job_of(viewer).has_value();
}

constexpr std::array kGraphTable = {
    for_pages(action("graph.batch-size", "Set the batch size", "", "", {text("N|none")},
                     "Value of an unknown first dimension when sizes are computed.", set_batch_size,
                     has_graph)),
    for_pages(
        action("graph.shape", "Give a shape", "", "", {text("NAME=1x2x?")},
               "Set the shape of an op or tensor that the file does not record; NAME= removes it.",
               give<&Wish::shapes, parse_given_shape>, has_graph)),
    for_pages(action("graph.rounds", "Set the rounds of a loop", "", "", {text("LOOP=N")},
                     "Set how often a loop runs, for the memory that it keeps; LOOP= removes it.",
                     give<&Wish::rounds, parse_given_rounds>, has_graph)),
    for_pages(action("graph.branch", "Choose a branch", "", "",
                     {text("NAME"), word("true|false|larger")},
                     "Take a branch of a conditional, in a step as TensorFlow runs it; larger: the "
                     "one that makes more bytes.",
                     set_branch, has_graph)),
    for_pages(action("graph.as-run", "Simulate the step as TensorFlow runs it", "", "",
                     {word("off|modelled|exact"), optional(word("by-devices|cpu|gpu"))},
                     "Simulate the step as in the file (off), or as TensorFlow runs it, on a CPU "
                     "with one thread or a GPU; exact also asks an installed TensorFlow for the "
                     "graph that it runs.",
                     set_run, has_graph)),
    for_pages(action("profile.set", "Choose the device", "", "", {text("NAME|FILE")},
                     "Speeds of copies and ops: a link (pcie3), a device (v100), or a JSON file.",
                     set_profile)),
    for_pages(action("graph.fit", "Does it fit?", "Rewrite", "", {},
                     "Find the largest batch size that fits the device, and the ways to make this "
                     "one fit.",
                     find_fit, has_graph, nullptr, Effect::kSlow)),
    for_pages(action("graph.copy-way", "Copy the command of a way", "", "",
                     {whole("N", 1, "the number of a way")},
                     "Copy the command of a way that graph.fit has found, by its number.", copy_way,
                     has_graph)),
    for_pages(action("job.cancel", "Cancel", "", "", {}, "Stop what goes on in the background.",
                     cancel, has_job)),
};

}  // namespace

constinit const std::span<const Action> kGraphActions = kGraphTable;

}  // namespace tideline::app
