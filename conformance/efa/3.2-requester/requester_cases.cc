// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, for the requester: it sends messages, and receives the echoes of a responder, which are messages to
// it. A requester that checks its echoes continues only if it has received the right octets.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/efa/3.2-ctsdata/rules.h"
#include "conformance/efa/3.2-end/rules.h"
#include "conformance/efa/3.2-requester/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

constexpr std::size_t kLong = 90'000;  // deployed senders use long-CTS above 65536 octets

bool is_long(const Received& one) {
  return is_request(one) && one.packet.layout()->transfer == Transfer::long_cts &&
         one.packet.layout()->purpose == Purpose::message;
}

// The requester's long message, whose CTS the case sends.
struct LongMessage {
  const Received* request = nullptr;
  std::uint64_t left = 0;
};
LongMessage await_long(RequesterProbe& requester) {
  requester.leave([](const Received& one) { return is_long(one) || one.is(PacketType::ctsdata); });
  requester.trigger({.octets = kLong, .count = 2});
  const Received* const request = requester.await(requester.in(4 * requester.run().answer_time()), is_long);
  if (request == nullptr) {
    requester.skip("the requester sends its long messages by another subprotocol");
    return {};
  }
  return {request, request->packet.msg_length - request->packet.payload.size()};
}

Packet cts_for(const RequesterProbe& requester, const Received& request, std::uint64_t recv_length) {
  Packet cts = requester.answer(PacketType::cts);
  cts.send_id = request.packet.send_id;
  cts.recv_id = 0x4001;
  cts.recv_length = recv_length;
  return cts;
}

// Octets in CTSDATA until they are `wanted`, or nothing more comes.
std::uint64_t await_data(RequesterProbe& requester, std::uint64_t wanted) {
  std::uint64_t octets = 0;
  while (octets < wanted) {
    const Received* const data = requester.await(PacketType::ctsdata);
    if (data == nullptr) break;
    octets += data->packet.payload.size();
  }
  return octets;
}

// An echo in segments, sent out of order.
std::vector<OctetBuffer> medium_echo(RequesterProbe& requester, const WholeMessage& message, std::size_t segment) {
  requester.intake().segment = segment;
  auto out = requester.answer_to(message);
  out.transfer = Transfer::medium;
  return requester.intake().packets_of(out);
}

bool goes_on(RequesterProbe& requester, const Rule& rule, std::string_view explanation = {}) {
  const std::size_t before = requester.requests();
  requester.resume();
  requester.await_until(requester.in(2 * requester.run().answer_time()), [&] { return requester.requests() > before; });
  return requester.require(rule, requester.requests() > before, "the requester accepts the echo and continues",
                           "no further request", explanation);
}

// Echoes two messages that were sent at once, in order or in reverse order. Returns true if a new request follows;
// empty if two messages did not come.
std::optional<bool> goes_on_behind_two(RequesterProbe& requester, bool in_order) {
  const WholeMessage first = requester.first_message({.octets = 64, .count = 2, .parallel = true});
  auto& messages = requester.intake().messages();
  requester.await_until(requester.in(requester.run().answer_time()), [&] { return !messages.empty(); });
  if (!requester.ok() || messages.empty()) return std::nullopt;
  const WholeMessage second = std::move(messages.front());
  messages.pop_front();
  auto earlier = requester.intake().packets_of(requester.answer_to(first));
  auto later = requester.intake().packets_of(requester.answer_to(second));
  if (!in_order) std::swap(earlier, later);
  const std::size_t before = requester.requests();
  requester.send_octets(earlier.front());
  requester.settle();
  requester.send_octets(later.front());
  requester.resume();
  requester.await_until(requester.in(2 * requester.run().answer_time()), [&] { return requester.requests() > before; });
  return requester.requests() > before;
}

// If the application sends no more than two messages, its silence proves nothing. A second conversation tests for that.
void takes_echoes_in_disorder(RequesterProbe& requester) {
  const auto went_on = goes_on_behind_two(requester, false);
  if (!went_on) return requester.inconclusive("the requester did not send two messages at once");
  if (!*went_on) {
    RequesterProbe beside(requester.run(), 2);
    if (!goes_on_behind_two(beside, true).value_or(false))
      return requester.inconclusive("the requester does not continue even after two echoes that come in order");
  }
  requester.require(rule<"EFA-3.2-265">, *went_on, "the requester accepts the echo and continues",
                    "no further request");
}

// A warning only, because no device does this (EFA/A-76).
void prefer_to_go_on(RequesterProbe& requester, const Rule& rule) {
  const std::size_t before = requester.requests();
  requester.resume();
  requester.await_until(requester.in(2 * requester.run().answer_time()), [&] { return requester.requests() > before; });
  requester.advise(rule, requester.requests() > before, "the requester accepts the echo and continues",
                   "no further request", kDeviceDoublesNothing);
}

// The message after one that has been answered.
std::optional<WholeMessage> next_message(RequesterProbe& requester) {
  auto& messages = requester.intake().messages();
  requester.await_until(requester.in(2 * requester.run().answer_time()), [&] { return !messages.empty(); });
  if (messages.empty()) return std::nullopt;
  WholeMessage message = std::move(messages.front());
  messages.pop_front();
  return message;
}

// A long-CTS echo that has its CTS.
struct LongEcho {
  OctetBuffer octets;
  std::uint32_t recv_id = 0;
};
std::optional<LongEcho> open_echo(RequesterProbe& requester, const WholeMessage& message) {
  auto out = requester.answer_to(message);
  out.transfer = Transfer::long_cts;
  const std::uint32_t send_id = 0x6001;
  requester.send_octets(requester.intake().packets_of(out, send_id).front());
  const Received* const cts =
      requester.await([](const Received& one) { return one.is(PacketType::cts) && one.packet.send_id == send_id; });
  requester.require(rule<"EFA-3.2-264">, cts != nullptr, "a CTS for the long-CTS message", "none");
  if (cts == nullptr) return std::nullopt;
  return LongEcho{message.octets, cts->packet.recv_id};
}

Packet data_of(const LongEcho& echo, std::uint64_t offset, Octets data) {
  Packet packet = packet_of(PacketType::ctsdata);
  packet.recv_id = echo.recv_id;
  packet.seg_offset = offset;
  packet.seg_length = data.size();
  packet.payload = data;
  return packet;
}

const CaseRow kRows[] = {
    {"longcts/echo-in-windows-to-requester",
     {&rule<"EFA-3.2-264">},
     "The requester receives a long-CTS echo that is larger than what one of its CTS allows.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const WholeMessage message = requester.first_message({.octets = 700'000, .count = 2});
       requester.expect_to_go_on(rule<"EFA-3.2-264">, message);
     }),
     Service::echo},
    {"msg-id/requester-wraps",
     {&rule<"EFA-3.2-3">},
     "The requester sends messages whose first msg_id is near the end of the sequence (parameter msg_id).",
     with<RequesterProbe>([](RequesterProbe& requester) {
       if (requester.ok() && !wraps_soon(requester)) return requester.skip(kFarFromWrap);
       requester.trigger({.octets = 64, .count = kWrapsWithin + 8});
       requester.serve_to_the_end();
     })},
    {"eager/echo-to-requester",
     {&rule<"EFA-3.2-261">},
     "The requester accepts the echo of an eager message.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const WholeMessage message = requester.first_message();
       requester.expect_to_go_on(rule<"EFA-3.2-261">, message);
     }),
     Service::echo},
    {"eager/echo-comes-again-to-requester",
     {&rule<"EFA-3.2-266">},
     "The requester continues after the echo comes three times, and its packet again after the next echo.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const WholeMessage message = requester.first_message({.octets = 64, .count = 4});
       const auto packets = requester.intake().packets_of(requester.answer_to(message));
       for (unsigned i = 0; i < 3; ++i) requester.send_octets(packets.front());
       goes_on(requester, rule<"EFA-3.2-266">);
       requester.send_octets(packets.front());
       requester.expect_alive(rule<"EFA-3.2-266">);
     }),
     Service::echo},
    {"eager/echo-before-its-turn-to-requester",
     {&rule<"EFA-3.2-265">},
     "The requester accepts two echoes of which the second arrives first.",
     with<RequesterProbe>(takes_echoes_in_disorder),
     Service::echo},
    {"medium/echo-to-requester",
     {&rule<"EFA-3.2-262">},
     "The requester reassembles an echo whose nine segments arrive from the last to the first, and another with each "
     "segment duplicated.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const WholeMessage message = requester.first_message({.octets = 850, .count = 3});
       auto packets = medium_echo(requester, message, 100);
       std::ranges::reverse(packets);
       for (const OctetBuffer& packet : packets) requester.send_octets(packet);
       const auto next = next_message(requester);
       requester.require(rule<"EFA-3.2-262">, next.has_value(), "the requester accepts the echo and continues",
                         "no further request");
       if (!next) return;
       packets = medium_echo(requester, *next, 100);
       requester.stimulates_nothing();
       for (const OctetBuffer& packet : packets) {
         requester.send_octets(packet);
         requester.send_octets(packet);
       }
       prefer_to_go_on(requester, rule<"EFA-3.2-262">);
     }),
     Service::echo},
    {"medium/part-of-an-echo-to-requester",
     {&rule<"EFA-3.2-263">},
     "The requester does not continue while the second of four segments is missing.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const WholeMessage message = requester.first_message({.octets = 350, .count = 2});
       const auto packets = medium_echo(requester, message, 100);
       if (packets.size() != 4) return;
       for (const std::size_t number : {0u, 2u, 3u}) requester.send_octets(packets[number]);
       requester.expect_no_request(rule<"EFA-3.2-263">);
       requester.send_octets(packets[1]);
       goes_on(requester, rule<"EFA-3.2-263">);
     }),
     Service::echo},
    {"medium/contradictions-to-requester",
     {&rule<"EFA-3.2-267">},
     "The requester keeps working after segments that overlap, that extend beyond the message, and that have other "
     "lengths.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const WholeMessage message = requester.first_message();
       const OctetBuffer data = sample_octets(100, 3);
       const auto send = [&](std::uint64_t length, std::uint64_t offset) {
         Packet packet = requester.request(PacketType::medium_msgrtm);
         packet.msg_id = requester.first_msg_id() + 1;  // the echo has another msg_id
         packet.seg_length = length;
         packet.seg_offset = offset;
         packet.payload = data;
         requester.send(packet);
       };
       send(200, 0);
       send(200, 50);
       send(200, 150);
       send(200, ~std::uint64_t{0} - 50);
       send(300, 100);
       send(0, 0);
       send(~std::uint64_t{0}, 0);
       requester.expect_alive(rule<"EFA-3.2-267">, message);
     })},
    {"longcts/echo-to-requester",
     {&rule<"EFA-3.2-264">},
     "The requester reassembles a long-CTS echo whose data arrives backwards, and one with each packet duplicated.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const WholeMessage message = requester.first_message({.octets = 600, .count = 3});
       const auto send = [&](const LongEcho& echo, unsigned times) {
         for (std::size_t at = 600; at > 0; at -= 100)
           for (unsigned i = 0; i < times; ++i)
             requester.send(data_of(echo, at - 100, Octets(echo.octets).subspan(at - 100, 100)));
       };
       auto echo = open_echo(requester, message);
       if (!echo) return;
       send(*echo, 1);
       const auto next = next_message(requester);
       requester.require(rule<"EFA-3.2-264">, next.has_value(), "the requester accepts the echo and continues",
                         "no further request");
       if (!next) return;
       echo = open_echo(requester, *next);
       if (!echo) return;
       requester.stimulates_nothing();
       send(*echo, 2);
       prefer_to_go_on(requester, rule<"EFA-3.2-264">);
     }),
     Service::echo},
    {"longcts/part-of-an-echo-to-requester",
     {&rule<"EFA-3.2-263">},
     "The requester does not continue while the first octet is missing.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const WholeMessage message = requester.first_message({.octets = 600, .count = 2});
       const auto echo = open_echo(requester, message);
       if (!echo) return;
       requester.send(data_of(*echo, 1, Octets(echo->octets).subspan(1)));
       requester.expect_no_request(rule<"EFA-3.2-263">);
       requester.send(data_of(*echo, 0, Octets(echo->octets).first(1)));
       goes_on(requester, rule<"EFA-3.2-263">);
     }),
     Service::echo},
    {"ctsdata/spoilt-to-requester",
     {&rule<"EFA-3.2-270">},
     "The requester keeps working after CTSDATA with wrong lengths and offsets beyond the echo, then the echo, and "
     "then its data again.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const WholeMessage message = requester.first_message({.octets = 600, .count = 3});
       const auto echo = open_echo(requester, message);
       if (!echo) return;
       const OctetBuffer other = sample_octets(100, 9);
       for (const std::uint64_t offset :
            {std::uint64_t{501}, std::uint64_t{600}, std::uint64_t{1} << 40, ~std::uint64_t{0} - 99, ~std::uint64_t{0}})
         requester.send(data_of(*echo, offset, other));
       for (const std::uint64_t length :
            {std::uint64_t{0}, std::uint64_t{99}, std::uint64_t{101}, std::uint64_t{600}, ~std::uint64_t{0}}) {
         Packet packet = data_of(*echo, 0, other);
         packet.seg_length = length;
         requester.send(packet);
       }
       requester.send(data_of(*echo, 0, sample_octets(601, 9)));
       requester.settle();
       requester.send(data_of(*echo, 0, echo->octets));
       requester.send(data_of(*echo, 0, echo->octets));
       requester.expect_alive(rule<"EFA-3.2-270">);
     })},
    {"cts/windows-of-requester",
     {&rule<"EFA-3.2-269">, &rule<"EFA-3.2-145">, &rule<"EFA-3.2-148">},
     "The requester sends a long message in windows of 30000 octets, sends no more than each window allows, and sends "
     "all of it.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       LongMessage message = await_long(requester);
       while (message.left > 0 && requester.ok()) {
         const std::uint64_t window = std::min<std::uint64_t>(message.left, 30'000);
         requester.send(cts_for(requester, *message.request, window));
         const std::uint64_t came = await_data(requester, window);
         requester.require(rule<"EFA-3.2-269">, came == window, fmt::format("{} octets in CTSDATA", window),
                           fmt::format("{}", came));
         requester.expect_none(
             rule<"EFA-3.2-145">, [](const Received& one) { return one.is(PacketType::ctsdata); },
             "nothing more before the next CTS");
         message.left -= window;
       }
     })},
    {"cts/recv-length-zero-to-requester",
     {&rule<"EFA-3.2-268">},
     "The requester keeps working after a CTS that allows nothing for a long message.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const LongMessage message = await_long(requester);
       if (message.request == nullptr) return;
       requester.send(cts_for(requester, *message.request, 0));
       requester.settle();
       requester.expect_new_start(rule<"EFA-3.2-268">);
     })},
    {"cts/more-than-the-rest-to-requester",
     {&rule<"EFA-3.2-268">},
     "The requester sends what is left and nothing more if recv_length is twice as much.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const LongMessage message = await_long(requester);
       if (message.request == nullptr) return;
       requester.send(cts_for(requester, *message.request, 2 * message.left));
       const std::uint64_t came = await_data(requester, message.left);
       requester.advise(rule<"EFA-3.2-268">, came == message.left, fmt::format("{} octets", message.left),
                        fmt::format("{}", came), "a receiver that allows more than the message has left");
       requester.expect_none(
           rule<"EFA-3.2-268">,
           [](const Received& one) { return one.is(PacketType::ctsdata) && !one.packet.payload.empty(); },
           "no more data");
       requester.expect_new_start(rule<"EFA-3.2-268">);
     })},
    {"cts/comes-again-to-requester",
     {&rule<"EFA-3.2-268">},
     "The requester keeps working after a CTS that comes three times at once, with another recv_id, and again after "
     "the whole message.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const LongMessage message = await_long(requester);
       if (message.request == nullptr) return;
       Packet cts = cts_for(requester, *message.request, 5'000);
       for (unsigned i = 0; i < 3; ++i) requester.send(cts);
       cts.recv_id = 0xffff'fffe;
       requester.send(cts);
       requester.settle();
       cts = cts_for(requester, *message.request, kLong);
       requester.send(cts);
       requester.settle();
       requester.send(cts);
       requester.expect_new_start(rule<"EFA-3.2-268">);
     })},
};

}  // namespace

std::vector<Case> message_requester_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
