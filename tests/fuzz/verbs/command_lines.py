"""Command lines over every verb: an input or two, outputs, and options with values that make sense or do not.

Which options a verb has is read from its --help, so that a new one is tried from its first day on."""
import dataclasses
import os
import re
import subprocess

from inputs import Input
from mutations import NASTY, NUMBER_WORDS, mutated

# Each with the verbs' own options; `rewriters` and `probe` read no file.
CHECKPOINT_VERBS = ("ls", "stat", "cat", "verify", "diff", "convert")
LOG_MODES = ("ls", "scalars", "histograms", "images", "text", "graphs", "run-metadata", "cat", "export")
VERBS = ("inspect", "levels", "convert", "rewrite lms2", "rewrite lms1", "rewrite sections", "rewrite replicate",
         "rewrite checkpoint", "rewrite apply", "diff", "rewriters", "why", "simulate", "tune", "sweep", "report", "probe", "render", "run", "compare", "optimize", "script", "lesson",
         *(f"checkpoint {verb}" for verb in CHECKPOINT_VERBS), *(f"log {mode}" for mode in LOG_MODES))
# How often a verb is chosen, where not 4: those that parse most, most often.
WEIGHTS = {**{f"checkpoint {verb}": 2 for verb in CHECKPOINT_VERBS}, **{f"log {mode}": 1 for mode in LOG_MODES}, "inspect": 6, "convert": 8, "rewriters": 1, "probe": 1, "rewrite lms2": 8, "script": 6, "diff": 6}

OPTION = re.compile(r"^  (?:-\w,)?(--?[\w-]+)(?: ([A-Z][\w|,=]*))?")
# What these name is made by the functions below, or they change what is judged.
NOT_RANDOM = {"--help", "--output", "-o", "--force", "--plan-json", "--tb", "--save-feeds", "--trace", "--plan", "--feed", "--follow",
              "--record", "--frames",
              "--train", "--loss", "--then", "--time-limit", "--steps", "--memory-limit", "--device-profile", "--run-metadata"}

SENSIBLE = {
    "N": ("0", "1", "2", "3", "5", "8", "10", "50", "100", "-1"),
    "INT": ("0", "1", "2", "3"),
    "SIZE": ("1MiB", "4GiB", "0", "100", "1.5KiB", "64 MB", "200KiB", "10MiB", "18446744073709551615", "1e30GiB", "-1"),
    "R": ("0.5", "1", "0.9", "0", "1.1", "nan", "inf", "1e-300"),
    "RE": (".*", "train", "[a-z]+", "(", "[", "(a+)+$", "\\1", "a{1000}{1000}", "(" * 2000, "(.*)*x", "^$", "x|" * 500, "", ".", "serve"),
    "NAME=DIMS": ("x=8x32", "x=scalar", "x=?x?", "x", "=1", "x=", "x=-1", "x=4294967296x4294967296x4294967296",
                  "x=" + "1x" * 300 + "1", "x:0=8x32", "y=8"),
    "WxH": ("200x200", "320x240", "1x1", "0x0", "x", "99999999x9", "-5x5", "40000x40000", "300x300x300", "1e3x10"),
    "LEVELS": ("1", "60:64,70", ":", "::-1", "0:999999999", "-5:-1", "1:2:0", "9223372036854775807", "::2", ",", "5=7"),
    "NAME=VALUES": ("swapout-threshold=1:5:2", "swapin-ahead=1,3", "swapin-groupby=0:2", "sync-mode=0:3", "batch-size=1:9:4",
                    "device-memory=1KiB:4MiB:1MiB", "lb=1:3", "n-tensors=-1:1", "serialization-by-size=1KiB", "swapin-ahead=3:1",
                    "swapin-ahead=1:3:0", "swapin-ahead", "swapin-ahead=", "=1", "a=1", "swapin-ahead=1:999999999", "sync-mode=9",
                    "swapin-ahead=-9223372036854775808:9223372036854775807:-1", "device-memory=1:99999999EiB:1", "batch-size=nan:inf"),
    "LOOP=N": ("rnn/while=20", "while=3", "rnn/while=0", "rnn/while=9223372036854775807", "=", "a=b", "while=-1"),
    "FIRST:LAST": ("0:3", "2:2", "3:2", ":", "0:99999999999", "-1:4", "0:2147483647", "1", "a:b"),
    "PX": ("8", "24", "48", "0", "nan", "1e9"),
    "TEXT": ("tensorflow", "safetensors", "npy", "pickle", ""),
    "DEVICE": ("/cpu:0", "/device:GPU:0", "/device:GPU:999999999999", "/job:x/replica:0/task:0/device:CPU:0", "gpu", ":"),
}
HOSTILE = tuple(os.fsdecode(text) for text in (*NASTY, *NUMBER_WORDS, b",", b",,,", b"=", b"--", b"-", b"none", b"on",
                                               b"a" * 70000) if b"\0" not in text)
OUTPUTS = {"graph": ("out.pb", "out.pbtxt", "out.meta", "model", "out.txt", "sub/out.pb", "old.pb", "old.meta", "oldmodel",
                     "notes", ".", "", "in0", "\x1b[2Jout.pb", "\u202eout.meta", "n" * 300 + ".pb"),
           "picture": ("out.svg", "out.png", "out.gif", "old.svg", "sub/out.svg", "notes", "in0"),
           "page": ("out.html", "page", "old.pb", "sub/out.html", "notes", "in0"),
           "plan": ("plan.json", "old.json", "sub/plan.json", "out.pb", "notes", "in0"),
           "checkpoint": ("out", "out.safetensors", "values/", "sub/out", "old.pb", "notes/", "in0"),
           "values": ("out.npy", "old.pb", "sub/out.npy", "notes", "in0"),
           "folder": ("log", "oldlog", "notes", "old.pb", "sub/log", "in0")}
POLICY = b"policy.mode lms2\npolicy.set swapout-threshold 5\npolicy.set swapin-ahead 3\npolicy.set swapin-groupby 2\n"
# A million steps take their time with reason.
FEW_STEPS = ("1", "2", "4", "5", "0", "-1", "1x", "1000000000000")


@dataclasses.dataclass
class CommandLine:
    words: list  # of the command, the program's name not among them
    inputs: dict = dataclasses.field(default_factory=dict)  # name -> Input, as they will lie there
    outputs: list = dataclasses.field(default_factory=list)  # names that may be new
    stdin: bytes = b""


def options_of(program, verb):
    """(option, metavar or None, help) of a verb."""
    text = subprocess.run([program, *verb.split(), "--help"], capture_output=True, text=True, check=True).stdout
    found = []
    for line in text.splitlines():
        match = OPTION.match(line)
        if match and match[1] not in NOT_RANDOM:
            found.append((match[1], match[2] and match[2].split("...")[0], line[38:]))
    assert found or verb in ("rewriters",), verb
    return found


class Writer:
    """Makes the command line of a number."""

    def __init__(self, program, inputs):
        self.inputs = inputs
        self.options = {verb: options_of(program, verb) for verb in VERBS}
        self.weights = [WEIGHTS.get(verb, 4) for verb in VERBS]

    def write(self, chance):
        verb = chance.choices(VERBS, self.weights)[0]
        self.chance = chance
        self.line = CommandLine(verb.split())
        # Of one command line in four everything in the files is as it should be.
        self.damage = chance.choice((0.0, 0.5, 1.0, 1.0))
        getattr(self, verb.split()[0].replace("-", "_"), self.plain)(verb)
        return self.line

    # Parts

    def add(self, source):
        """Puts an input there, mutated or not, and returns its name. The ending says nothing: content decides."""
        chance, name = self.chance, f"in{len(self.line.inputs)}"
        files = list(source.files)
        if chance.random() < self.damage:
            at = 0 if chance.random() < 0.9 else chance.randrange(len(files))
            path, content = files[at]
            kind = source.kind if at == 0 else "bytes"
            files[at] = (path, mutated(kind, content, chance))
            if len(files) > 1 and chance.random() < 0.05:
                del files[chance.randrange(len(files))]
        self.line.inputs[name] = Input(source.name, source.kind, tuple(files))
        return name

    def graph(self, source=None):
        chance = self.chance
        source = source or chance.choice(self.inputs.graphs if chance.random() < 0.7 else self.inputs.odd_graphs)
        name = self.add(source)
        content = self.line.inputs[name].files
        if content and content[0][0] == "" and not self.line.stdin and chance.random() < 0.02:
            self.line.stdin = content[0][1]
            name = "/dev/stdin"
        self.line.words.append(name)
        return source

    def graph_and_plan(self):
        """Words of the graph, then a plan for it or one that is not."""
        chance, damage = self.chance, self.damage
        if chance.random() < 0.2:
            return self.graph(), self.add(chance.choice(self.inputs.plans))
        source, plan = chance.choice(self.inputs.planned)
        self.damage = damage if chance.random() < 0.2 else 0.0
        self.graph(source)
        self.damage = damage
        return source, self.add(plan)

    def names(self, source):
        chance = self.chance
        words = [chance.choice(source.words) for _ in range(chance.choice((1, 1, 2, 5)))]
        return ",".join(word.split(":")[0] for word in words)

    def value(self, metavar, help_text, source):
        chance = self.chance
        if chance.random() < 0.1:
            return chance.choice(HOSTILE)
        base = metavar.split("=")[0]
        known = SENSIBLE.get(metavar) or SENSIBLE.get(base if "=" not in metavar or base != "NAME" else metavar)
        if known:
            return chance.choice(known)
        if metavar.startswith("LOOP"):
            return chance.choice(SENSIBLE["LOOP=N"])
        if base in ("NAME", "MODEL"):  # mostly one of those that the help names
            return chance.choice(re.findall(r"[\w-]+", help_text) or ["x"])
        return self.names(source)

    def some_options(self, verb, source, most=4):
        for _ in range(self.chance.choice((0, 0, 0, 0, 1, most))):
            if not self.options[verb]:
                return
            option, metavar, help_text = self.chance.choice(self.options[verb])
            self.line.words.append(option)
            if metavar:
                self.line.words.append(self.value(metavar, help_text, source))

    def output(self, option, kind, always=False):
        if not always and self.chance.random() < 0.6:
            return
        name = self.chance.choice(OUTPUTS[kind] if self.chance.random() < 0.25 else OUTPUTS[kind][:3])
        self.line.words += [option, name]
        self.line.outputs.append(name)

    def force(self):
        if self.chance.random() < 0.3:
            self.line.words.append("--force")

    def policy(self):
        if self.chance.random() < 0.8:
            self.line.words += ["--swapout-threshold", self.chance.choice("12358"), "--swapin-ahead",
                                self.chance.choice("1235"), "--swapin-groupby", self.chance.choice("0258")]

    def profile_and_trace(self, source):
        """A device profile or a traced step, of a file or by name."""
        chance = self.chance
        if chance.random() < 0.15:
            self.line.words += ["--device-profile", self.add(chance.choice(self.inputs.profiles))
                                if chance.random() < 0.8 else chance.choice(("v100", "a100", "none", ""))]
        if chance.random() < 0.1 or source in self.inputs.traced.values():
            traces = [trace for trace in self.inputs.traces if self.inputs.traced[trace.name] == source]
            self.line.words += ["--run-metadata", self.add(chance.choice(traces or self.inputs.traces))]

    # Verbs

    def plain(self, verb):
        """Those with a graph and options alone, or with neither."""
        source = self.inputs.trainable
        if verb not in ("rewriters", "probe"):
            source = self.graph()
        if verb == "why":
            name = self.chance.choice((*source.words, *HOSTILE) if self.chance.random() < 0.5 else ("x:0", "loss/Mean"))
            self.line.words.append(name)
        if verb in ("why", "simulate"):
            self.policy()
        if verb == "sweep":
            for varied in self.chance.sample(SENSIBLE["NAME=VALUES"], self.chance.choice((1, 1, 2))):
                self.line.words += ["--vary", varied]
        if verb in ("simulate", "tune", "sweep"):
            self.profile_and_trace(source)
        if verb == "probe":
            self.output("-o", "plan")
        if verb == "tune":
            self.line.words += ["--device-memory", self.chance.choice(SENSIBLE["SIZE"]), "--batch-size",
                                self.chance.choice(("1", "8", "100"))]
        self.some_options(verb, source)

    def convert(self, verb):
        source = self.graph()
        self.output("-o", "graph", always=True)
        self.force()
        self.some_options(verb, source, 2)

    optimize = convert

    def rewrite(self, verb):
        if verb == "rewrite apply":
            source, plan = self.graph_and_plan()
            self.line.words += ["--plan", plan]
        else:
            source = self.graph()
            self.output("--plan-json", "plan")
        self.output("-o", "graph", always=True)
        self.output("--tb", "folder")
        self.force()
        if verb == "rewrite sections":
            self.sections()
        if verb == "rewrite replicate":
            self.towers()
        if verb == "rewrite checkpoint" and self.chance.random() < 0.9:
            self.line.words += ["--backend", self.chance.choice(("file", "file", "memory", *HOSTILE))]
        if verb == "rewrite lms2":
            self.policy()
            self.profile_and_trace(source)
        if verb == "rewrite lms1" and self.chance.random() < 0.8:
            self.line.words += ["--optimizer-scopes", self.chance.choice(("adam_optimizer", "train", "gradients", "sgd"))]
        self.some_options(verb, source)

    def sections(self):
        chance = self.chance
        way = chance.choice((("--levels", "4"), ("--levels", "0:5,5:9"), ("--sections", "2"), ("--scopes", "fc1,fc2"),
                             ("--sections", chance.choice(SENSIBLE["N"])), ("--levels", chance.choice(SENSIBLE["LEVELS"])),
                             ("--device-memory", chance.choice(SENSIBLE["SIZE"])), ()))
        self.line.words += ["--loss", "loss/Mean", "--batch-size", "8", *way]

    def towers(self):
        self.line.words += ["--devices", self.chance.choice(("/cpu:0,/cpu:1", "/gpu:0", "/gpu:0,/gpu:0", *SENSIBLE["DEVICE"])),
                            "--split", self.chance.choice(("x,y", "x,y", "x:0", "y:0,y:0", "loss/Mean")), "--loss", "loss/Mean"]
        if self.chance.random() < 0.9:
            self.line.words += ["--train-op", "adam_optimizer/Adam"]

    def diff(self, verb):
        plan = None
        if self.chance.random() < 0.2:
            source, plan = self.graph_and_plan()
        else:
            source = self.graph()
        if self.chance.random() < 0.7:  # beside something of itself
            self.line.words.append(self.add(source))
        else:
            source = self.graph()
        if plan:
            self.line.words += ["--plan", plan]
        self.some_options(verb, source, 2)

    def render(self, verb):
        source = self.graph()
        if self.chance.random() < 0.1:
            self.output("--record", "folder", always=True)
            self.line.words += ["--frames", self.chance.choice(("2", "1", "0", "-1", "1e9", "x"))]
        else:
            self.output("-o", "picture", always=True)
        self.force()
        self.policy()
        self.profile_and_trace(source)
        # A picture of the default size takes longest.
        self.line.words += ["--size", self.chance.choice(("200x200", "300x200"))]
        self.some_options(verb, source, 2)

    def report(self, verb):
        source = self.graph()
        self.output("-o", "page", always=True)
        self.force()
        self.policy()
        self.some_options(verb, source, 2)

    def run(self, verb):
        damage = self.damage
        self.damage = damage if self.chance.random() < 0.5 else 0.0
        source = self.graph(self.inputs.trainable)
        if verb == "compare":
            self.line.words.append(self.add(source))
        self.damage = damage
        chance = self.chance
        loss = "loss/Mean" if chance.random() < 0.9 else chance.choice((*HOSTILE, *source.words))
        train = "adam_optimizer/Adam" if chance.random() < 0.9 else chance.choice((*HOSTILE, *source.words))
        self.line.words += ["--train", train, "--loss", loss]
        for name, values in (("x", "float32:8x32"), ("y", "int64:8:10")):
            feed = chance.choice(self.inputs.feeds[:2]) if chance.random() < 0.1 else self.inputs.feeds["xy".index(name)]
            where = self.add(feed) if chance.random() < 0.6 else chance.choice((values, values, *HOSTILE))
            self.line.words += ["--feed", f"{name}={where}"]
        self.line.words += ["--steps", chance.choice(FEW_STEPS if chance.random() < 0.3 else FEW_STEPS[:3])]
        if verb == "run":
            self.output("--save-feeds", "folder")
            self.output("--trace", "folder")
            if chance.random() < 0.2:
                self.line.words += ["--plan", self.add(chance.choice(self.inputs.plans_to_run))]
        self.some_options(verb, source, 2)

    compare = run

    def a_checkpoint(self):
        source, end = self.chance.choice(self.inputs.checkpoints)
        self.line.words.append(self.add(source) + end)
        return source

    def checkpoint(self, verb):
        chance = self.chance
        source = self.a_checkpoint()
        if verb.endswith("diff"):
            self.a_checkpoint()
        if verb.endswith(("cat", "stat")):
            self.line.words.append(chance.choice(("float_tensor", "half", *source.words, *HOSTILE)))
        if verb.endswith("cat"):
            self.output("-o", "values")
        if verb.endswith("convert"):
            self.output("-o", "checkpoint", always=True)
        self.force() if verb.endswith(("cat", "convert")) else None
        self.some_options(verb, source, 2)

    def log(self, verb):
        source = self.chance.choice(self.inputs.logs)
        self.line.words.append(self.add(source))
        if verb.endswith("export"):
            self.output("-o", "folder", always=True)
        self.some_options(verb, source, 3)

    def script(self, verb):
        graph = self.chance.choice(self.inputs.graphs if self.chance.random() < 0.3 else [self.inputs.trainable])
        source = self.graph(graph)
        script = self.chance.choice(self.inputs.scripts)
        content = script.content if self.chance.random() < 0.5 else POLICY
        lines = (content + b"\n" + self.random_actions(source)).splitlines(keepends=True)
        self.chance.shuffle(lines) if self.chance.random() < 0.2 else None
        name = self.add(Input(script.name, "script", (("", b"".join(lines)),)))
        inside, [(path, text)] = self.line.inputs[name], self.line.inputs[name].files
        self.line.inputs[name] = Input(inside.name, inside.kind, ((path, without_other_places(text)),))
        self.line.words.append(name)
        self.some_options(verb, source, 2)

    def lesson(self, verb):
        graph = self.inputs.trainable
        name = self.add(graph)
        lines = [b"lesson L", b"graph " + name.encode(), b"graph.batch-size 8", b"step S", b"caption c", b"hint h", b"ask q",
                 b"reveal device-peak", b"spotlight policy/mode", *self.random_actions(graph).splitlines(), b"expect swaps >= 0",
                 b"step T", b"caption d", b"begin view.tab memory", b"spotlight-op loss"]
        self.chance.shuffle(lines) if self.chance.random() < 0.2 else None
        lesson = self.add(Input("lesson", "script", (("", b"\n".join(lines) + b"\n"),)))
        inside, [(path, text)] = self.line.inputs[lesson], self.line.inputs[lesson].files
        self.line.inputs[lesson] = Input(inside.name, inside.kind, ((path, without_other_places(text)),))
        self.line.words.append(lesson)
        self.some_options(verb, graph, 1)

    def random_actions(self, source):
        chance = self.chance
        lines = []
        for _ in range(chance.choice((0, 2, 8))):
            name = chance.choice(source.words)
            lines.append(chance.choice((
                f"select.op \"{name}\"", f"scope.set {name} never", f"tensor.keep {name}:0", f"tensor.swap {name}:0", f"tensor.ahead {name}:0 3",
                f"search.find {name}", "edit.undo", "edit.redo", "print result", "print swaps", "print state", "file.reload",
                "edit.copy-command-line", "edit.copy-python", "print clipboard", "file.write out.meta",
                "file.write old.pb force", "file.write-plan plan.json", "file.write-csv t.csv", "file.write-log log",
                "file.write-picture p.svg levels", "view.tab memory", "view.zoom 1e300", "view.zoom nan", "view.pan 1e308 1",
                "view.range 0 99999999", "view.rows 64 1", "graph.batch-size 8", "graph.shape x=8x32", "policy.mode lms1",
                "policy.auto on", "policy.tune", "wait", "job.cancel", "view.font-size 1000", "file.close", "file.open in0",
                "document.open graph in0", "measure.open in0")))
        return "\n".join(lines).encode() + b"\n"


# Where a word begins that is a place of its own, or leads upwards.
ELSEWHERE = re.compile(rb"(?<![\w.:])[/~]|\.\.")


def without_other_places(script):
    """The script may write only where it runs: a mutation makes `/x` of `a/x`, and this program may be root."""
    return ELSEWHERE.sub(b"_", script)
