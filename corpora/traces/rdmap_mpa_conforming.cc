// SPDX-License-Identifier: Apache-2.0
// MPA connections that break no rule (RFC 5044; RFC 6581): all ways to start, markers, CRCs, and what a capture may
// lack.
#include "corpora/traces/rdmap_connections.h"
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {
namespace {

using enum Side;
using mpa::EnhancedData;
using mpa::StartFrame;

constexpr RdmapSample kSamples[] = {
    {{},
     "An ordinary connection: pads of every length, both sides close.",
     [](RdmapTraceBuilder& s) {
       s.start();
       for (std::size_t payload = 1; payload <= 8; ++payload) s.send(a, pattern(payload));
       for (std::size_t payload = 1; payload <= 8; ++payload) s.send(b, pattern(payload));
       s.write(a, pattern(1400));
       s.read(b);
       part(s);
     },
     "mpa-ordinary"},
    {{},
     "Markers in both directions, at every place where one can be.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 508);  // fills the first interval, so that the next marker is between two FPDUs
       send_fpdu_of(s, a, 512);  // a marker between PAD and CRC
       send_fpdu_of(s, a, 100);
       send_fpdu_of(s, a, 1200);  // several markers inside
       for (std::size_t octets = 40; octets < 60; octets += 4) send_fpdu_of(s, a, octets);
       for (std::size_t octets = 400; octets < 1400; octets += 52) send_fpdu_of(s, b, octets);
       part(s);
     },
     "mpa-markers"},
    {{},
     "Only the initiator asks for markers, so only the responder sends them.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request(with_markers());
       s.reply();
       for (int i = 0; i < 6; ++i) send_fpdu_of(s, a, 300), send_fpdu_of(s, b, 300);
       part(s);
     },
     "mpa-markers-one-way"},
    {{},
     "As much private data as may be.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request({}, pattern(mpa::kMaxPrivateData));
       s.reply({}, pattern(mpa::kMaxPrivateData));
       exchange_and_part(s);
     },
     "mpa-private-data"},
    {{},
     "Enhanced, peer to peer, ready by a zero-length Write.",
     [](RdmapTraceBuilder& s) {
       s.enhanced_start();
       exchange_and_part(s);
     },
     "mpa-rtr-write"},
    {{},
     "Enhanced, peer to peer, ready by a zero-length Send; the responder offers more than was asked for.",
     [](RdmapTraceBuilder& s) {
       agree(s, {.peer_to_peer = true, .rtr_send = true}, {.peer_to_peer = true, .rtr_send = true, .rtr_read = true});
       s.send(a, {});
       exchange_and_part(s);
     },
     "mpa-rtr-send"},
    {{},
     "Enhanced, peer to peer, ready by a zero-length Read.",
     [](RdmapTraceBuilder& s) {
       constexpr EnhancedData kRead{.peer_to_peer = true, .ird = 1, .rtr_read = true, .ord = 1};
       agree(s, kRead, kRead);
       s.read(a, {});
       exchange_and_part(s);
     },
     "mpa-rtr-read"},
    {{},
     "Enhanced, client and server; the depths are left to the ULP.",
     [](RdmapTraceBuilder& s) {
       agree(s, depths(mpa::kNoNegotiation, mpa::kNoNegotiation), depths(mpa::kNoNegotiation, mpa::kNoNegotiation));
       exchange_and_part(s);
     },
     "mpa-no-negotiation"},
    {{},
     "A rejection; the connection is closed.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.reply([](StartFrame& frame) { frame.rejected = true; }, pattern(20));
       part(s);
     },
     "mpa-rejected"},
    {{},
     "An enhanced rejection; the ULP goes on by itself, and then MPA is started again.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request(enhanced(), octets_of(kPeerToPeer));
       s.reply([](StartFrame& frame) { frame.revision = 2, frame.enhanced = frame.rejected = true; },
               octets_of(depths(0, 8)));
       s.octets(a, pattern(100, 'a'));
       s.octets(b, pattern(100, 'b'));
       s.request();
       s.reply();
       exchange_and_part(s);
     },
     "mpa-rejected-and-started-again"},
    {{},
     "Revision 2 without enhanced data.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.revision = mpa::kRevision2; });
       s.reply([](StartFrame& frame) { frame.revision = mpa::kRevision2; });
       exchange_and_part(s);
     },
     "mpa-revision-2-unenhanced"},
    {{},
     "The ULP speaks before it turns to MPA.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.octets(b, pattern(30, 'A'));
       s.octets(a, pattern(300));
       s.octets(b, pattern(40, 'a'));
       s.request();
       s.reply();
       exchange_and_part(s);
     },
     "mpa-after-streaming"},
    {{},
     "The initiator sends a request and first FPDUs that come octet by octet.",
     [](RdmapTraceBuilder& s) {
       const auto singly = [&s] {
         const TraceMessage whole = std::exchange(s.last(), {});
         s.last() = {.sender = whole.sender, .octets = {whole.octets.front()}};
         for (std::size_t at = 1; at < whole.octets.size(); ++at) s.octets(whole.sender, {whole.octets[at]});
       };
       s.open();
       s.request();
       singly();
       s.reply();
       s.send(a, pattern(10));
       singly();
       s.send(b, pattern(10));
       part(s);
     },
     "mpa-octet-by-octet"},
    {{},
     "The first FPDU comes in the segment of the start frame.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.reply();
       exchange_and_part(s);
     },
     "mpa-packed"},
    {{},
     "Octets are missing; the FPDUs behind them are found again.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.send(a, pattern(200));
       TraceMessage& lost = s.last();
       lost.missing = lost.octets.size();
       lost.octets.clear();
       lost.event = StreamEvent::gap;
       for (int i = 0; i < 4; ++i) s.send(a, pattern(300));
       part(s);
     },
     "mpa-gap"},
    {{},
     "A capture that begins in the middle.",
     [](RdmapTraceBuilder& s) {
       for (int i = 0; i < 4; ++i) s.send(a, pattern(100)), s.send(b, pattern(101));
       part(s);
     },
     "mpa-mid-stream",
     Severity::violation,
     {},
     /*from_start=*/false},
    {{},
     "A responder that breaks off in the middle of an FPDU because the initiator has reset.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.send(b, pattern(500));
       s.last().octets.resize(100);
       s.reset(a);
       s.close(b);
     },
     "mpa-broken-off"},

    {{},
     "No CRC is asked for, so no CRC is sent.",
     [](RdmapTraceBuilder& s) {
       const auto without = [](StartFrame& frame) { frame.crc = false; };
       s.open();
       s.request(without);
       s.reply(without);
       exchange_and_part(s);
     },
     "mpa-no-crc"},
    {{},
     "Only the responder asks for CRCs, and both send them.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.crc = false; });
       s.reply();
       exchange_and_part(s);
     },
     "mpa-crc-for-one"},
};

}  // namespace

std::span<const RdmapSample> mpa_conforming_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
