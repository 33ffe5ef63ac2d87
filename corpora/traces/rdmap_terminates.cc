// SPDX-License-Identifier: Apache-2.0
// Traces for the content of a Terminate (RFC 5040, 4.8, figures 7 to 10). For each rule, one connection breaks it and
// no other rule.
#include "corpora/traces/rdmap_connections.h"
#include "corpora/traces/rdmap_refusals.h"
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {
namespace {

namespace error = rdmap::error;
using rdmap::ErrorCode;
using rdmap::Opcode;
using rdmap::ReadRequest;
using rdmap::Terminate;
using Builder = RdmapTraceBuilder;

constexpr Side a = Side::a, b = Side::b;
constexpr Severity kWarning = Severity::warning;

// A Terminate whose control field is laid out as bit fields of a little-endian host.
void terminate_in_bit_fields(Builder& s, const Terminate& terminate, Side from = b) {
  OctetBuffer octets;
  rdmap::encode(terminate, octets);
  octets[0] = static_cast<Octet>(octets[0] << 4 | octets[0] >> 4);
  octets[2] = static_cast<Octet>((octets[2] & 0x80) >> 7 | (octets[2] & 0x40) >> 5 | (octets[2] & 0x20) >> 3);
  s.segment(from, s.untagged(from, Opcode::terminate), octets);
}

constexpr ReadRequest kNothing{
    .sink_stag = Builder::kSinkStag, .sink_to = 0x1000, .size = 0, .source_stag = Builder::kStag, .source_to = 0x2000};

// Terminates a Read Request; `edit` changes the request that the Terminate encloses.
template <class Edit>
void refuse_read(Builder& s, const ErrorCode& error, Edit edit) {
  refuse(s, error, [&](Terminate& terminate) {
    ReadRequest request = *rdmap::decode_read_request(terminate.rdma_header);
    edit(request);
    static OctetBuffer changed;
    changed.clear();
    rdmap::encode(request, changed);
    terminate.rdma_header = changed;
  });
}

// Terminates the last FPDU, only half of which arrives.
template <class Edit>
void refuse_half(Builder& s, const ErrorCode& error, Edit edit) {
  s.last().octets.resize(s.last().octets.size() / 2);
  Terminate terminate = s.blame_last(error);
  edit(terminate);
  s.terminate(b, terminate);
  s.close(b);
  s.reset(a);
}

// A Terminate for a Send that encloses an RDMA header, although a Send has none.
void with_rdma_header(Builder& s, const ErrorCode& error) {
  send(s);
  const OctetBuffer header = pattern(rdmap::layout::kReadRequest);
  refuse(s, error, [&](Terminate& t) {
    t.has_rdma_header = true;
    t.rdma_header = header;
  });
}

const RdmapSample kSamples[] = {
    // --- RFC 5040, 4.8: figures 7 and 8
    {"RDMAP-4.8-1", "A Terminate of two octets.",
     [](Builder& s) {
       send(s);
       s.segment(b, s.untagged(b, Opcode::terminate), pattern(2));
       end(s);
     }},
    {"RDMAP-4.8-1", "A Terminate in two segments.",
     [](Builder& s) {
       send(s);
       OctetBuffer octets;
       rdmap::encode(s.blame_last(error::kDdpNoBuffer), octets);
       ddp::Header header = s.untagged(b, Opcode::terminate);
       header.last = false;
       s.segment(b, header, Octets(octets).first(12));
       header.last = true;
       header.mo = 12;
       s.segment(b, header, Octets(octets).subspan(12));
       end(s);
     },
     "segmented", kWarning},
    {"RDMAP-4.8-2", "Layer and EType have changed places, and HdrCt is in the low bits.",
     [](Builder& s) {
       send(s);
       terminate_in_bit_fields(s, s.blame_last(error::kDdpNoBuffer));
       end(s);
     }},
    {"RDMAP-4.8-2", "The same without headers: a CRC error.",
     [](Builder& s) {
       send(s);
       terminate_in_bit_fields(s, s.blame_last(error::kMpaCrc));
       end(s);
     },
     "bare"},
    {"RDMAP-4.8-2", "The same of the initiator, where the octets as they stand name an error of MPA's negotiation.",
     [](Builder& s) {
       s.enhanced_start();
       s.read_request(b, Builder::kRead);
       terminate_in_bit_fields(s, s.blame_last(error::kCatastrophicStream), a);
       end(s);
     },
     "of-the-initiator"},
    {"RDMAP-4.8-7", "A reserved bit of a Terminate is set.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpNoBuffer, [](Terminate& t) { t.reserved = 1; });
     }},
    {"RDMAP-4.8-9", "M is set, and the Terminate ends behind its control field.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpNoBuffer, [](Terminate& t) {
         t.length_missing = true;
         t.ddp_header = {};
       });
     }},
    {"RDMAP-4.8-10", "DDP Segment Length is one more than the ULPDU_Length of the segment blamed.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpNoBuffer, [](Terminate& t) { ++t.ddp_segment_length; });
     }},
    {"RDMAP-4.8-10", "DDP Segment Length counts the payload of the segment only.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpNoBuffer, [](Terminate& t) { t.ddp_segment_length = 64; });
     },
     "payload-only", kWarning},
    {"RDMAP-4.8-11", "D is set, and the Terminate ends inside the terminated DDP header.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpNoBuffer, [](Terminate& t) { t.ddp_header = t.ddp_header.first(10); });
     }},
    {"RDMAP-4.8-12", "The terminated DDP header has an MSN that was not sent.",
     [](Builder& s) {
       send(s);
       OctetBuffer header;
       refuse(s, error::kDdpNoBuffer, [&](Terminate& t) {
         header.assign(t.ddp_header.begin(), t.ddp_header.end());
         ++header[ddp::layout::kMsn + 3];
         t.ddp_header = header;
       });
     }},
    {"RDMAP-4.8-12", "The same of half an FPDU.",
     [](Builder& s) {
       send(s);
       s.send(a, pattern(64));
       OctetBuffer header;
       refuse_half(s, error::kDdpNoBuffer, [&](Terminate& t) {
         header.assign(t.ddp_header.begin(), t.ddp_header.end());
         ++header[ddp::layout::kMsn + 3];
         t.ddp_header = header;
       });
     },
     "half"},
    {{},
     "Half an FPDU has come when the Terminate is sent that has the header of its segment.",
     [](Builder& s) {
       send(s);
       s.send(a, pattern(64));
       refuse_half(s, error::kDdpNoBuffer, [](Terminate&) {});
     },
     "terminate-of-half-an-fpdu"},
    {{},
     "The same with a marker in the header.",
     [](Builder& s) {
       start_with_markers(s);
       send_fpdu_of(s, a, 500);
       s.send(a, pattern(64));
       refuse_half(s, error::kDdpNoBuffer, [](Terminate&) {});
     },
     "terminate-of-half-an-fpdu-with-markers"},
    {"RDMAP-4.8-13", "A Local Catastrophic Error with a terminated DDP header.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpNoBuffer, [](Terminate& t) { t.error = error::kLocalCatastrophic; });
     }},
    {"RDMAP-4.8-14", "A terminated RDMA header behind that of a Send.",
     [](Builder& s) { with_rdma_header(s, error::kOperationUnspecified); }},
    {"RDMAP-4.8-14", "A terminated RDMA header behind that of a Send that DDP has not delivered.",
     [](Builder& s) { with_rdma_header(s, error::kDdpNoBuffer); }, "of-ddp", kWarning},
    {"RDMAP-4.8-14", "The R bit for a Send with Invalidate, and no RDMA header.",
     [](Builder& s) {
       send_invalidate(s);
       refuse(s, error::kProtectionCannotInvalidate, [](Terminate& t) { t.has_rdma_header = true; });
     },
     "not-there", kWarning},
    {"RDMAP-4.8-15", "R is set, and the Terminate ends inside the terminated RDMA header.",
     [](Builder& s) {
       read(s);
       refuse(s, error::kBaseOrBounds, [](Terminate& t) { t.rdma_header = t.rdma_header.first(20); });
     }},
    {"RDMAP-4.8-16", "A terminated Read Request is moved on beyond its end.",
     [](Builder& s) {
       read(s);
       refuse_read(s, error::kBaseOrBounds, [](ReadRequest& r) { r.sink_to += 65, r.source_to += 65, r.size -= 65; });
     }},
    {"RDMAP-4.8-16", "Half of a Read has been sent, and the terminated Read Request is as it came.",
     [](Builder& s) {
       read(s);
       const Terminate terminate = s.blame_last(error::kBaseOrBounds);
       const OctetBuffer blamed = s.last_ulpdu();
       s.read_response(b, pattern(32), Builder::kRead, [](ddp::Header& h) { h.last = false; });
       Terminate again = terminate;
       again.ddp_header = Octets(blamed).first(ddp::layout::kUntagged);
       again.rdma_header = Octets(blamed).subspan(ddp::layout::kUntagged);
       s.terminate(b, again);
       end(s);
     },
     "not-moved-on"},
    {"RDMAP-4.8-17", "A terminated Read Request with another Data Sink STag.",
     [](Builder& s) {
       read(s);
       refuse_read(s, error::kBaseOrBounds, [](ReadRequest& r) { ++r.sink_stag; });
     }},
    {"RDMAP-4.8-18", "A terminated Read Request whose Data Sink offset alone is moved on.",
     [](Builder& s) {
       read(s);
       refuse_read(s, error::kBaseOrBounds, [](ReadRequest& r) { r.sink_to += 32; });
     }},
    {"RDMAP-4.8-19", "A terminated Read Request whose size alone is less.",
     [](Builder& s) {
       read(s);
       refuse_read(s, error::kBaseOrBounds, [](ReadRequest& r) { r.size -= 32; });
     }},
    {"RDMAP-4.8-20", "A terminated Read Request with another Data Source STag.",
     [](Builder& s) {
       read(s);
       refuse_read(s, error::kBaseOrBounds, [](ReadRequest& r) { ++r.source_stag; });
     }},
    {"RDMAP-4.8-21", "A terminated Read Request whose Data Source offset alone is moved on.",
     [](Builder& s) {
       read(s);
       refuse_read(s, error::kBaseOrBounds, [](ReadRequest& r) { r.source_to += 32; });
     }},
    // --- figure 9: Layer, EType, Error Code
    {"RDMAP-4.8-3", "Layer 3.",
     [](Builder& s) {
       send(s);
       refuse(s, {3, 1, 0});
     }},
    {"RDMAP-4.8-4", "EType 3 with Layer 0.",
     [](Builder& s) {
       send(s);
       refuse(s, {0, 3, 0});
     }},
    {"RDMAP-4.8-5", "Code 05 of a Remote Protection Error.",
     [](Builder& s) {
       read(s);
       refuse(s, {0, 1, 5});
     }},
    {"RDMAP-4.8-6", "Code 00 of a Remote Operation Error.",
     [](Builder& s) {
       send(s);
       refuse(s, {0, 2, 0});
     }},
    {"RDMAP-4.8-40", "A zero-length Read is refused for its STag.",
     [](Builder& s) {
       read(s, kNothing);
       refuse(s, error::kInvalidStag);
     }},
    {"RDMAP-4.8-40", "A Send with Invalidate is refused as if its STag had been looked up for access.",
     [](Builder& s) {
       send_invalidate(s);
       refuse(s, error::kInvalidStag);
     },
     "invalidate", kWarning},
    {"RDMAP-4.8-41", "A Send with Invalidate is refused for bounds.",
     [](Builder& s) {
       send_invalidate(s);
       refuse(s, error::kBaseOrBounds);
     }},
    {"RDMAP-4.8-42", "A zero-length Read is refused for access rights.",
     [](Builder& s) {
       read(s, kNothing);
       refuse(s, error::kAccessRights);
     }},
    {"RDMAP-4.8-43", "A zero-length Read is refused for an STag of another stream.",
     [](Builder& s) {
       read(s, kNothing);
       refuse(s, error::kStagNotAssociated);
     }},
    {"RDMAP-4.8-44", "A Read far from 2^64 is refused as if it wrapped.",
     [](Builder& s) {
       read(s);
       refuse(s, error::kToWrap);
     }},
    {"RDMAP-4.8-45", "A Read Request is refused because its STag cannot be invalidated (0/1/09).",
     [](Builder& s) {
       read(s);
       refuse(s, error::kProtectionCannotInvalidate);
     }},
    {"RDMAP-4.8-46", "A Send of version 1 is refused for its version.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kInvalidVersion);
     }},
    {"RDMAP-4.8-47", "A Send that nothing is wrong with is refused for its opcode.",
     [](Builder& s) {
       s.start();
       s.send(a, pattern(64));
       s.send(a, pattern(64));
       refuse(s, error::kUnexpectedOpcode);
     }},
    {"RDMAP-4.8-48", "A Send is refused because its STag cannot be invalidated (0/2/09).",
     [](Builder& s) {
       send(s);
       refuse(s, error::kOperationCannotInvalidate);
     }},
    // --- figure 10
    {"RDMAP-4.8-22", "A Local Catastrophic Error with a segment length.",
     [](Builder& s) {
       send(s);
       s.terminate(b, {.error = error::kLocalCatastrophic, .has_length = true, .ddp_segment_length = 82});
       end(s);
     }},
    {"RDMAP-4.8-23", "A Local Catastrophic Error with an RDMA header.",
     [](Builder& s) {
       send(s);
       const OctetBuffer header = pattern(rdmap::layout::kReadRequest);
       s.terminate(b, {.error = error::kLocalCatastrophic, .has_rdma_header = true, .rdma_header = header});
       end(s);
     }},
    {"RDMAP-4.8-24", "A Remote Protection Error with the D bit and not the M bit.",
     [](Builder& s) {
       read(s);
       refuse(s, error::kBaseOrBounds, [](Terminate& t) { t.has_length = false; });
     }},
    {"RDMAP-4.8-24", "A Remote Protection Error without any header.",
     [](Builder& s) {
       read(s);
       bare(s, error::kBaseOrBounds);
     },
     "bare", kWarning},
    {"RDMAP-4.8-25", "A Remote Protection Error for a Read Request without its RDMA header.",
     [](Builder& s) {
       read(s);
       refuse(s, error::kBaseOrBounds, [](Terminate& t) {
         t.has_rdma_header = false;
         t.rdma_header = {};
       });
     }},
    {"RDMAP-4.8-26", "A Remote Protection Error that blames a Send.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kBaseOrBounds);
     }},
    {"RDMAP-4.8-26", "A Write without the right to write is refused by RDMAP's code.",
     [](Builder& s) {
       write(s);
       refuse(s, error::kAccessRights);
     },
     "write", kWarning},
    {"RDMAP-4.8-27", "A Remote Operation Error with the D bit and not the M bit.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kCatastrophicStream, [](Terminate& t) { t.has_length = false; });
     }},
    {"RDMAP-4.8-27", "A Remote Operation Error for an opcode, without any header.",
     [](Builder& s) {
       send(s);
       bare(s, error::kUnexpectedOpcode);
     },
     "bare", kWarning},
    {"RDMAP-4.8-29", "A DDP error without any header.",
     [](Builder& s) {
       send(s);
       bare(s, error::kDdpNoBuffer);
     }},
    {"RDMAP-4.8-30",
     "A DDP error with the RDMA header of the Read Request.",
     [](Builder& s) {
       read(s);
       const Octets header = Octets(s.last_ulpdu()).subspan(ddp::layout::kUntagged);
       refuse(s, error::kDdpNoBuffer, [&](Terminate& t) {
         t.has_rdma_header = true;
         t.rdma_header = header;
       });
     },
     {},
     kWarning},
    {"RDMAP-4.8-31",
     "An LLP error with a terminated DDP header.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpNoBuffer, [](Terminate& t) { t.error = error::kMpaCrc; });
     },
     {},
     kWarning},
    {"RDMAP-4.8-32",
     "An LLP error with an RDMA header.",
     [](Builder& s) {
       send(s);
       const OctetBuffer header = pattern(rdmap::layout::kReadRequest);
       s.terminate(b, {.error = error::kMpaCrc, .has_rdma_header = true, .rdma_header = header});
       end(s);
     },
     {},
     kWarning},
};

}  // namespace

std::span<const RdmapSample> terminate_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
