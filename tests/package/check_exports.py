#!/usr/bin/env python3
"""The shared libraries show what the public headers declare, all of it and nothing else, apart from the few internal
headers that are marked for our other libraries.

    check_exports.py SOURCE LIBRARY...
"""
import pathlib
import re
import subprocess
import sys

source, libraries = pathlib.Path(sys.argv[1]), sys.argv[2:]
headers = {path.name: path.read_text() for path in (source / "include/fascia").glob("*.h")}
between_us = [text for path in (source / "src").rglob("*.h") if "\nFASCIA_API_BEGIN" in (text := path.read_text())]
# Words of comments declare nothing.
declared = re.sub(r"/\*.*?\*/|//[^\n]*", "", "\n".join([*headers.values(), *between_us]), flags=re.S)
words = set(re.findall(r"\w+", declared))


def shown(library):
    listed = subprocess.run(["nm", "-DC", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return [line[19:] for line in listed.splitlines()]


def simple(symbol):
    """fascia::Workspace::Workspace(int) -> [fascia, Workspace, Workspace]; "" for what an argument list holds."""
    symbol = re.sub(r"^(typeinfo name|typeinfo|vtable|guard variable) for ", "", symbol)
    symbol = symbol.replace("(anonymous namespace)", "unnamed")
    while True:
        shorter = re.sub(r"<[^<>]*>", "", re.sub(r"\([^()]*\)", "", symbol.replace("operator()", "operator_call")))
        if shorter == symbol:
            break
        symbol = shorter
    name = re.sub(r"\[.*?\]| const$|operator.*", "", symbol).split(" ")[-1]  # templates have their result in front
    return [part for part in name.split("::") if part]


problems, names = [], set()
for library in libraries:
    for symbol in shown(library):
        parts = simple(symbol)
        names.add(parts[-1])
        if not (parts[0] == "fascia" or parts[0].startswith("fascia_")):
            problems.append(f"{library} shows {symbol}, which is not ours")
        elif not all(part.strip("~") in words for part in parts):
            problems.append(f"{library} shows {symbol}, which is in no public header")

# Functions begin their line, and what is defined in the header itself ends it with a brace.
for name, text in headers.items():
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    for function, end in re.findall(r"^(?! |inline|template|using|typedef|#|\})[\w:<>,&* ]+?[ &*](\w+)\([^;{]*?\)[^;{]*([;{])", text,
                                    flags=re.M | re.S):
        if end == ";" and function not in names:
            problems.append(f"{name} declares {function}, which no library shows")

print("\n".join(problems) or f"{len(names)} names")
sys.exit(1 if problems else 0)
