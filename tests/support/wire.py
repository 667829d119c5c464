"""Protobuf's wire form and the records of event files, by hand: for what a library would not write."""
import struct


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_varint(content, at):
    """The number at `at` (None if it does not end), and the place behind it."""
    value = shift = 0
    while at < len(content) and shift < 64:
        byte = content[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    return None, at


def header(number, size):
    """Of a field with a length."""
    return varint(number << 3 | 2) + varint(size)


def field(number, content):
    if isinstance(content, str):
        content = content.encode()
    return header(number, len(content)) + content


def make_crc_table():
    table = []
    for number in range(256):
        for _ in range(8):
            number = number >> 1 ^ (0x82F63B78 if number & 1 else 0)
        table.append(number)
    return table


CRC_TABLE = make_crc_table()


def masked_crc(content):
    crc = 0xFFFFFFFF
    for byte in content:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def framed(record):
    """A record of an event file."""
    size = struct.pack("<Q", len(record))
    return size + struct.pack("<I", masked_crc(size)) + record + struct.pack("<I", masked_crc(record))
