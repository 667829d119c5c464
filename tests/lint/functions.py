"""Finds functions and their lengths: exactly in Python, by braces in C++.

The C++ half is no parser. It blanks comments and literals, follows the braces outside of functions, and
takes a block for a function when parentheses stand before it and no `=` or keyword of a type does.
"""

import ast
import re

# Raw strings first: they may hold whatever looks like the others.
BLANKED = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
                     r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)
CONTAINER = re.compile(r"\b(namespace|class|struct|enum|union|extern)\b")


def blank(text):
    """The same text, every character of comments, literals and directives but newlines replaced."""
    return BLANKED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def kind_of(head):
    """What a block after `head` is: function, container, or other (an initializer)."""
    head = re.sub(r"\boperator\s*[^\s(]+", "operator", head)  # operator== holds no assignment
    head = re.sub(r"<[^<>()]*>", "", head)                    # nor does template <typename T = int>
    before_arguments = head.split("(")[0]
    if "=" in before_arguments:
        return "other"
    if "(" in head and not re.match(r"\s*(class|struct|enum|union)\b", head):
        return "function"
    return "container" if CONTAINER.search(head) else "other"


def cpp_functions(text):
    """[(first line, lines, head)] of every function that stands outside of functions."""
    written, text = text, blank(text)
    found, open_blocks = [], []     # open_blocks: (kind, where its head begins)
    head_start, last_function = 0, None
    for match in re.finditer(r"[{};]", text):
        at, mark = match.start(), match[0]
        inside = any(kind != "container" for kind, _ in open_blocks)
        if mark == "{":
            head = text[head_start:at]
            kind = "nested" if inside else kind_of(head)
            # `: a_{a}, b_{b} {`: the braces of an initializer list belong to the function before.
            if not inside and last_function is not None and re.fullmatch(r"\s*(,.*)?", head, re.S):
                kind, head_start = "function", last_function
            open_blocks.append((kind, head_start))
        elif mark == "}" and open_blocks:
            kind, start = open_blocks.pop()
            if kind == "function":
                found = [row for row in found if row[0] != start] + [(start, at)]
            last_function = start if kind == "function" else None
        if not inside and mark == ";":
            last_function = None
        head_start = at + 1
    found = [(start + len(text[start:]) - len(text[start:].lstrip()), end) for start, end in found]
    return [(text.count("\n", 0, start) + 1, text.count("\n", start, end) + 1,
             written[start:end].split("\n")[0]) for start, end in found]


def python_functions(text):
    return [(node.lineno, node.end_lineno - node.lineno + 1, node.name)
            for node in ast.walk(ast.parse(text))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
