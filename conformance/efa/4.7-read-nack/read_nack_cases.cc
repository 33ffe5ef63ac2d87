// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.7: a receiver that cannot register memory refuses to read, and the sender continues the message by
// long-CTS.
#include <fmt/format.h>

#include "conformance/efa/2.1-extra-features/rules.h"
#include "conformance/efa/4.7-read-nack/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/probes/driven.h"
#include "conformance/efa/probes/read_offer.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

constexpr std::string_view kNoNack = "the requester does not announce READ_NACK";

// Skips the case if none comes.
bool await_nack(ResponderProbe& responder, std::uint32_t send_id) {
  const Received* const nack = responder.await([send_id](const Received& one) {
    return (one.is(PacketType::read_nack) || one.is(PacketType::eor)) && one.packet.send_id == send_id;
  });
  if (nack != nullptr && nack->is(PacketType::read_nack)) return true;
  responder.skip("the responder registers memory for its reads and refuses none");
  return false;
}

// Sends by long-CTS, from `offset` on, the data that the responder has refused to read.
void go_on_by_long_cts(ResponderProbe& responder, Octets data, std::uint32_t msg_id, std::uint32_t send_id,
                       std::uint64_t offset) {
  if (!await_nack(responder, send_id)) return;
  Packet packet = ReadOffer::message(responder, PacketType::longcts_msgrtm, data.size());
  packet.flags |= flag::kReadNack;
  packet.msg_id = msg_id;
  packet.send_id = send_id;
  packet.credit_request = 64;
  responder.send(packet);
  while (offset < data.size() && responder.ok()) {
    const Received* const cts = responder.await(
        [send_id](const Received& one) { return one.is(PacketType::cts) && one.packet.send_id == send_id; });
    responder.require(rule<"EFA-4.7-201">, cts != nullptr, "a CTS", "none");
    if (cts == nullptr) return;
    const std::uint64_t end = offset + std::min<std::uint64_t>(cts->packet.recv_length, data.size() - offset);
    while (offset < end) {
      Packet part = responder.peer_announces(Extra::connid_header) ? responder.answer(PacketType::ctsdata)
                                                                   : packet_of(PacketType::ctsdata);
      part.recv_id = cts->packet.recv_id;
      part.seg_offset = offset;
      part.seg_length = std::min<std::uint64_t>(4'000, end - offset);
      part.payload = data.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(part.seg_length));
      responder.send(part);
      offset += part.seg_length;
    }
  }
  responder.expect_echoed(rule<"EFA-4.7-201">, data);
}

// Required by EFA/A-17 for the documents from 2.6 on. The document of 2023-10 does not mention it.
void write_comes_again(DrivenRequester& peer) {
  const auto is_write_by = [](Transfer transfer) {
    return [transfer](const Received& one) {
      return is_request(one) && one.packet.layout()->purpose == Purpose::write &&
             one.packet.layout()->transfer == transfer;
    };
  };
  peer.announce({Extra::rdma_read, Extra::runting_read, Extra::read_nack});
  peer.intake().refuses_reads = true;
  peer.meet();
  const OctetBuffer data = sample_octets(kLent.len);
  peer.app.post(fabric::Write{.context = 1, .data = data, .to = kLent});
  const Received* const refused = peer.serve_until(is_write_by(Transfer::long_read));
  if (!peer.ok()) return;
  if (refused == nullptr) return peer.skip("the application's provider sends no LONGREAD_RTW for a write of 1 MiB");
  if (!peer.peer_announces(Extra::read_nack)) return peer.skip(kNoNack);
  const Rule& demand = rule<"EFA-4.7-30">;
  const Received* const again = peer.find(peer.in(peer.run().answer_time()), is_write_by(Transfer::long_cts));
  constexpr std::string_view kMayBeGivenUp =
      "the document of 2023-10 allows no refusal of a write, and a write may be abandoned";
  if (!peer.advise(demand, again != nullptr, "a LONGCTS_RTW to the same buffer", "none", kMayBeGivenUp)) return;
  if (!peer.app.completion_of(1)) return;
  peer.listen();  // a write completes when its octets are sent; they may not have arrived
  const OctetBuffer there = peer.intake().memory().read(kLent.addr, data.size());
  peer.advise(demand, there == data, "the octets of the refused write", difference(data, there));
}

const CaseRow kRows[] = {
    {"read-nack/long-read",
     {&rule<"EFA-4.7-201">, &rule<"EFA-4.7-3">},
     "The responder accepts a refused LONGREAD_RTM that continues by long-CTS.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       meet_with_reads(responder);
       if (!responder.ok()) return;
       ReadOffer offer(responder, sample_octets(20'000, 1), 1);
       const std::uint32_t msg_id = responder.next_msg_id(), send_id = responder.fresh_id();
       offer.send_message(msg_id, send_id, false);
       go_on_by_long_cts(responder, offer.data(), msg_id, send_id, 0);
     }),
     Service::echo},
    {"read-nack/runting-read",
     {&rule<"EFA-4.7-201">, &rule<"EFA-4.7-3">, &rule<"EFA-4.7-4">},
     "The responder accepts a refused runting message that continues by long-CTS after the octets in its packets.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (!meet_with_runting_reads(responder)) return;
       ReadOffer offer(responder, sample_octets(20'000, 1), 1);
       const std::uint32_t msg_id = responder.next_msg_id(), send_id = responder.fresh_id();
       const auto packets = offer.runting_packets(msg_id, send_id, 2'500, 1'000, false);
       for (const OctetBuffer& packet : packets) responder.send_octets(packet);
       go_on_by_long_cts(responder, offer.data(), msg_id, send_id, 2'500);
     }),
     Service::echo},
    {"read-nack/another-request-follows",
     {&rule<"EFA-4.7-202">},
     "The responder keeps working after a LONGCTS_RTM without bit 13, with data, with another msg_length, tagged, or "
     "with a new msg_id.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       const OctetBuffer data = sample_octets(100, 2);
       unsigned identity = 1;
       for (unsigned change = 0; change < 5 && responder.ok(); ++change) {
         ResponderProbe peer(responder.run(), ++identity);
         meet_with_reads(peer);
         if (!peer.ok()) return;
         ReadOffer offer(peer, sample_octets(20'000, 1), 1);
         const std::uint32_t msg_id = peer.next_msg_id(), send_id = peer.fresh_id();
         offer.send_message(msg_id, send_id, false);
         if (!await_nack(peer, send_id)) return;
         Packet packet =
             ReadOffer::message(peer, change == 3 ? PacketType::longcts_tagrtm : PacketType::longcts_msgrtm, 20'000);
         packet.msg_id = change == 4 ? peer.next_msg_id() : msg_id;
         packet.send_id = send_id;
         packet.credit_request = 64;
         if (change != 0) packet.flags |= flag::kReadNack;
         if (change == 1) packet.payload = data;
         if (change == 2) --packet.msg_length;
         peer.send(packet);
         peer.settle();
         constexpr std::string_view kWhat[] = {"without bit 13", "with data", "with another msg_length", "with a tag",
                                               "with a new msg_id"};
         responder.expect_alive(rule<"EFA-4.7-202">, fmt::format("a LONGCTS_RTM {}", kWhat[change]));
       }
     })},
    {"read-nack/write",
     {&rule<"EFA-4.7-203">},
     "The responder accepts a refused LONGREAD_RTW that is sent again as a LONGCTS_RTW.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(20'000);
       meet_with_reads(responder);
       if (!responder.ok()) return;
       ReadOffer offer(responder, sample_octets(20'000, 1), 1);
       const std::uint32_t send_id = responder.fresh_id();
       offer.send_write(send_id, {responder.part(0, 20'000)});
       if (!await_nack(responder, send_id)) return;
       const bool whole = responder.write({responder.part(0, 20'000)}, offer.data(),
                                          {.transfer = Transfer::long_cts, .in_request = 1'000});
       responder.require(rule<"EFA-4.7-203">, whole, "a CTS", "none");
       responder.expect_memory(rule<"EFA-4.7-203">, 0, offer.data());
     })},
    {"read-nack/not-before-all-packets",
     {&rule<"EFA-4.7-4">, &rule<"EFA-4.7-201">},
     "The responder sends no READ_NACK while the second of three RUNTREAD packets is missing.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (!meet_with_runting_reads(responder)) return;
       ReadOffer offer(responder, sample_octets(20'000, 1), 1);
       const std::uint32_t msg_id = responder.next_msg_id(), send_id = responder.fresh_id();
       const auto packets = offer.runting_packets(msg_id, send_id, 2'500, 1'000, false);
       responder.send_octets(packets[0]);
       responder.send_octets(packets[2]);
       responder.expect_none(
           rule<"EFA-4.7-4">, [](const Received& one) { return one.is(PacketType::read_nack); },
           "no READ_NACK before all RUNTREAD packets have come");
       responder.send_octets(packets[1]);
       go_on_by_long_cts(responder, offer.data(), msg_id, send_id, 2'500);
     }),
     Service::echo},
    {"read-nack/responder-whose-peer-has-not-announced-it",
     {&rule<"EFA-2.1-24">},
     "The responder sends no READ_NACK to a peer that has not announced it.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (responder.ok() && responder.rdma() == nullptr) return responder.skip("the transport has no RDMA");
       responder.announce({Extra::rdma_read, Extra::runting_read});
       responder.meet();
       if (responder.ok() && !responder.peer_announces(Extra::rdma_read))
         return responder.skip("the responder does not announce RDMA read");
       if (!responder.ok()) return;
       ReadOffer offer(responder, sample_octets(20'000, 1), 1);
       offer.send_message(responder.next_msg_id(), responder.fresh_id(), false);
       responder.prefer_none(
           rule<"EFA-2.1-24">, [](const Received& one) { return one.is(PacketType::read_nack); }, "no READ_NACK",
           "from the document of 2.6 on, READ_NACK needs no announcement (EFA/A-90)");
     })},
    {"read-nack/walk", trace_rules({"EFA-4.7-*"}),
     "The requester sends valid packets to a responder that refuses every read.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       requester.announce({Extra::rdma_read, Extra::delivery_complete, Extra::runting_read, Extra::read_nack});
       requester.intake().refuses_reads = true;
       requester.trigger({.octets = 100, .count = 1});
       requester.serve_to_the_end();
     })},
    {"read-nack/to-requester",
     {&rule<"EFA-4.7-221">},
     "The requester sends a LONGCTS_RTM for a refused message.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       requester.announce({Extra::rdma_read, Extra::runting_read, Extra::read_nack});
       requester.intake().refuses_reads = true;
       requester.trigger({.octets = 100, .count = 1});
       const auto refused = [](const Received& one) {
         return is_request(one) && one.packet.layout()->behind != Array::none &&
                one.packet.layout()->purpose == Purpose::message;
       };
       const Received* const request = requester.serve_until(refused);
       if (request == nullptr) return requester.skip("the requester sends no message that is fetched by RDMA reads");
       if (!requester.peer_announces(Extra::read_nack)) return requester.skip(kNoNack);
       const std::uint32_t msg_id = request->packet.msg_id;
       const Received* const next =
           requester.find(requester.in(requester.run().answer_time()), [msg_id](const Received& one) {
             return is_request(one) && one.packet.layout()->transfer == Transfer::long_cts &&
                    one.packet.msg_id == msg_id;
           });
       requester.require(rule<"EFA-4.7-221">, next != nullptr, "a LONGCTS_RTM with the msg_id of the message", "none");
     })},
    {"read-nack/comes-again-to-requester",
     {&rule<"EFA-4.7-222">},
     "The requester continues after a READ_NACK that comes three times, and again while the message continues.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       requester.announce({Extra::rdma_read, Extra::read_nack});
       const auto wanted = [](const Received& one) {
         return is_request(one) && one.packet.layout()->behind != Array::none;
       };
       requester.leave(wanted);
       requester.trigger({.octets = 100, .count = 1});
       const Received* const request = requester.serve_until(wanted);
       if (request == nullptr) return requester.skip("the requester sends no message that is fetched by RDMA reads");
       if (!requester.peer_announces(Extra::read_nack)) return requester.skip(kNoNack);
       Packet nack = requester.answer(PacketType::read_nack);
       nack.send_id = request->packet.send_id;
       nack.recv_id = 0x7001;
       for (unsigned i = 0; i < 3; ++i) requester.send(nack);
       requester.settle();
       requester.send(nack);
       requester.expect_new_start(rule<"EFA-4.7-222">);
     })},
    driven_case("read-nack/write-to-requester", rule<"EFA-4.7-30">,
                "The requester sends a LONGCTS_RTW for a refused LONGREAD_RTW, and its octets then arrive.",
                write_comes_again),
};

}  // namespace

std::vector<Case> read_nack_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
