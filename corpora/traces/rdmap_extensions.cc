// SPDX-License-Identifier: Apache-2.0
// Traces for the rules of RFC 7306, on connections whose peers declare it. For each rule, one connection breaks it and
// no other rule, and some exercise it without a finding.
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {
namespace {

namespace error = rdmap::error;
using rdmap::AtomicRequest;
using rdmap::Opcode;
using Builder = RdmapTraceBuilder;

constexpr Side a = Side::a, b = Side::b;
constexpr Severity kViolation = Severity::violation, kWarning = Severity::warning;
constexpr std::string_view kExtensions = "rfc7306";

constexpr AtomicRequest kCmpSwap{.reserved_and_opcode = rdmap::kCmpSwap,
                                 .request_identifier = Builder::kIdentifier,
                                 .stag = Builder::kStag,
                                 .to = 0x48,
                                 .data = 2,
                                 .data_mask = 0xff,
                                 .compare = 1,
                                 .compare_mask = 0xff};

void end(Builder& s) {
  s.close(a);
  s.close(b);
}

void immediate(Builder& s, Opcode opcode, std::size_t octets, const Builder::HeaderEdit& edit = {}) {
  s.start();
  s.immediate_data(a, pattern(octets), opcode, edit);
  end(s);
}
void request(Builder& s, const AtomicRequest& request, const Builder::HeaderEdit& edit = {}) {
  s.start();
  s.atomic_request(a, request, edit);
  s.atomic_response(b);
  end(s);
}
template <class Edit>
void changed_request(Builder& s, AtomicRequest one, Edit edit) {
  edit(one);
  request(s, one);
}
void response(Builder& s, const Builder::HeaderEdit& edit) {
  s.start();
  s.atomic_request(a);
  s.atomic_response(b, {.request_identifier = Builder::kIdentifier}, edit);
  end(s);
}

// A message with the T bit set, and so with a tagged header.
void tagged(Builder& s, Side side, Opcode opcode, std::size_t octets) {
  s.segment(side, Builder::tagged(opcode, Builder::kStag, 0), pattern(octets));
}
// A message whose payload has the wrong length for its opcode.
void with_payload(Builder& s, Side side, Opcode opcode, std::size_t octets) {
  const ddp::Header header = s.untagged(side, opcode);
  s.segment(side, header, pattern(octets));
  s.numbered(side, header.qn);
}

const RdmapSample kSamples[] = {
    // --- figure 2 and 3: Immediate Data
    {"RDMAPX-4.1-3",
     "Immediate Data with an Invalidate STag.",
     [](Builder& s) {
       immediate(s, Opcode::immediate_data, 8, [](ddp::Header& h) { h.rsvd_ulp_rest = Builder::kStag; });
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.1-5",
     "Immediate Data in a tagged segment.",
     [](Builder& s) {
       s.start();
       tagged(s, a, Opcode::immediate_data, 8);
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.1-6",
     "Immediate Data with SE in a tagged segment.",
     [](Builder& s) {
       s.start();
       tagged(s, a, Opcode::immediate_data_se, 8);
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.1-9",
     "Immediate Data on queue 1.",
     [](Builder& s) { immediate(s, Opcode::immediate_data, 8, [](ddp::Header& h) { h.qn = 1; }); },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.1-10",
     "Immediate Data with SE on queue 1.",
     [](Builder& s) { immediate(s, Opcode::immediate_data_se, 8, [](ddp::Header& h) { h.qn = 1; }); },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.2-1",
     "Immediate Data of four octets.",
     [](Builder& s) { immediate(s, Opcode::immediate_data, 4); },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.2-2",
     "Immediate Data with SE of no octets.",
     [](Builder& s) { immediate(s, Opcode::immediate_data_se, 0); },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.2-5",
     "Immediate Data of twelve octets.",
     [](Builder& s) { immediate(s, Opcode::immediate_data, 12); },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.2-6",
     "Immediate Data with SE of nine octets.",
     [](Builder& s) { immediate(s, Opcode::immediate_data_se, 9); },
     {},
     kViolation,
     kExtensions},
    // --- Atomic Requests
    {"RDMAPX-4.1-7",
     "An Atomic Request in a tagged segment.",
     [](Builder& s) {
       s.start();
       tagged(s, a, Opcode::atomic_request, rdmap::layout::kAtomicRequest);
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.1-11",
     "An Atomic Request on queue 0.",
     [](Builder& s) {
       s.start();
       s.atomic_request(a, Builder::kFetchAdd, [](ddp::Header& h) { h.qn = 0; });
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.2-3",
     "An Atomic Request of 48 octets.",
     [](Builder& s) {
       s.start();
       with_payload(s, a, Opcode::atomic_request, 48);
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.2-7",
     "An Atomic Request with ULP payload.",
     [](Builder& s) {
       s.start();
       OctetBuffer octets;
       rdmap::encode(Builder::kFetchAdd, octets);
       octets.resize(octets.size() + 8);
       const ddp::Header header = s.untagged(a, Opcode::atomic_request);
       s.segment(a, header, octets);
       s.atomic_response(b);
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-5.1.1-1",
     "FetchAdd at an odd offset.",
     [](Builder& s) { changed_request(s, Builder::kFetchAdd, [](AtomicRequest& r) { r.to = 0x43; }); },
     {},
     kWarning,
     kExtensions},
    {"RDMAPX-5.1.2-1",
     "CmpSwap at an odd offset.",
     [](Builder& s) { changed_request(s, kCmpSwap, [](AtomicRequest& r) { r.to = 0x44; }); },
     {},
     kWarning,
     kExtensions},
    {"RDMAPX-5.2.1-1",
     "A reserved bit of an Atomic Request is set.",
     [](Builder& s) { changed_request(s, kCmpSwap, [](AtomicRequest& r) { r.reserved_and_opcode |= 0x10; }); },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-5.2.1-3",
     "AOpCode 1.",
     [](Builder& s) { changed_request(s, kCmpSwap, [](AtomicRequest& r) { r.reserved_and_opcode = 1; }); },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-5.2.1-7",
     "Compare Data of a FetchAdd is 1.",
     [](Builder& s) { changed_request(s, Builder::kFetchAdd, [](AtomicRequest& r) { r.compare = 1; }); },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-5.2.1-8",
     "Compare Mask of a FetchAdd is 0.",
     [](Builder& s) { changed_request(s, Builder::kFetchAdd, [](AtomicRequest& r) { r.compare_mask = 0; }); },
     {},
     kViolation,
     kExtensions},
    // --- Atomic Responses
    {"RDMAPX-4.1-8",
     "An Atomic Response in a tagged segment.",
     [](Builder& s) {
       s.start();
       s.atomic_request(a);
       tagged(s, b, Opcode::atomic_response, rdmap::layout::kAtomicResponse);
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.1-12",
     "An Atomic Response on queue 0.",
     [](Builder& s) { response(s, [](ddp::Header& h) { h.qn = 0; }); },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.2-4",
     "An Atomic Response of eight octets.",
     [](Builder& s) {
       s.start();
       s.atomic_request(a);
       with_payload(s, b, Opcode::atomic_response, 8);
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-4.2-8",
     "An Atomic Response with ULP payload.",
     [](Builder& s) {
       s.start();
       s.atomic_request(a);
       OctetBuffer octets;
       rdmap::encode(rdmap::AtomicResponse{.request_identifier = Builder::kIdentifier}, octets);
       octets.resize(octets.size() + 4);
       s.segment(b, s.untagged(b, Opcode::atomic_response), octets);
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-5.2.2-1",
     "An Atomic Response without a request.",
     [](Builder& s) {
       s.start();
       s.send(a, pattern(8));
       s.atomic_response(b);
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-5.2.2-2",
     "An Atomic Response with an identifier that no request has.",
     [](Builder& s) {
       s.start();
       s.atomic_request(a);
       s.atomic_response(b, {.request_identifier = 0x1badcafe});
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-5.2.2-10",
     "Two Atomic Requests are answered the wrong way round.",
     [](Builder& s) {
       s.start();
       AtomicRequest second = kCmpSwap;
       second.request_identifier = 2;
       s.atomic_request(a);
       s.atomic_request(a, second);
       s.atomic_response(b, {.request_identifier = 2});
       s.atomic_response(b);
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-7-8",
     "A Read that was asked for after an Atomic Operation is answered before it.",
     [](Builder& s) {
       s.start();
       s.atomic_request(a);
       s.read(a);
       s.atomic_response(b);
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    {"RDMAPX-7-12",
     "An Atomic Operation that was asked for after a Read is answered before it.",
     [](Builder& s) {
       s.start();
       s.read_request(a);
       s.atomic_request(a);
       s.atomic_response(b);
       s.read_response(b, pattern(64));
       end(s);
     },
     {},
     kViolation,
     kExtensions},
    // --- conforming
    {{},
     "Immediate Data, both kinds, behind a Write and a Send.",
     [](Builder& s) {
       s.start();
       s.write(a, pattern(64));
       s.immediate_data(a, pattern(8));
       s.send(a, pattern(16));
       s.immediate_data(a, pattern(8), Opcode::immediate_data_se);
       end(s);
     },
     "immediate-data",
     kViolation,
     kExtensions},
    {{},
     "Atomic Operations and Reads, several at once, answered in order.",
     [](Builder& s) {
       s.start();
       s.atomic_request(a);
       s.atomic_response(b);
       s.atomic_request(a, kCmpSwap);
       s.read_request(a);
       s.atomic_request(a);
       s.atomic_response(b);
       s.read_response(b, pattern(64));
       s.atomic_response(b);
       end(s);
     },
     "atomics",
     kViolation,
     kExtensions},
    {"RDMAP-6.1-6", "An Atomic Operation and a Read are outstanding, where one Read was negotiated.",
     [](Builder& s) {
       const auto one = [](mpa::EnhancedData& data) { data.ird = data.ord = 1; };
       s.enhanced_start(one, one);
       s.atomic_request(a);
       s.read_request(a);
       s.atomic_response(b);
       s.read_response(b, pattern(64));
       end(s);
     },
     "with-an-atomic-operation", Severity::warning, kExtensions},
    {{},
     "An Atomic Operation at an address that is not aligned is refused, though its offset is.",
     [](Builder& s) {
       s.start();
       s.atomic_request(a);
       s.terminate(b, s.blame_last(error::kCatastrophicStream));
       s.close(b);
       s.close(a);
     },
     "terminate-atomic",
     kViolation,
     kExtensions},
    {{},
     "An Atomic Operation is refused: bounds.",
     [](Builder& s) {
       s.start();
       s.atomic_request(a);
       s.terminate(b, s.blame_last(error::kBaseOrBounds));
       s.close(b);
       s.close(a);
     },
     "terminate-atomic-bounds",
     kViolation,
     kExtensions},
};

}  // namespace

std::span<const RdmapSample> extension_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
