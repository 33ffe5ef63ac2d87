// SPDX-License-Identifier: Apache-2.0
#include "harness/carriages/inboxes.h"

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
  if ((*found)->inbox.size() < kInbox) (*found)->inbox.push_back(std::move(octets));
}

}  // namespace wirelaw
