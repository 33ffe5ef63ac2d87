// SPDX-License-Identifier: Apache-2.0
// Traces for the rules of MPA (RFC 5044) and of enhanced connection establishment (RFC 6581): for each a connection in
// which it, and no other, is broken, and one that exercises it in silence.
#include <algorithm>

#include "corpora/traces/rdmap_samples.h"
#include "reference/octets/crc32c.h"

namespace wirelaw::corpora {
namespace {

using enum Side;
using mpa::EnhancedData;
using mpa::StartFrame;
using rdmap::Opcode;

// --- start frames

RdmapScript::StartEdit with_markers() {
  return [](StartFrame& frame) { frame.markers = true; };
}
RdmapScript::StartEdit enhanced() {
  return [](StartFrame& frame) { frame.revision = mpa::kRevision2, frame.enhanced = true; };
}
OctetBuffer octets_of(const EnhancedData& data) {
  OctetBuffer octets;
  Writer(octets).big_endian(mpa::encode_enhanced(data));
  return octets;
}
constexpr EnhancedData kPeerToPeer{.peer_to_peer = true, .ird = 4, .rtr_write = true, .ord = 4};
constexpr EnhancedData kClientServer{.ird = 4, .ord = 4};

// Both start frames, enhanced, and nothing after them.
void agree(RdmapScript& s, const EnhancedData& request, const EnhancedData& reply) {
  s.open();
  s.request(enhanced(), octets_of(request));
  s.reply(enhanced(), octets_of(reply));
}
EnhancedData depths(std::uint16_t ird, std::uint16_t ord) {
  return {.ird = ird, .ord = ord};
}

// --- what most traces go on with

void exchange(RdmapScript& s) {
  s.send(a, pattern(10));
  s.send(b, pattern(11));
  s.send(a, pattern(12));
  s.send(b, pattern(13));
}
void part(RdmapScript& s) {
  s.close(a);
  s.close(b);
}
void exchange_and_part(RdmapScript& s) {
  exchange(s);
  part(s);
}
void start_and_exchange(RdmapScript& s) {
  s.start();
  exchange(s);
}
void start_with_markers(RdmapScript& s) {
  s.open();
  s.request(with_markers());
  s.reply(with_markers());
}

constexpr std::size_t kHeader = ddp::layout::kUntagged;
// A Send whose FPDU, without markers, has so many octets: a multiple of four.
void send_fpdu_of(RdmapScript& s, Side side, std::size_t octets, const RdmapScript::Faults& faults = {}) {
  s.send(side, pattern(octets - mpa::kLengthOctets - kHeader - mpa::kCrcOctets), Opcode::send, 0, {}, faults);
}

// --- FPDUs that are not as the framer makes them

void put_crc(OctetBuffer& fpdu, std::uint32_t crc) {
  store_little_endian(fpdu.data() + fpdu.size() - mpa::kCrcOctets, crc);
}
void renew_crc(OctetBuffer& fpdu) {
  put_crc(fpdu, crc32c(Octets(fpdu).first(fpdu.size() - mpa::kCrcOctets)));
}
// The CRC over all but so many octets at a place.
void crc_without(OctetBuffer& fpdu, std::size_t at, std::size_t count) {
  OctetBuffer covered(fpdu.begin(), fpdu.end() - mpa::kCrcOctets);
  const auto first = covered.begin() + static_cast<std::ptrdiff_t>(at);
  covered.erase(first, first + static_cast<std::ptrdiff_t>(count));
  put_crc(fpdu, crc32c(covered));
}

void pad_wrongly(RdmapScript& s, std::size_t payload, std::size_t pad) {
  s.send(a, pattern(payload));
  OctetBuffer& fpdu = s.last().octets;
  fpdu.resize(mpa::kLengthOctets + kHeader + payload);
  fpdu.resize(fpdu.size() + pad + mpa::kCrcOctets);
  renew_crc(fpdu);
}

// A side's FPDUs, which go out in segments that end in their middles.
class Astray {
 public:
  Astray(RdmapScript& script, Side side) : script_(script), side_(side) {}
  void send(std::size_t payload) {
    script_.send(side_, pattern(payload));
    OctetBuffer& fpdu = script_.last().octets;
    const auto middle = fpdu.begin() + static_cast<std::ptrdiff_t>(fpdu.size() / 2);
    const OctetBuffer rest(middle, fpdu.end());
    fpdu.erase(middle, fpdu.end());
    fpdu.insert(fpdu.begin(), carry_.begin(), carry_.end());
    carry_ = rest;
  }
  void end() { script_.octets(side_, carry_); }

 private:
  RdmapScript& script_;
  Side side_;
  OctetBuffer carry_;
};

// Marker, then one FPDU of 600 octets that ought to have one inside.
void leave_out_marker(RdmapScript& s) {
  s.frame_with(a, false, true);
  send_fpdu_of(s, a, 600);
  OctetBuffer& fpdu = s.last().octets;
  fpdu.insert(fpdu.begin(), mpa::kMarkerOctets, 0);
  renew_crc(fpdu);
}

constexpr RdmapSample kSamples[] = {
    // --- conforming
    {{},
     "An ordinary connection: pads of every length, both sides close.",
     [](RdmapScript& s) {
       s.start();
       for (std::size_t payload = 1; payload <= 8; ++payload) s.send(a, pattern(payload));
       for (std::size_t payload = 1; payload <= 8; ++payload) s.send(b, pattern(payload));
       s.write(a, pattern(1400));
       s.read(b);
       part(s);
     },
     "mpa-ordinary"},
    {{},
     "Markers in both directions, at every place where one can stand.",
     [](RdmapScript& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 508);  // fills the first interval: the next marker stands between two FPDUs
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
     [](RdmapScript& s) {
       s.open();
       s.request(with_markers());
       s.reply();
       for (int i = 0; i < 6; ++i) send_fpdu_of(s, a, 300), send_fpdu_of(s, b, 300);
       part(s);
     },
     "mpa-markers-one-way"},
    {{},
     "As much private data as may be.",
     [](RdmapScript& s) {
       s.open();
       s.request({}, pattern(mpa::kMaxPrivateData));
       s.reply({}, pattern(mpa::kMaxPrivateData));
       exchange_and_part(s);
     },
     "mpa-private-data"},
    {{},
     "Enhanced, peer to peer, ready by a zero-length Write.",
     [](RdmapScript& s) {
       s.enhanced_start();
       exchange_and_part(s);
     },
     "mpa-rtr-write"},
    {{},
     "Enhanced, peer to peer, ready by a zero-length Send; the responder offers more than was asked for.",
     [](RdmapScript& s) {
       agree(s, {.peer_to_peer = true, .rtr_send = true}, {.peer_to_peer = true, .rtr_send = true, .rtr_read = true});
       s.send(a, {});
       exchange_and_part(s);
     },
     "mpa-rtr-send"},
    {{},
     "Enhanced, peer to peer, ready by a zero-length Read.",
     [](RdmapScript& s) {
       constexpr EnhancedData kRead{.peer_to_peer = true, .ird = 1, .rtr_read = true, .ord = 1};
       agree(s, kRead, kRead);
       s.read(a, {});
       exchange_and_part(s);
     },
     "mpa-rtr-read"},
    {{},
     "Enhanced, client and server; the depths are left to the ULP.",
     [](RdmapScript& s) {
       agree(s, depths(mpa::kNoNegotiation, mpa::kNoNegotiation), depths(mpa::kNoNegotiation, mpa::kNoNegotiation));
       exchange_and_part(s);
     },
     "mpa-no-negotiation"},
    {{},
     "A rejection; the connection is closed.",
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.reply([](StartFrame& frame) { frame.rejected = true; }, pattern(20));
       part(s);
     },
     "mpa-rejected"},
    {{},
     "An enhanced rejection; the ULP goes on by itself, and then MPA is started again.",
     [](RdmapScript& s) {
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
     [](RdmapScript& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.revision = mpa::kRevision2; });
       s.reply([](StartFrame& frame) { frame.revision = mpa::kRevision2; });
       exchange_and_part(s);
     },
     "mpa-revision-2-unenhanced"},
    {{},
     "The ULP speaks before it turns to MPA.",
     [](RdmapScript& s) {
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
     [](RdmapScript& s) {
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
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.reply();
       exchange_and_part(s);
     },
     "mpa-packed"},
    {{},
     "Octets are missing; the FPDUs behind them are found again.",
     [](RdmapScript& s) {
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
     [](RdmapScript& s) {
       for (int i = 0; i < 4; ++i) s.send(a, pattern(100)), s.send(b, pattern(101));
       part(s);
     },
     "mpa-mid-stream",
     Severity::violation,
     false,
     /*from_start=*/false},
    {{},
     "A responder that breaks off in the middle of an FPDU because the initiator has reset.",
     [](RdmapScript& s) {
       start_and_exchange(s);
       s.send(b, pattern(500));
       s.last().octets.resize(100);
       s.reset(a);
       s.close(b);
     },
     "mpa-broken-off"},

    {{},
     "No CRC is asked for, so no CRC is sent.",
     [](RdmapScript& s) {
       const auto without = [](StartFrame& frame) { frame.crc = false; };
       s.open();
       s.request(without);
       s.reply(without);
       exchange_and_part(s);
     },
     "mpa-no-crc"},
    {{},
     "Only the responder asks for CRCs, and both send them.",
     [](RdmapScript& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.crc = false; });
       s.reply();
       exchange_and_part(s);
     },
     "mpa-crc-for-one"},

    // --- 3, 4.1
    {"MPA-3-1", "An FPDU without a ULPDU.",
     [](RdmapScript& s) {
       start_and_exchange(s);
       s.fpdu(a, {});
       part(s);
     }},
    {"MPA-3-5", "A ULPDU of 64769 octets.",
     [](RdmapScript& s) {
       start_and_exchange(s);
       s.send(a, pattern(64769 - kHeader));
       part(s);
     }},
    {"MPA-4.1-1", "The initiator closes in the middle of an FPDU.",
     [](RdmapScript& s) {
       start_and_exchange(s);
       s.send(a, pattern(100));
       s.last().octets.resize(50);
       part(s);
     }},
    {"MPA-4.1-1", "The responder closes one octet too early.",
     [](RdmapScript& s) {
       start_and_exchange(s);
       s.send(b, pattern(100));
       s.last().octets.pop_back();
       s.close(b);
       s.close(a);
     },
     "by-an-octet"},
    {"MPA-4.1-2", "ULPDU_Length counts the CRC as well.",
     [](RdmapScript& s) {
       start_and_exchange(s);
       s.send(a, pattern(50), Opcode::send, 0, {}, {.length_add = 4});
       s.send(a, pattern(51));
       s.send(a, pattern(52));
       part(s);
     }},
    {"MPA-4.1-3", "Pad octets of 0xff.",
     [](RdmapScript& s) {
       start_and_exchange(s);
       s.send(a, pattern(9), Opcode::send, 0, {}, {.pad_fill = 0xff});
       part(s);
     }},
    {"MPA-4.1-4", "No pad where two octets are due.",
     [](RdmapScript& s) {
       start_and_exchange(s);
       pad_wrongly(s, 10, 0);
       s.send(a, pattern(100));
       part(s);
     }},
    {"MPA-4.1-4", "As many pad octets as stand beyond a multiple of four: three where one is due.",
     [](RdmapScript& s) {
       start_and_exchange(s);
       pad_wrongly(s, 11, 3);
       s.send(a, pattern(100));
       part(s);
     },
     "too-many"},

    // --- 4.2, 4.3
    {"MPA-4.2-1", "A marker whose reserved bits are set.",
     [](RdmapScript& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 400);
       send_fpdu_of(s, a, 400, {.marker_reserved = 0x8000});
       send_fpdu_of(s, a, 40);
       part(s);
     }},
    {"MPA-4.2-3", "An FPDUPTR that is no multiple of four.",
     [](RdmapScript& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 400);
       send_fpdu_of(s, a, 400, {.marker_pointer_xor = 1});
       part(s);
     }},
    {"MPA-4.3-1", "A responder that sends no markers although the initiator has asked for them.",
     [](RdmapScript& s) {
       s.open();
       s.request(with_markers());
       s.reply();
       s.frame_with(b, /*markers=*/false, /*crc=*/true);
       for (int i = 0; i < 5; ++i) s.send(a, pattern(200)), s.send(b, pattern(200));
       part(s);
     }},
    {"MPA-4.3-2", "The first marker is there, the second is not.",
     [](RdmapScript& s) {
       start_with_markers(s);
       leave_out_marker(s);
       s.send(a, pattern(10));
       part(s);
     }},
    {"MPA-4.3-3", "An FPDUPTR that points before its FPDU.",
     [](RdmapScript& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 400);
       send_fpdu_of(s, a, 400, {.marker_pointer_xor = 0x100});
       send_fpdu_of(s, a, 400);
       part(s);
     }},
    {"MPA-4.3-5", "A marker between two FPDUs that points.",
     [](RdmapScript& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 508);
       send_fpdu_of(s, a, 100, {.marker_pointer_xor = 8});
       part(s);
     }},
    {"MPA-4.3-6", "A first marker that is not zero.",
     [](RdmapScript& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 100, {.marker_pointer_xor = 8});
       send_fpdu_of(s, a, 100);
       part(s);
     }},
    {"MPA-4.3-7", "The second marker inside an FPDU points at the first one.",
     [](RdmapScript& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 1200);
       constexpr std::size_t kSecond = 2 * mpa::kMarkerInterval;
       store_big_endian<std::uint16_t>(s.last().octets.data() + kSecond + 2, mpa::kMarkerInterval);
       renew_crc(s.last().octets);
       part(s);
     }},

    // --- 4.4
    {"MPA-4.4-5", "A CRC field of zero after CRCs that hold.",
     [](RdmapScript& s) {
       start_and_exchange(s);
       s.send(a, pattern(100));
       put_crc(s.last().octets, 0);
       s.send(a, pattern(100));
       part(s);
     }},
    {"MPA-4.4-6", "A CRC with one bit wrong.",
     [](RdmapScript& s) {
       start_and_exchange(s);
       s.send(a, pattern(100), Opcode::send, 0, {}, {.crc_xor = 0x100});
       for (int i = 0; i < 3; ++i) s.send(a, pattern(100));
       part(s);
     }},
    {"MPA-4.4-6", "Data that has changed after the CRC was computed, with markers.",
     [](RdmapScript& s) {
       start_with_markers(s);
       for (int i = 0; i < 4; ++i) {
         send_fpdu_of(s, a, 400);
         if (i == 1) s.last().octets[300] ^= 1;
       }
       part(s);
     },
     "with-markers"},
    {"MPA-4.4-7", "A CRC with its octets the other way round.",
     [](RdmapScript& s) {
       start_and_exchange(s);
       s.send(a, pattern(100));
       std::reverse(s.last().octets.end() - mpa::kCrcOctets, s.last().octets.end());
       s.send(a, pattern(100));
       part(s);
     }},
    {"MPA-4.4-8", "A CRC over an FPDU without its markers.",
     [](RdmapScript& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 400);
       send_fpdu_of(s, a, 400);
       crc_without(s.last().octets, mpa::kMarkerInterval - 404, mpa::kMarkerOctets);
       send_fpdu_of(s, a, 400);
       part(s);
     }},
    {"MPA-4.4-9", "A CRC without the marker between PAD and CRC.",
     [](RdmapScript& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 512);
       crc_without(s.last().octets, mpa::kMarkerInterval, mpa::kMarkerOctets);
       send_fpdu_of(s, a, 400);
       part(s);
     }},
    {"MPA-4.4-10", "A CRC without the marker before ULPDU_Length.",
     [](RdmapScript& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 100);
       crc_without(s.last().octets, 0, mpa::kMarkerOctets);
       send_fpdu_of(s, a, 100);
       part(s);
     }},

    // --- 4.5, 5.1
    {"MPA-4.5-1",
     "With markers, a ULPDU of 1448 octets where the MSS is 1460.",
     [](RdmapScript& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 1456);
       part(s);
     },
     {},
     Severity::warning},
    {"MPA-4.5-2",
     "Without markers, a ULPDU of 1458 octets where the MSS is 1460.",
     [](RdmapScript& s) {
       s.start();
       send_fpdu_of(s, a, 1464);
       part(s);
     },
     {},
     Severity::warning},
    {"MPA-5.1-3",
     "Each FPDU begins in the middle of a segment.",
     [](RdmapScript& s) {
       s.start();
       Astray astray(s, a);
       for (int i = 0; i < 20; ++i) astray.send(100);
       astray.end();
       part(s);
     },
     {},
     Severity::warning},

    // --- 7.1
    {"MPA-7.1-3",
     "Both sides start as Initiator.",
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.octets(b, mpa::encode_start_frame({.key = mpa::key_of(mpa::FrameKind::request), .crc = true}));
       part(s);
     },
     {},
     Severity::warning},
    {"MPA-7.1.1-1", "A Request whose key has one octet wrong.",
     [](RdmapScript& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.key[7] = 'X'; });
       s.close(b);
       s.close(a);
     }},
    {"MPA-7.1.1-1", "Nothing but octets of a ULP.",
     [](RdmapScript& s) {
       s.open();
       s.octets(a, pattern(100));
       part(s);
     },
     "no-mpa", Severity::warning},
    {"MPA-7.1.1-3", "A Reply whose key has one octet wrong.",
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.reply([](StartFrame& frame) { frame.key[15] = 'E'; });
       part(s);
     }},
    {"MPA-7.1.1-3", "An FPDU where the Reply is due.",
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.send(b, pattern(100));
       part(s);
     },
     "no-reply"},
    {"MPA-7.1.1-5", "An initiator that sends markers although nobody has asked for them.",
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.reply();
       s.frame_with(a, /*markers=*/true, /*crc=*/true);
       for (int i = 0; i < 5; ++i) s.send(a, pattern(200)), s.send(b, pattern(200));
       part(s);
     }},
    {"MPA-7.1.1-7", "A Request with R set.",
     [](RdmapScript& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.rejected = true; });
       s.reply();
       exchange_and_part(s);
     }},
    {"MPA-7.1.1-8", "A Reply with a reserved bit set.",
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.reply([](StartFrame& frame) { frame.reserved = 8; });
       exchange_and_part(s);
     }},
    {"MPA-7.1.1-10", "A Request of revision 0.",
     [](RdmapScript& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.revision = 0; });
       s.close(b);
       s.close(a);
     }},
    {"MPA-7.1.1-10", "A Request of revision 3.",
     [](RdmapScript& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.revision = 3; });
       s.close(b);
       s.close(a);
     },
     "revision-3", Severity::warning},
    {"MPA-7.1.1-13", "Less private data than PD_Length says.",
     [](RdmapScript& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.private_data_length = 16; }, pattern(8));
       part(s);
     }},
    {"MPA-7.1.1-14", "513 octets of private data.",
     [](RdmapScript& s) {
       s.open();
       s.request({}, pattern(mpa::kMaxPrivateData + 1));
       s.close(b);
       s.close(a);
     }},
    {"MPA-7.1.1-14", "A PD_Length of 65535, of which little comes.",
     [](RdmapScript& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.private_data_length = 0xffff; }, pattern(100));
       s.reset(b);
     },
     "announced"},
    {"MPA-7.1.2-2", "A Reply before the Request.",
     [](RdmapScript& s) {
       s.open();
       s.reply();
       s.request();
       exchange_and_part(s);
     }},
    {"MPA-7.1.2-2", "A Reply, and never a Request.",
     [](RdmapScript& s) {
       s.open();
       s.reply();
       part(s);
     },
     "alone"},
    {"MPA-7.1.2-6", "An FPDU right behind the Request.",
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.send(a, pattern(10));
       s.reply();
       s.send(b, pattern(10));
       part(s);
     }},
    {"MPA-7.1.2-6", "An FPDU behind the Request, upon which the responder resets.",
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.send(a, pattern(10));
       s.reset(b);
     },
     "never-answered"},
    {"MPA-7.1.2-8", "A responder that rejects and sends all the same.",
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.reply([](StartFrame& frame) { frame.rejected = true; });
       s.send(b, pattern(100));
       part(s);
     }},
    {"MPA-7.1.2-8", "A rejection and an FPDU in the same octets.",
     [](RdmapScript& s) {
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
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.reply([](StartFrame& frame) { frame.rejected = true; });
       s.send(a, pattern(100));
       part(s);
     }},
    {"MPA-7.1.2-12", "The responder sends first.",
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.reply();
       s.send(b, pattern(100));
       s.send(a, pattern(100));
       part(s);
     }},
    {"MPA-7.1.2-12", "The responder sends, the initiator never.",
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.reply();
       s.send(b, pattern(100));
       part(s);
     },
     "alone"},
    {"MPA-7.1.2-12", "The responder's first marker comes before the initiator's first FPDU.",
     [](RdmapScript& s) {
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
     [](RdmapScript& s) {
       start_and_exchange(s);
       s.close(a);
       s.octets(a, pattern(4));
       s.close(b);
     }},

    // --- RFC 6581
    {"ECE-5-1", "A Send with data where the ready-to-receive indication is due.",
     [](RdmapScript& s) {
       agree(s, kPeerToPeer, kPeerToPeer);
       exchange_and_part(s);
     }},
    {"ECE-6-1", "S in a Request of revision 1.",
     [](RdmapScript& s) {
       s.open();
       s.request([](StartFrame& frame) { frame.enhanced = true; }, octets_of(kClientServer));
       s.reply();
       exchange_and_part(s);
     }},
    {"ECE-6-3", "S with three octets of private data.",
     [](RdmapScript& s) {
       s.open();
       s.request(enhanced(), pattern(3));
       s.close(b);
       s.close(a);
     }},
    {"ECE-9.1-2", "A responder whose ORD is above the initiator's IRD.",
     [](RdmapScript& s) {
       agree(s, depths(4, 4), depths(4, 5));
       exchange_and_part(s);
     }},
    {"ECE-9.1-3",
     "A responder whose IRD is 0 where the initiator wants Reads.",
     [](RdmapScript& s) {
       agree(s, depths(4, 4), depths(0, 4));
       exchange_and_part(s);
     },
     {},
     Severity::warning},
    {"ECE-9.1-8", "An ORD of 0x3fff is answered by a number.",
     [](RdmapScript& s) {
       agree(s, depths(4, mpa::kNoNegotiation), depths(16, 4));
       exchange_and_part(s);
     }},
    {"ECE-9.1-9", "An IRD of 0x3fff is answered by a number.",
     [](RdmapScript& s) {
       agree(s, depths(mpa::kNoNegotiation, 4), depths(4, 16));
       exchange_and_part(s);
     }},
    {"ECE-9.2-1", "A Request with C set and A not.",
     [](RdmapScript& s) {
       agree(s, {.rtr_write = true}, {});
       exchange_and_part(s);
     }},
    {"ECE-9.2-2", "A Reply with B set and A not.",
     [](RdmapScript& s) {
       agree(s, {}, {.rtr_send = true});
       exchange_and_part(s);
     }},
    {"ECE-9.2-3",
     "A Request with A set and none of B, C and D.",
     [](RdmapScript& s) {
       agree(s, {.peer_to_peer = true}, {.peer_to_peer = true, .rtr_write = true});
       s.write(a, {}, 0, 0);
       exchange_and_part(s);
     },
     {},
     Severity::warning},
    {"ECE-9.2-4", "Peer to peer is asked for, and not granted.",
     [](RdmapScript& s) {
       agree(s, kPeerToPeer, kClientServer);
       exchange_and_part(s);
     }},
    {"ECE-9.2-5", "Peer to peer is granted, and not asked for.",
     [](RdmapScript& s) {
       agree(s, kClientServer, kPeerToPeer);
       exchange_and_part(s);
     }},
    {"ECE-9.2-7", "A Reply with A set and none of B, C and D.",
     [](RdmapScript& s) {
       agree(s, kPeerToPeer, {.peer_to_peer = true, .ird = 4, .ord = 4});
       s.close(a);
       s.close(b);
     }},
    {"ECE-9.2-9", "Ready by a zero-length Write where only a Send was offered.",
     [](RdmapScript& s) {
       agree(s, kPeerToPeer, {.peer_to_peer = true, .rtr_send = true, .ird = 4, .ord = 4});
       s.write(a, {}, 0, 0);
       exchange_and_part(s);
     }},
    {"ECE-10-1", "An enhanced Request is answered by an unenhanced Reply.",
     [](RdmapScript& s) {
       s.open();
       s.request(enhanced(), octets_of(kClientServer));
       s.reply();
       exchange_and_part(s);
     }},
    {"ECE-10-2", "An unenhanced Request is answered by an enhanced Reply.",
     [](RdmapScript& s) {
       s.open();
       s.request();
       s.reply(enhanced(), octets_of(kClientServer));
       exchange_and_part(s);
     }},
};

}  // namespace

std::span<const RdmapSample> mpa_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
