"""How much memory the GPU has that a graph is tuned for, and how much of it is used."""
import os
import shutil
import subprocess

_MIB = 2 ** 20


def of_gpu(what="memory.free"):
    """Free bytes of the GPU that has the fewest, or what else the driver tells in MiB ("memory.total"); None where there is no
    NVIDIA driver or no GPU. The driver is asked and not TensorFlow, which would take the memory for itself."""
    if not shutil.which("nvidia-smi"):
        return None
    done = subprocess.run(["nvidia-smi", "--query-gpu=" + what, "--format=csv,noheader,nounits"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    numbers = [line.strip() for line in done.stdout.decode("utf-8", "replace").splitlines()]
    sizes = [int(number) * _MIB for number in numbers if number.isdigit()]
    return min(sizes) if sizes and done.returncode == 0 else None


def ratio():
    """The option for the share of the memory that a plan may use: the original's 0.9, or what its variable says."""
    given = os.environ.get("TF_LMS_SIMULATOR_MEM_RATIO") or "0.9"
    try:
        share = float(given)
    except ValueError:
        raise ValueError("TF_LMS_SIMULATOR_MEM_RATIO={}: expected a number such as 0.8".format(given))
    return ["--memory-ratio={!r}".format(share)]
