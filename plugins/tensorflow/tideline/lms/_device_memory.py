"""How much memory the GPU has that a graph is tuned for."""
import shutil
import subprocess

_MIB = 2 ** 20


def of_gpu():
    """Free bytes of the GPU that has the fewest; None where there is no NVIDIA driver or no GPU. The driver is asked and not
    TensorFlow, which would take the memory for itself."""
    if not shutil.which("nvidia-smi"):
        return None
    done = subprocess.run(["nvidia-smi", "--query-gpu=memory.free", "--format=csv,noheader,nounits"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    numbers = [line.strip() for line in done.stdout.decode("utf-8", "replace").splitlines()]
    sizes = [int(number) * _MIB for number in numbers if number.isdigit()]
    return min(sizes) if sizes and done.returncode == 0 else None
