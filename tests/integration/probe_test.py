#!/usr/bin/env python3
"""`probe` against a CUDA driver of our own (tests/support/fake_cuda), and without any driver."""
import json
import os
import pathlib
import subprocess

import common

PROGRAM = pathlib.Path(common.PROGRAM)
BUILD = PROGRAM.parent.parent
FAKE = BUILD / "tests" / "fake_cuda"


def probe(*words, **variables):
    """rc, stdout, stderr; the driver in the folder DRIVER comes first on the library path."""
    environment = {**os.environ, **variables}
    driver = environment.pop("DRIVER", str(FAKE))
    environment["LD_LIBRARY_PATH"] = driver
    done = subprocess.run([PROGRAM, "probe", *map(str, words)], env=environment,
                          capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def near(value, expected, share=0.01):
    """A large copy has the latency of every copy in it, the smallest one its 1 KiB: both less than 1 %."""
    assert abs(value - expected) <= share * expected, (value, expected)


def figures_are_those_of_the_driver(folder):
    ledger = folder / "ledger"
    rc, out, err = probe("--json", FAKE_CUDA_DEVICES="2", FAKE_CUDA_LEDGER=str(ledger))
    assert rc == 0, err
    devices = json.loads(out)["devices"]
    assert [d["name"] for d in devices] == ["Imaginary 0", "Imaginary 1"], devices
    for device in devices:
        assert device["total_bytes"] == 8 << 30 and device["free_bytes"] == 6 << 30
        near(device["memory_bytes_per_s"], 1000e9)
        links = device["links"]
        near(links["to_host"]["bytes_per_s"], 20e9)
        near(links["to_device"]["bytes_per_s"], 25e9)
        near(links["to_host"]["both_directions_bytes_per_s"], 20e9)
        near(links["to_device"]["both_directions_bytes_per_s"], 25e9)
        near(links["to_host"]["latency_ns"], 8000)
        # Timed on the wall, on a machine that may be busy: never faster than the driver allows.
        assert 0.4e9 < links["to_host"]["pageable_bytes_per_s"] < 4.05e9
    assert ledger.read_text().split() == ["0", "0"], "something was not given back"


def a_profile_is_what_simulate_reads(folder):
    profile = folder / "profile.json"
    rc, out, err = probe("-o", profile)
    assert rc == 0 and "wrote" in out, (out, err)
    graph = common.ROOT / "assets/samples/tutorial_mnist.meta"
    words = ["--swapout-threshold", "50", "--swapin-ahead", "3", "--swapin-groupby", "2"]
    told = common.tideline("simulate", graph, *words, "--device-profile", profile, "--json")
    assert json.loads(told.stdout)["time"]["profile"] == "Imaginary 0", told.stdout
    rc, _, err = probe("-o", profile)
    assert rc == 1 and "exists" in err, err
    assert probe("-o", profile, "--force")[0] == 0
    rc, _, err = probe("-o", folder / "other.json", "--device", 7)
    assert rc == 1 and "--device 7" in err and not (folder / "other.json").exists(), err


def without_a_driver_it_says_so(folder):
    # No library, but in front of the machine's own: this machine may have a driver.
    (folder / "libcuda.so.1").write_bytes(b"none")
    none = str(folder)
    rc, out, err = probe(DRIVER=none)
    assert rc == 0 and "no device: there is no CUDA driver" in out and "pcie3" in out, (out, err)
    answer = json.loads(probe("--json", DRIVER=none)[1])
    assert answer["devices"] == [] and "driver" in answer["why_none"], answer
    rc, out, err = probe("-o", folder / "none.json", DRIVER=none)
    assert rc == 1 and not (folder / "none.json").exists(), (out, err)


def what_is_no_plugin_is_refused(folder):
    for name, content in (("empty", b""), ("text", b"no library"), ("cut", b"\x7fELF\x02\x01\x01")):
        place = folder / name
        place.mkdir()
        (place / "tideline_cuda.so").write_bytes(content)
        rc, out, _ = probe(TIDELINE_PLUGINS=str(place))
        assert rc == 0 and "no device: cannot be loaded" in out, out
    rc, out, _ = probe(TIDELINE_PLUGINS=str(folder / "nowhere"))
    assert rc == 0 and "no device: there is no tideline_cuda.so" in out, out


def a_failing_call_is_named_and_nothing_leaks(folder):
    ledger = folder / "ledger"
    for call in ("cuStreamCreate", "cuEventCreate", "cuMemAlloc", "cuMemHostAlloc",
                 "cuEventRecord", "cuEventElapsedTime", "cuStreamSynchronize",
                 "cuMemcpyDtoHAsync", "cuMemcpyHtoDAsync", "cuMemcpyDtoH", "cuMemcpyHtoD",
                 "cuMemcpyDtoDAsync", "cuCtxSynchronize"):
        rc, out, err = probe(FAKE_CUDA_FAIL=call, FAKE_CUDA_LEDGER=str(ledger))
        assert rc == 1 and f"{call}: out of memory" in err, (call, out, err)
        assert ledger.read_text().split() == ["0", "0"], call
    for call in ("cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuMemGetInfo",
                 "cuDevicePrimaryCtxRetain", "cuCtxPushCurrent"):
        rc, out, _ = probe(FAKE_CUDA_FAIL=call, FAKE_CUDA_LEDGER=str(ledger))
        assert rc == 0 and call in out, (call, out)
        assert ledger.read_text().split() == ["0", "0"], call
    rc, out, _ = probe(FAKE_CUDA_DEVICES="0")
    assert rc == 0 and "no device: the CUDA driver knows none" in out, out


def the_memory_of_a_present_device_is_the_budget(folder):
    graph = common.ROOT / "assets/samples/tutorial_mnist.meta"
    words = [PROGRAM, "tune", graph, "--batch-size", "100", "--json"]
    present = {**os.environ, "LD_LIBRARY_PATH": str(FAKE)}
    told = subprocess.run(words, env=present, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0 and "6.00 GiB free on device 0, Imaginary 0" in told.stderr, told
    assert json.loads(told.stdout)["device_memory_bytes"] == 6 << 30
    said = subprocess.run([*words, "--device-memory", "1GiB"], env=present, capture_output=True,
                          text=True, timeout=60)
    assert json.loads(said.stdout)["device_memory_bytes"] == 1 << 30, said
    assert "device 0" not in said.stderr, said
    rewritten = folder / "rewritten.meta"
    words = [PROGRAM, "rewrite", "lms2", graph, "--batch-size", "100", "-o", rewritten]
    told = subprocess.run(words, env=present, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0 and "LMS is not necessary" in told.stdout, told
    none = subprocess.run([*words, "--force"], env={**present, "FAKE_CUDA_DEVICES": "0"},
                          capture_output=True, text=True, timeout=60)
    assert none.returncode == 2, none


def main():
    with common.temporary_folder() as name:
        for test in (figures_are_those_of_the_driver, a_profile_is_what_simulate_reads,
                     without_a_driver_it_says_so, what_is_no_plugin_is_refused,
                     a_failing_call_is_named_and_nothing_leaks,
                     the_memory_of_a_present_device_is_the_budget):
            place = pathlib.Path(name) / test.__name__
            place.mkdir()
            test(place)
    print("probe says what the driver says")


if __name__ == "__main__":
    main()
