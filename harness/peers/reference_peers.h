// SPDX-License-Identifier: Apache-2.0
// The reference endpoints as peers, by protocol: each has its kReferencePeer (conformance/protocols.inc).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/case.h"
#include "conformance/protocol.h"
#include "conformance/rule.h"
#include "harness/control/channel.h"
#include "harness/environment.h"
#include "harness/peers/peer.h"

namespace wirelaw {

struct PeerOptions {
  Role role = Role::responder;
  Service application = Service::echo;       // for a responder
  std::vector<std::string> deviations = {};  // by name
  std::vector<std::string> features = {};    // features to use, from Protocol::features
  std::vector<std::string> settings = {};    // choices that the protocol leaves open, by name; see each peer
  IutParameters parameters = {};             // from ReferencePeer::parameters
  bool rdma = false;                         // the transport has it
  std::string revision = {};                 // the revision that it follows, from Protocol::revisions; empty: the first
};

// A deliberate fault that a reference endpoint can commit.
struct DeviationName {
  std::string_view name;
  Role role;  // the role that can commit it
  std::string_view text;
};

struct ReferencePeer {
  std::string_view protocol;
  // The maker of peers, for any seed. The error is one line for the user.
  tl::expected<MakePeer, std::string> (*maker)(const PeerOptions& options);
  std::vector<DeviationName> (*deviations)();
  std::span<const Feature> parameters = {};  // settings that a user may choose in its URI
  // Returns values that a user must declare for such a peer in its URI, because cases cannot discover them. nullptr:
  // none.
  IutParameters (*offers)(const PeerOptions& options) = nullptr;
  // Makes the handle with which a case drives the application of such a peer in another process. nullptr: not possible.
  control::MakeRemote remote = nullptr;
  bool datagrams_beside = false;    // over TCP it is served over UDP as well, at the same port
  bool begins_over_stream = false;  // an initiator needs TCP, whatever else it sends in datagrams
};

std::span<const ReferencePeer* const> reference_peers();  // The reference peers of all protocols.
IutParameters offers_of(const ReferencePeer& peer, const PeerOptions& options);
const ReferencePeer* find_reference_peer(std::string_view protocol);  // nullptr if there is none

}  // namespace wirelaw
