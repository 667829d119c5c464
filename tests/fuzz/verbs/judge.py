"""What must hold after every run, whatever came in (assets/docs/exit_codes.md, assets/docs/security.md)."""
import json
import re

# As core/base/characters.cc: what a terminal obeys or does not show. Line ends and tabs are layout.
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
                    "\U000e0000-\U000e007f]")
SANITIZER = re.compile(rb"Sanitizer|runtime error:|terminate called|Assertion|pure virtual")
# Beside the one line that says what is wrong there may be those.
REMARK = re.compile(r"tideline: (warning|note|device memory):")
LONGEST_LINE = 20_000
# Where a check is made that can fail.
CAN_CHECK = ("diff", "compare", "script", "lesson", "tune", "sweep", "checkpoint", "rewrite", "simulate", "render", "why")


def faults(line, code, stdout, stderr, before, after):
    """Sentences about what does not hold. `code` is None after a time-out. `before` and `after` are what lay in
    the folder: path -> content of a file, None for a folder."""
    found = []
    if code is None:
        return ["it took too long"]
    if code < 0 or code >= 126:
        return [f"ended by a signal or an exit code of nobody: {code}"]
    if SANITIZER.search(stderr):
        found.append("the sanitizer or the runtime found something")
    if b"[libprotobuf" in stderr:
        found.append("the protobuf library writes to standard error")
    verb = line.words[0]
    if code not in (0, 1, 2, 3) or (code == 3 and verb not in CAN_CHECK):
        found.append(f"exit code {code} is not one of {verb}")
    # What the command line gives is shown whole, perhaps twice.
    longest = LONGEST_LINE + 8 * sum(map(len, line.words))
    found += text_faults("standard output", stdout, longest) + text_faults("standard error", stderr, longest)
    if code in (1, 2) or (code == 3 and verb not in ("diff", "compare", "checkpoint")):
        said = [row for row in stderr.decode("utf-8", "replace").split("\n")
                if row.startswith("tideline: ") and not REMARK.match(row)]
        # One for each mistake of the author.
        lists_mistakes = verb == "lesson" and "--check" in line.words
        if len(said) != 1 and not (lists_mistakes and said):
            found.append(f"{len(said)} lines say what is wrong")
        elif re.search(r"ended by signal|SIG[A-Z]{3}", said[0]):
            found.append("a worker crashed")
    if code == 0 and "--json" in line.words:
        found += json_faults(stdout)
    return found + file_faults(line, code, before, after)


def text_faults(what, content, allowed):
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        return [f"{what} is no UTF-8: {error}"]
    hidden = HIDDEN.search(text)
    if hidden:
        return [f"{what} has a hidden character: {text[max(0, hidden.start() - 60):hidden.end() + 20]!r}"]
    longest = max(map(len, text.split("\n")))
    return [f"{what} has a line of {longest} characters"] if longest > allowed and text[:1] != "{" else []


def json_faults(stdout):
    try:
        json.loads(stdout)
    except ValueError as error:
        return [f"no JSON: {error}"]
    return []


def output_of(line):
    """What -o names; None without it. A lone `-o` at the end is the value of another option."""
    return next((out for option, out in zip(line.words, line.words[1:]) if option == "-o"), None)


def is_output(line, path):
    """Or a folder that it lies in."""
    return line.words[0] == "script" or any(is_of(name.rstrip("/"), path) or name.startswith(path + "/")
                                            for name in line.outputs if name)


def is_of(name, path):
    """A file, what is in a folder, or the files of a checkpoint."""
    return path == name or path.startswith((name + "/", name + ".index", name + ".data-"))


def file_faults(line, code, before, after):
    found = [f"left behind: {path}" for path in after if ".tideline-" in path]
    script = line.words[0] == "script"
    changed = sorted(path for path in {*before, *after}
                     if before.get(path, "absent") != after.get(path, "absent") and ".tideline-" not in path)
    if code != 0 and not script:
        found += [f"written on failure: {path}" for path in changed]
    for path in changed:
        if not is_output(line, path):
            found.append(f"written, but no output: {path}")
        elif path in before and not script and "--force" not in line.words and before[path] is not None:
            found.append(f"replaced without --force: {path}")
    if code == 0 and not script and (out := output_of(line)):
        if not any(is_of(out.rstrip("/"), path) for path in after):
            found.append(f"success without {out}")
    return found
