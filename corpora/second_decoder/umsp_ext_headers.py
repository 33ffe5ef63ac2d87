# SPDX-License-Identifier: Apache-2.0
"""Extension headers of UMSP: RFC 3018, section 3.2, and the contents of those that sections 5.7.1, 7 and 8 define."""

MOST_HEADERS = 30  # of one instruction
_LONG_FORM = 8     # octets before DATA
_SHORT_FORM = 2

_BEGIN_TR = (("tre", 0, 1), ("trr", 1, 1), ("trt", 2, 1), ("reserve", 3, 5), ("time_tr", 8, 8))
_BEGIN_FRG = (("parental_chain_number", 0, 16), ("parental_instr_number", 16, 16))

# code: (name, the DATA lengths allowed in octets, contents: None, one number's name, or bit fields)
_CODES = {
    2: ("_INACTION_TIME", (2,), "inaction_period"),
    3: ("_BEGIN_SQ", (0,), None),
    4: ("_BEGIN_TR", (2,), _BEGIN_TR),
    5: ("_BEGIN_FRG", (0, 4), _BEGIN_FRG),
    6: ("_END_CHAIN", (0,), None),
    7: ("_SET_MBASE", (4, 8, 16), None),
    8: ("_ALIGNMENT", range(2, 15, 2), None),
    9: ("_MSG", range(2, 255, 2), None),
    10: ("_NAME", range(2, 255, 2), None),
    11: ("_DATA", range(2, 4294967295, 2), None),
    12: ("_LIFE_TIME", (2, 4), "time"),
}


def _contents(found, name, code, offset, length):
    known = _CODES.get(code)
    if known is None:
        found.flaw("unknown_head_code", offset)
        return
    text, lengths, contents = known
    found.derived(name + ".name", text)
    if length not in lengths:
        found.flaw("head_length", offset)
    elif isinstance(contents, str):
        found.number(f"{name}.{contents}", offset, length)
    elif contents and length:
        for field, first, count in contents:
            found.bits(f"{name}.{field}", offset, length, first, count)


def _header(found, name, offset, length, data):
    """One extension header that is whole: `data` octets of DATA after its first `length` octets."""
    hxt = found.bits(name + ".hxt", offset, 1, 0, 1)
    head_length = found.bits(name + ".head_length", offset, 1, 1, 7)
    if hxt:
        head_length = head_length << 24 | found.number(name + ".head_length_ext", offset + 1, 3)
    flags = offset + (4 if hxt else 1)
    found.bits(name + ".hsl", flags, 1, 0, 1)
    found.bits(name + ".hob", flags, 1, 1, 1)
    hrz = found.bits(name + ".hrz", flags, 1, 2, 1)
    code = found.bits(name + ".head_code", flags, 1, 3, 5)
    if hrz:
        found.flaw("hrz_not_zero", flags)
    if hxt:
        code = code << 8 | found.number(name + ".head_code_ext", offset + 5, 1)
        if found.number(name + ".reserved", offset + 6, 2):
            found.flaw("reserved_not_zero", offset + 6)
    elif code == 31:
        found.flaw("head_code_needs_long_form", flags)
    found.derived(name + ".effective_head_length", head_length)
    found.derived(name + ".effective_head_code", code)
    if data:
        found.data(name + ".data", offset + length, data)
    _contents(found, name, code, offset + length, data)


def add_ext_headers(found, begin, offset, aligned):
    """Extension headers of the instruction at `begin`, from `offset` on. Gives the offset after the last one, or None
    where the input ends before.

    `aligned`: bit S20 of the profile was agreed (5.3.4), so that zeros after each header lead to the next multiple of
    four octets. If there are more headers than are allowed, the first one too many is listed, and the rest skipped.
    """
    octets = found.octets
    index = 0
    while True:
        length = _LONG_FORM if offset < len(octets) and octets[offset] & 0x80 else _SHORT_FORM
        if offset + length > len(octets):
            found.fail("truncated", len(octets))
            return None
        words = found.peek(offset, 4) & 0x7FFFFFFF if length == _LONG_FORM else octets[offset]
        last = octets[offset + (4 if length == _LONG_FORM else 1)] & 0x80
        end = offset + length + 2 * words
        filled = end + (-(end - begin) % 4 if aligned else 0)
        if filled > len(octets):
            found.fail("truncated", len(octets))
            return None
        name = f"ext_header[{index}]"
        if index <= MOST_HEADERS:
            _header(found, name, offset, length, 2 * words)
            found.zeros(name + ".alignment", end, filled - end)
        if index == MOST_HEADERS:
            found.flaw("too_many_ext_headers", offset)
        index, offset = index + 1, filled
        if last:
            return offset
