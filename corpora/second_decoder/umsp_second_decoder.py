#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second decoder of UMSP, RFC 3018: written from the document alone, it shares nothing with the codec that it is
compared with, neither code nor tables.

    umsp_second_decoder.py [--stream | --datagram] [--address-length 2|4|8|16] [--aligned] [--lines] < octets

The octets are those of one direction of a TCP connection (--stream) or of one datagram. Output is one JSON document, or
with --lines a line a field: index of the instruction, name, offset, length, value. Offsets count from the beginning of
the input; derived fields have none ("-", and null in JSON).

Any octets are decoded. An instruction has an `error` where its layout cannot be followed; only `truncated` ends the
decoding, since the length of an instruction is known without its operation code. A `flaw` is a value that the document
does not allow in a layout that is clear.
"""

import argparse
import itertools
import json
import os
import sys

from umsp_ext_headers import add_ext_headers
from umsp_fields import Found
from umsp_operands import add_operands

MOST_INPUT = 1 << 26  # octets: an input is read as a whole

_NO_SESSION, _SAME_SESSION, _SAME_CHAIN, _OWN_SESSION = range(4)  # PCK (3.1)
_LONG_FORM = 7                                                    # OPR_LENGTH: OPR_LENGTH_EXT counts


class Context:
    """What PCK inherits from the instruction before, on the same direction or in the same datagram; None where there
    is nothing to inherit."""

    def __init__(self, session_id=None, chain_number=None, instr_number=None):
        self.session_id, self.chain_number, self.instr_number = session_id, chain_number, instr_number


class Instruction:
    """One decoded instruction. `length` is what the input has of it; `name` is None for an unknown OPCODE."""

    def __init__(self, index, offset, length, name, found):
        self.index, self.offset, self.length, self.name = index, offset, length, name
        self.fields, self.error, self.flaws = found.fields, found.error, found.flaws


class _Header:
    """The basic header: its numbers, with None for those that it leaves out, and where it ends (None: nowhere)."""

    def __init__(self, found, offset):
        self.found, self.at = found, offset
        self.opcode = self._take("opcode", 1)
        self.chain_number = self.instr_number = self.session_id = None
        self.pck = self.chn = self.ext = self.words = 0
        if self._has(1):
            self._flags()

    def _has(self, length):
        if self.at is not None and self.at + length > len(self.found.octets):
            self.found.fail("truncated", len(self.found.octets))
            self.at = None
        return self.at is not None

    def _take(self, name, length):
        if not self._has(length):
            return None
        self.at += length
        return self.found.number(name, self.at - length, length)

    def _flags(self):
        found, at = self.found, self.at
        ask = found.bits("ask", at, 1, 0, 1)
        self.pck = found.bits("pck", at, 1, 1, 2)
        self.chn = found.bits("chn", at, 1, 3, 1)
        self.ext = found.bits("ext", at, 1, 4, 1)
        self.words = found.bits("opr_length", at, 1, 5, 3)
        self.at += 1
        if self.words == _LONG_FORM:
            self.words = self._take("opr_length_ext", 2)
        if self.chn and self.pck in (_SAME_SESSION, _OWN_SESSION):
            self.chain_number = self._take("chain_number", 2)
            self.instr_number = self._take("instr_number", 2)
        if self.pck == _OWN_SESSION:
            self.session_id = self._take("session_id", 4)
        if ask:
            self._take("req_id", 4)


def _inherit(header, context, flags):
    """What the instruction belongs to, its own numbers and those that PCK has it inherit. `flags` is where PCK is."""
    found, pck = header.found, header.pck
    if pck == _NO_SESSION:
        if header.chn:
            found.flaw("chain_without_session", flags)
        return Context()
    if pck == _OWN_SESSION:
        return Context(header.session_id, header.chain_number, header.instr_number)
    if context.session_id is None:
        found.flaw("no_session_to_inherit", flags)
    if pck == _SAME_SESSION:
        return Context(context.session_id, header.chain_number, header.instr_number)
    if not header.chn:
        found.flaw("same_chain_without_chain", flags)
        return Context(context.session_id)
    if context.instr_number is None:
        found.flaw("no_chain_to_inherit", flags)
        return Context(context.session_id)
    if context.instr_number >= 0xFFFE:  # 65535 is reserved: such a number cannot be followed by another
        found.flaw("instr_number_exhausted", flags)
        return Context(context.session_id, context.chain_number)
    return Context(context.session_id, context.chain_number, context.instr_number + 1)


def _reserved_numbers(found):
    """Numbers of 3.1 that are reserved, wherever they are on the wire."""
    reserved = {"chain_number": (0, 0xFFFF), "instr_number": (0xFFFF,), "session_id": (0xFFFFFFFF,)}
    for name, offset, _, value in list(found.fields):
        if value in reserved.get(name, ()):
            found.flaw(name + "_reserved", offset)


def _decode_one(octets, index, offset, context, address_length, aligned):
    """The instruction at `offset`, and what the next one inherits."""
    found = Found(octets)
    header = _Header(found, offset)
    if header.at is None:
        return Instruction(index, offset, len(octets) - offset, None, found), Context()
    _reserved_numbers(found)
    after = _inherit(header, context, offset + 1)
    found.derived("effective_session_id", after.session_id)
    found.derived("effective_chain_number", after.chain_number)
    found.derived("effective_instr_number", after.instr_number)
    begin = add_ext_headers(found, offset, header.at, aligned) if header.ext else header.at
    end = begin + 4 * header.words if begin is not None else None
    if end is None or end > len(octets):
        found.fail("truncated", len(octets))
        return Instruction(index, offset, len(octets) - offset, None, found), after
    name = add_operands(found, header.opcode, begin, end, address_length)
    return Instruction(index, offset, end - offset, name, found), after


def decode(octets, address_length=4, aligned=False):
    """The instructions of one direction of a stream, or of one datagram: each begins without anything to inherit.

    `address_length`: how many octets a local memory address takes in operands (2, 4 or 8), or 16 where complete
    addresses are used, for operands whose length the document leaves to the node. `aligned`: S20 was agreed.
    Nothing is kept of an instruction once the next one is asked for.
    """
    octets = memoryview(bytes(octets))
    offset, context = 0, Context()
    for index in itertools.count():
        if offset == len(octets):
            return
        one, context = _decode_one(octets, index, offset, context, address_length, aligned)
        yield one
        if one.error is not None and one.error[0] == "truncated":
            return
        offset += one.length


def as_json(one):
    def problem(code, offset):
        return {"code": code, "offset": offset}
    return {
        "index": one.index,
        "offset": one.offset,
        "length": one.length,
        "instruction": one.name,
        "error": problem(*one.error) if one.error else None,
        "flaws": [problem(*flaw) for flaw in one.flaws],
        "fields": [{"name": name, "offset": offset, "length": length, "value": value}
                   for name, offset, length, value in one.fields],
    }


def as_lines(one):
    yield f"{one.index} instruction {one.offset} {one.length} {one.name or '-'}"
    for name, offset, length, value in one.fields:
        yield f"{one.index} {name} {'-' if offset is None else offset} {length} {'-' if value is None else value}"
    if one.error:
        yield f"{one.index} error {one.error[1]} 0 {one.error[0]}"
    for code, offset in one.flaws:
        yield f"{one.index} flaw {offset} 0 {code}"


def _print_json(instructions, out):
    """One document, written an instruction at a time."""
    out.write('{"instructions": [')
    for one in instructions:
        out.write((",\n" if one.index else "\n") + json.dumps(as_json(one)))
    out.write("\n]}\n")


def _arguments(arguments):
    parser = argparse.ArgumentParser(description="Decodes UMSP (RFC 3018) from standard input.")
    transport = parser.add_mutually_exclusive_group()
    transport.add_argument("--stream", action="store_true", help="one direction of a TCP connection (default)")
    transport.add_argument("--datagram", action="store_true", help="one UDP datagram of at most 65535 octets")
    parser.add_argument("--address-length", type=int, choices=(2, 4, 8, 16), default=4,
                        help="octets of a local memory address, or 16 for complete addresses (default: 4)")
    parser.add_argument("--aligned", action="store_true", help="S20 of the profile was agreed")
    parser.add_argument("--lines", action="store_true", help="a line a field in place of JSON")
    return parser.parse_args(arguments)


def main(arguments):
    options = _arguments(arguments)
    most = 0xFFFF if options.datagram else MOST_INPUT
    octets = sys.stdin.buffer.read(most + 1)
    if len(octets) > most:
        print(f"standard input has more than {most} octets: decode it in parts", file=sys.stderr)
        return 2
    instructions = decode(octets, options.address_length, options.aligned)
    try:
        if options.lines:
            for one in instructions:
                for line in as_lines(one):
                    print(line)
        else:
            _print_json(instructions, sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has seen enough
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
