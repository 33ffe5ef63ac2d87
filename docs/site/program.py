# SPDX-License-Identifier: Apache-2.0
"""What the reference pages are made from: the JSON and the help texts of the program, and the files of the tree."""
import html
import json
import pathlib
import re
import subprocess

TREE = pathlib.Path(__file__).resolve().parents[2]
ROLE_NAMES = {  # a protocol's words for (initiator, responder); the rules' JSON has the two general words
    'ramcloud': ('client', 'server'), 'efa': ('requester', 'responder'), 'smbd': ('initiator', 'listener'),
    'umsp': ('initiator', 'executor')}


class Program:
    def __init__(self, command):
        self.command = command  # the program, after an emulator if it is of another architecture

    def text(self, *arguments):
        done = subprocess.run([*self.command, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f'wirelaw {" ".join(arguments[:3])} failed: {done.stderr.strip()}')
        return done.stdout

    def works(self, *arguments):
        return subprocess.run([*self.command, *arguments], capture_output=True).returncode == 0

    def json(self, *arguments):
        return json.loads(self.text(*arguments, '--format', 'json'))

    def protocols(self):
        """(id, name) of each protocol, as the help lists them."""
        block = paragraph_of(self.text('--help'), 'Protocols:')
        return [re.match(r' +(\S+) +(.*?) \([^()]*\)$', line).groups() for line in block]

    def commands(self):
        block = paragraph_of(self.text('--help'), 'Subcommands:')
        return [re.match(r' +(\S+) +(.*)$', line).groups() for line in block]


def paragraph_of(text, heading):
    """The lines below a heading of a help text, up to the next empty line."""
    lines = text.splitlines()
    start = lines.index(heading) + 1
    end = next((n for n in range(start, len(lines)) if not lines[n].strip()), len(lines))
    return lines[start:end]


def role_name(protocol, role):
    if role in ('any', ''):
        return 'both roles'
    initiator, responder = ROLE_NAMES.get(protocol, ('initiator', 'responder'))
    return 'the ' + {'initiator': initiator, 'responder': responder}.get(role, role)


def md(text):
    """Plain text as Markdown. Words between backticks stay code."""
    parts = re.split(r'(`[^`]*`)', text)
    return ''.join(part if part.startswith('`') and len(part) > 2 else plain(part) for part in parts)


def plain(text):
    text = re.sub(r'([\\*_\[\]|#~])', r'\\\1', html.escape(text, quote=False))
    return text.replace('{', '&#123;').replace('}', '&#125;')


def slug(text):
    return re.sub(r'[^a-z0-9.]+', '-', text.lower()).strip('-')


def write(folder, name, lines):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('\n'.join(lines) + '\n', encoding='utf-8')
