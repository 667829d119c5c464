"""Makes and compares files of more than 2 GiB without holding one in memory: protobuf wire bytes by hand."""
import hashlib
import mmap
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from wire import field, header, read_varint, varint

MIB = 1 << 20
CONSTANTS = 36  # of 64 MiB each: 2.25 GiB
CONSTANT_BYTES = 64 * MIB
ATTRIBUTE_BYTES = 300 * MIB
LONG_NAME = "n" * MIB
# Numbers of the fields on the way to an op.
SAVED_MODEL_META_GRAPH, META_GRAPH_GRAPH, GRAPH_NODE = 2, 2, 1
GRAPH_LIBRARY, LIBRARY_FUNCTION, FUNCTION_NODE = 2, 1, 3


def around(chunks, number):
    """Chunks of a field with this content: bytes, or (seed, size) for a run of bytes made when written."""
    return [header(number, size_of(chunks)), *chunks]


def size_of(chunks):
    return sum(len(c) if isinstance(c, bytes) else c[1] for c in chunks)


def op(name, kind, attributes, number):
    chunks = [field(1, name.encode()), field(2, kind.encode())]
    for key, value in attributes.items():
        chunks += around([field(1, key.encode()), *around(value, 2)], 5)
    return around(chunks, number)


def constant(name, seed, size, number):
    dims = field(2, varint(1 << 3) + varint(size // 4 // 1024)) + field(2, varint(1 << 3) + varint(1024))
    tensor = [varint(1 << 3) + varint(1), field(2, dims), *around([(seed, size)], 4)]
    shapes = field(1, field(7, dims))
    return op(name, "Const", {"dtype": [varint(6 << 3) + varint(1)], "value": around(tensor, 8),
                              "_output_shapes": [shapes]}, number)


def large_ops(number):
    """Encoded as the repeated field `number` of a graph or of a function."""
    chunks = []
    for seed in range(CONSTANTS):
        name = f"big/constant_{seed}" if seed else LONG_NAME
        chunks += constant(name, seed, CONSTANT_BYTES, number)
    return chunks + op("big/attribute", "NoOp", {"_huge": around([(1000, ATTRIBUTE_BYTES)], 2)}, number)


def large_library():
    """A library of one function, `big_body`, that holds the large ops."""
    function = [field(1, field(1, b"big_body")), *large_ops(FUNCTION_NODE)]
    return around(around(function, LIBRARY_FUNCTION), GRAPH_LIBRARY)


def fields(view, start, end):
    """(number, offset of the tag, offset and end of the content) of each field with a length; others are passed."""
    at = start
    while at < end:
        first = at
        tag, at = read_varint(view, at)
        if tag & 7 == 2:
            size, at = read_varint(view, at)
            yield tag >> 3, first, at, at + size
            at += size
        elif tag & 7 == 0:
            _, at = read_varint(view, at)
        else:
            at += {1: 8, 5: 4}[tag & 7]


def write(path, chunks):
    with open(path, "wb") as out:
        for chunk in chunks:
            if isinstance(chunk, bytes):
                out.write(chunk)
                continue
            seed, size = chunk
            # A mebibyte that no other seed has, again and again.
            block = b"".join(hashlib.sha256(b"%d %d" % (seed, i)).digest() for i in range(MIB // 32))
            for _ in range(size // MIB):
                out.write(block)


def meta_graph(small, large):
    """Chunks of the MetaGraph in the bytes `small`, with the chunks `large` in front of its ops."""
    found = next(f for f in fields(small, 0, len(small)) if f[0] == META_GRAPH_GRAPH)
    _, first, start, end = found
    graph = [*large, small[start:end]]
    return [small[:first], *around(graph, META_GRAPH_GRAPH), small[end:]]


class Ops:
    """The encoded ops of a file, in order: the fields `number` of the message to which `path_down` leads."""

    def __init__(self, path, path_down, number=GRAPH_NODE):
        self.file = open(path, "rb")
        self.bytes = mmap.mmap(self.file.fileno(), 0, access=mmap.ACCESS_READ)
        start, end = 0, len(self.bytes)
        for step in path_down:
            _, _, start, end = next(f for f in fields(self.bytes, start, end) if f[0] == step)
        self.places = [f[2:] for f in fields(self.bytes, start, end) if f[0] == number]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.bytes.close()
        self.file.close()

    def __len__(self):
        return len(self.places)

    def digest(self, number):
        start, end = self.places[number]
        digest = hashlib.blake2b(digest_size=16)
        # Read, not mapped: what is mapped here would count as memory of the programs started later.
        for at in range(start, end, MIB):
            digest.update(os.pread(self.file.fileno(), min(MIB, end - at), at))
        return digest.digest()

    def digests(self):
        return [self.digest(number) for number in range(len(self))]
