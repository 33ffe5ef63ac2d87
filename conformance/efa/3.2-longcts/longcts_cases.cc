// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: long-CTS messages to the responder, which allows the data by CTS.
#include <fmt/format.h>

#include "conformance/efa/3.2-longcts/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

constexpr std::size_t kSegment = 700;

SendOptions long_cts(std::size_t in_request = 0) {
  return {.transfer = Transfer::long_cts, .segment = kSegment, .in_request = in_request};
}

const CaseRow kRows[] = {
    {"longcts/message",
     {&rule<"EFA-3.2-231">},
     "The responder echoes long-CTS messages of several sizes, tagged and untagged, the first as a new peer's first "
     "packet.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.expect_echo(rule<"EFA-3.2-231">, sample_octets(3'000, 1), long_cts(), "the first message of a peer");
       for (const std::size_t octets : {1u, 700u, 701u, 5'000u, 40'000u}) {
         responder.expect_echo(rule<"EFA-3.2-231">, sample_octets(octets, 2), long_cts());
         SendOptions tagged = long_cts();
         tagged.tag = responder.tag(octets);
         responder.expect_echo(rule<"EFA-3.2-231">, sample_octets(octets, 3), tagged);
       }
     }),
     Service::echo},
    {"longcts/data-in-the-request",
     {&rule<"EFA-3.2-232">},
     "The responder echoes long-CTS messages whose LONGCTS_RTM has no data, one octet, half of the message, and all "
     "but one octet.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       for (const std::size_t octets : {0u, 1u, 450u, 899u})
         responder.expect_echo(rule<"EFA-3.2-232">, sample_octets(900, 1), long_cts(octets), {});
     }),
     Service::echo},
    {"longcts/all-the-data-in-the-request",
     {&rule<"EFA-3.2-232">},
     "The responder continues after a LONGCTS_RTM with the whole message, which leaves nothing to allow (EFA/A-23).",
     with<ResponderProbe>([](ResponderProbe& responder) {
       const OctetBuffer message = sample_octets(900, 1);
       ResponderProbe peer(responder.run(), 2);
       peer.send_octets(
           peer.message_packets(peer.next_msg_id(), message, long_cts(message.size()), peer.fresh_id())[0]);
       peer.settle();
       responder.expect_alive(rule<"EFA-3.2-232">);
     })},
    {"longcts/another-window",
     {&rule<"EFA-3.2-233">},
     "The responder echoes a message that is larger than what one CTS allows.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const OctetBuffer message = sample_octets(700'000, 1);
       responder.expect_echo(rule<"EFA-3.2-233">, message, {.transfer = Transfer::long_cts, .credit_request = 1});
       if (responder.count(PacketType::cts) < 2)
         responder.inconclusive("the first CTS allowed the whole of 700000 octets");
     }),
     Service::echo},
    {"longcts/data-in-any-order",
     {&rule<"EFA-3.2-234">},
     "The responder echoes a message whose CTSDATA arrive from the last to the first, and each twice.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       SendOptions options = long_cts(100);
       options.backwards = true;
       responder.expect_echo(rule<"EFA-3.2-234">, sample_octets(9'000, 1), options, "backwards");
       options.doubled = true;
       const OctetBuffer message = sample_octets(9'000, 2);
       responder.send_message(message, options);
       responder.prefer_echoed(rule<"EFA-3.2-234">, message, kDeviceDoublesNothing);
       responder.expect_alive(rule<"EFA-3.2-234">);
     }),
     Service::echo},
    {"longcts/send-id-used-again",
     {&rule<"EFA-3.2-235">},
     "The responder echoes three consecutive messages with the same send_id.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       for (unsigned i = 0; i < 3; ++i) {
         const OctetBuffer message = sample_octets(2'000, i);
         responder.reuse_id(0x77);
         responder.expect_echo(rule<"EFA-3.2-235">, message, long_cts());
       }
     }),
     Service::echo},
    {"longcts/several-at-once",
     {&rule<"EFA-3.2-236">},
     "The responder sends a CTS for each of three long-CTS messages before any of them sends its data.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       struct Under {
         OctetBuffer message;
         std::uint32_t send_id;
         std::uint32_t recv_id = 0;
       };
       std::vector<Under> all;
       for (unsigned i = 0; i < 3; ++i) {
         all.push_back({sample_octets(600, i), responder.fresh_id()});
         responder.send_octets(
             responder.message_packets(responder.next_msg_id(), all.back().message, long_cts(), all.back().send_id)[0]);
       }
       for (Under& one : all) {
         const Received* const cts = responder.await([&](const Received& packet) {
           return packet.is(PacketType::cts) && packet.packet.send_id == one.send_id;
         });
         responder.require(rule<"EFA-3.2-236">, cts != nullptr, "a CTS for each of three messages", "none");
         if (cts != nullptr) one.recv_id = cts->packet.recv_id;
       }
       for (std::size_t i = all.size(); i-- > 0;) {
         Packet data = packet_of(PacketType::ctsdata);
         data.recv_id = all[i].recv_id;
         data.seg_length = all[i].message.size();
         data.payload = all[i].message;
         responder.send(data);
       }
       std::vector<OctetBuffer> wanted, got;
       for (const Under& one : all) wanted.push_back(one.message);
       for (std::size_t i = 0; i < all.size(); ++i)
         if (auto echo = responder.await_message()) got.push_back(std::move(echo->octets));
       std::ranges::sort(wanted);
       std::ranges::sort(got);
       responder.require(rule<"EFA-3.2-236">, got == wanted, "the echoes of three messages",
                         got.size() == 3 ? "other octets" : fmt::format("{} echoes", got.size()));
     }),
     Service::echo},
    {"longcts/credit-request-of-none-and-of-the-most",
     {&rule<"EFA-3.2-238">},
     "The responder keeps working after credit_request 0, 1 and 2^32-1.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       for (const std::uint32_t credit : {0u, 1u, 0xffff'ffffu}) {
         SendOptions options = long_cts();
         options.credit_request = credit;
         responder.expect_echo(rule<"EFA-3.2-238">, sample_octets(3'000, credit), options,
                               fmt::format("credit_request {}", credit));
       }
     }),
     Service::echo},
    {"longcts/length-that-cannot-be",
     {&rule<"EFA-3.2-237">},
     "The responder keeps working after msg_length 0, shorter than the data of the request, 2^63 and 2^64-1, followed "
     "by CTSDATA.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       unsigned identity = 1;
       const OctetBuffer data = sample_octets(100);
       for (const std::uint64_t length :
            {std::uint64_t{0}, std::uint64_t{99}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
         ResponderProbe peer(responder.run(), ++identity);
         Packet packet = peer.request(PacketType::longcts_msgrtm);
         packet.msg_id = peer.next_msg_id();
         packet.send_id = peer.fresh_id();
         packet.msg_length = length;
         packet.credit_request = 1;
         packet.payload = data;
         peer.send(packet);
         const Instant deadline = peer.in(peer.run().silence_time() / 10);
         const Received* const cts = peer.await(deadline, [](const Received& one) { return one.is(PacketType::cts); });
         if (cts != nullptr) {
           Packet last = packet_of(PacketType::ctsdata);
           last.recv_id = cts->packet.recv_id;
           last.seg_length = data.size();
           last.seg_offset = length - data.size();
           last.payload = data;
           peer.send(last);
         }
         peer.settle();
         responder.expect_alive(rule<"EFA-3.2-237">, fmt::format("after msg_length {}", length));
       }
     })},
};

}  // namespace

std::vector<Case> longcts_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
