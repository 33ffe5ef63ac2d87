// SPDX-License-Identifier: Apache-2.0
// Traces for the rules on the start and the end of a connection (RFC 5044, 7; RFC 6581). For each rule, one connection
// breaks it and no other rule.
#include "corpora/traces/rdmap_connections.h"
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {
namespace {

using enum Side;
using mpa::EnhancedData;
using mpa::StartFrame;
using rdmap::Opcode;

constexpr EnhancedData kClientServer{.ird = 4, .ord = 4};

constexpr RdmapSample kSamples[] = {
    // --- 7.1
    {"MPA-7.1-3",
     "Both sides start as Initiator.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.octets(b, mpa::encode_start_frame({.key = mpa::key_of(mpa::FrameKind::request), .crc = true}));
       part(s);
     },
     {},
     Severity::warning},
    {"MPA-7.1.1-1", "A Request whose key has one octet wrong.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.key[7] = 'X'; });
       s.close(b);
       s.close(a);
     }},
    {"MPA-7.1.1-1", "Nothing but octets of a ULP.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.octets(a, pattern(100));
       part(s);
     },
     "no-mpa", Severity::warning},
    {"MPA-7.1.1-3", "A Reply whose key has one octet wrong.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.reply([](StartFrame& frame) { frame.key[15] = 'E'; });
       part(s);
     }},
    {"MPA-7.1.1-3", "An FPDU where the Reply is due.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.send(b, pattern(100));
       part(s);
     },
     "no-reply"},
    {"MPA-7.1.1-5", "An initiator that sends markers although nobody has asked for them.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.reply();
       s.frame_with(a, /*markers=*/true, /*crc=*/true);
       for (int i = 0; i < 5; ++i) s.send(a, pattern(200)), s.send(b, pattern(200));
       part(s);
     }},
    {"MPA-7.1.1-7", "A Request with R set.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.rejected = true; });
       s.reply();
       exchange_and_part(s);
     }},
    {"MPA-7.1.1-8", "A Reply with a reserved bit set.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.reply([](StartFrame& frame) { frame.reserved = 8; });
       exchange_and_part(s);
     }},
    {"MPA-7.1.1-10", "A Request of revision 0.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.revision = 0; });
       s.close(b);
       s.close(a);
     }},
    {"MPA-7.1.1-10", "A Request of revision 3.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.revision = 3; });
       s.close(b);
       s.close(a);
     },
     "revision-3", Severity::warning},
    {"MPA-7.1.1-13", "Less private data than PD_Length says.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.private_data_length = 16; }, pattern(8));
       part(s);
     }},
    {"MPA-7.1.1-14", "513 octets of private data.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request({}, pattern(mpa::kMaxPrivateData + 1));
       s.close(b);
       s.close(a);
     }},
    {"MPA-7.1.1-14", "A PD_Length of 65535, of which little comes.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.private_data_length = 0xffff; }, pattern(100));
       s.reset(b);
     },
     "announced"},
    {"MPA-7.1.2-2", "A Reply before the Request.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.reply();
       s.request();
       exchange_and_part(s);
     }},
    {"MPA-7.1.2-2", "A Reply, and never a Request.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.reply();
       part(s);
     },
     "alone"},
    {"MPA-7.1.2-6", "An FPDU right behind the Request.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.send(a, pattern(10));
       s.reply();
       s.send(b, pattern(10));
       part(s);
     }},
    {"MPA-7.1.2-6", "An FPDU behind the Request, upon which the responder resets.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.send(a, pattern(10));
       s.reset(b);
     },
     "never-answered"},
    {"MPA-7.1.2-8", "A responder that rejects and sends all the same.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.reply([](StartFrame& frame) { frame.rejected = true; });
       s.send(b, pattern(100));
       part(s);
     }},
    {"MPA-7.1.2-8", "A rejection and an FPDU in the same octets.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.reply([](StartFrame& frame) { frame.rejected = true; });
       OctetBuffer ulpdu;
       ddp::encode(s.untagged(b, Opcode::send), ulpdu);
       mpa::Framer(/*markers=*/false, /*crc=*/true).frame(ulpdu, s.last().octets);
       part(s);
     },
     "at-once"},
    {"MPA-7.1.2-9", "An initiator that is rejected and sends all the same.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.reply([](StartFrame& frame) { frame.rejected = true; });
       s.send(a, pattern(100));
       part(s);
     }},
    {"MPA-7.1.2-12", "The responder sends first.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.reply();
       s.send(b, pattern(100));
       s.send(a, pattern(100));
       part(s);
     }},
    {"MPA-7.1.2-12", "The responder sends, the initiator never.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.reply();
       s.send(b, pattern(100));
       part(s);
     },
     "alone"},
    {"MPA-7.1.2-12", "The responder's first marker comes before the initiator's first FPDU.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       s.send(b, pattern(100));
       OctetBuffer& fpdu = s.last().octets;
       const OctetBuffer rest(fpdu.begin() + mpa::kMarkerOctets, fpdu.end());
       fpdu.resize(mpa::kMarkerOctets);
       s.send(a, pattern(100));
       s.octets(b, rest);
       part(s);
     },
     "marker"},
    {"MPA-7.2-1", "Octets behind the FIN.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.close(a);
       s.octets(a, pattern(4));
       s.close(b);
     }},

    // --- RFC 6581
    {"ECE-5-1", "A Send with data where the ready-to-receive indication is due.",
     [](RdmapTraceBuilder& s) {
       agree(s, kPeerToPeer, kPeerToPeer);
       exchange_and_part(s);
     }},
    {"ECE-6-1", "S in a Request of revision 1.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.enhanced = true; }, octets_of(kClientServer));
       s.reply();
       exchange_and_part(s);
     }},
    {"ECE-6-3", "S with three octets of private data.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request(enhanced(), pattern(3));
       s.close(b);
       s.close(a);
     }},
    {"ECE-9.1-2", "A responder whose ORD is above the initiator's IRD.",
     [](RdmapTraceBuilder& s) {
       agree(s, depths(4, 4), depths(4, 5));
       exchange_and_part(s);
     }},
    {"ECE-9.1-2", "A responder that leaves its ORD to the ULP, though the initiator does not.",
     [](RdmapTraceBuilder& s) {
       agree(s, depths(4, 4), depths(4, mpa::kNoNegotiation));
       exchange_and_part(s);
     },
     "left-to-the-ulp", Severity::warning},
    {"ECE-9.1-3",
     "A responder whose IRD is 0 where the initiator wants Reads.",
     [](RdmapTraceBuilder& s) {
       agree(s, depths(4, 4), depths(0, 4));
       exchange_and_part(s);
     },
     {},
     Severity::warning},
    {"ECE-9.1-8", "An ORD of 0x3fff is answered by a number.",
     [](RdmapTraceBuilder& s) {
       agree(s, depths(4, mpa::kNoNegotiation), depths(16, 4));
       exchange_and_part(s);
     }},
    {"ECE-9.1-9", "An IRD of 0x3fff is answered by a number.",
     [](RdmapTraceBuilder& s) {
       agree(s, depths(mpa::kNoNegotiation, 4), depths(4, 16));
       exchange_and_part(s);
     }},
    {"ECE-9.2-1", "A Request with C set and A not.",
     [](RdmapTraceBuilder& s) {
       agree(s, {.rtr_write = true}, {});
       exchange_and_part(s);
     }},
    {"ECE-9.2-2", "A Reply with B set and A not.",
     [](RdmapTraceBuilder& s) {
       agree(s, {}, {.rtr_send = true});
       exchange_and_part(s);
     }},
    {"ECE-9.2-3",
     "A Request with A set and none of B, C and D.",
     [](RdmapTraceBuilder& s) {
       agree(s, {.peer_to_peer = true}, {.peer_to_peer = true, .rtr_write = true});
       s.write(a, {}, 0, 0);
       exchange_and_part(s);
     },
     {},
     Severity::warning},
    {"ECE-9.2-4", "Peer to peer is asked for, and not granted.",
     [](RdmapTraceBuilder& s) {
       agree(s, kPeerToPeer, kClientServer);
       exchange_and_part(s);
     }},
    {"ECE-9.2-5", "Peer to peer is granted, and not asked for.",
     [](RdmapTraceBuilder& s) {
       agree(s, kClientServer, kPeerToPeer);
       exchange_and_part(s);
     }},
    {"ECE-9.2-7", "A Reply with A set and none of B, C and D.",
     [](RdmapTraceBuilder& s) {
       agree(s, kPeerToPeer, {.peer_to_peer = true, .ird = 4, .ord = 4});
       s.close(a);
       s.close(b);
     }},
    {"ECE-9.2-9", "Ready by a zero-length Write where only a Send was offered.",
     [](RdmapTraceBuilder& s) {
       agree(s, kPeerToPeer, {.peer_to_peer = true, .rtr_send = true, .ird = 4, .ord = 4});
       s.write(a, {}, 0, 0);
       exchange_and_part(s);
     }},
    {"ECE-10-1", "An enhanced Request is answered by an unenhanced Reply.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request(enhanced(), octets_of(kClientServer));
       s.reply();
       exchange_and_part(s);
     }},
    {"ECE-10-2", "An unenhanced Request is answered by an enhanced Reply.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.reply(enhanced(), octets_of(kClientServer));
       exchange_and_part(s);
     }},
};

}  // namespace

std::span<const RdmapSample> start_frame_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
