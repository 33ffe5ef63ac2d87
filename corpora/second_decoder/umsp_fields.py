# SPDX-License-Identifier: Apache-2.0
"""What the UMSP decoder finds: fields in their places, and what is wrong with them.

Octets of a number go most significant first, and bit 0 is the most significant one. Addresses and identifiers are those
of RFC 3018, sections 2.1 and 5.
"""

MEM_ADDR_OCTETS = (2, 3, 4, 8)  # by ADDR_CODE (2.1)
COMPLETE_ADDRESS_OCTETS = 16


class Found:
    """The fields of one instruction: (name, offset, length, value), octets counted from the beginning of the input.

    A field of less than an octet has the place of its octet. A derived field is not on the wire: its offset is None and
    its length 0. Numbers are int, other octets text in hexadecimal. A problem is (code, offset): an `error` means that
    the layout could not be followed, a `flaw` that a value or a length is wrong and the layout still clear.
    """

    def __init__(self, octets):
        self.octets = octets
        self.fields = []
        self.error = None
        self.flaws = []

    def fail(self, code, offset):
        if self.error is None:
            self.error = (code, offset)

    def flaw(self, code, offset):
        self.flaws.append((code, offset))

    def peek(self, offset, length):
        return int.from_bytes(self.octets[offset:offset + length], "big")

    def number(self, name, offset, length):
        value = self.peek(offset, length)
        self.fields.append((name, offset, length, value))
        return value

    def bits(self, name, offset, length, first, count):
        """`count` bits from bit `first` of the `length` octets at `offset`; placed at the octets that hold them."""
        begin, end = first // 8, (first + count - 1) // 8 + 1
        value = self.peek(offset, length) >> (8 * length - first - count) & ((1 << count) - 1)
        self.fields.append((name, offset + begin, end - begin, value))
        return value

    def data(self, name, offset, length):
        self.fields.append((name, offset, length, bytes(self.octets[offset:offset + length]).hex()))

    def derived(self, name, value):
        self.fields.append((name, None, 0, value))

    def zeros(self, name, offset, length):
        """Octets that have to be zero, where there are any."""
        if length == 0:
            return
        self.data(name, offset, length)
        if any(self.octets[offset:offset + length]):
            self.flaw(name + "_not_zero", offset)


def identifier_octets(first):
    """The length of a GJID or GTID (5: without FREE) that begins with this octet, or None where none can."""
    node, memory = first >> 4, MEM_ADDR_OCTETS[first & 3]
    length = 1 + node + memory
    return length if node and 4 <= length <= COMPLETE_ADDRESS_OCTETS else None


def _address_header(found, name, offset):
    node = found.bits(name + ".addr_length", offset, 1, 0, 4)
    found.bits(name + ".net_type", offset, 1, 4, 2)
    return node, MEM_ADDR_OCTETS[found.bits(name + ".addr_code", offset, 1, 6, 2)]


def add_identifier(found, name, offset):
    """A GJID or GTID whose length identifier_octets() gave."""
    length = identifier_octets(found.octets[offset])
    found.data(name, offset, length)
    node, memory = _address_header(found, name, offset)
    found.data(name + ".node_addr", offset + 1, node)
    found.number(name + ".mem_addr", offset + 1 + node, memory)


def add_address(found, name, offset, length):
    """A memory address: a number, or the 16 octets of a complete one with its parts (2.1)."""
    if length != COMPLETE_ADDRESS_OCTETS:
        found.number(name, offset, length)
        return
    found.data(name, offset, length)
    node, memory = _address_header(found, name, offset)
    free = length - 1 - node - memory
    if node == 0 or free < 0:
        found.flaw("address_header", offset)
        return
    if free:
        found.data(name + ".free", offset + 1, free)
    found.data(name + ".node_addr", offset + 1 + free, node)
    found.number(name + ".mem_addr", offset + length - memory, memory)
