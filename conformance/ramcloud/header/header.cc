// SPDX-License-Identifier: Apache-2.0
// "RAMCloud RPC Header format": the layout as a whole. Nibbles and octets in the wrong order are recognised because the
// packet makes sense in the other order, so that one fault gives one finding.
#include "conformance/ramcloud/header/header.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/header/rules.h"

namespace wirelaw::ramcloud {

bool check_whole_header(Judge& judge, const Message& message) {
  return judge.require(rule<"RAMCLOUD-header-1">, message.wire_length >= layout::kHeader,
                       octets(0, message.octets.size()), expected("at least 26 octets"), actual(message.wire_length),
                       "the packet ends inside the header");
}

void check_nibbles(Judge& judge, const Rule& rule, const PacketFacts& facts) {
  const Octet octet = facts.message.octets[layout::kFlags];
  judge.require(rule, !facts.are_nibbles_swapped, field::kFlags,
                expected(hex(static_cast<Octet>(octet << 4 | octet >> 4))), actual(hex(octet)),
                "payloadType and flags are in each other's place; or the packet belongs to what was not captured");
}

namespace {

constexpr std::uint32_t swapped(std::uint32_t value) {
  return __builtin_bswap32(value);
}

}  // namespace

Evidence evidence_of_skipped(std::uint32_t from, std::uint32_t to, std::int64_t elapsed_ns) {
  constexpr std::int64_t kLeastOfOneNs = 100;            // a lower bound: light travels thirty metres
  constexpr std::int64_t kResolutionNs = 1'000'000'000;  // worst resolution of time stamps
  const std::int64_t most = elapsed_ns / kLeastOfOneNs + kResolutionNs / kLeastOfOneNs;
  return static_cast<std::int64_t>(to - from) <= most ? Evidence::absence : Evidence::octets;
}

bool check_rpc_id_order(Judge& judge, std::uint32_t value, std::uint32_t intended, std::int64_t elapsed_ns) {
  if (value != intended && value != swapped(intended)) return true;  // another rule's fault
  if (intended == swapped(intended)) return true;                    // reads the same both ways
  return judge.require(rule<"RAMCLOUD-header-4">, value == intended, field::kRpcId, expected(hex(intended)),
                       actual(hex(value)),
                       "the octets are in network order; or the packets of many RPCs were not captured",
                       evidence_of_skipped(intended, value, elapsed_ns));
}

void check_fragment_order(Judge& judge, const PacketFacts& facts, bool is_in_network_order) {
  judge.require(rule<"RAMCLOUD-header-4">, !is_in_network_order, field::kFragments,
                expected("fragments numbered 0, 1, 2 with the low octet first"),
                actual([&] { return fmt::format("0, 256, 512 of {}", facts.header().total_frags); }),
                "the octets of fragNumber and totalFrags are in network order; or many fragments were not captured");
}

}  // namespace wirelaw::ramcloud
