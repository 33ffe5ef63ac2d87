// SPDX-License-Identifier: Apache-2.0
// RFC 7306: faulty Atomic Operations, responses and Immediate Data, and their refusal by an IUT that declares them.
#include <utility>

#include "conformance/rdmap/probes/served_initiator.h"
#include "conformance/rdmap/rdmapx/5.1-operations/rules.h"
#include "conformance/rdmap/rdmapx/5.2-messages/rules.h"
#include "conformance/rdmap/rdmapx/5.4-completion/rules.h"
#include "conformance/rdmap/rdmapx/6-immediate-data/rules.h"
#include "conformance/rdmap/rdmapx/8.1-local-errors/rules.h"
#include "conformance/rdmap/rdmapx/8.2-remote-errors/rules.h"
#include "conformance/rdmap/rdmapx/extension_cases.h"
#include "reference/rdmap/atomics.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::uint32_t kFarAhead = 1'000'000;
constexpr std::uint32_t kFarBehind = 0x7fff'0000;  // an MO beyond any buffer

template <class Peer>
void expect_refused_mo(Peer& peer) {
  expect_terminate(peer, rule<"RDMAPX-8.2-1">,
                   {terminates(error::kDdpInvalidMo), noted(terminates(error::kDdpTooLong)),
                    noted(terminates(error::kDdpNoBuffer)), noted(closes())},
                   "the MO is beyond any buffer");
}

const CaseRow kRefusals[] = {
    {"rdmapx/{}-refuses-odd-adds",
     {&rule<"RDMAPX-5.1.1-3">, &rule<"RDMAPX-5.1.1-4">, &rule<"RDMAPX-5.1.1-2">, &rule<"RDMAPX-8.2-4">,
      &rule<"RDMAPX-8.2-5">, &rule<"RDMAPX-8.1-2">, &rule<"RDMAPX-8.1-3">},
     "The IUT refuses a FetchAdd at an unaligned address with 0/2/07.",
     with_each([](auto& peer) {
       auto at = word_of(peer);
       if (!at) return;
       ++at->to;
       const OctetBuffer ulpdu = send_atomic(peer, fetch_add_of(*at, 1));
       const Response answer = await_response(peer);
       constexpr std::string_view kWhy = "the address is one higher than that of the buffer";
       peer.require(rule<"RDMAPX-5.1.1-3">, !answer.is(Opcode::atomic_response), "no Atomic Response", to_text(answer),
                    kWhy);
       peer.judge(rule<"RDMAPX-8.2-4">, answer, {terminates(), closes()}, kWhy);
       peer.judge(rule<"RDMAPX-5.1.1-4">, answer, {terminates()}, kWhy);
       peer.judge(rule<"RDMAPX-8.1-2">, answer, {terminates()}, kWhy);
       peer.judge(rule<"RDMAPX-8.2-5">, answer, {terminates(error::kCatastrophicStream)}, kWhy);
       judge_carried(peer, rule<"RDMAPX-8.1-3">, answer, ulpdu, Fault::Carries::ddp_header);
       expect_end(peer, rule<"RDMAPX-5.1.1-2">, kWhy);
     })},
    {"rdmapx/{}-refuses-odd-swaps",
     {&rule<"RDMAPX-5.1.2-5">, &rule<"RDMAPX-5.1.2-7">, &rule<"RDMAPX-5.1.2-6">, &rule<"RDMAPX-8.2-5">},
     "The IUT refuses a CmpSwap at an unaligned address with 0/2/07.",
     with_each([](auto& peer) {
       auto at = word_of(peer);
       if (!at) return;
       at->to += 4;
       send_atomic(peer, cmp_swap_of(*at, 1, kAllOnes, 0, 0));
       const Response answer = await_response(peer);
       constexpr std::string_view kWhy = "the address is four higher than that of the buffer";
       peer.require(rule<"RDMAPX-5.1.2-5">, !answer.is(Opcode::atomic_response), "no Atomic Response", to_text(answer),
                    kWhy);
       peer.judge(rule<"RDMAPX-5.1.2-7">, answer, {terminates()}, kWhy);
       peer.judge(rule<"RDMAPX-8.2-5">, answer, {terminates(error::kCatastrophicStream)}, kWhy);
       expect_end(peer, rule<"RDMAPX-5.1.2-6">, kWhy);
     })},
    {"rdmapx/{}-refuses-unknown-operations",
     {&rule<"RDMAPX-5.2.1-14">},
     "The IUT refuses AOpCode 9.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       AtomicRequest request = fetch_add_of(*at, 1);
       request.reserved_and_opcode = 9;
       send_atomic(peer, request);
       expect_terminate(peer, rule<"RDMAPX-5.2.1-14">,
                        {terminates(error::kUnexpectedOpcode), terminates(error::kCatastrophicStream),
                         terminates(error::kOperationUnspecified), noted(closes())},
                        "AOpCode 9");
     })},
    {"rdmapx/{}-refuses-foreign-words",
     {&rule<"RDMAPX-8.2-1">, &rule<"RDMAPX-8.1-2">},
     "The IUT refuses a FetchAdd on an STag that was not advertised.",
     with_each([](auto& peer) {
       if (!peer.ok() || !declares_extensions(peer)) return;
       send_atomic(peer, fetch_add_of({.stag = kNobodysStag}, 1));
       expect_terminate(
           peer, rule<"RDMAPX-8.1-2">,
           {terminates(error::kInvalidStag), terminates(error::kBaseOrBounds), terminates(error::kAccessRights),
            terminates(error::kStagNotAssociated), noted(terminates()), noted(closes())},
           "an STag that was not advertised");
     })},
    {"rdmapx/{}-refuses-a-queue-of-atomics",
     {&rule<"RDMAPX-8.2-1">},
     "The IUT refuses an Atomic Request on queue 0.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       const std::uint32_t msn = peer.untagged(Opcode::send).msn;
       send_atomic(peer, fetch_add_of(*at, 1), [msn](ddp::Header& h) { h.qn = kSendQueue, h.msn = msn; });
       expect_terminate(peer, rule<"RDMAPX-8.2-1">,
                        {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn), noted(closes())},
                        "an Atomic Request on queue 0");
     })},
    {"rdmapx/{}-refuses-a-version-of-atomics",
     {&rule<"RDMAPX-8.2-3">},
     "The IUT refuses an Atomic Request of RDMAP version 2.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       send_atomic(peer, fetch_add_of(*at, 1),
                   [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 10}); });
       expect_terminate(peer, rule<"RDMAPX-8.2-3">, {terminates(error::kInvalidVersion), noted(closes())},
                        "RDMAP version 2");
     })},
    {"rdmapx/{}-refuses-unasked-responses",
     {&rule<"RDMAPX-5.2.2-9">},
     "The IUT refuses an unsolicited Atomic Response.",
     with_each([](auto& peer) {
       if (!peer.ok() || !declares_extensions(peer)) return;
       OctetBuffer payload;
       encode(AtomicResponse{.request_identifier = 5}, payload);
       peer.send_segment(peer.untagged(Opcode::atomic_response), payload);
       const Response answer = await_terminate(peer);
       peer.judge(rule<"RDMAPX-5.2.2-9">, answer, {terminates(), closes()}, "it is unsolicited");
     })},
    {"rdmapx/{}-drops-atomics-with-bad-crcs",
     {&rule<"RDMAPX-5.4-3">},
     "The IUT does not answer an Atomic Request with a wrong CRC.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       send_atomic(peer, fetch_add_of(*at, 1), {}, {.crc_xor = 1});
       const Response answer = await_response(peer);
       peer.require(rule<"RDMAPX-5.4-3">, !answer.is(Opcode::atomic_response), "no Atomic Response", to_text(answer),
                    "its CRC is wrong");
     })},
};

// Another connection reads the target of a refused operation: the words before and after the odd address are unchanged.
void expect_unchanged(ReadyResponder& responder, const Rule& rule, AtomicRequest (*odd)(const TargetBuffer& at)) {
  const auto shared = [&responder] {
    return need(responder, targets_of(responder.run(), responder.advertisement()).shared, kSharedByConnections);
  };
  if (!responder.ok() || !declares_extensions(responder)) return;
  auto at = shared();
  if (!at) return;
  const std::uint32_t stag = at->stag;
  set_word(responder, *at, 0);
  set_word(responder, {at->stag, at->to + kAtomicOctets, at->length}, 0);
  expect_word(responder, rule, *at, 0, "zeros were written");
  send_atomic(responder, odd({at->stag, at->to + kAtomicOctets / 2, at->length}));
  const Response answer = await_response(responder);
  responder.require(rule, !answer.is(Opcode::atomic_response), "no Atomic Response", to_text(answer),
                    "the address is not a multiple of eight");
  if (!responder.ok()) return;
  responder.connect_again();
  at = shared();
  if (!at) return;
  if (at->stag != stag) return responder.skip("each connection is offered its own STag");
  for (const std::uint64_t word : {std::uint64_t{0}, kAtomicOctets})
    expect_word(responder, rule, {at->stag, at->to + word, at->length}, 0,
                "another connection, after an operation across the end of the first word");
}

const CaseRow kMemory[] = {
    {"rdmapx/responder-changes-nothing-by-odd-adds",
     {&rule<"RDMAPX-5.1.1-3">},
     "The IUT leaves the memory unchanged, as seen by another connection, after it refuses a FetchAdd.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       expect_unchanged(responder, rule<"RDMAPX-5.1.1-3">,
                        [](const TargetBuffer& at) { return fetch_add_of(at, kAllOnes); });
     })},
    {"rdmapx/responder-changes-nothing-by-odd-swaps",
     {&rule<"RDMAPX-5.1.2-5">},
     "The IUT leaves the memory unchanged, as seen by another connection, after it refuses a CmpSwap.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       expect_unchanged(responder, rule<"RDMAPX-5.1.2-5">,
                        [](const TargetBuffer& at) { return cmp_swap_of(at, kAllOnes, kAllOnes, 0, kAllOnes); });
     })},
};

template <class Peer>
void refuses_size(Peer& peer, std::size_t octets) {
  if (!peer.ok() || !declares_extensions(peer)) return;
  const OctetBuffer ulpdu = send_immediate(peer, octets);
  const Response answer = await_terminate(peer);
  const Outcomes outcomes = {terminates(error::kUnexpectedOpcode), terminates(error::kCatastrophicStream),
                             terminates(error::kOperationUnspecified), noted(terminates())};
  if (!peer.judge(rule<"RDMAPX-6.3-7">, answer, {terminates(), closes()}, "not eight octets")) return;
  if (!peer.judge(rule<"RDMAPX-6.1-2">, answer, outcomes, "not eight octets")) return;
  judge_carried(peer, rule<"RDMAPX-8.1-3">, answer, ulpdu, Fault::Carries::ddp_header);
}

const CaseRow kImmediate[] = {
    {"rdmapx/{}-refuses-short-immediate-data",
     {&rule<"RDMAPX-6.3-7">, &rule<"RDMAPX-6.1-2">, &rule<"RDMAPX-8.1-3">},
     "The IUT refuses Immediate Data of seven octets.",
     with_each([](auto& peer) { refuses_size(peer, 7); })},
    {"rdmapx/{}-refuses-long-immediate-data",
     {&rule<"RDMAPX-6.3-7">, &rule<"RDMAPX-6.1-2">, &rule<"RDMAPX-8.1-3">},
     "The IUT refuses Immediate Data of nine octets.",
     with_each([](auto& peer) { refuses_size(peer, 9); })},
    {"rdmapx/{}-refuses-a-queue-of-immediate-data",
     {&rule<"RDMAPX-8.2-1">},
     "The IUT refuses Immediate Data on queue 1.",
     with_each([](auto& peer) {
       if (!peer.ok() || !declares_extensions(peer)) return;
       const std::uint32_t msn = peer.untagged(Opcode::read_request).msn;
       send_immediate(peer, 8, [msn](ddp::Header& h) { h.qn = kReadRequestQueue, h.msn = msn; });
       expect_terminate(peer, rule<"RDMAPX-8.2-1">,
                        {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn), noted(closes())},
                        "Immediate Data on queue 1");
     })},
    {"rdmapx/{}-refuses-immediate-data-with-an-msn-ahead",
     {&rule<"RDMAPX-8.2-1">},
     "The IUT refuses Immediate Data whose MSN is a million too high.",
     with_each([](auto& peer) {
       if (!peer.ok() || !declares_extensions(peer)) return;
       send_immediate(peer, 8, [](ddp::Header& h) { h.msn += kFarAhead; });
       expect_terminate(peer, rule<"RDMAPX-8.2-1">,
                        {terminates(error::kDdpMsnRange), terminates(error::kDdpNoBuffer), noted(closes())},
                        "an MSN far ahead");
     })},
    {"rdmapx/{}-refuses-immediate-data-beyond-the-buffer",
     {&rule<"RDMAPX-8.2-1">},
     "The IUT refuses Immediate Data whose MO is two gigabytes.",
     with_each([](auto& peer) {
       if (!peer.ok() || !declares_extensions(peer)) return;
       send_immediate(peer, 8, [](ddp::Header& h) { h.mo = kFarBehind; });
       expect_refused_mo(peer);
     })},
    {"rdmapx/{}-refuses-a-version-of-immediate-data",
     {&rule<"RDMAPX-8.2-3">},
     "The IUT refuses Immediate Data of RDMAP version 2.",
     with_each([](auto& peer) {
       if (!peer.ok() || !declares_extensions(peer)) return;
       send_immediate(peer, 8, [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 8}); });
       expect_terminate(peer, rule<"RDMAPX-8.2-3">, {terminates(error::kInvalidVersion), noted(closes())},
                        "RDMAP version 2");
     })},
};

// --- an initiator whose application has an Atomic Operation outstanding

class AddingInitiator : public ServedInitiator {
 public:
  explicit AddingInitiator(CaseRun& run) : ServedInitiator(run) {
    if (!ok() || !declares_extensions(*this)) return;
    while (ok() && !request_) {
      const Response came = take(in(this->run().answer_time()));
      if (came.is(Response::Kind::nothing) || came.ended()) skip("the initiator requests no Atomic Operation");
      if (came.is(Opcode::atomic_request))
        request_ = decode_atomic_request(came.segment()->payload);
      else
        answer(came);
    }
  }
  // Answers it, as `edit` has it.
  void respond(const HeaderEdit& edit, std::uint32_t identifier_xor = 0, std::size_t cut = 0) {
    if (!ok()) return;
    OctetBuffer payload;
    encode(AtomicResponse{.request_identifier = request_->request_identifier ^ identifier_xor}, payload);
    payload.resize(payload.size() - cut);
    ddp::Header header = untagged(Opcode::atomic_response);
    if (edit) edit(header);
    send_segment(header, payload);
  }

 private:
  std::optional<AtomicRequest> request_;
};

const CaseRow kResponses[] = {
    {"rdmapx/initiator-refuses-responses-to-other-operations",
     {&rule<"RDMAPX-5.2.2-9">},
     "The initiator refuses an Atomic Response with a Request Identifier other than the operation's.",
     with<AddingInitiator>([](AddingInitiator& initiator) {
       initiator.respond({}, 1);
       initiator.judge(rule<"RDMAPX-5.2.2-9">, await_terminate(initiator), {terminates(), closes()},
                       "a Request Identifier other than that of the oldest operation");
     })},
    {"rdmapx/initiator-refuses-short-atomic-responses",
     {&rule<"RDMAPX-5.2.2-9">},
     "The initiator refuses an Atomic Response of eleven octets.",
     with<AddingInitiator>([](AddingInitiator& initiator) {
       initiator.respond({}, 0, 1);
       initiator.judge(rule<"RDMAPX-5.2.2-9">, await_terminate(initiator), {terminates(), closes()},
                       "an octet is missing");
     })},
    {"rdmapx/initiator-refuses-a-queue-of-atomic-responses",
     {&rule<"RDMAPX-8.2-1">},
     "The initiator refuses an Atomic Response on queue 0.",
     with<AddingInitiator>([](AddingInitiator& initiator) {
       const std::uint32_t msn = initiator.untagged(Opcode::send).msn;
       initiator.respond([msn](ddp::Header& h) { h.qn = kSendQueue, h.msn = msn; });
       expect_terminate(initiator, rule<"RDMAPX-8.2-1">,
                        {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn), noted(closes())},
                        "an Atomic Response on queue 0");
     })},
    {"rdmapx/initiator-refuses-atomic-responses-with-an-msn-ahead",
     {&rule<"RDMAPX-8.2-1">},
     "The initiator refuses an Atomic Response whose MSN is a million too high.",
     with<AddingInitiator>([](AddingInitiator& initiator) {
       initiator.respond([](ddp::Header& h) { h.msn += kFarAhead; });
       expect_terminate(initiator, rule<"RDMAPX-8.2-1">,
                        {terminates(error::kDdpMsnRange), terminates(error::kDdpNoBuffer), noted(closes())},
                        "an MSN far ahead");
     })},
    {"rdmapx/initiator-refuses-atomic-responses-beyond-the-buffer",
     {&rule<"RDMAPX-8.2-1">},
     "The initiator refuses an Atomic Response whose MO is two gigabytes.",
     with<AddingInitiator>([](AddingInitiator& initiator) {
       initiator.respond([](ddp::Header& h) { h.mo = kFarBehind; });
       expect_refused_mo(initiator);
     })},
    {"rdmapx/initiator-refuses-a-version-of-atomic-responses",
     {&rule<"RDMAPX-8.2-3">},
     "The initiator refuses an Atomic Response of RDMAP version 2.",
     with<AddingInitiator>([](AddingInitiator& initiator) {
       initiator.respond([](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 11}); });
       expect_terminate(initiator, rule<"RDMAPX-8.2-3">, {terminates(error::kInvalidVersion), noted(closes())},
                        "RDMAP version 2");
     })},
};

}  // namespace

std::vector<Case> extension_refusal_cases() {
  return cases_of_tables({kRefusals, kMemory, kImmediate, kResponses});
}

}  // namespace wirelaw::rdmap
