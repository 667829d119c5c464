# shellcheck shell=bash disable=SC2034
# Sourced by app/run and tests/run: which Debian packages Tideline needs, how missing ones get
# installed, and how a preset gets built. All of it speaks on stderr, so that the output of a program
# started afterwards stays clean.

TIDELINE_BUILD_PACKAGES=(g++ cmake ninja-build ccache pkg-config protobuf-compiler libprotobuf-dev
  libfmt-dev nlohmann-json3-dev libcli11-dev libexpected-dev libxxhash-dev nettle-dev
  libboost1.74-dev zlib1g-dev libsnappy-dev libre2-dev libminizip-dev
  libimgui-dev libglfw3-dev libgl-dev libopengl-dev libegl-dev libgl1-mesa-dri libegl-mesa0 libpng-dev libfreetype-dev
  libcmark-gfm-dev libcmark-gfm-extensions-dev
  fonts-dejavu-core)
TIDELINE_TEST_PACKAGES=(catch2 clang libclang-rt-14-dev clang-format clang-tidy libbenchmark-dev
  python3 python3-venv git strace xvfb xdotool chromium chromium-driver zsh fish man-db)
TIDELINE_LONG_TEST_PACKAGES=(firefox-esr)
TIDELINE_PACKAGE_PACKAGES=(debhelper dpkg-dev)

say() { printf '%s\n' "$*" >&2; }

show_tail() {  # LOG: why something failed, without the hundreds of lines before it
  say "The last lines of $1:"
  tail -n 40 "$1" | sed 's/^/  | /' >&2
}

missing_packages() {  # PACKAGE...: prints those that are not installed
  local installed package
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || :)
  for package in "$@"; do
    grep -qxF "installed $package" <<<"$installed" || printf '%s\n' "$package"
  done
}

install_packages() {  # LOG PACKAGE...: nothing happens when everything is there
  local log=$1 missing as_root=()
  shift
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "This is no Debian: taking it that these are installed: $*"
    return 0
  fi
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "Packages are missing, and there is no sudo. As root: apt-get install ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  say "Installing by apt: ${missing[*]}"
  # `env` after sudo, because sudo drops the variables of its caller. The lock: a fresh machine may
  # just be upgrading itself.
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
  if ! { "${apt[@]}" update &&
         "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    show_tail "$log"
    say "The packages could not be installed."
    return 1
  fi
}

# Configures only where it has not been done: ninja re-runs CMake by itself when a CMakeLists.txt
# changed. A build folder that came from elsewhere (the tree was moved or copied) starts anew.
configure_preset() {  # PRESET LOG, from the root of the project
  local dir=build/$1 fresh=()
  if [ -f "$dir/CMakeCache.txt" ] &&
     ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" "$dir/CMakeCache.txt"; then
    fresh=(--fresh)
  elif [ -f "$dir/build.ninja" ]; then
    return 0
  fi
  cmake "${fresh[@]}" --preset "$1" >>"$2" 2>&1
}

rest_of() {  # SECONDS: how long that is, for a person
  if [ "$1" -lt 90 ]; then printf '%d s' "$1"; else printf '%d min' $((($1 + 30) / 60)); fi
}

# How far ninja or ctest is: prints nothing for a line that counts no step.
step_text() {  # WHAT SECONDS_SO_FAR LINE
  [[ $3 =~ ^[[\ ]*([0-9]+)/([0-9]+)(\]|\ Test) ]] || return 0
  local now=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
  printf '%s: step %d of %d' "$1" "$now" "$all"
  # The first steps say little about the others.
  if [ "$2" -ge 5 ] && [ "$now" -gt 0 ]; then
    printf ', about %s to go' "$(rest_of $(($2 * (all - now) / now)))"
  fi
}

# Follows the output of ninja or ctest on stdin. On a terminal one line says how far they are and how
# long the rest will take; in a file or a pipe a line says so once a minute.
show_steps() {  # WHAT
  local line text started=$SECONDS said=$SECONDS
  while IFS= read -r line; do
    if [ -t 2 ]; then
      text=$(step_text "$1" $((SECONDS - started)) "$line")
      [ -z "$text" ] || printf '\r\033[K  %s' "$text" >&2
    elif [ $((SECONDS - said)) -ge 60 ]; then
      text=$(step_text "$1" $((SECONDS - started)) "$line")
      [ -z "$text" ] || { said=$SECONDS; say "  $text"; }
    fi
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
}

build_preset() {  # PRESET LOG [TARGET...], from the root of the project
  local preset=$1 log=$2
  shift 2
  mkdir -p build
  : >"$log"
  if ! configure_preset "$preset" "$log" ||
     ! (set -o pipefail
        cmake --build --preset "$preset" -j"$(nproc)" ${1:+--target "$@"} 2>&1 |
          tee -a "$log" | show_steps "Building $preset"); then
    show_tail "$log"
    return 1
  fi
}
