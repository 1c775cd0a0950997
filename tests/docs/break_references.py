#!/usr/bin/env python3
"""check_references.py finds nothing in a small sound project, and every kind of dead reference in broken copies."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

CHECKER = Path(__file__).with_name("check_references.py")

SOUND = {
    "README.md": "See `src/sim/step.cpp`, `sim/step.cpp:stretch`, `some_number` and docs/formulas.md A1.\n",
    "docs/formulas.md": "# Formulas\n\n## 0.5 Volume\n\nAs in section 0.5.\n\n## A1 Voxels\n",
    "docs/papers/000.md": """# A paper

Numbered in print: 2 equations, 1 figure.

| label | file:function | test | what differs |
|---|---|---|---|
| [Writer 2015, eq. 1] | `step.cpp:stretch` | `Step.Stretches`, `experiment.one.swing` | nothing |
| [Writer 2015, eq. 2] | `step.cpp:move` | `Step.*` | nothing |
| [Writer 2015, fig. 1] |  |  | a drawing |
""",
    "src/sim/step.cpp": """// One step of `other` (docs/formulas.md 0.5, A1), see step.cpp.
namespace {
constexpr int some_number = 1;
/// [Writer 2015, eq. 1]
void stretch(int a) {
    a = 1;
}
}
int move(int a) {
    stretch(a);
    // [Writer
    // 2015, eq. 2]
    return a;
}
int other() {
    return move(1);
}
""",
    "tests/step_test.cpp": "TEST(Step, Stretches) {}\n",
    "experiments/CMakeLists.txt": """foreach(e swing)
  add_test(NAME experiment.one.${e} COMMAND one ${e})
endforeach()
""",
}

# file, what stands there, what breaks it, what the checker must say
BROKEN = [
    ("README.md", "src/sim/step.cpp", "src/sim/gone.cpp", "README.md:1: no file src/sim/gone.cpp"),
    ("README.md", "`src/sim/step.cpp`", "`src/gone/`", "README.md:1: no file or folder src/gone/"),
    ("README.md", "step.cpp:stretch", "step.cpp:other_one", "README.md:1: no function other_one in sim/step.cpp"),
    ("README.md", "some_number", "no_number", "README.md:1: no code has the name no_number"),
    ("src/sim/step.cpp", "`other`", "`others`", "src/sim/step.cpp:1: no code has the name others"),
    ("README.md", "md A1", "md A9", "README.md:1: docs/formulas.md has no section A9"),
    ("docs/formulas.md", "section 0.5", "section 0.6", "docs/formulas.md:5: docs/formulas.md has no section 0.6"),
    ("src/sim/step.cpp", "see step.cpp", "see stop.cpp", "src/sim/step.cpp:1: no file stop.cpp"),
    ("src/sim/step.cpp", "0.5, A1", "0.5, A4", "src/sim/step.cpp:1: docs/formulas.md has no section A4"),
    ("src/sim/step.cpp", "0.5, A1", "A1, 0.5 OCTANT", "src/sim/step.cpp:1: docs/formulas.md has no section 0.5 OCTANT"),
    ("src/sim/step.cpp", "int other", "/// [Writer 2015, eq. 3]\nint other",
     "src/sim/step.cpp:15: no page lists [Writer 2015, eq. 3]"),
    ("tests/step_test.cpp", "TEST", "// [Writer 2015, eq. 1]\nTEST",
     "tests/step_test.cpp:1: the row of [Writer 2015, eq. 1] does not name this file"),
    ("docs/papers/000.md", "step.cpp:move", "step.cpp:other",
     "docs/papers/000.md:8: step.cpp:other does not carry [Writer 2015, eq. 2]"),
    ("docs/papers/000.md", "step.cpp:stretch", "step.cpp:other",
     "docs/papers/000.md:7: step.cpp:other does not carry [Writer 2015, eq. 1]"),
    ("docs/papers/000.md", "Step.Stretches", "Step.Shrinks", "docs/papers/000.md:7: no test Step.Shrinks"),
    ("docs/papers/000.md", "Step.*", "Stop.*", "docs/papers/000.md:8: no test Stop.*"),
    ("docs/papers/000.md", "one.swing", "one.sling", "docs/papers/000.md:7: no test experiment.one.sling"),
    ("docs/papers/000.md", "a drawing", "",
     "docs/papers/000.md:9: [Writer 2015, fig. 1] has neither a function nor a reason"),
    ("docs/papers/000.md", "1 figure", "2 figures", "docs/papers/000.md:1: [Writer 2015, fig. 2] is listed 0 times"),
    ("docs/papers/000.md", "Numbered in print", "Numbered",
     "docs/papers/000.md:1: does not say what is 'Numbered in print: ...'"),
]


def check(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, "-B", CHECKER, folder], capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines() + done.stderr.splitlines()


def main():
    failures = []
    if check(SOUND) != (0, []):
        failures.append(f"the sound project: {check(SOUND)}")
    for name, good, bad, said in BROKEN:
        files = dict(SOUND)
        assert files[name].count(good) >= 1, (name, good)
        files[name] = files[name].replace(good, bad, 1)
        code, lines = check(files)
        if code != 1 or said not in lines:
            failures.append(f"{name}, '{good}' -> '{bad}': expected '{said}', got {lines}")
        elif any(not re.match(r"[\w./]+:\d+: ", line) for line in lines):
            failures.append(f"not one line each: {lines}")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
