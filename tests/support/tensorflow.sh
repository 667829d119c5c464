# shellcheck shell=bash
# Sourced by tests/run: a Python with TensorFlow for the integration tests, when it can be had.

# TensorFlow 2.15 has wheels for Python 3.9 to 3.11; the tests were written with 3.11, Debian 12's own.
find_python() {
  local candidate
  for candidate in python3.11 "$HOME"/.pyenv/versions/3.11*/bin/python python3; do
    if "$candidate" -c 'import sys, venv, ensurepip
sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

# Prints the path of .venv's Python, or nothing. The copy of the requirements is written last, so a
# half-made or outdated .venv, or one that came from another machine, is made anew.
tensorflow_python() {  # LOG, from the root of the project
  local wanted=tests/support/tensorflow_requirements.txt done_mark=.venv/tideline_requirements.txt
  local python=$PWD/.venv/bin/python base
  if cmp -s "$wanted" "$done_mark" && "$python" -c 'from importlib.util import find_spec
assert find_spec("tensorflow") and find_spec("tensorboard")' 2>/dev/null; then
    printf '%s\n' "$python"
    return 0
  fi
  base=$(find_python) || { say "No Python 3.11 with venv: tests with TensorFlow will be skipped"; return 0; }
  say "Making .venv with TensorFlow (log: $1)"
  rm -f "$done_mark"
  if { "$base" -m venv --clear .venv &&
       timeout 900 "$python" -m pip install --retries 1 --timeout 30 -r "$wanted" &&
       "$python" -c 'import tensorflow, tensorboard'; } >"$1" 2>&1; then
    cp "$wanted" "$done_mark"
    printf '%s\n' "$python"
  else
    say "TensorFlow could not be installed (see $1): tests with it will be skipped"
  fi
}
