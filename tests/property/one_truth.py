#!/usr/bin/env python3
"""Random graphs and policies: every verb and the app say the same of a plan.

    one_truth.py TIDELINE [GRAPHS [FIRST SEED]]
    one_truth.py TIDELINE --automatic GRAPH=BATCH...

For each seed a training-shaped graph is rewritten; --automatic rewrites real graphs in automatic mode. Peaks, bytes,
counts, lateness, reasons and warnings are then compared: those of the plan JSON, of `simulate`, of `simulate` on the written graph and of the copies found in
it, of `why`, of `tune` when parameters were searched for, and of the app, which a script drives and which
refuses to go on when one of its numbers differs.
"""
import json
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

DEVICES = ["/device:GPU:0", "/device:GPU:0", "/device:GPU:0", "/cpu:0", ""]


def node(name, op, inputs, shape, device, outputs=1, element="DT_FLOAT"):
    lines = [f'node {{ name: "{name}" op: "{op}" device: "{device}"'] + [f' input: "{i}"' for i in inputs]
    dims = "".join(f" dim {{ size: {d} }}" for d in shape)
    lines.append(f' attr {{ key: "_output_shapes" value {{ list {{ {f"shape {{{dims} }} " * outputs}}} }} }}')
    dtype = "dtype" if op in ("Placeholder", "VariableV2") else "T"
    lines.append(f' attr {{ key: "{dtype}" value {{ type: {element} }} }}')
    if op == "Merge":
        lines.append(' attr { key: "N" value { i: 2 } }')
    if op in ("Placeholder", "VariableV2"):
        lines.append(f' attr {{ key: "shape" value {{ shape {{{dims} }} }} }}')
    return "\n".join(lines) + " }\n"


def random_graph(rng):
    """A forward chain with branches and conditionals, a backward chain that reads it, and updates of variables."""
    depth = rng.randint(2, 40)
    rows = rng.choice([4, 16, -1])
    text, forward, all_ops = [], [], []

    def add(name, op, inputs, width=None, device=None):
        shape = [rows if rows > 0 else 8, width or 64 * rng.randint(1, 6)]
        if op == "Placeholder" and rows < 0:
            shape[0] = -1
        if rng.random() < 0.1 and all_ops and op != "VariableV2":
            inputs = inputs + ["^" + rng.choice(all_ops)]
        text.append(node(name, op, inputs, shape, rng.choice(DEVICES) if device is None else device))
        all_ops.append(name)
        return name

    def conditional(scope, value):
        """One of two branches runs: what waits for an op of it may be skipped."""
        text.append(node(f"{scope}/pred", "Placeholder", [], [], "/cpu:0", element="DT_BOOL"))
        width = [rows if rows > 0 else 8, 128]
        text.append(node(f"{scope}/Switch", "Switch", [value, f"{scope}/pred"], width, DEVICES[0], outputs=2))
        branches = [add(f"{scope}/{word}", "Square", [f"{scope}/Switch:{side}"], width=128, device=DEVICES[0])
                    for side, word in enumerate(("else", "then"))]
        text.append(node(f"{scope}/Merge", "Merge", branches, width, DEVICES[0], outputs=2))
        return f"{scope}/Merge"

    last = add("x", "Placeholder", [])
    for i in range(depth):
        op = rng.choice(["Relu", "Neg", "Square", "Softmax", "Mul", "Add", "MadeUp"])
        inputs = [last] + ([rng.choice(forward or [last])] if op in ("Mul", "Add") else [])
        last = add(f"{rng.choice(['a', 'a/b', 'c'])}/f{i}", op, inputs, width=128 if rng.random() < 0.6 else None)
        forward.append(last)
        if rng.random() < 0.05:
            last = conditional(f"cond{i}", last)
            forward.append(last)
    for i, source in enumerate(reversed(forward)):
        inputs = [last, source] if rng.random() < 0.8 else [last]
        last = add(f"grad/b{i}", "ReluGrad" if len(inputs) == 2 else "Neg", inputs, width=128)
        if rng.random() < 0.2:
            variable = add(f"v{i}", "VariableV2", [], width=128, device="/device:GPU:0")
            add(f"update/u{i}", "ApplyGradientDescent", [variable, last, last], width=128)
    return "".join(text)


def random_policy(rng):
    if rng.random() < 0.3:
        return "lms1", ["--optimizer-scopes", "grad", "--lb", str(rng.randint(1, 4))], []
    words = []
    if rng.random() < 0.2:
        words += ["--sync-mode", str(rng.randint(0, 3))]
    if rng.random() < 0.2:
        words += ["--excl-output-by-scopes", "c"]
    if rng.random() < 0.5:
        return "lms2", words + ["--swapout-threshold", str(rng.randint(1, 12)), "--swapin-ahead",
                                str(rng.randint(1, 6)), "--swapin-groupby", str(rng.randint(0, 4))], []
    return "lms2", words, ["--device-memory", str(int(1024 * 2 ** rng.uniform(4, 8)))]


def copies(swaps):
    """What is copied by which ops for whom."""
    return {(entry["tensor"], entry["swap_out"], copy["name"], *sorted(copy["consumers"]))
            for entry in swaps for copy in entry["swap_ins"]}


def as_options(text):
    """A text of plan JSON or of a script, with the names of fields as the command line has them."""
    return re.sub(r"'([a-z][a-z-]+)'", r"--\1", text)


def warnings_in(text):
    """The warnings about a plan among what a verb, or a script that prints its result, says."""
    found = (re.fullmatch(r"(?:tideline: )?warning: (.*)", line) for line in text.splitlines())
    return [as_options(line[1]) for line in found if line and ".pbtxt: " not in line[1]]


class Case:
    idle = 0      # swaps that were said to be idle, in all cases
    warnings = 0  # plans with a warning
    refused = 0   # budgets that no plan fits
    waits = 0     # of ops for memory

    def __init__(self, program, folder, seed, graph=None, batch_size="8", budget=None):
        """Of a random graph and policy or, with `graph`, of that one in automatic mode within `budget`."""
        self.program, self.folder, self.seed = program, pathlib.Path(folder), seed
        rng = random.Random(seed)
        self.graph = self.folder / (graph.name if graph else "graph.pbtxt")
        self.mode, self.words, self.budget = "lms2", [], ["--device-memory", str(budget)]
        if graph:
            shutil.copy(graph, self.graph)  # what is copied as a command writes beside it
        else:
            self.graph.write_text(random_graph(rng), encoding="utf-8")
            self.mode, self.words, self.budget = random_policy(rng)
        self.profile = ["--device-profile", rng.choice(["pcie3", "nvlink", "v100"])]
        self.batch_size = batch_size
        self.sizes = ["--batch-size", self.batch_size]
        if graph:
            # Graphs without devices; one that needs no swaps would be taken for a CPU's when it is looked at alone.
            self.sizes += ["--executor", "gpu"]
        self.tensors = rng.sample(range(10**6), 3)

    def run(self, *words, codes=(0,)):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, check=False,
                              cwd=self.folder)
        assert done.returncode in codes, (self.seed, words, done.returncode, done.stderr)
        return done

    def read(self, *words):
        return json.loads(self.run(*words, "--json").stdout)

    def check(self):
        out, plan_file = self.folder / f"out{self.graph.suffix}", self.folder / "plan.json"
        searched = [*self.words, *self.budget]
        options = [*self.sizes, *self.profile]
        tuned = None
        if self.budget:
            answer = self.run("tune", self.graph, *options, *searched, "--json", codes=(0, 1, 3))
            tuned = json.loads(answer.stdout) if answer.returncode != 1 else None  # such as a scope without ops
            assert tuned is None or tuned["found"] == (answer.returncode == 0), self.seed
        done = self.run("rewrite", self.mode, self.graph, "-o", out, "--plan-json", plan_file, "--quiet",
                        *(options if self.mode == "lms2" else self.sizes), *searched, codes=(0, 1, 3))
        if done.returncode != 0:
            assert not out.exists() and not plan_file.exists(), (self.seed, "written without a plan")
            assert tuned is None or (not tuned["found"]) == (done.returncode == 3), (self.seed, done.stderr)
            if done.returncode == 3:
                self.compare_refused(tuned, done.stderr, options, searched)
            return 0
        plan = json.loads(plan_file.read_text(encoding="utf-8"))
        said = self.run("simulate", self.graph, *options, "--policy", self.mode, *searched, "--json")
        simulated = json.loads(said.stdout)
        warnings = sorted(as_options(entry["text"]) for entry in plan["warnings"])
        assert warnings == sorted(warnings_in(done.stderr)) == sorted(warnings_in(said.stderr)), (
            self.seed, warnings, done.stderr, said.stderr)
        Case.warnings += len(warnings) > 0
        # The written graph has the swaps, and waits for memory within the same budget.
        afresh = self.read("simulate", out, *options, *(["--policy", "off", *self.budget] if self.budget else []))
        self.compare(plan, simulated, afresh)
        self.check_idle(plan, options)
        if tuned:
            self.compare_tuned(tuned, plan, simulated)
        self.compare_why(plan, warnings, options, searched)
        self.compare_app(simulated, warnings, options, searched)
        return len(plan["swaps"])

    def compare(self, plan, simulated, afresh):
        for key in ("device_peak_bytes", "host_peak_bytes"):
            assert plan["predicted"][key] == simulated[key] == afresh[key], (self.seed, key)
        before = simulated["before"]["device_peak_bytes"]
        assert plan["predicted"]["device_peak_bytes_before"] == before, self.seed
        for key in ("swapped_out_tensors", "swap_ins", "bytes_out", "bytes_in", "resident_bytes"):
            assert simulated[key] == afresh[key], (self.seed, key, simulated[key], afresh[key])
        for key in ("step_ns", "to_host_ns", "to_device_ns", "step_range_ns", "budget_bytes", "held_without_waiting_bytes",
                    "memory_wait_ns"):
            assert simulated["time"][key] == afresh["time"][key], (self.seed, key)
        # LMS v1 has no option for the profile.
        for key in ("step_ns", "budget_bytes", "held_without_waiting_bytes", "memory_wait_ns") if self.mode == "lms2" else ():
            assert plan["predicted"][key] == simulated["time"][key], (self.seed, key)
        assert not (self.budget and simulated["time"]["stuck"]), self.seed
        assert len(simulated["time"]["memory_waits"]) == len(afresh["time"]["memory_waits"]), self.seed
        if self.budget:
            assert simulated["device_peak_bytes"] <= simulated["time"]["budget_bytes"], self.seed
        Case.waits += len(simulated["time"]["memory_waits"])
        assert len(simulated["time"]["late_swap_ins"]) == len(afresh["time"]["late_swap_ins"]), self.seed
        effects = {entry["tensor"]: (entry["at_peak"], entry["is_idle"]) for entry in plan["swaps"]}
        assert effects == {entry["tensor"]: (entry["at_peak"], entry["is_idle"])
                           for entry in simulated["swaps"]}, self.seed
        assert simulated["idle_swaps"] == sum(idle for _, idle in effects.values()), self.seed
        assert copies(plan["swaps"]) == copies(afresh.get("file_swaps", [])), self.seed
        alive = {entry["tensor"] for entry in simulated["alive_at_peak"]}
        for entry in plan["swaps"]:
            if any(copy["name"] + ":0" in alive for copy in entry["swap_ins"]):
                assert entry["at_peak"] != "not run", (self.seed, entry)
            if entry["at_peak"] == "back on the device":
                assert any(copy["name"] + ":0" in alive for copy in entry["swap_ins"]), (self.seed, entry)

    def check_idle(self, plan, options):
        """Swaps that are said to be idle can be kept: the same parameters with them need no more."""
        idle = [entry["tensor"] for entry in plan["swaps"] if entry["is_idle"]]
        if not idle:
            return
        words = [word for name in ("swapout_threshold", "swapin_ahead", "swapin_groupby", "sync_mode")
                 if name in plan["options"] for word in ("--" + name.replace("_", "-"), plan["options"][name])]
        rest = self.words if self.mode == "lms1" else [
            word for pair in zip(self.words[::2], self.words[1::2]) if pair[0].startswith("--excl") for word in pair]
        rest = rest + [f"--{name}" for name in ("guard-conditionals", "ignore-folded")
                       if plan["options"].get(name.replace("-", "_"), False)]
        keep = plan["options"].get("keep_tensors", []) + idle
        kept = self.read("simulate", self.graph, *options, "--policy", self.mode, *words, *rest,
                         *self.budget, "--keep-tensors", ",".join(keep))
        assert kept["device_peak_bytes"] <= plan["predicted"]["device_peak_bytes"], (self.seed, "not idle", idle)
        Case.idle += len(idle)

    def compare_tuned(self, tuned, plan, simulated):
        assert tuned["found"], self.seed
        assert tuned["device_peak_bytes"] == simulated["device_peak_bytes"] < tuned["budget_bytes"] + 1, self.seed
        assert tuned["host_peak_bytes"] == simulated["host_peak_bytes"], self.seed
        assert tuned["step_ns"] == simulated["time"]["step_ns"], self.seed
        if tuned["necessary"]:
            assert tuned["held_without_waiting_bytes"] == simulated["time"]["held_without_waiting_bytes"], self.seed
        assert tuned["necessary"] == plan["necessary"], self.seed
        if tuned["necessary"]:
            assert tuned["swap_outs"] == len(plan["swaps"]), self.seed
            for key in ("swapout_threshold", "swapin_ahead", "swapin_groupby"):
                assert plan["options"][key] == tuned[key], (self.seed, key)
            assert set(tuned["keep_tensors"]) <= set(plan["options"].get("keep_tensors", [])), self.seed

    def compare_refused(self, tuned, said, options, searched):
        """A budget that no plan fits: the same sizes are named everywhere."""
        error = said.strip().removeprefix("tideline: ").removeprefix(f"{self.graph}: ")
        script = self.folder / "refused.tls"
        script.write_text("\n".join([*self.script_lines(options, searched), "wait"]) + "\n", encoding="utf-8")
        shown = self.run("script", self.graph, script, codes=(3,)).stderr
        assert as_options(shown.split("the policy: ", 1)[1].strip()) == error, (self.seed, shown, error)
        assert tuned["missed_by_bytes"] == tuned["smallest_feasible_bytes"] - tuned["device_memory_bytes"], self.seed
        Case.refused += 1

    def compare_why(self, plan, warnings, options, searched):
        said = {entry["tensor"]: (True, entry["why"]) for entry in plan["swaps"]}
        said.update({entry["tensor"]: (False, entry["why"]) for entry in plan["not_swapped"]})
        names = sorted(said)
        for number in self.tensors[:2]:
            tensor = names[number % len(names)]
            done = self.run("why", self.graph, tensor, *options, "--policy", self.mode, *searched)
            answer = done.stdout
            assert sorted(warnings_in(done.stderr)) == warnings, (self.seed, tensor, done.stderr)
            is_swapped, why = said[tensor]
            assert (") is swapped: " in answer) == is_swapped and why in answer, (self.seed, tensor, answer)

    def script_lines(self, options, searched):
        words = iter([*searched, "--device-profile", options[-1]])
        lines = [f"policy.mode {self.mode}", f"graph.batch-size {self.batch_size}"]
        lines += ["graph.as-run modelled gpu"] * ("--executor" in options)
        lines += ["profile.set " + next(words) if word == "--device-profile" else f"policy.set {word[2:]} {next(words)}"
                  for word in words]
        if self.budget:
            lines.append("policy.auto on")
        return lines

    def compare_app(self, simulated, warnings, options, searched):
        lines = self.script_lines(options, searched)
        lines += [f"expect device-peak == {simulated['device_peak_bytes']}",
                  f"expect host-peak == {simulated['host_peak_bytes']}",
                  f"expect original-device-peak == {simulated['before']['device_peak_bytes']}",
                  f"expect swaps == {len(simulated['swaps'])}",
                  f"expect bytes-out == {simulated['bytes_out']}",
                  f"expect bytes-in == {simulated['bytes_in']}",
                  f"expect idle-swaps == {simulated['idle_swaps']}",
                  f"expect late-swap-ins == {len(simulated['time']['late_swap_ins'])}",
                  f"expect step-ns == {simulated['time']['step_ns']}",
                  f"file.write app{self.graph.suffix}", "edit.copy-command-line", "print clipboard", "print result"]
        script = self.folder / "script.tls"
        script.write_text("\n".join(lines) + "\n", encoding="utf-8")
        said = self.run("script", self.graph, script).stdout
        assert sorted(warnings_in(said)) == warnings, (self.seed, said)
        written = (self.folder / f"out{self.graph.suffix}").read_bytes()
        assert (self.folder / f"app{self.graph.suffix}").read_bytes() == written, (self.seed, "the app writes another graph")
        copied = shlex.split(next(line for line in said.splitlines() if line.startswith("tideline rewrite")))
        # What was found, so that it is not searched for again.
        assert not simulated["swaps"] or not self.budget or "--swapout-threshold" in copied, (self.seed, copied)
        self.run(*copied[1:])
        again = pathlib.Path(copied[copied.index("--output") + 1])
        assert again.read_bytes() == written, (self.seed, copied)


def random_cases(program, count, first):
    swaps = plans = 0
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            found = Case(program, folder, seed).check()
            plans += found > 0
            swaps += found
    if count >= 50:
        assert Case.idle > 0, "no swap is said to be idle"
        assert Case.warnings > 0, "no plan has a warning"
        assert Case.refused > 0, "every budget fits"
        assert Case.waits > 0, "no step waits for memory"
    assert plans > count / 5, f"only {plans} of {count} policies swap anything"
    print(f"{count} graphs, {plans} plans with {swaps} swaps: all numbers agree")


def automatic_cases(program, graphs):
    """Each graph at six budgets, from nearly all of its peak to less than any plan needs."""
    for path, _, batch_size in (word.partition("=") for word in graphs):
        graph = pathlib.Path(path)
        peak = json.loads(subprocess.run([program, "simulate", str(graph), "--batch-size", batch_size, "--executor", "gpu", "--json"], check=True,
                                         capture_output=True, text=True).stdout)["device_peak_bytes"]
        found = []
        for number, share in enumerate((0.95, 0.85, 0.75, 0.65, 0.5, 0.1)):
            with tempfile.TemporaryDirectory() as folder:
                found.append(Case(program, folder, number, graph, batch_size, int(peak * share)).check())
        print(f"{graph.name}: {found} swaps at six budgets, all numbers agree", flush=True)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    if sys.argv[2:3] == ["--automatic"]:
        return automatic_cases(program, sys.argv[3:])
    count, first = [*map(int, sys.argv[2:]), *(500, 0)[len(sys.argv) - 2:]]
    return random_cases(program, count, first)


if __name__ == "__main__":
    main()
