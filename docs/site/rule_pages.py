# SPDX-License-Identifier: Apache-2.0
"""The generated pages of rules (one page a section), rulings and cases. Each id is the anchor of its entry."""
import collections
import re

from program import TREE, md, plain, role_name, slug, write

EVIDENCE = {
    'octets': 'the octets that were seen',
    'absence': 'the absence of a message: a breach fails the peer only if the capture is complete',
    'order': 'the order of frames: a breach fails the peer only if the capture is complete'}
MOST_CASES = 8


class Catalogue:
    """Everything that the program knows of its rules, rulings and cases, and the page of each."""

    def __init__(self, program):
        self.names = dict(program.protocols())
        self.rules = program.json('rules')['rules']
        explained = program.json('explain', *[rule['id'] for rule in self.rules])['explanations']
        self.explained = {entry['rule']['id']: entry for entry in explained}
        self.cases = {name: program.json('test', name, '--list')['cases'] for name in self.names}
        self.rulings = self.all_rulings(program)
        self.sections = collections.OrderedDict()
        for rule in self.rules:
            self.sections.setdefault((rule['protocol'], section_of(rule['section'])), []).append(rule)
        self.page_of = {}
        for (protocol, section), rules in self.sections.items():
            for rule in rules:
                self.page_of[rule['id']] = f'rules/{protocol}/{slug(section)}.md'
        for protocol, rows in self.rulings.items():
            for row in rows:
                self.page_of[row['id']] = f'rulings/{protocol}.md'

    def all_rulings(self, program):
        """Those that rules cite, and those that stand in the pages of rulings only."""
        ids = {protocol: collections.OrderedDict() for protocol in self.names}
        for protocol in self.names:
            page = TREE / 'conformance' / protocol / 'INTERPRETATIONS.md'
            for number in re.findall(r'^\| (?:[A-Z]+/)?([A-Z]-?\d+[a-z]?) \|', page.read_text(encoding='utf-8'), re.M):
                ids[protocol][number] = True
        rows = {}
        for protocol, numbers in ids.items():
            prefix = protocol.upper()
            explained = program.json('explain', *[f'{prefix}/{number}' for number in numbers])['explanations']
            rows[protocol] = [row for entry in explained for row in entry['rulings'] if row['protocol'] == protocol]
        return rows

    def link(self, text, base):
        """Markdown of a text in which each id of a rule or a ruling is a link; `base` leads to reference/."""
        def known(match):
            page = self.page_of.get(match[1])
            return f'[{match[1]}]({base}{page}#{match[1]})' if page else match[0]
        text = re.sub(r'`([A-Z]+[-/][^`\s]+)`', known, md(text))
        return re.sub(r'(?<![\w\[#/])([A-Z]{3,}/[A-Z]-?\d+[a-z]?)(?![\w-])', known, text)


def section_of(section):
    """The page that a rule is on: document and section, without tables, figures and revisions."""
    numbered = re.match(r'(RFC \d+|EFA RDM v4|\[MS-SMBD\]) (\d+(?:\.\d+)*)', section)
    if numbered:
        return f'{numbered[1]} {numbered[2]}'
    named = re.sub(r'^RAMCloud RPC,? (RAMCloud RPC )?(Old: )?', '', section)
    return f'RAMCloud RPC, {named}'


def rule_lines(catalogue, rule):
    base = '../../'
    entry = catalogue.explained[rule['id']]
    more = entry['rule']
    section = plain(rule['section'])
    lines = [f'## {plain(rule["id"])} {{ #{rule["id"]} }}', '', f'**{rule["level"]}** {md(rule["summary"])}', '']
    lines.append(f'- Section: [{section}]({more["link"]})' if more['link'] else f'- Section: {section}')
    lines.append(f'- Binds: {role_name(rule["protocol"], rule["role"])}')
    lines.append(f'- Judged (`{rule["observable"]}`): {md(more["how_judged"])}')
    if rule['observable'] != 'none':
        lines.append(f'- Evidence: {EVIDENCE.get(rule["evidence"], rule["evidence"])}')
    if rule['note']:
        lines.append(f'- Note: {catalogue.link(rule["note"], base)}')
    for ruling in entry['rulings']:
        lines.append(f'- Ruling [{ruling["id"]}]({base}{catalogue.page_of[ruling["id"]]}#{ruling["id"]}): '
                     f'{catalogue.link(ruling["point"], base)}')
    for trace in entry['traces'][:3]:
        lines.append(f'- Trace that breaks it ({trace["severity"]}): `wirelaw decode {trace["file"]}`')
    for case in entry['cases'][:MOST_CASES]:
        page = f'{base}cases/{rule["protocol"]}-{case["role"]}.md'
        lines.append(f'- Case for a peer in the role {case["role"]}: [{plain(case["id"])}]({page}#{case["id"]})')
    if len(entry['cases']) > MOST_CASES:
        lines.append(f'- {len(entry["cases"]) - MOST_CASES} more cases: `wirelaw explain {rule["id"]}`')
    for deviation in entry['deviations'][:3]:
        lines.append(f'- Deviation of the reference that breaks it: `{deviation["name"]}`. {md(deviation["text"])}')
    return lines + ['']


def write_rules(catalogue, folder):
    index = ['# Rules', '', f'{len(catalogue.rules)} rules. Each section of a specification has one page. '
             'The id of a rule begins with its section: `RDMAP-4.8-2` is in RFC 5040 4.8.', '']
    for protocol, name in catalogue.names.items():
        sections = [(section, rules) for (owner, section), rules in catalogue.sections.items() if owner == protocol]
        count = sum(len(rules) for _, rules in sections)
        index += [f'## {plain(name)}', '', f'`{protocol}`: {count} rules', '', '| section | rules |',
                  '|---|--:|']
        for section, rules in sections:
            page = f'rules/{protocol}/{slug(section)}.md'
            index.append(f'| [{plain(section)}]({page}) | {len(rules)} |')
            lines = [f'# {plain(section)}', '', f'{plain(name)}, {len(rules)} rule{"s" if len(rules) > 1 else ""}. '
                     'The [list of all sections](../../rules.md) leads to the other pages.', '']
            for rule in rules:
                lines += rule_lines(catalogue, rule)
            write(folder, page, lines)
        index.append('')
    write(folder, 'rules.md', index)


def write_rulings(catalogue, folder):
    index = ['# Rulings', '', 'A ruling says how an ambiguous sentence of a specification is read, and why.', '',
             '| protocol | rulings |', '|---|---|']
    for protocol, name in catalogue.names.items():
        rows = catalogue.rulings[protocol]
        ids = {row['id'] for row in rows}
        index.append(f'| [{plain(name)}](rulings/{protocol}.md) | {len(ids)} |')
        cited = collections.defaultdict(list)
        for rule in catalogue.rules:
            for ruling in {row['id'] for row in catalogue.explained[rule['id']]['rulings']}:
                cited[ruling].append(rule['id'])
        lines, theme, seen = [f'# Rulings of {plain(name)}', ''], None, set()
        for row in rows:
            if row['theme'] != theme:
                theme = row['theme']
                lines += [f'## {plain(theme)}', '']
            anchor = f' {{ #{row["id"]} }}' if row['id'] not in seen else ''
            lines += [f'### {plain(row["id"])}{anchor}', '', f'**{catalogue.link(row["point"], "../")}**', '',
                      catalogue.link(row['ruling'], '../'), '']
            if row['deployed']:
                lines += [f'Deployed peers: {catalogue.link(row["deployed"], "../")}', '']
            if row['id'] not in seen and cited[row['id']]:
                links = [f'[{rule}](../{catalogue.page_of[rule]}#{rule})' for rule in cited[row['id']]]
                lines += [f'Rules: {", ".join(links)}', '']
            seen.add(row['id'])
        write(folder, f'rulings/{protocol}.md', lines)
    write(folder, 'rulings.md', index)


def write_cases(catalogue, folder):
    total = sum(len(cases) for cases in catalogue.cases.values())
    index = ['# Cases', '', f'{total} cases. A case is one conversation that `wirelaw test` holds with a peer. '
             'The role is the one that the peer plays.', '', '| protocol | role of the peer | cases |', '|---|---|---|']
    for protocol, name in catalogue.names.items():
        for role in sorted({case['role'] for case in catalogue.cases[protocol]}):
            cases = [case for case in catalogue.cases[protocol] if case['role'] == role]
            page = f'cases/{protocol}-{role}.md'
            index.append(f'| {plain(name)} | [{role}]({page}) | {len(cases)} |')
            lines, group = [f'# Cases of {plain(name)}: {role}', ''], None
            for case in cases:
                head = case['id'].split('/')[0]
                if head != group:
                    group = head
                    lines += [f'## {plain(group)}/', '']
                links = [f'[{rule}](../{catalogue.page_of[rule]}#{rule})' for rule in case['rules']]
                lines += [f'### {plain(case["id"])} {{ #{case["id"]} }}', '', md(case['purpose']), '']
                if case['application']:
                    lines += [f'Needs `--application {case["application"]}`.', '']
                lines += [f'Rules: {", ".join(links)}', '']
            write(folder, page, lines)
    write(folder, 'cases.md', index)


def write_all(program, folder):
    catalogue = Catalogue(program)
    write_rules(catalogue, folder)
    write_rulings(catalogue, folder)
    write_cases(catalogue, folder)
    return catalogue
