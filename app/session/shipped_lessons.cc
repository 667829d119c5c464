// Tested by unit/actions/lesson_player_test.cc.
#include "app/session/shipped_lessons.h"

#include <algorithm>
#include <array>

#include "app/session/shipped_file.h"

namespace tideline::app {
namespace {

constexpr std::array kLessons = {
    ShippedLesson{"levels", "01_levels.lesson", "Levels",
                  "What a level is, and why the first tensor waits longest."},
    ShippedLesson{"peak", "02_peak.lesson", "Who is there at the peak",
                  "What lies in memory when most does, and until when."},
    ShippedLesson{"first-swap", "03_first_swap.lesson", "The first swap",
                  "Which tensors leave for the host, and what that does to the peak."},
    ShippedLesson{"late", "04_late.lesson", "Too late",
                  "Copies take time: a tensor that is asked for too late is waited for."},
    ShippedLesson{"early", "05_early.lesson", "Too early",
                  "A tensor that comes back too early is there at the peak again."},
    ShippedLesson{"shared", "06_shared.lesson", "One way back for several",
                  "Readers that are close together share a copy."},
    ShippedLesson{"scopes", "07_scopes.lesson", "Scopes",
                  "Rules by the names of layers, and how to take them back."},
    ShippedLesson{"skips", "08_skips.lesson", "Skips",
                  "Why long skips are what swapping is best at."},
    ShippedLesson{"link", "09_link.lesson", "The link decides",
                  "A faster device needs a faster link, or runs in sections."},
    ShippedLesson{"towers", "10_towers.lesson", "Two devices",
                  "What each of two devices holds, and how to prove the result."},
};

}  // namespace

std::span<const ShippedLesson> shipped_lessons() {
  return kLessons;
}

const ShippedLesson* find_shipped_lesson(std::string_view word) {
  const auto found = std::find_if(kLessons.begin(), kLessons.end(),
                                  [&](const ShippedLesson& one) { return one.word == word; });
  return found == kLessons.end() ? nullptr : &*found;
}

Result<std::string> lesson_path(const ShippedLesson& lesson) {
  return shipped_file("tutorials/lessons", lesson.file, "the lesson");
}

}  // namespace tideline::app
