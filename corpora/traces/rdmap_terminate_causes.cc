// SPDX-License-Identifier: Apache-2.0
// Traces for the causes of a Terminate and for what follows it (RFC 5040, 5.4, 6.2, 7.1; RFC 5041, 7.2; RFC 5044, 8;
// RFC 6581, 8). For each rule, one connection breaks it and no other rule; other connections break none.
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

// A Terminate for a segment that the capture lacks: only its header is known.
void refuse_lost(Builder& s, const ErrorCode& error, const ddp::Header& header, const ReadRequest* request = nullptr) {
  s.gap(a, 68);
  OctetBuffer lost, body;
  ddp::encode(header, lost);
  Terminate terminate{.error = error, .has_length = true, .has_ddp_header = true, .ddp_segment_length = 46};
  terminate.ddp_header = lost;
  if (request) {
    rdmap::encode(*request, body);
    terminate.has_rdma_header = true;
    terminate.rdma_header = body;
  }
  s.terminate(b, terminate);
  end(s);
}
ddp::Header header_with(const Builder& s, Opcode opcode, void (*edit)(ddp::Header&)) {
  const bool tagged = rdmap::find_opcode(static_cast<std::uint8_t>(opcode))->tagged;
  ddp::Header header = tagged ? Builder::tagged(opcode, Builder::kStag, 0) : s.untagged(a, opcode);
  if (edit) edit(header);
  return header;
}

constexpr ReadRequest kWraps{.sink_stag = Builder::kSinkStag,
                             .sink_to = 0x1000,
                             .size = 64,
                             .source_stag = Builder::kStag,
                             .source_to = ~std::uint64_t{0} - 15};

void of_initiator(Builder& s, const ErrorCode& code) {
  s.terminate(Side::a, {.error = code});
  s.close(Side::a);
  s.close(Side::b);
}

const RdmapSample kSamples[] = {
    // --- RFC 5040, 5.4
    {"RDMAP-5.4-4", "A Terminate is refused because there is no buffer for it.",
     [](Builder& s) {
       s.start();
       s.terminate(a, {.error = error::kLocalCatastrophic});
       refuse(s, error::kDdpNoBuffer);
     }},
    {"RDMAP-5.4-9", "A Send follows a Terminate.",
     [](Builder& s) {
       send(s);
       s.terminate(b, s.blame_last(error::kDdpNoBuffer));
       s.send(b, pattern(16));
       end(s);
     }},
    {"RDMAP-5.4-11", "Behind a gap, a Terminate with MSN 2.",
     [](Builder& s) {
       send(s);
       s.gap(b, 88);
       s.terminate(b, {.error = error::kLocalCatastrophic}, [](ddp::Header& h) { h.msn = 2; });
       end(s);
     }},
    // --- RFC 5040, 6.2
    {"RDMAP-6.2-1", "FIN behind the first segment of a Send of two.",
     [](Builder& s) {
       s.start();
       ddp::Header header = s.untagged(a, Opcode::send);
       header.last = false;
       s.segment(a, header, pattern(64));
       s.close(a);
       s.close(b);
     }},
    {"RDMAP-6.2-2",
     "A side closes with a Read unanswered.",
     [](Builder& s) {
       read(s);
       s.close(b);
       s.close(a);
     },
     {},
     kWarning},
    {"RDMAP-6.2.1-5", "RST right behind a Terminate.",
     [](Builder& s) {
       send(s);
       s.terminate(b, s.blame_last(error::kDdpNoBuffer));
       s.reset(b);
     }},
    // --- RFC 5040, 7.1
    {"RDMAP-7.1-2", "Without HdrCt, 14 octets behind the control field.",
     [](Builder& s) {
       send(s);
       const OctetBuffer tail = pattern(14, 1);
       s.terminate(b, {.error = error::kLocalCatastrophic, .tail = tail});
       end(s);
     }},
    {"RDMAP-7.1-2", "Without HdrCt, 14 octets of zero behind the control field.",
     [](Builder& s) {
       send(s);
       const OctetBuffer tail(14);
       s.terminate(b, {.error = error::kLocalCatastrophic, .tail = tail});
       end(s);
     },
     "zero", kWarning},
    // --- RFC 5041, 7.2
    {"DDP-7.2-1", "DDP's error type 3.",
     [](Builder& s) {
       send(s);
       refuse(s, {1, 3, 2});
     }},
    {"DDP-7.2-2", "A Local Catastrophic error of DDP with code 06.",
     [](Builder& s) {
       send(s);
       bare(s, {1, 0, 6});
     }},
    {"DDP-7.2-3", "Code 05 of a Tagged Buffer Error.",
     [](Builder& s) {
       write(s);
       refuse(s, {1, 1, 5});
     }},
    {"DDP-7.2-4", "Code 00 of an Untagged Buffer Error.",
     [](Builder& s) {
       send(s);
       refuse(s, {1, 2, 0});
     }},
    {"DDP-7.2-5", "A Tagged Buffer Error that blames a Send.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpBaseOrBounds);
     }},
    {"DDP-7.2-6", "An Untagged Buffer Error that blames a Write.",
     [](Builder& s) {
       write(s);
       refuse(s, error::kDdpNoBuffer);
     }},
    {"DDP-7.2-10", "A zero-length Write is refused for its STag.",
     [](Builder& s) {
       s.start();
       s.write(a, {});
       refuse(s, error::kDdpInvalidStag);
     }},
    {"DDP-7.2-11", "A zero-length Write is refused for bounds.",
     [](Builder& s) {
       s.start();
       s.write(a, {});
       refuse(s, error::kDdpBaseOrBounds);
     }},
    {"RDMAP-4.4-5", "A Read Response of no octets to a Read of 64 is refused for bounds: no code says what is wrong.",
     [](Builder& s) {
       send(s);
       s.read_request(b);
       s.read_response(a, {});
       refuse(s, error::kDdpBaseOrBounds);
     },
     "empty-refused"},
    {"DDP-7.2-12", "A zero-length Write is refused for an STag of another stream.",
     [](Builder& s) {
       s.start();
       s.write(a, {});
       refuse(s, error::kDdpStagNotAssociated);
     }},
    {"DDP-7.2-13", "A Write far from 2^64 is refused as if it wrapped.",
     [](Builder& s) {
       write(s);
       refuse(s, error::kDdpToWrap);
     }},
    {"DDP-7.2-14", "A Write of DDP version 1 is refused for its version.",
     [](Builder& s) {
       write(s);
       refuse(s, error::kDdpTaggedVersion);
     }},
    {"DDP-7.2-20", "A Send on queue 0 is refused for its queue.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpInvalidQn);
     }},
    {"DDP-7.2-22",
     "A Send whose MSN was due is refused for its MSN.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpMsnRange);
     },
     {},
     kWarning},
    {"DDP-7.2-23", "A Send at MO 0 is refused for its MO.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpInvalidMo);
     }},
    {"DDP-7.2-24", "An empty Send is refused as too long.",
     [](Builder& s) {
       s.start();
       s.send(a, {});
       refuse(s, error::kDdpTooLong);
     }},
    {"DDP-7.2-25", "A Send of DDP version 1 is refused for its version.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpUntaggedVersion);
     }},
    // --- RFC 5044, 8; RFC 6581, 8
    {"MPA-8-11", "A CRC error on a connection without CRCs.",
     [](Builder& s) {
       s.open();
       s.request([](mpa::StartFrame& f) { f.crc = false; });
       s.reply([](mpa::StartFrame& f) { f.crc = false; });
       s.send(a, pattern(64));
       bare(s, error::kMpaCrc);
     }},
    {"MPA-8-9",
     "A marker error on a stream without markers.",
     [](Builder& s) {
       send(s);
       bare(s, error::kMpaMarker);
     },
     {},
     kWarning},
    {"MPA-8-10",
     "A Terminate for a start frame.",
     [](Builder& s) {
       send(s);
       bare(s, error::kMpaStartFrame);
     },
     {},
     kWarning},
    {"ECE-8-2", "An MPA error of error type 1.",
     [](Builder& s) {
       send(s);
       bare(s, {2, 1, 7});
     }},
    {"ECE-8-2", "An MPA error of the type that DDP keeps for the LLP.",
     [](Builder& s) {
       send(s);
       bare(s, {2, 3, 2});
     },
     "ddp-type", kWarning},
    {"ECE-8-3", "An MPA error of code 0a.",
     [](Builder& s) {
       send(s);
       bare(s, {2, 0, 10});
     }},
    {"ECE-8-4",
     "A local catastrophic error of MPA's set-up on a connection that was set up as RFC 5044 says.",
     [](Builder& s) {
       send(s);
       bare(s, error::kMpaLocalCatastrophic);
     },
     {},
     kWarning},
    {"ECE-8-5",
     "Insufficient IRD on a connection that never spoke of it.",
     [](Builder& s) {
       send(s);
       bare(s, error::kMpaInsufficientIrd);
     },
     {},
     kWarning},
    {"ECE-8-6", "No matching RTR on a connection that never asked for one.",
     [](Builder& s) {
       send(s);
       bare(s, error::kMpaNoMatchingRtr);
     }},
    {"ECE-8-5", "Insufficient IRD, although the Request's IRD is enough for the Reply's ORD.",
     [](Builder& s) {
       s.enhanced_start();
       of_initiator(s, error::kMpaInsufficientIrd);
     },
     "enough", kWarning},
    {"ECE-8-6", "No matching RTR, although the Reply offers the kind of the Request.",
     [](Builder& s) {
       s.enhanced_start();
       of_initiator(s, error::kMpaNoMatchingRtr);
     },
     "matching", kWarning},

    // --- conforming
    {{},
     "No matching RTR: the Reply offers another kind than the Request.",
     [](Builder& s) {
       agree(s, kPeerToPeer, {.peer_to_peer = true, .ird = 4, .rtr_read = true, .ord = 4});
       of_initiator(s, error::kMpaNoMatchingRtr);
     },
     "terminate-no-matching-rtr"},
    {{},
     "A Send is refused: no buffer.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpNoBuffer);
     },
     "terminate-no-buffer"},
    {{},
     "A Send is refused: too long.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kDdpTooLong);
     },
     "terminate-too-long"},
    {{},
     "A Write is refused: bounds.",
     [](Builder& s) {
       write(s);
       refuse(s, error::kDdpBaseOrBounds);
     },
     "terminate-write-bounds"},
    {{},
     "A Write is refused: STag.",
     [](Builder& s) {
       write(s);
       refuse(s, error::kDdpInvalidStag);
     },
     "terminate-write-stag"},
    {{},
     "A Write is refused: STag of another stream.",
     [](Builder& s) {
       write(s);
       refuse(s, error::kDdpStagNotAssociated);
     },
     "terminate-write-foreign-stag"},
    {{},
     "A Read is refused: bounds.",
     [](Builder& s) {
       read(s);
       refuse(s, error::kBaseOrBounds);
     },
     "terminate-read-bounds"},
    {{},
     "A Read is refused: STag.",
     [](Builder& s) {
       read(s);
       refuse(s, error::kInvalidStag);
     },
     "terminate-read-stag"},
    {{},
     "A Read is refused: access rights.",
     [](Builder& s) {
       read(s);
       refuse(s, error::kAccessRights);
     },
     "terminate-read-rights"},
    {{},
     "A Read is refused: STag of another stream.",
     [](Builder& s) {
       read(s);
       refuse(s, error::kStagNotAssociated);
     },
     "terminate-read-foreign-stag"},
    {{},
     "A Read fails half-way: the terminated request is moved on.",
     [](Builder& s) {
       read(s);
       Terminate terminate = s.blame_last(error::kBaseOrBounds);
       const OctetBuffer blamed = s.last_ulpdu();
       s.read_response(b, pattern(32), Builder::kRead, [](ddp::Header& h) { h.last = false; });
       OctetBuffer moved;
       rdmap::encode(ReadRequest{.sink_stag = Builder::kSinkStag,
                                 .sink_to = 0x1020,
                                 .size = 32,
                                 .source_stag = Builder::kStag,
                                 .source_to = 0x2020},
                     moved);
       terminate.ddp_header = Octets(blamed).first(ddp::layout::kUntagged);
       terminate.rdma_header = moved;
       s.terminate(b, terminate);
       end(s);
     },
     "terminate-read-half-way"},
    {{},
     "A Send with Invalidate is refused, by either code.",
     [](Builder& s) {
       send_invalidate(s);
       refuse(s, error::kProtectionCannotInvalidate);
     },
     "terminate-invalidate-protection"},
    {{},
     "A Send with Invalidate is refused, by the other code.",
     [](Builder& s) {
       send_invalidate(s);
       refuse(s, error::kOperationCannotInvalidate);
     },
     "terminate-invalidate-operation"},
    {{},
     "A stream fails as a whole, with the message at hand.",
     [](Builder& s) {
       send(s);
       refuse(s, error::kCatastrophicStream);
     },
     "terminate-catastrophic-stream"},
    {{},
     "A local error, with any code; both sides send a Terminate.",
     [](Builder& s) {
       send(s);
       s.terminate(b, {.error = {0, 0, 0x5a}});
       s.terminate(a, s.blame_last(error::kOperationUnspecified));
       end(s);
     },
     "terminate-local"},
    {{},
     "A local error of DDP.",
     [](Builder& s) {
       send(s);
       bare(s, error::kDdpLocalCatastrophic);
     },
     "terminate-local-ddp"},
    {{},
     "A Terminate for a Terminate, which had its buffer.",
     [](Builder& s) {
       s.start();
       s.terminate(a, {.error = error::kLocalCatastrophic});
       refuse(s, error::kOperationUnspecified);
     },
     "terminate-for-terminate"},
    {{},
     "A CRC error, which the receiver's own link may have caused.",
     [](Builder& s) {
       send(s);
       bare(s, error::kMpaCrc);
     },
     "terminate-crc"},
    {{},
     "A marker error, with markers in the stream.",
     [](Builder& s) {
       s.open();
       s.request();
       s.reply([](mpa::StartFrame& f) { f.markers = true; });
       s.send(a, pattern(64));
       bare(s, error::kMpaMarker);
     },
     "terminate-marker"},
    {{},
     "An initiator that cannot have the IRD that the responder needs.",
     [](Builder& s) {
       s.enhanced_start();
       bare(s, error::kMpaInsufficientIrd);
     },
     "terminate-ird"},
    {{},
     "No matching RTR.",
     [](Builder& s) {
       s.enhanced_start();
       bare(s, error::kMpaNoMatchingRtr);
     },
     "terminate-rtr"},
    {{},
     "A local error during an enhanced set-up.",
     [](Builder& s) {
       s.enhanced_start();
       bare(s, error::kMpaLocalCatastrophic);
     },
     "terminate-set-up"},
    {{},
     "A lost Read Request that wraps is refused.",
     [](Builder& s) {
       send(s);
       refuse_lost(s, error::kToWrap, header_with(s, Opcode::read_request, nullptr), &kWraps);
     },
     "terminate-lost-read-wraps"},
    {{},
     "A lost Write that wraps is refused.",
     [](Builder& s) {
       send(s);
       refuse_lost(s, error::kDdpToWrap,
                   header_with(s, Opcode::write, [](ddp::Header& h) { h.to = ~std::uint64_t{0}; }));
     },
     "terminate-lost-write-wraps"},
    {{},
     "A lost Send of RDMAP version 0 is refused.",
     [](Builder& s) {
       send(s);
       refuse_lost(s, error::kInvalidVersion, header_with(s, Opcode::send, [](ddp::Header& h) { h.rsvd_ulp = 0x03; }));
     },
     "terminate-lost-rdmap-version"},
    {{},
     "A lost segment of a reserved opcode is refused.",
     [](Builder& s) {
       send(s);
       refuse_lost(s, error::kUnexpectedOpcode,
                   header_with(s, Opcode::send, [](ddp::Header& h) { h.rsvd_ulp = 0x4d; }));
     },
     "terminate-lost-opcode"},
    {{},
     "A lost Write of DDP version 2 is refused.",
     [](Builder& s) {
       send(s);
       refuse_lost(s, error::kDdpTaggedVersion, header_with(s, Opcode::write, [](ddp::Header& h) { h.version = 2; }));
     },
     "terminate-lost-tagged-version"},
    {{},
     "A lost Send of DDP version 2 is refused.",
     [](Builder& s) {
       send(s);
       refuse_lost(s, error::kDdpUntaggedVersion, header_with(s, Opcode::send, [](ddp::Header& h) { h.version = 2; }));
     },
     "terminate-lost-untagged-version"},
    {{},
     "A lost Send on queue 7 is refused.",
     [](Builder& s) {
       send(s);
       refuse_lost(s, error::kDdpInvalidQn, header_with(s, Opcode::send, [](ddp::Header& h) { h.qn = 7; }));
     },
     "terminate-lost-queue"},
    {{},
     "A lost Send with an MSN out of range is refused.",
     [](Builder& s) {
       send(s);
       refuse_lost(s, error::kDdpMsnRange, header_with(s, Opcode::send, [](ddp::Header& h) { h.msn = 9; }));
     },
     "terminate-lost-msn"},
    {{},
     "A lost Send at an MO out of range is refused.",
     [](Builder& s) {
       send(s);
       refuse_lost(s, error::kDdpInvalidMo, header_with(s, Opcode::send, [](ddp::Header& h) { h.mo = 0x10000; }));
     },
     "terminate-lost-mo"},
    {{},
     "Behind a gap, a Terminate.",
     [](Builder& s) {
       send(s);
       s.gap(b, 88);
       s.terminate(b, {.error = error::kLocalCatastrophic});
       end(s);
     },
     "terminate-behind-a-gap"},
    {{},
     "Sends, a Read, an orderly end.",
     [](Builder& s) {
       s.start();
       s.send(a, pattern(64));
       s.read(b);
       s.close(a);
       s.close(b);
     },
     "orderly-end"},
    {{},
     "A connection is reset in the middle of a message.",
     [](Builder& s) {
       s.start();
       ddp::Header header = s.untagged(a, Opcode::send);
       header.last = false;
       s.segment(a, header, pattern(64));
       s.reset(a);
     },
     "reset-in-a-message"},
};

}  // namespace

std::span<const RdmapSample> terminate_cause_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
