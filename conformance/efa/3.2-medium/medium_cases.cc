// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: medium messages, which come in segments and in any order.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/efa/3.2-medium/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

constexpr std::size_t kSegment = 500;

SendOptions medium() {
  return {.transfer = Transfer::medium, .segment = kSegment};
}

// Sends one segment with arbitrary fields.
void send_segment(ResponderProbe& responder, std::uint32_t msg_id, std::uint64_t length, std::uint64_t offset,
                  Octets data) {
  Packet packet = responder.request(PacketType::medium_msgrtm);
  packet.msg_id = msg_id;
  packet.seg_length = length;
  packet.seg_offset = offset;
  packet.payload = data;
  responder.send(packet);
}

const CaseRow kRows[] = {
    {"medium/in-order",
     {&rule<"EFA-3.2-221">},
     "The responder echoes medium messages of one, two and many segments, tagged and untagged.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.expect_echo(rule<"EFA-3.2-221">, sample_octets(1'200, 1), medium(), "the first message of a peer");
       for (const std::size_t octets : {1u, 499u, 500u, 501u, 1'000u, 10'007u}) {
         responder.expect_echo(rule<"EFA-3.2-221">, sample_octets(octets, 2), medium());
         SendOptions tagged = medium();
         tagged.tag = responder.tag(octets);
         responder.expect_echo(rule<"EFA-3.2-221">, sample_octets(octets, 3), tagged);
       }
       responder.expect_echo(rule<"EFA-3.2-221">, sample_octets(60'000, 4), {.transfer = Transfer::medium},
                             "packets of the largest size");
     }),
     Service::echo},
    {"medium/last-segment-first",
     {&rule<"EFA-3.2-222">},
     "The responder reassembles a medium message whose nine segments arrive from the last to the first.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       SendOptions options = medium();
       options.backwards = true;
       responder.expect_echo(rule<"EFA-3.2-222">, sample_octets(4'400, 1), options);
     }),
     Service::echo},
    {"medium/segments-mixed",
     {&rule<"EFA-3.2-222">},
     "The responder reassembles a new peer's first message with its segments in three other orders.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       unsigned identity = 1;
       for (const auto& order : {std::array{2u, 0u, 1u, 3u}, {1u, 3u, 0u, 2u}, {3u, 1u, 2u, 0u}}) {
         ResponderProbe peer(responder.run(), ++identity);
         const OctetBuffer message = sample_octets(1'900, identity);
         const auto packets = peer.message_packets(peer.next_msg_id(), message, medium());
         for (const unsigned number : order) peer.send_octets(packets[number]);
         peer.expect_echoed(rule<"EFA-3.2-222">, message);
       }
     }),
     Service::echo},
    {"medium/message-waits-for-the-one-before",
     {&rule<"EFA-3.2-222">},
     "The responder echoes an eager message before a medium message with a higher msg_id whose segments all arrive "
     "first.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const std::uint32_t first = responder.next_msg_id();
       const OctetBuffer message = sample_octets(1'700, 1);
       SendOptions options = medium();
       options.backwards = true;
       responder.send_message(message, options);
       responder.send_message(first, text("the one before"), {});
       responder.expect_echoed(rule<"EFA-3.2-222">, text("the one before"));
       responder.expect_echoed(rule<"EFA-3.2-222">, message);
     }),
     Service::echo},
    {"medium/segments-doubled",
     {&rule<"EFA-3.2-223">},
     "The responder echoes a message once, although every segment comes twice, and one again after the whole message.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       SendOptions options = medium();
       options.doubled = true;
       const OctetBuffer message = sample_octets(1'700, 1);
       const std::uint32_t msg_id = responder.next_msg_id();
       responder.send_message(msg_id, message, options);
       if (!responder.prefer_echoed(rule<"EFA-3.2-223">, message, kDeviceDoublesNothing)) {
         responder.expect_alive(rule<"EFA-3.2-223">);
         return;
       }
       responder.send_octets(responder.message_packets(msg_id, message, options)[1]);
       responder.expect_no_message(rule<"EFA-3.2-223">, "no message from a segment of an old one");
       const OctetBuffer another = sample_octets(900, 2);
       responder.send_message(another, options);
       responder.prefer_echoed(rule<"EFA-3.2-223">, another, kDeviceDoublesNothing);
       responder.expect_alive(rule<"EFA-3.2-223">);
     }),
     Service::echo},
    {"medium/part-is-not-the-whole",
     {&rule<"EFA-3.2-224">},
     "The responder delivers nothing while any one of four segments is missing.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       for (std::size_t missing = 0; missing < 4; ++missing) {
         const OctetBuffer message = sample_octets(1'900, static_cast<unsigned>(missing));
         const auto packets = responder.message_packets(responder.next_msg_id(), message, medium());
         for (std::size_t i = 0; i < packets.size(); ++i) {
           if (i == missing) continue;
           responder.send_octets(packets[i]);
         }
         responder.expect_no_message(rule<"EFA-3.2-224">, "no message while a segment is missing",
                                     fmt::format("segment {} of 4", missing));
         responder.send_octets(packets[missing]);
         responder.expect_echoed(rule<"EFA-3.2-224">, message);
       }
     }),
     Service::echo},
    {"medium/two-messages-interleaved",
     {&rule<"EFA-3.2-226">},
     "The responder reassembles two medium messages whose segments alternate with those of each other and with an "
     "eager message.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const OctetBuffer one = sample_octets(1'400, 1), two = sample_octets(1'300, 2), three = sample_octets(20, 3);
       const auto first = responder.message_packets(responder.next_msg_id(), one, medium());
       const auto second = responder.message_packets(responder.next_msg_id(), two, medium());
       responder.send_octets(second[2]);
       responder.send_octets(first[2]);
       responder.send_message(three);
       responder.send_octets(second[0]);
       responder.send_octets(first[0]);
       responder.send_octets(first[1]);
       responder.send_octets(second[1]);
       std::vector<OctetBuffer> wanted{one, two, three}, got;
       for (unsigned i = 0; i < 3; ++i)
         if (auto echo = responder.await_message()) got.push_back(std::move(echo->octets));
       std::ranges::sort(wanted);
       std::ranges::sort(got);
       responder.require(rule<"EFA-3.2-226">, got == wanted, "the echoes of three messages",
                         got.size() == 3 ? "other octets" : fmt::format("{} echoes", got.size()));
     }),
     Service::echo},
    {"medium/segment-beyond-the-message",
     {&rule<"EFA-3.2-225">},
     "The responder keeps working after segments that end or begin after the message, and offsets that wrap when the "
     "length is added.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       unsigned identity = 1;
       const OctetBuffer data = sample_octets(100);
       for (const std::uint64_t offset : {std::uint64_t{101}, std::uint64_t{200}, std::uint64_t{1} << 40,
                                          ~std::uint64_t{0} - 50, ~std::uint64_t{0}}) {
         for (const bool first : {true, false}) {
           ResponderProbe peer(responder.run(), ++identity);
           const std::uint32_t msg_id = peer.next_msg_id();
           if (!first) send_segment(peer, msg_id, 200, 0, data);
           send_segment(peer, msg_id, 200, offset, data);
           peer.settle();
         }
         responder.expect_alive(rule<"EFA-3.2-225">, fmt::format("after a segment at {}", offset));
       }
     })},
    {"medium/length-changes",
     {&rule<"EFA-3.2-225">},
     "The responder keeps working after a second segment with a longer, a shorter, a zero and the largest length.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       unsigned identity = 1;
       const OctetBuffer data = sample_octets(100);
       for (const std::uint64_t length :
            {std::uint64_t{300}, std::uint64_t{150}, std::uint64_t{50}, std::uint64_t{0}, ~std::uint64_t{0}}) {
         ResponderProbe peer(responder.run(), ++identity);
         const std::uint32_t msg_id = peer.next_msg_id();
         send_segment(peer, msg_id, 200, 0, data);
         send_segment(peer, msg_id, length, 100, data);
         send_segment(peer, msg_id, length, 0, data);
         peer.settle();
         responder.expect_alive(rule<"EFA-3.2-225">, fmt::format("after a length of {}", length));
       }
     })},
    {"medium/lengths-of-segments",
     {&rule<"EFA-3.2-225">},
     "The responder reassembles a message in which each segment has its own length, as the text can be read "
     "(EFA/A-03).",
     with<ResponderProbe>([](ResponderProbe& responder) {
       ResponderProbe peer(responder.run(), 2);
       const std::uint32_t msg_id = peer.next_msg_id();
       const OctetBuffer data = sample_octets(100);
       for (const std::uint64_t offset : {0u, 100u, 200u}) send_segment(peer, msg_id, data.size(), offset, data);
       peer.settle();
       responder.expect_alive(rule<"EFA-3.2-225">);
     })},
    {"medium/segments-overlap",
     {&rule<"EFA-3.2-225">},
     "The responder keeps working after segments that repeat octets that it already has with different data.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       const std::uint32_t msg_id = responder.next_msg_id();
       const OctetBuffer data = sample_octets(100, 1), other = sample_octets(100, 2);
       send_segment(responder, msg_id, 200, 0, data);
       send_segment(responder, msg_id, 200, 50, other);
       send_segment(responder, msg_id, 200, 0, other);
       send_segment(responder, msg_id, 200, 10, Octets(data).first(20));
       send_segment(responder, msg_id, 200, 99, other);
       responder.settle();
       responder.expect_alive(rule<"EFA-3.2-225">);
     })},
    {"medium/splinters",
     {&rule<"EFA-3.2-225">},
     "The responder keeps working after a message of 2^40 octets of which it receives two thousand single octets.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       const std::uint32_t msg_id = responder.next_msg_id();
       const OctetBuffer data = sample_octets(1);
       for (std::uint64_t i = 0; i < 2'000; ++i) send_segment(responder, msg_id, std::uint64_t{1} << 40, i << 29, data);
       responder.settle();
       responder.expect_alive(rule<"EFA-3.2-225">);
     })},
};

}  // namespace

std::vector<Case> medium_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
