// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7.2: the validation of each received message, and the resulting Terminates of figure 9.
#include "conformance/rdmap/probes/served_initiator.h"
#include "conformance/rdmap/rdmap/7.2-incoming-errors/rules.h"
#include "conformance/rdmap/rdmap/section_cases.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::uint8_t opcode(std::uint8_t number) {
  return encode_control({.opcode = number});
}

// --- opcodes

const CaseRow kOpcodeCases[] = {
    {"rdmap/{}-refuses-reserved-opcodes",
     {&rule<"RDMAP-7.2-2">},
     "The IUT refuses an untagged message with opcode 12.",
     with_each([](auto& peer) {
       peer.send(sample_octets(8), Opcode::send, [](ddp::Header& h) { h.rsvd_ulp = opcode(12); });
       expect_refusal(peer, rule<"RDMAP-7.2-2">, {terminates(error::kUnexpectedOpcode)}, "opcode 12");
     })},
    {"rdmap/{}-refuses-reserved-tagged-opcodes",
     {&rule<"RDMAP-7.2-2">},
     "The IUT refuses a tagged message of no octets with opcode 13.",
     with_each([](auto& peer) {
       peer.write({}, 0, 0, [](ddp::Header& h) { h.rsvd_ulp = opcode(13); });
       expect_refusal(peer, rule<"RDMAP-7.2-2">, {terminates(error::kUnexpectedOpcode)}, "opcode 13, tagged");
     })},
    // I-04. RFC 5041, 4.3, lets a receiver take RsvdULP from any of the segments.
    {"rdmap/{}-and-a-reserved-opcode-in-the-middle",
     {&rule<"RDMAP-7.2-2">},
     "The IUT refuses a Send whose second segment of three has opcode 14.",
     with_each([](auto& peer) {
       ddp::Header header = peer.untagged(Opcode::send);
       for (unsigned i = 0; i < 3; ++i) {
         ddp::Header one = header;
         one.mo = 8 * i;
         one.last = i == 2;
         if (i == 1) one.rsvd_ulp = opcode(14);
         peer.send_segment(one, sample_octets(8, i));
       }
       expect_refusal_or_note(peer, rule<"RDMAP-7.2-2">, {terminates(error::kUnexpectedOpcode)},
                              "opcode 14 in the second segment of a Send");
     })},
    {"rdmap/{}-refuses-untagged-writes",
     {&rule<"RDMAP-7.2-2">},
     "The IUT refuses an untagged RDMA Write.",
     with_each([](auto& peer) {
       peer.send(sample_octets(8), Opcode::send, [](ddp::Header& h) { h.rsvd_ulp = opcode(0); });
       expect_refusal(peer, rule<"RDMAP-7.2-2">,
                      {terminates(error::kUnexpectedOpcode), noted(terminates(error::kDdpInvalidQn))},
                      "an untagged Write");
     })},
    {"rdmap/{}-refuses-tagged-sends",
     {&rule<"RDMAP-7.2-2">},
     "The IUT refuses a tagged Send of no octets.",
     with_each([](auto& peer) {
       peer.write({}, 0, 0, [](ddp::Header& h) { h.rsvd_ulp = opcode(3); });
       expect_refusal(peer, rule<"RDMAP-7.2-2">, {terminates(error::kUnexpectedOpcode)}, "a tagged Send");
     })},
    {"rdmap/{}-refuses-sends-on-the-read-queue",
     {&rule<"RDMAP-7.2-2">},
     "The IUT refuses a Send on queue 1.",
     with_each([](auto& peer) {
       peer.send(sample_octets(28), Opcode::send, [&](ddp::Header& h) {
         h.qn = kReadRequestQueue;
         h.msn = peer.untagged(Opcode::read_request).msn;
       });
       expect_refusal(peer, rule<"RDMAP-7.2-2">,
                      {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn)}, "a Send on queue 1");
     })},
    {"rdmap/{}-refuses-sends-on-the-terminate-queue",
     {&rule<"RDMAP-7.2-2">},
     "The IUT refuses a Send on queue 2.",
     with_each([](auto& peer) {
       peer.send(sample_octets(8), Opcode::send, [](ddp::Header& h) { h.qn = kTerminateQueue, h.msn = 1; });
       expect_refusal(peer, rule<"RDMAP-7.2-2">,
                      {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn)}, "a Send on queue 2");
     })},
    {"rdmap/{}-refuses-reads-on-the-send-queue",
     {&rule<"RDMAP-7.2-2">},
     "The IUT refuses a Read Request on queue 0.",
     with_each([](auto& peer) {
       peer.read_request({.sink_stag = kOurSinkStag}, [&](ddp::Header& h) {
         h.qn = kSendQueue;
         h.msn = peer.untagged(Opcode::send).msn;
       });
       expect_refusal(peer, rule<"RDMAP-7.2-2">,
                      {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn)},
                      "a Read Request on queue 0");
     })},
};

// --- versions

const CaseRow kVersionCases[] = {
    {"rdmap/{}-refuses-version-2",
     {&rule<"RDMAP-7.2-3">},
     "The IUT refuses a Send of RDMAP version 2.",
     with_each([](auto& peer) {
       peer.send(sample_octets(8), Opcode::send,
                 [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 3}); });
       expect_refusal(peer, rule<"RDMAP-7.2-3">, {terminates(error::kInvalidVersion)}, "RV is 10b");
     })},
    {"rdmap/{}-refuses-tagged-version-3",
     {&rule<"RDMAP-7.2-3">},
     "The IUT refuses a Write of no octets of RDMAP version 3.",
     with_each([](auto& peer) {
       peer.write({}, 0, 0, [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 3, .opcode = 0}); });
       expect_refusal(peer, rule<"RDMAP-7.2-3">, {terminates(error::kInvalidVersion)}, "RV is 11b, tagged");
     })},
    {"rdmap/{}-and-version-0",
     {&rule<"RDMAP-7.2-3">},
     "The IUT refuses a Send of the RDMA Consortium's version, 0, on a stream of MPA revision 1 or 2.",
     with_each([](auto& peer) {
       peer.send(sample_octets(8), Opcode::send,
                 [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 0, .opcode = 3}); });
       expect_refusal_or_note(peer, rule<"RDMAP-7.2-3">, {terminates(error::kInvalidVersion)}, "RV is 00b");
     })},
    {"rdmap/{}-refuses-read-requests-of-version-2",
     {&rule<"RDMAP-7.2-7">},
     "The IUT refuses a Read Request of RDMAP version 2.",
     with_each([](auto& peer) {
       peer.read_request({.sink_stag = kOurSinkStag},
                         [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 1}); });
       expect_refusal(peer, rule<"RDMAP-7.2-7">, {terminates(error::kInvalidVersion)}, "RV of a Read Request is 10b");
     })},
};

// --- the source of a read

template <class Peer>
std::optional<TargetBuffer> readable(Peer& peer) {
  return need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be read");
}

const CaseRow kSourceCases[] = {
    {"rdmap/{}-refuses-reads-of-unknown-stags",
     {&rule<"RDMAP-7.2-8">},
     "The IUT refuses a Read Request of an STag that was not advertised.",
     with_each([](auto& peer) {
       peer.read_request({.sink_stag = kOurSinkStag, .size = 8, .source_stag = kNobodysStag});
       expect_refusal(peer, rule<"RDMAP-7.2-8">,
                      {terminates(error::kInvalidStag), terminates(error::kStagNotAssociated)},
                      "an STag that was not advertised");
     })},
    {"rdmap/{}-refuses-reads-of-stags-of-other-streams",
     {&rule<"RDMAP-7.2-9">},
     "The IUT refuses a Read Request of an STag that was advertised on another connection.",
     with_each([](auto& peer) {
       const auto first = readable(peer);
       if (!first) return;
       peer.connect_again();
       const auto second = readable(peer);
       if (!second) return;
       if (first->stag == second->stag) return peer.skip("the same STag is advertised on every connection");
       peer.read_request(read_of(*first, 0, 8));
       expect_refusal_unless_shared(peer, rule<"RDMAP-7.2-9">,
                                    {terminates(error::kStagNotAssociated), terminates(error::kInvalidStag)},
                                    "an STag of another connection");
     })},
    {"rdmap/{}-refuses-reads-behind-the-buffer",
     {&rule<"RDMAP-7.2-10">},
     "The IUT refuses a Read Request right after the last octet of a buffer.",
     with_each([](auto& peer) {
       const auto buffer = readable(peer);
       if (!buffer) return;
       peer.read_request(read_of(*buffer, buffer->length, 8));
       expect_refusal(peer, rule<"RDMAP-7.2-10">, {terminates(error::kBaseOrBounds)}, "right after the buffer");
     })},
    {"rdmap/{}-refuses-reads-across-the-end",
     {&rule<"RDMAP-7.2-11">},
     "The IUT refuses a Read Request whose last octet is after the buffer.",
     with_each([](auto& peer) {
       const auto buffer = readable(peer);
       if (!buffer) return;
       peer.read_request(read_of(*buffer, buffer->length - 7, 8));
       expect_refusal(peer, rule<"RDMAP-7.2-11">, {terminates(error::kBaseOrBounds)}, "one octet too many");
     })},
    {"rdmap/responder-answers-reads-up-to-the-end",
     {&rule<"RDMAP-7.2-11">},
     "The IUT answers a Read Request that ends with the last octet of a buffer.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto buffer = readable(responder);
       if (!buffer) return;
       const auto got = read_back(responder, read_of(*buffer, buffer->length - 8, 8));
       responder.require(rule<"RDMAP-7.2-11">, got && got->size() == 8, "eight octets",
                         octets_text(got, responder.last()), "the last octets of the buffer");
     })},
    {"rdmap/{}-refuses-reads-that-wrap",
     {&rule<"RDMAP-7.2-12">},
     "The IUT refuses a Read Request whose source wraps.",
     with_each([](auto& peer) {
       const auto buffer = readable(peer);
       if (!buffer) return;
       ReadRequest request = read_of(*buffer, 0, 8);
       request.source_to = ~std::uint64_t{0} - 3;
       peer.read_request(request);
       expect_refusal(peer, rule<"RDMAP-7.2-12">, {terminates(error::kToWrap), terminates(error::kBaseOrBounds)},
                      "TO and size together exceed 2^64");
     })},
    {"rdmap/responder-refuses-reads-of-what-is-write-only",
     {&rule<"RDMAP-7.2-13">},
     "The IUT refuses a Read Request of a write-only buffer.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto buffer =
           need(responder, targets_of(responder.run(), responder.advertisement()).write_only, "may only be written");
       if (!buffer) return;
       responder.read_request(read_of(*buffer, 0, 8));
       expect_refusal(responder, rule<"RDMAP-7.2-13">,
                      {terminates(error::kAccessRights), noted(terminates(error::kInvalidStag))},
                      "a write-only buffer");
     })},
    // Some adapters require a remote right for the sink of a Read, so a peer may have granted more than it needs.
    {"rdmap/initiator-and-reads-of-its-sink",
     {&rule<"RDMAP-7.2-13">},
     "The initiator refuses a Read Request of the buffer that is the sink of its own Read.",
     {.initiator =
          [](CaseRun& run) {
            ServedInitiator initiator(run);
            ReadRequest asked;
            while (initiator.ok() && asked.size == 0) {
              const Response answer = initiator.take(initiator.in(run.answer_time()));
              if (answer.is(Response::Kind::nothing) || answer.ended())
                return initiator.skip("the initiator read nothing from the buffer that the reply advertises");
              asked = read_request_in(answer).value_or(ReadRequest{});
            }
            initiator.read_request({.sink_stag = kOurSinkStag,
                                    .sink_to = kOurSinkTo,
                                    .size = 8,
                                    .source_stag = asked.sink_stag,
                                    .source_to = asked.sink_to});
            expect_refusal_or_note(initiator, rule<"RDMAP-7.2-13">,
                                   {terminates(error::kAccessRights), terminates(error::kInvalidStag)},
                                   "the sink of the initiator's own Read");
          }}},
    // I-15: a buffer of no octets.
    {"rdmap/responder-refuses-reads-of-an-empty-buffer",
     {&rule<"RDMAP-7.2-10">, &rule<"RDMAP-7.2-11">},
     "The IUT refuses Read Requests of one octet of a buffer of no octets, whatever the offset.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       bool first = true;
       for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1} << 40}) {
         if (!std::exchange(first, false)) responder.connect_again();
         const auto buffer = need_empty(responder, targets_of(responder.run(), responder.advertisement()).empty);
         if (!buffer) return;
         responder.read_request(read_of(*buffer, offset, 1));
         expect_refusal(responder, offset == 0 ? rule<"RDMAP-7.2-11"> : rule<"RDMAP-7.2-10">,
                        {terminates(error::kBaseOrBounds)}, "a buffer of no octets");
       }
     })},
};

}  // namespace

std::vector<Case> validation_cases() {
  return cases_of_tables({kOpcodeCases, kVersionCases, kSourceCases});
}

}  // namespace wirelaw::rdmap
