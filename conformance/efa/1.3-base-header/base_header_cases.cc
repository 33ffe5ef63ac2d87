// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 1.3: packets that are not valid in the protocol.
#include <fmt/format.h>

#include "conformance/efa/1.3-base-header/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/probes/specimens.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

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

void send_nothing(RequesterProbe& peer) {
  peer.send_octets({});
}

constexpr std::uint8_t kVersions[] = {0, 3, 5, 255};

// Sends them from an unknown endpoint, and from a known peer.
void send_versions_to(ResponderProbe& responder) {
  unsigned identity = 2;
  for (const std::uint8_t version : kVersions) {
    ResponderProbe stranger(responder.run(), ++identity);
    Packet packet = stranger.request(PacketType::eager_msgrtm);
    packet.version = version;
    stranger.send(packet);
    stranger.settle();
    ResponderProbe known(responder.run(), ++identity);
    known.meet();
    packet = known.request(PacketType::eager_msgrtm);
    packet.msg_id = known.next_msg_id();
    packet.version = version;
    known.send(packet);
    known.settle();
    responder.expect_alive(rule<"EFA-1.3-204">, fmt::format("after packets of version {}", version));
  }
}

void send_cts_of_versions(RequesterProbe& peer) {
  for (const std::uint8_t version : kVersions) {
    Packet packet = peer.answer(PacketType::cts);
    packet.version = version;
    packet.recv_length = 1;
    peer.send(packet);
  }
}

// ------------------------------------------------------------------------------------------------- to whom, and when

using Spoil = void (*)(Probe& peer, const Specimen& whole);

// Sends each type from a separate peer, so that an endpoint that drops a peer is still tested with the next type.
CaseRow spoilt(std::string_view id, const Rule& rule, std::string_view purpose, std::string_view what, Spoil spoil) {
  return {id, {&rule}, purpose, with<ResponderProbe>([&rule, what, spoil](ResponderProbe& responder) {
            responder.meet();
            unsigned identity = 2;
            for (const Layout* const layout : formats()) {
              if (!responder.ok()) return;
              ResponderProbe peer(responder.run(), ++identity);
              spoil(peer, specimen(peer.identity(), *layout));
              peer.settle();
              responder.expect_alive(rule, fmt::format("after {} {}", layout->name, what));
            }
          })};
}

CaseRow of_types(std::string_view id, const Rule& rule, std::string_view purpose, std::span<const Range> ranges) {
  return {id, {&rule}, purpose, with<ResponderProbe>([&rule, ranges](ResponderProbe& responder) {
            responder.meet();
            unsigned identity = 2;
            for (const auto& [first, last] : ranges) {
              if (!responder.ok()) return;
              ResponderProbe peer(responder.run(), ++identity);
              send_types(peer, first, last);
              peer.settle();
              responder.expect_alive(rule, fmt::format("after packets of the types {} to {}", first, last));
            }
          })};
}

// Sends them to a requester during its first message.
template <class Send>
CaseRow amid_a_message(std::string_view id, const Rule& rule, std::string_view purpose, Send send) {
  return {id, {&rule}, purpose, with<RequesterProbe>([&rule, send](RequesterProbe& requester) {
            const WholeMessage message = requester.first_message();
            if (requester.ok()) send(requester);
            requester.expect_alive(rule, message);
          })};
}

CaseRow spoilt_amid_a_message(std::string_view id, const Rule& rule, std::string_view purpose, Spoil spoil) {
  return amid_a_message(id, rule, purpose, [spoil](RequesterProbe& peer) {
    for (const Layout* const layout : formats()) spoil(peer, specimen(peer.identity(), *layout));
  });
}

CaseRow of_types_amid_a_message(std::string_view id, const Rule& rule, std::string_view purpose,
                                std::span<const Range> ranges) {
  return amid_a_message(id, rule, purpose, [ranges](RequesterProbe& peer) {
    for (const auto& [first, last] : ranges) send_types(peer, first, last);
  });
}

const CaseRow kRows[] = {
    {"packet/empty-datagram",
     {&rule<"EFA-1.3-206">},
     "The responder keeps working after an empty datagram, as the first packet and between others.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       ResponderProbe stranger(responder.run(), 2);
       stranger.send_octets({});
       responder.expect_alive(rule<"EFA-1.3-206">, "as the first packet");
       responder.meet();
       responder.send_octets({});
       responder.expect_alive(rule<"EFA-1.3-206">);
     })},
    {"packet/shorter-than-the-base-header",
     {&rule<"EFA-1.3-201">},
     "The responder keeps working after one to three octets of an EAGER_MSGRTM.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       send_shorter_than_base_header(responder);
       responder.expect_alive(rule<"EFA-1.3-201">);
     })},
    spoilt("packet/cut-at-every-length", rule<"EFA-1.3-201">,
           "The responder keeps working after packets of every type, with every optional header, cut at each octet of "
           "their headers.",
           "cut at every length", send_cut),
    of_types("packet/types-that-are-not-assigned", rule<"EFA-1.3-202">,
             "The responder keeps working after types 0, 13 to 63, 77 to 127, 142 to 144 and 147 to 255, as whole "
             "packets and as a base header alone.",
             kUnassigned),
    of_types("packet/types-that-are-deprecated-or-reserved", rule<"EFA-1.3-203">,
             "The responder keeps working after types 1, 2, 6, 12, 131 and 132.", kReserved),
    {"packet/other-versions",
     {&rule<"EFA-1.3-204">},
     "The responder keeps working after eager messages of versions 0, 3, 5 and 255, as the first packet and from a "
     "known peer.",
     with<ResponderProbe>(send_versions_to)},
    spoilt("packet/flags-that-are-not-defined", rule<"EFA-1.3-205">,
           "The responder keeps working after packets of every type with the undefined flags, bits 6, 8 to 12 and 14.",
           "with undefined flags", send_undefined_flags),
    spoilt("packet/counts-beyond-the-packet", rule<"EFA-1.3-207">,
           "The responder keeps working after the largest values of rma_iov_count, read_iov_count, the raw address "
           "size and nextra_p3.",
           "with counts beyond the packet", send_counts_beyond),
    spoilt("packet/octets-behind", rule<"EFA-1.3-208">,
           "The responder keeps working after one, four and a hundred octets after packets of every type that carries "
           "no data.",
           "with trailing octets", send_trailing),
    spoilt("packet/half-of-a-connid", rule<"EFA-1.3-209">,
           "The responder keeps working after packets of every type with CONNID_HDR and no connid, and with a connid "
           "and no CONNID_HDR.",
           "with half of a connid", send_half_of_connid),
    spoilt_amid_a_message("packet/octets-behind-to-requester", rule<"EFA-1.3-208">,
                          "The requester keeps working after packets of every type with only one of CONNID_HDR and "
                          "connid while a message waits for its echo.",
                          send_trailing),
    spoilt_amid_a_message("packet/half-of-a-connid-to-requester", rule<"EFA-1.3-209">,
                          "The requester keeps working after packets of every type with only one of CONNID_HDR and "
                          "connid while a message waits for its echo.",
                          send_half_of_connid),
    amid_a_message("packet/empty-datagram-to-requester", rule<"EFA-1.3-206">,
                   "The requester keeps working after an empty datagram while a message waits for its echo.",
                   send_nothing),
    spoilt_amid_a_message("packet/cut-at-every-length-to-requester", rule<"EFA-1.3-201">,
                          "The requester keeps working after packets of every type, cut at each octet of their "
                          "headers, while a message waits for its echo.",
                          send_cut),
    amid_a_message("packet/shorter-than-the-base-header-to-requester", rule<"EFA-1.3-201">,
                   "The requester keeps working after one to three octets while a message waits for its echo.",
                   send_shorter_than_base_header),
    of_types_amid_a_message("packet/types-that-are-not-assigned-to-requester", rule<"EFA-1.3-202">,
                            "The requester keeps working after types 0, 13 to 63, 77 to 127, 142 to 144 and 147 to 255 "
                            "while a message waits for its echo.",
                            kUnassigned),
    of_types_amid_a_message(
        "packet/types-that-are-deprecated-or-reserved-to-requester", rule<"EFA-1.3-203">,
        "The requester keeps working after types 1, 2, 6, 12, 131 and 132 while a message waits for its echo.",
        kReserved),
    amid_a_message(
        "packet/other-versions-to-requester", rule<"EFA-1.3-204">,
        "The requester keeps working after CTS of versions 0, 3, 5 and 255 while a message waits for its echo.",
        send_cts_of_versions),
    spoilt_amid_a_message("packet/flags-that-are-not-defined-to-requester", rule<"EFA-1.3-205">,
                          "The requester keeps working after packets of every type with undefined flags while a "
                          "message waits for its echo.",
                          send_undefined_flags),
    spoilt_amid_a_message("packet/counts-beyond-the-packet-to-requester", rule<"EFA-1.3-207">,
                          "The requester keeps working after the largest counts while a message waits for its echo.",
                          send_counts_beyond),
};

}  // namespace

std::vector<Case> base_header_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
