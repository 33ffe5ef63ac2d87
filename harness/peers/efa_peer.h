// SPDX-License-Identifier: Apache-2.0
// The reference's EFA RDM endpoint as a peer. Cases and other peers can foresee what its application does. A peer in
// the responder's role is a requester too, as soon as it answers a message with another.
//
// Its address (1.4): its GID is its IPv6 address, or its IPv4 address mapped into IPv6, and its QPN its UDP port. A
// peer that listens at every address of its machine cannot know it: let it listen at the address at which its peers
// reach it.
//
// Announced features (2.1): delivery complete, connid in headers, runting read, read nack; and each extra feature and
// request in its configuration (PeerOptions::features, named as in reference/efa/capability.h). If the transport has no
// RDMA it registers nothing: it answers a long read with READ_NACK, and its own long transfers go as long-CTS.
//
// Document revision (PeerOptions::revision): by default 2023-10. A peer that follows 2.6 or main counts the features of
// their baseline as those of every peer. A peer that follows main announces peer_error and has the HMEM block.
//
// The responder:
//   - has kReceives receives posted for messages, and as many for tagged ones with any tag, or with that of its
//     parameter `tag`. Each has kReceiveOctets octets, or what its parameter `receive` sets.
//   - answers each message with a message to its sender with the same octets, tag and CQ data, by the subprotocol that
//     fits their size. With the application `count`, it answers a message that begins with kCountRequest as
//     conformance/case.h describes; with `none` it answers nothing. It does not answer a longer message.
//   - answers a write with CQ data with an empty message, untagged, with the same CQ data, unless its application is
//     `none`.
//   - lets every peer read, write and change the region of reference/efa/offered_region.h by requests and, if it is
//     announced and available, by RDMA: kOfferedRegion, or what its parameters set.
//
// The requester, for each peer that it was triggered for:
//   - sends `count` messages of as many octets as the trigger asks for, one after the other, or all at once if they are
//     to be parallel, and waits for their echoes. It sends the first before it knows anything about its peer.
//   - then exercises every subprotocol that both sides have (kSubprotocols in efa_requester.cc): messages tagged and
//     untagged, writes that it reads back, reads, and atomics that it reads back. Each uses a different part of the
//     peer's region. It leaves out what a peer has not announced.
//   - gives up at the first that fails, has a wrong result, or makes no progress for kStepTime.
//   - offers the same region as the responder.
//
// Parameters of a URI, for both roles: addr, key and length of the region (for the requester: of its peer's region;
// length 0: it has none), mtu, msg_id; for the responder: tag, receive.
//
// Settings: "messages-only": the requester does nothing else; "no-registrations": it can register no memory for RDMA,
// so that it answers long reads with READ_NACK; "late-receives": the application posts its receives when kLateness has
// passed since it had the first to post, so that messages arrive before them; "all-blocks": its HANDSHAKE has every
// optional field (2.1.1).
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/peers/reference_peers.h"

namespace wirelaw::efa {

inline constexpr std::size_t kReceives = 64;
inline constexpr std::size_t kReceiveOctets = std::size_t{1} << 20;
inline constexpr Instant kStepTime = std::chrono::seconds(5);
inline constexpr Instant kLateness = std::chrono::milliseconds(1);

inline constexpr Feature kPeerParameters[] = {
    {"addr", "The address of the region that peers may read and write; 0 where nothing is said"},
    {"key", "Its key; 0x57495245 where nothing is said"},
    {"length", "The number of its octets; 1048576 where nothing is said"},
    {"mtu", "The most octets of a packet, 512 to 65507; 8928 where nothing is said"},
    {"msg_id", "The first message ID of either direction; 0 where nothing is said"},
    {"receive", "The octets of each of a responder's receives; 1048576 where nothing is said"},
    {"tag", "The only tag that a responder's application receives; any where nothing is said"},
};

tl::expected<MakePeer, std::string> peer_maker(const PeerOptions& options);
std::vector<DeviationName> deviation_names();
// Returns the responder's region, and the other values that its parameters set.
IutParameters offers(const PeerOptions& options);

extern const ReferencePeer kReferencePeer;

}  // namespace wirelaw::efa
