"""How valid inputs become invalid ones, or valid ones that nobody has seen: by bytes, and by the rules of each format,
without which nearly every result is refused by the first check of the reader. All choices come from `chance`, a
random.Random, so that the same seed makes the same input."""
import json
import pathlib
import re
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from wire import framed, masked_crc, read_varint, varint

# What names and texts become: controls, directions, no UTF-8, syntax of our own and of shells, and a long one.
NASTY = (b"", b" ", b"^", b":0", b"^a", b"a:-1", b"a:99999999999999999999", b"/", b"//", b"../../x", b"-o", b"\x1b[2J\x1b[31m",
         "\u202eabc\u202c".encode(), "\u009b31m".encode(), b"\x7f", b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", "\u200b".encode(),
         b"a\nb", b"a\rtideline: all is well", b"a\tb", b"\0", b"%s%n", b"$(id)", b"`id`", b"'\"\\", b"while/", b"x" * 5000,
         "\U0001f9e0".encode(), b"{}", b"LMS")
NUMBERS = (0, 1, 2, 3, 7, 127, 128, 255, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 62), (1 << 63) - 1,
           1 << 63, (1 << 64) - 1, (1 << 64) - 2)
NUMBER_WORDS = (b"0", b"-1", b"1", b"2147483648", b"-2147483649", b"9223372036854775807", b"9223372036854775808",
                b"99999999999999999999999", b"1e308", b"1e999", b"nan", b"-inf", b"0x7f", b"1.5", b"00")
DEEP = 200


def place(size, chance):
    """Two ends of a short piece; anywhere."""
    begin = chance.randrange(size + 1)
    return begin, min(size, begin + chance.choice((1, 1, 2, 4, 8, 30, 300)))


def mutated_bytes(content, chance):
    content = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 5, 20))):
        begin, end = place(len(content), chance)
        action = chance.randrange(8)
        if action == 0 and content:
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        elif action == 1 and content:
            content[chance.randrange(len(content))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, 0x0A, 0x12, 0x1B))
        elif action == 2:
            del content[begin:end]
        elif action == 3:
            content[begin:begin] = chance.randbytes(end - begin)
        elif action == 4:
            at = chance.randrange(len(content) + 1)
            content[at:at] = content[begin:end]
        elif action == 5:
            content[begin:begin] = chance.choice(NASTY)
        elif action == 6:
            content[begin:end] = bytes(end - begin)
        elif chance.random() < 0.3:
            del content[begin:]
    return bytes(content)


# Wire form

def fields(content):
    """The fields of a message as (key, content of a length-delimited field or None, all bytes); None if it is no
    message."""
    found, at = [], 0
    while at < len(content):
        begin = at
        key, at = read_varint(content, at)
        if not key or key >> 3 == 0 or key >> 3 > 10000:
            return None
        inner = None
        if key & 7 == 0:
            _, at = read_varint(content, at)
        elif key & 7 == 1:
            at += 8
        elif key & 7 == 5:
            at += 4
        elif key & 7 == 2:
            size, at = read_varint(content, at)
            if size is None or at + size > len(content):
                return None
            inner = content[at:at + size]
            at += size
        else:
            return None
        if at > len(content):
            return None
        found.append((key, inner, content[begin:at]))
    return found


def mutated_field(field, chance):
    key, inner, whole = field
    if chance.random() < 0.08:
        other = varint((key >> 3) + chance.choice((-1, 1, 20)) << 3 | key & 7 if key > 15 else key ^ 1)
        return other + whole[len(varint(key)):]
    if inner is None:
        value = varint(chance.choice(NUMBERS)) if key & 7 == 0 else chance.randbytes(8 if key & 7 == 1 else 4)
        if key & 7 == 0 and chance.random() < 0.1:
            value = b"\x80" * 9 + b"\x01"  # the longest zero, or too long
        return varint(key) + value
    action = chance.randrange(7)
    size = len(inner)
    if action == 0:
        size = chance.choice((*NUMBERS, size + 1, max(0, size - 1)))
    elif action == 1:
        inner = chance.choice(NASTY)
        size = len(inner)
    elif action == 2:
        inner = inner[:chance.randrange(len(inner) + 1)]
        size = len(inner)
    elif action == 3:
        for _ in range(chance.choice((1, 3, DEEP))):
            inner = varint(key) + varint(len(inner)) + inner
        size = len(inner)
    else:
        inner = mutated_bytes(inner, chance)
        size = len(inner)
    return varint(key) + varint(size) + inner


def mutated_message(content, chance, depth=0):
    found = fields(content)
    if not found:
        return mutated_bytes(content, chance)
    at = chance.randrange(len(found))
    key, inner, whole = found[at]
    pieces = [piece for _, _, piece in found]
    if inner and depth < 8 and chance.random() < 0.75 and fields(inner):
        inside = mutated_message(inner, chance, depth + 1)
        pieces[at] = varint(key) + varint(len(inside)) + inside
        return b"".join(pieces)
    action = chance.randrange(6)
    if action == 0:
        del pieces[at]
    elif action == 1:
        pieces.insert(chance.randrange(len(pieces) + 1), whole)
    elif action == 2:
        other = chance.randrange(len(pieces))
        pieces[at], pieces[other] = pieces[other], pieces[at]
    elif action == 3:
        pieces[at] = found[chance.randrange(len(found))][2]
    else:
        pieces[at] = mutated_field(found[at], chance)
    return b"".join(pieces)


# Records of an event file

def records(content):
    """The frames of an event file, the last one perhaps damaged."""
    found, at = [], 0
    while at + 12 <= len(content):
        size = struct.unpack_from("<Q", content, at)[0]
        end = at + 12 + size + 4
        if end > len(content):
            break
        found.append(content[at:end])
        at = end
    return found + ([content[at:]] if at < len(content) else [])


def mutated_events(content, chance):
    found = records(content)
    if not found:
        return mutated_bytes(content, chance)
    at = chance.randrange(len(found))
    action = chance.randrange(10)
    if action == 0:
        del found[at]
    elif action == 1:
        found.insert(chance.randrange(len(found) + 1), found[at])
    elif action == 2:
        found[at] = mutated_bytes(found[at], chance)
    elif action == 3:
        found[at] = struct.pack("<Q", chance.choice(NUMBERS)) + found[at][8:]
    elif len(found[at]) >= 16:
        found[at] = framed(mutated_message(found[at][12:-4], chance))
    return b"".join(found)


# Text

TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|[A-Za-z_][\w/.^:-]*|-?[0-9][\w.+-]*|\s+|.', re.S)


def quoted(text):
    return b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def mutated_text(content, chance):
    """By tokens; those of text format, JSON and scripts are much alike."""
    if chance.random() < 0.15:
        return mutated_bytes(content, chance)
    tokens = TOKEN.findall(content)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        if not tokens:
            break
        at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        action = chance.randrange(9)
        if action == 0:
            del tokens[at]
        elif action == 1:
            tokens.insert(at, tokens[at])
        elif action == 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif action == 3:
            tokens[at] = tokens[other]
        elif action == 4:
            tokens[at] = quoted(chance.choice(NASTY))
        elif action == 5:
            tokens[at] = chance.choice(NUMBER_WORDS)
        elif action == 6:
            tokens[at] = chance.choice((b"{", b"}", b"[", b"]", b"<", b">", b":", b",", b"\\", b"#", b'"'))
        elif action == 7:
            tokens[at] = chance.choice((b"{", b"[", b"attr { value { list { func { ")) * chance.choice((2, DEEP, 5000))
        else:
            tokens[at] = chance.choice(NASTY)
    return b"".join(tokens)


# JSON

def paths(value, path=()):
    """Every place in a JSON value."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from paths(value[key], (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from paths(inner, (*path, index))


def nasty_value(chance):
    return chance.choice((None, True, [], {}, "", -1, 0, 1.5, 1e308, 2**63, 2**64, 10**40, "0", [[]], {"": {}},
                          chance.choice(NASTY).decode("utf-8", "replace")))


def mutated_json(content, chance):
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return mutated_text(content, chance)
    if chance.random() < 0.25:
        return mutated_text(content, chance)
    for _ in range(chance.choice((1, 1, 2, 3))):
        path = chance.choice(list(paths(value)))
        if not path:
            continue
        inside = value
        for key in path[:-1]:
            inside = inside[key]
        action = chance.randrange(5)
        if action == 0:
            del inside[path[-1]]
        elif action == 1 and isinstance(inside, list):
            inside.insert(path[-1], inside[path[-1]])
        elif action == 2 and isinstance(inside, dict):
            inside[chance.choice(NASTY).decode("utf-8", "replace")] = inside[path[-1]]
        else:
            inside[path[-1]] = nasty_value(chance)
    return json.dumps(value).encode()


# Checkpoints

def mutated_index(content, chance):
    """A LevelDB table; mostly changed inside of its first blocks, whose checksum is then right again."""
    if len(content) < 48 or chance.random() < 0.2:
        return mutated_bytes(content, chance)
    end = read_varint(content, len(content) - 48)[0]  # of the blocks with entries, checksum included
    if end is None or not 5 < end < len(content):
        return mutated_bytes(content, chance)
    block = bytearray(content[:end - 4])
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(block) - 1)
        block[at] = chance.choice((block[at] ^ 1 << chance.randrange(8), 0, 0x7F, 0x80, 0xFF))
    return bytes(block) + struct.pack("<I", masked_crc(block)) + content[end:]


def mutated_safetensors(content, chance):
    """A length, JSON of that length, and data."""
    size = int.from_bytes(content[:8], "little")
    if size > len(content) - 8 or chance.random() < 0.2:
        return mutated_bytes(content, chance)
    header = mutated_json(content[8:8 + size], chance)
    size = len(header) if chance.random() < 0.9 else chance.choice(NUMBERS)
    return struct.pack("<Q", size) + header + content[8 + size:]


BY_KIND = {"wire": mutated_message, "events": mutated_events, "text": mutated_text, "json": mutated_json,
           "npy": mutated_bytes, "script": mutated_text, "bytes": mutated_bytes,
           "index": mutated_index, "safetensors": mutated_safetensors}


def mutated(kind, content, chance):
    """One or a few changes of that kind of file; sometimes of bytes that know nothing of it."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        content = (mutated_bytes if chance.random() < 0.15 else BY_KIND[kind])(content, chance)
    return content
