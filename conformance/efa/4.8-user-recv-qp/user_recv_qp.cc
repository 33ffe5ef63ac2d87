// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, later documents: the rules of 2.1, 4.8 and 4.9 for the HANDSHAKE of an endpoint that follows them.
#include "conformance/efa/4.8-user-recv-qp/user_recv_qp.h"

#include "conformance/efa/2.1-handshake/rules.h"
#include "conformance/efa/4.8-user-recv-qp/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

// Bits 7 and 8 were defined before 2.6, so they do not show that the endpoint follows 2.6 (EFA/A-91).
bool is_of_2_6(Revisions document) {
  return document.has(document.said ? Revision::v2_6 : Revision::main);
}

void check_announcements(Judge& judge, const SeenPacket& seen, std::uint64_t extras) {
  const std::uint64_t wanted = baseline_of(Revision::v2_6);
  advise(judge, rule<"EFA-2.1-30">, (extras & wanted) == wanted, seen, Field::extra_info, expected(hex(wanted)),
         actual(hex(extras & wanted)), "peers of 2.0 do not use what they do not see there");
  constexpr std::uint64_t kLegacy = extra_bits({Extra::constant_header_length, Extra::user_recv_qp});
  advise(judge, rule<"EFA-4.8-2">, (extras & kLegacy) == 0, seen, Field::extra_info, expected("bits 2 and 7 clear"),
         actual(hex(extras)), "legacy since 2.6");
}

}  // namespace

void check_later_handshake(Judge& judge, const SeenPacket& seen, Revisions document) {
  const Packet& packet = seen.packet;
  if (packet.extra_info.size() < layout::kExtraInfo || !document.has(Revision::v2_6)) return;
  const auto extras = load_little_endian<std::uint64_t>(packet.extra_info.data());
  if (is_of_2_6(document)) check_announcements(judge, seen, extras);
  const bool announced = announces(packet.extra_info, Extra::user_recv_qp);
  if (announced || packet.has(flag::kUserRecvQp))
    require(judge, rule<"EFA-4.8-1">, announced && packet.has(flag::kUserRecvQp), seen, Field::flags,
            expected(announced ? "HANDSHAKE_USER_RECV_QP_HDR" : "no user receive QP"), actual(hex(packet.flags)),
            announced ? "ID 7 is announced: peers wait for the queue pair to send to" : "ID 7 is not announced");
  // Octets follow the last block, so one block may be in another's place.
  if (document.has(Revision::main) && packet.has(flag::kHmem) && seen.payload_octets() == 0)
    require(judge, rule<"EFA-2.1-31">, packet.p2p_supported <= 1, seen, Field::p2p_supported, expected("0 or 1"),
            actual(packet.p2p_supported));
}

void check_queue_pair(Judge& judge, const SeenPacket& seen, const QueuePairFact& fact) {
  judge.require(rule<"EFA-4.8-3">, seen.layout.purpose != Purpose::message, octets(0, 1), expected("no message here"),
                actual(seen.layout.name), [&] {
                  return fmt::format("the peer's HANDSHAKE, message {}, has a user receive QP, where its messages go",
                                     fact.handshake + 1);
                });
}

}  // namespace wirelaw::efa
