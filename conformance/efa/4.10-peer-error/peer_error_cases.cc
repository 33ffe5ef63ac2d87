// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.10 of later documents: PEER_ERROR to and from an endpoint that has announced it.
#include <fmt/format.h>

#include "conformance/efa/4.10-peer-error/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/probes/read_offer.h"
#include "conformance/efa/roles.h"
#include "reference/efa/peer_error.h"

namespace wirelaw::efa {
namespace {

constexpr std::uint32_t kMissing = 0x00ab'cdef;

// Returns false if the case cannot continue.
bool meet_with_errors(ResponderProbe& responder) {
  responder.announce({Extra::rdma_read, Extra::delivery_complete, Extra::read_nack, Extra::peer_error});
  responder.meet();
  if (responder.ok() && !responder.peer_announces(Extra::peer_error))
    responder.skip("the responder does not announce PEER_ERROR");
  return responder.ok();
}

template <class AnyProbe>
void give_up(AnyProbe& probe, RefKind kind, std::uint32_t id, std::uint32_t prov_errno = cause::kGivenUp) {
  Packet packet = probe.answer(PacketType::peer_error);
  packet.op_id = id;
  packet.ref_kind = static_cast<std::uint32_t>(kind);
  packet.prov_errno = prov_errno;
  probe.send(packet);
}

bool is_end_of_read(const Received& one, std::uint32_t id) {
  return (one.is(PacketType::eor) || one.is(PacketType::read_nack)) ? one.packet.send_id == id
                                                                    : one.is(PacketType::peer_error);
}

// Sends a LONGREAD_RTM whose buffer no longer exists, and returns the answer, if any.
const Received* send_unreadable(ResponderProbe& responder) {
  ReadOffer offer(responder, sample_octets(20'000, 1), 1);
  const std::uint32_t send_id = responder.fresh_id();
  offer.withdraw();
  offer.send_message(responder.next_msg_id(), send_id, false);
  return responder.await([send_id](const Received& one) { return is_end_of_read(one, send_id); });
}

const CaseRow kRows[] = {
    {"peer-error/message-is-skipped",
     {&rule<"EFA-4.10-201">},
     "The responder continues after MSG_ID_SKIP for a message that is never sent, before and after the message that "
     "follows it.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (!meet_with_errors(responder)) return;
       give_up(responder, RefKind::msg_id_skip, responder.next_msg_id());
       responder.expect_echo(rule<"EFA-4.10-201">, sample_octets(100, 1), {}, "its message ID was skipped earlier");
       const std::uint32_t skipped = responder.next_msg_id();
       const OctetBuffer late = sample_octets(120, 2);
       for (const OctetBuffer& packet : responder.message_packets(responder.next_msg_id(), late, {}))
         responder.send_octets(packet);
       give_up(responder, RefKind::msg_id_skip, skipped);
       responder.expect_echoed(rule<"EFA-4.10-201">, late, "it came before the PEER_ERROR for the previous message");
     }),
     Service::echo},
    {"peer-error/message-is-given-up",
     {&rule<"EFA-4.10-201">},
     "The responder continues after MSG_ID for a medium message with one segment sent, OPE_INDEX for a long-CTS "
     "message, and MSG_ID_SKIP for the next.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (!meet_with_errors(responder)) return;
       const std::uint32_t medium = responder.next_msg_id();
       const auto segments =
           responder.message_packets(medium, sample_octets(3'000, 3), {.transfer = Transfer::medium, .segment = 1'000});
       responder.send_octets(segments.front());
       give_up(responder, RefKind::msg_id, medium);
       responder.expect_echo(rule<"EFA-4.10-201">, sample_octets(100, 4), {}, "after an abandoned medium message");
       const std::uint32_t send_id = responder.fresh_id();
       const auto request = responder.message_packets(responder.next_msg_id(), sample_octets(30'000, 5),
                                                      {.transfer = Transfer::long_cts}, send_id);
       responder.send_octets(request.front());
       const Received* const cts = responder.await(
           [send_id](const Received& one) { return one.is(PacketType::cts) && one.packet.send_id == send_id; });
       if (cts == nullptr) return responder.inconclusive("no CTS comes");
       give_up(responder, RefKind::ope_index, cts->packet.recv_id);
       responder.expect_echo(rule<"EFA-4.10-201">, sample_octets(100, 6), {}, "after an abandoned long message");
       give_up(responder, RefKind::msg_id_skip, responder.next_msg_id());
       responder.expect_echo(rule<"EFA-4.10-201">, sample_octets(100, 7), {}, "after a skipped message");
     }),
     Service::echo},
    {"peer-error/names-nothing",
     {&rule<"EFA-4.10-202">},
     "The responder keeps working after PEER_ERROR with an unknown op_id and with an unassigned ref_kind.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (!meet_with_errors(responder)) return;
       unsigned identity = 1;
       for (const std::uint32_t kind : {0u, 1u, 3u, 0xffff'ffffu}) {
         ResponderProbe peer(responder.run(), ++identity);
         if (!meet_with_errors(peer)) return;
         give_up(peer, RefKind{kind}, kind == 1 ? peer.first_msg_id() : kMissing);
         peer.settle();
         peer.expect_alive(rule<"EFA-4.10-202">, fmt::format("ref_kind {}", kind));
       }
     })},
    {"peer-error/unreadable-message",
     {&rule<"EFA-4.10-203">},
     "The responder answers a LONGREAD_RTM whose buffer is gone with PEER_ERROR.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (responder.ok() && responder.rdma() == nullptr) return responder.skip("the transport has no RDMA");
       if (!meet_with_errors(responder)) return;
       if (!responder.peer_announces(Extra::rdma_read))
         return responder.skip("the responder does not announce RDMA read");
       const Received* answer = send_unreadable(responder);
       if (answer == nullptr) answer = send_unreadable(responder);  // the first may have overtaken our HANDSHAKE
       if (answer != nullptr && answer->is(PacketType::read_nack))
         return responder.skip("the responder registers no memory for its reads");
       responder.require(rule<"EFA-4.10-203">, answer != nullptr && answer->is(PacketType::peer_error), "a PEER_ERROR",
                         to_text(answer));
       responder.settle();
     })},
    {"peer-error/not-announced",
     {&rule<"EFA-4.10-1">},
     "The responder sends no PEER_ERROR for an unreadable message to a requester that has not announced PEER_ERROR.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       meet_with_reads(responder);
       if (!responder.ok()) return;
       if (!responder.peer_announces(Extra::peer_error))
         return responder.skip("the responder does not announce PEER_ERROR");
       const Received* const answer = send_unreadable(responder);
       responder.require(rule<"EFA-4.10-1">, answer == nullptr || !answer->is(PacketType::peer_error), "no PEER_ERROR",
                         to_text(answer));
     })},
    {"peer-error/to-requester",
     {&rule<"EFA-4.10-221">},
     "The requester continues after its LONGREAD_RTM is answered with PEER_ERROR twice.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       requester.announce({Extra::rdma_read, Extra::read_nack, Extra::peer_error});
       const auto is_long_read = [](const Received& one) {
         return one.is(PacketType::longread_msgrtm) || one.is(PacketType::longread_tagrtm);
       };
       requester.leave(is_long_read);
       requester.trigger({.octets = 32, .count = 1});
       const Received* const request = requester.serve_until(is_long_read);
       if (request == nullptr) return requester.skip("the requester sends no message that is fetched by RDMA reads");
       if (!requester.peer_announces(Extra::peer_error))
         return requester.skip("the requester does not announce PEER_ERROR");
       for (unsigned times = 0; times < 2; ++times)
         give_up(requester, RefKind::ope_index, request->packet.send_id, cause::kBadAddress);
       requester.settle();
       requester.expect_new_start(rule<"EFA-4.10-221">);
     })},
};

}  // namespace

std::vector<Case> peer_error_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
