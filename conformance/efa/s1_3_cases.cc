// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 1.3: what is no packet of the protocol.
#include <fmt/format.h>

#include "conformance/efa/case_file.h"
#include "conformance/efa/specimens.h"

namespace wirelaw::efa {
namespace {

constexpr std::string_view kSection = "EFA RDM v4 1.3";
constexpr std::string_view kAnyReaction = "A-36: the document is silent; any orderly reaction will do";

constinit const Rule kShortIsHarmless =
    endpoint_rule("EFA-1.3-201", Level::must, kSection,
                  "A packet that is too short for the headers of its type does no harm.", kAnyReaction);
constinit const Rule kUnassignedIsHarmless =
    endpoint_rule("EFA-1.3-202", Level::must, "EFA RDM v4 1.3, table 1.2",
                  "A packet of a type that the protocol does not have does no harm.", kAnyReaction);
constinit const Rule kReservedIsHarmless =
    endpoint_rule("EFA-1.3-203", Level::must, "EFA RDM v4 1.3, table 1.2",
                  "A packet of a deprecated or reserved type does no harm.", kAnyReaction);
constinit const Rule kVersionIsHarmless =
    endpoint_rule("EFA-1.3-204", Level::must, "EFA RDM v4 1.3, table 1.3",
                  "A packet of another version of the protocol does no harm.", "A-37: taken or passed over");
constinit const Rule kFlagIsHarmless = endpoint_rule(
    "EFA-1.3-205", Level::must, kSection, "A flag that the packet's type does not have does no harm.", kAnyReaction);
constinit const Rule kEmptyIsHarmless = endpoint_rule("EFA-1.3-206", Level::must, kSection,
                                                      "A datagram without a single octet does no harm.", kAnyReaction);
constinit const Rule kCountIsHarmless =
    endpoint_rule("EFA-1.3-207", Level::must, kSection,
                  "A packet whose counts promise more elements than it has octets does no harm.", kAnyReaction);

constinit const Rule kTrailingIsHarmless = endpoint_rule(
    "EFA-1.3-208", Level::must, kSection, "Octets behind a packet that carries no data do no harm.", kAnyReaction);
constinit const Rule kConnidFlagIsHarmless =
    endpoint_rule("EFA-1.3-209", Level::must, "EFA RDM v4 1.3, table 1.4",
                  "CONNID_HDR without its connid, and a connid without CONNID_HDR, do no harm.", "E-06");

constexpr const Rule* kRules[] = {&kShortIsHarmless,   &kUnassignedIsHarmless, &kReservedIsHarmless,
                                  &kVersionIsHarmless, &kFlagIsHarmless,       &kEmptyIsHarmless,
                                  &kCountIsHarmless,   &kTrailingIsHarmless,   &kConnidFlagIsHarmless};

// ---------------------------------------------------------------------------------------------- what is spoilt

void send_cut(Probe& peer, const Specimen& whole) {
  for (std::size_t octets = kBaseHeader; octets < whole.headers; ++octets)
    peer.send_octets(Octets(whole.octets).first(octets));
}

void send_undefined_flags(Probe& peer, const Specimen& whole) {
  OctetBuffer octets = whole.octets;
  octets[2] |= 0x40;
  octets[3] |= 0x5f;
  peer.send_octets(octets);
}

void send_counts_beyond(Probe& peer, const Specimen& whole) {
  for (const Field field : {Field::rma_iov_count, Field::read_iov_count, Field::raw_address_size, Field::nextra_p3}) {
    const auto packet = decode(whole.octets);
    const auto place = packet ? find_field(*packet, field) : std::nullopt;
    if (!place) continue;
    for (const std::uint32_t value : {0x100u, 0x0aaa'aaabu, 0x8000'0000u, 0xffff'ffffu}) {
      OctetBuffer octets = whole.octets;
      store_little_endian(octets.data() + place->offset, value);
      peer.send_octets(octets);
    }
  }
}

void send_trailing(Probe& peer, const Specimen& whole) {
  if (describe(static_cast<PacketType>(whole.octets[0])).data != Data::none) return;
  for (const std::size_t more : {1u, 4u, 100u}) {
    OctetBuffer octets = whole.octets;
    octets.resize(octets.size() + more, 0x5a);
    peer.send_octets(octets);
  }
}

// The flag and its octets, each without the other.
void send_half_of_connid(Probe& peer, const Specimen& whole) {
  OctetBuffer octets = whole.octets;
  octets[3] &= 0x7f;
  peer.send_octets(octets);
  const auto packet = decode(whole.octets);
  const auto place = packet ? find_field(*packet, Field::connid) : std::nullopt;
  if (!place) return;
  octets = whole.octets;
  const auto at = octets.begin() + static_cast<std::ptrdiff_t>(place->offset);
  octets.erase(at, at + static_cast<std::ptrdiff_t>(place->width));
  peer.send_octets(octets);
}

void send_shorter_than_base_header(Probe& peer) {
  peer.send_hex("40");
  peer.send_hex("40 04");
  peer.send_hex("40 04 04");
}

void send_types(Probe& peer, unsigned first, unsigned last) {
  for (unsigned type = first; type <= last; ++type) {
    Specimen packet = specimen(peer.identity(), describe(PacketType::eager_msgrtm));
    packet.octets[0] = static_cast<Octet>(type);
    peer.send_octets(packet.octets);
    peer.send_octets(Octets(packet.octets).first(kBaseHeader));
  }
}

using Range = std::pair<unsigned, unsigned>;
constexpr Range kUnassigned[] = {{0, 0}, {13, 63}, {77, 127}, {142, 144}, {147, 255}};
constexpr Range kReserved[] = {{1, 1}, {2, 2}, {6, 6}, {12, 12}, {131, 131}, {132, 132}};

// ------------------------------------------------------------------------------------------------- to whom, and when

// To a requester amid its first message.
template <class Spoil>
void spoil_requester(ResponderProbe& requester, const Rule& rule, Spoil spoil) {
  const WholeMessage message = requester.first_message();
  if (requester.ok()) spoil(requester);
  requester.expect_alive(rule, message);
}
template <class Spoil>
void spoil_all_formats(ResponderProbe& requester, const Rule& rule, Spoil spoil) {
  spoil_requester(requester, rule, [spoil](ResponderProbe& peer) {
    for (const Layout* const layout : formats()) spoil(peer, specimen(peer.identity(), *layout));
  });
}

// Each type from a peer of its own, so that an endpoint that gives up a peer is still asked about the next.
template <class Spoil>
void for_each_format(RequesterProbe& responder, const Rule& rule, std::string_view what, Spoil spoil) {
  unsigned identity = 2;
  for (const Layout* const layout : formats()) {
    if (!responder.ok()) return;
    RequesterProbe peer(responder.run(), ++identity);
    spoil(peer, specimen(peer.identity(), *layout));
    peer.settle();
    responder.expect_alive(rule, fmt::format("after {} {}", layout->name, what));
  }
}

void send_types_to(RequesterProbe& responder, const Rule& rule, std::span<const Range> ranges) {
  unsigned identity = 2;
  for (const auto& [first, last] : ranges) {
    if (!responder.ok()) return;
    RequesterProbe peer(responder.run(), ++identity);
    send_types(peer, first, last);
    peer.settle();
    responder.expect_alive(rule, fmt::format("after packets of the types {} to {}", first, last));
  }
}

}  // namespace

SectionCases s1_3_cases() {
  static const Case kCases[] = {
      {
          .id = "packet/empty-datagram",
          .iut = Role::responder,
          .rules = {&kEmptyIsHarmless},
          .purpose = "An empty datagram, first of all and amid others.",
          .run = on_responder([](RequesterProbe& responder) {
            RequesterProbe stranger(responder.run(), 2);
            stranger.send_octets({});
            responder.expect_alive(kEmptyIsHarmless, "first of all");
            responder.meet();
            responder.send_octets({});
            responder.expect_alive(kEmptyIsHarmless);
          }),
      },
      {
          .id = "packet/shorter-than-the-base-header",
          .iut = Role::responder,
          .rules = {&kShortIsHarmless},
          .purpose = "One to three octets of an EAGER_MSGRTM.",
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            send_shorter_than_base_header(responder);
            responder.expect_alive(kShortIsHarmless);
          }),
      },
      {
          .id = "packet/cut-at-every-length",
          .iut = Role::responder,
          .rules = {&kShortIsHarmless},
          .purpose = "Packets of every type, with every optional header, cut at each octet of their headers.",
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            for_each_format(responder, kShortIsHarmless, "cut at every length", send_cut);
          }),
      },
      {
          .id = "packet/types-that-are-not-assigned",
          .iut = Role::responder,
          .rules = {&kUnassignedIsHarmless},
          .purpose = "Types 0, 13 to 63, 77 to 127, 142 to 144 and 147 to 255, whole and as a base header alone.",
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            send_types_to(responder, kUnassignedIsHarmless, kUnassigned);
          }),
      },
      {
          .id = "packet/types-that-are-deprecated-or-reserved",
          .iut = Role::responder,
          .rules = {&kReservedIsHarmless},
          .purpose = "Types 1, 2, 6, 12, 131 and 132.",
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            send_types_to(responder, kReservedIsHarmless, kReserved);
          }),
      },
      {
          .id = "packet/other-versions",
          .iut = Role::responder,
          .rules = {&kVersionIsHarmless},
          .purpose = "Eager messages of the versions 0, 3, 5 and 255, first of all and from a peer that is known.",
          .run = on_responder([](RequesterProbe& responder) {
            unsigned identity = 2;
            for (const unsigned version : {0u, 3u, 5u, 255u}) {
              RequesterProbe stranger(responder.run(), ++identity);
              Packet packet = stranger.request(PacketType::eager_msgrtm);
              packet.version = static_cast<std::uint8_t>(version);
              stranger.send(packet);
              stranger.settle();
              RequesterProbe known(responder.run(), ++identity);
              known.meet();
              packet = known.request(PacketType::eager_msgrtm);
              packet.msg_id = known.next_msg_id();
              packet.version = static_cast<std::uint8_t>(version);
              known.send(packet);
              known.settle();
              responder.expect_alive(kVersionIsHarmless, fmt::format("after packets of version {}", version));
            }
          }),
      },
      {
          .id = "packet/flags-that-are-not-defined",
          .iut = Role::responder,
          .rules = {&kFlagIsHarmless},
          .purpose = "Packets of every type with the flags of bits 6, 8 to 12 and 14 set, which none has.",
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            for_each_format(responder, kFlagIsHarmless, "with undefined flags", send_undefined_flags);
          }),
      },
      {
          .id = "packet/counts-beyond-the-packet",
          .iut = Role::responder,
          .rules = {&kCountIsHarmless},
          .purpose = "rma_iov_count, read_iov_count, the size of the raw address and nextra_p3 up to the largest.",
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            for_each_format(responder, kCountIsHarmless, "with counts beyond the packet", send_counts_beyond);
          }),
      },
      {
          .id = "packet/octets-behind",
          .iut = Role::responder,
          .rules = {&kTrailingIsHarmless},
          .purpose = "One, four and a hundred octets behind packets of every type that carries no data.",
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            for_each_format(responder, kTrailingIsHarmless, "with octets behind it", send_trailing);
          }),
      },
      {
          .id = "packet/half-of-a-connid",
          .iut = Role::responder,
          .rules = {&kConnidFlagIsHarmless},
          .purpose = "Packets of every type with CONNID_HDR and no connid, and with a connid and no CONNID_HDR.",
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            for_each_format(responder, kConnidFlagIsHarmless, "with half of a connid", send_half_of_connid);
          }),
      },
      {
          .id = "packet/octets-behind-to-requester",
          .iut = Role::initiator,
          .rules = {&kTrailingIsHarmless},
          .purpose = "The same while a message waits for its echo.",
          .run = on_requester(
              [](ResponderProbe& requester) { spoil_all_formats(requester, kTrailingIsHarmless, send_trailing); }),
      },
      {
          .id = "packet/half-of-a-connid-to-requester",
          .iut = Role::initiator,
          .rules = {&kConnidFlagIsHarmless},
          .purpose = "The same while a message waits for its echo.",
          .run = on_requester([](ResponderProbe& requester) {
            spoil_all_formats(requester, kConnidFlagIsHarmless, send_half_of_connid);
          }),
      },
      {
          .id = "packet/empty-datagram-to-requester",
          .iut = Role::initiator,
          .rules = {&kEmptyIsHarmless},
          .purpose = "An empty datagram while a message waits for its echo.",
          .run = on_requester([](ResponderProbe& requester) {
            spoil_requester(requester, kEmptyIsHarmless, [](ResponderProbe& peer) { peer.send_octets({}); });
          }),
      },
      {
          .id = "packet/cut-at-every-length-to-requester",
          .iut = Role::initiator,
          .rules = {&kShortIsHarmless},
          .purpose = "Packets of every type, cut at each octet of their headers, while a message waits for its echo.",
          .run =
              on_requester([](ResponderProbe& requester) { spoil_all_formats(requester, kShortIsHarmless, send_cut); }),
      },
      {
          .id = "packet/shorter-than-the-base-header-to-requester",
          .iut = Role::initiator,
          .rules = {&kShortIsHarmless},
          .purpose = "One to three octets while a message waits for its echo.",
          .run = on_requester([](ResponderProbe& requester) {
            spoil_requester(requester, kShortIsHarmless, send_shorter_than_base_header);
          }),
      },
      {
          .id = "packet/types-that-are-not-assigned-to-requester",
          .iut = Role::initiator,
          .rules = {&kUnassignedIsHarmless},
          .purpose = "Types 0, 13 to 63, 77 to 127, 142 to 144 and 147 to 255 while a message waits for its echo.",
          .run = on_requester([](ResponderProbe& requester) {
            spoil_requester(requester, kUnassignedIsHarmless, [](ResponderProbe& peer) {
              for (const auto& [first, last] : kUnassigned) send_types(peer, first, last);
            });
          }),
      },
      {
          .id = "packet/types-that-are-deprecated-or-reserved-to-requester",
          .iut = Role::initiator,
          .rules = {&kReservedIsHarmless},
          .purpose = "Types 1, 2, 6, 12, 131 and 132 while a message waits for its echo.",
          .run = on_requester([](ResponderProbe& requester) {
            spoil_requester(requester, kReservedIsHarmless, [](ResponderProbe& peer) {
              for (const auto& [first, last] : kReserved) send_types(peer, first, last);
            });
          }),
      },
      {
          .id = "packet/other-versions-to-requester",
          .iut = Role::initiator,
          .rules = {&kVersionIsHarmless},
          .purpose = "CTS of the versions 0, 3, 5 and 255 while a message waits for its echo.",
          .run = on_requester([](ResponderProbe& requester) {
            spoil_requester(requester, kVersionIsHarmless, [](ResponderProbe& peer) {
              for (const unsigned version : {0u, 3u, 5u, 255u}) {
                Packet packet = peer.answer(PacketType::cts);
                packet.version = static_cast<std::uint8_t>(version);
                packet.recv_length = 1;
                peer.send(packet);
              }
            });
          }),
      },
      {
          .id = "packet/flags-that-are-not-defined-to-requester",
          .iut = Role::initiator,
          .rules = {&kFlagIsHarmless},
          .purpose = "Packets of every type with undefined flags while a message waits for its echo.",
          .run = on_requester(
              [](ResponderProbe& requester) { spoil_all_formats(requester, kFlagIsHarmless, send_undefined_flags); }),
      },
      {
          .id = "packet/counts-beyond-the-packet-to-requester",
          .iut = Role::initiator,
          .rules = {&kCountIsHarmless},
          .purpose = "Counts up to the largest while a message waits for its echo.",
          .run = on_requester(
              [](ResponderProbe& requester) { spoil_all_formats(requester, kCountIsHarmless, send_counts_beyond); }),
      },
  };
  return {kRules, kCases};
}

}  // namespace wirelaw::efa
