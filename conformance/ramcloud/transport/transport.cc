// SPDX-License-Identifier: Apache-2.0
// "RPC Protocol", the introduction: the packets that carry RPCs.
#include "conformance/ramcloud/transport/transport.h"

#include "conformance/ramcloud/transport/rules.h"

namespace wirelaw::ramcloud {

namespace {

constexpr std::uint8_t kIpv4Header = 20;
constexpr std::uint8_t kIpv6Header = 40;

}  // namespace

void check_transport(Judge& judge, const Message& message) {
  if (message.ip_version == 0) return;
  const std::uint8_t bare = message.ip_version == 4 ? kIpv4Header : kIpv6Header;
  judge.require(rule<"RAMCLOUD-transport-1">, message.ip_header_octets == bare, octets(0, 0), expected(bare),
                actual(message.ip_header_octets), "octets of IP header before the UDP header");
}

}  // namespace wirelaw::ramcloud
