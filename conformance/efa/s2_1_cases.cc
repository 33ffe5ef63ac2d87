// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.1: the HANDSHAKE, as the answer to a first packet, and as a packet that later releases have widened.
#include <fmt/format.h>

#include "conformance/efa/case_file.h"

namespace wirelaw::efa {
namespace {

constexpr std::string_view kSection = "EFA RDM v4 2.1";
constexpr std::string_view kFormat = "EFA RDM v4 2.1, table 2.2";

constinit const Rule kLaterHandshakeIsRead = endpoint_rule(
    "EFA-2.1-201", Level::must, "EFA RDM v4 2.1, 2.1.1",
    "A HANDSHAKE with unknown bits, flags, members of extra_info or octets behind its blocks is taken for what is "
    "known of it.",
    "A-35: later releases send them");
constinit const Rule kCountIsHarmless = endpoint_rule(
    "EFA-2.1-202", Level::must, kFormat, "A HANDSHAKE whose nextra_p3 cannot be right does no harm.", "A-12");
constinit const Rule kAgainIsHarmless =
    endpoint_rule("EFA-2.1-203", Level::must, kSection, "A second HANDSHAKE of a peer does no harm.", "A-14");
constinit const Rule kServesWithout =
    responder_rule("EFA-2.1-204", Level::must, kSection,
                   "A peer that announces nothing, or has not sent its HANDSHAKE, is served by the baseline features.");

constexpr const Rule* kRules[] = {&kLaterHandshakeIsRead, &kCountIsHarmless, &kAgainIsHarmless, &kServesWithout};

// What a HANDSHAKE of this identity begins with: its base header with these flags, and nextra_p3.
OctetBuffer handshake(std::uint16_t flags, std::uint32_t nextra_p3, std::initializer_list<std::uint64_t> members) {
  OctetBuffer octets;
  Writer out(octets);
  out.little_endian(std::uint8_t{9});
  out.little_endian(kVersion);
  out.little_endian(flags);
  out.little_endian(nextra_p3);
  for (const std::uint64_t member : members) out.little_endian(member);
  return octets;
}

OctetBuffer with(OctetBuffer octets, std::initializer_list<std::uint64_t> blocks) {
  for (const std::uint64_t block : blocks) Writer(octets).little_endian(block);
  return octets;
}

// The requester sends its first message, gets this HANDSHAKE and the echo, and goes on.
template <class Shake>
void shake_requester(ResponderProbe& requester, const Rule& rule, Shake shake, bool must_go_on) {
  requester.handshake_by_hand();
  const WholeMessage message = requester.first_message();
  if (!requester.ok()) return;
  shake(requester);
  if (must_go_on)
    requester.expect_to_go_on(rule, message);
  else
    requester.expect_alive(rule, message);
}

constexpr std::uint16_t kQpnBlock = 0x0004, kP2pBlock = 0x0008;  // of later releases

}  // namespace

SectionCases s2_1_cases() {
  static const Case kCases[] = {
      {
          .id = "handshake/answers-a-first-packet-of-every-kind",
          .iut = Role::responder,
          .rules = {&traced("EFA-2.1-1"), &traced("EFA-2.1-4")},
          .purpose = "A HANDSHAKE answers each baseline REQ packet that comes first, also one that is refused.",
          .run = on_responder([](RequesterProbe& responder) {
            unsigned identity = 1;
            for (const Layout& layout : all_layouts()) {
              if (!layout.is_request() || layout.extras != 0) continue;
              if (!responder.ok()) return;
              RequesterProbe peer(responder.run(), ++identity);
              const OctetBuffer data = text("data");
              Packet packet = peer.one_sided(layout.type, {});
              if (layout.data != Data::none && layout.purpose == Purpose::message) packet.payload = data;
              packet.msg_length = layout.purpose == Purpose::message ? 8 : 0;
              packet.seg_length = data.size();
              peer.send(packet);
              responder.require(traced("EFA-2.1-1"), peer.await_handshake(), "a HANDSHAKE", "none",
                                fmt::format("the first packet is {}", layout.name));
            }
          }),
      },
      {
          .id = "handshake/answers-a-handshake-that-comes-first",
          .iut = Role::responder,
          .rules = {&traced("EFA-2.1-2")},
          .purpose = "A HANDSHAKE that is the first packet is answered with one.",
          .run = on_responder([](RequesterProbe& responder) {
            responder.send_handshake();
            responder.handshake_by_hand();
            responder.advise(traced("EFA-2.1-2"), responder.await_handshake(), "a HANDSHAKE", "none");
          }),
      },
      {
          .id = "handshake/comes-once",
          .iut = Role::responder,
          .rules = {&traced("EFA-2.1-3")},
          .purpose = "Messages, writes and a HANDSHAKE of one peer bring one HANDSHAKE.",
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            for (unsigned i = 0; i < 4; ++i) responder.send_message(text("again"));
            responder.send(responder.one_sided(PacketType::eager_rtw, {}));
            responder.listen();
            const std::size_t count = responder.count(PacketType::handshake);
            responder.advise(traced("EFA-2.1-3"), count == 1, "1 HANDSHAKE", fmt::format("{}", count));
          }),
      },
      {
          .id = "handshake/peer-announces-nothing",
          .iut = Role::responder,
          .rules = {&kServesWithout},
          .purpose = "A peer whose extra_info is zero is echoed messages of three sizes.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            responder.expect_echo(kServesWithout, sample_octets(100, 1));
            responder.expect_echo(kServesWithout, sample_octets(20'000, 2), {.transfer = Transfer::medium});
            responder.expect_echo(kServesWithout, sample_octets(90'000, 3), {.transfer = Transfer::long_cts});
          }),
      },
      {
          .id = "handshake/peer-sends-none",
          .iut = Role::responder,
          .rules = {&kServesWithout},
          .purpose = "A peer that never sends its HANDSHAKE is echoed messages of two sizes, and, better, of a third.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            responder.handshake_by_hand();
            responder.meet();
            responder.expect_echo(kServesWithout, sample_octets(100, 1));
            responder.expect_echo(kServesWithout, sample_octets(20'000, 2), {.transfer = Transfer::medium});
            const OctetBuffer message = sample_octets(90'000, 3);
            responder.send_message(message, {.transfer = Transfer::long_cts});
            responder.prefer_echoed(
                kServesWithout, message,
                "CTSDATA may wait for the HANDSHAKE, which says whether connid goes into them (4.4)");
          }),
      },
      {
          .id = "handshake/peer-announces-what-is-not-defined",
          .iut = Role::responder,
          .rules = {&kLaterHandshakeIsRead},
          .purpose = "All 64 bits of extra_info, and three members of it, are no obstacle.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            const std::uint64_t known = 0x7f & ~extra_bits({Extra::rdma_read, Extra::runting_read, Extra::rdma_write});
            unsigned identity = 2;
            for (const auto& octets :
                 {handshake(0, 4, {~std::uint64_t{0x7f} | known}), handshake(0, 6, {known, ~std::uint64_t{0}, 1})}) {
              RequesterProbe peer(responder.run(), ++identity);
              peer.handshake_by_hand();
              peer.meet();
              peer.send_octets(octets);
              peer.expect_echo(kLaterHandshakeIsRead, sample_octets(100, identity));
            }
            responder.expect_alive(kLaterHandshakeIsRead);
          }),
      },
      {
          .id = "handshake/peer-sends-optional-blocks",
          .iut = Role::responder,
          .rules = {&kLaterHandshakeIsRead},
          .purpose = "Every combination of the optional blocks, those of later releases included, and trailing octets.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            unsigned identity = 2;
            for (const unsigned blocks : {0u, 1u, 2u, 3u, 4u, 8u, 12u, 15u}) {
              for (const unsigned connid : {0u, unsigned{flag::kConnid}}) {
                RequesterProbe peer(responder.run(), ++identity);
                peer.handshake_by_hand();
                peer.meet();
                OctetBuffer octets = handshake(static_cast<std::uint16_t>(blocks | connid), 4, {0});
                if (connid != 0) octets = with(octets, {peer.connid()});
                for (const std::uint16_t block : {flag::kHostId, flag::kDeviceVersion, kQpnBlock, kP2pBlock})
                  if ((blocks & block) != 0) octets = with(octets, {0x0101'0101'0101'0101u * block});
                peer.send_octets(octets);
                peer.expect_echo(kLaterHandshakeIsRead, sample_octets(100, identity), {},
                                 fmt::format("after a HANDSHAKE with flags 0x{:04x}", blocks | connid));
              }
            }
            responder.expect_alive(kLaterHandshakeIsRead);
          }),
      },
      {
          .id = "handshake/peer-puts-octets-behind-it",
          .iut = Role::responder,
          .rules = {&kLaterHandshakeIsRead},
          .purpose = "One, eight and forty octets behind a HANDSHAKE.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            unsigned identity = 2;
            for (const std::size_t trailing : {1u, 8u, 40u}) {
              RequesterProbe peer(responder.run(), ++identity);
              peer.handshake_by_hand();
              peer.meet();
              OctetBuffer octets = handshake(0, 4, {0});
              octets.resize(octets.size() + trailing, 0x5a);
              peer.send_octets(octets);
              peer.expect_echo(kLaterHandshakeIsRead, sample_octets(100, identity));
            }
            responder.expect_alive(kLaterHandshakeIsRead);
          }),
      },
      {
          .id = "handshake/nextra-p3-that-cannot-be-right",
          .iut = Role::responder,
          .rules = {&kCountIsHarmless},
          .purpose = "nextra_p3 0 to 3, 5, 10, 255, 2^31 and 2^32-1 with one member of extra_info.",
          .run = on_responder([](RequesterProbe& responder) {
            unsigned identity = 2;
            for (const std::uint32_t count : {0u, 1u, 2u, 3u, 5u, 10u, 255u, 0x8000'0000u, 0xffff'ffffu}) {
              RequesterProbe peer(responder.run(), ++identity);
              peer.handshake_by_hand();
              peer.meet();
              peer.send_octets(handshake(0, count, {0}));
              peer.settle();
              RequesterProbe stranger(responder.run(), ++identity);
              stranger.handshake_by_hand();
              stranger.send_octets(handshake(0, count, {0}));
              stranger.settle();
              responder.expect_alive(kCountIsHarmless, fmt::format("after a HANDSHAKE with nextra_p3 {}", count));
            }
          }),
      },
      {
          .id = "handshake/comes-again",
          .iut = Role::responder,
          .rules = {&kAgainIsHarmless},
          .purpose = "A peer repeats its HANDSHAKE, and then sends another one; its messages are echoed all the same.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            responder.send_handshake();
            responder.send_handshake();
            responder.expect_echo(kAgainIsHarmless, sample_octets(100, 1), {}, "the same HANDSHAKE, three times");
            responder.send_octets(handshake(0, 5, {0xff, 0}));
            responder.expect_echo(kAgainIsHarmless, sample_octets(100, 2), {}, "then one that announces other things");
            responder.expect_alive(kAgainIsHarmless);
          }),
      },
      {
          .id = "handshake/what-is-not-defined-to-requester",
          .iut = Role::initiator,
          .rules = {&kLaterHandshakeIsRead},
          .purpose = "A HANDSHAKE with all undefined bits, three members of extra_info, and every optional block.",
          .run = on_requester([](ResponderProbe& requester) {
            shake_requester(
                requester, kLaterHandshakeIsRead,
                [](ResponderProbe& peer) {
                  OctetBuffer octets =
                      handshake(flag::kConnid | flag::kHostId | flag::kDeviceVersion | kQpnBlock | kP2pBlock, 6,
                                {~std::uint64_t{0x7f}, ~std::uint64_t{0}, 1});
                  peer.send_octets(with(octets, {peer.connid(), 1, 2, 3, 4}));
                },
                true);
          }),
      },
      {
          .id = "handshake/octets-behind-it-to-requester",
          .iut = Role::initiator,
          .rules = {&kLaterHandshakeIsRead},
          .purpose = "A HANDSHAKE with forty-one octets behind it.",
          .run = on_requester([](ResponderProbe& requester) {
            shake_requester(
                requester, kLaterHandshakeIsRead,
                [](ResponderProbe& peer) {
                  OctetBuffer octets = handshake(0, 4, {0});
                  octets.resize(octets.size() + 41, 0x5a);
                  peer.send_octets(octets);
                },
                true);
          }),
      },
      {
          .id = "handshake/nextra-p3-that-cannot-be-right-to-requester",
          .iut = Role::initiator,
          .rules = {&kCountIsHarmless},
          .purpose = "HANDSHAKE packets with nextra_p3 0 to 3, 5, 10, 255, 2^31 and 2^32-1.",
          .run = on_requester([](ResponderProbe& requester) {
            shake_requester(
                requester, kCountIsHarmless,
                [](ResponderProbe& peer) {
                  for (const std::uint32_t count : {0xffff'ffffu, 0x8000'0000u, 255u, 10u, 5u, 3u, 2u, 1u, 0u})
                    peer.send_octets(handshake(0, count, {0}));
                },
                false);
          }),
      },
      {
          .id = "handshake/comes-again-to-requester",
          .iut = Role::initiator,
          .rules = {&kAgainIsHarmless},
          .purpose = "The HANDSHAKE comes three times, then with other contents.",
          .run = on_requester([](ResponderProbe& requester) {
            shake_requester(
                requester, kAgainIsHarmless,
                [](ResponderProbe& peer) {
                  for (unsigned i = 0; i < 3; ++i) peer.send_handshake();
                  peer.send_octets(handshake(0, 5, {0xff, 0}));
                },
                true);
          }),
      },
      {
          .id = "handshake/requester-without-an-answer",
          .iut = Role::initiator,
          .rules = all_traced({"EFA-2.1-20", "EFA-2.2-1"}),
          .purpose = "A responder that never sends its HANDSHAKE sees baseline requests with a raw address only.",
          .run = on_requester([](ResponderProbe& requester) {
            requester.handshake_by_hand();
            requester.trigger({.octets = 64, .count = 3});
            requester.serve_to_the_end();
          }),
      },
      {
          .id = "handshake/requester-answers-a-first-packet",
          .iut = Role::initiator,
          .rules = {&traced("EFA-2.1-1"), &traced("EFA-2.1-4")},
          .purpose = "The requester's HANDSHAKE answers an echo that is the responder's first packet.",
          .run = on_requester([](ResponderProbe& requester) {
            requester.handshake_by_hand();
            const WholeMessage message = requester.first_message({.octets = 64, .count = 1});
            requester.echo(message);
            requester.await_handshake();
            requester.require(traced("EFA-2.1-1"), requester.met(), "a HANDSHAKE", "none");
          }),
      },
      {
          .id = "handshake/requester-answers-a-handshake",
          .iut = Role::initiator,
          .rules = {&traced("EFA-2.1-2")},
          .purpose = "The requester's HANDSHAKE answers the responder's, if nothing else comes.",
          .run = on_requester([](ResponderProbe& requester) {
            requester.first_message({.octets = 64, .count = 1});
            requester.await_handshake();
            requester.advise(traced("EFA-2.1-2"), requester.met(), "a HANDSHAKE", "none");
          }),
      },
      {
          .id = "handshake/requester-sends-one",
          .iut = Role::initiator,
          .rules = {&traced("EFA-2.1-2"), &traced("EFA-2.1-3")},
          .purpose = "The responder's HANDSHAKE, its first packet, is answered with the requester's.",
          .run = on_requester([](ResponderProbe& requester) {
            requester.trigger({.octets = 64, .count = 2});
            requester.serve_to_the_end();
            requester.advise(traced("EFA-2.1-2"), requester.met(), "a HANDSHAKE", "none",
                             "the requester has got a HANDSHAKE and echoes");
            const std::size_t count = requester.count(PacketType::handshake);
            requester.advise(traced("EFA-2.1-3"), count <= 1, "1 HANDSHAKE", fmt::format("{}", count));
          }),
      },
  };
  return {kRules, kCases};
}

}  // namespace wirelaw::efa
