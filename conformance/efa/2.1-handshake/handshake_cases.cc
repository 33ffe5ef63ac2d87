// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.1: the HANDSHAKE, as the answer to a first packet, and as a packet that later releases have widened.
#include <fmt/format.h>

#include "conformance/efa/2.1-handshake/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

// The beginning of a HANDSHAKE: its base header with these flags, nextra_p3, and the members of extra_info.
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

OctetBuffer followed_by(OctetBuffer octets, std::initializer_list<std::uint64_t> blocks) {
  for (const std::uint64_t block : blocks) Writer(octets).little_endian(block);
  return octets;
}

constexpr std::uint16_t kQpnBlock = 0x0004, kP2pBlock = 0x0008;  // flags that later releases define (EFA/A-35)
constexpr std::uint16_t kUndefinedBlock = 0x0010;                // no release defines it

// Expects an echo to a peer whose HANDSHAKE is built by `octets_of`.
template <class OctetsOf>
void expect_echo_after(ResponderProbe& responder, unsigned identity, OctetsOf octets_of, std::string_view what = {}) {
  ResponderProbe peer(responder.run(), identity);
  peer.handshake_by_hand();
  peer.meet();
  peer.send_octets(octets_of(peer));
  peer.expect_echo(rule<"EFA-2.1-201">, sample_octets(100, identity), {}, what);
}

// Builds a HANDSHAKE with these optional blocks, and with a connid if the flags contain CONNID_HDR.
OctetBuffer with_blocks(const ResponderProbe& peer, std::uint16_t flags) {
  OctetBuffer octets = handshake(flags, 4, {0});
  if ((flags & flag::kConnid) != 0) octets = followed_by(octets, {peer.connid()});
  for (const std::uint16_t block : {flag::kHostId, flag::kDeviceVersion, kQpnBlock, kP2pBlock})
    if ((flags & block) != 0) octets = followed_by(octets, {0x0101'0101'0101'0101u * block});
  return octets;
}

OctetBuffer with_octets_behind(std::size_t count) {
  OctetBuffer octets = handshake(0, 4, {0});
  octets.resize(octets.size() + count, 0x5a);
  return octets;
}

// The requester sends its first message and gets this HANDSHAKE and the echo. It must then continue, or only keep
// serving if the HANDSHAKE is invalid.
CaseRow shaken(std::string_view id, const Rule& demand, std::string_view purpose, void (*shake)(RequesterProbe&)) {
  return {id, {&demand}, purpose, with<RequesterProbe>([&demand, shake](RequesterProbe& requester) {
            requester.handshake_by_hand();
            const WholeMessage message = requester.first_message();
            if (!requester.ok()) return;
            shake(requester);
            if (&demand == &rule<"EFA-2.1-202">)
              requester.expect_alive(demand, message);
            else
              requester.expect_to_go_on(demand, message);
          })};
}

// The number of HANDSHAKEs that the peer has certainly sent. If two have the same octets and come shortly after each
// other, the network may have duplicated the first.
std::size_t handshakes_of(const Probe& peer) {
  constexpr std::chrono::milliseconds kShortly{100};
  const std::size_t all = peer.count(PacketType::handshake);
  if (all != 2 || !peer.may_double()) return all;
  const Received& first = *peer.handshake();
  const bool doubled = 2 == peer.count([&](const Received& one) {
    return one.octets == first.octets && one.arrived - first.arrived < kShortly;
  });
  return doubled ? 1 : all;
}

void send_what_is_not_defined(RequesterProbe& peer) {
  // ID 7 would declare that its messages go to another queue pair (4.8 of later documents).
  const std::uint64_t undefined = ~std::uint64_t{0x7f} & ~extra_bits({Extra::user_recv_qp});
  const OctetBuffer octets =
      handshake(flag::kConnid | flag::kHostId | flag::kDeviceVersion | kP2pBlock | kUndefinedBlock, 6,
                {undefined, ~std::uint64_t{0}, 1});
  peer.send_octets(followed_by(octets, {peer.connid(), 1, 2, 3, 4}));
}

void send_octets_behind(RequesterProbe& peer) {
  peer.send_octets(with_octets_behind(41));
}

void send_wrong_counts(RequesterProbe& peer) {
  for (const std::uint32_t count : {0xffff'ffffu, 0x8000'0000u, 255u, 10u, 5u, 3u, 2u, 1u, 0u})
    peer.send_octets(handshake(0, count, {0}));
}

void send_again(RequesterProbe& peer) {
  for (unsigned i = 0; i < 3; ++i) peer.send_handshake();
  peer.send_octets(handshake(0, 5, {0xff, 0}));
}

const CaseRow kRows[] = {
    {"handshake/answers-a-first-packet-of-every-kind",
     {&rule<"EFA-2.1-1">, &rule<"EFA-2.1-4">},
     "The responder answers each baseline REQ packet that comes first with a HANDSHAKE, even if it refuses the "
     "request.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       unsigned identity = 1;
       for (const Layout& layout : all_layouts()) {
         if (!layout.is_request() || layout.extras != 0) continue;
         if (!responder.ok()) return;
         ResponderProbe peer(responder.run(), ++identity);
         const OctetBuffer data = text("data");
         Packet packet = peer.one_sided(layout.type, {});
         if (layout.data != Data::none && layout.purpose == Purpose::message) packet.payload = data;
         packet.msg_length = layout.purpose == Purpose::message ? 8 : 0;
         packet.seg_length = data.size();
         peer.send(packet);
         responder.require(rule<"EFA-2.1-1">, peer.await_handshake(), "a HANDSHAKE", "none",
                           fmt::format("the first packet is {}", layout.name));
       }
     })},
    {"handshake/answers-a-handshake-that-comes-first",
     {&rule<"EFA-2.1-2">},
     "The responder answers a HANDSHAKE that is the first packet with a HANDSHAKE.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.send_handshake();
       responder.handshake_by_hand();
       responder.advise(rule<"EFA-2.1-2">, responder.await_handshake(), "a HANDSHAKE", "none");
     })},
    {"handshake/comes-once",
     {&rule<"EFA-2.1-3">},
     "The responder sends one HANDSHAKE to a peer that sends messages, writes and a HANDSHAKE.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       for (unsigned i = 0; i < 4; ++i) responder.send_message(text("again"));
       responder.send(responder.one_sided(PacketType::eager_rtw, {}));
       responder.listen();
       const std::size_t count = handshakes_of(responder);
       responder.advise(rule<"EFA-2.1-3">, count == 1, "1 HANDSHAKE", fmt::format("{}", count));
     })},
    {"handshake/peer-announces-nothing",
     {&rule<"EFA-2.1-204">},
     "The responder echoes messages of three sizes to a peer whose extra_info is zero.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       responder.expect_echo(rule<"EFA-2.1-204">, sample_octets(100, 1));
       responder.expect_echo(rule<"EFA-2.1-204">, sample_octets(20'000, 2), {.transfer = Transfer::medium});
       responder.expect_echo(rule<"EFA-2.1-204">, sample_octets(90'000, 3), {.transfer = Transfer::long_cts});
     }),
     Service::echo},
    {"handshake/peer-sends-none",
     {&rule<"EFA-2.1-204">},
     "The responder echoes messages of two sizes, and preferably of a third, to a peer that never sends its HANDSHAKE.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.handshake_by_hand();
       responder.meet();
       responder.expect_echo(rule<"EFA-2.1-204">, sample_octets(100, 1));
       responder.expect_echo(rule<"EFA-2.1-204">, sample_octets(20'000, 2), {.transfer = Transfer::medium});
       const OctetBuffer message = sample_octets(90'000, 3);
       responder.send_message(message, {.transfer = Transfer::long_cts});
       responder.prefer_echoed(rule<"EFA-2.1-204">, message,
                               "CTSDATA may wait for the HANDSHAKE, which states whether they contain connid (4.4)");
     }),
     Service::echo},
    {"handshake/peer-without-extra-info",
     {&rule<"EFA-2.1-204">},
     "The responder echoes two messages, and preferably a third, to a peer whose HANDSHAKE ends before extra_info and "
     "so announces nothing.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.handshake_by_hand();
       responder.meet();
       responder.send_octets(handshake(0, 3, {}));
       responder.expect_echo(rule<"EFA-2.1-204">, sample_octets(100, 1));
       responder.expect_echo(rule<"EFA-2.1-204">, sample_octets(20'000, 2), {.transfer = Transfer::medium});
       const OctetBuffer message = sample_octets(90'000, 3);
       responder.send_message(message, {.transfer = Transfer::long_cts});
       responder.prefer_echoed(rule<"EFA-2.1-204">, message,
                               "the responder may have ignored such a HANDSHAKE (EFA/A-12)");
     }),
     Service::echo},
    {"handshake/peer-announces-what-is-not-defined",
     {&rule<"EFA-2.1-201">},
     "The responder accepts a HANDSHAKE with all 64 bits of extra_info set and three members of it.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       const std::uint64_t known = 0x7f & ~extra_bits({Extra::rdma_read, Extra::runting_read, Extra::rdma_write});
       expect_echo_after(responder, 3,
                         [](const ResponderProbe&) { return handshake(0, 4, {~std::uint64_t{0x7f} | known}); });
       expect_echo_after(responder, 4, [](const ResponderProbe&) {
         return handshake(0, 6, {known, ~std::uint64_t{0}, 1});
       });
       responder.expect_alive(rule<"EFA-2.1-201">);
     }),
     Service::echo},
    {"handshake/peer-sends-optional-blocks",
     {&rule<"EFA-2.1-201">},
     "The responder accepts a HANDSHAKE with combinations of the optional blocks, of blocks from later documents, and "
     "of a flag that has no block.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       unsigned identity = 2;
       for (const unsigned blocks : {0u, 1u, 2u, 3u, 4u, 8u, 12u, 15u, 16u}) {
         for (const unsigned connid : {0u, unsigned{flag::kConnid}}) {
           const auto flags = static_cast<std::uint16_t>(blocks | connid);
           expect_echo_after(
               responder, ++identity, [flags](const ResponderProbe& peer) { return with_blocks(peer, flags); },
               fmt::format("after a HANDSHAKE with flags 0x{:04x}", flags));
         }
       }
       responder.expect_alive(rule<"EFA-2.1-201">);
     }),
     Service::echo},
    {"handshake/peer-puts-octets-behind-it",
     {&rule<"EFA-2.1-201">},
     "The responder accepts a HANDSHAKE that is followed by one, eight and forty octets.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       unsigned identity = 2;
       for (const std::size_t trailing : {1u, 8u, 40u})
         expect_echo_after(responder, ++identity,
                           [trailing](const ResponderProbe&) { return with_octets_behind(trailing); });
       responder.expect_alive(rule<"EFA-2.1-201">);
     }),
     Service::echo},
    {"handshake/nextra-p3-that-cannot-be-right",
     {&rule<"EFA-2.1-202">},
     "The responder keeps working after nextra_p3 of 0 to 3, 5, 10, 255, 2^31 and 2^32-1 with one member of "
     "extra_info.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       unsigned identity = 2;
       for (const std::uint32_t count : {0u, 1u, 2u, 3u, 5u, 10u, 255u, 0x8000'0000u, 0xffff'ffffu}) {
         ResponderProbe peer(responder.run(), ++identity);
         peer.handshake_by_hand();
         peer.meet();
         peer.send_octets(handshake(0, count, {0}));
         peer.settle();
         ResponderProbe stranger(responder.run(), ++identity);
         stranger.handshake_by_hand();
         stranger.send_octets(handshake(0, count, {0}));
         stranger.settle();
         responder.expect_alive(rule<"EFA-2.1-202">, fmt::format("after a HANDSHAKE with nextra_p3 {}", count));
       }
     })},
    {"handshake/comes-again",
     {&rule<"EFA-2.1-203">},
     "The responder still echoes messages after the peer repeats its HANDSHAKE and then sends a different one.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       responder.send_handshake();
       responder.send_handshake();
       responder.expect_echo(rule<"EFA-2.1-203">, sample_octets(100, 1), {}, "the same HANDSHAKE, three times");
       responder.send_octets(handshake(0, 5, {0xff, 0}));
       responder.expect_echo(rule<"EFA-2.1-203">, sample_octets(100, 2), {}, "then one that announces other features");
       responder.expect_alive(rule<"EFA-2.1-203">);
     }),
     Service::echo},
    shaken("handshake/what-is-not-defined-to-requester", rule<"EFA-2.1-201">,
           "The requester accepts a HANDSHAKE with all undefined bits except ID 7, three members of extra_info, and "
           "unknown and later blocks.",
           send_what_is_not_defined),
    shaken("handshake/octets-behind-it-to-requester", rule<"EFA-2.1-201">,
           "The requester accepts a HANDSHAKE that is followed by forty-one octets.", send_octets_behind),
    shaken("handshake/nextra-p3-that-cannot-be-right-to-requester", rule<"EFA-2.1-202">,
           "The requester keeps working after HANDSHAKE packets with nextra_p3 of 0 to 3, 5, 10, 255, 2^31 and 2^32-1.",
           send_wrong_counts),
    shaken("handshake/without-extra-info-to-requester", rule<"EFA-2.1-202">,
           "The requester continues after a HANDSHAKE that ends before extra_info and so announces nothing.",
           [](RequesterProbe& peer) { peer.send_octets(handshake(0, 3, {})); }),
    shaken("handshake/comes-again-to-requester", rule<"EFA-2.1-203">,
           "The requester continues after it receives its HANDSHAKE three times and then one with other contents.",
           send_again),
    {"handshake/requester-without-an-answer", trace_rules({"EFA-2.1-20", "EFA-2.2-1"}),
     "The requester sends only baseline requests, with a raw address, to a responder that never sends its HANDSHAKE.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       requester.handshake_by_hand();
       requester.trigger({.octets = 64, .count = 3});
       requester.serve_to_the_end();
     })},
    {"handshake/requester-answers-a-first-packet",
     {&rule<"EFA-2.1-1">, &rule<"EFA-2.1-4">},
     "The requester answers an echo that is the responder's first packet with a HANDSHAKE.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       requester.handshake_by_hand();
       const WholeMessage message = requester.first_message({.octets = 64, .count = 1});
       requester.echo(message);
       requester.await_handshake();
       requester.require(rule<"EFA-2.1-1">, requester.met(), "a HANDSHAKE", "none");
     })},
    {"handshake/requester-answers-a-handshake",
     {&rule<"EFA-2.1-2">},
     "The requester answers the responder's HANDSHAKE with its own, even if nothing else comes.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       requester.first_message({.octets = 64, .count = 1});
       requester.await_handshake();
       requester.advise(rule<"EFA-2.1-2">, requester.met(), "a HANDSHAKE", "none");
     })},
    {"handshake/requester-sends-one",
     {&rule<"EFA-2.1-2">, &rule<"EFA-2.1-3">},
     "The requester answers a HANDSHAKE that is the responder's first packet with its own.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       requester.trigger({.octets = 64, .count = 2});
       requester.serve_to_the_end();
       requester.advise(rule<"EFA-2.1-2">, requester.met(), "a HANDSHAKE", "none",
                        "the requester has received a HANDSHAKE and echoes");
       const std::size_t count = handshakes_of(requester);
       requester.advise(rule<"EFA-2.1-3">, count <= 1, "1 HANDSHAKE", fmt::format("{}", count));
     })},
};

}  // namespace

std::vector<Case> handshake_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
