#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the documentation: copies the pages of docs/, generates the reference from the program, and runs mkdocs.

    build.py --wirelaw [EMULATOR] PROGRAM --out FOLDER [--mkdocs PROGRAM]    writes FOLDER/html; without --mkdocs, pages only

Exit status: 0 built; 1 a link leads nowhere, or a rule, a ruling or a case has no anchor.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import program as wirelaw  # noqa: E402
import program_pages  # noqa: E402
import rule_pages  # noqa: E402
import state_pages  # noqa: E402

DOCS = pathlib.Path(__file__).resolve().parents[1]
REFERENCE = """# Reference

The program writes these pages about itself: they are generated from its JSON, its help and its schemas; the page of
states, from its sources.

- [Commands and options](commands.md)
- [Peer URIs](uris.md) and their parameters
- [Exit status](exit-status.md)
- [Messages and fields of scripts](script-messages.md), for [the script language](../script-language.md)
- [JSON and TOML](json.md): every field of results, declarations, statements and waivers
- [Rules](rules.md): {rules} rules, a page for each section of a specification
- [Rulings](rulings.md): how ambiguous sentences are read
- [Cases](cases.md): what `wirelaw test` can ask of a peer
- [States of the trackers](states.md): what `wirelaw` knows about a conversation, and what changes it

Each rule, ruling and case has its id as its anchor, so that other documents can link to it.
The same text is in `wirelaw explain ID`. The manual page is wirelaw(1).
The traces that these pages name are files of the source tree.
"""


def copy_page(source, target):
    """Without the licence line; a link that leaves docs/ becomes the name of the file in the source tree."""
    text = re.sub(r'\A<!--.*?-->\n', '', source.read_text(encoding='utf-8'), flags=re.S)

    def outside(match):
        path = (source.parent / match[2].split('#')[0]).resolve()
        if path.is_relative_to(DOCS):
            return match[0]
        return f'{match[1]} (`{path.relative_to(wirelaw.TREE)}`)'
    parts = re.split(r'(^```.*?^```$)', text, flags=re.S | re.M)
    link = r'\[([^\]]*)\]\((\.\./[^)]*)\)'
    parts = [part if part.startswith('```') else re.sub(link, outside, part) for part in parts]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(''.join(parts), encoding='utf-8')


def stage(out, program):
    """FOLDER/pages, theme and mkdocs.yml. Gives the catalogue that the reference was made from."""
    for name in ('pages', 'theme', 'html'):
        shutil.rmtree(out / name, ignore_errors=True)
    pages = out / 'pages'
    for page in sorted(DOCS.rglob('*.md')):
        copy_page(page, pages / page.relative_to(DOCS))
    for image in DOCS.rglob('*.svg'):
        shutil.copy(image, pages / image.relative_to(DOCS))
    shutil.copytree(DOCS / 'site' / 'theme', out / 'theme')
    shutil.copy(DOCS / 'site' / 'mkdocs.yml', out / 'mkdocs.yml')
    catalogue = rule_pages.write_all(program, pages / 'reference')
    program_pages.write_all(program, pages / 'reference')
    state_pages.write_all(pages / 'reference')
    wirelaw.write(pages / 'reference', 'index.md', [REFERENCE.format(rules=len(catalogue.rules)).rstrip()])
    return catalogue


def search_index(html):
    """The index of mkdocs as a script, which a page may load from file://."""
    folder = html / 'search'
    docs = json.loads((folder / 'search_index.json').read_text(encoding='utf-8'))['docs']
    rows = [[doc['location'], doc['title'], doc['text'].replace(' # ', ' ')] for doc in docs
            if '#' in doc['location'] or not doc['location'].startswith('reference/')]  # entries of the reference's pages are enough
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / 'index.js').write_text('const wirelawIndex = ' + json.dumps(rows, ensure_ascii=False,
                                     separators=(',', ':')) + ';\n', encoding='utf-8')


def broken_links(html):
    """Links to pages and anchors that are not there."""
    anchors, links = {}, []
    for page in html.rglob('*.html'):
        text = page.read_text(encoding='utf-8')
        anchors[page] = set(re.findall(r'\bid="([^"]+)"', text))
        links += [(page, link) for link in re.findall(r'\b(?:href|src)="([^"]+)"', text)]
    for page, link in links:
        if re.match(r'[a-z]+:', link):
            continue
        name, _, anchor = link.partition('#')
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            yield f'{page.relative_to(html)}: {link}: no such page'
        elif anchor and anchor not in anchors.get(target, {anchor}):
            yield f'{page.relative_to(html)}: {link}: no such anchor'


def missing_anchors(html, catalogue):
    ids = {}
    for page in (html / 'reference').rglob('*.html'):
        for anchor in re.findall(r'\bid="([^"]+)"', page.read_text(encoding='utf-8')):
            ids.setdefault(anchor, []).append(page)
    wanted = list(catalogue.page_of) + [case['id'] for cases in catalogue.cases.values() for case in cases]
    return [f'{name}: has no anchor' for name in wanted if name not in ids]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--wirelaw', required=True, nargs='+', metavar='PROGRAM')
    parser.add_argument('--out', required=True, type=pathlib.Path)
    parser.add_argument('--mkdocs', default='')
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    catalogue = stage(out, wirelaw.Program(arguments.wirelaw))
    if not arguments.mkdocs:
        return 0
    done = subprocess.run([arguments.mkdocs, 'build', '--quiet', '--strict', '--config-file', out / 'mkdocs.yml'])
    if done.returncode:
        return 1
    html = out / 'html'
    search_index(html)
    for name in ('sitemap.xml', 'sitemap.xml.gz'):  # they contain the day of the build, and there is no address to list
        (html / name).unlink(missing_ok=True)
    problems = [*broken_links(html), *missing_anchors(html, catalogue)]
    print(*problems[:40], sep='\n', end='\n' if problems else '')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
