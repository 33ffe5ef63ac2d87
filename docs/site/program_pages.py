# SPDX-License-Identifier: Apache-2.0
"""The generated pages of the program itself: commands and options, peer URIs, exit status, JSON and TOML."""
import json
import re

from program import TREE, md, paragraph_of, plain, write


def cell(text):
    return md(text).replace('\n', ' ')


def options_of(text):
    """(name, argument, description) of each option and positional of a help text."""
    rows = []
    for line in text.splitlines():
        option = re.match(r'  ((?:-\w,)?--?[a-z][\w-]*|[a-zA-Z]+)((?: \S+)*?)(?:  +(.*))?$', line)
        continued = re.match(r' {30,}(\S.*)$', line)
        if continued and rows:
            rows[-1][2] = (rows[-1][2] + ' ' + continued[1]).strip()
        elif option:
            rows.append([option[1], option[2].strip(), option[3] or ''])
    return rows


def defined(anchor, term, meaning):
    """An entry of a definition list, which needs less width than a table."""
    return [f'<a id="{anchor}"></a>`{term}`', f':   {cell(meaning) or "(no description)"}', '']


def split_help(text):
    """The option table of a help text, and what follows it."""
    lines = text.splitlines()
    last = 0
    for number, line in enumerate(lines):
        if line in ('Options:', 'Results:', 'Positionals:'):
            last = number
    end = next((n for n in range(last, len(lines)) if not lines[n].strip()), len(lines))
    return lines[:end], '\n'.join(lines[end:]).strip('\n')


def write_commands(program, folder):
    lines = ['# Commands and options', '']
    for command, purpose in program.commands():
        lines.append(f'- [`wirelaw {command}`](#{command}): {md(purpose)}')
    lines.append('')
    for command, purpose in program.commands():
        table, rest = split_help(program.text(command, '--help'))
        usage = next(line for line in table if line.startswith('Usage: '))[7:]
        lines += [f'## wirelaw {command} {{ #{command} }}', '', md(purpose) + '.', '', f'`{usage}`', '']
        for name, argument, meaning in options_of('\n'.join(table)):
            anchor = f'{command}-{name.split(",")[-1].lstrip("-")}'
            lines += defined(anchor, f'{name} {argument}'.strip(), meaning)
        if rest:
            lines += ['```text', rest, '```', '']
    write(folder, 'commands.md', lines)


def write_uris(program, folder):
    text = program.text('test', '--help').splitlines()
    start = next(n for n, line in enumerate(text) if re.match(r'  \w+:(//)?', line))
    end = next(n for n in range(start, len(text)) if not text[n].strip())
    lines = ['# Peer URIs', '', 'The URI of `wirelaw test`, `fuzz`, `certify` and `serve` says where the peer is.', '',
             '```text', *text[start:end], '```', '', '## Parameters', '',
             'Parameters follow the URI after `?`, separated by `&`. They declare what cases cannot find out. '
             'A case that needs a parameter that is not given is skipped. `wirelaw serve` prints its own.', '']
    rows, protocol = [], ''
    names = {name for name, _ in program.protocols()}
    start = next(n for n, line in enumerate(text) if re.match(r'  (\w+) +[a-z_]+', line)
                 and line.split()[0] in names and line.startswith('  rdmap  '))
    for line in text[start:]:
        if not line.strip():
            break
        parts = re.match(r'  (\w*) +([a-z_]+)\s*(\S.*)$', line) if len(line) > 12 and line[12] != ' ' else None
        if parts:
            protocol = parts[1] or protocol
            rows.append([protocol, parts[2], parts[3]])
        else:
            rows[-1][2] += ' ' + line.strip()
    last = ''
    for protocol, name, meaning in rows:
        if protocol != last:
            last = protocol
            lines += [f'### {protocol} {{ #{protocol} }}', '']
        lines += defined(f'{protocol}-{name}', name, meaning)
    write(folder, 'uris.md', lines)
    return len(rows)


def write_exit_status(program, folder):
    lines = ['# Exit status', '', 'Scripts may rely on these numbers: they keep their meaning within a major version.',
             '']

    def table(text):
        rows = []
        for line in paragraph_of(text, 'Exit status:'):
            numbered = re.match(r'  (\d+|128 \+ N)  (.*)$', line)
            if numbered:
                rows.append([numbered[1], numbered[2]])
            else:
                rows[-1][1] += ' ' + line.strip()
        return ['| status | meaning |', '|---|---|', *[f'| {a} | {cell(b)} |' for a, b in rows], '']
    for command, _ in program.commands():
        text = program.text(command, '--help')
        lines += [f'## wirelaw {command} {{ #{command} }}', '']
        short = re.search(r'^Exit status: (.*(?:\n\S.*)*)', text, re.M)
        if 'Exit status:' in text.splitlines():
            lines += table(text)
        elif short:
            lines += [md(short[1].replace('\n', ' ')), '']
        else:
            lines += ['0: done; 2: wrong use, or output that could not be written.', '']
    write(folder, 'exit-status.md', lines)


def type_of(value):
    """The type of a schema node, as words; a reference leads to the table of its type."""
    if '$ref' in value:
        name = value['$ref'].split('/')[-1]
        return f'[{name}](#{{stem}}-{name})' if value['$ref'].startswith('#') else f'`{name}`'
    if 'const' in value:
        return f'`{json.dumps(value["const"])}`'
    if 'enum' in value:
        return ' or '.join(f'`{json.dumps(item)}`' for item in value['enum'])
    if value.get('type') == 'array':
        return 'list of ' + type_of(value.get('items', {}))
    if 'oneOf' in value or 'anyOf' in value:
        return ' or '.join(type_of(item) for item in value.get('oneOf') or value['anyOf'])
    kind = value.get('type', 'any')
    return kind if isinstance(kind, str) else ' or '.join(kind)


def fields_of(node, prefix=''):
    """(path, node, required) of each field, objects without a name of their own included."""
    for name, value in node.get('properties', {}).items():
        path = f'{prefix}{name}'
        yield path, value, name in node.get('required', [])
        inner = value.get('items', value) if value.get('type') == 'array' else value
        if isinstance(inner, dict) and 'properties' in inner:
            yield from fields_of(inner, path + ('[].' if inner is not value else '.'))


def table_of(node, stem):
    rows = list(fields_of(node))
    if not rows:
        return [type_of(node), ''] if 'enum' in node else []
    lines = ['| field | type | meaning |', '|---|---|---|']
    for path, value, required in rows:
        meaning = cell(value.get('description', ''))
        kind = type_of(value).replace('{stem}', stem)
        lines.append(f'| `{path}`{"" if required else " (optional)"} | {kind} | {meaning} |')
    return lines + ['']


def schema_files():
    """The newest version of each schema in reports/, in a fixed order."""
    def version(path):
        return int(re.search(r'-(\d+)\.schema', path.name)[1])
    plain_files = {}
    for path in (TREE / 'reports').glob('*.schema.json'):
        family = re.sub(r'-\d+\.schema\.json$', '', path.name)
        if family not in plain_files or version(path) > version(plain_files[family]):
            plain_files[family] = path
    return [plain_files[family] for family in sorted(plain_files)]


def write_json(folder):
    lines = ['# JSON and TOML', '', 'The package has the JSON Schemas in `/usr/share/wirelaw`. '
             'The tables below are made from them.', '']
    for path in schema_files():
        schema = json.loads(path.read_text(encoding='utf-8'))
        stem = path.name.removesuffix('.schema.json')
        about = md(schema.get('description', ''))
        lines += [f'## {plain(schema["title"])} {{ #{stem} }}', '', f'`{path.name}`. {about}', '']
        lines += table_of(schema, stem)
        for name, node in schema.get('$defs', {}).items():
            lines += [f'### {name} {{ #{stem}-{name} }}', '']
            if node.get('description'):
                lines += [md(node['description']), '']
            lines += table_of(node, stem)
    write(folder, 'json.md', lines)


def write_scripts(program, folder):
    """The messages and fields that scripts may name, for each protocol whose conversations they can say."""
    lines = ['# Messages and fields of scripts', '', 'What lines of [scripts](../script-language.md) may name. The values '
             'are those of an honest sender after the start of a conversation. `wirelaw script list` prints the same.',
             '']
    for name, title in program.protocols():
        if not program.works('script', 'list', name):
            continue
        text = program.text('script', 'list', name)
        lines += [f'## {md(title)} {{ #{name} }}', '', '```text', text.rstrip(), '```', '']
        for message in re.findall(r'^  (\w+) ', '\n'.join(paragraph_of(text, 'Messages:')), re.M):
            lines += [f'### {md(message)} {{ #{name}-{message} }}', '', '```text',
                      program.text('script', 'list', name, message).rstrip(), '```', '']
    write(folder, 'script-messages.md', lines)


def write_all(program, folder):
    write_scripts(program, folder)
    write_commands(program, folder)
    write_uris(program, folder)
    write_exit_status(program, folder)
    write_json(folder)
