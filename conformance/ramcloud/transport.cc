// SPDX-License-Identifier: Apache-2.0
// "RPC Protocol", the introduction: what RPCs travel in.
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, introduction"};

constinit const Rule kIpWithoutOptions =
    kSection.must("RAMCLOUD-transport-1", "The IP header below a packet carries no options and no extension headers.",
                  "RAMCLOUD/R32");

namespace {

constinit const Rule kOnlyRpcs =
    kSection.by(Observable::none)
        .must("RAMCLOUD-transport-2", "Everything that clients and servers exchange travels in RPCs.",
              "describes the system: a packet of another protocol between the same hosts is no packet of this one");

constexpr std::uint8_t kIpv4Header = 20;
constexpr std::uint8_t kIpv6Header = 40;

}  // namespace

RuleList transport_rules() {
  static constexpr const Rule* kRules[] = {&kIpWithoutOptions, &kOnlyRpcs};
  return kRules;
}

void judge_transport(Judge& judge, const Message& message) {
  if (message.ip_version == 0) return;
  const std::uint8_t bare = message.ip_version == 4 ? kIpv4Header : kIpv6Header;
  judge.require(kIpWithoutOptions, message.ip_header_octets == bare, octets(0, 0), expected(bare),
                actual(message.ip_header_octets), "octets of IP header before the UDP header");
}

}  // namespace wirelaw::ramcloud
