// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: messages in any order of arrival, once each.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "conformance/efa/3.2-msg-id/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

// Deployed receivers keep 16384 IDs. A case stays far below or goes far above that.
constexpr std::uint32_t kFarBeyond = 1'000'000;

void send_eager(ResponderProbe& responder, std::uint32_t msg_id, Octets message) {
  responder.send_message(msg_id, message, {});
}

OctetBuffer numbered(std::uint32_t number) {
  return text(fmt::format("message number {}", number));
}

// The echoes of these messages, in whatever order they come.
void expect_all(ResponderProbe& responder, const Rule& demand, std::uint32_t first, std::uint32_t count) {
  std::multiset<OctetBuffer> wanted, got;
  std::vector<WholeMessage> order;
  for (std::uint32_t i = 0; i < count; ++i) {
    wanted.insert(numbered(first + i));
    if (auto echo = responder.await_message()) {
      got.insert(echo->octets);
      order.push_back(std::move(*echo));
    }
  }
  responder.require(demand, got == wanted, fmt::format("the echoes of {} messages", count),
                    got.size() == count ? "other octets" : fmt::format("{} echoes", got.size()));
  if (order.empty()) return;
  // The order in which the responder has sent them.
  std::ranges::sort(order, {}, [begin = order.front().msg_id](const WholeMessage& echo) {
    return static_cast<std::int32_t>(echo.msg_id - begin);
  });
  bool sorted = true;
  for (std::uint32_t i = 0; i < order.size(); ++i) sorted &= order[i].octets == numbered(first + i);
  responder.advise(rule<"EFA-3.2-202">, sorted, "the echoes in the order of msg_id", "another order");
}

const CaseRow kRows[] = {
    {"msg-id/gap-that-is-filled-late",
     {&rule<"EFA-3.2-201">, &rule<"EFA-3.2-202">},
     "The responder echoes four messages in order, although messages 4, 3 and 2 arrive before message 1.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const std::uint32_t first = responder.next_msg_id();
       for (const std::uint32_t ahead : {3u, 2u, 1u}) send_eager(responder, first + ahead, numbered(first + ahead));
       responder.settle();
       send_eager(responder, first, numbered(first));
       expect_all(responder, rule<"EFA-3.2-201">, first, 4);
     }),
     Service::echo},
    {"msg-id/every-second-first",
     {&rule<"EFA-3.2-201">, &rule<"EFA-3.2-202">},
     "The responder echoes 64 messages in order, although those with even numbers arrive after all others.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const std::uint32_t first = responder.next_msg_id();
       for (std::uint32_t i = 1; i < 64; i += 2) send_eager(responder, first + i, numbered(first + i));
       for (std::uint32_t i = 0; i < 64; i += 2) send_eager(responder, first + i, numbered(first + i));
       expect_all(responder, rule<"EFA-3.2-201">, first, 64);
     }),
     Service::echo},
    {"msg-id/first-message-arrives-last",
     {&rule<"EFA-3.2-201">, &rule<"EFA-3.2-202">},
     "The responder echoes a new peer's messages in order, although messages 1 and 2 arrive before message 0.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       const std::uint32_t first = responder.first_msg_id();
       for (const std::uint32_t ahead : {1u, 2u, 0u}) send_eager(responder, first + ahead, numbered(first + ahead));
       expect_all(responder, rule<"EFA-3.2-201">, first, 3);
     }),
     Service::echo},
    {"msg-id/used-again",
     {&rule<"EFA-3.2-203">},
     "The responder echoes a message once, although its packet comes again at once and after ten messages, and its "
     "msg_id comes with other octets.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const std::uint32_t first = responder.next_msg_id();
       const OctetBuffer once = text("delivered once");
       send_eager(responder, first, once);
       send_eager(responder, first, once);
       responder.expect_echoed(rule<"EFA-3.2-203">, once);
       for (unsigned i = 0; i < 10; ++i) responder.expect_echo(rule<"EFA-3.2-203">, sample_octets(30, i));
       send_eager(responder, first, once);
       send_eager(responder, first, text("not delivered at all"));
       responder.expect_no_message(rule<"EFA-3.2-203">, "no message for a msg_id that was already used");
       responder.expect_alive(rule<"EFA-3.2-203">);
     }),
     Service::echo},
    {"msg-id/waits-and-comes-again",
     {&rule<"EFA-3.2-203">},
     "The responder echoes a message once, although it comes three times before its turn.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const std::uint32_t first = responder.next_msg_id();
       responder.next_msg_id();
       for (unsigned i = 0; i < 3; ++i) send_eager(responder, first + 1, text("second"));
       send_eager(responder, first, text("first"));
       responder.expect_echoed(rule<"EFA-3.2-203">, text("first"));
       responder.expect_echoed(rule<"EFA-3.2-203">, text("second"));
       responder.expect_no_message(rule<"EFA-3.2-203">, "each message once");
       responder.expect_alive(rule<"EFA-3.2-203">);
     }),
     Service::echo},
    {"msg-id/far-ahead",
     {&rule<"EFA-3.2-204">},
     "The responder echoes a peer's next messages after messages with msg_id a million, 2^31 and 2^32-1 ahead.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const std::uint32_t met = responder.first_msg_id();
       for (const std::uint32_t ahead : {kFarBeyond, 0x7fff'ffffu, 0x8000'0000u, 0xffff'ffffu})
         send_eager(responder, met + ahead, text("far ahead"));
       responder.settle();
       responder.expect_echo(rule<"EFA-3.2-204">, sample_octets(40, 1));
       responder.expect_alive(rule<"EFA-3.2-204">);
     }),
     Service::echo},
    {"msg-id/far-ahead-to-requester",
     {&rule<"EFA-3.2-207">},
     "The requester keeps working after messages a million, 2^31 and 2^32-1 ahead, and a thousand consecutive ones, "
     "before the echo.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const WholeMessage message = requester.first_message({.octets = 64, .count = 3});
       Packet packet = requester.request(PacketType::eager_msgrtm);
       for (const std::uint32_t ahead : {kFarBeyond, 0x7fff'ffffu, 0x8000'0000u, 0xffff'ffffu}) {
         packet.msg_id = requester.first_msg_id() + ahead;
         requester.send(packet);
       }
       for (std::uint32_t ahead = 0; ahead < 1'000; ++ahead) {
         packet.msg_id = requester.first_msg_id() + kFarBeyond + ahead;
         requester.send(packet);
         if (ahead % 256 == 255) requester.settle();
       }
       requester.expect_alive(rule<"EFA-3.2-207">, message);
     })},
    {"msg-id/flood-behind-a-gap",
     {&rule<"EFA-3.2-205">},
     "The responder serves another peer while three thousand messages wait for one that never comes.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const std::uint32_t missing = responder.next_msg_id();
       const OctetBuffer message = sample_octets(200);
       for (std::uint32_t i = 1; i <= 3'000; ++i) {
         send_eager(responder, missing + i, message);
         if (i % 256 == 0) responder.settle();
       }
       responder.expect_alive(rule<"EFA-3.2-205">);
     })},
    {"msg-id/wraps",
     {&rule<"EFA-3.2-206">, &rule<"EFA-3.2-202">},
     "The responder echoes messages from msg_id 4294967295 to 0, in order, and from another peer with 0 arriving "
     "first.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (responder.ok() && !wraps_soon(responder)) return responder.skip(kFarFromWrap);
       unsigned identity = 1;
       for (const auto& order : {std::array{0xffff'ffffu, 0u, 1u}, {0u, 0xffff'ffffu, 1u}}) {
         ResponderProbe peer(responder.run(), ++identity);
         const std::uint32_t first = peer.first_msg_id();
         for (std::uint32_t id = first; id != 0xffff'ffffu; ++id) send_eager(peer, id, numbered(id));
         expect_all(peer, rule<"EFA-3.2-206">, first, 0xffff'ffffu - first);
         for (const std::uint32_t id : order) send_eager(peer, id, numbered(id));
         expect_all(peer, rule<"EFA-3.2-206">, 0xffff'ffffu, 3);
       }
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> msg_id_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
