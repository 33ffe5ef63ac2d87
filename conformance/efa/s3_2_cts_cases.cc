// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: CTS and CTSDATA, as no good peer sends them. The responder sends data itself where it echoes a long
// message.
#include <fmt/format.h>

#include "conformance/efa/case_file.h"

namespace wirelaw::efa {
namespace {

constexpr std::string_view kCts = "EFA RDM v4 3.2, table 3.6";
constexpr std::string_view kCtsdata = "EFA RDM v4 3.2, table 3.7";

constinit const Rule kZeroIsHarmless =
    responder_rule("EFA-3.2-241", Level::must, kCts, "A CTS with recv_length 0 does no harm.", "E-05");
constinit const Rule kMoreThanTheRest = responder_rule(
    "EFA-3.2-242", Level::must, kCts, "A CTS that allows more than what is left brings what is left.", "A-24");
constinit const Rule kLateCtsIsHarmless = responder_rule(
    "EFA-3.2-243", Level::must, kCts, "A CTS that comes again, also after the data has gone, does no harm.", "E-01");
constinit const Rule kOtherRecvIdIsHarmless =
    responder_rule("EFA-3.2-244", Level::must, kCts, "A second CTS with another recv_id does no harm.");
constinit const Rule kLengthIsHarmless = responder_rule(
    "EFA-3.2-251", Level::must, kCtsdata,
    "A CTSDATA whose seg_length is not the octets that it has does no harm, and adds none to the message.", "E-02");
constinit const Rule kBeyondIsHarmless = responder_rule(
    "EFA-3.2-252", Level::must, kCtsdata, "A CTSDATA that reaches beyond the message does no harm.", "E-02");
constinit const Rule kTooMuchIsHarmless =
    responder_rule("EFA-3.2-253", Level::must, kCtsdata, "Data that no CTS has allowed does no harm.", "E-02");
constinit const Rule kLateDataIsHarmless = responder_rule(
    "EFA-3.2-254", Level::must, kCtsdata, "CTSDATA that come when the message is whole do no harm.", "E-02");
constinit const Rule kForeignDataIsHarmless =
    responder_rule("EFA-3.2-255", Level::must, kCtsdata,
                   "CTSDATA for a message of another peer neither spoil it nor complete it.", "E-02");

constexpr const Rule* kRules[] = {&kZeroIsHarmless,        &kMoreThanTheRest,    &kLateCtsIsHarmless,
                                  &kOtherRecvIdIsHarmless, &kLengthIsHarmless,   &kBeyondIsHarmless,
                                  &kTooMuchIsHarmless,     &kLateDataIsHarmless, &kForeignDataIsHarmless};

constexpr std::size_t kLong = 90'000;  // deployed senders go over to long-CTS behind 65536

bool is_long(const Received& one) {
  const Layout* const layout = one.packet.layout();
  return layout != nullptr && layout->is_request() && layout->transfer == Transfer::long_cts;
}

// The LONGCTS request by which the responder echoes a long message, not yet answered.
const Received* await_long_echo(RequesterProbe& responder, Octets message) {
  responder.leave([](const Received& one) { return is_long(one) || one.is(PacketType::ctsdata); });
  if (!responder.send_message(message, {.transfer = Transfer::long_cts})) {
    responder.inconclusive("a long-CTS message was not allowed by a CTS");
    return nullptr;
  }
  const Received* const request = responder.await(is_long);
  if (request == nullptr)
    responder.inconclusive("the responder did not echo a long message by the long-CTS subprotocol");
  return request;
}

Packet cts_for(const RequesterProbe& responder, const Received& request, std::uint64_t recv_length) {
  Packet cts = responder.answer(PacketType::cts);
  cts.send_id = request.packet.send_id;
  cts.recv_id = 0x4001;
  cts.recv_length = recv_length;
  return cts;
}

// The octets that come in CTSDATA until they are `wanted`, or until nothing more comes.
std::uint64_t await_data(RequesterProbe& responder, std::uint64_t wanted) {
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
Opened open_message(RequesterProbe& responder, std::size_t octets) {
  Opened one{.message = sample_octets(octets, 5)};
  const std::uint32_t send_id = responder.fresh_id();
  responder.send_octets(
      responder.message_packets(responder.next_msg_id(), one.message, {.transfer = Transfer::long_cts}, send_id)[0]);
  const Received* const cts = responder.await(
      [send_id](const Received& packet) { return packet.is(PacketType::cts) && packet.packet.send_id == send_id; });
  if (cts == nullptr) responder.inconclusive("a long-CTS message was not allowed by a CTS");
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

// What is sent spoils nothing: no message comes of it but the one that is there once its data has come.
template <class Spoil>
void expect_unspoiled(RequesterProbe& responder, const Rule& rule, std::string_view what, Spoil spoil) {
  if (!responder.ok()) return;
  responder.meet();
  const Opened message = open_message(responder, 600);
  spoil(responder, message);
  responder.settle();
  for (const WholeMessage& one : responder.intake().messages())
    responder.require(rule, one.octets == message.message, "no other octets than the message has",
                      difference(message.message, one.octets), what);
  responder.send(data_of(message, 0, message.message));
  // A responder may have given the message up.
  const auto echo = responder.echoes() ? responder.await_message(message.message) : std::nullopt;
  if (echo)
    responder.require(rule, echo->octets == message.message, size_of(message.message),
                      difference(message.message, echo->octets), what);
  responder.expect_alive(rule, what);
}

}  // namespace

SectionCases s3_2_cts_cases() {
  static const Case kCases[] = {
      {
          .id = "cts/small-windows",
          .iut = Role::responder,
          .rules = {&traced("EFA-3.2-145"), &traced("EFA-3.2-148")},
          .purpose =
              "The echo of a long message is allowed in windows of 20000 octets: no more comes, and all of it does.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            const OctetBuffer message = sample_octets(kLong, 1);
            const Received* const request = await_long_echo(responder, message);
            if (request == nullptr) return;
            std::uint64_t left = kLong - request->packet.payload.size();
            while (left > 0 && responder.ok()) {
              const std::uint64_t window = std::min<std::uint64_t>(left, 20'000);
              responder.send(cts_for(responder, *request, window));
              const std::uint64_t came = await_data(responder, window);
              responder.require(traced("EFA-3.2-148"), came == window, fmt::format("{} octets in CTSDATA", window),
                                fmt::format("{}", came));
              responder.expect_none(
                  traced("EFA-3.2-145"), [](const Received& one) { return one.is(PacketType::ctsdata); },
                  "nothing more before the next CTS");
              left -= window;
            }
          }),
      },
      {
          .id = "cts/window-of-one-octet",
          .iut = Role::responder,
          .rules = {&traced("EFA-3.2-145"), &traced("EFA-3.2-148")},
          .purpose = "A CTS that allows one octet brings one octet.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            const OctetBuffer message = sample_octets(kLong, 1);
            const Received* const request = await_long_echo(responder, message);
            if (request == nullptr) return;
            responder.send(cts_for(responder, *request, 1));
            responder.listen();
            const std::uint64_t came = await_data(responder, 1);
            responder.require(traced("EFA-3.2-148"), came == 1, "1 octet in a CTSDATA", fmt::format("{}", came));
            responder.expect_none(
                traced("EFA-3.2-145"), [](const Received& one) { return one.is(PacketType::ctsdata); },
                "nothing more before the next CTS");
          }),
      },
      {
          .id = "cts/recv-length-zero",
          .iut = Role::responder,
          .rules = {&kZeroIsHarmless},
          .purpose = "A CTS that allows nothing, for an echo that waits for it.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            const OctetBuffer message = sample_octets(kLong, 1);
            const Received* const request = await_long_echo(responder, message);
            if (request == nullptr) return;
            responder.send(cts_for(responder, *request, 0));
            responder.expect_alive(kZeroIsHarmless);
          }),
      },
      {
          .id = "cts/more-than-the-rest",
          .iut = Role::responder,
          .rules = {&kMoreThanTheRest},
          .purpose = "recv_length of twice what is left, and of 2^64-1, for the echo of a long message.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            const OctetBuffer message = sample_octets(kLong, 1);
            const Received* const request = await_long_echo(responder, message);
            if (request == nullptr) return;
            const std::uint64_t left = kLong - request->packet.payload.size();
            responder.send(cts_for(responder, *request, 2 * left));
            const std::uint64_t came = await_data(responder, left);
            constexpr std::string_view kNoReceiverHasSoMuch =
                "a receiver that is ready for more than there is breaks 3.2 itself";
            if (!responder.advise(kMoreThanTheRest, came == left, fmt::format("{} octets", left),
                                  fmt::format("{}", came), kNoReceiverHasSoMuch)) {
              responder.expect_alive(kMoreThanTheRest);
              return;
            }
            responder.expect_none(
                kMoreThanTheRest,
                [](const Received& one) { return one.is(PacketType::ctsdata) && !one.packet.payload.empty(); },
                "no more data");
            responder.expect_alive(kMoreThanTheRest);
            const Received* const again = await_long_echo(responder, message);
            if (again == nullptr) return;
            // More than any receiver has: a sender may take it for nothing at all.
            responder.send(cts_for(responder, *again, ~std::uint64_t{0}));
            const std::uint64_t came_again = await_data(responder, left);
            responder.advise(kMoreThanTheRest, came_again == left, fmt::format("{} octets", left),
                             fmt::format("{}", came_again), "recv_length 2^64-1");
            responder.expect_alive(kMoreThanTheRest);
          }),
      },
      {
          .id = "cts/comes-again",
          .iut = Role::responder,
          .rules = {&kLateCtsIsHarmless},
          .purpose = "A CTS three times at once, and again when the echo is whole.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            const OctetBuffer message = sample_octets(kLong, 1);
            const Received* const request = await_long_echo(responder, message);
            if (request == nullptr) return;
            const Packet cts = cts_for(responder, *request, kLong);
            for (unsigned i = 0; i < 3; ++i) responder.send(cts);
            await_data(responder, kLong - request->packet.payload.size());
            responder.send(cts);
            responder.send(cts);
            responder.expect_alive(kLateCtsIsHarmless);
          }),
      },
      {
          .id = "cts/another-recv-id",
          .iut = Role::responder,
          .rules = {&kOtherRecvIdIsHarmless},
          .purpose = "Two CTS for parts of one echo name different receive operations.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            const OctetBuffer message = sample_octets(kLong, 1);
            const Received* const request = await_long_echo(responder, message);
            if (request == nullptr) return;
            Packet cts = cts_for(responder, *request, 5'000);
            responder.send(cts);
            await_data(responder, 5'000);
            cts.recv_id = 0xffff'fffe;
            responder.send(cts);
            responder.expect_alive(kOtherRecvIdIsHarmless);
          }),
      },
      {
          .id = "ctsdata/seg-length-beyond-the-packet",
          .iut = Role::responder,
          .rules = {&kLengthIsHarmless},
          .purpose = "seg_length one more than the octets that are there, the whole message, and 2^64-1.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            expect_unspoiled(responder, kLengthIsHarmless, "seg_length beyond the packet",
                             [](RequesterProbe& peer, const Opened& message) {
                               for (const std::uint64_t length : {std::uint64_t{101}, std::uint64_t{600},
                                                                  std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
                                 Packet data = data_of(message, 0, Octets(message.message).first(100));
                                 data.seg_length = length;
                                 peer.send(data);
                               }
                             });
          }),
      },
      {
          .id = "ctsdata/seg-length-short",
          .iut = Role::responder,
          .rules = {&kLengthIsHarmless},
          .purpose = "seg_length one less than the octets that are there, and none.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            expect_unspoiled(responder, kLengthIsHarmless, "seg_length shorter than the data",
                             [](RequesterProbe& peer, const Opened& message) {
                               for (const std::uint64_t length : {std::uint64_t{99}, std::uint64_t{0}}) {
                                 Packet data = data_of(message, 0, Octets(message.message).first(100));
                                 data.seg_length = length;
                                 peer.send(data);
                               }
                             });
          }),
      },
      {
          .id = "ctsdata/beyond-the-message",
          .iut = Role::responder,
          .rules = {&kBeyondIsHarmless},
          .purpose = "Offsets whose segment ends or begins behind the message, and one that wraps.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            expect_unspoiled(
                responder, kBeyondIsHarmless, "data beyond the message",
                [](RequesterProbe& peer, const Opened& message) {
                  const OctetBuffer data = sample_octets(100, 8);
                  for (const std::uint64_t offset : {std::uint64_t{501}, std::uint64_t{600}, std::uint64_t{601},
                                                     std::uint64_t{1} << 40, ~std::uint64_t{0} - 99, ~std::uint64_t{0}})
                    peer.send(data_of(message, offset, data));
                });
          }),
      },
      {
          .id = "ctsdata/longer-than-the-message",
          .iut = Role::responder,
          .rules = {&kBeyondIsHarmless},
          .purpose = "One CTSDATA with an octet more than the whole message.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            expect_unspoiled(responder, kBeyondIsHarmless, "a CTSDATA longer than the message",
                             [](RequesterProbe& peer, const Opened& message) {
                               peer.send(data_of(message, 0, sample_octets(601, 8)));
                             });
          }),
      },
      {
          .id = "ctsdata/before-any-cts",
          .iut = Role::responder,
          .rules = {&kTooMuchIsHarmless},
          .purpose = "A LONGCTS_RTM and, without waiting, CTSDATA for the recv_id 0 to 31.",
          .run = on_responder([](RequesterProbe& responder) {
            const OctetBuffer message = sample_octets(600, 1);
            responder.send_octets(
                responder.message_packets(responder.next_msg_id(), message, {.transfer = Transfer::long_cts}, 7)[0]);
            for (std::uint32_t id = 0; id < 32; ++id) responder.send(data_of({{}, id}, 0, message));
            responder.prefer_alive(kTooMuchIsHarmless,
                                   "the document does not say that a receiver looks whether a "
                                   "recv_id of CTSDATA is one that it has given out");
          }),
      },
      {
          .id = "ctsdata/no-octets",
          .iut = Role::responder,
          .rules = {&kLengthIsHarmless},
          .purpose = "CTSDATA without data, at the beginning, at the end and behind the end of the message.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            expect_unspoiled(responder, kLengthIsHarmless, "CTSDATA without data",
                             [](RequesterProbe& peer, const Opened& message) {
                               for (const std::uint64_t offset : {0u, 600u, 601u})
                                 peer.send(data_of(message, offset, {}));
                             });
          }),
      },
      {
          .id = "ctsdata/after-the-message",
          .iut = Role::responder,
          .rules = {&kLateDataIsHarmless},
          .purpose = "The last CTSDATA of a message comes again when the message has been echoed.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            const Opened message = open_message(responder, 600);
            responder.send(data_of(message, 0, message.message));
            responder.expect_echoed(kLateDataIsHarmless, message.message);
            responder.send(data_of(message, 0, message.message));
            responder.send(data_of(message, 0, sample_octets(600, 9)));
            responder.expect_no_message(kLateDataIsHarmless, "no second echo");
            responder.expect_alive(kLateDataIsHarmless);
          }),
      },
      {
          .id = "ctsdata/from-another-peer",
          .iut = Role::responder,
          .rules = {&kForeignDataIsHarmless},
          .purpose = "Another peer sends CTSDATA with the recv_id of a message that is under way.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            RequesterProbe other(responder.run(), 2);
            other.meet();
            responder.meet();
            const Opened message = open_message(responder, 600);
            other.send(data_of(message, 0, sample_octets(600, 9)));
            other.settle();
            responder.send(data_of(message, 0, message.message));
            responder.prefer_echoed(
                kForeignDataIsHarmless, message.message,
                "the document does not say that a receiver looks who has sent data for its recv_id");
            responder.expect_alive(kForeignDataIsHarmless);
          }),
      },
  };
  return {kRules, kCases};
}

}  // namespace wirelaw::efa
