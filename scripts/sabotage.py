# The work of scripts/sabotage.sh, which says how to call it.
import datetime
import json
import os
import random
import shlex
import shutil
import subprocess
import sys

LIST = 'scripts/sabotage.txt'


class Fault:
    """FILE | PROGRAM FILTER | OLD => NEW: with the fault, a test of the filter must fail."""

    def __init__(self, line):
        self.line = line
        self.file, test, change = [part.strip() for part in line.split(' | ', 2)]
        self.program, self.filter = test.split()
        self.old, self.new = change.split(' => ')

    def faulty_text(self):
        with open(self.file) as source:
            text = source.read()
        if text.count(self.old) != 1:
            raise ValueError(f'{text.count(self.old)} places instead of one hold: {self.old}')
        return text.replace(self.old, self.new)


def read_faults():
    with open(LIST) as lines:
        return [Fault(line.strip()) for line in lines if line.strip() and not line.startswith('#')]


class Build:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        with open(os.path.join(folder, 'compile_commands.json')) as commands:
            self.commands = json.load(commands)

    def printed(self, target, *options):
        """Ninja's commands for a program."""
        name = target if target == 'bin/fascia' else f'tests/{target}'
        return subprocess.run(['ninja', '-C', self.folder, '-t', 'commands', *options, name], capture_output=True,
                              text=True, check=True).stdout

    def readers(self, path):
        """Objects whose sources include the header, as the compiler has noted."""
        out, current = set(), ''
        for line in subprocess.run(['ninja', '-C', self.folder, '-t', 'deps'], capture_output=True, text=True,
                                   check=True).stdout.splitlines():
            if line and not line.startswith(' '):
                current = line.split(':')[0]
            elif line and os.path.normpath(os.path.join(self.folder, line.strip())) == path:
                out.add(current)
        return out

    def units(self, file, target):
        """Compile commands of the file, or of the batches that hold it, as far as the program needs them."""
        path = os.path.abspath(file)
        needed = self.printed(target)
        readers = self.readers(path) if file.endswith('.h') else set()
        out = []
        for entry in self.commands:
            words = shlex.split(entry['command'])
            made = words[words.index('-o') + 1]
            if entry['file'] != path and made not in readers:
                if '/batches/' not in entry['file']:
                    continue
                with open(entry['file']) as batch:
                    if f'"{file}"' not in batch.read():
                        continue
            if f' -o {made} ' in needed:
                out.append(entry)
        return out

    def compile(self, entry, file, faulty, work):
        """The unit with the faulty copy in the file's place. Returns the object that it stands for, and the new one."""
        path = os.path.abspath(file)
        source = faulty
        if file.endswith('.h'):
            source = entry['file']
        elif entry['file'] != path:
            source = os.path.join(work, os.path.basename(entry['file']))
            with open(entry['file']) as batch:
                text = batch.read().replace(f'"{file}"', f'"{faulty}"')
            with open(source, 'w') as out:
                out.write(text)
        words = shlex.split(entry['command'])
        at = words.index('-o') + 1
        old = os.path.normpath(os.path.join(entry['directory'], words[at]))
        new = os.path.join(work, f'{len(os.listdir(work))}.o')
        words[at] = new
        words[words.index(entry['file'])] = source
        # Compiled soon rather than fast; results do not depend on it.
        words = ['-O1' if word in ('-O2', '-O3') else word for word in words]
        words[-2:-2] = ['-iquote', os.path.dirname(path), '-w']
        if file.endswith('.h'):
            # Found before the sound one, whose path begins in src/, include/ or tests/.
            words[1:1] = ['-I', overlay_of(file, faulty, work)]
        run(words, entry['directory'])
        return old, new

    def link(self, target, objects, work):
        """The program with the new objects in place of the old ones, or before the libraries that hold these."""
        step = next(part for part in reversed(self.printed(target, '-s').split(' && ')) if ' -o ' in part)
        words = shlex.split(step)
        out = os.path.join(work, os.path.basename(target))
        at = words.index('-o')
        words[at + 1] = out
        for old, new in objects:
            places = [i for i, word in enumerate(words)
                      if os.path.normpath(os.path.join(self.folder, word)) == old]
            if places:
                words[places[0]] = new
            else:
                words.insert(at, new)
                at += 1
        run(words, self.folder)
        return out


def overlay_of(header, faulty, work):
    """A folder from which the faulty header is included by the name that the sound one has."""
    parts = header.split('/')
    roots = 1 if parts[0] in ('src', 'include', 'tests') else len(parts) - 1
    folder = os.path.join(work, 'overlay')
    to = os.path.join(folder, *parts[roots:])
    os.makedirs(os.path.dirname(to), exist_ok=True)
    shutil.copy(faulty, to)
    return folder


def run(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise ValueError(f'{" ".join(words[:3])} ... failed:\n{done.stderr[-2000:]}')


def is_noticed(fault, build, work):
    faulty = os.path.join(work, os.path.basename(fault.file))
    with open(faulty, 'w') as out:
        out.write(fault.faulty_text())
    target = 'bin/fascia' if fault.program == 'test_cli' else fault.program  # whose tests run the program
    units = build.units(fault.file, target)
    if not units:
        raise ValueError('nothing in the build compiles it')
    objects = [build.compile(entry, fault.file, faulty, work) for entry in units]
    environment = dict(os.environ)
    if fault.program == 'test_cli':
        environment['FASCIA_PROGRAM'] = build.link('bin/fascia', objects, work)
        program = os.path.join(build.folder, 'tests', fault.program)
    else:
        program = build.link(fault.program, objects, work)
    try:
        done = subprocess.run([program, f'--gtest_filter={fault.filter}'], capture_output=True, text=True,
                              env=environment, timeout=300)
    except subprocess.TimeoutExpired:
        return True
    if '[==========] 0 tests' in done.stdout or 'Running 0 tests' in done.stdout:
        raise ValueError('no such test')
    return done.returncode != 0


def choose(faults, words):
    if words[0] == 'all':
        return faults
    if words[0] == 'lines':
        return [fault for fault in faults if words[1] in fault.line]
    seed = words[1] if len(words) > 1 else datetime.date.today().isoformat()
    print(f'seed {seed}')
    return random.Random(seed).sample(faults, int(words[0]))


def check_list():
    """Whether every fault still has its place: code moves on. Needs no build."""
    stale = 0
    for fault in read_faults():
        try:
            fault.faulty_text()
        except (OSError, ValueError) as problem:
            stale += 1
            print(f'{fault.file}: {problem}')
    sys.exit(1 if stale else 0)


def main():
    if sys.argv[2:] == ['check']:
        check_list()
    build = Build(sys.argv[1])
    bad = 0
    for number, fault in enumerate(choose(read_faults(), sys.argv[2:] or ['all'])):
        work = os.path.join(build.folder, 'sabotage', str(number))
        subprocess.run(['rm', '-rf', work], check=True)
        os.makedirs(work)
        begun = datetime.datetime.now()
        try:
            said = 'noticed' if is_noticed(fault, build, work) else 'NOT NOTICED'
        except ValueError as problem:
            said = f'CANNOT BE TRIED: {problem}'
        bad += said != 'noticed'
        seconds = (datetime.datetime.now() - begun).total_seconds()
        print(f'{said} ({seconds:.0f} s): {fault.line}', flush=True)
        subprocess.run(['rm', '-rf', work], check=True)
    sys.exit(1 if bad else 0)


main()
