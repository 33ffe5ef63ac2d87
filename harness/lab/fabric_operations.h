// SPDX-License-Identifier: Apache-2.0
// The operations of fabric_peer as a requester: a table with a row for each subprotocol.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/lab/fabric_endpoint.h"
#include "harness/lab/fabric_peer_address.h"

namespace wirelaw::lab {

enum class Partner : std::uint8_t {
  anybody,      // nothing is expected of it
  fabric_peer,  // reports what has arrived; written memory is read back
  echo,         // echoes messages (harness/peers/efa_peer.h); written memory is read back
};

// The context of a requester: its peer and its limits.
struct Requester {
  FabricEndpoint& endpoint;
  fi_addr_t to;
  PeerAddress peer;
  Partner partner;
  std::chrono::seconds patience;
  std::uint64_t sent = 0;  // messages of data

  bool checks() const { return partner != Partner::anybody; }
};

struct Operation {
  using Run = Result<> (*)(const Operation& self, Requester& requester);

  std::string_view name;
  std::string_view group;
  std::size_t octets;
  std::uint64_t flags;  // FI_DELIVERY_COMPLETE, FI_REMOTE_CQ_DATA
  Run run;
  std::string_view packets;   // the subprotocol's packets, as the document names them
  std::string_view settings;  // variables that make the provider choose it: "NAME=VALUE …"
};

std::span<const Operation> operations();

// The rows of these names or groups, in the order given. The error names the unknown one.
Result<std::vector<const Operation*>> find_operations(const std::vector<std::string>& names);

// The variables that all of them need. The error names two rows that contradict one another.
Result<std::map<std::string, std::string>> settings_for(const std::vector<const Operation*>& wanted);

// True if an operation failed because the peer has not announced what it needs.
bool is_unsupported(const std::string& error);

// Sends `count` messages of this many octets to a partner that echoes, one after the other or all together, and
// receives their echoes.
Result<> make_requests(Requester& requester, unsigned count, std::size_t octets, bool parallel);

// Exchanges messages with another fabric_peer, so that the provider has its handshake, and knows its features.
Result<> get_acquainted(Requester& requester);

// Tells the peer to leave.
Result<> say_bye(Requester& requester);

}  // namespace wirelaw::lab
