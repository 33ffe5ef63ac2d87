// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: messages in any order of arrival, once each.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "conformance/efa/cases/case_file.h"

namespace wirelaw::efa {
namespace {

// Deployed receivers keep 16384; a case stays far below, or goes far beyond.
constexpr std::uint32_t kFarBeyond = 1'000'000;

constexpr Section kSection{"EFA RDM v4 3.2", kResponder, Observable::stimulus};
constexpr Section kSectionOfRequester = kSection.of(kRequester);

constinit const Rule kDisorderIsTaken = kSection.must(
    "EFA-3.2-201", "Messages that arrive before the one whose turn it is are delivered once it has come.");
constinit const Rule kDeliveredInOrder =
    kSection.should("EFA-3.2-202", "Messages are delivered in the order of their msg_id.",
                    "ordered delivery is the application's choice (FI_ORDER_SAS), so that this warns");
constinit const Rule kOnce =
    kSection.must("EFA-3.2-203", "A message whose packet comes again, also late, is not delivered again.");
constinit const Rule kBeyondIsHarmless = kSection.must(
    "EFA-3.2-204", "A msg_id far ahead of its turn does no harm, nor to the peer's messages that have their turn.");
constinit const Rule kFloodIsHarmless = kSection.must(
    "EFA-3.2-205",
    "Any number of messages that wait for one that never comes leave the responder able to serve others.");
constinit const Rule kWraps =
    kSection.must("EFA-3.2-206", "After msg_id 4294967295 the message with msg_id 0 is taken.",
                  "only where the peer's first msg_id can be set near the end (parameter msg_id)");

constinit const Rule kBeyondIsHarmlessToRequester = kSectionOfRequester.must(
    "EFA-3.2-207", "A msg_id far ahead of its turn does the requester no harm, nor what it waits for.");

constexpr const Rule* kRules[] = {
    &kDisorderIsTaken, &kDeliveredInOrder,           &kOnce, &kBeyondIsHarmless, &kFloodIsHarmless,
    &kWraps,           &kBeyondIsHarmlessToRequester};

constexpr Breach kBreaches[] = {
    {Deviation::handshake_needed, kDisorderIsTaken},
    {Deviation::reorder_not_tolerated, kDisorderIsTaken},
    {Deviation::delivers_in_arrival_order, kDeliveredInOrder, {.severity = Severity::warning}},
    {Deviation::reorder_not_tolerated, kOnce},
    {Deviation::duplicates_delivered, kOnce},
    {Deviation::duplicates_delivered, kBeyondIsHarmless},
    {Deviation::dies_of_far_msg_id, kBeyondIsHarmless},
    {Deviation::dies_of_many_waiting, kFloodIsHarmless},
    {Deviation::wrap_not_tolerated, kWraps, {.given = "near the last msg_id"}},
    {Deviation::dies_of_far_msg_id, kBeyondIsHarmlessToRequester},
};

void send_eager(ResponderProbe& responder, std::uint32_t msg_id, Octets message) {
  responder.send_message(msg_id, message, {});
}

OctetBuffer numbered(std::uint32_t number) {
  return text(fmt::format("message number {}", number));
}

// The echoes of these messages, in whatever order they come.
void expect_all(ResponderProbe& responder, const Rule& rule, std::uint32_t first, std::uint32_t count) {
  std::multiset<OctetBuffer> wanted, got;
  std::vector<WholeMessage> order;
  for (std::uint32_t i = 0; i < count; ++i) {
    wanted.insert(numbered(first + i));
    if (auto echo = responder.await_message()) {
      got.insert(echo->octets);
      order.push_back(std::move(*echo));
    }
  }
  responder.require(rule, got == wanted, fmt::format("the echoes of {} messages", count),
                    got.size() == count ? "other octets" : fmt::format("{} echoes", got.size()));
  if (order.empty()) return;
  // The order in which the responder has sent them.
  std::ranges::sort(order, {}, [begin = order.front().msg_id](const WholeMessage& echo) {
    return static_cast<std::int32_t>(echo.msg_id - begin);
  });
  bool sorted = true;
  for (std::uint32_t i = 0; i < order.size(); ++i) sorted &= order[i].octets == numbered(first + i);
  responder.advise(kDeliveredInOrder, sorted, "the echoes in the order of msg_id", "another order");
}

const Case kCases[] = {
    {
        .id = "msg-id/gap-that-is-filled-late",
        .iut = kResponder,
        .rules = {&kDisorderIsTaken, &kDeliveredInOrder},
        .purpose = "Messages 4, 3, 2 arrive before message 1; all four are echoed, in order.",
        .needs = Service::echo,
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
          responder.meet();
          const std::uint32_t first = responder.next_msg_id();
          for (const std::uint32_t ahead : {3u, 2u, 1u}) send_eager(responder, first + ahead, numbered(first + ahead));
          responder.settle();
          send_eager(responder, first, numbered(first));
          expect_all(responder, kDisorderIsTaken, first, 4);
        }),
    },
    {
        .id = "msg-id/every-second-first",
        .iut = kResponder,
        .rules = {&kDisorderIsTaken, &kDeliveredInOrder},
        .purpose = "Of 64 messages those with even numbers arrive behind all the others.",
        .needs = Service::echo,
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
          responder.meet();
          const std::uint32_t first = responder.next_msg_id();
          for (std::uint32_t i = 1; i < 64; i += 2) send_eager(responder, first + i, numbered(first + i));
          for (std::uint32_t i = 0; i < 64; i += 2) send_eager(responder, first + i, numbered(first + i));
          expect_all(responder, kDisorderIsTaken, first, 64);
        }),
    },
    {
        .id = "msg-id/first-message-arrives-last",
        .iut = kResponder,
        .rules = {&kDisorderIsTaken, &kDeliveredInOrder},
        .purpose = "A new peer's messages 1 and 2 arrive before message 0.",
        .needs = Service::echo,
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
          const std::uint32_t first = responder.first_msg_id();
          for (const std::uint32_t ahead : {1u, 2u, 0u}) send_eager(responder, first + ahead, numbered(first + ahead));
          expect_all(responder, kDisorderIsTaken, first, 3);
        }),
    },
    {
        .id = "msg-id/used-again",
        .iut = kResponder,
        .rules = {&kOnce},
        .purpose =
            "A packet comes again at once, and again after ten other messages; other octets under its msg_id too.",
        .needs = Service::echo,
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
          responder.meet();
          const std::uint32_t first = responder.next_msg_id();
          const OctetBuffer once = text("delivered once");
          send_eager(responder, first, once);
          send_eager(responder, first, once);
          responder.expect_echoed(kOnce, once);
          for (unsigned i = 0; i < 10; ++i) responder.expect_echo(kOnce, sample_octets(30, i));
          send_eager(responder, first, once);
          send_eager(responder, first, text("not delivered at all"));
          responder.expect_no_message(kOnce, "no message for a msg_id that has been used");
          responder.expect_alive(kOnce);
        }),
    },
    {
        .id = "msg-id/waits-and-comes-again",
        .iut = kResponder,
        .rules = {&kOnce},
        .purpose = "A message that has to wait comes three times before its turn.",
        .needs = Service::echo,
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
          responder.meet();
          const std::uint32_t first = responder.next_msg_id();
          responder.next_msg_id();
          for (unsigned i = 0; i < 3; ++i) send_eager(responder, first + 1, text("second"));
          send_eager(responder, first, text("first"));
          responder.expect_echoed(kOnce, text("first"));
          responder.expect_echoed(kOnce, text("second"));
          responder.expect_no_message(kOnce, "each message once");
          responder.expect_alive(kOnce);
        }),
    },
    {
        .id = "msg-id/far-ahead",
        .iut = kResponder,
        .rules = {&kBeyondIsHarmless},
        .purpose = "msg_id a million, 2^31 and 2^32-1 ahead; the peer's next messages are echoed.",
        .needs = Service::echo,
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
          responder.meet();
          const std::uint32_t met = responder.first_msg_id();
          for (const std::uint32_t ahead : {kFarBeyond, 0x7fff'ffffu, 0x8000'0000u, 0xffff'ffffu})
            send_eager(responder, met + ahead, text("far ahead"));
          responder.settle();
          responder.expect_echo(kBeyondIsHarmless, sample_octets(40, 1));
          responder.expect_alive(kBeyondIsHarmless);
        }),
    },
    {
        .id = "msg-id/far-ahead-to-requester",
        .iut = kRequester,
        .rules = {&kBeyondIsHarmlessToRequester},
        .purpose = "Messages a million, 2^31 and 2^32-1 ahead, and a thousand in a row, before the echo.",
        .run = with<RequesterProbe>([](RequesterProbe& requester) {
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
          requester.expect_alive(kBeyondIsHarmlessToRequester, message);
        }),
    },
    {
        .id = "msg-id/flood-behind-a-gap",
        .iut = kResponder,
        .rules = {&kFloodIsHarmless},
        .purpose = "Three thousand messages behind one that never comes; another peer is served.",
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
          responder.meet();
          const std::uint32_t missing = responder.next_msg_id();
          const OctetBuffer message = sample_octets(200);
          for (std::uint32_t i = 1; i <= 3'000; ++i) {
            send_eager(responder, missing + i, message);
            if (i % 256 == 0) responder.settle();
          }
          responder.expect_alive(kFloodIsHarmless);
        }),
    },
    {
        .id = "msg-id/wraps",
        .iut = kResponder,
        .rules = {&kWraps, &kDeliveredInOrder},
        .purpose = "Messages go from msg_id 4294967295 to 0, in order and, of another peer, with 0 arriving first.",
        .needs = Service::echo,
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
          if (responder.ok() && !wraps_soon(responder)) return responder.skip(kFarFromWrap);
          unsigned identity = 1;
          for (const auto& order : {std::array{0xffff'ffffu, 0u, 1u}, {0u, 0xffff'ffffu, 1u}}) {
            ResponderProbe peer(responder.run(), ++identity);
            const std::uint32_t first = peer.first_msg_id();
            for (std::uint32_t id = first; id != 0xffff'ffffu; ++id) send_eager(peer, id, numbered(id));
            expect_all(peer, kWraps, first, 0xffff'ffffu - first);
            for (const std::uint32_t id : order) send_eager(peer, id, numbered(id));
            expect_all(peer, kWraps, 0xffff'ffffu, 3);
          }
        }),
    },
};

}  // namespace

SectionCases s3_2_msg_id_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::efa
