#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the bill of materials of a Debian package of wirelaw, as SPDX 2.3 in JSON, to standard output.

    sbom.py PACKAGE.deb

It lists three kinds of packages, with the versions that this machine has installed: those that the package depends on;
the libraries of .ci/packages.txt, which are linked in or are headers; and the other packages of that list, which were
tools of the build and the tests. SOURCE_DATE_EPOCH is its date.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parents[1]
LIST = TREE / '.ci' / 'packages.txt'
TEST_LIBRARIES = {'libgtest-dev', 'libgmock-dev', 'libbenchmark-dev', 'libfabric-dev', 'libclang-rt-dev'}


def printed(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def fields(deb):
    return dict(line.split(': ', 1) for line in printed('dpkg-deb', '--field', deb).splitlines() if re.match(r'\S+: ', line))


def installed(name):
    """(name, version, architecture, source) of an installed package."""
    query = '${db:Status-Status} ${Package} ${Version} ${Architecture} ${source:Package}\n'
    done = subprocess.run(['dpkg-query', '-W', '-f', query, name], capture_output=True, text=True)
    for line in done.stdout.splitlines():
        status, *rest = line.split()
        if status == 'installed':
            return rest
    return None


def entry(package, version, architecture, source):
    return {
        'SPDXID': 'SPDXRef-' + re.sub(r'[^A-Za-z0-9.-]', '-', package),
        'name': package, 'versionInfo': version, 'supplier': 'Organization: Debian',
        'downloadLocation': 'NOASSERTION', 'filesAnalyzed': False, 'licenseConcluded': 'NOASSERTION',
        'licenseDeclared': 'NOASSERTION', 'copyrightText': 'NOASSERTION',
        'sourceInfo': f'built from the Debian source package {source}',
        'externalRefs': [{'referenceCategory': 'PACKAGE-MANAGER', 'referenceType': 'purl',
                          'referenceLocator': f'pkg:deb/debian/{package}@{version}?arch={architecture}'}],
    }


def main():
    if len(sys.argv) != 2:
        raise SystemExit('usage: sbom.py PACKAGE.deb')
    deb = pathlib.Path(sys.argv[1])
    about = fields(deb)
    digest = hashlib.sha256(deb.read_bytes()).hexdigest()
    itself = {
        'SPDXID': 'SPDXRef-wirelaw', 'name': about['Package'], 'versionInfo': about['Version'],
        'packageFileName': deb.name, 'supplier': 'Person: ' + about['Maintainer'], 'downloadLocation': 'NOASSERTION',
        'filesAnalyzed': False, 'checksums': [{'algorithm': 'SHA256', 'checksumValue': digest}],
        'licenseConcluded': 'Apache-2.0', 'licenseDeclared': 'Apache-2.0', 'copyrightText': 'NOASSERTION',
        'primaryPackagePurpose': 'APPLICATION',
        'externalRefs': [{'referenceCategory': 'PACKAGE-MANAGER', 'referenceType': 'purl',
                          'referenceLocator': f"pkg:generic/{about['Package']}@{about['Version']}"}],
    }
    packages, relationships = {itself['SPDXID']: itself}, []

    def relate(name, kind, reverse):
        found = installed(name)
        if not found and reverse:
            return  # a missing tool was not used
        if not found:
            raise SystemExit(f'sbom: {name}, on which the package depends, is not installed')
        package = entry(*found)
        packages.setdefault(package['SPDXID'], package)
        ends = (package['SPDXID'], itself['SPDXID']) if reverse else (itself['SPDXID'], package['SPDXID'])
        relationships.append({'spdxElementId': ends[0], 'relationshipType': kind, 'relatedSpdxElement': ends[1]})

    for dependency in about.get('Depends', '').split(', '):
        relate(re.match(r'[^ (|:]+', dependency)[0], 'DEPENDS_ON', reverse=False)
    for name in LIST.read_text(encoding='utf-8').split('\n'):
        if not name or name.startswith('#'):
            continue
        library = name.endswith('-dev')
        kind = 'TEST_DEPENDENCY_OF' if name in TEST_LIBRARIES else 'BUILD_DEPENDENCY_OF' if library else 'BUILD_TOOL_OF'
        relate(name, kind, reverse=True)

    epoch = int(os.environ.get('SOURCE_DATE_EPOCH') or printed('git', '-C', str(TREE), 'log', '-1', '--format=%ct'))
    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')
    json.dump({
        'spdxVersion': 'SPDX-2.3', 'dataLicense': 'CC0-1.0', 'SPDXID': 'SPDXRef-DOCUMENT', 'name': deb.stem,
        'documentNamespace': f'urn:sha256:{digest}',
        'creationInfo': {'created': created, 'creators': ['Tool: wirelaw-sbom']},
        'documentDescribes': [itself['SPDXID']], 'packages': list(packages.values()), 'relationships': relationships,
    }, sys.stdout, indent=1)
    print()


if __name__ == '__main__':
    main()
