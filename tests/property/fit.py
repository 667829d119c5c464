#!/usr/bin/env python3
"""Real graphs on devices of three sizes: `fit` says what all other verbs say.

    fit.py TIDELINE [GRAPH...]

The largest batch fits and the next one does not, by `simulate` with the same options; kinds and layers add up to the
peak; the ways stand in order; and each command that is offered, run as it stands, gives the peak and the time that the
table promises. `tune` agrees on what LMS v2 finds, and the app on verdict, peak and largest batch.
"""
import json
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Each with the batch that is asked about.
GRAPHS = {"tests/data/graphs/resnet50.meta": 64, "tests/data/graphs/transformer.meta": 16, "tests/data/graphs/unet3d.meta": 4,
          "assets/samples/tutorial_mnist.meta": 512, "tests/data/graphs/mnist_deep.meta": 256, "assets/samples/lstm.meta": 64,
          "assets/samples/residual.meta": 32, "tests/data/graphs/mlp.meta": 4096, "tests/data/graphs/cond.meta": 512,
          "tests/data/graphs/resource_vars.meta": 128, "tests/data/graphs/bn_is_training.meta": 256,
          "tests/data/graphs/embedding_sparse.meta": 512}
SHARES = (0.85, 0.5, 0.2)  # of what the step needs as it is
SLOW = {"tests/data/graphs/transformer.meta", "tests/data/graphs/resnet50.meta", "tests/data/graphs/unet3d.meta"}


class Checker:
    def __init__(self, program):
        self.program = program
        self.problems = []
        self.ways = self.commands = 0

    def run(self, *arguments, codes=(0,)):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)
        if done.returncode not in codes:
            raise SystemExit(f"{arguments}: exit {done.returncode}: {done.stderr}")
        return done.stdout

    def expect(self, holds, about, text):
        if not holds:
            self.problems.append(f"{about}: {text}")

    def peak(self, graph, batch, *options):
        return json.loads(self.run("simulate", graph, "--batch-size", batch, "--json", *options))["device_peak_bytes"]

    def check(self, graph, batch, device, options=()):
        about = f"{graph} at {batch} on {device}"
        fit = json.loads(self.run("fit", graph, "--batch-size", batch, "--device", device, "--json", *options, codes=(0, 3)))
        budget, peak = fit["budget_bytes"], fit["device_peak_bytes"]
        self.expect(peak == self.peak(graph, batch, *options), about, "another peak than simulate")
        self.expect(fit["fits"] == (peak <= budget), about, "fits does not follow from the peak")
        self.expect(sum(kind["bytes"] for kind in fit["kinds"]) == peak, about, "the kinds do not add up")
        self.expect(sum(layer["bytes"] for layer in fit["layers"]) == peak, about, "the layers do not add up")
        self.expect(len(fit["layers"]) <= 10, about, "more than ten layers")
        largest = fit["largest_batch"]
        if largest is None:
            self.expect(fit["largest_batch_reason"] is not None, about, "no largest batch, and no reason")
        else:
            if largest > 0:
                found = self.peak(graph, largest, *options)
                self.expect(found == fit["largest_batch_peak_bytes"], about, "another peak of the largest batch")
                self.expect(found <= budget, about, f"a batch of {largest} does not fit")
            beyond = self.peak(graph, largest + 1, *options)
            self.expect(beyond == fit["next_batch_peak_bytes"], about, "another peak of the next batch")
            self.expect(beyond > budget, about, f"a batch of {largest + 1} fits, too")
            self.expect((largest >= batch) == fit["fits"] or not fit["monotone"], about, "verdict and batch disagree")
        order = [(not way["fits"], way["step_ns"] / way["batch_size"]) for way in fit["ways"]]
        self.expect(order == sorted(order), about, "the ways are not in order")
        for way in fit["ways"]:
            self.ways += 1
            self.expect(way["device_peak_bytes"] <= budget or not way["fits"], about, f"{way['title']} fits above the budget")
        return fit

    def check_app(self, graph, fit, folder):
        """The app, which a script drives: it refuses to go on when one of its numbers differs."""
        verdict = "yes" if fit["fits"] else "by-a-way" if any(way["fits"] for way in fit["ways"]) else "no"
        largest = "any" if fit["largest_batch"] is None else fit["largest_batch"]
        script = pathlib.Path(folder) / "fit.tls"
        script.write_text(f"graph.batch-size {fit['batch_size']}\npolicy.set device-memory {fit['budget_bytes']}\n"
                          f"expect device-peak == {fit['device_peak_bytes']}\ngraph.fit\n"
                          f"expect fits == {verdict}\nexpect fit-largest-batch == {largest}\n")
        done = subprocess.run([self.program, "script", graph, script], capture_output=True, text=True, cwd=ROOT)
        self.expect(done.returncode == 0, f"{graph} on {fit['device']}", f"the app says otherwise: {done.stderr.strip()}")

    def check_commands(self, graph, fit, folder):
        """Each command as it stands, but for the name of what it writes."""
        for way in fit["ways"]:
            if way["command"] is None:
                continue
            about = f"{graph}, {way['title']} of {fit['device']}"
            words = shlex.split(way["command"])
            self.expect(words[0] == "tideline", about, "the command is of another program")
            at = words.index("--output")
            plan = pathlib.Path(folder) / "plan.json"
            plan.unlink(missing_ok=True)
            self.run(*words[1:at], *words[at + 2:], "--plan-json", plan)
            self.commands += 1
            said = json.loads(plan.read_text())
            predicted = said["predicted"]
            if way["way"] == "sections":
                plain = predicted["plain"] if "plain" in predicted else None
                runs = [predicted["forward"]] + [phase["predicted"] for phase in said["phases"]]
                peak = max(run["device_peak_bytes"] for run in runs)
                self.expect(plain is None or plain["device_peak_bytes"] == fit["device_peak_bytes"], about, "another plain step")
                self.expect(peak == way["device_peak_bytes"], about, f"a run needs {peak}, the table says {way['device_peak_bytes']}")
                continue
            self.expect(predicted["device_peak_bytes"] == way["device_peak_bytes"], about,
                        f"the plan needs {predicted['device_peak_bytes']}, the table says {way['device_peak_bytes']}")
            self.expect(predicted["host_peak_bytes"] == way["host_peak_bytes"], about, "another host peak")
            if way["way"] == "lms2":
                self.expect(predicted["step_ns"] == way["step_ns"], about, "another time")
                tune = [word for word in words[3:at] if word != "--output"]
                tuned = json.loads(self.run("tune", words[3], *tune[1:], "--json"))
                self.expect(tuned["device_peak_bytes"] == way["device_peak_bytes"], about, "tune finds another peak")
                self.expect(tuned["step_ns"] == way["step_ns"], about, "tune finds another time")


def check_interrupt(checker, folder):
    """A signal ends it at once, whatever it is at, and says so."""
    graph = pathlib.Path(folder) / "scale.pb"
    maker = ROOT / "tests/support/make_scale_graph.py"
    subprocess.run([sys.executable, "-B", maker, graph, "100k"], check=True, stdout=subprocess.DEVNULL)
    for wait in (0.3, 0.9):
        running = subprocess.Popen([checker.program, "fit", graph, "--device", "1GiB", "--batch-size", "8"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(wait)
        running.send_signal(signal.SIGINT)
        out, said = running.communicate(timeout=30)
        checker.expect((running.returncode, out, said) == (130, "", "tideline: interrupted\n"), f"interrupted after {wait} s",
                       f"exit {running.returncode}: {out}{said}")


def main():
    checker = Checker(str(pathlib.Path(sys.argv[1]).resolve()))
    chosen = sys.argv[2:] or list(GRAPHS)
    with tempfile.TemporaryDirectory() as folder:
        for graph in chosen:
            batch = GRAPHS[graph]
            whole = checker.peak(graph, batch)
            for number, share in enumerate(SHARES):
                fit = checker.check(graph, batch, int(whole * share))
                if graph not in SLOW or number == 1:
                    checker.check_commands(graph, fit, folder)
                if graph not in SLOW and number != 1:
                    checker.check_app(graph, fit, folder)
            # A device with a profile, on which it fits.
            checker.check(graph, batch, "v100", ("--executor", "gpu"))
        check_interrupt(checker, folder)
    for problem in checker.problems:
        print(problem)
    print(f"{len(chosen)} graphs, {checker.ways} ways, {checker.commands} commands, {len(checker.problems)} contradictions")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
