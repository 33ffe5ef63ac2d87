// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.1: the common parts of REQ packets, which a responder must be able to decode.
#include <fmt/format.h>

#include "conformance/efa/3.1-req/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

const CaseRow kRows[] = {
    {"req/every-combination-of-optional-headers",
     {&rule<"EFA-3.1-201">},
     "The responder echoes messages with every combination of raw address, CQ data and connid.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       for (unsigned set = 0; set < 8; ++set) {
         for (const PacketType type : {PacketType::eager_msgrtm, PacketType::eager_tagrtm}) {
           const OctetBuffer message = sample_octets(41, set);
           Packet packet = packet_of(type);
           if ((set & 1) != 0) packet.flags |= flag::kRawAddress;
           if ((set & 2) != 0) packet.flags |= flag::kCqData;
           if ((set & 4) != 0) packet.flags |= flag::kConnid;
           packet.raw_address_size = 36;
           packet.cq_data = 0x1122'3344'5566'7788;
           packet.connid = responder.connid();
           packet.msg_id = responder.next_msg_id();
           packet.tag = responder.tag(set);
           packet.payload = message;
           responder.send(packet);
           responder.expect_echoed(rule<"EFA-3.1-201">, message, fmt::format("flags 0x{:04x}", packet.flags));
         }
       }
     }),
     Service::echo},
    {"req/cq-data-in-reads-and-atomics",
     {&rule<"EFA-3.1-201">},
     "The responder answers a SHORT_RTR and a FETCH_RTA with CQ data, which they do not use (EFA/A-47).",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(64);
       responder.meet();
       const OctetBuffer there = sample_octets(8, 1);
       responder.prepare(0, there);
       Packet read = responder.one_sided(PacketType::short_rtr, {responder.part(0, 8)});
       read.flags |= flag::kCqData;
       read.recv_id = responder.fresh_id();
       responder.send(read);
       Packet fetch = responder.atomic_request({AtomicCall::fetch, AtomicOp::atomic_read, Datatype::uint64, {}, {}},
                                               {responder.part(0, 8)}, responder.fresh_id());
       fetch.flags |= flag::kCqData;
       responder.send(fetch);
       for (const PacketType type : {PacketType::readrsp, PacketType::atomrsp}) {
         const Received* const answer = responder.await(type);
         responder.require(rule<"EFA-3.1-201">, answer != nullptr && std::ranges::equal(answer->packet.payload, there),
                           size_of(there), answer == nullptr ? "no answer" : difference(there, answer->packet.payload),
                           answer == nullptr ? "" : describe(type).name);
       }
     })},
    {"req/rma-flag-set-and-clear",
     {&rule<"EFA-3.1-202">},
     "The responder treats writes and reads with and without REQ_RMA alike.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(64);
       responder.meet();
       const auto mark = [](Packet& packet, bool as_rma) {
         packet.flags = static_cast<std::uint16_t>((packet.flags & ~flag::kRma) | (as_rma ? flag::kRma : 0));
       };
       for (const bool set : {true, false}) {
         const OctetBuffer data = sample_octets(64, set ? 1 : 2);
         Packet packet = responder.one_sided(PacketType::eager_rtw, {responder.part(0, 64)});
         mark(packet, set);
         packet.payload = data;
         responder.send(packet);
         responder.expect_memory(rule<"EFA-3.1-202">, 0, data, set ? "REQ_RMA set" : "REQ_RMA clear");
         packet = responder.one_sided(PacketType::short_rtr, {responder.part(0, 64)});
         mark(packet, set);
         packet.recv_id = responder.fresh_id();
         responder.send(packet);
         const Received* const response = responder.await(PacketType::readrsp);
         responder.require(rule<"EFA-3.1-202">, response != nullptr, "a READRSP", "none");
       }
     })},
    {"req/flags-of-another-use",
     {&rule<"EFA-3.1-203">},
     "The responder keeps working after each kind of REQ packet with no use bit set, and with all the use bits of "
     "other kinds set.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       constexpr std::uint16_t kUses = flag::kMsg | flag::kTagged | flag::kRma | flag::kAtomic;
       unsigned identity = 1;
       for (const Layout& layout : all_layouts()) {
         if (!layout.is_request() || layout.extras != 0) continue;
         if (!responder.ok()) return;
         ResponderProbe peer(responder.run(), ++identity);
         const OctetBuffer data = text("data");
         for (const std::uint16_t uses : {std::uint16_t{0}, static_cast<std::uint16_t>(kUses & ~layout.marks)}) {
           Packet packet = peer.one_sided(layout.type, {});
           packet.flags = static_cast<std::uint16_t>((packet.flags & ~kUses) | uses);
           packet.msg_id = peer.next_msg_id();
           packet.seg_length = data.size();
           if (layout.purpose == Purpose::message) packet.payload = data;
           peer.send(packet);
         }
         peer.settle();
         responder.expect_alive(rule<"EFA-3.1-203">, fmt::format("after {} with flags of another use", layout.name));
       }
     })},
    {"req/another-tag",
     {&rule<"EFA-3.1-204">},
     "The responder keeps eager and medium messages whose tag no receive matches, and echoes later messages.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       const auto other = responder.another_tag();
       if (responder.ok() && !other) return responder.skip(kAnyTag);
       responder.meet();
       responder.send_message(text("for nobody"), {.tag = other});
       responder.send_message(sample_octets(900, 1), {.transfer = Transfer::medium, .tag = other, .segment = 500});
       responder.expect_no_message(rule<"EFA-3.1-204">, "no echo of a message that no receive matches");
       responder.expect_echo(rule<"EFA-3.1-204">, text("for somebody"), {.tag = responder.tag(0)});
       responder.expect_echo(rule<"EFA-3.1-204">, text("for anybody"));
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> req_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
