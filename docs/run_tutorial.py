#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of a tutorial and compares their output with what the page shows.

    run_tutorial.py --wirelaw PROGRAM --tree FOLDER PAGE...             checks
    run_tutorial.py --wirelaw PROGRAM --tree FOLDER --update PAGE...    writes the output of today into the pages

A block that begins with ```console has commands, in lines that begin with "$ ", and their output below them. All
commands of a page run in one shell, in a new folder that is also HOME; ~/wirelaw is the source tree. A line "…"
stands for any lines, and [...] inside a line for any words; --update leaves outputs that have them alone.

A page with ```diff blocks changes the tree: then ~/wirelaw is made of links, except for the files that the blocks
change. The patches must apply, and each C++ file that they change must compile (syntax only).

Exit status: 0 all is as shown; 1 something is not; 77 skipped, with a reason.
"""
import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MARK = '@@end of command@@'
BLOCK = re.compile(r'^```(console|diff)\n(.*?)^```$', re.S | re.M)
SECONDS = 300


def commands_of(block):
    """[command, shown lines] of each command of a block; a command may go on in lines that begin with "> "."""
    found = []
    for line in block.splitlines():
        if line.startswith('$ '):
            found.append([line[2:], []])
        elif (line == '>' or line.startswith('> ')) and found and not found[-1][1]:
            found[-1][0] += '\n' + line[2:]
        elif found:
            found[-1][1].append(line)
        else:
            raise SystemExit(f'a block begins without a command: {line}')
    return found


def run(commands, home, program):
    """The output of each command, as lists of lines."""
    script = ''.join(f'{command}\n__status=$?; echo; echo "{MARK}"; (exit $__status)\n' for command in commands)
    environment = {'HOME': str(home), 'PATH': f'{pathlib.Path(program).resolve().parent}:{os.environ["PATH"]}',
                   'LC_ALL': 'C.UTF-8', 'TZ': 'UTC', 'TMPDIR': str(home)}
    done = subprocess.run(['bash', '-c', script], cwd=home, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    parts = done.stdout.decode('utf-8', 'replace').split(f'\n{MARK}\n')
    parts += ['(the shell ended)'] * (len(commands) - len(parts))
    return [part.rstrip('\n').splitlines() for part in parts[:len(commands)]]


def agrees(shown, actual):
    lines = [re.escape(line.rstrip()).replace(re.escape('[...]'), '.*?') + '\n' for line in shown]
    pattern = ''.join('(?:.*\n)*?' if line == re.escape('…') + '\n' else line for line in lines)
    return re.fullmatch(pattern, ''.join(line.rstrip() + '\n' for line in actual)) is not None


def has_elision(shown):
    return any(line.strip() == '…' or '[...]' in line for line in shown)


def links_to(folder, copy, files):
    """A copy of a folder that has these files, and links to everything else."""
    copy.mkdir(exist_ok=True)
    for entry in folder.iterdir():
        below = {file.relative_to(entry.name) for file in files if file.parts[0] == entry.name}
        if entry.is_dir() and below:
            links_to(entry, copy / entry.name, below)
        elif below:
            shutil.copy(entry, copy / entry.name)
        elif entry.name != '.git':
            (copy / entry.name).symlink_to(entry)


def apply_diffs(diffs, tree, home):
    """Makes ~/wirelaw with the patches of the page applied. Returns what is wrong with them."""
    copy = home / 'wirelaw'
    patch = home / 'page.patch'
    patch.write_text(''.join(diffs), encoding='utf-8')
    names = re.findall(r'^\+\+\+ b/(\S+)', patch.read_text(encoding='utf-8'), re.M)
    links_to(tree, copy, {pathlib.PurePath(name) for name in names})
    done = subprocess.run(['git', 'apply', '--whitespace=error', '--unsafe-paths', f'--directory={copy}', patch],
                          cwd='/', capture_output=True, text=True)
    if done.returncode:
        return [f'the patch does not apply: {done.stderr.strip()}']
    faults = []
    for name in names:
        if name.endswith('.cc') and shutil.which('g++'):
            done = subprocess.run(['g++', '-std=c++20', '-fsyntax-only', '-Wall', '-Wextra', '-I', copy, copy / name],
                                  capture_output=True, text=True)
            if done.returncode:
                faults.append(f'{name} does not compile:\n{done.stderr[:2000]}')
    return faults


def check_page(page, arguments):
    text = page.read_text(encoding='utf-8')
    blocks = [match for match in BLOCK.finditer(text)]
    faults = []
    with tempfile.TemporaryDirectory(prefix='tutorial') as folder:
        home = pathlib.Path(folder)
        diffs = [match[2] for match in blocks if match[1] == 'diff']
        if diffs:
            faults += apply_diffs(diffs, arguments.tree, home)
        else:
            (home / 'wirelaw').symlink_to(arguments.tree)
        consoles = [match for match in blocks if match[1] == 'console']
        groups = [commands_of(match[2]) for match in consoles]
        outputs = iter(run([command for group in groups for command, _ in group], home, arguments.wirelaw))
    written = []
    for group in groups:
        lines = []
        for command, shown in group:
            actual = next(outputs)
            if not agrees(shown, actual):
                if arguments.update and not has_elision(shown):
                    shown = [line.rstrip() for line in actual]
                else:
                    differ = difflib.unified_diff(shown, actual, 'shown', 'actual', lineterm='')
                    faults.append(f'$ {command}\n' + '\n'.join(differ))
            lines += ['$ ' + re.sub(r'\n> $', '\n>', command.replace('\n', '\n> '), flags=re.M), *shown]
        written.append('```console\n' + '\n'.join(lines) + '\n```')
    if arguments.update:
        for match, block in reversed(list(zip(consoles, written))):
            text = text[:match.start()] + block + text[match.end():]
        page.write_text(text, encoding='utf-8')
    for fault in faults:
        print(f'{page}: {fault}\n')
    print(f'{page.name}: {sum(map(len, groups))} commands, {len(diffs)} patches, {len(faults)} faults')
    return not faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--wirelaw', required=True)
    parser.add_argument('--tree', required=True, type=pathlib.Path)
    parser.add_argument('--update', action='store_true')
    parser.add_argument('pages', nargs='+', type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.tree = arguments.tree.resolve()
    if not shutil.which('bash') or not shutil.which('git'):
        print('SKIPPED: needs bash and git')
        return 77
    return 0 if all([check_page(page, arguments) for page in arguments.pages]) else 1


if __name__ == '__main__':
    sys.exit(main())
