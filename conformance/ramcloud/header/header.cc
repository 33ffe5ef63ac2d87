// SPDX-License-Identifier: Apache-2.0
// "RAMCloud RPC Header format": the layout as a whole. Nibbles and octets in the wrong order are recognised by what
// the packet would mean in the other order, so that one fault gives one finding.
#include "conformance/ramcloud/header/header.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/header/rules.h"

namespace wirelaw::ramcloud {

bool judge_whole_header(Judge& judge, const Message& message) {
  return judge.require(rule<"RAMCLOUD-header-1">, message.wire_length >= layout::kHeader,
                       octets(0, message.octets.size()), expected("at least 26 octets"), actual(message.wire_length),
                       "the packet ends inside the header");
}

void judge_nibbles(Judge& judge, const Rule& rule, const Seen& seen, bool swapped) {
  const Octet octet = seen.message.octets[layout::kFlags];
  judge.require(rule, !swapped, field::kFlags, expected(hex(static_cast<Octet>(octet << 4 | octet >> 4))),
                actual(hex(octet)),
                "payloadType and flags are in each other's place; or the packet belongs to what was not captured");
}

namespace {

constexpr std::uint32_t swapped(std::uint32_t value) {
  return __builtin_bswap32(value);
}

constexpr std::uint16_t swapped16(std::uint16_t value) {
  return __builtin_bswap16(value);
}

}  // namespace

Evidence evidence_of_skipped(std::uint32_t from, std::uint32_t to, std::int64_t elapsed_ns) {
  constexpr std::int64_t kLeastOfOneNs = 100;            // light goes thirty metres
  constexpr std::int64_t kResolutionNs = 1'000'000'000;  // of time stamps, at worst
  const std::int64_t most = elapsed_ns / kLeastOfOneNs + kResolutionNs / kLeastOfOneNs;
  return static_cast<std::int64_t>(to - from) <= most ? Evidence::absence : Evidence::octets;
}

bool judge_octet_order(Judge& judge, OctetRange where, std::uint32_t value, std::uint32_t intended,
                       std::int64_t elapsed_ns) {
  if (value != intended && value != swapped(intended)) return true;  // another rule's fault
  if (intended == swapped(intended)) return true;                    // reads the same both ways
  return judge.require(rule<"RAMCLOUD-header-4">, value == intended, where, expected(hex(intended)), actual(hex(value)),
                       "the octets are in network order; or the packets of many RPCs were not captured",
                       evidence_of_skipped(intended, value, elapsed_ns));
}

bool judge_fragment_octet_order(Judge& judge, const Seen& seen, Transfer& transfer) {
  // Three fragments in a row whose numbers are 0, 0x0100 and 0x0200 of a total that ends in a zero octet: 0, 1 and 2 of
  // a small total in the other order. (A sender that really skips 255 fragments twice does not exist.)
  constexpr std::uint16_t kThird = 0x0200;
  const Header& h = seen.header();
  const FragmentSet& before = transfer.fragments;
  const bool complete_evidence = h.frag_number == kThird && h.total_frags > kThird &&
                                 swapped16(h.total_frags) <= 0xff && before.count() == 2 && before.contains(0) &&
                                 before.contains(swapped16(1));
  if (!complete_evidence && h.frag_number != 2) return true;
  return judge.require(
      rule<"RAMCLOUD-header-4">, !complete_evidence, field::kFragments,
      expected("fragments numbered 0, 1, 2 with the low octet first"),
      actual([&] { return fmt::format("0, 256, 512 of {}", h.total_frags); }),
      "the octets of fragNumber and totalFrags are in network order; or many fragments were not captured");
}

}  // namespace wirelaw::ramcloud
