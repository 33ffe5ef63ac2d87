// SPDX-License-Identifier: Apache-2.0
// RFC 7306: Atomic Operations, their responses and Immediate Data that are at fault, and how they are refused where the
// IUT declares them.
#include <utility>

#include "conformance/rdmap/probes/served_initiator.h"
#include "conformance/rdmap/rdmapx/extension_cases.h"
#include "conformance/section.h"
#include "reference/rdmap/atomics.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection5_1_1 = Section{"RFC 7306 5.1.1"}.by(Observable::stimulus);
constexpr Section kSection5_1_2 = Section{"RFC 7306 5.1.2"}.by(Observable::stimulus);
constexpr Section kSection5_2_1 = Section{"RFC 7306 5.2.1"}.by(Observable::stimulus);
constexpr Section kSection5_2_2 = Section{"RFC 7306 5.2.2"}.by(Observable::stimulus);
constexpr Section kSection5_4 = Section{"RFC 7306 5.4"}.by(Observable::stimulus);
constexpr Section kSection6_1 = Section{"RFC 7306 6.1"}.by(Observable::stimulus);
constexpr Section kSection6_3 = Section{"RFC 7306 6.3"}.by(Observable::stimulus);
constexpr Section kSection8_1 = Section{"RFC 7306 8.1"}.by(Observable::stimulus);
constexpr Section kSection8_2 = Section{"RFC 7306 8.2"}.by(Observable::stimulus);

constinit const Rule kFetchAddError = kSection5_1_1.must(
    "RDMAPX-5.1.1-2", "A FetchAdd whose target is not aligned is surfaced as an error.", "The connection ends");
constinit const Rule kFetchAddNoChange = kSection5_1_1.must_not(
    "RDMAPX-5.1.1-3",
    "A FetchAdd whose target is not aligned is neither done nor answered: the memory stays as it was.");
constinit const Rule kFetchAddTerminate =
    kSection5_1_1.must("RDMAPX-5.1.1-4", "A FetchAdd whose target is not aligned is answered by a Terminate.");
constinit const Rule kCmpSwapNotDone = kSection5_1_2.must_not(
    "RDMAPX-5.1.2-5",
    "A CmpSwap whose target is not aligned is neither done nor answered: the memory stays as it was.");
constinit const Rule kCmpSwapError = kSection5_1_2.must(
    "RDMAPX-5.1.2-6", "A CmpSwap whose target is not aligned is surfaced as an error.", "The connection ends");
constinit const Rule kCmpSwapTerminate =
    kSection5_1_2.must("RDMAPX-5.1.2-7", "A CmpSwap whose target is not aligned is answered by a Terminate.");
constinit const Rule kUnsupported = kSection5_2_1.must(
    "RDMAPX-5.2.1-14", "A request with an AOpCode that is not supported is surfaced as an error.", "RDMAP/A-37");
constinit const Rule kInvalidResponse =
    kSection5_2_2.must("RDMAPX-5.2.2-9", "An invalid Atomic Response is surfaced as an error at the requester.");
constinit const Rule kAfterDelivery =
    kSection5_4.must_not("RDMAPX-5.4-3", "An Atomic Request is not processed before it is delivered.",
                         "One with a bad CRC is never answered");
constinit const Rule kImmediateError = kSection6_1.must(
    "RDMAPX-6.1-2", "Immediate Data that completes in error at its receiver is answered by a Terminate.", "RDMAP/A-37");
constinit const Rule kImmediateChecked =
    kSection6_3.must("RDMAPX-6.3-7", "The receiver checks that there are exactly eight octets.", "RDMAP/A-37");
constinit const Rule kOnIncoming =
    kSection8_1.must("RDMAPX-8.1-2", "An error on one of these messages sends a Terminate.");
constinit const Rule kContents = kSection8_1.must(
    "RDMAPX-8.1-3", "The Terminate for one of these messages has type, code and terminated DDP header, no RDMA header.",
    "RDMAP/A-36");
constinit const Rule kFields =
    kSection8_2.must("RDMAPX-8.2-1", "DDP validates all fields of the segments of these messages.");
constinit const Rule kVersion = kSection8_2.must("RDMAPX-8.2-3", "The RDMAP version of these messages is validated.");
constinit const Rule kAlignment =
    kSection8_2.must("RDMAPX-8.2-4", "That the target of an Atomic Request is aligned is validated.");
constinit const Rule kAlignmentCode =
    kSection8_2.must("RDMAPX-8.2-5", "A target that is not aligned is answered by a Terminate with 0/2/07.");

constexpr const Rule* kRules[] = {
    &kFetchAddError, &kFetchAddNoChange, &kFetchAddTerminate, &kCmpSwapNotDone, &kCmpSwapError,     &kCmpSwapTerminate,
    &kUnsupported,   &kInvalidResponse,  &kAfterDelivery,     &kImmediateError, &kImmediateChecked, &kOnIncoming,
    &kContents,      &kFields,           &kVersion,           &kAlignment,      &kAlignmentCode};

constexpr std::uint32_t kFarAhead = 1'000'000;
constexpr std::uint32_t kFarBehind = 0x7fff'0000;  // an MO beyond any buffer

template <class Peer>
void expect_refused_mo(Peer& peer) {
  expect_terminate(peer, kFields,
                   {terminates(error::kDdpInvalidMo), noted(terminates(error::kDdpTooLong)),
                    noted(terminates(error::kDdpNoBuffer)), noted(closes())},
                   "the MO lies beyond any buffer");
}

constexpr CaseRow kRefusals[] = {
    {"rdmapx/{}-refuses-odd-adds",
     {&kFetchAddNoChange, &kFetchAddTerminate, &kFetchAddError, &kAlignment, &kAlignmentCode, &kOnIncoming, &kContents},
     "A FetchAdd at an address that is not aligned is refused by 0/2/07.",
     with_each([](auto& peer) {
       auto at = word_of(peer);
       if (!at) return;
       ++at->to;
       const OctetBuffer ulpdu = send_atomic(peer, fetch_add_of(*at, 1));
       const Response answer = await_response(peer);
       constexpr std::string_view kWhy = "the address is one more than that of the buffer";
       peer.require(kFetchAddNoChange, !answer.is(Opcode::atomic_response), "no Atomic Response", to_text(answer),
                    kWhy);
       peer.judge(kAlignment, answer, {terminates(), closes()}, kWhy);
       peer.judge(kFetchAddTerminate, answer, {terminates()}, kWhy);
       peer.judge(kOnIncoming, answer, {terminates()}, kWhy);
       peer.judge(kAlignmentCode, answer, {terminates(error::kCatastrophicStream)}, kWhy);
       judge_carried(peer, kContents, answer, ulpdu, Fault::Carries::ddp_header);
       expect_end(peer, kFetchAddError, kWhy);
     })},
    {"rdmapx/{}-refuses-odd-swaps",
     {&kCmpSwapNotDone, &kCmpSwapTerminate, &kCmpSwapError, &kAlignmentCode},
     "A CmpSwap at an address that is not aligned is refused by 0/2/07.",
     with_each([](auto& peer) {
       auto at = word_of(peer);
       if (!at) return;
       at->to += 4;
       send_atomic(peer, cmp_swap_of(*at, 1, kAllOnes, 0, 0));
       const Response answer = await_response(peer);
       constexpr std::string_view kWhy = "the address is four more than that of the buffer";
       peer.require(kCmpSwapNotDone, !answer.is(Opcode::atomic_response), "no Atomic Response", to_text(answer), kWhy);
       peer.judge(kCmpSwapTerminate, answer, {terminates()}, kWhy);
       peer.judge(kAlignmentCode, answer, {terminates(error::kCatastrophicStream)}, kWhy);
       expect_end(peer, kCmpSwapError, kWhy);
     })},
    {"rdmapx/{}-refuses-unknown-operations", {&kUnsupported}, "AOpCode 9 is refused.", with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       AtomicRequest request = fetch_add_of(*at, 1);
       request.reserved_and_opcode = 9;
       send_atomic(peer, request);
       expect_terminate(peer, kUnsupported,
                        {terminates(error::kUnexpectedOpcode), terminates(error::kCatastrophicStream),
                         terminates(error::kOperationUnspecified), noted(closes())},
                        "AOpCode 9");
     })},
    {"rdmapx/{}-refuses-foreign-words",
     {&kFields, &kOnIncoming},
     "A FetchAdd on an STag that nobody has offered is refused.",
     with_each([](auto& peer) {
       if (!peer.ok() || !declares_extensions(peer)) return;
       send_atomic(peer, fetch_add_of({.stag = kNobodysStag}, 1));
       expect_terminate(
           peer, kOnIncoming,
           {terminates(error::kInvalidStag), terminates(error::kBaseOrBounds), terminates(error::kAccessRights),
            terminates(error::kStagNotAssociated), noted(terminates()), noted(closes())},
           "an STag that nobody has offered");
     })},
    {"rdmapx/{}-refuses-a-queue-of-atomics",
     {&kFields},
     "An Atomic Request on queue 0 is refused.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       const std::uint32_t msn = peer.untagged(Opcode::send).msn;
       send_atomic(peer, fetch_add_of(*at, 1), [msn](ddp::Header& h) { h.qn = kSendQueue, h.msn = msn; });
       expect_terminate(peer, kFields,
                        {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn), noted(closes())},
                        "an Atomic Request on queue 0");
     })},
    {"rdmapx/{}-refuses-a-version-of-atomics",
     {&kVersion},
     "An Atomic Request of RDMAP version 2 is refused.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       send_atomic(peer, fetch_add_of(*at, 1),
                   [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 10}); });
       expect_terminate(peer, kVersion, {terminates(error::kInvalidVersion), noted(closes())}, "RDMAP version 2");
     })},
    {"rdmapx/{}-refuses-unasked-responses",
     {&kInvalidResponse},
     "An Atomic Response that nobody has asked for is refused.",
     with_each([](auto& peer) {
       if (!peer.ok() || !declares_extensions(peer)) return;
       OctetBuffer payload;
       encode(AtomicResponse{.request_identifier = 5}, payload);
       peer.send_segment(peer.untagged(Opcode::atomic_response), payload);
       const Response answer = await_terminate(peer);
       peer.judge(kInvalidResponse, answer, {terminates(), closes()}, "nobody has asked for it");
     })},
    {"rdmapx/{}-drops-atomics-with-bad-crcs",
     {&kAfterDelivery},
     "An Atomic Request with a bad CRC is not answered.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       send_atomic(peer, fetch_add_of(*at, 1), {}, {.crc_xor = 1});
       const Response answer = await_response(peer);
       peer.require(kAfterDelivery, !answer.is(Opcode::atomic_response), "no Atomic Response", to_text(answer),
                    "its CRC does not hold");
     })},
};

// What another connection finds where a refused operation has been: the word before the odd address, and the one
// behind.
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
                    "the address is no multiple of eight");
  if (!responder.ok()) return;
  responder.connect_again();
  at = shared();
  if (!at) return;
  if (at->stag != stag) return responder.skip("each connection is offered an STag of its own");
  for (const std::uint64_t word : {std::uint64_t{0}, kAtomicOctets})
    expect_word(responder, rule, {at->stag, at->to + word, at->length}, 0,
                "another connection, behind an operation across the end of the first word");
}

constexpr CaseRow kMemory[] = {
    {"rdmapx/responder-changes-nothing-by-odd-adds",
     {&kFetchAddNoChange},
     "After a FetchAdd that is refused, another connection finds the memory as it was.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       expect_unchanged(responder, kFetchAddNoChange,
                        [](const TargetBuffer& at) { return fetch_add_of(at, kAllOnes); });
     })},
    {"rdmapx/responder-changes-nothing-by-odd-swaps",
     {&kCmpSwapNotDone},
     "After a CmpSwap that is refused, another connection finds the memory as it was.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       expect_unchanged(responder, kCmpSwapNotDone,
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
  if (!peer.judge(kImmediateChecked, answer, {terminates(), closes()}, "not eight octets")) return;
  if (!peer.judge(kImmediateError, answer, outcomes, "not eight octets")) return;
  judge_carried(peer, kContents, answer, ulpdu, Fault::Carries::ddp_header);
}

constexpr CaseRow kImmediate[] = {
    {"rdmapx/{}-refuses-short-immediate-data",
     {&kImmediateChecked, &kImmediateError, &kContents},
     "Immediate Data of seven octets is refused.",
     with_each([](auto& peer) { refuses_size(peer, 7); })},
    {"rdmapx/{}-refuses-long-immediate-data",
     {&kImmediateChecked, &kImmediateError, &kContents},
     "Immediate Data of nine octets is refused.",
     with_each([](auto& peer) { refuses_size(peer, 9); })},
    {"rdmapx/{}-refuses-a-queue-of-immediate-data",
     {&kFields},
     "Immediate Data on queue 1 is refused.",
     with_each([](auto& peer) {
       if (!peer.ok() || !declares_extensions(peer)) return;
       const std::uint32_t msn = peer.untagged(Opcode::read_request).msn;
       send_immediate(peer, 8, [msn](ddp::Header& h) { h.qn = kReadRequestQueue, h.msn = msn; });
       expect_terminate(peer, kFields,
                        {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn), noted(closes())},
                        "Immediate Data on queue 1");
     })},
    {"rdmapx/{}-refuses-immediate-data-with-an-msn-ahead",
     {&kFields},
     "Immediate Data whose MSN is a million too high is refused.",
     with_each([](auto& peer) {
       if (!peer.ok() || !declares_extensions(peer)) return;
       send_immediate(peer, 8, [](ddp::Header& h) { h.msn += kFarAhead; });
       expect_terminate(peer, kFields,
                        {terminates(error::kDdpMsnRange), terminates(error::kDdpNoBuffer), noted(closes())},
                        "an MSN far ahead");
     })},
    {"rdmapx/{}-refuses-immediate-data-beyond-the-buffer",
     {&kFields},
     "Immediate Data whose MO is two gigabytes is refused.",
     with_each([](auto& peer) {
       if (!peer.ok() || !declares_extensions(peer)) return;
       send_immediate(peer, 8, [](ddp::Header& h) { h.mo = kFarBehind; });
       expect_refused_mo(peer);
     })},
    {"rdmapx/{}-refuses-a-version-of-immediate-data",
     {&kVersion},
     "Immediate Data of RDMAP version 2 is refused.",
     with_each([](auto& peer) {
       if (!peer.ok() || !declares_extensions(peer)) return;
       send_immediate(peer, 8, [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 8}); });
       expect_terminate(peer, kVersion, {terminates(error::kInvalidVersion), noted(closes())}, "RDMAP version 2");
     })},
};

// --- an initiator whose application has an Atomic Operation outstanding

class AddingInitiator : public ServedInitiator {
 public:
  explicit AddingInitiator(CaseRun& run) : ServedInitiator(run) {
    if (!ok() || !declares_extensions(*this)) return;
    while (ok() && !request_) {
      const Response came = take(in(this->run().answer_time()));
      if (came.is(Response::Kind::nothing) || came.ended()) skip("the initiator has no Atomic Operation to do");
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

constexpr CaseRow kResponses[] = {
    {"rdmapx/initiator-refuses-responses-to-other-operations",
     {&kInvalidResponse},
     "An Atomic Response with another Request Identifier than the operation's is refused.",
     with<AddingInitiator>([](AddingInitiator& initiator) {
       initiator.respond({}, 1);
       initiator.judge(kInvalidResponse, await_terminate(initiator), {terminates(), closes()},
                       "another Request Identifier than the oldest operation has");
     })},
    {"rdmapx/initiator-refuses-short-atomic-responses",
     {&kInvalidResponse},
     "An Atomic Response of eleven octets is refused.",
     with<AddingInitiator>([](AddingInitiator& initiator) {
       initiator.respond({}, 0, 1);
       initiator.judge(kInvalidResponse, await_terminate(initiator), {terminates(), closes()}, "an octet is missing");
     })},
    {"rdmapx/initiator-refuses-a-queue-of-atomic-responses",
     {&kFields},
     "An Atomic Response on queue 0 is refused.",
     with<AddingInitiator>([](AddingInitiator& initiator) {
       const std::uint32_t msn = initiator.untagged(Opcode::send).msn;
       initiator.respond([msn](ddp::Header& h) { h.qn = kSendQueue, h.msn = msn; });
       expect_terminate(initiator, kFields,
                        {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn), noted(closes())},
                        "an Atomic Response on queue 0");
     })},
    {"rdmapx/initiator-refuses-atomic-responses-with-an-msn-ahead",
     {&kFields},
     "An Atomic Response whose MSN is a million too high is refused.",
     with<AddingInitiator>([](AddingInitiator& initiator) {
       initiator.respond([](ddp::Header& h) { h.msn += kFarAhead; });
       expect_terminate(initiator, kFields,
                        {terminates(error::kDdpMsnRange), terminates(error::kDdpNoBuffer), noted(closes())},
                        "an MSN far ahead");
     })},
    {"rdmapx/initiator-refuses-atomic-responses-beyond-the-buffer",
     {&kFields},
     "An Atomic Response whose MO is two gigabytes is refused.",
     with<AddingInitiator>([](AddingInitiator& initiator) {
       initiator.respond([](ddp::Header& h) { h.mo = kFarBehind; });
       expect_refused_mo(initiator);
     })},
    {"rdmapx/initiator-refuses-a-version-of-atomic-responses",
     {&kVersion},
     "An Atomic Response of RDMAP version 2 is refused.",
     with<AddingInitiator>([](AddingInitiator& initiator) {
       initiator.respond([](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 11}); });
       expect_terminate(initiator, kVersion, {terminates(error::kInvalidVersion), noted(closes())}, "RDMAP version 2");
     })},
};

constexpr Breach kBreaches[] = {
    {Deviation::stays_open_after_terminate, kFetchAddError, {.given = "rfc7306"}},
    {Deviation::atomic_alignment_ignored, kFetchAddNoChange, {.given = "rfc7306"}},
    {Deviation::terminate_missing, kFetchAddTerminate, {.given = "rfc7306"}},
    {Deviation::atomic_alignment_ignored, kCmpSwapNotDone, {.given = "rfc7306"}},
    {Deviation::stays_open_after_terminate, kCmpSwapError, {.given = "rfc7306"}},
    {Deviation::terminate_missing, kCmpSwapTerminate, {.given = "rfc7306"}},
    {Deviation::terminate_code_wrong, kUnsupported, {.given = "rfc7306"}},
    {Deviation::accepts_unasked_response, kInvalidResponse, {.given = "rfc7306"}},
    {Deviation::crc_not_checked, kAfterDelivery, {.given = "rfc7306"}},
    {Deviation::terminate_missing, kImmediateError, {.given = "rfc7306"}},
    {Deviation::accepts_immediate_size, kImmediateChecked, {.given = "rfc7306"}},
    {Deviation::accepts_stag, kOnIncoming, {.given = "rfc7306"}},
    {Deviation::terminate_no_headers, kContents, {.severity = Severity::warning, .given = "rfc7306"}},
    {Deviation::accepts_wrong_queue, kFields, {.given = "rfc7306"}},
    {Deviation::accepts_rdmap_version, kVersion, {.given = "rfc7306"}},
    {Deviation::terminate_code_wrong, kAlignmentCode, {.given = "rfc7306"}},
    {Deviation::atomic_done_though_refused, kFetchAddNoChange, {.given = "rfc7306"}},
    {Deviation::atomic_done_though_refused, kCmpSwapNotDone, {.given = "rfc7306"}},
    {Deviation::accepts_msn, kFields, {.given = "rfc7306"}},
    {Deviation::accepts_extension_mo, kFields, {.given = "rfc7306"}},
    {Deviation::accepts_extension_mo, kFields, {.given = "extended"}},
    {Deviation::accepts_atomic_identifier, kInvalidResponse, {.given = "extended"}},
    {Deviation::accepts_wrong_queue, kFields, {.given = "extended"}},
};

}  // namespace

SectionCases extension_refusal_cases() {
  static const std::vector<Case> kCases = cases_of_tables({kRefusals, kMemory, kImmediate, kResponses});
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::rdmap
