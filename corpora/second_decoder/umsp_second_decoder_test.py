# SPDX-License-Identifier: Apache-2.0
"""Tests of the second UMSP decoder, with octets made by hand from the diagrams and tables of RFC 3018."""

import json
import os
import random
import subprocess
import sys
import unittest

from umsp_second_decoder import as_lines, decode

_DECODER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "umsp_second_decoder.py")

GJID = "42 c0000201 0000002a"  # N 4-0-2: 192.0.2.1, CTID 42
GJID_VALUE = "42c00002010000002a"


def decoded(text, **options):
    return list(decode(bytes.fromhex(text), **options))


def one(text, **options):
    instructions = decoded(text, **options)
    assert len(instructions) == 1, instructions
    return instructions[0]


def fields(instruction):
    return {name: (offset, length, value) for name, offset, length, value in instruction.fields}


def values(instruction):
    return {name: value for name, _, _, value in instruction.fields}


def flaws(instruction):
    return [code for code, _ in instruction.flaws]


def without_session(opcode, operands):
    """An instruction without a session whose header has no more than it needs: 3.1, PCK %b00."""
    octets = bytes.fromhex(operands)
    words = len(octets) // 4
    short = bytes([opcode, words])
    return ((short if words < 7 else bytes([opcode, 7]) + words.to_bytes(2, "big")) + octets).hex()


class HeaderTest(unittest.TestCase):
    def test_every_field_has_its_place(self):
        # OPCODE 156, ASK 1, PCK 11, CHN 1, EXT 0, OPR_LENGTH 7
        found = one("9c f7 0000 0102 0304 05060708 090a0b0c")
        self.assertIsNone(found.error)
        self.assertEqual(found.flaws, [])
        self.assertEqual(found.name, "NOP")
        self.assertEqual(found.length, 16)
        self.assertEqual(found.fields, [
            ("opcode", 0, 1, 156), ("ask", 1, 1, 1), ("pck", 1, 1, 3), ("chn", 1, 1, 1), ("ext", 1, 1, 0),
            ("opr_length", 1, 1, 7), ("opr_length_ext", 2, 2, 0), ("chain_number", 4, 2, 0x0102),
            ("instr_number", 6, 2, 0x0304), ("session_id", 8, 4, 0x05060708), ("req_id", 12, 4, 0x090a0b0c),
            ("effective_session_id", None, 0, 0x05060708), ("effective_chain_number", None, 0, 0x0102),
            ("effective_instr_number", None, 0, 0x0304)])

    def test_the_shortest_header_has_two_octets(self):
        found = one("9c 00")
        self.assertEqual(found.length, 2)
        self.assertEqual(list(values(found)), ["opcode", "ask", "pck", "chn", "ext", "opr_length",
                                               "effective_session_id", "effective_chain_number",
                                               "effective_instr_number"])

    def test_presence_of_each_field_follows_the_flags(self):
        for flags in range(256):
            ask, pck, chn, ext, words = flags >> 7, flags >> 5 & 3, flags >> 4 & 1, flags >> 3 & 1, flags & 7
            if ext or words not in (0, 7):
                continue
            octets = bytes([156, flags]) + bytes(32)
            found = next(decode(octets))
            present = set(values(found))
            self.assertEqual("opr_length_ext" in present, words == 7, flags)
            self.assertEqual("chain_number" in present, chn == 1 and pck in (1, 3), flags)
            self.assertEqual("instr_number" in present, chn == 1 and pck in (1, 3), flags)
            self.assertEqual("session_id" in present, pck == 3, flags)
            self.assertEqual("req_id" in present, ask == 1, flags)
            self.assertEqual(found.length, 2 + 2 * (words == 7) + 4 * (chn == 1 and pck in (1, 3)) + 4 * (pck == 3) +
                             4 * ask, flags)

    def test_session_and_chain_are_inherited(self):
        opened, next_in_chain, same_session, other_chain, end = decoded(
            "9c 70 0001 0000 0000000a"  # PCK 11, CHN: chain 1, instruction 0, session 10
            "9c 50"                     # PCK 10, CHN: instruction 1
            "9c 20"                     # PCK 01: session 10, no chain
            "9c 30 0002 0005"           # PCK 01, CHN: chain 2, instruction 5
            "9c 50")                    # PCK 10, CHN: instruction 6
        self.assertEqual([flaws(each) for each in (opened, next_in_chain, same_session, other_chain, end)], [[]] * 5)

        def effective(each):
            got = values(each)
            return (got["effective_session_id"], got["effective_chain_number"], got["effective_instr_number"])
        self.assertEqual(effective(opened), (10, 1, 0))
        self.assertEqual(effective(next_in_chain), (10, 1, 1))
        self.assertEqual(effective(same_session), (10, None, None))
        self.assertEqual(effective(other_chain), (10, 2, 5))
        self.assertEqual(effective(end), (10, 2, 6))

    def test_nothing_to_inherit_is_a_flaw_and_does_not_end_the_decoding(self):
        self.assertEqual(one("9c 20").flaws, [("no_session_to_inherit", 1)])
        self.assertEqual(flaws(one("9c 50")), ["no_session_to_inherit", "no_chain_to_inherit"])
        behind_none = decoded("9c 60 0000000a 9c 00 9c 20 9c 00")
        self.assertEqual([flaws(each) for each in behind_none], [[], [], ["no_session_to_inherit"], []])
        self.assertIsNone(values(behind_none[2])["effective_session_id"])
        behind_no_chain = decoded("9c 60 0000000a 9c 50")
        self.assertEqual(flaws(behind_no_chain[1]), ["no_chain_to_inherit"])

    def test_flags_that_contradict_each_other_are_flaws(self):
        self.assertEqual(flaws(one("9c 10")), ["chain_without_session"])
        self.assertEqual(flaws(decoded("9c 70 0001 0000 0000000a 9c 40")[1]), ["same_chain_without_chain"])

    def test_reserved_numbers_are_flaws(self):
        self.assertEqual(one("9c 70 0000 ffff ffffffff").flaws,
                         [("chain_number_reserved", 2), ("instr_number_reserved", 4), ("session_id_reserved", 6)])
        self.assertEqual(flaws(one("9c 70 ffff 0000 00000000")), ["chain_number_reserved"])
        last = decoded("9c 70 0001 fffe 0000000a 9c 50")[1]
        self.assertEqual(flaws(last), ["instr_number_exhausted"])

    def test_an_unknown_opcode_keeps_its_length(self):
        unknown, known = decoded("7f 01 01020304 9c 00")
        self.assertEqual((unknown.name, unknown.length, flaws(unknown)), (None, 6, ["unknown_opcode"]))
        self.assertEqual(fields(unknown)["operands"], (2, 4, "01020304"))
        self.assertEqual((known.name, known.offset), ("NOP", 6))


class ExtHeaderTest(unittest.TestCase):
    def test_short_form(self):
        # HEAD_LENGTH 1; HSL 1, HOB 1, code 2
        found = one("15 08 01 c2 0014")
        self.assertEqual((found.name, flaws(found), found.length), ("STATE_REQ", [], 6))
        got = fields(found)
        self.assertEqual(got["ext_header[0].hxt"], (2, 1, 0))
        self.assertEqual(got["ext_header[0].head_length"], (2, 1, 1))
        self.assertEqual(got["ext_header[0].hsl"], (3, 1, 1))
        self.assertEqual(got["ext_header[0].hob"], (3, 1, 1))
        self.assertEqual(got["ext_header[0].hrz"], (3, 1, 0))
        self.assertEqual(got["ext_header[0].head_code"], (3, 1, 2))
        self.assertEqual(got["ext_header[0].data"], (4, 2, "0014"))
        self.assertEqual(got["ext_header[0].name"], (None, 0, "_INACTION_TIME"))
        self.assertEqual(got["ext_header[0].inaction_period"], (4, 2, 20))
        self.assertNotIn("ext_header[0].head_length_ext", got)
        self.assertNotIn("ext_header[0].reserved", got)

    def test_long_form(self):
        # HXT 1 and a length of 1; HSL 1, HOB 1, code 11; RESERVED 0
        found = one("84 08 80000001 c0 0b 0000 abcd")
        self.assertEqual((found.name, found.error, found.flaws), ("DATA", None, []))
        got = fields(found)
        self.assertEqual(got["ext_header[0].hxt"], (2, 1, 1))
        self.assertEqual(got["ext_header[0].head_length"], (2, 1, 0))
        self.assertEqual(got["ext_header[0].head_length_ext"], (3, 3, 1))
        self.assertEqual(got["ext_header[0].head_code"], (6, 1, 0))
        self.assertEqual(got["ext_header[0].head_code_ext"], (7, 1, 11))
        self.assertEqual(got["ext_header[0].reserved"], (8, 2, 0))
        self.assertEqual(got["ext_header[0].effective_head_code"], (None, 0, 11))
        self.assertEqual(got["ext_header[0].data"], (10, 2, "abcd"))

    def test_the_long_code_has_thirteen_bits(self):
        found = one("9c 08 80000000 9f 01 0000")
        self.assertEqual(values(found)["ext_header[0].effective_head_code"], 0x1f01)
        self.assertEqual(flaws(found), ["unknown_head_code"])

    def test_headers_end_with_the_one_that_says_so(self):
        # _BEGIN_SQ, then _END_CHAIN as the last one, then one word of operands
        found = one("9c 79 0001 0000 0000000a 00 43 00 c6 01020304")
        self.assertEqual((found.error, found.flaws), (None, []))
        got = fields(found)
        self.assertEqual(got["ext_header[0].name"][2], "_BEGIN_SQ")
        self.assertEqual(got["ext_header[1].name"][2], "_END_CHAIN")
        self.assertEqual((got["ext_header[0].hsl"][2], got["ext_header[0].hob"][2]), (0, 1))
        self.assertEqual((got["ext_header[1].hsl"][2], got["ext_header[1].hob"][2]), (1, 1))
        self.assertEqual(got["encapsulated_data"], (14, 4, "01020304"))

    def test_contents_of_the_headers_that_are_defined(self):
        for code, data, expected in (
                (4, "a0 1e", {"tre": 1, "trr": 0, "trt": 1, "reserve": 0, "time_tr": 30}),
                (4, "5f 00", {"tre": 0, "trr": 1, "trt": 0, "reserve": 31, "time_tr": 0}),
                (5, "", {"name": "_BEGIN_FRG"}),
                (5, "0007 0008", {"parental_chain_number": 7, "parental_instr_number": 8}),
                (7, "00000100", {"name": "_SET_MBASE"}),
                (7, "00" * 8, {"name": "_SET_MBASE"}),
                (7, "42" + "00" * 15, {"name": "_SET_MBASE"}),
                (8, "0000", {"name": "_ALIGNMENT"}),
                (8, "00" * 14, {"name": "_ALIGNMENT"}),
                (9, "6f6b", {"name": "_MSG", "data": "6f6b"}),
                (9, "21" * 254, {"name": "_MSG", "data": "21" * 254}),
                (10, "6a6f6221", {"name": "_NAME"}),
                (10, "21" * 254, {"name": "_NAME"}),
                (11, "0102", {"name": "_DATA"}),
                (11, "01020304", {"name": "_DATA"}),
                (12, "0003", {"time": 3}),
                (12, "00010000", {"time": 65536})):
            words = len(bytes.fromhex(data)) // 2
            found = one(f"9c 08 {words:02x} {0x80 | code:02x} {data}")
            self.assertEqual((found.error, found.flaws), (None, []), code)
            for name, value in expected.items():
                self.assertEqual(values(found)["ext_header[0]." + name], value, (code, name))

    def test_wrong_lengths_and_reserved_bits_are_flaws(self):
        self.assertEqual(flaws(one("9c 08 02 82 00000000")), ["head_length"])               # _INACTION_TIME of 2 words
        self.assertEqual(flaws(one("9c 08 01 83 0000")), ["head_length"])                   # _BEGIN_SQ with DATA
        self.assertEqual(flaws(one("9c 08 08 88" + "00" * 16)), ["head_length"])            # _ALIGNMENT of 8 words
        self.assertEqual(flaws(one("9c 08 80000080 80 09 0000" + "00" * 256)), ["head_length"])  # _MSG of 128 words
        self.assertEqual(flaws(one("9c 08 80000080 80 0a 0000" + "00" * 256)), ["head_length"])  # _NAME of 128 words
        self.assertEqual(flaws(one("9c 08 00 8b")), ["head_length"])                        # _DATA without any
        self.assertEqual(one("9c 08 00 a3").flaws, [("hrz_not_zero", 3)])
        self.assertEqual(one("9c 08 80000000 80 03 0001").flaws, [("reserved_not_zero", 8)])
        self.assertEqual(flaws(one("9c 08 00 9f")), ["head_code_needs_long_form", "unknown_head_code"])

    def test_thirty_headers_are_allowed_and_no_more(self):
        self.assertEqual(flaws(one("9c 08" + "01 09 6f6b" * 29 + "01 89 6f6b")), [])
        more = one("9c 09" + "01 09 6f6b" * 39 + "01 89 6f6b" + "01020304")
        self.assertEqual(more.flaws, [("too_many_ext_headers", 2 + 30 * 4)])
        self.assertEqual(fields(more)["encapsulated_data"], (2 + 40 * 4, 4, "01020304"))
        self.assertIn("ext_header[30].hxt", values(more))
        self.assertNotIn("ext_header[31].hxt", values(more))

    def test_agreed_alignment_fills_each_header(self):
        # OPR_LENGTH 7; _END_CHAIN and two zero octets; _MSG of one word; one word of operands
        text = "9c 0f 0001 00 46 0000 01 89 6f6b 01020304"
        found = one(text, aligned=True)
        self.assertEqual((found.error, found.flaws), (None, []))
        self.assertEqual(fields(found)["ext_header[0].alignment"], (6, 2, "0000"))
        self.assertEqual(fields(found)["encapsulated_data"], (12, 4, "01020304"))
        self.assertEqual(flaws(one(text.replace("46 0000", "46 0001"), aligned=True)),
                         ["ext_header[0].alignment_not_zero"])

    def test_the_long_length_has_31_bits(self):
        found = next(decode(bytes.fromhex("84 08 81000000 80 0b 0000") + bytes(1 << 25)))
        self.assertEqual((found.error, found.flaws, found.length), (None, [], 10 + (1 << 25)))
        self.assertEqual(values(found)["ext_header[0].effective_head_length"], 1 << 24)

    def test_a_length_of_two_to_the_31_is_truncated(self):
        found = one("84 08 ffffffff 80 0b 0000 abcd")
        self.assertEqual(found.error, ("truncated", 12))
        self.assertEqual(found.length, 12)


# OPCODE, address length, operands, name, values of the operands
OPERANDS = [
    (1, 4, "", "RSP_P", {}),
    (1, 4, "0001 0002", "RSP_P", {"basic_return_code": 1, "additional_return_code": 2}),
    (2, 4, "0003 0004", "SND_CANCEL", {"basic_return_code": 3, "additional_return_code": 4}),
    (3, 4, "0e10 d1 fe 00000007", "CONTROL_REQ",
     {"job_life_time": 3600, "cmt": 1, "reserved": 5, "version": 1, "reserved_2": 254, "ltid": 7}),
    (3, 4, "0000 01 00 0000000000000007", "CONTROL_REQ",
     {"job_life_time": 0, "cmt": 0, "reserved": 0, "version": 1, "reserved_2": 0, "ltid": 7}),
    (4, 4, GJID + "000000", "CONTROL_CONFIRM", {"gjid": GJID_VALUE, "padding": "000000"}),
    (5, 4, "0001 0002", "CONTROL_REJECT", {"basic_error_code": 1, "additional_error_code": 2}),
    (4, 4, "0001 0002", "CONTROL_REJECT", {"basic_error_code": 1, "additional_error_code": 2}),
    (4, 4, "0001 0002 0e10 01 00", "CONTROL_REJECT",
     {"basic_error_code": 1, "additional_error_code": 2, "job_life_time": 3600, "cmt": 0, "reserved": 0, "version": 1,
      "reserved_2": 0}),
    (6, 4, "002a 11 c0 000005 00000009 00", "TASK_REG",
     {"ctid": 42, "gtid": "11c0000005", "ltid": 9, "padding": "00"}),
    (6, 4, "002a 40 c0000201 0005 0009 00", "TASK_REG",
     {"ctid": 42, "gtid": "40c00002010005", "ltid": 9, "padding": "00"}),
    (7, 4, "0000002a" + GJID + "00000009 000000", "TASK_REG",
     {"ctid": 42, "gtid": GJID_VALUE, "ltid": 9, "padding": "000000"}),
    (8, 4, "000000000000002a" + GJID + "0000000000000009 000000", "TASK_REG",
     {"ctid": 42, "gtid": GJID_VALUE, "ltid": 9, "padding": "000000"}),
    (9, 4, "0000002a", "TASK_CONFIRM", {"ctid": 42}),
    (9, 4, "000000000000002a", "TASK_CONFIRM", {"ctid": 42}),
    (10, 4, "0001 0002", "TASK_REJECT", {"basic_error_code": 1, "additional_error_code": 2}),
    (11, 4, "0000002a" + GJID + "00000009 000000", "TASK_CHK",
     {"ctid": 42, "gtid": GJID_VALUE, "ltid": 9, "padding": "000000"}),
    (11, 2, "002a" + GJID + "0009 000000", "TASK_CHK",
     {"ctid": 42, "gtid": GJID_VALUE, "ltid": 9, "padding": "000000"}),
    (11, 16, "0000002a 40 c0000201 0005 0009 000000", "TASK_CHK",
     {"ctid": 42, "gtid": "40c00002010005", "ltid": 0x00090000, "padding": "00"}),
    (11, 4, "000000000000002a" + GJID + "0000000000000009 000000", "TASK_CHK",
     {"ctid": 42, "gtid": GJID_VALUE, "ltid": 9, "padding": "000000"}),
    (11, 4, "002a 41 c0000201 000005 0009", "TASK_CHK", {"ctid": 42, "gtid": "41c0000201000005", "ltid": 9}),
    (12, 4, "0001 0002 80000000 0003 0004 00001000 0010" + GJID + "00000009 00", "SESSION_OPEN",
     {"vm_type_required": 1, "vm_version_required": 2, "profile_required": 0x80000000, "vm_type_sender": 3,
      "vm_version_sender": 4, "profile_sender": 0x1000, "window": 16, "gjid": GJID_VALUE, "ltid": 9, "padding": "00"}),
    (13, 4, "", "SESSION_ACCEPT", {}),
    (14, 4, "0001 0002", "SESSION_REJECT", {"basic_error_code": 1, "additional_error_code": 2}),
    (15, 4, "", "SESSION_CLOSE", {}),
    (15, 4, "0001 0002", "SESSION_CLOSE", {"basic_termination_code": 1, "additional_termination_code": 2}),
    (16, 4, "0001 0002", "SESSION_ABEND", {"basic_termination_code": 1, "additional_termination_code": 2}),
    (17, 4, "0001 0002 0000002a", "TASK_TERMINATE",
     {"basic_termination_code": 1, "additional_termination_code": 2, "ctid": 42}),
    (18, 4, "0001 0002" + GJID + "000000", "TASK_TERMINATE_INFO",
     {"basic_termination_code": 1, "additional_termination_code": 2, "gtid": GJID_VALUE, "padding": "000000"}),
    (19, 4, "0001 0002 000000000000002a", "JOB_COMPLETED",
     {"basic_completion_code": 1, "additional_completion_code": 2, "ctid": 42}),
    (20, 4, "0001 0002" + GJID + "000000", "JOB_COMPLETED_INFO",
     {"basic_completion_code": 1, "additional_completion_code": 2, "gjid": GJID_VALUE, "padding": "000000"}),
    (20, 4, GJID + "000000", "JOB_COMPLETED_INFO", {"gjid": GJID_VALUE, "padding": "000000"}),
    (20, 4, "10 c0 0005", "JOB_COMPLETED_INFO", {"gjid": "10c00005"}),
    (21, 4, "00000009", "STATE_REQ", {"ltid": 9}),
    (22, 4, "01 00 002a", "TASK_STATE", {"state_code": 1, "reserved": "00", "ctid": 42}),
    (22, 2, "02 000000 0000002a", "TASK_STATE", {"state_code": 2, "reserved": "000000", "ctid": 42}),
    (22, 4, "04 000000 000000000000002a", "TASK_STATE", {"state_code": 4, "reserved": "000000", "ctid": 42}),
    (23, 4, "0000000000000009", "NODE_RELOAD", {"ltid": 9}),
    (24, 4, "00001000", "REQ_BUF", {"buffer_size": 4096}),
    (25, 4, "", "VM_REQ", {}),
    (25, 4, "0001 0002 ffff ffff", "VM_REQ",
     {"vm[0].type": 1, "vm[0].version": 2, "vm[1].type": 65535, "vm[1].version": 65535}),
    (26, 4, "0102 0000 0000 0005 0001 0002", "VM_NOTIF",
     {"transport_protocol": 0x0102, "reserved": 0, "vm[0].type": 0, "vm[0].version": 5, "vm[1].type": 1,
      "vm[1].version": 2}),
    (129, 4, "0000 ffff", "RSP", {"basic_return_code": 0, "additional_return_code": 0xffff}),
    (130, 4, "0008 1234", "REQ_DATA", {"data_length": 8, "memory_address": 0x1234}),
    (130, 4, "0008 12345678 0000", "REQ_DATA", {"data_length": 8, "memory_address": 0x12345678, "padding": "0000"}),
    (130, 4, "0008 0000000012345678 0000", "REQ_DATA",
     {"data_length": 8, "memory_address": 0x12345678, "padding": "0000"}),
    (130, 4, "0008 42" + "00" * 7 + "c0000201 00001234 0000", "REQ_DATA",
     {"data_length": 8, "memory_address": "4200000000000000c000020100001234", "padding": "0000"}),
    (131, 2, "00000008 12345678", "REQ_DATA", {"data_length": 8, "memory_address": 0x12345678}),
    (131, 4, "00000008 40000000000000000000 c0000201 1234", "REQ_DATA",
     {"data_length": 8, "memory_address": "40000000000000000000c00002011234"}),
    (132, 4, "", "DATA", {}),
    (132, 4, "01020300", "DATA", {"immediate_data": "01020300"}),
    (133, 4, "1234 abcd", "WRITE", {"memory_address": 0x1234, "immediate_data": "abcd"}),
    (134, 4, "00001234 01020304", "WRITE", {"memory_address": 0x1234, "immediate_data": "01020304"}),
    (134, 4, "00001234", "WRITE", {"memory_address": 0x1234}),
    (135, 4, "0000000000001234 01020304", "WRITE", {"memory_address": 0x1234, "immediate_data": "01020304"}),
    (136, 4, "42ffeeddccbbaa99 c0000201 00001234 01020304", "WRITE",
     {"memory_address": "42ffeeddccbbaa99c000020100001234", "immediate_data": "01020304"}),
    (137, 4, "00 000005 0102030405 000000 00001234", "WRITE_EXT",
     {"zero": 0, "data_length": 5, "immediate_data": "0102030405", "data_padding": "000000", "memory_address": 0x1234}),
    (138, 4, "1234 abcd", "CMP", {"memory_address": 0x1234, "immediate_data": "abcd"}),
    (139, 4, "00001234 01020304", "CMP", {"memory_address": 0x1234, "immediate_data": "01020304"}),
    (140, 4, "0000000000001234 01020304", "CMP", {"memory_address": 0x1234, "immediate_data": "01020304"}),
    (142, 4, "00 000004 01020304 0000000000001234", "CMP_EXT",
     {"zero": 0, "data_length": 4, "immediate_data": "01020304", "memory_address": 0x1234}),
    (143, 4, "00001234 0000 0000", "JUMP", {"memory_address": 0x1234, "parameter_words": 0, "padding": "0000"}),
    (143, 2, "00001234 0001 01020304 0000", "JUMP",
     {"memory_address": 0x1234, "parameter_words": 1, "parameters": "01020304", "padding": "0000"}),
    (143, 16, "00001234 0001 01020304 0000", "JUMP",
     {"memory_address": 0x1234, "parameter_words": 1, "parameters": "01020304", "padding": "0000"}),
    (143, 4, "42" + "00" * 7 + "c0000201 00001234 0001 01020304 0000", "JUMP",
     {"memory_address": "4200000000000000c000020100001234", "parameter_words": 1, "parameters": "01020304",
      "padding": "0000"}),
    (144, 4, "0003 0004 00001234 0001 01020304 0000", "JUMP",
     {"vm_type": 3, "vm_version": 4, "memory_address": 0x1234, "parameter_words": 1, "parameters": "01020304",
      "padding": "0000"}),
    (145, 8, "0000000000001234 0001 01020304 0000", "CALL",
     {"memory_address": 0x1234, "parameter_words": 1, "parameters": "01020304", "padding": "0000"}),
    (145, 4, "0000000000001234 0001 01020304 0000", "CALL",
     {"memory_address": 0x1234, "parameter_words": 1, "parameters": "01020304", "padding": "0000"}),
    (146, 16, "0003 0004 42000000000000 00 c0000201 00001234 0001 01020304 0000", "CALL",
     {"vm_type": 3, "vm_version": 4, "memory_address": "4200000000000000c000020100001234", "parameter_words": 1,
      "parameters": "01020304", "padding": "0000"}),
    (147, 4, "01020304", "RETURN", {"immediate_data": "01020304"}),
    (148, 4, "00000100", "MEM_ALLOC", {"memory_size": 256}),
    (149, 4, "0003 0004 01020304", "MVCODE", {"vm_type": 3, "vm_version": 4, "code": "01020304"}),
    (150, 4, "00001234", "ADDRESS", {"memory_address": 0x1234}),
    (150, 4, "0000000000001234", "ADDRESS", {"memory_address": 0x1234}),
    (151, 4, "00001234", "FREE", {"memory_address": 0x1234}),
    (152, 4, "0003 0004", "MVRUN", {"vm_type": 3, "vm_version": 4}),
    (153, 4, "00001234 aabb ff00", "SYN", {"memory_address": 0x1234, "initial_data": "aabb", "mask": "ff00"}),
    (154, 4, "0000000000001234 aabbccdd ffffff00", "SYN",
     {"memory_address": 0x1234, "initial_data": "aabbccdd", "mask": "ffffff00"}),
    (156, 4, "01020304", "NOP", {"encapsulated_data": "01020304"}),
    (158, 4, "", "EXEC_TR", {}),
    (159, 4, "", "CANCEL_TR", {}),
    (192, 4, "30000001 0002 0003 0008 0010", "OBJ_REQ_DATA",
     {"object_number": 0x30000001, "object_version": 2, "object_realization": 3, "data_length": 8, "offset": 16}),
    (193, 4, "30000001 0002 0003 00000008 00000010", "OBJ_REQ_DATA",
     {"object_number": 0x30000001, "object_version": 2, "object_realization": 3, "data_length": 8, "offset": 16}),
    (194, 4, "30000001 0002 0003 0010 abcd", "OBJ_WRITE",
     {"object_number": 0x30000001, "object_version": 2, "object_realization": 3, "offset": 16,
      "immediate_data": "abcd"}),
    (196, 4, "30000001 0002 0003 0000000000000010 01020304", "OBJ_WRITE",
     {"object_number": 0x30000001, "object_version": 2, "object_realization": 3, "offset": 16,
      "immediate_data": "01020304"}),
    (197, 4, "30000001 0002 0003 00 000001 01 000000 00000010", "OBJ_WRITE_EXT",
     {"object_number": 0x30000001, "object_version": 2, "object_realization": 3, "zero": 0, "data_length": 1,
      "immediate_data": "01", "data_padding": "000000", "offset": 16}),
    (199, 4, "30000001 0002 0003 00000010 01020304", "OBJ_DATA_CMP",
     {"object_number": 0x30000001, "object_version": 2, "object_realization": 3, "offset": 16,
      "immediate_data": "01020304"}),
    (201, 4, "30000001 0002 0003 00 000004 01020304 00000010", "OBJ_DATA_CMP_EXT",
     {"object_number": 0x30000001, "object_version": 2, "object_realization": 3, "zero": 0, "data_length": 4,
      "immediate_data": "01020304", "offset": 16}),
    (202, 4, "30000001 0002 0003 00000007 01020304", "CALL_BNUM",
     {"object_number": 0x30000001, "object_version": 2, "object_realization": 3, "procedure_number": 7,
      "parameters": "01020304"}),
    (203, 4, "0003 0004 30000001 0002 0003 00000007", "CALL_BNUM",
     {"vm_type": 3, "vm_version": 4, "object_number": 0x30000001, "object_version": 2, "object_realization": 3,
      "procedure_number": 7}),
    (204, 4, "30000001 0002 0003 01020304", "CALL_BNAME",
     {"object_number": 0x30000001, "object_version": 2, "object_realization": 3, "parameters": "01020304"}),
    (205, 4, "0003 0004 30000001 0002 0003", "CALL_BNAME",
     {"vm_type": 3, "vm_version": 4, "object_number": 0x30000001, "object_version": 2, "object_realization": 3}),
    (206, 4, "30000001 0002 0003", "GET_NUM_PROC",
     {"object_number": 0x30000001, "object_version": 2, "object_realization": 3}),
    (207, 4, "30000001 0002 0003 00000007", "PROC_NUM",
     {"object_number": 0x30000001, "object_version": 2, "object_realization": 3, "procedure_number": 7}),
    (208, 4, "0003 0004 0002 0003 01020304", "NEW",
     {"vm_type": 3, "vm_version": 4, "object_version": 2, "object_realization": 3, "immediate_data": "01020304"}),
    (209, 4, "0003 0004 0002 0003", "SYS_NEW",
     {"vm_type": 3, "vm_version": 4, "object_version": 2, "object_realization": 3}),
    (210, 4, "30000001 0002 0003", "OBJECT",
     {"object_number": 0x30000001, "object_version": 2, "object_realization": 3}),
    (211, 4, "50000001", "DELETE", {"object_number": 0x50000001}),
    (212, 4, "", "OBJ_SEEK", {}),
    (213, 4, "50000001", "OBJ_GET_NAME", {"object_number": 0x50000001}),
]

_HEADER = ("opcode", "ask", "pck", "chn", "ext", "opr_length", "opr_length_ext", "effective_session_id",
           "effective_chain_number", "effective_instr_number")


class OperandTest(unittest.TestCase):
    def test_each_instruction_has_its_operands_in_order(self):
        for opcode, address_length, operands, name, expected in OPERANDS:
            with self.subTest(opcode=opcode, operands=operands):
                found = one(without_session(opcode, operands), address_length=address_length)
                self.assertEqual((found.name, found.error, found.flaws), (name, None, []))
                got = {field: value for field, value in values(found).items()
                       if field not in _HEADER and (field.startswith("vm[") or "." not in field)}
                self.assertEqual(list(got.items()), list(expected.items()))

    def test_an_identifier_has_its_parts(self):
        got = fields(one(without_session(4, GJID + "000000")))
        self.assertEqual(got["gjid"], (2, 9, GJID_VALUE))
        self.assertEqual(got["gjid.addr_length"], (2, 1, 4))
        self.assertEqual(got["gjid.net_type"], (2, 1, 0))
        self.assertEqual(got["gjid.addr_code"], (2, 1, 2))
        self.assertEqual(got["gjid.node_addr"], (3, 4, "c0000201"))
        self.assertEqual(got["gjid.mem_addr"], (7, 4, 42))
        longest = fields(one(without_session(4, "73" + "0a" * 7 + "000000000000002a")))
        self.assertEqual(longest["gjid"][:2], (2, 16))
        self.assertEqual(longest["gjid.mem_addr"], (10, 8, 42))

    def test_a_complete_address_has_its_parts(self):
        # N 4-0-1: eight octets of FREE, an address of three octets
        got = fields(one(without_session(150, "41 0102030405060708 c0000201 001234")))
        self.assertEqual(got["memory_address.addr_code"], (2, 1, 1))
        self.assertEqual(got["memory_address.free"], (3, 8, "0102030405060708"))
        self.assertEqual(got["memory_address.node_addr"], (11, 4, "c0000201"))
        self.assertEqual(got["memory_address.mem_addr"], (15, 3, 0x1234))
        full = one(without_session(150, "73" + "0a" * 7 + "0000000000001234"))  # N 7-0-3: no FREE
        self.assertEqual(flaws(full), [])
        self.assertNotIn("memory_address.free", values(full))
        self.assertEqual(fields(full)["memory_address.mem_addr"], (10, 8, 0x1234))
        self.assertEqual(values(one(without_session(150, "12" + "00" * 10 + "aa 00001234")))["memory_address.free"],
                         "00" * 10)

    def test_a_complete_address_without_a_node_is_a_flaw(self):
        self.assertEqual(flaws(one(without_session(150, "02" + "00" * 15))), ["address_header"])
        self.assertEqual(flaws(one(without_session(150, "f3" + "00" * 15))), ["address_header"])

    def test_a_profile_has_its_bits(self):
        # S0, S11 to S15 = 17, S16 to S19 = 1, S31
        got = fields(one(without_session(12, "0001 0002 80111001 0003 0004 00000000 0000" + GJID + "00000009 00")))
        self.assertEqual(got["profile_required.s0"], (8, 1, 1))
        self.assertEqual(got["profile_required.s1"], (8, 1, 0))
        self.assertEqual(got["profile_required.s10"], (9, 1, 0))
        self.assertEqual(got["profile_required.s11_s15"], (9, 1, 17))
        self.assertEqual(got["profile_required.s16_s19"], (10, 1, 1))
        self.assertEqual(got["profile_required.s31"], (11, 1, 1))
        names = [name for name in got if name.startswith("profile_required.")]
        self.assertEqual(names, ["profile_required.s" + bit for bit in (
            "0 1 2 3 4 5 6 7 8 9 10 11_s15 16_s19 20 21 22 23 24 25 26 27 28 29 30 31").split()])
        self.assertEqual({got[name][:2] for name in names}, {(8, 1), (9, 1), (10, 1), (11, 1)})

    def test_a_control_profile_has_its_places(self):
        got = fields(one(without_session(3, "0e10 d1 fe 00000007")))
        self.assertEqual([got[name] for name in ("job_life_time", "cmt", "reserved", "version", "reserved_2", "ltid")],
                         [(2, 2, 3600), (4, 1, 1), (4, 1, 5), (4, 1, 1), (5, 1, 254), (6, 4, 7)])

    def test_operands_that_are_too_short_name_the_place_and_keep_the_next_instruction(self):
        short, behind = decoded(without_session(3, "0e10 01 00") + "9c 00")
        self.assertEqual(short.error, ("operands_too_short", 6))
        self.assertEqual((behind.name, behind.offset), ("NOP", 6))
        self.assertEqual(one(without_session(18, "0001 0002")).error, ("operands_too_short", 6))
        self.assertEqual(one(without_session(4, "")).error, ("operands_too_short", 2))
        self.assertEqual(one(without_session(20, "")).error, ("operands_too_short", 2))
        self.assertEqual(one(without_session(22, "")).error, ("operands_too_short", 2))
        self.assertEqual(one(without_session(153, "00001234")).error, ("operands_too_short", 6))
        self.assertEqual(one(without_session(143, "00001234")).error, ("operands_too_short", 2))
        counted = one(without_session(137, "00 000064 01020304 00001234"))
        self.assertEqual(counted.error, ("operands_too_short", 6))
        self.assertEqual(fields(counted)["unparsed"], (6, 8, "0102030400001234"))

    def test_operands_that_are_too_long_name_the_place(self):
        self.assertEqual(one(without_session(148, "00000100 00000000")).error, ("operands_too_long", 6))
        self.assertEqual(one(without_session(13, "00000000")).error, ("operands_too_long", 2))

    def test_an_identifier_that_cannot_be_is_an_error(self):
        found = one(without_session(18, "0001 0002 02 c0000201 0000002a 000000"))
        self.assertEqual(found.error, ("identifier", 6))

    def test_a_count_that_contradicts_the_length_is_an_error(self):
        self.assertEqual(one(without_session(143, "00001234 0005 0000")).error, ("operand_length", 2))
        self.assertEqual(one(without_session(11, "00" * 16)).error, ("operand_length", 2))
        self.assertEqual(one(without_session(9, "00 00 00 00" * 3)).error, ("operand_length", 2))

    def test_padding_and_zero_octets_that_are_not_zero_are_flaws(self):
        self.assertEqual(one(without_session(4, GJID + "000001")).flaws, [("padding_not_zero", 11)])
        self.assertEqual(one(without_session(137, "01 000005 0102030405 000007 00001234")).flaws,
                         [("zero_not_zero", 2), ("data_padding_not_zero", 11)])
        self.assertEqual(flaws(one(without_session(22, "01 07 002a"))), ["reserved_not_zero"])
        self.assertEqual(one(without_session(137, "00 000000 00001234")).flaws, [("data_length_zero", 3)])

    def test_the_longest_operands(self):
        found = one("84 07 ffff" + "ab" * 262140)
        self.assertEqual((found.error, found.length), (None, 262144))
        self.assertEqual(fields(found)["immediate_data"][:2], (4, 262140))


class HostileTest(unittest.TestCase):
    def check(self, octets, **options):
        """Whatever the octets are, each one belongs to an instruction, and in a whole one to a field."""
        at = 0
        for each in decode(octets, **options):
            self.assertEqual(each.offset, at)
            at += each.length
            covered = set()
            for _, offset, length, _ in each.fields:
                if offset is not None:
                    self.assertTrue(each.offset <= offset and offset + length <= at)
                    covered.update(range(offset, offset + length))
            truncated = each.error is not None and each.error[0] == "truncated"
            if not truncated and "too_many_ext_headers" not in flaws(each):
                self.assertEqual(len(covered), each.length, octets.hex())
            self.assertGreater(len(list(as_lines(each))), 1)
        self.assertEqual(at, len(octets))

    def test_every_truncation_of_every_sample(self):
        for opcode, address_length, operands, _, _ in OPERANDS:
            octets = bytes.fromhex(without_session(opcode, operands))
            for length in range(len(octets)):
                self.check(octets[:length], address_length=address_length)
                if length:
                    found = list(decode(octets[:length], address_length))
                    self.assertEqual(found[0].error, ("truncated", length))

    def test_every_opcode_with_every_length_of_operands(self):
        for opcode in range(256):
            for words in range(13):
                for fill in (0x00, 0x42, 0xff):
                    for address_length in (2, 4, 8, 16):
                        self.check(bytes.fromhex(without_session(opcode, bytes([fill] * 4 * words).hex())),
                                   address_length=address_length)

    def test_random_octets(self):
        chance = random.Random(3018)
        for _ in range(3000):
            self.check(chance.randbytes(chance.randrange(64)), address_length=chance.choice((2, 4, 8, 16)),
                       aligned=chance.random() < 0.5)

    def test_a_megabyte_of_headers_is_listed_to_the_limit(self):
        found = next(decode(b"\x9c\x08" + b"\x00\x00" * (1 << 19)))
        self.assertEqual(found.error[0], "truncated")
        self.assertLess(len(found.fields), 31 * 12)


class CommandTest(unittest.TestCase):
    def run_with(self, octets, *arguments):
        return subprocess.run([sys.executable, "-B", _DECODER, *arguments], input=octets, capture_output=True,
                              check=False)

    def test_prints_one_json_document(self):
        done = self.run_with(bytes.fromhex("0d e0 0000000a 0000000b 1001 00000001"), "--stream")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        instructions = json.loads(done.stdout)["instructions"]
        self.assertEqual([each["instruction"] for each in instructions], ["SESSION_ACCEPT", "SESSION_ABEND"])
        self.assertIn({"name": "req_id", "offset": 6, "length": 4, "value": 11}, instructions[0]["fields"])
        self.assertIsNone(instructions[0]["error"])
        self.assertEqual(self.run_with(b"").stdout.split(), [b'{"instructions":', b"[", b"]}"])

    def test_prints_a_line_a_field(self):
        done = self.run_with(bytes.fromhex("94 01 00000100 9c"), "--datagram", "--lines")
        self.assertEqual(done.stdout.decode().splitlines(), [
            "0 instruction 0 6 MEM_ALLOC", "0 opcode 0 1 148", "0 ask 1 1 0", "0 pck 1 1 0", "0 chn 1 1 0",
            "0 ext 1 1 0", "0 opr_length 1 1 1", "0 effective_session_id - 0 -", "0 effective_chain_number - 0 -",
            "0 effective_instr_number - 0 -", "0 memory_size 2 4 256", "1 instruction 6 1 -", "1 opcode 6 1 156",
            "1 error 7 0 truncated"])

    def test_the_address_length_is_given(self):
        # five octets remain for LTID and padding: an LTID of 2 or 4
        octets = bytes.fromhex(without_session(6, "002a 11 c0 000005 00090000 00"))
        lines = {length: self.run_with(octets, "--lines", "--address-length", length).stdout for length in ("2", "4")}
        self.assertIn(b"0 ltid 9 2 9\n", lines["2"])
        self.assertIn(b"0 ltid 9 4 589824\n", lines["4"])
        self.assertEqual(self.run_with(octets, "--lines").stdout, lines["4"])
        for length in ("8", "16"):
            self.assertEqual(self.run_with(octets, "--lines", "--address-length", length).returncode, 0)

    def test_a_datagram_is_no_longer_than_udp_allows(self):
        done = self.run_with(bytes(0x10000), "--datagram")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"more than 65535 octets", done.stderr)
        self.assertEqual(self.run_with(bytes(0xffff), "--datagram", "--lines").returncode, 0)

    def test_wrong_use(self):
        self.assertEqual(self.run_with(b"", "--address-length", "3").returncode, 2)
        self.assertEqual(self.run_with(b"", "--stream", "--datagram").returncode, 2)


if __name__ == "__main__":
    unittest.main()
