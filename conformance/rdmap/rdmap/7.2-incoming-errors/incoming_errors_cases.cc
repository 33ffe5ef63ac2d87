// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7.2: what is validated of each message that comes in, and the Terminates of figure 9 that follow.
#include "conformance/rdmap/probes/served_initiator.h"
#include "conformance/rdmap/rdmap/section_cases.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5040 7.2"}.by(Observable::stimulus);
constexpr Section kNotJudged = kSection.by(Observable::none);
constexpr Section kFigure9 = Section{"RFC 5040 7.2, figure 9"}.by(Observable::stimulus);

constinit const Rule kFields =
    kNotJudged.must("RDMAP-7.2-1", "DDP validates all fields of a segment.", "judged by DDP-7.1 and DDP-6.2.2-3");
constinit const Rule kOpcode =
    kSection.must("RDMAP-7.2-2", "The opcode of a message is valid, for its queue and buffer model too.",
                  "RDMAP/A-09, RDMAP/A-10, RDMAP/A-21");
constinit const Rule kVersion =
    kSection.must("RDMAP-7.2-3", "The RDMAP version of a message is valid.", "RDMAP/A-11, RDMAP/A-21");
constinit const Rule kInvalidateStagIsValid =
    kNotJudged.must("RDMAP-7.2-4", "The Invalidate STag of a Send with Invalidate is valid.", "judged by RDMAP-5.3-12");
constinit const Rule kInvalidateStagIsAssociated = kNotJudged.must(
    "RDMAP-7.2-5", "The Invalidate STag of a Send with Invalidate belongs to the stream.", "judged by RDMAP-5.3-12");
constinit const Rule kReadFields =
    kNotJudged.must("RDMAP-7.2-6", "DDP validates all fields of a segment of a Read Request.",
                    "RDMAP/A-45; judged by DDP-7.1 and DDP-6.2.2-3");
constinit const Rule kReadVersion =
    kSection.must("RDMAP-7.2-7", "The RDMAP version of a Read Request is valid.", "RDMAP/A-07, RDMAP/A-11, RDMAP/A-45");
constinit const Rule kSourceIsValid =
    kSection.must("RDMAP-7.2-8", "The Data Source STag of a Read Request is valid.", "RDMAP/A-45");
constinit const Rule kSourceIsAssociated =
    kSection.must("RDMAP-7.2-9", "The Data Source STag of a Read Request belongs to the stream.", "RDMAP/A-67");
constinit const Rule kSourceToIsLegal =
    kSection.must("RDMAP-7.2-10", "The Data Source Tagged Offset of a Read Request lies in the buffer of the STag.");
constinit const Rule kSourceEndIsLegal =
    kSection.must("RDMAP-7.2-11", "Data Source Tagged Offset and size of a Read Request together lie in the buffer.");
constinit const Rule kSourceDoesNotWrap = kSection.must(
    "RDMAP-7.2-12", "Data Source Tagged Offset and size of a Read Request together do not wrap.", "RDMAP/A-22");
constinit const Rule kSourceAllows = kFigure9.must(
    "RDMAP-7.2-13", "The buffer of the Data Source STag of a Read Request may be read remotely: else 0/1/02.",
    "the right is checked with the STag; the text of 7.2 does not list it, figure 9 has its code");

constexpr const Rule* kRules[] = {&kFields,
                                  &kOpcode,
                                  &kVersion,
                                  &kInvalidateStagIsValid,
                                  &kInvalidateStagIsAssociated,
                                  &kReadFields,
                                  &kReadVersion,
                                  &kSourceIsValid,
                                  &kSourceIsAssociated,
                                  &kSourceToIsLegal,
                                  &kSourceEndIsLegal,
                                  &kSourceDoesNotWrap,
                                  &kSourceAllows};

constexpr std::uint8_t opcode(std::uint8_t number) {
  return encode_control({.opcode = number});
}

// --- opcodes

constexpr CaseRow kOpcodeCases[] = {
    {"rdmap/{}-refuses-reserved-opcodes",
     {&kOpcode},
     "An untagged message of opcode 12 is refused.",
     with_each([](auto& peer) {
       peer.send(data_of(8), Opcode::send, [](ddp::Header& h) { h.rsvd_ulp = opcode(12); });
       expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode)}, "opcode 12");
     })},
    {"rdmap/{}-refuses-reserved-tagged-opcodes",
     {&kOpcode},
     "A tagged message of no octets, of opcode 13, is refused.",
     with_each([](auto& peer) {
       peer.write({}, 0, 0, [](ddp::Header& h) { h.rsvd_ulp = opcode(13); });
       expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode)}, "opcode 13, tagged");
     })},
    // I-04. RFC 5041, 4.3, lets a receiver take RsvdULP from any of the segments.
    {"rdmap/{}-and-a-reserved-opcode-in-the-middle",
     {&kOpcode},
     "The second of three segments of a Send has opcode 14.",
     with_each([](auto& peer) {
       ddp::Header header = peer.untagged(Opcode::send);
       for (unsigned i = 0; i < 3; ++i) {
         ddp::Header one = header;
         one.mo = 8 * i;
         one.last = i == 2;
         if (i == 1) one.rsvd_ulp = opcode(14);
         peer.send_segment(one, data_of(8, i));
       }
       expect_refusal_or_note(peer, kOpcode, {terminates(error::kUnexpectedOpcode)},
                              "opcode 14 in the second segment of a Send");
     })},
    {"rdmap/{}-refuses-untagged-writes",
     {&kOpcode},
     "An RDMA Write that is untagged is refused.",
     with_each([](auto& peer) {
       peer.send(data_of(8), Opcode::send, [](ddp::Header& h) { h.rsvd_ulp = opcode(0); });
       expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode), noted(terminates(error::kDdpInvalidQn))},
                      "an untagged Write");
     })},
    {"rdmap/{}-refuses-tagged-sends",
     {&kOpcode},
     "A Send of no octets that is tagged is refused.",
     with_each([](auto& peer) {
       peer.write({}, 0, 0, [](ddp::Header& h) { h.rsvd_ulp = opcode(3); });
       expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode)}, "a tagged Send");
     })},
    {"rdmap/{}-refuses-sends-on-the-read-queue", {&kOpcode}, "A Send on queue 1 is refused.", with_each([](auto& peer) {
       peer.send(data_of(28), Opcode::send, [&](ddp::Header& h) {
         h.qn = kReadRequestQueue;
         h.msn = peer.untagged(Opcode::read_request).msn;
       });
       expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn)},
                      "a Send on queue 1");
     })},
    {"rdmap/{}-refuses-sends-on-the-terminate-queue",
     {&kOpcode},
     "A Send on queue 2 is refused.",
     with_each([](auto& peer) {
       peer.send(data_of(8), Opcode::send, [](ddp::Header& h) { h.qn = kTerminateQueue, h.msn = 1; });
       expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn)},
                      "a Send on queue 2");
     })},
    {"rdmap/{}-refuses-reads-on-the-send-queue",
     {&kOpcode},
     "A Read Request on queue 0 is refused.",
     with_each([](auto& peer) {
       peer.read_request({.sink_stag = kOurSinkStag}, [&](ddp::Header& h) {
         h.qn = kSendQueue;
         h.msn = peer.untagged(Opcode::send).msn;
       });
       expect_refusal(peer, kOpcode, {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn)},
                      "a Read Request on queue 0");
     })},
};

// --- versions

constexpr CaseRow kVersionCases[] = {
    {"rdmap/{}-refuses-version-2", {&kVersion}, "A Send of RDMAP version 2 is refused.", with_each([](auto& peer) {
       peer.send(data_of(8), Opcode::send,
                 [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 3}); });
       expect_refusal(peer, kVersion, {terminates(error::kInvalidVersion)}, "RV is 10b");
     })},
    {"rdmap/{}-refuses-tagged-version-3",
     {&kVersion},
     "A Write of no octets of RDMAP version 3 is refused.",
     with_each([](auto& peer) {
       peer.write({}, 0, 0, [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 3, .opcode = 0}); });
       expect_refusal(peer, kVersion, {terminates(error::kInvalidVersion)}, "RV is 11b, tagged");
     })},
    {"rdmap/{}-and-version-0",
     {&kVersion},
     "A Send of the RDMA Consortium's version, 0, on a stream of MPA revision 1 or 2 is refused.",
     with_each([](auto& peer) {
       peer.send(data_of(8), Opcode::send,
                 [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 0, .opcode = 3}); });
       expect_refusal_or_note(peer, kVersion, {terminates(error::kInvalidVersion)}, "RV is 00b");
     })},
    {"rdmap/{}-refuses-read-requests-of-version-2",
     {&kReadVersion},
     "A Read Request of RDMAP version 2 is refused.",
     with_each([](auto& peer) {
       peer.read_request({.sink_stag = kOurSinkStag},
                         [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 1}); });
       expect_refusal(peer, kReadVersion, {terminates(error::kInvalidVersion)}, "RV of a Read Request is 10b");
     })},
};

// --- the source of a read

template <class Peer>
std::optional<TargetBuffer> readable(Peer& peer) {
  return need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be read");
}

constexpr CaseRow kSourceCases[] = {
    {"rdmap/{}-refuses-reads-of-unknown-stags",
     {&kSourceIsValid},
     "A Read Request of an STag that nobody has advertised is refused.",
     with_each([](auto& peer) {
       peer.read_request({.sink_stag = kOurSinkStag, .size = 8, .source_stag = kNobodysStag});
       expect_refusal(peer, kSourceIsValid, {terminates(error::kInvalidStag), terminates(error::kStagNotAssociated)},
                      "nobody's STag");
     })},
    {"rdmap/{}-refuses-reads-of-stags-of-other-streams",
     {&kSourceIsAssociated},
     "A Read Request of an STag that was advertised on another connection is refused.",
     with_each([](auto& peer) {
       const auto first = readable(peer);
       if (!first) return;
       peer.connect_again();
       const auto second = readable(peer);
       if (!second) return;
       if (first->stag == second->stag)
         return peer.skip("the same STag is advertised on each connection, as one for all of them");
       peer.read_request(read_of(*first, 0, 8));
       expect_refusal_unless_shared(peer, kSourceIsAssociated,
                                    {terminates(error::kStagNotAssociated), terminates(error::kInvalidStag)},
                                    "an STag of another connection");
     })},
    {"rdmap/{}-refuses-reads-behind-the-buffer",
     {&kSourceToIsLegal},
     "A Read Request right behind the last octet of a buffer is refused.",
     with_each([](auto& peer) {
       const auto buffer = readable(peer);
       if (!buffer) return;
       peer.read_request(read_of(*buffer, buffer->length, 8));
       expect_refusal(peer, kSourceToIsLegal, {terminates(error::kBaseOrBounds)}, "right behind the buffer");
     })},
    {"rdmap/{}-refuses-reads-across-the-end",
     {&kSourceEndIsLegal},
     "A Read Request whose last octet lies behind the buffer is refused.",
     with_each([](auto& peer) {
       const auto buffer = readable(peer);
       if (!buffer) return;
       peer.read_request(read_of(*buffer, buffer->length - 7, 8));
       expect_refusal(peer, kSourceEndIsLegal, {terminates(error::kBaseOrBounds)}, "one octet too many");
     })},
    {"rdmap/responder-answers-reads-up-to-the-end",
     {&kSourceEndIsLegal},
     "A Read Request that ends with the last octet of a buffer is answered.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto buffer = readable(responder);
       if (!buffer) return;
       const auto got = read_back(responder, read_of(*buffer, buffer->length - 8, 8));
       responder.require(kSourceEndIsLegal, got && got->size() == 8, "eight octets", octets_text(got, responder.last()),
                         "the last octets of the buffer");
     })},
    {"rdmap/{}-refuses-reads-that-wrap",
     {&kSourceDoesNotWrap},
     "A Read Request whose source wraps is refused.",
     with_each([](auto& peer) {
       const auto buffer = readable(peer);
       if (!buffer) return;
       ReadRequest request = read_of(*buffer, 0, 8);
       request.source_to = ~std::uint64_t{0} - 3;
       peer.read_request(request);
       expect_refusal(peer, kSourceDoesNotWrap, {terminates(error::kToWrap), terminates(error::kBaseOrBounds)},
                      "TO and size together pass 2^64");
     })},
    {"rdmap/responder-refuses-reads-of-what-is-write-only",
     {&kSourceAllows},
     "A Read Request of a buffer that may only be written is refused.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto buffer =
           need(responder, targets_of(responder.run(), responder.advertisement()).write_only, "may be written alone");
       if (!buffer) return;
       responder.read_request(read_of(*buffer, 0, 8));
       expect_refusal(responder, kSourceAllows,
                      {terminates(error::kAccessRights), noted(terminates(error::kInvalidStag))},
                      "a buffer that may only be written");
     })},
    // Some adapters want a remote right for the sink of a Read, so that a peer may have granted more than it needs.
    {"rdmap/initiator-and-reads-of-its-sink",
     {&kSourceAllows},
     "A Read Request of the buffer that the initiator itself reads into is refused.",
     {.initiator =
          [](CaseRun& run) {
            ServedInitiator initiator(run);
            ReadRequest asked;
            while (initiator.ok() && asked.size == 0) {
              const Response answer = initiator.take(initiator.in(run.answer_time()));
              if (answer.is(Response::Kind::nothing) || answer.ended())
                return initiator.skip("the initiator has read nothing of the buffer that the reply advertised");
              asked = read_request_in(answer).value_or(ReadRequest{});
            }
            initiator.read_request({.sink_stag = kOurSinkStag,
                                    .sink_to = kOurSinkTo,
                                    .size = 8,
                                    .source_stag = asked.sink_stag,
                                    .source_to = asked.sink_to});
            expect_refusal_or_note(initiator, kSourceAllows,
                                   {terminates(error::kAccessRights), terminates(error::kInvalidStag)},
                                   "the sink of the initiator's own Read");
          }}},
    // I-15: a buffer of no octets.
    {"rdmap/responder-refuses-reads-of-an-empty-buffer",
     {&kSourceToIsLegal, &kSourceEndIsLegal},
     "Read Requests of an octet of a buffer that has none are refused, whatever the offset.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       bool first = true;
       for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1} << 40}) {
         if (!std::exchange(first, false)) responder.connect_again();
         const auto buffer = need_empty(responder, targets_of(responder.run(), responder.advertisement()).empty);
         if (!buffer) return;
         responder.read_request(read_of(*buffer, offset, 1));
         expect_refusal(responder, offset == 0 ? kSourceEndIsLegal : kSourceToIsLegal,
                        {terminates(error::kBaseOrBounds)}, "a buffer of no octets");
       }
     })},
};

constexpr Breach kBreaches[] = {
    {Deviation::accepts_opcode, kOpcode},
    {Deviation::accepts_later_opcode, kOpcode, {.severity = Severity::warning}},
    {Deviation::accepts_wrong_queue, kOpcode},
    {Deviation::accepts_rdmap_version, kVersion},
    {Deviation::accepts_rdmap_version, kReadVersion},
    {Deviation::accepts_stag, kSourceIsValid},
    {Deviation::accepts_foreign_stag,
     kSourceIsAssociated,
     {.who = wirelaw::Role::initiator, .severity = Severity::warning}},
    {Deviation::accepts_bounds, kSourceToIsLegal},
    {Deviation::accepts_bounds, kSourceEndIsLegal, {.given = "pair"}},
    {Deviation::accepts_wrap, kSourceDoesNotWrap},
    {Deviation::accepts_access, kSourceAllows, {.who = wirelaw::Role::responder}},
};

}  // namespace

SectionCases validation_cases() {
  static const std::vector<Case> kCases = cases_of_tables({kOpcodeCases, kVersionCases, kSourceCases});
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::rdmap
