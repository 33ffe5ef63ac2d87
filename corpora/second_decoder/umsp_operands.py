# SPDX-License-Identifier: Apache-2.0
"""Operands of UMSP instructions: RFC 3018, sections 4 to 9, one row an OPCODE.

A row is the instruction's name and its operands in order. An operand is
  ("name", n)       a number of n octets
  ("name", "KIND")  what _KINDS reads
  Optional(...)     operands that may be missing altogether, at the end
Where the document leaves a length to the node, it is `address_length`: octets of a local memory address on the wire, or
16 for complete addresses.
"""

from umsp_fields import add_address, add_identifier, identifier_octets

_MOST_PADDING = 3


class Optional(tuple):
    """Operands of which all are there, or none."""


class _Reader:
    """The operands between `at` and `end`."""

    def __init__(self, found, begin, end, address_length):
        self.found, self.at, self.end, self.address_length = found, begin, end, address_length

    @property
    def rest(self):
        return self.end - self.at

    def has(self, length):
        """Whether so many octets are left; else the operands are too short."""
        if self.rest < length:
            self.found.fail("operands_too_short", self.at)
        return self.rest >= length

    def number(self, name, length):
        if not self.has(length):
            return None
        self.at += length
        return self.found.number(name, self.at - length, length)

    def data(self, name, length):
        if length and self.has(length):
            self.found.data(name, self.at, length)
            self.at += length

    def fitting(self, lengths):
        """Which of these lengths leaves no more than padding: the node's own where that fits, else the longest."""
        fit = [one for one in lengths if 0 <= self.rest - one <= _MOST_PADDING]
        if not fit:
            self.found.fail("operands_too_short" if self.rest < min(lengths) else "operand_length", self.at)
            return None
        return self.address_length if self.address_length in fit else max(fit)

    def finish(self):
        if self.found.error is not None or self.rest > _MOST_PADDING:
            self.found.fail("operands_too_long", self.at)
            if self.rest:
                self.found.data("unparsed", self.at, self.rest)
        else:
            self.found.zeros("padding", self.at, self.rest)


def _rest(reader, name):
    reader.data(name, reader.rest)


def _last_number(lengths):
    def read(reader, name):
        length = reader.fitting(lengths)
        if length is not None:
            reader.number(name, length)
    return read


def _last_address(lengths):
    def read(reader, name):
        length = reader.fitting(lengths)
        if length is not None:
            add_address(reader.found, name, reader.at, length)
            reader.at += length
    return read


def _address(length):
    def read(reader, name):
        if reader.has(length):
            add_address(reader.found, name, reader.at, length)
            reader.at += length
    return read


def _identifier(reader, name):
    if not reader.has(1):
        return
    length = identifier_octets(reader.found.octets[reader.at])
    if length is None:
        reader.found.fail("identifier", reader.at)
    elif reader.has(length):
        add_identifier(reader.found, name, reader.at)
        reader.at += length


def _control_profile(reader, _):
    """5.1.1: VERSION is the second half of the third octet."""
    if not reader.has(4):
        return
    at = reader.at
    reader.found.number("job_life_time", at, 2)
    reader.found.bits("cmt", at + 2, 1, 0, 1)
    reader.found.bits("reserved", at + 2, 1, 1, 3)
    reader.found.bits("version", at + 2, 1, 4, 4)
    reader.found.number("reserved_2", at + 3, 1)
    reader.at += 4


_PROFILE_FIELDS = ([(f"s{bit}", bit, 1) for bit in range(11)] + [("s11_s15", 11, 5), ("s16_s19", 16, 4)] +
                   [(f"s{bit}", bit, 1) for bit in range(20, 32)])


def _profile(reader, name):
    """5.3.4: bit S0 is the most significant one."""
    at = reader.at
    if reader.number(name, 4) is None:
        return
    for field, first, count in _PROFILE_FIELDS:
        reader.found.bits(f"{name}.{field}", at, 4, first, count)


def _zero(reader, name):
    if reader.has(1):
        if reader.number(name, 1):
            reader.found.flaw(name + "_not_zero", reader.at - 1)


def _counted_data(reader, name):
    """The octets that `data_length` counts, and zeros up to a multiple of four."""
    count = reader.number("data_length", 3)
    if count is None:
        return
    if count == 0:
        reader.found.flaw("data_length_zero", reader.at - 3)
    filled = -count % 4
    if not reader.has(count + filled):
        return
    reader.data(name, count)
    reader.found.zeros("data_padding", reader.at, filled)
    reader.at += filled


def _call(reader, name):
    """6.3.1: an address, a count of words and so many words. Nothing says how long the address is: the count after it
    has to agree with the length of all."""
    if not reader.has(8):
        return
    own = max(reader.address_length, 4)

    def agrees(length):
        behind = reader.rest - length - 4
        return behind >= 0 and reader.found.peek(reader.at + length, 2) * 4 == behind
    length = next((one for one in (own, 4, 8, 16) if agrees(one)), None)
    if length is None:
        reader.found.fail("operand_length", reader.at)
        return
    _address(length)(reader, name)
    words = reader.number("parameter_words", 2)
    reader.data("parameters", 4 * words)


def _halves(reader, name):
    """6.5.1: the initial data and a mask of the same length."""
    if reader.rest == 0:
        reader.has(4)
        return
    half = reader.rest // 2
    reader.data(name, half)
    reader.data("mask", half)


def _task_check(reader, _):
    """5.2.4: the CTID is as long as those of the JCP, which the OPCODE does not say. The GTID after it has to begin
    with an address header, and an LTID has to remain."""
    found = reader.found

    def leaves_ltid(length):
        at = reader.at + length
        gtid = identifier_octets(found.octets[at]) if at < reader.end else None
        behind = reader.end - at - gtid if gtid else -1
        return any(0 <= behind - one <= _MOST_PADDING for one in (2, 4, 8))
    length = next((one for one in (reader.address_length, 4, 8, 2) if one != 16 and leaves_ltid(one)), None)
    if length is None:
        found.fail("operand_length", reader.at)
        return
    reader.number("ctid", length)
    _identifier(reader, "gtid")
    _last_number((2, 4, 8))(reader, "ltid")


def _task_state(reader, name):
    """5.7.3: in one word one reserved octet and a CTID of two; else three, and a CTID of at least four."""
    short = reader.rest == 3
    reserved = 1 if short else 3
    if not reader.has(reserved):
        return
    reader.found.zeros("reserved", reader.at, reserved)
    reader.at += reserved
    _last_number((2,) if short else (4, 8))(reader, name)


def _vms(reader, name):
    for index in range(reader.rest // 4):
        reader.number(f"{name}[{index}].type", 2)
        reader.number(f"{name}[{index}].version", 2)


_KINDS = {
    "rest": _rest,
    "identifier": _identifier,
    "last 4/8": _last_number((4, 8)),
    "last 2/4/8": _last_number((2, 4, 8)),
    "last 2": _last_number((2,)),
    "last address 2/4/8/16": _last_address((2, 4, 8, 16)),
    "last address 4/8/16": _last_address((4, 8, 16)),
    "address 2": _address(2),
    "address 4": _address(4),
    "address 8": _address(8),
    "address 16": _address(16),
    "control profile": _control_profile,
    "profile": _profile,
    "zero": _zero,
    "counted data": _counted_data,
    "call": _call,
    "halves": _halves,
    "task check": _task_check,
    "task state": _task_state,
    "vms": _vms,
}


def _codes(kind):
    return ((f"basic_{kind}_code", 2), (f"additional_{kind}_code", 2))


_RETURN = (Optional(_codes("return")),)
_END = (Optional(_codes("termination")),)
_ERROR = _codes("error")
_OBJECT = (("object_number", 4), ("object_version", 2), ("object_realization", 2))
_VM = (("vm_type", 2), ("vm_version", 2))
_EXT = (("zero", "zero"), ("immediate_data", "counted data"))
_DATA = ("immediate_data", "rest")
_CODE = (*_VM, ("code", "rest"))
_CALL = (("memory_address", "call"),)
_TASK_REG = (("gtid", "identifier"), ("ltid", "last 2/4/8"))


def _at(length):
    return ("memory_address", f"address {length}")


_ROWS = {
    1: ("RSP_P", _RETURN),
    2: ("SND_CANCEL", _codes("return")),
    3: ("CONTROL_REQ", (("control_profile", "control profile"), ("ltid", "last 4/8"))),
    4: ("CONTROL_CONFIRM", (("gjid", "identifier"),)),
    5: ("CONTROL_REJECT", (*_ERROR, Optional((("control_profile", "control profile"),)))),
    6: ("TASK_REG", (("ctid", 2), *_TASK_REG)),
    7: ("TASK_REG", (("ctid", 4), *_TASK_REG)),
    8: ("TASK_REG", (("ctid", 8), *_TASK_REG)),
    9: ("TASK_CONFIRM", (("ctid", "last 4/8"),)),
    10: ("TASK_REJECT", _ERROR),
    11: ("TASK_CHK", (("ctid", "task check"),)),
    12: ("SESSION_OPEN", (("vm_type_required", 2), ("vm_version_required", 2), ("profile_required", "profile"),
                          ("vm_type_sender", 2), ("vm_version_sender", 2), ("profile_sender", "profile"),
                          ("window", 2), ("gjid", "identifier"), ("ltid", "last 4/8"))),
    13: ("SESSION_ACCEPT", ()),
    14: ("SESSION_REJECT", _ERROR),
    15: ("SESSION_CLOSE", _END),
    16: ("SESSION_ABEND", _END),
    17: ("TASK_TERMINATE", (*_codes("termination"), ("ctid", "last 4/8"))),
    18: ("TASK_TERMINATE_INFO", (*_codes("termination"), ("gtid", "identifier"))),
    19: ("JOB_COMPLETED", (*_codes("completion"), ("ctid", "last 4/8"))),
    20: ("JOB_COMPLETED_INFO", (*_codes("completion"), ("gjid", "identifier"))),
    21: ("STATE_REQ", (("ltid", "last 4/8"),)),
    22: ("TASK_STATE", (("state_code", 1), ("ctid", "task state"))),
    23: ("NODE_RELOAD", (("ltid", "last 4/8"),)),
    24: ("REQ_BUF", (("buffer_size", 4),)),
    25: ("VM_REQ", (("vm", "vms"),)),
    26: ("VM_NOTIF", (("transport_protocol", 2), ("reserved", 2), ("vm", "vms"))),
    129: ("RSP", _RETURN),
    130: ("REQ_DATA", (("data_length", 2), ("memory_address", "last address 2/4/8/16"))),
    131: ("REQ_DATA", (("data_length", 4), ("memory_address", "last address 4/8/16"))),
    132: ("DATA", (_DATA,)),
    137: ("WRITE_EXT", (*_EXT, ("memory_address", "last address 4/8/16"))),
    142: ("CMP_EXT", (*_EXT, ("memory_address", "last address 4/8/16"))),
    143: ("JUMP", _CALL),
    144: ("JUMP", (*_VM, *_CALL)),
    145: ("CALL", _CALL),
    146: ("CALL", (*_VM, *_CALL)),
    147: ("RETURN", (_DATA,)),
    148: ("MEM_ALLOC", (("memory_size", 4),)),
    149: ("MVCODE", _CODE),
    150: ("ADDRESS", (("memory_address", "last address 4/8/16"),)),
    151: ("FREE", (("memory_address", "last address 4/8/16"),)),
    152: ("MVRUN", _CODE),
    156: ("NOP", (("encapsulated_data", "rest"),)),
    158: ("EXEC_TR", ()),
    159: ("CANCEL_TR", ()),
    192: ("OBJ_REQ_DATA", (*_OBJECT, ("data_length", 2), ("offset", "last 2"))),
    193: ("OBJ_REQ_DATA", (*_OBJECT, ("data_length", 4), ("offset", "last 4/8"))),
    197: ("OBJ_WRITE_EXT", (*_OBJECT, *_EXT, ("offset", "last 4/8"))),
    201: ("OBJ_DATA_CMP_EXT", (*_OBJECT, *_EXT, ("offset", "last 4/8"))),
    202: ("CALL_BNUM", (*_OBJECT, ("procedure_number", 4), ("parameters", "rest"))),
    203: ("CALL_BNUM", (*_VM, *_OBJECT, ("procedure_number", 4), ("parameters", "rest"))),
    204: ("CALL_BNAME", (*_OBJECT, ("parameters", "rest"))),
    205: ("CALL_BNAME", (*_VM, *_OBJECT, ("parameters", "rest"))),
    206: ("GET_NUM_PROC", _OBJECT),
    207: ("PROC_NUM", (*_OBJECT, ("procedure_number", 4))),
    208: ("NEW", (*_VM, *_OBJECT[1:], _DATA)),
    209: ("SYS_NEW", (*_VM, *_OBJECT[1:], _DATA)),
    210: ("OBJECT", _OBJECT),
    211: ("DELETE", _OBJECT[:1]),
    212: ("OBJ_SEEK", ()),
    213: ("OBJ_GET_NAME", _OBJECT[:1]),
    **{133 + i: ("WRITE", (_at(2 << i), _DATA)) for i in range(4)},
    **{138 + i: ("CMP", (_at(2 << i), _DATA)) for i in range(4)},
    **{153 + i: ("SYN", (_at(4 << i), ("initial_data", "halves"))) for i in range(3)},
    **{194 + i: ("OBJ_WRITE", (*_OBJECT, ("offset", 2 << i), _DATA)) for i in range(3)},
    **{198 + i: ("OBJ_DATA_CMP", (*_OBJECT, ("offset", 2 << i), _DATA)) for i in range(3)},
}


def _is_one_identifier(octets, begin, end):
    """Whether the operands are a GJID and the padding of its last word (rulings UMSP/A1 and UMSP/A25)."""
    length = identifier_octets(octets[begin]) if begin < end else None
    return length is not None and -(-length // 4) * 4 == end - begin


def _row(opcode, octets, begin, end):
    """The name and operands of an instruction; None where the document defines no such OPCODE.

    OPCODE 4 is printed for two instructions: it is CONTROL_CONFIRM where its operands are one GJID. The codes of
    JOB_COMPLETED_INFO are left out where its operands are one GJID.
    """
    if opcode == 4 and not _is_one_identifier(octets, begin, end):
        return _ROWS[5]
    name, operands = _ROWS.get(opcode, (None, None))
    if opcode == 20 and _is_one_identifier(octets, begin, end):
        return name, operands[2:]
    return (name, operands) if name else None


def _read(reader, operands):
    for operand in operands:
        if reader.found.error is not None:
            return
        if isinstance(operand, Optional):
            if reader.rest:
                _read(reader, operand)
            continue
        name, kind = operand
        if isinstance(kind, int):
            reader.number(name, kind)
        else:
            _KINDS[kind](reader, name)


def add_operands(found, opcode, begin, end, address_length):
    """The operands between `begin` and `end`, which the input has. Gives the instruction's name, or None."""
    row = _row(opcode, found.octets, begin, end)
    if row is None:
        found.flaw("unknown_opcode", begin)
        if begin != end:
            found.data("operands", begin, end - begin)
        return None
    name, operands = row
    reader = _Reader(found, begin, end, address_length)
    _read(reader, operands)
    reader.finish()
    return name
