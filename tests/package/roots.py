"""Bare Debians in folders, for trying what was built on another system than this one. Needs root and debootstrap."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Kept between builds; tarballs of the bare systems are there, too.
WORK = pathlib.Path(os.environ.get("TIDELINE_WHEELS_BUILD") or ROOT / "build/wheels").resolve()
# What only root finds on PATH of a plain user's shell.
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def skip(why):
    print("SKIP:", why)
    sys.exit(77)


def run(*words, code=0, **options):
    """What it prints, its errors with it. Without the settings by which this machine's Pythons and programs find things."""
    plain = {key: value for key, value in os.environ.items()
             if key in ("HOME", "LANG", "TIDELINE_WHEELS_BUILD", "TIDELINE_JOBS", "TIDELINE_TF_PYTHON", "CCACHE_DIR", "SSL_CERT_FILE")
             or re.match(r"PIP_|.*_proxy$|.*_PROXY$", key)}
    plain.update(PATH=PATH, **options.pop("environment", {}))
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=options.pop("timeout", 600), env=plain, **options)
    assert done.returncode == code, f"{words}: exit {done.returncode}\n{done.stdout[-4000:]}"
    return done.stdout


def missing():
    """Why no system can be made here, or None."""
    if os.getuid() != 0:
        return "only root can make a Debian in a folder"
    if not shutil.which("debootstrap", path=PATH):
        return "no debootstrap"
    return None


def mirror():
    """Where this machine has its packages from, as words for debootstrap; none: its own choice."""
    for file in ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"):
        if os.path.exists(file):
            found = re.search(r"^(?:URIs: |deb (?:\[.*?\] )?)(\S+)", pathlib.Path(file).read_text(encoding="utf-8"), re.M)
            if found:
                return [found[1]]
    return []


def fresh(suite, packages, folder):
    """A bare Debian of that name with these packages in `folder`, unpacked from a tarball that is made once."""
    base = WORK / f"{suite}-{'-'.join(packages)}.tar"
    if not base.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        made = WORK / f"{suite}.new"
        shutil.rmtree(made, ignore_errors=True)
        # What it mounts vanishes with the namespace, however it ends.
        run("unshare", "--mount", "debootstrap", "--variant=minbase", f"--include={','.join(packages)}", suite, made, *mirror(),
            timeout=1500)
        run("tar", "-C", made, "--one-file-system", "--exclude=./var/cache/apt/archives/*.deb", "-cpf", f"{base}.new", ".")
        os.rename(f"{base}.new", base)
        shutil.rmtree(made)
    folder.mkdir(parents=True)
    run("tar", "-C", folder, "-xpf", base)
    return folder


# Mounts and processes vanish with the namespaces, however it ends.
INSIDE = 'mount -t proc proc "$0/proc" && mkdir -p "$0/dev/shm" && mount -t tmpfs tmpfs "$0/dev/shm" && exec chroot "$0" env -i "$@"'


def inside(root, *words, **options):
    """What a command prints there, with nothing of this machine's environment."""
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/root", "LANG": "C.UTF-8", **options.pop("environment", {})}
    return run("unshare", "--mount", "--pid", "--fork", "sh", "-c", INSIDE, root, *(f"{key}={value}" for key, value in environment.items()),
               *words, **options)
