# shellcheck shell=bash
# Sourced by tests/run: Pythons with TensorFlow for the integration tests, when they can be had.

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

# TensorFlow 1.13 has wheels for Python 3.7 at the latest, which Debian 12 has not.
find_python37() {
  local candidate
  for candidate in python3.7 "$HOME"/.pyenv/versions/3.7*/bin/python; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, 7))' 2>/dev/null; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

# The newest TensorFlow has Keras 3; only the long tests need it.
find_python312() {
  local candidate
  for candidate in python3.12 "$HOME"/.pyenv/versions/3.12*/bin/python; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, 12))' 2>/dev/null; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

# Prints the path of the Python in a virtual environment, or nothing. The copy of the requirements is written last, so a
# half-made or outdated .venv, or one that came from another machine, is made anew.
tensorflow_environment() {  # FOLDER REQUIREMENTS FIND VERSION LOG, from the root of the project
  local wanted=$2 done_mark=$1/tideline_requirements.txt
  local python=$PWD/$1/bin/python base
  if cmp -s "$wanted" "$done_mark" && "$python" -c 'from importlib.util import find_spec
assert find_spec("tensorflow") and find_spec("tensorboard")' 2>/dev/null; then
    printf '%s\n' "$python"
    return 0
  fi
  base=$($3) || { say "No Python $4 with venv: tests with its TensorFlow will be skipped"; return 0; }
  say "Making $1 with TensorFlow (log: $5)"
  rm -f "$done_mark"
  if { "$base" -m venv --clear "$1" &&
       timeout 900 "$python" -m pip install --retries 1 --timeout 30 -r "$wanted" &&
       "$python" -c 'import tensorflow, tensorboard'; } >"$5" 2>&1; then
    cp "$wanted" "$done_mark"
    printf '%s\n' "$python"
  else
    say "TensorFlow could not be installed (see $5): tests with it will be skipped"
  fi
}

tensorflow_python() {  # LOG
  tensorflow_environment .venv tests/support/tensorflow_requirements.txt find_python 3.11 "$1"
}

tensorflow1_python() {  # LOG
  tensorflow_environment .venv37 tests/support/tensorflow1_requirements.txt find_python37 3.7 "$1"
}

tensorflow_newest_python() {  # LOG
  tensorflow_environment .venv312 tests/support/tensorflow_newest_requirements.txt find_python312 3.12 "$1"
}

# Prints a folder with Keras 3 for the Python path, in front of the Keras 2 that TensorFlow 2.15 has; or nothing.
keras3_folder() {  # LOG, from the root of the project; TIDELINE_TF_PYTHON is set
  local wanted=tests/support/keras3_requirements.txt folder=$PWD/.keras3
  [ -n "${TIDELINE_TF_PYTHON:-}" ] || return 0
  if cmp -s "$wanted" "$folder/tideline_requirements.txt"; then
    printf '%s\n' "$folder"
    return 0
  fi
  say "Making .keras3 (log: $1)"
  rm -rf "$folder"
  if { timeout 300 "$TIDELINE_TF_PYTHON" -m pip install --retries 1 --timeout 30 --no-deps --target "$folder" -r "$wanted" &&
       PYTHONPATH=$folder "$TIDELINE_TF_PYTHON" -c 'import keras
assert keras.__version__.startswith("3.")'; } >"$1" 2>&1; then
    cp "$wanted" "$folder/tideline_requirements.txt"
    printf '%s\n' "$folder"
  else
    say "Keras 3 could not be installed (see $1): tests with it will be skipped"
  fi
}
