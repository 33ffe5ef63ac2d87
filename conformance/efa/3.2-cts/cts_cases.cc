// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: invalid CTS and CTSDATA, which no correct peer sends. The responder sends data itself if it echoes a
// long message.
#include <fmt/format.h>

#include "conformance/efa/3.2-cts/rules.h"
#include "conformance/efa/3.2-ctsdata/rules.h"
#include "conformance/efa/3.2-end/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

constexpr std::size_t kLong = 90'000;  // deployed senders use long-CTS above 65536 octets

bool is_long(const Received& one) {
  const Layout* const layout = one.packet.layout();
  return layout != nullptr && layout->is_request() && layout->transfer == Transfer::long_cts;
}

// The LONGCTS request by which the responder echoes a long message, not yet answered.
const Received* await_long_echo(ResponderProbe& responder, Octets message) {
  responder.leave([](const Received& one) { return is_long(one) || one.is(PacketType::ctsdata); });
  if (!responder.send_message(message, {.transfer = Transfer::long_cts})) {
    responder.inconclusive("the requester sent a long-CTS message before a CTS allowed it");
    return nullptr;
  }
  const Received* const request = responder.await(is_long);
  if (request == nullptr)
    responder.inconclusive("the responder did not echo a long message by the long-CTS subprotocol");
  return request;
}

Packet cts_for(const ResponderProbe& responder, const Received& request, std::uint64_t recv_length) {
  Packet cts = responder.answer(PacketType::cts);
  cts.send_id = request.packet.send_id;
  cts.recv_id = 0x4001;
  cts.recv_length = recv_length;
  return cts;
}

// The octets that come in CTSDATA until they are `wanted`, or until nothing more comes.
std::uint64_t await_data(ResponderProbe& responder, std::uint64_t wanted) {
  std::uint64_t octets = 0;
  while (octets < wanted) {
    const Received* const data = responder.await(PacketType::ctsdata);
    if (data == nullptr) break;
    octets += data->packet.payload.size();
  }
  return octets;
}

// A long-CTS message to the responder that has its CTS; nothing of it has been sent.
struct Opened {
  OctetBuffer message;
  std::uint32_t recv_id = 0;
};
Opened open_message(ResponderProbe& responder, std::size_t octets) {
  Opened one{.message = sample_octets(octets, 5)};
  const std::uint32_t send_id = responder.fresh_id();
  responder.send_octets(
      responder.message_packets(responder.next_msg_id(), one.message, {.transfer = Transfer::long_cts}, send_id)[0]);
  const Received* const cts = responder.await(
      [send_id](const Received& packet) { return packet.is(PacketType::cts) && packet.packet.send_id == send_id; });
  if (cts == nullptr) responder.inconclusive("the requester sent a long-CTS message before a CTS allowed it");
  if (cts != nullptr) one.recv_id = cts->packet.recv_id;
  return one;
}

Packet data_of(const Opened& message, std::uint64_t offset, Octets data) {
  Packet packet = packet_of(PacketType::ctsdata);
  packet.recv_id = message.recv_id;
  packet.seg_offset = offset;
  packet.seg_length = data.size();
  packet.payload = data;
  return packet;
}

// The echo of a long message waits for its CTS: nothing of it has come.
struct LongEcho {
  OctetBuffer message = {};
  const Received* request = nullptr;
  std::uint64_t left() const { return message.size() - request->packet.payload.size(); }
};
CaseRow on_long_echo(std::string_view id, std::vector<const Rule*> rules, std::string_view purpose,
                     void (*body)(ResponderProbe&, const LongEcho&)) {
  return {id, std::move(rules), purpose, with<ResponderProbe>([body](ResponderProbe& responder) {
            responder.meet();
            LongEcho echo{.message = sample_octets(kLong, 1)};
            echo.request = await_long_echo(responder, echo.message);
            if (echo.request != nullptr) body(responder, echo);
          }),
          Service::echo};
}

void send_small_windows(ResponderProbe& responder, const LongEcho& echo) {
  std::uint64_t left = echo.left();
  while (left > 0 && responder.ok()) {
    const std::uint64_t window = std::min<std::uint64_t>(left, 20'000);
    responder.send(cts_for(responder, *echo.request, window));
    const std::uint64_t came = await_data(responder, window);
    responder.require(rule<"EFA-3.2-148">, came == window, fmt::format("{} octets in CTSDATA", window),
                      fmt::format("{}", came));
    responder.expect_none(
        rule<"EFA-3.2-145">, [](const Received& one) { return one.is(PacketType::ctsdata); },
        "nothing more before the next CTS");
    left -= window;
  }
}

void allow_one_octet(ResponderProbe& responder, const LongEcho& echo) {
  responder.send(cts_for(responder, *echo.request, 1));
  responder.listen();
  const std::uint64_t came = await_data(responder, 1);
  responder.require(rule<"EFA-3.2-148">, came == 1, "1 octet in a CTSDATA", fmt::format("{}", came));
  responder.expect_none(
      rule<"EFA-3.2-145">, [](const Received& one) { return one.is(PacketType::ctsdata); },
      "nothing more before the next CTS");
}

void allow_nothing(ResponderProbe& responder, const LongEcho& echo) {
  responder.send(cts_for(responder, *echo.request, 0));
  responder.expect_alive(rule<"EFA-3.2-241">);
}

void allow_too_much(ResponderProbe& responder, const LongEcho& echo) {
  const std::uint64_t left = echo.left();
  responder.send(cts_for(responder, *echo.request, 2 * left));
  const std::uint64_t came = await_data(responder, left);
  constexpr std::string_view kNoReceiverHasSoMuch =
      "a receiver that allows more than the message has left breaks 3.2 itself";
  if (!responder.advise(rule<"EFA-3.2-242">, came == left, fmt::format("{} octets", left), fmt::format("{}", came),
                        kNoReceiverHasSoMuch)) {
    responder.expect_alive(rule<"EFA-3.2-242">);
    return;
  }
  responder.expect_none(
      rule<"EFA-3.2-242">,
      [](const Received& one) { return one.is(PacketType::ctsdata) && !one.packet.payload.empty(); }, "no more data");
  responder.expect_alive(rule<"EFA-3.2-242">);
  const Received* const again = await_long_echo(responder, echo.message);
  if (again == nullptr) return;
  // More than any receiver has: a sender may ignore it (EFA/A-24).
  responder.send(cts_for(responder, *again, ~std::uint64_t{0}));
  const std::uint64_t came_again = await_data(responder, left);
  responder.advise(rule<"EFA-3.2-242">, came_again == left, fmt::format("{} octets", left),
                   fmt::format("{}", came_again), "recv_length 2^64-1");
  responder.expect_alive(rule<"EFA-3.2-242">);
}

void repeat_cts(ResponderProbe& responder, const LongEcho& echo) {
  const Packet cts = cts_for(responder, *echo.request, kLong);
  for (unsigned i = 0; i < 3; ++i) responder.send(cts);
  await_data(responder, echo.left());
  responder.send(cts);
  responder.send(cts);
  responder.expect_alive(rule<"EFA-3.2-243">);
}

void change_recv_id(ResponderProbe& responder, const LongEcho& echo) {
  Packet cts = cts_for(responder, *echo.request, 5'000);
  responder.send(cts);
  await_data(responder, 5'000);
  cts.recv_id = 0xffff'fffe;
  responder.send(cts);
  responder.expect_alive(rule<"EFA-3.2-244">);
}

// Expects that the faulty packets have no effect: only the one opened message is delivered, once its data has arrived.
CaseRow spoilt_data(std::string_view id, const Rule& rule, std::string_view purpose, std::string_view what,
                    void (*spoil)(ResponderProbe&, const Opened&)) {
  return {id,
          {&rule},
          purpose,
          with<ResponderProbe>([&rule, what, spoil](ResponderProbe& responder) {
            if (!responder.ok()) return;
            responder.meet();
            const Opened message = open_message(responder, 600);
            spoil(responder, message);
            responder.settle();
            for (const WholeMessage& one : responder.intake().messages())
              responder.require(rule, one.octets == message.message, "only the octets of the message",
                                difference(message.message, one.octets), what);
            responder.send(data_of(message, 0, message.message));
            // A responder may have given the message up.
            const auto echo = responder.echoes() ? responder.await_message(message.message) : std::nullopt;
            if (echo)
              responder.require(rule, echo->octets == message.message, size_of(message.message),
                                difference(message.message, echo->octets), what);
            responder.expect_alive(rule, what);
          }),
          Service::echo};
}

// The first hundred octets, with this seg_length.
void send_with_length(ResponderProbe& peer, const Opened& message, std::uint64_t length) {
  Packet data = data_of(message, 0, Octets(message.message).first(100));
  data.seg_length = length;
  peer.send(data);
}

void say_too_much(ResponderProbe& peer, const Opened& message) {
  for (const std::uint64_t length : {std::uint64_t{101}, std::uint64_t{600}, std::uint64_t{1} << 63, ~std::uint64_t{0}})
    send_with_length(peer, message, length);
}

void say_too_little(ResponderProbe& peer, const Opened& message) {
  for (const std::uint64_t length : {99u, 0u}) send_with_length(peer, message, length);
}

void send_beyond(ResponderProbe& peer, const Opened& message) {
  const OctetBuffer data = sample_octets(100, 8);
  for (const std::uint64_t offset : {std::uint64_t{501}, std::uint64_t{600}, std::uint64_t{601}, std::uint64_t{1} << 40,
                                     ~std::uint64_t{0} - 99, ~std::uint64_t{0}})
    peer.send(data_of(message, offset, data));
}

void send_too_much(ResponderProbe& peer, const Opened& message) {
  peer.send(data_of(message, 0, sample_octets(601, 8)));
}

void send_no_octets(ResponderProbe& peer, const Opened& message) {
  for (const std::uint64_t offset : {0u, 600u, 601u}) peer.send(data_of(message, offset, {}));
}

const CaseRow kRows[] = {
    on_long_echo("cts/small-windows", {&rule<"EFA-3.2-145">, &rule<"EFA-3.2-148">},
                 "The responder sends a long echo in windows of 20000 octets, sends no more than each window allows, "
                 "and sends all of it.",
                 send_small_windows),
    on_long_echo("cts/window-of-one-octet", {&rule<"EFA-3.2-145">, &rule<"EFA-3.2-148">},
                 "The responder sends one octet after a CTS that allows one octet.", allow_one_octet),
    on_long_echo("cts/recv-length-zero", {&rule<"EFA-3.2-241">},
                 "The responder keeps working after a CTS that allows nothing for an echo that waits for a CTS.",
                 allow_nothing),
    on_long_echo("cts/more-than-the-rest", {&rule<"EFA-3.2-242">},
                 "The responder sends no more than the echo of a long message if recv_length is twice what is left, "
                 "and if it is 2^64-1.",
                 allow_too_much),
    on_long_echo(
        "cts/comes-again", {&rule<"EFA-3.2-243">},
        "The responder keeps working after a CTS that comes three times at once, and again after the whole echo.",
        repeat_cts),
    on_long_echo(
        "cts/another-recv-id", {&rule<"EFA-3.2-244">},
        "The responder keeps working after two CTS for parts of one echo that name different receive operations.",
        change_recv_id),
    spoilt_data("ctsdata/seg-length-beyond-the-packet", rule<"EFA-3.2-251">,
                "The responder keeps working after a seg_length of one octet more than there is, of the whole message, "
                "and of 2^64-1.",
                "seg_length beyond the packet", say_too_much),
    spoilt_data("ctsdata/seg-length-short", rule<"EFA-3.2-251">,
                "The responder keeps working after a seg_length of one octet less than there is, and of zero.",
                "seg_length shorter than the data", say_too_little),
    spoilt_data("ctsdata/beyond-the-message", rule<"EFA-3.2-252">,
                "The responder keeps working after offsets whose segment ends or begins after the message, and an "
                "offset that wraps.",
                "data beyond the message", send_beyond),
    spoilt_data("ctsdata/longer-than-the-message", rule<"EFA-3.2-252">,
                "The responder keeps working after one CTSDATA with one octet more than the whole message.",
                "a CTSDATA longer than the message", send_too_much),
    {"ctsdata/before-any-cts",
     {&rule<"EFA-3.2-253">},
     "The responder keeps working after CTSDATA for recv_id 0 to 31 that follow a LONGCTS_RTM without waiting.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       const OctetBuffer message = sample_octets(600, 1);
       responder.send_octets(
           responder.message_packets(responder.next_msg_id(), message, {.transfer = Transfer::long_cts}, 7)[0]);
       for (std::uint32_t id = 0; id < 32; ++id) responder.send(data_of({{}, id}, 0, message));
       responder.prefer_alive(
           rule<"EFA-3.2-253">,
           "the document does not require a receiver to check whether it has assigned the recv_id of CTSDATA");
     })},
    spoilt_data("ctsdata/no-octets", rule<"EFA-3.2-251">,
                "The responder keeps working after CTSDATA without data at the beginning, at the end and after the end "
                "of the message.",
                "CTSDATA without data", send_no_octets),
    {"ctsdata/after-the-message",
     {&rule<"EFA-3.2-254">},
     "The responder echoes a message once, although its last CTSDATA comes again after the echo.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const Opened message = open_message(responder, 600);
       responder.send(data_of(message, 0, message.message));
       responder.expect_echoed(rule<"EFA-3.2-254">, message.message);
       responder.send(data_of(message, 0, message.message));
       responder.send(data_of(message, 0, sample_octets(600, 9)));
       responder.expect_no_message(rule<"EFA-3.2-254">, "no second echo");
       responder.expect_alive(rule<"EFA-3.2-254">);
     }),
     Service::echo},
    {"ctsdata/from-another-peer",
     {&rule<"EFA-3.2-255">},
     "The responder keeps working after CTSDATA from another peer with the recv_id of a message in progress.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       ResponderProbe other(responder.run(), 2);
       other.meet();
       responder.meet();
       const Opened message = open_message(responder, 600);
       other.send(data_of(message, 0, sample_octets(600, 9)));
       other.settle();
       responder.send(data_of(message, 0, message.message));
       responder.prefer_echoed(rule<"EFA-3.2-255">, message.message,
                               "the document does not require a receiver to check who has sent data for its recv_id");
       responder.expect_alive(rule<"EFA-3.2-255">);
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> cts_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
