// SPDX-License-Identifier: Apache-2.0
// The state of one of the two endpoints of a flow, as its packets show it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "conformance/efa/tracker/document.h"
#include "conformance/efa/tracker/exchange.h"
#include "conformance/efa/tracker/message_ids.h"
#include "conformance/efa/tracker/recent.h"
#include "conformance/efa/tracker/seen.h"
#include "reference/efa/capability.h"
#include "reference/efa/raw_address.h"

namespace wirelaw::efa {

// What lasts when the two endpoints meet again (EFA/A-87).
struct LastingParty {
  // --- all that it has sent
  std::uint64_t packets = 0;
  std::optional<Mark> first;          // its first packet
  std::optional<Mark> first_request;  // its first REQ packet
  std::optional<Mark> last_answer;    // its latest packet other than a REQ: it had read earlier packets by then
  std::uint64_t others_at_first = 0;  // packets that the OTHER side had sent by its first
  bool network_order = false;         // it sends big-endian integers: nothing from it is judged
  Mark latest;                        // its latest packet

  // --- identity (1.4, 4.4)
  std::optional<std::uint32_t> connid;         // from the first packet that contains one
  std::optional<std::uint32_t> former_connid;  // connid of the endpoint that it has replaced (4.4)
  bool uses_connid = false;                    // has set CONNID_HDR
  std::optional<RawAddress> raw_address;       // from its first raw address header
  // Answers from this side with another connid, kept until a HANDSHAKE or a raw address with that connid shows that
  // another endpoint has replaced it (4.4). SRD keeps no order, so later packets may come first.
  struct AheadOfNewcomer {
    Mark mark;
    OctetRange where;
    std::uint32_t connid = 0;
  };
  static constexpr std::size_t kMostAhead = 64;  // limit on the answers kept for reports
  std::vector<AheadOfNewcomer> ahead_of_newcomer;
  bool is_ahead_with(std::uint32_t newer) const {
    return std::ranges::find(ahead_of_newcomer, newer, &AheadOfNewcomer::connid) != ahead_of_newcomer.end();
  }

  // --- the readings of its packets
  std::uint8_t medium_readings =
      kSegmentRead | kTotalRead;  // meanings of a medium's seg_length that it may still use (EFA/A-03)
  // Which of two readings its packets have, once one of them could have no other.
  Reading readrsp = Reading::open;      // order of the two IDs in a READRSP (EFA/A-02)
  Reading runt_length = Reading::open;  // meaning of runt_length (EFA/A-04)

  Document document;  // the document that it follows
  RecentPackets recent;
};

struct Party : LastingParty {
  // --- the handshake (2.1): of its first HANDSHAKE
  std::optional<Mark> handshake;
  std::uint64_t handshakes = 0;
  std::uint64_t handshake_digest = 0;      // hash of the octets of its first HANDSHAKE
  bool extras_known = false;               // extra_info could be read
  std::uint64_t extra_info = 0;            // the first word: bits by ID (capability.h)
  bool has_user_recv_qp = false;           // it announces a user receive QP (4.8 of later documents)
  std::uint64_t packets_at_handshake = 0;  // packets that the OTHER side had sent by then
  // It has processed the HANDSHAKE of the OTHER side. A cache of TraceState::knows_handshake(), which is called for
  // every packet and never turns false again.
  mutable bool knows_handshake = false;

  // --- meeting again (EFA/A-87)
  std::optional<Mark> greeted_again;  // its latest HANDSHAKE after the first
  std::uint64_t latest_ordered = 0;   // index of its latest packet with a message ID
  bool stopped_addresses = false;     // it has sent a REQ without raw address

  // --- what it did before the other side's HANDSHAKE, judged when that comes: the first of each kind
  struct Early {
    Mark mark;
    const Layout* layout = nullptr;
    bool first = false;        // first packet in its message order, or without a msg_id
    std::uint64_t others = 0;  // packets that the OTHER side had sent by then
  };
  bool early_judged = false;
  std::optional<Early> early_extra;     // a REQ that uses an extra feature (2.1)
  std::optional<Early> early_baseline;  // same, for a feature that is baseline in later documents (EFA/A-90)
  std::optional<Early> bare_request;    // a REQ without raw address header (2.2)

  // --- raw addresses after that HANDSHAKE (2.2): msg_id gives the order of sending. For messages and for atomics,
  // which may be counted separately: the earliest ID without a raw address, and the latest with one.
  struct Addressed {
    std::optional<std::uint32_t> without;
    std::optional<std::uint32_t> with;
    Mark with_mark;
  };
  std::array<Addressed, 2> addressed;

  std::optional<std::size_t> eager_header;  // header octets of its latest EAGER_MSGRTM, without CQ data (4.3)
  bool keeps_header = false;                // it has kept that length long after the other side asked for it

  // --- receive operations of CTS packets whose send operation is not known (3.2): the latest. The other side may know
  // it.
  static constexpr std::size_t kMostStrays = 64;
  std::deque<std::uint32_t> stray_grants;
  bool strays_forgotten = false;
  void note_stray_grant(std::uint32_t operation) {
    if (stray_grants.size() == kMostStrays) {
      stray_grants.pop_front();
      strays_forgotten = true;
    }
    stray_grants.push_back(operation);
  }

  // --- the messages that it sends (3.2)
  MessageIds message_ids;       // IDs of its RTM and RTA packets
  MessageIds rtm_ids, rta_ids;  // one for each kind: it may count them separately (EFA/A-19)
  MessageIds& ids_of(Purpose kind) { return kind == Purpose::atomic ? rta_ids : rtm_ids; }
  std::optional<Mark> first_message_id;  // the first packet with one
  // If the flow was not seen from its start, only packets with later IDs are certain to have been sent after that.
  std::optional<std::uint32_t> complete_from;
  std::optional<Mark> skipped;  // its latest packet that left IDs out
  // The connid of its packets with message IDs, and whether all have had the same one. `id_before_peer` is the newest
  // such ID when the other side first showed its connid (presence.cc).
  std::optional<std::uint32_t> connid_with_ids;
  bool has_one_connid = true;
  std::optional<std::uint32_t> shown_connid;  // the latest connid in any of its packets
  std::optional<std::uint32_t> id_before_peer;
  bool repeats_id = false;            // its latest packet with a message ID has been reported for it
  bool refused_out_of_state = false;  // it was sent a READ_NACK that names no request of this side
  bool counts_anew = false;           // its peer has shown two connids, so it may have started new IDs
  // Number of HANDSHAKEs that it must still send before it is known to have met the endpoint that replaced its peer.
  // One may be for the previous endpoint.
  unsigned handshakes_owed = 0;

  // --- later documents
  struct GivenUp {
    std::uint32_t msg_id = 0;
    Mark mark;             // the packet that gives it up
    OctetRange where;      // the op_id in that packet
    bool awaited = false;  // a packet of the message may still arrive, overtaken by the PEER_ERROR
  };
  std::vector<GivenUp> given_up;  // message IDs that it has given up by PEER_ERROR (4.10)
  struct RefusedWrite {
    Mark refused;              // the READ_NACK that refused it
    std::uint64_t target = 0;  // hash of rma_iov
  };
  std::vector<RefusedWrite> refused_writes;  // writes that have not been sent again (4.7)

  std::optional<Mark> silent_atomic;     // its latest WRITE_RTA, or DC_WRITE_RTA
  std::uint64_t unanswered_atomics = 0;  // FETCH_RTA and COMPARE_RTA that have no ATOMRSP yet

  bool announced(Extra extra) const { return (extra_info >> static_cast<unsigned>(extra) & 1) != 0; }

  // The same endpoint meets the other side as if for the first time (EFA/A-87). `greeted`: its new HANDSHAKE has come.
  void meet_again(bool greeted);
};

}  // namespace wirelaw::efa
