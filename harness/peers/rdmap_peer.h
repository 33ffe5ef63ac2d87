// SPDX-License-Identifier: Apache-2.0
// The reference's RDMAP endpoint as a peer, in either role. Cases and other peers can foresee what its application
// does.
//
// The responder, on each connection separately:
//   - accepts in revision 1 and 2, and advertises five buffers in the private data of its reply (the format is in
//     reference/rdmap/advertisement.h), in this order. Each has kBufferOctets octets, except the fourth. All except the
//     fifth are associated with this connection alone:
//       0  the peer may read and write; zeros at first
//       1  the peer may only read; octet i is i + i / 256, modulo 256
//       2  the peer may only write; zeros at first
//       3  no octets; the peer may read and write what is not there
//       4  one memory by one STag for all connections, which may read and write it; zeros at first
//     A buffer that a Send with Invalidate invalidated stays so; the STag that all share is never invalidated.
//   - has kReceives receives posted, of kReceiveOctets octets each. It posts a consumed receive again once the echo
//     has been handed to the transport: so many Sends may be in progress at once.
//   - answers each Send with a Send of the same octets, solicited if the Send was solicited, and never with an
//     invalidation. With the application `count`, it answers one that begins with kCountRequest as
//     conformance/case.h describes; with `none` it answers no Send.
//   - with the feature rfc7306, answers immediate data with the same, and lets the peer perform atomic operations on
//     the first buffer and the fifth.
//   - closes its direction when the peer has closed its own.
//
// The initiator, on each connection that it was triggered for:
//   - requests enhanced set-up, peer to peer, and advertises one buffer of kBufferOctets octets, which the peer may
//     read and write, in the private data of its request. If the connection is closed without an answer, it tries
//     again with revision 1, on a new one.
//   - has kReceives receives posted.
//   - does `count` rounds, one after the other, or up to kReceives at once if they are to be parallel. A round is an
//     RDMA Write, a Send and an RDMA Read, in this order. The Write and the Read access the beginning of the buffer
//     that the reply advertises first, as many octets as the trigger asks for and as there are. Without an
//     advertisement there is only the Send. The Send has as many octets as the trigger asks for, up to kReceiveOctets.
//     The round is done with the echo of the Send and the completion of the Read. It has failed if either has other
//     octets, or nothing arrives for kRoundTime.
//   - closes its direction after the last round, or after one that failed.
//
// Settings, for both roles: "no-crc" requests no CRCs, "markers" requests markers, "unenhanced" does not have enhanced
// set-up, and requests none. For a responder: "needs-reads" rejects an initiator that offers an IRD of 0. For an
// initiator: "extended", with the feature rfc7306, ends each round with a FetchAdd of zero to the advertised buffer and
// with immediate data, which the round does not wait for.
//
// With the setting "verbs" each connection is a queue pair of a device in memory, which a case may drive itself
// (conformance/verbs.h). Above those that no case drives is the application of harness/peers/verbs/application.h.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/peers/reference_peers.h"

namespace wirelaw::rdmap {

inline constexpr std::string_view kVerbsSetting = "verbs";
inline constexpr std::string_view kStatelessSetting = "stateless";  // reports no state of a queue pair
inline constexpr std::size_t kBufferOctets = 24'576;  // three of them for each of 1,024 connections: 72 MiB
inline constexpr std::size_t kReceives = 16;
inline constexpr std::size_t kReceiveOctets = 65'536;
inline constexpr Instant kRoundTime = std::chrono::seconds(5);

tl::expected<MakePeer, std::string> peer_maker(const PeerOptions& options);
std::vector<DeviationName> deviation_names();

extern const ReferencePeer kReferencePeer;

}  // namespace wirelaw::rdmap
