// SPDX-License-Identifier: Apache-2.0
// EFA RDM traces for the constant header length and for connids: 4.3, 4.4.
#include "corpora/traces/efa_operations.h"
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = EfaTraceBuilder;
using Packet = efa::Packet;
using efa::Extra;
namespace flag = efa::flag;

constexpr Side a = Side::a, b = Side::b;
constexpr Severity kWarning = Severity::warning;
constexpr std::uint64_t kExtras = Builder::kExtras;

void connid_for_address(Packet& packet) {
  clear(packet, flag::kRawAddress);
  packet.flags |= flag::kConnid;
  packet.connid = Builder::address_of(a).connid;
}

const EfaSample kSamples[] = {
    // ---------------------------------------------------------------------------------------------------- 4.3, 4.4
    {"EFA-4.3-1", "A sender that has kept its raw address, as the peer asks, leaves it out.",
     [](Builder& s) {
       know(s, kExtras | efa::extra_bits({Extra::constant_header_length}));
       s.eager(a);
       s.eager(a, 16, connid_for_address);
     }},
    {"EFA-4.3-1", "A sender ignores that its peer asks for a constant header length, as it may.",
     [](Builder& s) {
       s.meet(kExtras | efa::extra_bits({Extra::constant_header_length}));
       s.eager(a, 16, connid_for_address);
     },
     "ignored", kWarning},
    {"EFA-4.4-1", "A RECEIPT with another connid than the HANDSHAKE, and no other HANDSHAKE.",
     [](Builder& s) {
       s.meet();
       delivered(s, [](Packet& packet) { ++packet.connid; });
       s.pause(2'000'000'000);
     }},
    {"EFA-4.4-2", "A CTSDATA with another connid than the raw address, and the first connid long after it.",
     [](Builder& s) {
       s.meet();
       long_message(s, [](Packet& packet) { ++packet.connid; });
       s.pause(200'000'000);
       delivered(s);
     },
     "comes-back"},
    {"EFA-4.4-2", "A HANDSHAKE with another connid than the raw address.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b);
       s.handshake(a, kExtras, [](Packet& packet) { ++packet.connid; });
     }},
    {"EFA-4.4-2", "A raw address with another connid than the HANDSHAKE before it.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b);
       s.eager(b, 16, [&](Packet& packet) {
         efa::RawAddress address = Builder::address_of(b);
         ++address.connid;
         s.put_address(packet, address);
       });
       s.handshake(a);
     },
     "address"},
    {"EFA-4.4-2", "A HANDSHAKE with the connid of the one that it goes to.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kExtras, [](Packet& packet) { packet.connid = Builder::address_of(a).connid; });
       s.handshake(a);
     },
     "the-peers", kWarning},
    {"EFA-4.4-3", "A message with its sender's connid and CONNID_HDR clear.",
     [](Builder& s) {
       s.meet();
       s.eager(a);
       s.last().octets[3] = 0;
     }},
    {"EFA-4.4-3", "A CTSDATA with its sender's connid and CONNID_HDR clear.",
     [](Builder& s) {
       s.meet();
       long_message(s);
       s.last().octets[3] = 0;
     },
     "data"},
    {"EFA-4.4-3", "A HANDSHAKE with its sender's connid and CONNID_HDR clear.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b);
       s.handshake(a);
       s.last().octets[3] = 0;
     },
     "handshake"},
    {"EFA-4.4-3", "A RECEIPT with CONNID_HDR clear whose padding is its sender's connid.",
     [](Builder& s) {
       s.meet();
       delivered(s, [](Packet& packet) { clear(packet, flag::kConnid); });
     },
     "padding", kWarning},
    {"EFA-4.4-4", "A message without connid long after the peer asked for it.",
     [](Builder& s) {
       know(s);
       s.eager(a, 16, [](Packet& packet) { clear(packet, flag::kConnid); });
     }},
    {"EFA-4.4-4", "A message with neither raw address nor connid, at once behind the HANDSHAKE that asks for connid.",
     [](Builder& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { clear(packet, flag::kConnid); });
     },
     "neither"},
    {"EFA-4.4-5", "A CTSDATA without connid long after the peer asked for it.",
     [](Builder& s) {
       know(s);
       long_message(s, [](Packet& packet) { clear(packet, flag::kConnid); });
     }},
    {"EFA-4.4-6", "A RECEIPT without connid long after the peer asked for it.",
     [](Builder& s) {
       know(s);
       delivered(s, [](Packet& packet) { clear(packet, flag::kConnid), packet.connid = 0; });
     }},
    {"EFA-4.4-7", "A CTSDATA that ends behind its connid, without the padding.",
     [](Builder& s) {
       s.meet();
       long_message(s);
       s.last().octets.resize(24 + 4);
     }},
};

}  // namespace

std::span<const EfaSample> efa_connid_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
