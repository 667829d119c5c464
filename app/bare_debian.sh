# shellcheck shell=bash disable=SC2154
# Sourced, after app/setup.sh, by what needs a bare Debian 12: `here` is the root of this repository.

# A tar file, which is kept for the next time.
bare_debian=$here/build/fresh/bookworm.tar

mirror() {  # that of this machine; empty: debootstrap's own
  local sources=/etc/apt/sources.list.d/debian.sources uri=
  [ ! -f $sources ] || uri=$(awk '/^URIs:/ { print $2; exit }' $sources)
  [ -n "$uri" ] || [ ! -f /etc/apt/sources.list ] || uri=$(awk '$1 == "deb" { sub(/\[[^]]*\]/, ""); print $2; exit }' /etc/apt/sources.list)
  printf '%s\n' "$uri"
}

make_bare_debian() {  # needs root and debootstrap
  local work=$here/build/fresh from=()
  [ ! -f "$bare_debian" ] || return 0
  mkdir -p "$work"
  say "Making a bare Debian 12 (log: $work/debootstrap.log)"
  rm -rf --one-file-system "$work/base"
  from=("$(mirror)")
  [ -n "${from[0]}" ] || from=()
  debootstrap --variant=minbase --include=ca-certificates bookworm "$work/base" "${from[@]}" \
    >"$work/debootstrap.log" 2>&1 || { show_tail "$work/debootstrap.log"; return 1; }
  tar -C "$work/base" -cpf "$bare_debian.new" .
  mv "$bare_debian.new" "$bare_debian"
  rm -rf --one-file-system "$work/base"
}
