// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/srd/connids.h"

#include "reference/efa/packet.h"

namespace wirelaw {

void SrdConnids::learn(const pcap::Endpoint& from, Octets packet) {
  const auto decoded = efa::decode(packet);
  if (!decoded) return;
  const auto address = decoded->raw_address.empty() ? std::nullopt : efa::decode_raw_address(decoded->raw_address);
  const bool own =
      address && address->gid == from.address.as_ipv6() && address->qpn == static_cast<std::uint16_t>(from.port);
  const std::optional<std::uint32_t> said = own ? std::optional(address->connid) : efa::connid_of(*decoded);
  if (!said || (!own && known_.contains(from))) return;
  if (known_.size() >= kMost && !known_.contains(from)) known_.erase(known_.begin());
  known_.insert_or_assign(from, *said);
}

std::optional<std::uint32_t> SrdConnids::of(const pcap::Endpoint& peer) const {
  const auto found = known_.find(peer);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace wirelaw
