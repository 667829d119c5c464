#!/usr/bin/env bash
# fuzz_once.sh SECONDS RESULTS TARGET: lets one fuzz target of the fuzz preset search for SECONDS.
# What it finds goes to build/fuzz, never into the corpus of the project; the outcome goes to
# RESULTS/<target>.xml in the form that count_tests.py reads.
set -uo pipefail
seconds=$1 results=$2 target=$3
name=$(basename "$target")
found=build/fuzz/found/$name log=build/fuzz/$name.log
corpus=tests/fuzz/corpus/${name#fuzz_}
mkdir -p "$found"
seeds=("$found")
[ ! -d "$corpus" ] || seeds+=("$corpus")
dictionary=tests/fuzz/${name#fuzz_}.dict
[ ! -f "$dictionary" ] || dictionary_option=-dict=$dictionary
status=fail
# Short stacks of allocations and a small quarantine: several times as many runs in the same time.
export ASAN_OPTIONS=malloc_context_size=2:quarantine_size_mb=32
if "$target" -max_total_time="$seconds" -max_len=65536 -timeout=25 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/$name-" ${dictionary_option:+"$dictionary_option"} "${seeds[@]}" >"$log" 2>&1; then
  status=run
fi
{
  printf '<testsuite><testcase name="%s s" status="%s"><system-out>' "$seconds" "$status"
  tail -n 30 "$log" | tr -cd '\n\t -~' | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
  printf '</system-out></testcase></testsuite>\n'
} >"$results/$name.xml"
