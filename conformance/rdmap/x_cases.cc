// SPDX-License-Identifier: Apache-2.0
// RFC 7306: Atomic Operations and Immediate Data, where the IUT declares them, and what comes of them where it does
// not.
#include "conformance/rdmap/extensions.h"
#include "conformance/rdmap/observer.h"
#include "conformance/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {
namespace {

constexpr Rule rule(std::string_view id, Level level, std::string_view section, std::string_view summary,
                    std::string_view note = {}) {
  return extension_rule(id, level, section, Observable::stimulus, summary, note);
}

constinit const Rule kInvalidateStagIgnored =
    rule("RDMAPX-4.1-4", Level::must, "RFC 7306 4.1", "The receiver of these messages ignores Invalidate STag.");
constinit const Rule kBothOperations = rule("RDMAPX-5-2", Level::must, "RFC 7306 5",
                                            "An RNIC that has Atomic Operations at all has both FetchAdd and CmpSwap.");
constinit const Rule kFetchAddError =
    rule("RDMAPX-5.1.1-2", Level::must, "RFC 7306 5.1.1",
         "A FetchAdd whose target is not aligned is surfaced as an error.", "The connection ends");
constinit const Rule kFetchAddNoChange =
    rule("RDMAPX-5.1.1-3", Level::must_not, "RFC 7306 5.1.1",
         "A FetchAdd whose target is not aligned is not answered as if it had been done.");
constinit const Rule kFetchAddTerminate = rule("RDMAPX-5.1.1-4", Level::must, "RFC 7306 5.1.1",
                                               "A FetchAdd whose target is not aligned is answered by a Terminate.");
constinit const Rule kFetchAddWhole = rule("RDMAPX-5.1.1-5", Level::must, "RFC 7306 5.1.1",
                                           "With an Add Mask of zero, FetchAdd adds two integers of 64 bits.");
constinit const Rule kFetchAddFields =
    rule("RDMAPX-5.1.1-6", Level::must, "RFC 7306 5.1.1",
         "A bit of the Add Mask ends a field: what is carried out of it is dropped.");
constinit const Rule kFetchAddOriginal = rule("RDMAPX-5.1.1-7", Level::must, "RFC 7306 5.1.1",
                                              "FetchAdd returns the value that was there before, in wire order.");
constinit const Rule kCmpSwapMatch =
    rule("RDMAPX-5.1.2-2", Level::must, "RFC 7306 5.1.2",
         "Where the masked values are equal, CmpSwap replaces the bits of the Swap Mask and no others.");
constinit const Rule kCmpSwapMismatch =
    rule("RDMAPX-5.1.2-3", Level::must, "RFC 7306 5.1.2", "Where the masked values differ, CmpSwap changes nothing.");
constinit const Rule kCmpSwapOriginal =
    rule("RDMAPX-5.1.2-4", Level::must, "RFC 7306 5.1.2",
         "CmpSwap returns the value that was there before, whether it swapped or not.");
constinit const Rule kCmpSwapNotDone =
    rule("RDMAPX-5.1.2-5", Level::must_not, "RFC 7306 5.1.2",
         "A CmpSwap whose target is not aligned is not answered as if it had been done.");
constinit const Rule kCmpSwapError =
    rule("RDMAPX-5.1.2-6", Level::must, "RFC 7306 5.1.2",
         "A CmpSwap whose target is not aligned is surfaced as an error.", "The connection ends");
constinit const Rule kCmpSwapTerminate = rule("RDMAPX-5.1.2-7", Level::must, "RFC 7306 5.1.2",
                                              "A CmpSwap whose target is not aligned is answered by a Terminate.");
constinit const Rule kReservedIgnored =
    rule("RDMAPX-5.2.1-2", Level::must, "RFC 7306 5.2.1", "The 28 bits before AOpCode are ignored on receipt.");
constinit const Rule kOpcodesImplemented = rule("RDMAPX-5.2.1-4", Level::must, "RFC 7306 5.2.1",
                                                "An RNIC with Atomic Operations implements every AOpCode of figure 5.");
constinit const Rule kCompareIgnored = rule("RDMAPX-5.2.1-9", Level::must, "RFC 7306 5.2.1",
                                            "Compare Data and Compare Mask of a FetchAdd are ignored on receipt.");
constinit const Rule kUnsupported =
    rule("RDMAPX-5.2.1-14", Level::must, "RFC 7306 5.2.1",
         "A request with an AOpCode that is not supported is surfaced as an error.", "A-37");
constinit const Rule kProcessedInOrder = rule("RDMAPX-5.2.1-17", Level::must, "RFC 7306 5.2.1",
                                              "Atomic Requests are processed in the order in which they were sent.");
constinit const Rule kAnswered = rule("RDMAPX-5.2.1-18", Level::must, "RFC 7306 5.2.1",
                                      "A valid Atomic Request is answered by a valid Atomic Response.");
constinit const Rule kInvalidResponse = rule("RDMAPX-5.2.2-9", Level::must, "RFC 7306 5.2.2",
                                             "An invalid Atomic Response is surfaced as an error at the requester.");
constinit const Rule kAfterDelivery =
    rule("RDMAPX-5.4-3", Level::must_not, "RFC 7306 5.4", "An Atomic Request is not processed before it is delivered.",
         "One with a bad CRC is never answered");
constinit const Rule kAfterWrites =
    rule("RDMAPX-5.4-5", Level::must, "RFC 7306 5.4",
         "A response is processed after its request, and all that came before it, has been delivered.",
         "A Write to the word before the operation shows in the returned value");
constinit const Rule kImmediateError =
    rule("RDMAPX-6.1-2", Level::must, "RFC 7306 6.1",
         "Immediate Data that completes in error at its receiver is answered by a Terminate.", "A-37");
constinit const Rule kImmediateChecked = rule("RDMAPX-6.3-7", Level::must, "RFC 7306 6.3",
                                              "The receiver checks that there are exactly eight octets.", "A-37");
constinit const Rule kAtomicAtomic =
    rule("RDMAPX-7-9", Level::must, "RFC 7306 7",
         "Atomic, then Atomic: the second is processed after the first response has been generated.");
constinit const Rule kWriteAtomic =
    rule("RDMAPX-7-11", Level::must, "RFC 7306 7", "Write, then Atomic: the operation finds what was written.");
constinit const Rule kOnIncoming =
    rule("RDMAPX-8.1-2", Level::must, "RFC 7306 8.1", "An error on one of these messages sends a Terminate.");
constinit const Rule kContents =
    rule("RDMAPX-8.1-3", Level::must, "RFC 7306 8.1",
         "The Terminate for one of these messages has type, code and terminated DDP header, no RDMA header.", "A-36");
constinit const Rule kFields =
    rule("RDMAPX-8.2-1", Level::must, "RFC 7306 8.2", "DDP validates all fields of the segments of these messages.");
constinit const Rule kOpcode = rule("RDMAPX-8.2-2", Level::must, "RFC 7306 8.2",
                                    "The opcode is validated: where it is not known it is answered by 0/2/06.",
                                    "A-10, A-21: so answers a receiver that does not know these messages");
constinit const Rule kVersion =
    rule("RDMAPX-8.2-3", Level::must, "RFC 7306 8.2", "The RDMAP version of these messages is validated.");
constinit const Rule kAlignment =
    rule("RDMAPX-8.2-4", Level::must, "RFC 7306 8.2", "That the target of an Atomic Request is aligned is validated.");
constinit const Rule kAlignmentCode = rule("RDMAPX-8.2-5", Level::must, "RFC 7306 8.2",
                                           "A target that is not aligned is answered by a Terminate with 0/2/07.");

constexpr const Rule* kRules[] = {&kInvalidateStagIgnored,
                                  &kBothOperations,
                                  &kFetchAddError,
                                  &kFetchAddNoChange,
                                  &kFetchAddTerminate,
                                  &kFetchAddWhole,
                                  &kFetchAddFields,
                                  &kFetchAddOriginal,
                                  &kCmpSwapMatch,
                                  &kCmpSwapMismatch,
                                  &kCmpSwapOriginal,
                                  &kCmpSwapNotDone,
                                  &kCmpSwapError,
                                  &kCmpSwapTerminate,
                                  &kReservedIgnored,
                                  &kOpcodesImplemented,
                                  &kCompareIgnored,
                                  &kUnsupported,
                                  &kProcessedInOrder,
                                  &kAnswered,
                                  &kInvalidResponse,
                                  &kAfterDelivery,
                                  &kAfterWrites,
                                  &kImmediateError,
                                  &kImmediateChecked,
                                  &kAtomicAtomic,
                                  &kWriteAtomic,
                                  &kOnIncoming,
                                  &kContents,
                                  &kFields,
                                  &kOpcode,
                                  &kVersion,
                                  &kAlignment,
                                  &kAlignmentCode};

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

// --- what the cases do

bool declares(Probe& probe) {
  if (probe.run().declares(kExtensions)) return true;
  probe.skip("the IUT does not declare RFC 7306 (--feature rfc7306)");
  return false;
}

// A buffer for Atomic Operations; the case is skipped without one.
template <class Peer>
std::optional<TargetBuffer> word_of(Peer& peer) {
  if (!peer.ok() || !declares(peer)) return std::nullopt;
  return need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be read and written");
}

AtomicRequest fetch_add_of(const TargetBuffer& at, std::uint64_t add, std::uint64_t mask = 0) {
  return {.reserved_and_opcode = kFetchAdd,
          .request_identifier = 0x0badd00d,
          .stag = at.stag,
          .to = at.to,
          .data = add,
          .data_mask = mask,
          .compare_mask = kAllOnes};
}
AtomicRequest cmp_swap_of(const TargetBuffer& at, std::uint64_t swap, std::uint64_t swap_mask, std::uint64_t compare,
                          std::uint64_t compare_mask) {
  return {.reserved_and_opcode = kCmpSwap,
          .request_identifier = 0x5a9,
          .stag = at.stag,
          .to = at.to,
          .data = swap,
          .data_mask = swap_mask,
          .compare = compare,
          .compare_mask = compare_mask};
}

OctetBuffer send_atomic(Probe& probe, const AtomicRequest& request, const Probe::HeaderEdit& edit = {},
                        const Probe::Faults& faults = {}) {
  ddp::Header header = probe.untagged(Opcode::atomic_request);
  if (edit) edit(header);
  OctetBuffer payload;
  encode(request, payload);
  OctetBuffer ulpdu = Probe::ulpdu_of(header, payload);
  probe.send_fpdu(ulpdu, faults);
  probe.message_sent(kReadRequestQueue);
  return ulpdu;
}
OctetBuffer send_immediate(Probe& probe, std::size_t octets, const Probe::HeaderEdit& edit = {}) {
  ddp::Header header = probe.untagged(Opcode::immediate_data);
  if (edit) edit(header);
  OctetBuffer ulpdu = Probe::ulpdu_of(header, data_of(octets));
  probe.send_fpdu(ulpdu);
  probe.message_sent(kSendQueue);
  return ulpdu;
}

// The Atomic Response, or what came in its place.
Response await_response(Probe& probe) {
  return probe.await(probe.in(probe.run().answer_time()), [](const Response& answer) {
    return answer.is(Opcode::atomic_response) || answer.is(Opcode::terminate);
  });
}
std::optional<AtomicResponse> response_in(const Response& answer) {
  return answer.is(Opcode::atomic_response) ? decode_atomic_response(answer.segment()->payload) : std::nullopt;
}

// Does an operation, whose answer must be `original`.
void expect_original(Probe& probe, const Rule& rule, const AtomicRequest& request, std::uint64_t original,
                     std::string_view explanation) {
  send_atomic(probe, request);
  const Response answer = await_response(probe);
  const auto response = response_in(answer);
  if (!probe.ok()) return;
  probe.require(rule, response && response->original_value == original, fmt::format("0x{:016x}", original),
                response ? fmt::format("0x{:016x}", response->original_value) : to_text(answer), explanation);
}
void set_word(Probe& probe, const TargetBuffer& at, std::uint64_t value) {
  OctetBuffer octets;
  encode(AtomicResponse{.original_value = value}, octets);
  probe.write(Octets(octets).subspan(layout::kOriginalValue), at.stag, at.to);
}
// The word as an operation finds it that changes nothing: the byte order of the IUT's memory is its own.
void expect_word(Probe& probe, const Rule& rule, const TargetBuffer& at, std::uint64_t value,
                 std::string_view explanation) {
  expect_original(probe, rule, fetch_add_of(at, 0), value, explanation);
}

// A request that is at fault, and the Terminate that comes of it.
Response expect_terminate(Probe& probe, const Rule& rule, Outcomes outcomes, std::string_view explanation) {
  const Response answer = probe.await(probe.in(probe.run().answer_time()), [](const Response& one) {
    return one.is(Opcode::terminate) || one.is(Opcode::atomic_response) || one.is(Response::Kind::unreadable);
  });
  probe.judge(rule, answer, outcomes, explanation);
  return answer;
}

// --- the cases

template <class Peer>
void refuses(Peer& peer, Opcode opcode, std::size_t octets) {
  if (!peer.ok()) return;
  if (peer.run().declares(kExtensions)) return peer.skip("the IUT declares RFC 7306");
  const OctetBuffer ulpdu = Probe::ulpdu_of(peer.untagged(opcode), data_of(octets));
  peer.send_fpdu(ulpdu);
  const Response answer = await_terminate(peer);
  // Without the extensions there is no queue 3, on which an Atomic Response comes.
  Outcome no_queue = terminates(error::kDdpInvalidQn);
  if (opcode != Opcode::atomic_response) no_queue = noted(no_queue);
  if (!peer.judge(kOpcode, answer, {terminates(error::kUnexpectedOpcode), no_queue, noted(closes())},
                  "RFC 7306 is not declared"))
    return;
  judge_carried(peer, kOpcode, answer, ulpdu, Fault::Carries::ddp_header);
}

void add_undeclared(std::vector<Case>& cases) {
  add_both(cases, {"rdmapx/responder-refuses-immediate-data", "rdmapx/initiator-refuses-immediate-data"}, {&kOpcode},
           "Immediate Data is refused by a peer that does not declare it.", Service::none,
           [](auto& peer) { refuses(peer, Opcode::immediate_data, 8); });
  add_both(cases,
           {"rdmapx/responder-refuses-immediate-data-with-se", "rdmapx/initiator-refuses-immediate-data-with-se"},
           {&kOpcode}, "Immediate Data with SE is refused by a peer that does not declare it.", Service::none,
           [](auto& peer) { refuses(peer, Opcode::immediate_data_se, 8); });
  add_both(cases, {"rdmapx/responder-refuses-atomic-requests", "rdmapx/initiator-refuses-atomic-requests"}, {&kOpcode},
           "An Atomic Request is refused by a peer that does not declare it.", Service::none,
           [](auto& peer) { refuses(peer, Opcode::atomic_request, layout::kAtomicRequest); });
  add_both(cases, {"rdmapx/responder-refuses-atomic-responses", "rdmapx/initiator-refuses-atomic-responses"},
           {&kOpcode}, "An Atomic Response is refused by a peer that does not declare it.", Service::none,
           [](auto& peer) { refuses(peer, Opcode::atomic_response, layout::kAtomicResponse); });
}

void add_fetch_add(std::vector<Case>& cases) {
  add_both(
      cases, {"rdmapx/responder-adds", "rdmapx/initiator-adds"},
      {&kBothOperations, &kAnswered, &kFetchAddOriginal, &kFetchAddWhole, &kOpcodesImplemented},
      "FetchAdd with a mask of zero adds 64 bits, carries and all, and returns what was there.", Service::none,
      [](auto& peer) {
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
      });
  add_both(cases, {"rdmapx/responder-adds-field-by-field", "rdmapx/initiator-adds-field-by-field"}, {&kFetchAddFields},
           "FetchAdd with a mask adds each field by itself.", Service::none, [](auto& peer) {
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
           });
  add_both(cases, {"rdmapx/responder-passes-over-reserved-bits", "rdmapx/initiator-passes-over-reserved-bits"},
           {&kReservedIgnored, &kCompareIgnored, &kInvalidateStagIgnored},
           "Reserved bits, Invalidate STag, and what a FetchAdd says of comparing make no difference.", Service::none,
           [](auto& peer) {
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
           });
  add_both(cases, {"rdmapx/responder-works-in-order", "rdmapx/initiator-works-in-order"},
           {&kProcessedInOrder, &kAtomicAtomic, &kAfterWrites, &kWriteAtomic},
           "A Write and several operations on one word, sent at once, find what the one before has left.",
           Service::none, [](auto& peer) {
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
           });
}

void add_cmp_swap(std::vector<Case>& cases) {
  add_both(cases, {"rdmapx/responder-compares-and-swaps", "rdmapx/initiator-compares-and-swaps"},
           {&kCmpSwapMatch, &kCmpSwapMismatch, &kCmpSwapOriginal},
           "CmpSwap compares the bits of one mask and swaps those of the other.", Service::none, [](auto& peer) {
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
           });
}

void add_refusals(std::vector<Case>& cases) {
  add_both(cases, {"rdmapx/responder-refuses-odd-adds", "rdmapx/initiator-refuses-odd-adds"},
           {&kFetchAddNoChange, &kFetchAddTerminate, &kFetchAddError, &kAlignment, &kAlignmentCode, &kOnIncoming,
            &kContents},
           "A FetchAdd at an address that is not aligned is refused by 0/2/07.", Service::none, [](auto& peer) {
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
           });
  add_both(cases, {"rdmapx/responder-refuses-odd-swaps", "rdmapx/initiator-refuses-odd-swaps"},
           {&kCmpSwapNotDone, &kCmpSwapTerminate, &kCmpSwapError, &kAlignmentCode},
           "A CmpSwap at an address that is not aligned is refused by 0/2/07.", Service::none, [](auto& peer) {
             auto at = word_of(peer);
             if (!at) return;
             at->to += 4;
             send_atomic(peer, cmp_swap_of(*at, 1, kAllOnes, 0, 0));
             const Response answer = await_response(peer);
             constexpr std::string_view kWhy = "the address is four more than that of the buffer";
             peer.require(kCmpSwapNotDone, !answer.is(Opcode::atomic_response), "no Atomic Response", to_text(answer),
                          kWhy);
             peer.judge(kCmpSwapTerminate, answer, {terminates()}, kWhy);
             peer.judge(kAlignmentCode, answer, {terminates(error::kCatastrophicStream)}, kWhy);
             expect_end(peer, kCmpSwapError, kWhy);
           });
  add_both(cases, {"rdmapx/responder-refuses-unknown-operations", "rdmapx/initiator-refuses-unknown-operations"},
           {&kUnsupported}, "AOpCode 9 is refused.", Service::none, [](auto& peer) {
             const auto at = word_of(peer);
             if (!at) return;
             AtomicRequest request = fetch_add_of(*at, 1);
             request.reserved_and_opcode = 9;
             send_atomic(peer, request);
             expect_terminate(peer, kUnsupported,
                              {terminates(error::kUnexpectedOpcode), terminates(error::kCatastrophicStream),
                               terminates(error::kOperationUnspecified), noted(closes())},
                              "AOpCode 9");
           });
  add_both(cases, {"rdmapx/responder-refuses-foreign-words", "rdmapx/initiator-refuses-foreign-words"},
           {&kFields, &kOnIncoming}, "A FetchAdd on an STag that nobody has offered is refused.", Service::none,
           [](auto& peer) {
             if (!peer.ok() || !declares(peer)) return;
             send_atomic(peer, fetch_add_of({.stag = kNobodysStag}, 1));
             expect_terminate(
                 peer, kOnIncoming,
                 {terminates(error::kInvalidStag), terminates(error::kBaseOrBounds), terminates(error::kAccessRights),
                  terminates(error::kStagNotAssociated), noted(terminates()), noted(closes())},
                 "an STag that nobody has offered");
           });
  add_both(cases, {"rdmapx/responder-refuses-a-queue-of-atomics", "rdmapx/initiator-refuses-a-queue-of-atomics"},
           {&kFields}, "An Atomic Request on queue 0 is refused.", Service::none, [](auto& peer) {
             const auto at = word_of(peer);
             if (!at) return;
             const std::uint32_t msn = peer.untagged(Opcode::send).msn;
             send_atomic(peer, fetch_add_of(*at, 1), [msn](ddp::Header& h) { h.qn = kSendQueue, h.msn = msn; });
             expect_terminate(peer, kFields,
                              {terminates(error::kUnexpectedOpcode), terminates(error::kDdpInvalidQn), noted(closes())},
                              "an Atomic Request on queue 0");
           });
  add_both(cases, {"rdmapx/responder-refuses-a-version-of-atomics", "rdmapx/initiator-refuses-a-version-of-atomics"},
           {&kVersion}, "An Atomic Request of RDMAP version 2 is refused.", Service::none, [](auto& peer) {
             const auto at = word_of(peer);
             if (!at) return;
             send_atomic(peer, fetch_add_of(*at, 1),
                         [](ddp::Header& h) { h.rsvd_ulp = encode_control({.version = 2, .opcode = 10}); });
             expect_terminate(peer, kVersion, {terminates(error::kInvalidVersion), noted(closes())}, "RDMAP version 2");
           });
  add_both(cases, {"rdmapx/responder-refuses-unasked-responses", "rdmapx/initiator-refuses-unasked-responses"},
           {&kInvalidResponse}, "An Atomic Response that nobody has asked for is refused.", Service::none,
           [](auto& peer) {
             if (!peer.ok() || !declares(peer)) return;
             OctetBuffer payload;
             encode(AtomicResponse{.request_identifier = 5}, payload);
             peer.send_segment(peer.untagged(Opcode::atomic_response), payload);
             const Response answer = await_terminate(peer);
             peer.judge(kInvalidResponse, answer, {terminates(), closes()}, "nobody has asked for it");
           });
  add_both(cases, {"rdmapx/responder-drops-atomics-with-bad-crcs", "rdmapx/initiator-drops-atomics-with-bad-crcs"},
           {&kAfterDelivery}, "An Atomic Request with a bad CRC is not answered.", Service::none, [](auto& peer) {
             const auto at = word_of(peer);
             if (!at) return;
             send_atomic(peer, fetch_add_of(*at, 1), {}, {.crc_xor = 1});
             const Response answer = await_response(peer);
             peer.require(kAfterDelivery, !answer.is(Opcode::atomic_response), "no Atomic Response", to_text(answer),
                          "its CRC does not hold");
           });
}

template <class Peer>
void refuses_size(Peer& peer, std::size_t octets) {
  if (!peer.ok() || !declares(peer)) return;
  const OctetBuffer ulpdu = send_immediate(peer, octets);
  const Response answer = await_terminate(peer);
  const Outcomes outcomes = {terminates(error::kUnexpectedOpcode), terminates(error::kCatastrophicStream),
                             terminates(error::kOperationUnspecified), noted(terminates())};
  if (!peer.judge(kImmediateChecked, answer, {terminates(), closes()}, "not eight octets")) return;
  if (!peer.judge(kImmediateError, answer, outcomes, "not eight octets")) return;
  judge_carried(peer, kContents, answer, ulpdu, Fault::Carries::ddp_header);
}

void add_immediate(std::vector<Case>& cases) {
  add_both(cases, {"rdmapx/responder-refuses-short-immediate-data", "rdmapx/initiator-refuses-short-immediate-data"},
           {&kImmediateChecked, &kImmediateError, &kContents}, "Immediate Data of seven octets is refused.",
           Service::none, [](auto& peer) { refuses_size(peer, 7); });
  add_both(cases, {"rdmapx/responder-refuses-long-immediate-data", "rdmapx/initiator-refuses-long-immediate-data"},
           {&kImmediateChecked, &kImmediateError, &kContents}, "Immediate Data of nine octets is refused.",
           Service::none, [](auto& peer) { refuses_size(peer, 9); });
  cases.push_back(
      {.id = "rdmapx/responder-takes-immediate-data",
       .iut = wirelaw::Role::responder,
       .rules = {&kInvalidateStagIgnored},
       .purpose = "Immediate Data is taken, whatever its Invalidate STag says; Sends are served before and behind it.",
       .needs = Service::echo,
       .run = with<ReadyResponder>([](auto& peer) {
         if (!peer.ok() || !declares(peer)) return;
         peer.expect_goes_on(kInvalidateStagIgnored, "before");
         send_immediate(peer, 8, [](ddp::Header& h) { h.rsvd_ulp_rest = kNobodysStag; });
         peer.expect_goes_on(kInvalidateStagIgnored, "Immediate Data with an Invalidate STag came before");
       })});
}

}  // namespace

SectionCases extension_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    add_undeclared(cases);
    add_fetch_add(cases);
    add_cmp_swap(cases);
    add_refusals(cases);
    add_immediate(cases);
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
