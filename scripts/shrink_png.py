#!/usr/bin/env python3
"""Packs PNG files as tightly as zlib can; their pixels stay the same.

    scripts/shrink_png.py FILE...
"""
import struct
import sys
import zlib


def chunks_of(data):
    at = 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += 12 + length


def packed(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def shrink(path):
    with open(path, "rb") as file:
        data = file.read()
    chunks = list(chunks_of(data))
    pixels = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    before = [packed(kind, body) for kind, body in chunks if kind not in (b"IDAT", b"IEND")]
    smaller = data[:8] + b"".join(before) + packed(b"IDAT", zlib.compress(pixels, 9)) + packed(b"IEND", b"")
    if len(smaller) < len(data):
        with open(path, "wb") as file:
            file.write(smaller)


for name in sys.argv[1:]:
    shrink(name)
