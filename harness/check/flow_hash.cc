// SPDX-License-Identifier: Apache-2.0
#include "harness/check/flow_hash.h"

#include <algorithm>
#include <array>
#include <map>

#include "conformance/association.h"
#include "harness/shard/stable_hash.h"

namespace wirelaw {
namespace {

struct End {
  std::array<Octet, 16> node;
  std::uint32_t port;
  friend auto operator<=>(const End&, const End&) = default;
};

std::uint64_t hash_of(std::array<End, 2> ends, std::uint64_t kind) {
  std::ranges::sort(ends);
  StableHash hash;
  hash.add(kind);
  for (const End& one : ends) {
    hash.add(Octets(one.node));
    hash.add(std::uint64_t{one.port});
  }
  return hash.value();
}

}  // namespace

std::uint64_t flow_hash(pcap::Transport transport, const pcap::Endpoint& one, const pcap::Endpoint& other) {
  return hash_of({End{one.address.as_ipv6(), one.port}, End{other.address.as_ipv6(), other.port}},
                 static_cast<std::uint64_t>(transport));
}

std::uint64_t nodes_hash(const pcap::Endpoint& one, const pcap::Endpoint& other) {
  constexpr std::uint64_t kNodes = 0xff;  // no transport
  return hash_of({End{one.address.as_ipv6(), 0}, End{other.address.as_ipv6(), 0}}, kNodes);
}

std::uint64_t joined_hash(Joined joined, const pcap::Endpoint& one, const pcap::Endpoint& other) {
  return joined == Joined::all ? nodes_hash({}, {}) : nodes_hash(one, other);
}

Joined joined_flows(const Protocol& base) {
  static std::map<const Protocol*, Joined> known;
  const auto [at, is_new] = known.try_emplace(&base, Joined::none);
  if (!is_new) return at->second;
  const auto observer = base.observer({});
  if (const auto* const joining = dynamic_cast<const JoiningObserver*>(observer.get()))
    at->second = joining->joins_all_nodes() ? Joined::all : Joined::of_nodes;
  return at->second;
}

}  // namespace wirelaw
