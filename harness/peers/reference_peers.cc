// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/reference_peers.h"

#include <algorithm>

namespace wirelaw {

IutParameters offers_of(const ReferencePeer& peer, const PeerOptions& options) {
  return peer.offers == nullptr ? IutParameters{} : peer.offers(options);
}

const ReferencePeer* find_reference_peer(std::string_view protocol) {
  const auto all = reference_peers();
  const auto found = std::ranges::find(all, protocol, [](const ReferencePeer* one) { return one->protocol; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace wirelaw
