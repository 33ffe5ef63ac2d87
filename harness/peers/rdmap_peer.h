// SPDX-License-Identifier: Apache-2.0
// The RDMAP endpoint of the reference as a peer, in either role, with an application of which cases and other peers can
// foresee what it does.
//
// The responder, on each connection by itself:
//   - accepts in revision 1 and 2, and advertises five buffers in the private data of its reply (the format is in
//     reference/rdmap/advertisement.h), in this order, each of kBufferOctets octets but the fourth; those but the fifth
//     are associated with this connection alone:
//       0  the peer may read and write; zeros at first
//       1  the peer may only read; octet i is i + i / 256, modulo 256
//       2  the peer may only write; zeros at first
//       3  of no octets; the peer may read and write what is not there
//       4  one memory by one STag for all connections, which may read and write it; zeros at first
//     What a Send with Invalidate invalidates stays invalid; the STag that all share is never invalidated.
//   - has kReceives receives posted, of kReceiveOctets octets each. A receive that was consumed is posted again once
//     its echo has been handed to the transport: so many Sends may be under way at once.
//   - answers each Send by a Send of the same octets, solicited where it was solicited, and never with an
//     invalidation. With the application `count`, one that begins with kCountRequest is answered as
//     conformance/case.h describes; with `none` no Send is answered.
//   - with the feature rfc7306, answers immediate data by the same, and lets the peer perform atomic operations on the
//     first buffer and the fifth.
//   - closes its direction when the peer has closed its own.
//
// The initiator, on each connection that it was triggered for:
//   - asks for enhanced set-up, peer to peer, and advertises one buffer, of kBufferOctets octets, that the peer may
//   read
//     and write, in the private data of its request. Where the connection is closed without an answer it tries again
//     with revision 1, on a new one.
//   - has kReceives receives posted.
//   - does `count` rounds, one after the other, or up to kReceives at once if they are to be parallel. A round is an
//     RDMA Write, a Send and an RDMA Read, in this order: the Write and the Read of the beginning of the buffer that
//     the reply advertises first, as many octets as the trigger asks for and as there are; without an advertisement the
//     Send alone. The Send has as many octets as the trigger asks for, up to kReceiveOctets. The round is done with the
//     echo of the Send and the completion of the Read, and has failed where either has other octets, or nothing comes
//     for kRoundTime.
//   - closes its direction after the last round, or after one that failed.
//
// Settings, of either role: "no-crc" asks for no CRCs, "markers" asks for markers, "unenhanced" does not have
// enhanced set-up, and asks for none. Of a responder: "needs-reads" rejects an initiator that offers an IRD of 0. Of an
// initiator: "extended", with the feature rfc7306, ends each round with a FetchAdd of zero to the buffer advertised and
// with immediate data, which the round does not wait for.
//
// With the setting "verbs" each connection is a queue pair of a device in memory, which a case may drive itself
// (conformance/verbs.h); above those that none does is the application of harness/peers/verbs/application.h.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/peers/reference_peers.h"

namespace wirelaw::rdmap {

inline constexpr std::string_view kVerbsSetting = "verbs";
inline constexpr std::string_view kStatelessSetting = "stateless";  // with it: no state of a queue pair is reported
inline constexpr std::size_t kBufferOctets = 24'576;  // three of them for each of 1,024 connections: 72 MiB
inline constexpr std::size_t kReceives = 16;
inline constexpr std::size_t kReceiveOctets = 65'536;
inline constexpr Instant kRoundTime = std::chrono::seconds(5);

tl::expected<MakePeer, std::string> peer_maker(const PeerOptions& options);
std::vector<DeviationName> deviation_names();

extern const ReferencePeer kReferencePeer;

}  // namespace wirelaw::rdmap
