// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.2 and 3.1: the raw address header, as an endpoint must be able to read it.
#include <fmt/format.h>

#include "conformance/efa/2.2-raw-address-header/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

const CaseRow kRows[] = {
    {"raw-address/of-every-size",
     {&rule<"EFA-2.2-201">},
     "The responder echoes messages with raw addresses of 32, 36, 40 and 64 octets, each from a different peer.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       unsigned identity = 1;
       for (const std::size_t octets : {32u, 36u, 40u, 64u}) {
         if (!responder.ok()) return;
         ResponderProbe peer(responder.run(), ++identity);
         peer.raw_address_octets = octets;
         peer.expect_echo(rule<"EFA-2.2-201">, sample_octets(50, identity), {.cq_data = 7},
                          fmt::format("a raw address of {} octets", octets));
       }
       responder.expect_alive(rule<"EFA-2.2-201">);
     }),
     Service::echo},
    {"raw-address/too-short",
     {&rule<"EFA-2.2-202">},
     "The responder keeps working after messages with raw addresses of 0, 1, 16 and 31 octets.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       unsigned identity = 1;
       for (const std::size_t octets : {0u, 1u, 16u, 31u}) {
         ResponderProbe peer(responder.run(), ++identity);
         peer.raw_address_octets = octets;
         peer.send_message(text("from an address that is none"));
         peer.settle();
         responder.expect_alive(rule<"EFA-2.2-202">, fmt::format("after a raw address of {} octets", octets));
       }
     })},
    {"raw-address/larger-than-its-packet",
     {&rule<"EFA-2.2-203">},
     "The responder keeps working after raw address sizes from one octet beyond the packet to 2^32-1, as the first "
     "packet and from a known peer.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       OctetBuffer address;
       encode(responder.identity().address, address);
       unsigned identity = 1;
       for (const std::uint32_t size : {33u, 0xffffu, 0x7fff'ffffu, 0xffff'ffe0u, 0xffff'fffcu, 0xffff'ffffu}) {
         for (const bool known : {false, true}) {
           ResponderProbe peer(responder.run(), ++identity);
           if (known) peer.meet();
           for (const PacketType type : {PacketType::eager_msgrtm, PacketType::eager_rtw, PacketType::short_rtr}) {
             Packet packet = peer.one_sided(type, {});
             packet.msg_id = peer.next_msg_id();
             packet.flags |= flag::kRawAddress;
             packet.raw_address = address;
             packet.raw_address_size = size;
             peer.send(packet);
           }
           peer.settle();
         }
         responder.expect_alive(rule<"EFA-2.2-203">, fmt::format("after a raw address of {} octets", size));
       }
     })},
    {"raw-address/with-and-without",
     {&rule<"EFA-2.2-204">},
     "The responder echoes messages that alternate between having a raw address and having none after the HANDSHAKE.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       for (unsigned i = 0; i < 4; ++i) {
         const OctetBuffer message = sample_octets(60, i);
         Packet packet = responder.request(PacketType::eager_msgrtm);
         if (i % 2 == 0) {
           packet.flags = flag::kMsg | flag::kRawAddress;
           packet.raw_address_size = 36;
         }
         packet.msg_id = responder.next_msg_id();
         packet.payload = message;
         responder.send(packet);
         responder.expect_echoed(rule<"EFA-2.2-204">, message);
       }
     }),
     Service::echo},
    {"raw-address/in-some-segments",
     {&rule<"EFA-2.2-204">},
     "The responder reassembles a medium message in which every other segment has a raw address (EFA/A-45).",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const OctetBuffer message = sample_octets(1'900, 1);
       const auto packets =
           responder.message_packets(responder.next_msg_id(), message, {.transfer = Transfer::medium, .segment = 500});
       for (std::size_t i = 0; i < packets.size(); ++i) {
         Packet packet = *decode(packets[i]);
         packet.flags = flag::kMsg;
         if (i % 2 == 0) packet.flags |= flag::kRawAddress;
         packet.raw_address = {};
         packet.raw_address_size = 36;
         responder.send(packet);
       }
       responder.expect_echoed(rule<"EFA-2.2-204">, message);
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> raw_address_header_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
