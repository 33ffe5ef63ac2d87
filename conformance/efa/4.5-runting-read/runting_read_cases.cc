// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.5: runting read messages. The beginning comes in packets and the rest is read by RDMA.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/efa/4.1-eor/rules.h"
#include "conformance/efa/4.5-runting-read/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/probes/read_offer.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

const CaseRow kRows[] = {
    {"runting-read/message",
     {&rule<"EFA-4.5-201">, &rule<"EFA-4.1-22">, &rule<"EFA-4.1-23">},
     "The responder delivers runting messages whose beginning comes in one packet and in three, tagged and untagged.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (!meet_with_runting_reads(responder)) return;
       for (const std::uint64_t runt : {1u, 1'000u, 2'900u}) {
         for (const bool tagged : {false, true}) {
           if (!responder.ok()) return;
           ReadOffer offer(responder, sample_octets(20'000, tagged ? 1 : 2), 2);
           const std::uint32_t send_id = responder.fresh_id();
           for (const OctetBuffer& packet :
                offer.runting_packets(responder.next_msg_id(), send_id, runt, 1'000, tagged))
             responder.send_octets(packet);
           const bool eor = offer.await_eor(send_id);
           responder.require(rule<"EFA-4.5-201">, eor, "an EOR", "none",
                             fmt::format("{} of 20000 octets in packets", runt));
           responder.expect_echoed(rule<"EFA-4.5-201">, offer.data());
         }
       }
     }),
     Service::echo},
    {"runting-read/reads-the-rest",
     {&rule<"EFA-4.5-17">},
     "The responder reads exactly the rest of a message whose first 2,500 octets come in packets.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       constexpr std::uint64_t kRunt = 2'500;
       if (!meet_with_runting_reads(responder)) return;
       if (responder.rdma()->seen() == nullptr)
         return responder.skip("the tester's device does not show who reads its memory");
       ReadOffer offer(responder, sample_octets(20'000), 1);
       const std::uint32_t send_id = responder.fresh_id();
       for (const OctetBuffer& packet : offer.runting_packets(responder.next_msg_id(), send_id, kRunt, 1'000, false))
         responder.send_octets(packet);
       if (!offer.await_eor(send_id)) return responder.inconclusive("no EOR came");
       const std::uint64_t begin = offer.buffers().front().addr;
       std::uint64_t first = ~std::uint64_t{0}, octets = 0;
       for (const RdmaSeen& one : *responder.rdma()->seen()) {
         first = std::min(first, one.range.addr - begin);
         octets += one.range.len;
       }
       const std::uint64_t rest = offer.data().size() - kRunt;
       responder.require(rule<"EFA-4.5-17">, first == kRunt && octets == rest,
                         fmt::format("reads of {} octets from octet {} on", rest, kRunt),
                         fmt::format("reads of {} octets from octet {} on", octets, first));
     })},
    {"runting-read/packets-in-any-order",
     {&rule<"EFA-4.5-202">},
     "The responder reassembles five RUNTREAD packets that arrive from the last to the first, and five that each "
     "arrive twice.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (!meet_with_runting_reads(responder)) return;
       ReadOffer offer(responder, sample_octets(20'000, 1), 1);
       const std::uint32_t send_id = responder.fresh_id();
       auto packets = offer.runting_packets(responder.next_msg_id(), send_id, 4'500, 1'000, false);
       std::ranges::reverse(packets);
       for (const OctetBuffer& packet : packets) responder.send_octets(packet);
       responder.require(rule<"EFA-4.5-202">, offer.await_eor(send_id), "an EOR", "none");
       responder.expect_echoed(rule<"EFA-4.5-202">, offer.data());
       ReadOffer doubled(responder, sample_octets(20'000, 2), 1);
       const std::uint32_t again = responder.fresh_id();
       responder.stimulates_nothing();
       for (const OctetBuffer& packet : doubled.runting_packets(responder.next_msg_id(), again, 4'500, 1'000, false)) {
         responder.send_octets(packet);
         responder.send_octets(packet);
       }
       const bool eor = doubled.await_eor(again);
       if (responder.advise(rule<"EFA-4.5-202">, eor, "an EOR", "none", kDeviceDoublesNothing))
         responder.prefer_echoed(rule<"EFA-4.5-202">, doubled.data(), kDeviceDoublesNothing);
       responder.expect_alive(rule<"EFA-4.5-202">);
     }),
     Service::echo},
    {"runting-read/all-in-packets",
     {&rule<"EFA-4.5-203">},
     "The responder reads nothing if runt_length is msg_length.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (!meet_with_runting_reads(responder)) return;
       ReadOffer offer(responder, sample_octets(2'500, 1), 1);
       for (const OctetBuffer& packet :
            offer.runting_packets(responder.next_msg_id(), responder.fresh_id(), 2'500, 1'000, false))
         responder.send_octets(packet);
       responder.expect_echoed(rule<"EFA-4.5-203">, offer.data());
     }),
     Service::echo},
    {"runting-read/lengths-of-packets",
     {&rule<"EFA-4.5-204">},
     "The responder accepts packets that each have their own length in runt_length, as the text can be read "
     "(EFA/A-04).",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (!meet_with_runting_reads(responder)) return;
       ResponderProbe peer(responder.run(), 2);
       if (!meet_with_runting_reads(peer)) return;
       ReadOffer offer(peer, sample_octets(20'000, 1), 1);
       for (const OctetBuffer& octets :
            offer.runting_packets(peer.next_msg_id(), peer.fresh_id(), 3'000, 1'000, false)) {
         Packet packet = *decode(octets);
         packet.runt_length = packet.payload.size();
         peer.send(packet);
       }
       peer.settle();
       responder.expect_alive(rule<"EFA-4.5-204">);
     })},
    {"runting-read/contradictions",
     {&rule<"EFA-4.5-204">},
     "The responder keeps working after offsets and lengths beyond the runt, beyond the message, and that change "
     "between packets.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (!meet_with_runting_reads(responder)) return;
       ReadOffer offer(responder, sample_octets(20'000, 1), 1);
       const auto packets = offer.runting_packets(0, 1, 3'000, 1'000, false);
       struct Change {
         Field field;
         std::uint64_t value;
       };
       unsigned identity = 1;
       for (const Change& change : {Change{Field::seg_offset, 2'001},
                                    {Field::seg_offset, 20'000},
                                    {Field::seg_offset, ~std::uint64_t{0}},
                                    {Field::runt_length, 0},
                                    {Field::runt_length, 20'001},
                                    {Field::runt_length, ~std::uint64_t{0}},
                                    {Field::msg_length, 999},
                                    {Field::msg_length, 20'001},
                                    {Field::msg_length, ~std::uint64_t{0}},
                                    {Field::send_id, 77}}) {
         for (const std::size_t spoilt : {0u, 2u}) {
           ResponderProbe peer(responder.run(), ++identity);
           if (!meet_with_runting_reads(peer)) return;
           const std::uint32_t msg_id = peer.next_msg_id();
           for (std::size_t i = 0; i < packets.size(); ++i) {
             Packet packet = *decode(packets[i]);
             packet.msg_id = msg_id;
             packet.connid = peer.connid();
             if (i == spoilt) set(packet, change.field, change.value);
             peer.send(packet);
           }
           peer.settle();
         }
         responder.expect_alive(rule<"EFA-4.5-204">, fmt::format("{} {}", describe(change.field).name, change.value));
       }
     })},
};

}  // namespace

std::vector<Case> runting_read_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
