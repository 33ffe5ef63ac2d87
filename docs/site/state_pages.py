# SPDX-License-Identifier: Apache-2.0
"""The page of the trackers' states: read from the transition tables in the sources, so that it cannot differ."""
import re

import program as wirelaw

TRACKERS = (('ramcloud', 'RAMCloud'), ('smbd', 'SMB Direct'), ('rdmap', 'iWARP'), ('efa', 'EFA'),
            ('umsp', 'UMSP'))
INTRODUCTION = """# States of the trackers

A tracker follows a conversation and states facts about it; the checks of the rules judge these facts
(see [architecture](../background/architecture.md)). What a tracker knows about a connection, a session or a message is
one of a few states. A table of transitions in the source decides what each event changes; this page is generated from
these tables. An event that a state's row does not name leaves that state as it is."""


class Machine:
    """One transition table: the type that it belongs to, its states and events with their comments, and its rows."""

    def __init__(self, header, name, about, body):
        self.header, self.name, self.about = header, name, about
        kind, rows = re.search(r'Transition<(\w+), Event> kRows\[\] = \{(.*?)\n *\};', body, re.S).groups()
        self.states = enumerators(body, kind)
        self.events = enumerators(body, 'Event')
        self.rows = [[word.split('::')[-1].strip() for word in row.split(',')]
                     for row in re.findall(r'\{([\w:, ]+)\}', rows)]
        if len(self.rows) != rows.count('{'):
            raise SystemExit(f'{header}: {name}: a row of its transition table cannot be read')
        for state, event, after in self.rows:
            if state not in self.states or event not in self.events or after not in self.states:
                raise SystemExit(f'{header}: {name}: the row {state}, {event}, {after} names no state or event')

    def events_between(self, state, after):
        return [event for one, event, other in self.rows if (one, other) == (state, after)]


def enumerators(body, name):
    """The enumerators but the last, count_, with their comments."""
    text = re.search(r'enum class ' + name + r' : std::uint8_t \{(.*?)\}', body, re.S)[1]
    text = re.sub(r'\n\s*//([^\n]*)\n(?=(?:\s*//)|\s*\w+,)', r'\n', text)  # a comment about several enumerators
    return {one: comment.strip() for one, comment in re.findall(r'(\w+),[ ]*(?://([^\n]*))?', text + ',')
            if one != 'count_'}


def machines_of(header, text):
    """A table belongs to the last class or struct that begins before it, at the start of a line."""
    found = []
    types = list(re.finditer(r'^((?://[^\n]*\n)*)(?:class|struct) (\w+)[^;\n]*\{', text, re.M))
    for table in re.finditer(r'kRows\[\] = \{', text):
        owner = [one for one in types if one.start() < table.start()][-1]
        about = ' '.join(line.lstrip('/ ') for line in owner[1].splitlines())
        found.append(Machine(header, owner[2], about, text[owner.start():text.index('\n};', table.end())]))
    return found


def all_machines():
    machines = {}
    for protocol, _ in TRACKERS:
        folder = wirelaw.TREE / 'conformance' / protocol / 'tracker'
        for path in sorted(folder.glob('*.h')):
            found = machines_of(path.relative_to(wirelaw.TREE), path.read_text(encoding='utf-8'))
            machines.setdefault(protocol, []).extend(found)
        if not machines.get(protocol):
            raise SystemExit(f'{folder.relative_to(wirelaw.TREE)} has no transition table')
    return machines


def drawing(machine):
    """A row for each state, and a column for each state that some event leads to."""
    columns = [state for state in machine.states if any(row[2] == state for row in machine.rows)]
    yield '| from | ' + ' | '.join(f'to `{state}`' for state in columns) + ' |'
    yield '|---|' + '---|' * len(columns)
    for state in machine.states:
        cells = [', '.join(f'`{event}`' for event in machine.events_between(state, after)) for after in columns]
        yield f'| `{state}` | ' + ' | '.join(cells) + ' |'


def section(machine):
    about = [wirelaw.md(machine.about), ''] if machine.about else []
    lines = ['', f'### {machine.name}', '', *about, *drawing(machine), '']
    for kind, names in (('State', machine.states), ('Event', machine.events)):
        lines += [f'| {kind} | Meaning |', '|---|---|']
        lines += [f'| `{name}` | {wirelaw.md(comment)} |' for name, comment in names.items()]
        lines.append('')
    return [*lines, f'Source: `{machine.header}`']


def write_all(folder):
    lines = [INTRODUCTION]
    machines = all_machines()
    for protocol, name in TRACKERS:
        lines += ['', f'## {name}']
        for machine in machines[protocol]:
            lines += section(machine)
    wirelaw.write(folder, 'states.md', lines)
