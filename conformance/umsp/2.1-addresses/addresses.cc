// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 2.1 and 3.4: 128-bit addresses, and addresses of the global IPv4 network.
#include "conformance/umsp/2.1-addresses/addresses.h"

#include "conformance/umsp/2.1-addresses/rules.h"
#include "reference/umsp/address.h"

namespace wirelaw::umsp {
namespace {

void judge_ipv4_format(Judge& judge, AddressFormat format, OctetRange where) {
  if (format.addr_length != 4 || format.net_type != 0) return;
  judge.advise(rule<"UMSP-3.4-1">, is_assigned(format), where, expected("N 4-0-0, 4-0-1 or 4-0-2"),
               actual([&] { return to_string(format); }));
}

void judge_address(Judge& judge, AddressFormat format, OctetRange where) {
  if (!judge.require(rule<"UMSP-2.1-4">, format.addr_length != 0, where, expected("1 to 13"), actual("0"))) return;
  if (judge.require(rule<"UMSP-2.1-2">, format.octets() <= kAddressOctets, where, expected("16 octets at most"),
                    actual(format.octets())))
    judge_ipv4_format(judge, format, where);
}

}  // namespace

void judge_addresses(Judge& judge, const OperandView& view, Octets operands, std::size_t offset) {
  for (const Located& located : view.operands) {
    if (located.length == 0) continue;
    const AddressFormat format = decode_format(operands[located.offset]);
    const OctetRange header = octets(offset + located.offset, 1);
    if (located.row->width == Width::identifier) judge_ipv4_format(judge, format, header);
    if (describe(located.row->operand).kind == OperandKind::address && located.length == kAddressOctets)
      judge_address(judge, format, header);
  }
}

}  // namespace wirelaw::umsp
