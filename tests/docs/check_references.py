#!/usr/bin/env python3
"""Whatever the documents and comments point at exists: files, functions and other names, labels of publications,
sections of docs/formulas.md, tests. Prints one line per dead reference.

    check_references.py PROJECT
"""

import fnmatch
import re
import subprocess
import sys
from pathlib import Path

C_LIKE = {".h", ".cpp", ".c", ".ts", ".js", ".mjs"}
HASH_LIKE = {".py", ".sh", ".cmake"}
OURS = "h|cpp|c|ts|js|mjs|py|sh|cmake|md"

LABEL = re.compile(r"\[([A-Z]\w+\s+(?:19|20)\d\d),\s+([^\]\s][^\]]*)\]")
SECTION = re.compile(r"(?<![\w.`/])([A-E]\d{1,2})(?![\w.]\w|\w)")
NAMED_SECTION = re.compile(r"\b0\.\d [A-Z]{3,}\b")
SECTION_LIST = re.compile(r"(?:formulas\.md(?:\)|`)?,?\s+|\bsections?\s+)"
                          r"((?:(?:0\.\d|[A-Z]\d{1,2})(?:,\s+|\s+and\s+|\s+to\s+)?)+)")
FILE = re.compile(r"(?<![\w./$<{*@-])((?:[\w.-]+/)*[\w*{},-]*\.(?:%s))(?![\w/]|\.\w)" % OURS)
FOLDERED = re.compile(r"(?<![\w./$<{*@-])((?:[\w-]+/)+(?:[\w*.-]*[\w*])?)")
FUNCTION = re.compile(r"(?<![\w/.-])((?:[\w-]+/)*[\w-]+\.(?:%s)):([A-Za-z_~][\w~]*(?:::[\w~]+)*)" % OURS)
NAME_IN_COMMENT = re.compile(r"`((?:\w+::)*[A-Za-z]\w*)(?:\(\))?`")
NAME_IN_DOCUMENT = re.compile(r"`((?:\w+::)*[A-Za-z]\w*(?:_\w+|::\w+))(?:\(\))?`")
TEST = re.compile(r"`((?:[A-Z]\w+/)?[A-Z]\w+\.(?:\*|[A-Z]\w+))`")
# Files of other projects, and files that the build writes.
ELSEWHERE = {"three.js", "draco_wasm_wrapper.js", "fascia.js", "fascia_threads.js"}
KINDS = {"equation": "eq.", "algorithm line": "alg. line", "table": "table", "figure": "fig."}


def project_files(root):
    """Tracked and new files, as paths from the root; everything there where git knows nothing of the folder."""
    if (root / ".git").exists():
        listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True,
                                text=True, check=True)
        return sorted(p for p in set(listed.stdout.split("\n")) if p and (root / p).is_file())
    return sorted(str(p.relative_to(root)) for p in root.rglob("*")
                  if p.is_file() and "build" not in p.relative_to(root).parts[:1])


def blank(text):
    """Spaces of the same length: line numbers stay."""
    return re.sub(r"[^\n]", " ", text)


def split_comments(text, suffix):
    """(comments, code) of a source, each with the other blanked out."""
    string = r'"(?:\\.|[^"\\\n])*"'
    if suffix not in C_LIKE:
        token = re.compile(string + r"|'[^'\n]*'|(?:(?<=\s)|^)#[^\n]*", re.M)
    elif suffix in {".ts", ".js", ".mjs"}:
        token = re.compile(r"//[^\n]*|/\*.*?\*/|" + string + r"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`", re.S)
    else:
        token = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|' + string + r"|(?<!\w)'(?:\\.|[^'\\\n])+'", re.S)
    comments, code, last = [], [], 0
    for match in token.finditer(text):
        between, found = text[last:match.start()], match.group()
        is_comment = found.startswith(("//", "/*", "#"))
        comments += [blank(between), found if is_comment else blank(found)]
        code += [between, blank(found) if is_comment else found]
        last = match.end()
    comments.append(blank(text[last:]))
    code.append(text[last:])
    plain = re.sub(r"(?m)^(\s*)(///?<?|/?\*+/?|#+)", lambda m: m.group(1) + " " * len(m.group(2)), "".join(comments))
    return plain, "".join(code)


class Source:
    """One file: what is prose in it, and what is code."""

    def __init__(self, root, path):
        self.path = path
        text = (root / path).read_text(encoding="utf-8", errors="replace")
        suffix = Path(path).suffix
        if suffix == ".md":
            self.prose, self.code = text, ""
        else:
            self.prose, self.code = split_comments(text, suffix)

    def line(self, position):
        return self.prose.count("\n", 0, position) + 1

    def definitions(self, name):
        """Where `name` is defined or declared in the code: a type, a constant or a function."""
        word = re.escape(name)
        typed = r"(?:(?<=[\w>])[*&]*\s+|::\s*|^)"
        patterns = [r"\b(?:struct|class|enum(?: class)?|using|namespace|function|def|constexpr\s+[\w:]+)\s+%s\b" % word,
                    r"%s(?<!return )(?<!else )(?<!new )(?<!throw )%s\s*\(" % (typed, word),
                    r"\b(?:const|let|constexpr)\s[^;(]*\b%s\b(?:\[[^\]]*\])*\s*[={:]" % word]
        return [m for p in patterns for m in re.finditer(p, self.code, re.M)]

    def body(self, start):
        """Last position of the braces that open after `start`; `start` where a declaration ends before any."""
        opening, semicolon = self.code.find("{", start), self.code.find(";", start)
        if opening < 0 or 0 <= semicolon < opening:
            return start
        depth = 0
        for position in range(opening, len(self.code)):
            depth += {"{": 1, "}": -1}.get(self.code[position], 0)
            if depth == 0:
                return position
        return len(self.code)

    def carries(self, position, name):
        """Whether a comment at `position` stands before the definition of `name`, or in its body."""
        following = re.search(r"\S[^{;]*", self.code[position:])
        if following and re.search(r"\b%s\b" % re.escape(name), following.group()):
            return True
        return any(d.start() <= position <= self.body(d.start()) for d in self.definitions(name))


class Row:
    """One line of a page's table of labels: label | file:function | test | what differs."""

    def __init__(self, page, line, cells):
        self.page, self.line = page, line
        self.label = LABEL.search(cells[0]).group()
        self.functions = [(m.group(1), m.group(2)) for m in FUNCTION.finditer(cells[1])]
        self.tests = re.findall(r"`([^`]+)`", cells[2])
        self.why = cells[3].strip()


class Project:
    def __init__(self, root):
        self.root = root
        self.files = project_files(root)
        self.folders = {str(p) for f in self.files for p in Path(f).parents if str(p) != "."}
        self.folder_names = {Path(f).name for f in self.folders}
        self.by_name = {}
        for f in self.files:
            self.by_name.setdefault(Path(f).name, []).append(f)
        self.sources = [Source(root, f) for f in self.files if self.is_source(f)]
        self.by_path = {s.path: s for s in self.sources}
        self.sections = set()
        if "docs/formulas.md" in self.by_path:
            self.sections = set(re.findall(r"(?m)^#+ (0\.\d|[A-Z]\d{1,2})\b", self.by_path["docs/formulas.md"].prose))
        self.tests, self.suites, self.test_families = set(), set(), []
        for source in self.sources:
            for suite, case in re.findall(r"\bTEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)", source.code):
                self.tests.add(suite + "." + case)
                self.suites.add(suite)
            if source.path.endswith(("CMakeLists.txt", ".cmake")):
                for name in re.findall(r"add_test\(\s*NAME\s+([\w.${}]+)", source.code):
                    if "$" in name:  # one test for each word of a loop in this file
                        pattern = re.sub(r"\$\{\w+\}", "[\\\\w-]+", name.replace(".", r"\."))
                        self.test_families.append((pattern, re.findall(r"[\w-]+", source.code)))
                    self.tests.add(name)
        # Every file and folder by every ending of its path, with and without its extension.
        self.endings = set()
        for entry in self.files + sorted(self.folders):
            for name in (entry, str(Path(entry).with_suffix(""))):
                parts = name.split("/")
                self.endings.update("/".join(parts[k:]) for k in range(len(parts)))
        self.words = {w for s in self.sources for w in re.findall(r"\w+", s.code)}
        self.problems = []

    @staticmethod
    def is_source(path):
        p = Path(path)
        return p.suffix in C_LIKE | HASH_LIKE | {".md"} or p.name in {"CMakeLists.txt", "Makefile"}

    def complain(self, source, position, text):
        self.problems.append((source.path, source.line(position), text))

    # ---- files -----------------------------------------------------------------------------------------------------
    def resolves(self, token, path):
        """A path from the root, from the folder of `path`, or the end of one; with or without its extension. NAME_x.cpp
        and _x.cpp stand for all files of that kind."""
        token = re.sub(r"\{[^}]*\}", "*", token.rstrip("/."))
        if not token.endswith(".md"):
            token = re.sub(r"(?<![\w.])([A-Z]{3,}(?=[_.])|(?=_\w+\.))", "*", token)
        if "*" in token:
            return any(fnmatch.fnmatchcase(ending, token) for ending in self.endings)
        return token in self.endings or (self.root / Path(path).parent / token).exists()

    def check_files(self, source):
        seen = set()
        for match in FILE.finditer(source.prose):
            token = match.group(1)
            seen.add(match.start())
            if token.startswith(("build/", ".")) or Path(token).name in ELSEWHERE:
                continue
            if "://" in self.before(source, match):
                continue
            if not self.resolves(token, source.path):
                self.complain(source, match.start(), f"no file {token}")
        for match in FOLDERED.finditer(source.prose):
            token = match.group(1)
            if match.start() in seen or re.search(r"\.(%s)$" % OURS, token) or "://" in self.before(source, match):
                continue
            quoted = source.prose[match.start() - 1:match.start()] == "`" or token.endswith("/")
            rooted = token.split("/")[0] in {f for f in self.folders if "/" not in f}
            if not (rooted or quoted and token.split("/")[0] in self.folder_names):
                continue
            if not self.resolves(token, source.path):
                self.complain(source, match.start(), f"no file or folder {token}")

    @staticmethod
    def before(source, match):
        start = max(source.prose.rfind(c, 0, match.start()) for c in " \n(`<\"")
        return source.prose[start + 1:match.start() + 1]

    # ---- functions -------------------------------------------------------------------------------------------------
    def named(self, ending):
        """All files whose path is `ending` or ends with it."""
        return [f for f in self.by_name.get(Path(ending).name, []) if ("/" + f).endswith("/" + ending)]

    def check_functions(self, source):
        for match in FUNCTION.finditer(source.prose):
            name, function = match.groups()
            found = self.named(name)
            if len(found) > 1:
                self.complain(source, match.start(), f"{name} may be any of {', '.join(found)}")
            elif found and not self.by_path[found[0]].definitions(function.split("::")[-1]):
                self.complain(source, match.start(), f"no function {function} in {name}")

    def check_names(self, source):
        """Names in backticks occur in the code. Documents also speak of other things: there only names_like_this and
        Type::member count, and in docs/formulas.md none."""
        pattern = NAME_IN_COMMENT
        if source.path.endswith(".md"):
            pattern = NAME_IN_DOCUMENT
        if source.path == "docs/formulas.md":
            return
        for match in pattern.finditer(source.prose):
            for word in match.group(1).split("::"):
                if word not in self.words:
                    self.complain(source, match.start(), f"no code has the name {word}")

    # ---- sections of the formulas ----------------------------------------------------------------------------------
    def check_sections(self, source):
        asked = {}
        for match in SECTION_LIST.finditer(source.prose):
            for part in re.finditer(r"0\.\d|[A-Z]\d{1,2}", match.group(1)):
                asked[match.start(1) + part.start()] = part.group()
        for match in SECTION.finditer(source.prose):
            asked[match.start()] = match.group(1)
        for match in NAMED_SECTION.finditer(source.prose):
            asked[match.start()] = match.group()
        for position, section in sorted(asked.items()):
            if section not in self.sections:
                self.complain(source, position, f"docs/formulas.md has no section {section}")

    # ---- pages of publications -------------------------------------------------------------------------------------
    def rows(self, page):
        for number, line in enumerate(page.prose.split("\n"), 1):
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            if line.startswith("|") and LABEL.search(cells[0]):
                if len(cells) == 4:
                    yield Row(page, number, cells)
                else:
                    self.problems.append((page.path, number, f"a row of labels has four cells, not {len(cells)}"))

    def check_test(self, row, test):
        plain = test.split("/")[-1] if re.match(r"[A-Z]\w+/", test) else test
        if plain in self.tests or plain.endswith(".*") and plain[:-2] in self.suites:
            return
        if any(re.fullmatch(pattern, test) and test.split(".")[-1] in words for pattern, words in self.test_families):
            return
        self.problems.append((row.page.path, row.line, f"no test {test}"))

    def check_row(self, row):
        for name, function in row.functions:
            for path in self.named(name):
                source = self.by_path[path]
                places = [m.start() for m in LABEL.finditer(source.prose) if flat(m.group()) == row.label]
                if not any(source.carries(p, function) for p in places):
                    self.problems.append((row.page.path, row.line, f"{name}:{function} does not carry {row.label}"))
        if not row.functions and not row.why:
            self.problems.append((row.page.path, row.line, f"{row.label} has neither a function nor a reason"))
        for test in row.tests:
            self.check_test(row, test)

    def check_complete(self, page, rows):
        """The page says how much is numbered in print, and lists all of it."""
        said = re.search(r"Numbered in print: ([^.]+)\.", page.prose)
        if not said:
            self.problems.append((page.path, 1, "does not say what is 'Numbered in print: ...'"))
            return
        listed = [r.label for r in rows]
        publication = LABEL.search(listed[0]).group(1)
        wanted = []
        for count, kind in re.findall(r"(\d+) ([a-z ]+?)s?(?:,|$)", said.group(1)):
            wanted += [f"[{publication}, {KINDS.get(kind, kind)} {n}]" for n in range(1, int(count) + 1)]
        for label in wanted:
            if listed.count(label) != 1:
                self.problems.append((page.path, 1, f"{label} is listed {listed.count(label)} times"))
        for row in rows:
            if row.label not in wanted:
                self.problems.append((page.path, row.line, f"{row.label} is not numbered in print"))

    def check_pages(self):
        known = {}
        for page in self.sources:
            if not page.path.startswith("docs/papers/"):
                continue
            rows = list(self.rows(page))
            if not rows:
                self.problems.append((page.path, 1, "has no table of labels"))
                continue
            self.check_complete(page, rows)
            for row in rows:
                self.check_row(row)
                known.setdefault(row.label, set()).update(f for name, _ in row.functions for f in self.named(name))
        for source in self.sources:
            if source.path.endswith(".md"):
                continue
            for match in LABEL.finditer(source.prose):
                label = flat(match.group())
                if label not in known:
                    self.complain(source, match.start(), f"no page lists {label}")
                elif source.path not in known[label]:
                    self.complain(source, match.start(), f"the row of {label} does not name this file")

    def check_test_names(self, source):
        for match in TEST.finditer(source.prose):
            test = match.group(1).split("/")[-1]
            if test not in self.tests and not (test.endswith(".*") and test[:-2] in self.suites):
                self.complain(source, match.start(), f"no test {match.group(1)}")

    def check(self):
        for source in self.sources:
            self.check_files(source)
            self.check_functions(source)
            self.check_names(source)
            self.check_sections(source)
            self.check_test_names(source)
        self.check_pages()
        return sorted(set(self.problems))


def flat(label):
    return " ".join(label.split())


def main():
    problems = Project(Path(sys.argv[1]).resolve()).check()
    for path, line, text in problems:
        print(f"{path}:{line}: {text}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
