#!/usr/bin/env python3
"""Sections and towers of real graphs: every verb and the app say the same of a plan.

    one_truth_reports.py TIDELINE [CASES [FIRST SEED]]

For each seed a graph of tests/data or assets/samples is cut into sections or copied to devices. Peaks, devices, lines of
the report and warnings are then compared: those of the plan JSON, of what `rewrite` prints, of `simulate --plan` on the
original and on the written graph, and of the app, which a script drives and which writes the same graph and plan.
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Graph, loss, train op, what is split over towers.
GRAPHS = [
    ("assets/samples/tutorial_mnist.meta", "loss/sparse_softmax_cross_entropy_loss/value", "adam_optimizer/Adam",
     "Placeholder:0,Placeholder_1:0"),
    ("tests/data/graphs/mlp.meta", "loss/Mean", "adam_optimizer/Adam", "x:0,y:0"),
    ("tests/data/graphs/mnist_deep.meta", None, None, None),
    ("assets/samples/residual.meta", None, None, None),
]


def as_options(text):
    return re.sub(r"'([a-z][a-z-]+)'", r"--\1", text)


class Case:
    warnings = 0

    def __init__(self, program, folder, seed):
        self.program, self.folder, self.seed = program, pathlib.Path(folder), seed
        rng = random.Random(seed)
        path, loss, train, split = rng.choice([entry for entry in GRAPHS if entry[1]])
        self.graph = ROOT / path
        self.batch = str(rng.choice([4, 60, 1000]))
        self.mode = rng.choice(["sections", "replicate"])
        self.words = ["loss", loss]
        if self.mode == "sections":
            self.words += ["sections", str(rng.randint(2, 5))] if rng.random() < 0.5 else ["levels", str(rng.randint(5, 12))]
        else:
            devices = [f"/device:GPU:{i}" for i in range(rng.randint(2, 4))]
            self.words += ["devices", ",".join(devices), "split", split, "train-op", train]

    def run(self, *words, codes=(0,)):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, check=False, cwd=self.folder)
        assert done.returncode in codes, (self.seed, words, done.returncode, done.stderr)
        return done

    def read(self, *words):
        return json.loads(self.run(*words, "--batch-size", self.batch, "--json").stdout)

    def check(self):
        options = [word if i % 2 else f"--{word}" for i, word in enumerate(self.words)]
        done = self.run("rewrite", self.mode, self.graph, "-o", "out.meta", "--plan-json", "plan.json", *options,
                        "--batch-size", self.batch, codes=(0, 1))
        if done.returncode:
            return False  # such as a border where there is nothing to cut
        plan = json.loads((self.folder / "plan.json").read_text(encoding="utf-8"))
        warnings = [line.removeprefix("tideline: warning: ") for line in done.stderr.splitlines()]
        assert sorted(as_options(entry["text"]) for entry in plan["warnings"]) == sorted(warnings), (self.seed, done.stderr)
        Case.warnings += len(warnings) > 0
        said = [line for line in done.stdout.splitlines() if not line.startswith("wrote ")]
        # The devices of towers are GPUs, of which the original says nothing.
        original = self.read("simulate", self.graph, *(["--executor", "gpu"] if self.mode == "replicate" else []))
        of_plan = self.read("simulate", self.graph, "--plan", "plan.json")
        of_file = self.read("simulate", "out.meta", "--plan", "plan.json")
        assert of_plan["parts"] == of_file["parts"], (self.seed, of_plan["parts"], of_file["parts"])
        parts = {part["name"]: (part["device_peak_bytes"], part["resident_bytes"]) for part in of_plan["parts"]}
        if self.mode == "sections":
            self.compare_sections(plan, parts, original)
        else:
            self.compare_towers(plan, parts, original)
        assert self.run("diff", self.graph, "out.meta", "--plan", "plan.json").returncode == 0
        self.compare_app(plan, said, warnings, parts)
        return True

    def compare_sections(self, plan, parts, original):
        told = {f"run section {phase['section']}": phase["predicted"] for phase in plan["phases"]}
        told["run forward"] = plan["predicted"]["forward"]
        assert parts == {name: (peak["device_peak_bytes"], peak["resident_bytes"]) for name, peak in told.items()}, (
            self.seed, parts, told)
        assert plan["predicted"]["plain"]["device_peak_bytes"] == original["device_peak_bytes"], self.seed

    def compare_towers(self, plan, parts, original):
        predicted = plan["predicted"]
        assert predicted["device_peak_bytes_before"] == original["device_peak_bytes"], self.seed
        largest = max(peak for peak, _ in parts.values())
        assert predicted["device_peak_bytes"] == largest == parts[f"device {predicted['device']}"][0], (self.seed, parts)

    def compare_app(self, plan, said, warnings, parts):
        lines = [f"policy.mode {self.mode}", f"graph.batch-size {self.batch}"]
        lines += [f"policy.set {name} {value}" for name, value in zip(self.words[::2], self.words[1::2])]
        lines += ["print result", "file.write app.meta", "file.write-plan app.json"]
        (self.folder / "script.tls").write_text("\n".join(lines) + "\n", encoding="utf-8")
        shown = self.run("script", self.graph, "script.tls").stdout.splitlines()
        assert (self.folder / "app.meta").read_bytes() == (self.folder / "out.meta").read_bytes(), self.seed
        assert json.loads((self.folder / "app.json").read_text(encoding="utf-8")) == plan, self.seed
        of_report = [line for line in said if not line.startswith(("device memory of a step", "op times"))]
        missing = [line for line in of_report if line not in shown]
        assert not missing, (self.seed, missing, shown)
        assert [as_options(line.removeprefix("warning: ")) for line in shown if line.startswith("warning: ")] == warnings, (
            self.seed, shown)
        if self.mode == "replicate":
            for name, (peak, _) in parts.items():
                begin = f"{name.removeprefix('device ')}, as TensorFlow runs it on a GPU: peak {as_text(peak)} "
                assert any(line.startswith(begin) for line in shown), (self.seed, begin, shown)


def as_text(size):
    """As format_bytes writes it."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            return f"{size} B" if unit == "B" else f"{size:.2f} {unit}"
        size /= 1024
    return None


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    count, first = [*map(int, sys.argv[2:]), *(40, 0)[len(sys.argv) - 2:]]
    made = {}
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            case = Case(program, folder, seed)
            made[case.mode] = made.get(case.mode, 0) + case.check()
    assert min(made.get(mode, 0) for mode in ("sections", "replicate")) > count / 5, made
    assert Case.warnings > 0, "no plan has a warning"
    print(f"{count} cases, {made['sections']} with sections, {made['replicate']} with towers: all numbers agree")


if __name__ == "__main__":
    main()
