// SPDX-License-Identifier: Apache-2.0
// Traces for the rules of DDP (RFC 5041). For each rule, one connection breaks it and no other rule, and one exercises
// it without a finding.
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {
namespace {

using ddp::Header;
using rdmap::Opcode;
using Builder = RdmapTraceBuilder;

constexpr Side kA = Side::a, kB = Side::b;
constexpr std::size_t kHalf = 100;  // payload of a segment, in octets
constexpr Severity kViolation = Severity::violation, kWarning = Severity::warning;

using Edit = Builder::HeaderEdit;

// Sends a segment of kHalf octets of the next message of `opcode`, at offset `mo`, without the L bit.
void part(Builder& s, Side side, std::uint32_t mo, const Edit& edit = {}, Opcode opcode = Opcode::send) {
  Header header = s.untagged(side, opcode);
  header.last = false;
  header.mo = mo;
  if (edit) edit(header);
  s.segment(side, header, pattern(kHalf, static_cast<Octet>(mo)));
}
// Same as part(), but with the L bit.
void last_part(Builder& s, Side side, std::uint32_t mo, const Edit& edit = {}, Opcode opcode = Opcode::send) {
  part(
      s, side, mo,
      [&](Header& h) {
        h.last = true;
        if (edit) edit(h);
      },
      opcode);
  s.numbered(side, s.untagged(side, opcode).qn);
}
// Sends a Send in two segments; `edit` changes the second.
void send_in_two(Builder& s, Side side, const Edit& edit = {}) {
  part(s, side, 0);
  last_part(s, side, kHalf, edit);
}
void write_part(Builder& s, Side side, std::uint64_t to, bool last, const Edit& edit = {}) {
  s.write(side, pattern(kHalf, static_cast<Octet>(to)), Builder::kStag, to, [&](Header& h) {
    h.last = last;
    if (edit) edit(h);
  });
}
void write_in_two(Builder& s, Side side, const Edit& edit = {}) {
  write_part(s, side, 0x1000, false);
  write_part(s, side, 0x1000 + kHalf, true, edit);
}
void empty(Builder& s, Side side, bool tagged, bool last) {
  Header header = tagged ? Builder::tagged(Opcode::write, 0, 0) : s.untagged(side, Opcode::send);
  header.last = last;
  s.segment(side, header, {});
}
// The capture lacks octets from this side.
void gap(Builder& s, Side side) {
  s.octets(side, {});
  s.last().event = StreamEvent::gap;
  s.last().missing = 1000;
}
void send_numbered(Builder& s, Side side, std::uint32_t msn) {
  s.send(side, pattern(8), Opcode::send, 0, [&](Header& h) { h.msn = msn; });
}

const RdmapSample kSamples[] = {
    {"DDP-4.1-3", "A Send begins while the one before it has had no segment with L.",
     [](Builder& s) {
       s.start();
       part(s, kA, 0);
       s.numbered(kA, rdmap::kSendQueue);
       s.send(kA, pattern(8));
       s.send(kA, pattern(8));
     }},
    {"DDP-4.1-3", "Two Sends mixed: the second begins and ends inside the first.",
     [](Builder& s) {
       s.start();
       const Header first = s.untagged(kA, Opcode::send);
       part(s, kA, 0);
       s.numbered(kA, rdmap::kSendQueue);
       s.send(kA, pattern(8));
       last_part(s, kA, kHalf, [&](Header& h) { h.msn = first.msn; });
     },
     "mixed-sends"},
    {"DDP-4.1-3", "A Write to another buffer begins while the one before it has had no segment with L.",
     [](Builder& s) {
       s.start();
       write_part(s, kA, 0x1000, false);
       s.write(kA, pattern(8), Builder::kSinkStag, 0x9000);
     },
     "tagged"},
    {"DDP-4.1-3", "The first of two Read Responses into one buffer lacks L.",
     [](Builder& s) {
       s.start();
       rdmap::ReadRequest second = Builder::kRead;
       second.sink_to += second.size;
       s.read_request(kA);
       s.read_request(kA, second);
       s.read_response(kB, pattern(64), Builder::kRead, [](Header& h) { h.last = false; });
       s.read_response(kB, pattern(64), second);
     },
     "read-response"},
    {"DDP-4.1-4", "A Send goes on behind a segment that has L set.",
     [](Builder& s) {
       s.start();
       part(s, kA, 0, [](Header& h) { h.last = true; });
       last_part(s, kA, kHalf);
       s.send(kA, pattern(8));
     }},
    {"DDP-4.1-5", "A Send's middle segment comes after its last.",
     [](Builder& s) {
       s.start();
       part(s, kA, 0);
       part(s, kA, 2 * kHalf, [](Header& h) { h.last = true; });
       part(s, kA, kHalf);
       s.numbered(kA, rdmap::kSendQueue);
       s.send(kA, pattern(8));
     }},
    {"DDP-4.1-6", "A Send's segment with L is its first half, sent after the second.",
     [](Builder& s) {
       s.start();
       part(s, kA, kHalf);
       last_part(s, kA, 0);
       s.send(kA, pattern(8));
     }},
    {"DDP-4.1-10", "A reserved bit of the DDP control field is set.",
     [](Builder& s) {
       s.start();
       s.write(kA, pattern(8), Builder::kStag, 0, [](Header& h) { h.reserved = 1; });
     }},
    {"DDP-4.1-12", "A side sends DDP version 0 throughout.",
     [](Builder& s) {
       s.start();
       s.write(kA, pattern(8), Builder::kStag, 0, [](Header& h) { h.version = 0; });
       s.send(kA, pattern(8), Opcode::send, 0, [](Header& h) { h.version = 0; });
     }},
    {"DDP-4.1-13", "DDP version 2 after version 1.",
     [](Builder& s) {
       s.start();
       s.send(kA, pattern(8));
       s.send(kA, pattern(8), Opcode::send, 0, [](Header& h) { h.version = 2; });
       s.send(kA, pattern(8));
     }},
    {"DDP-4.2-1", "A tagged ULPDU of 13 octets.",
     [](Builder& s) {
       s.start();
       OctetBuffer ulpdu;
       ddp::encode(Builder::tagged(Opcode::write, Builder::kStag, 0), ulpdu);
       s.fpdu(kA, Octets(ulpdu).first(ddp::layout::kTagged - 1));
     }},
    {"DDP-4.2-4", "The second segment of a Write says that it is a Read Response.",
     [](Builder& s) {
       s.start();
       write_in_two(s, kA,
                    [](Header& h) { h.rsvd_ulp = rdmap::encode_control(rdmap::control_of(Opcode::read_response)); });
     }},
    {"DDP-4.2-4", "The second segment of a Write has a reserved opcode.",
     [](Builder& s) {
       s.start();
       write_in_two(s, kA, [](Header& h) { h.rsvd_ulp = rdmap::encode_control({.opcode = 13}); });
     },
     "reserved-opcode"},
    {"DDP-4.2-8", "The second segment of a Write has another STag.",
     [](Builder& s) {
       s.start();
       write_in_two(s, kA, [](Header& h) { h.stag ^= 1; });
     }},
    {"DDP-4.3-1", "An untagged ULPDU of 17 octets.",
     [](Builder& s) {
       s.start();
       OctetBuffer ulpdu;
       ddp::encode(s.untagged(kA, Opcode::send), ulpdu);
       s.fpdu(kA, Octets(ulpdu).first(ddp::layout::kUntagged - 1));
     }},
    {"DDP-4.3-4", "The second segment of a Send says that it is a Send with Solicited Event.",
     [](Builder& s) {
       s.start();
       send_in_two(s, kA, [](Header& h) { h.rsvd_ulp = rdmap::encode_control(rdmap::control_of(Opcode::send_se)); });
     }},
    {"DDP-4.3-4", "The second segment of a Send with Invalidate has another Invalidate STag.",
     [](Builder& s) {
       s.start();
       part(
           s, kA, 0, [](Header& h) { h.rsvd_ulp_rest = Builder::kStag; }, Opcode::send_invalidate);
       last_part(s, kA, kHalf, {}, Opcode::send_invalidate);
     },
     "invalidate-stag"},
    {"DDP-4.3-5", "The second segment of a Send is on queue 1.",
     [](Builder& s) {
       s.start();
       send_in_two(s, kA, [](Header& h) { h.qn = 1; });
       s.send(kA, pattern(8));
     }},
    {"DDP-4.3-7", "The MSN skips one.",
     [](Builder& s) {
       s.start();
       s.send(kA, pattern(8));
       s.numbered(kA, rdmap::kSendQueue);
       s.send(kA, pattern(8));
       s.send(kA, pattern(8));
     }},
    {"DDP-4.3-7", "A Send is sent a second time under its MSN.",
     [](Builder& s) {
       s.start();
       s.send(kA, pattern(8));
       send_numbered(s, kA, 1);
     },
     "repeated"},
    {"DDP-4.3-7", "The MSN of Read Requests does not grow.",
     [](Builder& s) {
       s.start();
       s.read(kA);
       s.read_request(kA, Builder::kRead, [](Header& h) { h.msn = 1; });
       s.read_response(kB, pattern(64));
     },
     "read-requests"},
    {"DDP-4.3-8", "The first Send has MSN 0.",
     [](Builder& s) {
       s.start();
       send_numbered(s, kA, 0);
       send_numbered(s, kA, 1);
     }},
    {"DDP-4.3-9", "After MSN 0xffffffff comes 1.",
     [](Builder& s) {
       s.start();
       s.send(kA, pattern(8));
       gap(s, kA);
       send_numbered(s, kA, 0xfffffffe);
       send_numbered(s, kA, 0xffffffff);
       send_numbered(s, kA, 1);
     }},
    {"DDP-4.3-10", "The second segment of a Send has the next MSN.",
     [](Builder& s) {
       s.start();
       send_in_two(s, kA, [](Header& h) { ++h.msn; });
       s.send(kA, pattern(8));
     }},
    {"DDP-4.3-11", "A Send begins at MO 1.",
     [](Builder& s) {
       s.start();
       s.send(kA, pattern(8), Opcode::send, 0, [](Header& h) { h.mo = 1; });
       s.send(kA, pattern(8));
     }},
    {"DDP-4.3-11", "A Read Request begins at MO 0x7fff0000, and is answered.",
     [](Builder& s) {
       s.start();
       s.read_request(kA, Builder::kRead, [](Header& h) { h.mo = 0x7fff0000; });
       s.read_response(kB, pattern(64));
     },
     "read-request"},
    {"DDP-5.2-3", "A segment that runs past the 2^32nd octet of its message.",
     [](Builder& s) {
       s.start();
       s.send(kA, pattern(8));
       gap(s, kA);
       s.send(kA, pattern(32), Opcode::send, 0, [](Header& h) { h.mo = 0xfffffff0; });
     }},
    {"DDP-5.2-6", "The second segment of a Send leaves an octet out.",
     [](Builder& s) {
       s.start();
       send_in_two(s, kA, [](Header& h) { ++h.mo; });
       s.send(kA, pattern(8));
     }},
    {"DDP-5.2-6", "The second segment of a Send sends octets of the first again.",
     [](Builder& s) {
       s.start();
       send_in_two(s, kA, [](Header& h) { h.mo -= 10; });
     },
     "overlap"},
    {"DDP-5.2-7", "The second segment of a Write leaves an octet out.",
     [](Builder& s) {
       s.start();
       write_in_two(s, kA, [](Header& h) { ++h.to; });
     }},
    {"DDP-5.2-9", "A Send of no octets in two segments.",
     [](Builder& s) {
       s.start();
       empty(s, kA, false, false);
       empty(s, kA, false, true);
     }},
    {"DDP-5.2-9", "A Write of no octets in two segments.",
     [](Builder& s) {
       s.start();
       empty(s, kA, true, false);
       empty(s, kA, true, true);
     },
     "tagged"},
    {"DDP-5.3-1",
     "A Write between the segments of a Send.",
     [](Builder& s) {
       s.start();
       part(s, kA, 0);
       s.write(kA, pattern(8));
       last_part(s, kA, kHalf);
     },
     {},
     kWarning},
    {"DDP-5.3-2",
     "The third segment of a Send is sent before the second; the last is the last.",
     [](Builder& s) {
       s.start();
       part(s, kA, 0);
       part(s, kA, 2 * kHalf);
       part(s, kA, kHalf);
       last_part(s, kA, 3 * kHalf);
     },
     {},
     kViolation},
    {"DDP-5.3-2", "A Write is sent backwards.",
     [](Builder& s) {
       s.start();
       write_part(s, kA, 0x1000 + kHalf, false);
       write_part(s, kA, 0x1000, true);
     },
     "tagged"},
    {"", "Sends and Writes in one, two and three segments, and of no octets, both ways.",
     [](Builder& s) {
       s.start();
       for (const Side side : {kA, kB}) {
         s.send(side, pattern(8));
         send_in_two(s, side);
         write_in_two(s, side);
         s.send(side, {});
         s.write(side, {}, 0, 0);
         s.write(side, pattern(8), Builder::kSinkStag, 0xffffffff00000000);
         part(s, side, 0, {}, Opcode::send_se);
         part(s, side, kHalf, {}, Opcode::send_se);
         last_part(s, side, 2 * kHalf, {}, Opcode::send_se);
       }
       s.close(kA);
       s.close(kB);
     },
     "segments"},
    {"", "A Write that ends with a segment of no octets, whose STag and TO mean nothing.",
     [](Builder& s) {
       s.start();
       write_part(s, kA, 0x1000, false);
       empty(s, kA, true, true);
     },
     "empty-last-segment"},
    {"", "The capture misses octets; behind them the MSN wraps.",
     [](Builder& s) {
       s.start();
       s.send(kA, pattern(8));
       gap(s, kA);
       send_numbered(s, kA, 0xfffffffe);
       send_numbered(s, kA, 0xffffffff);
       send_numbered(s, kA, 0);
       send_numbered(s, kA, 1);
     },
     "msn-wraps"},
    {"", "The capture misses octets, and goes on in the middle of a Send and of a Write.",
     [](Builder& s) {
       s.start();
       s.send(kA, pattern(8));
       part(s, kA, 0);
       gap(s, kA);
       part(s, kA, 5 * kHalf);
       last_part(s, kA, 6 * kHalf);
       s.send(kA, pattern(8));
       write_part(s, kA, 0x1000, false);
       gap(s, kA);
       write_part(s, kA, 0x7000, true);
     },
     "gaps"},
};

}  // namespace

std::span<const RdmapSample> ddp_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
