// SPDX-License-Identifier: Apache-2.0
// RFC 7306: Atomic Operations and Immediate Data, where the IUT declares them, and what comes of them where it does
// not. What is refused is in refusal_cases.cc.
#include "conformance/rdmap/rdmapx/extension_cases.h"
#include "conformance/rdmap/tracker/observer.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection4_1 = Section{"RFC 7306 4.1"}.by(Observable::stimulus);
constexpr Section kSection5 = Section{"RFC 7306 5"}.by(Observable::stimulus);
constexpr Section kSection5_1_1 = Section{"RFC 7306 5.1.1"}.by(Observable::stimulus);
constexpr Section kSection5_1_2 = Section{"RFC 7306 5.1.2"}.by(Observable::stimulus);
constexpr Section kSection5_2_1 = Section{"RFC 7306 5.2.1"}.by(Observable::stimulus);
constexpr Section kSection5_4 = Section{"RFC 7306 5.4"}.by(Observable::stimulus);
constexpr Section kSection7 = Section{"RFC 7306 7"}.by(Observable::stimulus);
constexpr Section kSection8_2 = Section{"RFC 7306 8.2"}.by(Observable::stimulus);

constinit const Rule kInvalidateStagIgnored =
    kSection4_1.must("RDMAPX-4.1-4", "The receiver of these messages ignores Invalidate STag.");
constinit const Rule kBothOperations =
    kSection5.must("RDMAPX-5-2", "An RNIC that has Atomic Operations at all has both FetchAdd and CmpSwap.");
constinit const Rule kFetchAddWhole =
    kSection5_1_1.must("RDMAPX-5.1.1-5", "With an Add Mask of zero, FetchAdd adds two integers of 64 bits.");
constinit const Rule kFetchAddFields =
    kSection5_1_1.must("RDMAPX-5.1.1-6", "A bit of the Add Mask ends a field: what is carried out of it is dropped.");
constinit const Rule kFetchAddOriginal =
    kSection5_1_1.must("RDMAPX-5.1.1-7", "FetchAdd returns the value that was there before, in wire order.");
constinit const Rule kCmpSwapMatch = kSection5_1_2.must(
    "RDMAPX-5.1.2-2", "Where the masked values are equal, CmpSwap replaces the bits of the Swap Mask and no others.");
constinit const Rule kCmpSwapMismatch =
    kSection5_1_2.must("RDMAPX-5.1.2-3", "Where the masked values differ, CmpSwap changes nothing.");
constinit const Rule kCmpSwapOriginal =
    kSection5_1_2.must("RDMAPX-5.1.2-4", "CmpSwap returns the value that was there before, whether it swapped or not.");
constinit const Rule kReservedIgnored =
    kSection5_2_1.must("RDMAPX-5.2.1-2", "The 28 bits before AOpCode are ignored on receipt.");
constinit const Rule kOpcodesImplemented =
    kSection5_2_1.must("RDMAPX-5.2.1-4", "An RNIC with Atomic Operations implements every AOpCode of figure 5.");
constinit const Rule kCompareIgnored =
    kSection5_2_1.must("RDMAPX-5.2.1-9", "Compare Data and Compare Mask of a FetchAdd are ignored on receipt.");
constinit const Rule kProcessedInOrder =
    kSection5_2_1.must("RDMAPX-5.2.1-17", "Atomic Requests are processed in the order in which they were sent.");
constinit const Rule kAnswered =
    kSection5_2_1.must("RDMAPX-5.2.1-18", "A valid Atomic Request is answered by a valid Atomic Response.");
constinit const Rule kAfterWrites = kSection5_4.must(
    "RDMAPX-5.4-5", "A response is processed after its request, and all that came before it, has been delivered.",
    "A Write to the word before the operation shows in the returned value");
constinit const Rule kAtomicAtomic = kSection7.must(
    "RDMAPX-7-9", "Atomic, then Atomic: the second is processed after the first response has been generated.");
constinit const Rule kWriteAtomic =
    kSection7.must("RDMAPX-7-11", "Write, then Atomic: the operation finds what was written.");
constinit const Rule kOpcode =
    kSection8_2.must("RDMAPX-8.2-2", "The opcode is validated: where it is not known it is answered by 0/2/06.",
                     "RDMAP/A-10, RDMAP/A-21: so answers a receiver that does not know these messages");

constexpr const Rule* kRules[] = {&kInvalidateStagIgnored,
                                  &kBothOperations,
                                  &kFetchAddWhole,
                                  &kFetchAddFields,
                                  &kFetchAddOriginal,
                                  &kCmpSwapMatch,
                                  &kCmpSwapMismatch,
                                  &kCmpSwapOriginal,
                                  &kReservedIgnored,
                                  &kOpcodesImplemented,
                                  &kCompareIgnored,
                                  &kProcessedInOrder,
                                  &kAnswered,
                                  &kAfterWrites,
                                  &kAtomicAtomic,
                                  &kWriteAtomic,
                                  &kOpcode};

// --- the cases

template <class Peer>
void refuses(Peer& peer, Opcode opcode, std::size_t octets) {
  if (!peer.ok()) return;
  if (peer.run().declares(kExtensions)) return peer.skip("the IUT declares RFC 7306");
  const OctetBuffer ulpdu = Probe::ulpdu_of(peer.untagged(opcode), data_of(octets));
  peer.send_fpdu(ulpdu);
  const Response answer = await_terminate(peer);
  // Without the extensions there is no queue 3, on which an Atomic Response comes (RDMAP/A-09).
  Outcome no_queue = terminates(error::kDdpInvalidQn);
  if (opcode != Opcode::atomic_response) no_queue = noted(no_queue);
  if (!peer.judge(kOpcode, answer, {terminates(error::kUnexpectedOpcode), no_queue, noted(closes())},
                  "RFC 7306 is not declared"))
    return;
  judge_carried(peer, kOpcode, answer, ulpdu, Fault::Carries::ddp_header);
}

constexpr CaseRow kUndeclared[] = {
    {"rdmapx/{}-refuses-immediate-data",
     {&kOpcode},
     "Immediate Data is refused by a peer that does not declare it.",
     with_each([](auto& peer) { refuses(peer, Opcode::immediate_data, 8); })},
    {"rdmapx/{}-refuses-immediate-data-with-se",
     {&kOpcode},
     "Immediate Data with SE is refused by a peer that does not declare it.",
     with_each([](auto& peer) { refuses(peer, Opcode::immediate_data_se, 8); })},
    {"rdmapx/{}-refuses-atomic-requests",
     {&kOpcode},
     "An Atomic Request is refused by a peer that does not declare it.",
     with_each([](auto& peer) { refuses(peer, Opcode::atomic_request, layout::kAtomicRequest); })},
    {"rdmapx/{}-refuses-atomic-responses",
     {&kOpcode},
     "An Atomic Response is refused by a peer that does not declare it.",
     with_each([](auto& peer) { refuses(peer, Opcode::atomic_response, layout::kAtomicResponse); })},
};

constexpr CaseRow kFetchAddCases[] = {
    {"rdmapx/{}-adds",
     {&kBothOperations, &kAnswered, &kFetchAddOriginal, &kFetchAddWhole, &kOpcodesImplemented},
     "FetchAdd with a mask of zero adds 64 bits, carries and all, and returns what was there.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       set_word(peer, *at, 0);
       expect_original(peer, kAnswered, fetch_add_of(*at, 0xffffffff), 0, "the first operation on a word of zero");
       expect_original(peer, kFetchAddOriginal, fetch_add_of(*at, 1), 0xffffffff, "0xffffffff was added to 0");
       expect_original(peer, kFetchAddWhole, fetch_add_of(*at, kAllOnes), 0x100000000, "1 was added to 0xffffffff");
       expect_word(peer, kFetchAddWhole, *at, 0xffffffff, "2^64 - 1 was added: the sum wraps");
       expect_original(peer, kOpcodesImplemented, fetch_add_of(*at, 0), 0xffffffff, "FetchAdd");
       expect_original(peer, kBothOperations, cmp_swap_of(*at, 7, kAllOnes, 0xffffffff, kAllOnes), 0xffffffff,
                       "CmpSwap");
     })},
    {"rdmapx/{}-adds-field-by-field",
     {&kFetchAddFields},
     "FetchAdd with a mask adds each field by itself.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       set_word(peer, *at, 0);
       // Fields of 8, 24 and 32 bits.
       constexpr std::uint64_t kMask = 0x8000000080000080;
       expect_original(peer, kFetchAddFields, fetch_add_of(*at, 0xffffffffffffffff, kMask), 0, "all fields full");
       expect_original(peer, kFetchAddFields, fetch_add_of(*at, 0x0000000000000101, kMask), kAllOnes,
                       "every field was 0");
       expect_word(peer, kFetchAddFields, *at, 0xffffffff00000000,
                   "1 in the two lower fields: what is carried out of them is dropped");
     })},
    {"rdmapx/{}-passes-over-reserved-bits",
     {&kReservedIgnored, &kCompareIgnored, &kInvalidateStagIgnored},
     "Reserved bits, Invalidate STag, and what a FetchAdd says of comparing make no difference.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       set_word(peer, *at, 0);
       AtomicRequest request = fetch_add_of(*at, 1);
       request.reserved_and_opcode |= 0xfffffff0;
       expect_original(peer, kReservedIgnored, request, 0, "all reserved bits were set");
       request = fetch_add_of(*at, 1);
       request.compare = 0x1234;
       request.compare_mask = 0;
       expect_original(peer, kCompareIgnored, request, 1, "Compare Data and Compare Mask are not a FetchAdd's");
       send_atomic(peer, fetch_add_of(*at, 1), [](ddp::Header& h) { h.rsvd_ulp_rest = kNobodysStag; });
       const Response answer = await_response(peer);
       const auto response = response_in(answer);
       if (peer.ok())
         peer.require(kInvalidateStagIgnored, response && response->original_value == 2, "the value 2",
                      response ? fmt::format("{}", response->original_value) : to_text(answer),
                      "Invalidate STag was set");
     })},
    {"rdmapx/{}-works-in-order",
     {&kProcessedInOrder, &kAtomicAtomic, &kAfterWrites, &kWriteAtomic},
     "A Write and several operations on one word, sent at once, find what the one before has left.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       set_word(peer, *at, 0);
       expect_original(peer, kAfterWrites, fetch_add_of(*at, 3), 0, "a Write of zero came before");
       set_word(peer, *at, 0x10);
       // The order of octets in the IUT's memory is not known; 0x10 in one octet is in one octet still.
       send_atomic(peer, fetch_add_of(*at, 0));
       const Response written = await_response(peer);
       const auto value = response_in(written);
       if (!peer.ok()) return;
       if (!peer.require(kWriteAtomic, value && value->original_value != 3, "what was written",
                         value ? fmt::format("0x{:016x}", value->original_value) : to_text(written),
                         "a Write came before the operation"))
         return;
       for (std::uint64_t i = 0; i < 2; ++i) {
         expect_original(peer, i == 0 ? kProcessedInOrder : kAtomicAtomic, fetch_add_of(*at, 1),
                         value->original_value + i, "one more than before");
       }
     })},
};

constexpr CaseRow kCmpSwapCases[] = {
    {"rdmapx/{}-compares-and-swaps",
     {&kCmpSwapMatch, &kCmpSwapMismatch, &kCmpSwapOriginal},
     "CmpSwap compares the bits of one mask and swaps those of the other.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       set_word(peer, *at, 0);
       expect_original(peer, kCmpSwapOriginal, cmp_swap_of(*at, 0x1122334455667788, kAllOnes, 0, kAllOnes), 0,
                       "a word of zero");
       expect_original(peer, kCmpSwapMatch, cmp_swap_of(*at, 0xffffffffffffffff, 0xff00, 0x88, 0xff),
                       0x1122334455667788, "the word was swapped");
       expect_original(peer, kCmpSwapOriginal, cmp_swap_of(*at, 0, kAllOnes, 0x99, 0xff), 0x112233445566ff88,
                       "the second octet was swapped, where the first was 0x88");
       expect_word(peer, kCmpSwapMismatch, *at, 0x112233445566ff88, "the first octet was not 0x99");
     })},
};

// An application that echoes what completes a receive may answer Immediate Data, which has no octets for it, by a Send
// of none.
void expect_echo_past_empty(ReadyResponder& responder, const Rule& rule, std::string_view explanation) {
  const OctetBuffer data = responder.good_data();
  responder.stimulates_own_rule();
  responder.send(data);
  if (!responder.ok()) return;
  auto echo = responder.next_send();
  if (echo && echo->empty()) echo = responder.next_send();
  responder.require_echo(rule, echo, data, explanation);
}

constexpr CaseRow kImmediate[] = {
    {"rdmapx/responder-takes-immediate-data",
     {&kInvalidateStagIgnored},
     "Immediate Data is taken, whatever its Invalidate STag says; Sends are served before and behind it.",
     with<ReadyResponder>([](auto& responder) {
       if (!responder.ok() || !declares_extensions(responder)) return;
       responder.expect_goes_on(kInvalidateStagIgnored, "before");
       send_immediate(responder, 8, [](ddp::Header& h) { h.rsvd_ulp_rest = kNobodysStag; });
       expect_echo_past_empty(responder, kInvalidateStagIgnored, "Immediate Data with an Invalidate STag came before");
     }),
     Service::echo},
};

constexpr Breach kBreaches[] = {
    {Deviation::bare_invalidate_stag_checked, kInvalidateStagIgnored, {.given = "rfc7306"}},
    {Deviation::atomic_not_applied, kFetchAddWhole, {.given = "pair"}},
    {Deviation::atomic_value_wrong, kFetchAddFields, {.given = "rfc7306"}},
    {Deviation::atomic_not_applied, kFetchAddOriginal, {.given = "rfc7306"}},
    {Deviation::atomic_value_wrong, kFetchAddOriginal, {.given = "pair"}},
    {Deviation::atomic_not_applied, kCmpSwapMatch, {.given = "pair"}},
    {Deviation::atomic_not_applied, kCmpSwapMismatch, {.given = "pair"}},
    {Deviation::atomic_value_wrong, kCmpSwapOriginal, {.given = "pair"}},
    {Deviation::atomic_value_wrong, kReservedIgnored, {.given = "rfc7306"}},
    {Deviation::read_before_write, kCompareIgnored, {.given = "rfc7306"}},
    {Deviation::read_before_write, kProcessedInOrder, {.given = "rfc7306"}},
    {Deviation::extensions_refused, kAnswered, {.given = "rfc7306"}},
    {Deviation::atomic_value_wrong, kAfterWrites, {.given = "rfc7306"}},
    {Deviation::atomic_not_applied, kAtomicAtomic, {.given = "rfc7306"}},
    {Deviation::writes_not_placed, kWriteAtomic, {.given = "rfc7306"}},
    {Deviation::accepts_opcode, kOpcode},
};

}  // namespace

SectionCases extension_cases() {
  static const std::vector<Case> kCases = cases_of_tables({kUndeclared, kFetchAddCases, kCmpSwapCases, kImmediate});
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::rdmap
