#!/usr/bin/env bash
# What ./app/run and ./tests/run say while they build: how far, and how long it will take.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=app/setup.sh
source app/setup.sh

failures=0
expect() {  # WANTED GIVEN
  [ "$1" = "$2" ] && return
  printf 'wanted: %s\n given: %s\n' "$1" "$2"
  failures=$((failures + 1))
}

expect "Building app: step 3 of 326" "$(step_text "Building app" 2 "[3/326] Building CXX object a.o")"
# 100 steps took 60 s, so 226 take 135 s.
expect "Building app: step 100 of 326, about 2 min to go" \
  "$(step_text "Building app" 60 "[100/326] Building CXX object a.o")"
expect "Building app: step 300 of 326, about 8 s to go" \
  "$(step_text "Building app" 100 "[300/326] Linking CXX executable app/tideline")"
expect "Tests: step 5 of 20, about 30 s to go" \
  "$(step_text "Tests" 10 " 5/20 Test  #7: unit: levels climb .....   Passed    0.01 sec")"
expect "" "$(step_text "Tests" 10 "FAILED: core/a.o")"
# A build that ends at once stays quiet where nobody looks on.
expect "" "$(printf '[1/2] a\n[2/2] b\n' | show_steps "Building app" 2>&1)"
exit $((failures > 0))
