#!/usr/bin/env python3
"""A step on a clock, event by event, beside what the program says of it.

    clock_check.py STEP_DUMP TIDELINE GRAPH=BATCH...

Automatic plans of each graph at 80, 60, 40, 30 and 20 % of what a step needs beside resident memory. STEP_DUMP writes the
step: its ops with their times, and which tensors lie in which buffers. The rules that are simulated here:

* Ops on the device run one after the other in the order of the step. One begins when the one before has ended, what it reads
  has come, the ops that it is to follow have run, and the bytes that it takes fit. Other ops take no time.
* Each direction copies one tensor of a swap at a time, in the order in which the copies become ready: out when the op
  that makes it has ended, in when the swap-in has run. A copy in begins when its bytes fit.
* Bytes are taken at the begin of the op or of the copy in. They are given back when the last op that reads them on the
  device has ended, of a swapped tensor not before its copy out has. A result is not written over a tensor whose copy out
  is not over; it then has memory of its own.
* What is copied to the device without being a swap takes no time, but waits for memory, first come, first served.
* At one moment: first what has ended; then copies out begin, then ops, those that take no time one after the other, then
  copies in. Of copies that became ready at the same moment the first is that of the earlier op.
"""
import json
import pathlib
import subprocess
import sys

SHARES = (80, 60, 40, 30, 20)
DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "graphs"
GRAPHS = ("resnet50.meta=64", "transformer.meta=32", "unet3d.meta=2", "scale_2k.pb=32")


class Content:
    """What lies in a buffer from one write in place to the next."""

    def __init__(self, size, before=None):
        self.size = size
        self.before = before    # what lay there
        self.users = 0          # ops and copies that have to end
        self.copies_out = 0     # of these
        self.memory = None      # the content that took the bytes


class Copy:
    def __init__(self, tensor, kind, takes, order):
        self.tensor, self.kind, self.takes, self.order = tensor, kind, takes, order
        self.ready = self.arrived = None


class Step:
    """The step of a dump. The program's own reading of it is not looked at."""

    def __init__(self, dump):
        self.ops, self.tensors, self.buffers = dump["ops"], dump["tensors"], dump["buffers"]
        self.resident = dump["resident_bytes"]
        self.maker = {tensor: number for number, op in enumerate(self.ops) for tensor in op["makes"]}
        self.order = [number for number, op in enumerate(self.ops) if op["space"] == "device"]
        self.find_copies(dump["copies"])
        self.find_contents()

    def find_copies(self, swaps):
        self.copy = {}  # by tensor and where it is read
        for swap in swaps:
            where = "host" if swap["to_host"] else "device"
            self.copy[swap["tensor"], where] = Copy(swap["tensor"], "out" if swap["to_host"] else "in", swap["ns"], None)
        for op in self.ops:
            for tensor, where in op["reads"]:
                known = self.tensors[tensor]["device_buffer"]
                moves = where == "device" and self.tensors[tensor]["home"] != "device" and known >= 0
                if moves and (tensor, where) not in self.copy:
                    self.copy[tensor, where] = Copy(tensor, "at once", 0.0, None)
        for copy in self.copy.values():
            copy.order = (self.maker[copy.tensor], copy.tensor)

    def find_contents(self):
        self.content, self.begun, self.kept = {}, [[] for _ in self.ops], set()
        in_buffer = {}
        for number, op in enumerate(self.ops):
            for tensor in op["makes"]:
                at = self.tensors[tensor]["device_buffer"]
                if at < 0 or self.buffers[at]["resident"]:
                    continue
                if at not in in_buffer or self.tensors[tensor]["in_place"]:
                    in_buffer[at] = Content(self.buffers[at]["bytes"], in_buffer.get(at))
                    if (tensor, "device") not in self.copy:
                        self.begun[number].append(in_buffer[at])
                        in_buffer[at].users += 1  # the op itself
                    if self.buffers[at]["kept"]:
                        in_buffer[at].users += 1  # for ever
                self.content[tensor] = in_buffer[at]
        self.ended = [[] for _ in self.ops]
        for number, op in enumerate(self.ops):
            self.ended[number] += self.begun[number]
            for tensor, where in op["reads"]:
                if where == "device" and tensor in self.content:
                    self.ended[number].append(self.content[tensor])
                    self.content[tensor].users += 1
        for copy in self.copy.values():
            if copy.tensor in self.content:
                self.content[copy.tensor].users += 1
                self.content[copy.tensor].copies_out += copy.kind == "out"
        for buffer in (entry for entry in self.buffers if entry["held"] and entry["space"] == "device"):
            first = next((number for number in self.order if number >= buffer["from"]), None)
            if first is None:
                continue
            last = [number for number in self.order if buffer["from"] <= number <= buffer["to"]]
            content = Content(buffer["bytes"])
            content.users = 1
            self.begun[first].append(content)
            self.ended[last[-1] if last else first].append(content)

    def needs(self, number):
        """What has to be over before an op can run: copies, and ops."""
        op = self.ops[number]
        for tensor, where in op["reads"]:
            copy = self.copy.get((tensor, where))
            if copy:
                yield copy
            elif tensor in self.maker:
                yield self.maker[tensor]
        yield from (after for after in op["after"] if after >= 0)


class Run:
    """One run of a step."""

    def __init__(self, step, budget):
        self.step, self.budget = step, budget
        self.now, self.used = 0.0, step.resident
        self.peak = self.used
        self.over, self.begins = set(), {}
        self.waiting = {number: set(step.needs(number)) for number in range(len(step.ops))}
        self.wanted_by = {}
        for number, needs in self.waiting.items():
            for need in needs:
                self.wanted_by.setdefault(need, []).append(number)
        self.of_op = {}
        for copy in step.copy.values():
            self.of_op.setdefault(step.maker[copy.tensor], []).append(copy)
        self.ready = {"out": [], "in": [], "at once": []}
        self.busy = {"out": None, "in": None}  # when it ends, and the copy
        self.running, self.next = None, 0      # when it ends, and the op; an index of step.order
        self.memory_ns, self.blocked = 0.0, None
        self.end = 0.0

    def room(self, size):
        return self.budget is None or self.used + size <= self.budget

    def take(self, content):
        content.memory = content
        content.left, content.out_left = content.users, content.copies_out
        self.used += content.size
        self.peak = max(self.peak, self.used)

    def give(self, content):
        memory = content.memory
        memory.left -= 1
        if memory.left == 0:
            self.used -= memory.size

    @staticmethod
    def is_over_written(content):
        return content.before is not None and content.before.memory.out_left == 0

    def finish(self, what):
        """An op or a copy is over: what that allows is ready, ops elsewhere at once."""
        todo = [what]
        for done in todo:
            self.over.add(done)
            if not isinstance(done, Copy):
                for copy in self.of_op.get(done, []):
                    copy.ready = self.now
                    self.ready[copy.kind].append(copy)
            for number in self.wanted_by.get(done, []):
                self.waiting[number].discard(done)
                if not self.waiting[number] and self.step.ops[number]["space"] != "device":
                    todo.append(number)

    def begin_op(self):
        if self.running or self.next >= len(self.step.order):
            return False
        number = self.step.order[self.next]
        if self.waiting[number]:
            return False
        op = self.step.ops[number]
        fresh = [content for content in self.step.begun[number] if not self.is_over_written(content)]
        if not self.room(sum(content.size for content in fresh) + op["scratch"]):
            self.blocked = self.now if self.blocked is None else self.blocked
            return False
        if self.blocked is not None:
            self.memory_ns += self.now - self.blocked
            self.blocked = None
        for content in self.step.begun[number]:
            if content in fresh:
                self.take(content)
            else:
                content.memory = content.before.memory
                content.memory.left += content.users
                content.memory.out_left += content.copies_out
        self.used += op["scratch"]
        self.peak = max(self.peak, self.used)
        self.begins[number] = self.now
        self.running = (self.now + op["ns"], number)
        return True

    def end_op(self):
        self.end, number = self.running
        self.running = None
        self.next += 1
        self.used -= self.step.ops[number]["scratch"]
        for content in self.step.ended[number]:
            self.give(content)
        self.finish(number)

    def first(self, kind):
        return min(self.ready[kind], key=lambda copy: (copy.ready, copy.order), default=None)

    def begin_copy(self, kind):
        copy = self.first(kind)
        if copy is None or self.busy.get(kind):
            return None
        content = self.step.content.get(copy.tensor)
        if kind != "out" and content:
            if not self.room(content.size):
                return None
            self.take(content)
        self.ready[kind].remove(copy)
        if kind != "at once":
            self.busy[kind] = (self.now + copy.takes, copy)
        return copy

    def end_copy(self, copy):
        content = self.step.content.get(copy.tensor)
        if content:
            content.memory.out_left -= copy.kind == "out"
            self.give(content)
        self.finish(copy)

    def begin_all(self):
        again = True
        while again:
            again = False
            self.begin_copy("out")
            while self.begin_op() and self.running[0] <= self.now:
                self.end_op()
                self.begin_copy("out")
            while copy := self.begin_copy("at once"):
                self.end_copy(copy)
                again = True
        self.begin_copy("in")

    def play(self):
        for number, op in enumerate(self.step.ops):
            if op["space"] != "device" and not self.waiting[number] and number not in self.over:
                self.finish(number)
        while True:
            self.begin_all()
            ends = [entry[0] for entry in (self.running, self.busy["out"], self.busy["in"]) if entry]
            if not ends:
                return self
            self.now = min(ends)
            if self.running and self.running[0] <= self.now:
                self.end_op()
            for kind in ("out", "in"):
                if self.busy[kind] and self.busy[kind][0] <= self.now:
                    copy = self.busy[kind][1]
                    self.busy[kind] = None
                    self.end_copy(copy)

    def is_stuck(self):
        return self.next < len(self.step.order)


def compare(what, run, said):
    assert run.is_stuck() == said["stuck"], (what, "stuck", run.is_stuck())
    assert run.peak == said["device_peak_bytes"], (what, run.peak, said["device_peak_bytes"])
    assert abs(run.end - said["step_ns"]) <= 1000, (what, run.end, said["step_ns"])
    assert abs(run.memory_ns - said["memory_ns"]) <= 1000, (what, run.memory_ns, said["memory_ns"])
    for number, begin in run.begins.items():
        assert abs(begin - said["begins"][number]) <= 1000, (what, run.step.ops[number]["name"], begin)


def check(step_dump, program, path, batch_size, share):
    done = subprocess.run([step_dump, str(path), batch_size, "v100", str(share)], capture_output=True, text=True, check=True)
    dump = json.loads(done.stdout)
    budget = dump["budget_bytes"]
    what = f"{path.name} at {share} %"
    words = ["--batch-size", batch_size, "--device-profile", "v100", "--device-memory", str(budget), "--json"]
    tuned = subprocess.run([program, "tune", str(path), *words], capture_output=True, text=True, check=False)
    assert tuned.returncode == (0 if dump["found"] else 3), (what, tuned.stderr)
    if not dump["found"]:
        return f"{what}: no plan is found"
    compare(what + " without a budget", Run(Step(dump), None).play(), dump["clock_without_budget"])
    run = Run(Step(dump), budget).play()
    compare(what, run, dump["clock"])
    assert not run.is_stuck() and run.peak <= budget, (what, run.peak, budget)
    simulated = json.loads(subprocess.run([program, "simulate", str(path), "--policy", "lms2", *words], capture_output=True,
                                          text=True, check=True).stdout)
    for said in (json.loads(tuned.stdout), simulated):
        assert said["device_peak_bytes"] == run.peak, (what, said["device_peak_bytes"], run.peak)
    for said in (json.loads(tuned.stdout), simulated["time"]):
        assert abs(said["step_ns"] - run.end) <= 1000, (what, said["step_ns"], run.end)
    held = simulated["time"]["held_without_waiting_bytes"]
    assert held == dump["clock_without_budget"]["device_peak_bytes"], (what, held)
    free = dump["tuned"]["step_ns_without_swaps"]
    return (f"{what}: holds {run.peak / budget:.4f} of the budget, {held / budget:.2f} without waiting; "
            f"step +{100 * (run.end / free - 1):.0f} %, of it waiting for memory {100 * run.memory_ns / free:.0f} %")


def main():
    step_dump, program = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    found = 0
    for word in sys.argv[3:] or GRAPHS:
        name, _, batch_size = word.partition("=")
        path = pathlib.Path(name) if pathlib.Path(name).exists() else DATA / name
        for share in SHARES:
            line = check(step_dump, program, path, batch_size, share)
            found += "holds" in line
            print(line, flush=True)
    assert found >= 3, found


if __name__ == "__main__":
    main()
