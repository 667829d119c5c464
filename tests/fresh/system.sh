# shellcheck shell=bash disable=SC2154
# Sourced by tests that need a bare Debian 12 in a folder: `here` is the root of this repository, `work` the folder of the
# test, `system` where its Debian lies.
# shellcheck source=app/bare_debian.sh
source "$here/app/bare_debian.sh"

# Goes on in namespaces of its own: mounts vanish with them, however this ends, and nothing of this machine is bound.
# Ends the test as skipped where that cannot be.
go_inside() {  # PACKAGE... -- COMMAND...: the packages are needed here; the command is this script with its arguments
  local packages=()
  while [ "$1" != -- ]; do packages+=("$1"); shift; done
  shift
  [ "$(id -u)" = 0 ] || { say "SKIP: only root can make a Debian in a folder"; exit 77; }
  [ "${TIDELINE_FRESH_INSIDE:-}" != yes ] || return 0
  mkdir -p "$here/build/fresh"
  install_packages "$here/build/fresh/packages.log" "${packages[@]}"
  exec env TIDELINE_FRESH_INSIDE=yes unshare --mount --propagation private --pid --fork "$@"
}

# How this machine reaches its mirrors, so that apt and pip do there what they do here.
copy_network_settings() {
  local file
  cp -L /etc/resolv.conf /etc/hosts "$system/etc/"
  rm -f "$system/etc/apt/sources.list"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources /etc/apt/apt.conf.d/*proxy* \
      /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
    [ ! -f "$file" ] || install -D -m 644 "$file" "$system$file"
  done
  # Services that packages bring must not start.
  printf '#!/bin/sh\nexit 101\n' >"$system/usr/sbin/policy-rc.d"
  chmod 755 "$system/usr/sbin/policy-rc.d"
}

make_devices() {
  local name major minor
  rm -rf --one-file-system "${system:?}/dev"
  mkdir -p "$system/dev/pts" "$system/dev/shm"
  while read -r name major minor; do
    mknod -m 666 "$system/dev/$name" c "$major" "$minor"
  done <<<$'null 1 3\nzero 1 5\nfull 1 7\nrandom 1 8\nurandom 1 9\ntty 5 0'
  ln -s /proc/self/fd "$system/dev/fd"
  ln -s /proc/self/fd/0 "$system/dev/stdin"
  ln -s /proc/self/fd/1 "$system/dev/stdout"
  ln -s /proc/self/fd/2 "$system/dev/stderr"
  ln -s pts/ptmx "$system/dev/ptmx"
  mount -t proc proc "$system/proc"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$system/dev/pts"
  mount -t tmpfs tmpfs "$system/dev/shm"
}

inside_as() {  # root|user COMMAND: run there by bash, with nothing of this machine's environment but its mirrors
  local settings=() line as=(HOME=/root)
  while IFS= read -r line; do
    case $line in PIP_*=* | *_proxy=* | *_PROXY=* | SSL_CERT_FILE=* | REQUESTS_CA_BUNDLE=*) settings+=("$line") ;; esac
  done < <(env)
  [ "$1" = root ] || as=(HOME=/home/dev USER=dev setpriv --reuid=dev --regid=dev --init-groups)
  chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "${settings[@]}" "${as[@]}" \
    bash -c "cd; [ ! -d tideline ] || cd tideline; $2"
}

make_system() {
  make_bare_debian
  rm -rf --one-file-system "${system:?}"
  mkdir -p "$system"
  tar -C "$system" -xpf "$bare_debian"
  copy_network_settings
  make_devices
}

remove_system() {
  umount "$system/proc" "$system/dev/pts" "$system/dev/shm"
  rm -rf --one-file-system "${system:?}"
}
