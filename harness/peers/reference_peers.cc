// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/reference_peers.h"

#include <algorithm>

#include "harness/peers/efa/remote_application.h"
#include "harness/peers/efa_peer.h"
#include "harness/peers/ramcloud_peer.h"
#include "harness/peers/rdmap_peer.h"

namespace wirelaw {

std::span<const ReferencePeer> reference_peers() {
  static constexpr ReferencePeer kPeers[] = {
      {.protocol = "ramcloud", .maker = ramcloud::peer_maker, .deviations = ramcloud::deviation_names},
      {.protocol = "rdmap", .maker = rdmap::peer_maker, .deviations = rdmap::deviation_names},
      {.protocol = "efa",
       .maker = efa::peer_maker,
       .deviations = efa::deviation_names,
       .parameters = efa::kPeerParameters,
       .offers = efa::offers,
       .remote = efa::make_remote_application},
  };
  return kPeers;
}

IutParameters offers_of(const ReferencePeer& peer, const PeerOptions& options) {
  return peer.offers == nullptr ? IutParameters{} : peer.offers(options);
}

const ReferencePeer* find_reference_peer(std::string_view protocol) {
  const auto all = reference_peers();
  const auto found = std::ranges::find(all, protocol, &ReferencePeer::protocol);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace wirelaw
