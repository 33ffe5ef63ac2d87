// SPDX-License-Identifier: Apache-2.0
#include "conformance/association.h"

#include <algorithm>

namespace wirelaw {

Associations::Key Associations::key_of(std::string_view protocol, const Address& one, const Address& other) {
  Key key{.protocol = protocol, .nodes = {one.as_ipv6(), other.as_ipv6()}};
  std::ranges::sort(key.nodes);
  return key;
}

// Makes room by removing the associations whose flows have all ended.
bool Associations::make_room(const Key& key) {
  if (all_.size() < kMost || all_.contains(key)) return true;
  std::erase_if(all_, [](const auto& one) { return !one.second->has_flows(); });
  return all_.size() < kMost;
}

bool is_turned(const std::array<Endpoint, 2>& addresses) {
  return addresses[1].address.as_ipv6() < addresses[0].address.as_ipv6();
}

}  // namespace wirelaw
