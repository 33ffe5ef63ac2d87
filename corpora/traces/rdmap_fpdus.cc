// SPDX-License-Identifier: Apache-2.0
// Traces for the rules of FPDUs (RFC 5044, 3 to 5.1). For each rule, one connection breaks it and no other rule.
#include <algorithm>

#include "corpora/traces/rdmap_connections.h"
#include "corpora/traces/rdmap_samples.h"
#include "reference/octets/crc32c.h"

namespace wirelaw::corpora {
namespace {

using enum Side;
using rdmap::Opcode;

constexpr std::size_t kHeader = ddp::layout::kUntagged;

// --- FPDUs that the framer does not make

void put_crc(OctetBuffer& fpdu, std::uint32_t crc) {
  store_little_endian(fpdu.data() + fpdu.size() - mpa::kCrcOctets, crc);
}
void renew_crc(OctetBuffer& fpdu) {
  put_crc(fpdu, crc32c(Octets(fpdu).first(fpdu.size() - mpa::kCrcOctets)));
}
// Computes the CRC over the FPDU without `count` octets at offset `at`.
void crc_without(OctetBuffer& fpdu, std::size_t at, std::size_t count) {
  OctetBuffer covered(fpdu.begin(), fpdu.end() - mpa::kCrcOctets);
  const auto first = covered.begin() + static_cast<std::ptrdiff_t>(at);
  covered.erase(first, first + static_cast<std::ptrdiff_t>(count));
  put_crc(fpdu, crc32c(covered));
}

void pad_wrongly(RdmapTraceBuilder& s, std::size_t payload, std::size_t pad) {
  s.send(a, pattern(payload));
  OctetBuffer& fpdu = s.last().octets;
  fpdu.resize(mpa::kLengthOctets + kHeader + payload);
  fpdu.resize(fpdu.size() + pad + mpa::kCrcOctets);
  renew_crc(fpdu);
}

// Sends a side's FPDUs in segments that end in the middle of an FPDU.
class SplitFpdus {
 public:
  SplitFpdus(RdmapTraceBuilder& builder, Side side) : builder_(builder), side_(side) {}
  void send(std::size_t payload) {
    builder_.send(side_, pattern(payload));
    OctetBuffer& fpdu = builder_.last().octets;
    const auto middle = fpdu.begin() + static_cast<std::ptrdiff_t>(fpdu.size() / 2);
    const OctetBuffer rest(middle, fpdu.end());
    fpdu.erase(middle, fpdu.end());
    fpdu.insert(fpdu.begin(), carry_.begin(), carry_.end());
    carry_ = rest;
  }
  void end() { builder_.octets(side_, carry_); }

 private:
  RdmapTraceBuilder& builder_;
  Side side_;
  OctetBuffer carry_;
};

// A marker, then an FPDU of 600 octets that should contain one but does not.
void leave_out_marker(RdmapTraceBuilder& s) {
  s.frame_with(a, false, true);
  send_fpdu_of(s, a, 600);
  OctetBuffer& fpdu = s.last().octets;
  fpdu.insert(fpdu.begin(), mpa::kMarkerOctets, 0);
  renew_crc(fpdu);
}

constexpr RdmapSample kSamples[] = {
    // --- 3, 4.1
    {"MPA-3-1", "An FPDU without a ULPDU.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.fpdu(a, {});
       part(s);
     }},
    {"MPA-3-5", "A ULPDU of 64769 octets.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.send(a, pattern(64769 - kHeader));
       part(s);
     }},
    {"MPA-4.1-1", "The initiator closes in the middle of an FPDU.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.send(a, pattern(100));
       s.last().octets.resize(50);
       part(s);
     }},
    {"MPA-4.1-1", "The responder closes one octet too early.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.send(b, pattern(100));
       s.last().octets.pop_back();
       s.close(b);
       s.close(a);
     },
     "by-an-octet"},
    {"MPA-4.1-2", "ULPDU_Length counts the CRC as well.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.send(a, pattern(50), Opcode::send, 0, {}, {.length_add = 4});
       s.send(a, pattern(51));
       s.send(a, pattern(52));
       part(s);
     }},
    {"MPA-4.1-3", "Pad octets of 0xff.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.send(a, pattern(9), Opcode::send, 0, {}, {.pad_fill = 0xff});
       part(s);
     }},
    {"MPA-4.1-4", "No pad where two octets are due.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       pad_wrongly(s, 10, 0);
       s.send(a, pattern(100));
       part(s);
     }},
    {"MPA-4.1-4", "As many pad octets as are beyond a multiple of four: three where one is due.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       pad_wrongly(s, 11, 3);
       s.send(a, pattern(100));
       part(s);
     },
     "too-many"},

    // --- 4.2, 4.3
    {"MPA-4.2-1", "A marker whose reserved bits are set.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 400);
       send_fpdu_of(s, a, 400, {.marker_reserved = 0x8000});
       send_fpdu_of(s, a, 40);
       part(s);
     }},
    {"MPA-4.2-3", "An FPDUPTR that is no multiple of four.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 400);
       send_fpdu_of(s, a, 400, {.marker_pointer_xor = 1});
       part(s);
     }},
    {"MPA-4.3-1", "A responder that sends no markers although the initiator has asked for them.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request(with_markers());
       s.reply();
       s.frame_with(b, /*markers=*/false, /*crc=*/true);
       for (int i = 0; i < 5; ++i) s.send(a, pattern(200)), s.send(b, pattern(200));
       part(s);
     }},
    {"MPA-4.3-2", "The first marker is there, the second is not.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       leave_out_marker(s);
       s.send(a, pattern(10));
       part(s);
     }},
    {"MPA-4.3-3", "An FPDUPTR that points before its FPDU.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 400);
       send_fpdu_of(s, a, 400, {.marker_pointer_xor = 0x100});
       send_fpdu_of(s, a, 400);
       part(s);
     }},
    {"MPA-4.3-5", "A marker between two FPDUs that points.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 508);
       send_fpdu_of(s, a, 100, {.marker_pointer_xor = 8});
       part(s);
     }},
    {"MPA-4.3-6", "A first marker that is not zero.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 100, {.marker_pointer_xor = 8});
       send_fpdu_of(s, a, 100);
       part(s);
     }},
    {"MPA-4.3-7", "The second marker inside an FPDU points at the first one.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 1200);
       constexpr std::size_t kSecond = 2 * mpa::kMarkerInterval;
       store_big_endian<std::uint16_t>(s.last().octets.data() + kSecond + 2, mpa::kMarkerInterval);
       renew_crc(s.last().octets);
       part(s);
     }},

    // --- 4.4
    {"MPA-4.4-5", "A CRC field of zero after CRCs that hold.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.send(a, pattern(100));
       put_crc(s.last().octets, 0);
       s.send(a, pattern(100));
       part(s);
     }},
    {"MPA-4.4-6", "A CRC with one bit wrong.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.send(a, pattern(100), Opcode::send, 0, {}, {.crc_xor = 0x100});
       for (int i = 0; i < 3; ++i) s.send(a, pattern(100));
       part(s);
     }},
    {"MPA-4.4-6", "Data that has changed after the CRC was computed, with markers.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       for (int i = 0; i < 4; ++i) {
         send_fpdu_of(s, a, 400);
         if (i == 1) s.last().octets[300] ^= 1;
       }
       part(s);
     },
     "with-markers"},
    {"MPA-4.4-7", "A CRC with its octets the other way round.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.send(a, pattern(100));
       std::reverse(s.last().octets.end() - mpa::kCrcOctets, s.last().octets.end());
       s.send(a, pattern(100));
       part(s);
     }},
    {"MPA-4.4-8", "A CRC over an FPDU without its markers.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 400);
       send_fpdu_of(s, a, 400);
       crc_without(s.last().octets, mpa::kMarkerInterval - 404, mpa::kMarkerOctets);
       send_fpdu_of(s, a, 400);
       part(s);
     }},
    {"MPA-4.4-9", "A CRC without the marker between PAD and CRC.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 512);
       crc_without(s.last().octets, mpa::kMarkerInterval, mpa::kMarkerOctets);
       send_fpdu_of(s, a, 400);
       part(s);
     }},
    {"MPA-4.4-10", "A CRC without the marker before ULPDU_Length.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 100);
       crc_without(s.last().octets, 0, mpa::kMarkerOctets);
       send_fpdu_of(s, a, 100);
       part(s);
     }},

    // --- 4.5, 5.1
    {"MPA-4.5-1",
     "With markers, a ULPDU of 1448 octets where the MSS is 1460.",
     [](RdmapTraceBuilder& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 1456);
       part(s);
     },
     {},
     Severity::warning},
    {"MPA-4.5-2",
     "Without markers, a ULPDU of 1458 octets where the MSS is 1460.",
     [](RdmapTraceBuilder& s) {
       s.start();
       send_fpdu_of(s, a, 1464);
       part(s);
     },
     {},
     Severity::warning},
    {"MPA-5.1-3",
     "Each FPDU begins in the middle of a segment.",
     [](RdmapTraceBuilder& s) {
       s.start();
       SplitFpdus split(s, a);
       for (int i = 0; i < 20; ++i) split.send(100);
       split.end();
       part(s);
     },
     {},
     Severity::warning},
};

}  // namespace

std::span<const RdmapSample> fpdu_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
