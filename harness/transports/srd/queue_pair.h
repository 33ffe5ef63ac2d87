// SPDX-License-Identifier: Apache-2.0
// The verbs below device.h: objects of libibverbs that are destroyed with their owners. Only device.cc and
// queue_pair.cc use it.
#pragma once

#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "harness/transports/srd/device.h"
#include "harness/transports/verbs/library.h"

namespace wirelaw {

template <typename Object>
using VerbsObject = std::unique_ptr<Object, int (*)(Object*)>;

// The device, its protection domain, and the address handles of the peers.
struct SrdContext {
  SrdContext(const VerbsLibrary& library, VerbsObject<ibv_context> opened, VerbsObject<ibv_pd> allocated)
      : verbs(library), context(std::move(opened)), domain(std::move(allocated)) {}

  const VerbsLibrary& verbs;
  VerbsObject<ibv_context> context;
  VerbsObject<ibv_pd> domain;
  Gid gid = {};
  std::size_t packet_octets = 0;
  EfaAbilities abilities = {};
  bool reports_senders = false;  // completions have the GID of a sender without an address handle

  // nullptr if the device has no more of them.
  ibv_ah* handle_of(const Gid& peer);
  // Finds the address handle with the number in a completion's slid.
  const Gid* gid_of(std::uint32_t number) const;

 private:
  // The number of address handles that are kept for earlier peers; a device has 65,535.
  static constexpr std::size_t kHandles = 16'384;

  std::map<Gid, VerbsObject<ibv_ah>> handles_ = {};
  std::unordered_map<std::uint32_t, Gid> gids_ = {};  // by number
};

tl::expected<std::unique_ptr<SrdSocket>, TransportError> make_queue_pair(SrdContext& device, std::uint32_t connid);

}  // namespace wirelaw
