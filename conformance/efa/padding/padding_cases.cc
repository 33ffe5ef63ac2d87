// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4: padding and reserved octets of all sections, which deployed senders leave uninitialised.
#include <fmt/format.h>

#include "conformance/efa/padding/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

constexpr std::uint32_t kFilling = 0x5a5a'5a5a;

// A message whose raw address has filled padding.
void expect_taken(ResponderProbe& peer) {
  RawAddress address = peer.identity().address;
  address.pad = 0x5a5a;
  address.reserved = 0x5a5a'5a5a'5a5a'5a5a;
  OctetBuffer octets;
  encode(address, octets);
  octets.resize(36, 0x5a);
  const OctetBuffer message = text("from a filled address");
  Packet packet = peer.request(PacketType::eager_msgrtm);
  packet.raw_address = octets;
  packet.msg_id = peer.next_msg_id();
  packet.payload = message;
  peer.send(packet);
  peer.expect_echoed(rule<"EFA-3.1-205">, message);
}

// The requester must continue after an answer to this request whose padding is not zero.
CaseRow in_answers_to(PacketType type, std::string_view id, std::string_view purpose) {
  return {id, {&rule<"EFA-3.2-285">}, purpose, with<RequesterProbe>([type](RequesterProbe& requester) {
            requester.leave([type](const Received& one) { return one.is(type); });
            requester.trigger({.octets = 64, .count = 1});
            const Received* const request = requester.need(type);
            if (request == nullptr) return;
            const std::size_t before = requester.requests();
            requester.leave({});
            requester.fills_padding = true;
            requester.intake().take(*request);
            requester.await_until(requester.in(2 * requester.run().answer_time()),
                                  [&] { return requester.requests() > before; });
            requester.require(rule<"EFA-3.2-285">, requester.requests() > before,
                              "the requester accepts the answer and continues", "no further request");
          })};
}

const CaseRow kRows[] = {
    {"padding/of-requests",
     {&rule<"EFA-3.1-205">},
     "The responder ignores nonzero padding in a raw address, a SHORT_RTR and a WRITE_RTA.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(64);
       expect_taken(responder);
       responder.await_handshake();
       responder.prepare(0, OctetBuffer(8));
       OctetBuffer value = sample_octets(8, 1);
       Packet write = responder.atomic_request({AtomicCall::write, AtomicOp::atomic_write, Datatype::uint64, value, {}},
                                               {responder.part(0, 8)}, 0);
       write.padding = kFilling;
       responder.send(write);
       responder.expect_memory(rule<"EFA-3.1-205">, 0, value, "WRITE_RTA");
       Packet read = responder.one_sided(PacketType::short_rtr, {responder.part(0, 8)});
       read.recv_id = responder.fresh_id();
       read.padding = kFilling;
       responder.send(read);
       const Received* const response = responder.await([id = read.recv_id](const Received& one) {
         return one.is(PacketType::readrsp) && (one.packet.recv_id == id || one.packet.send_id == id);
       });
       responder.require(rule<"EFA-3.1-205">,
                         response != nullptr && std::ranges::equal(response->packet.payload, value), size_of(value),
                         response == nullptr ? "no READRSP" : size_of(response->packet.payload), "SHORT_RTR");
     }),
     Service::echo},
    {"padding/of-cts-and-ctsdata",
     {&rule<"EFA-3.2-285">},
     "The responder ignores nonzero padding in HANDSHAKE, CTSDATA and CTS of a long message and its echo.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.fills_padding = true;
       responder.meet();
       const OctetBuffer message = sample_octets(90'000, 1);
       const std::uint32_t send_id = responder.fresh_id();
       responder.send_octets(
           responder.message_packets(responder.next_msg_id(), message, {.transfer = Transfer::long_cts}, send_id)[0]);
       for (std::size_t sent = 0; sent < message.size();) {
         const Received* const cts = responder.await(
             [send_id](const Received& one) { return one.is(PacketType::cts) && one.packet.send_id == send_id; });
         responder.require(rule<"EFA-3.2-285">, cts != nullptr, "a CTS", "none");
         if (cts == nullptr) return;
         const std::size_t end = sent + std::min<std::size_t>(cts->packet.recv_length, message.size() - sent);
         while (sent < end) {
           Packet data = packet_of(PacketType::ctsdata);
           data.flags |= flag::kConnid;
           data.connid = responder.connid();
           data.connid_padding = kFilling;
           data.recv_id = cts->packet.recv_id;
           data.seg_offset = sent;
           data.seg_length = std::min<std::size_t>(end - sent, 5'000);
           data.payload = Octets(message).subspan(sent, static_cast<std::size_t>(data.seg_length));
           responder.send(data);
           sent += static_cast<std::size_t>(data.seg_length);
         }
       }
       responder.expect_echoed(rule<"EFA-3.2-285">, message);
     }),
     Service::echo},
    in_answers_to(PacketType::short_rtr, "padding/of-readrsp-to-requester",
                  "The requester ignores nonzero octets in place of the connid in the READRSP to a short read."),
    in_answers_to(PacketType::fetch_rta, "padding/of-atomrsp-to-requester",
                  "The requester ignores nonzero octets in place of the connid and in `reserved` in the ATOMRSP to a "
                  "fetching atomic."),
    in_answers_to(PacketType::longcts_rtw, "padding/of-cts-to-requester",
                  "The requester ignores nonzero octets in place of the connid in the CTS of a long-CTS write."),
};

}  // namespace

std::vector<Case> padding_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
