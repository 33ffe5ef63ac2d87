// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.8 of later documents: a receiver with a user receive QP, tested with a requester that supports them.
#include "conformance/efa/4.8-user-recv-qp/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

// A HANDSHAKE with the number and the key of a queue pair for application buffers.
void announce_user_recv_qp(RequesterProbe& requester) {
  Packet packet = requester.answer(PacketType::handshake);
  packet.flags |= flag::kUserRecvQp;
  packet.nextra_p3 = 4;
  packet.user_recv_qpn = 0x0077;
  packet.user_recv_qkey = 0xb0b1'b2b4;
  OctetBuffer extra_info;
  Writer(extra_info).little_endian(extra_bits({Extra::user_recv_qp}));
  packet.extra_info = extra_info;
  requester.send(packet);
}

// No field declares which document the sender follows, but the announced IDs show it.
bool knows_user_recv_qps(const Probe& peer) {
  constexpr Extra kLater[] = {Extra::user_recv_qp, Extra::unsolicited_write_recv, Extra::peer_error};
  return std::ranges::any_of(kLater, [&](Extra extra) { return peer.peer_announces(extra); });
}

const CaseRow kRows[] = {
    {"user-recv-qp/no-message-beside-it",
     {&rule<"EFA-4.8-3">},
     "After the responder announces a user receive QP, the requester sends no further message to the default queue "
     "pair.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       requester.handshake_by_hand();
       const WholeMessage message = requester.first_message();
       if (!requester.ok()) return;
       announce_user_recv_qp(requester);
       requester.listen();  // SRD keeps no order, so wait until it has arrived
       requester.echo(message);
       const auto is_message = [](const Received& one) {
         return is_request(one) && one.packet.layout()->purpose == Purpose::message;
       };
       const std::size_t before = requester.count(is_message);
       requester.listen();
       if (!requester.ok()) return;
       if (!knows_user_recv_qps(requester))
         return requester.skip("the requester announces nothing from the documents that have user receive QPs");
       requester.require(rule<"EFA-4.8-3">, requester.count(is_message) == before,
                         "no message on the default queue pair", "another message");
     })},
};

}  // namespace

std::vector<Case> user_recv_qp_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
