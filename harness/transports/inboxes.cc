// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/inboxes.h"

#include <fmt/format.h>

#include <algorithm>

namespace wirelaw {

Inboxes::Remote* Inboxes::claim() {
  const auto found = std::ranges::find_if(remotes_, [](const auto& remote) { return !remote->claimed; });
  if (found == remotes_.end()) return nullptr;
  (*found)->claimed = true;
  return found->get();
}

void Inboxes::sort(const pcap::Endpoint& from, OctetBuffer octets) {
  auto found = std::ranges::find_if(remotes_, [&](const auto& remote) { return remote->endpoint == from; });
  if (found == remotes_.end()) {
    if (remotes_.size() == kRemotes) return;
    remotes_.push_back(std::make_unique<Remote>(Remote{.endpoint = from}));
    found = std::prev(remotes_.end());
  }
  const std::size_t cost = octets.size() + kMessageOctets;
  if (octets_ + cost > kOctets) {
    ++(*found)->dropped;
    return;
  }
  octets_ += cost;
  octets.shrink_to_fit();
  (*found)->inbox.push_back(std::move(octets));
}

OctetBuffer Inboxes::take(Remote& remote) {
  OctetBuffer octets = std::move(remote.inbox.front());
  remote.inbox.pop_front();
  octets_ -= octets.size() + kMessageOctets;
  return octets;
}

TransportError Inboxes::flooded(const Remote& remote) {
  return {fmt::format("{} floods, or others do: {} of its messages were dropped, as {} octets wait unread",
                      pcap::to_string(remote.endpoint), remote.dropped, kOctets),
          "see what sends to this port"};
}

void Inboxes::clear() {
  remotes_.clear();
  octets_ = 0;
}

}  // namespace wirelaw
