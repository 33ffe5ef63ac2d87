// SPDX-License-Identifier: Apache-2.0
// RFC 7306: Atomic Operations and Immediate Data, with an IUT that declares them and with one that does not. Refused
// operations are in refusal_cases.cc.
#include "conformance/rdmap/observer.h"
#include "conformance/rdmap/rdmapx/4-header-extensions/rules.h"
#include "conformance/rdmap/rdmapx/5.1-operations/rules.h"
#include "conformance/rdmap/rdmapx/5.2-messages/rules.h"
#include "conformance/rdmap/rdmapx/5.4-completion/rules.h"
#include "conformance/rdmap/rdmapx/7-ordering/rules.h"
#include "conformance/rdmap/rdmapx/8.2-remote-errors/rules.h"
#include "conformance/rdmap/rdmapx/extension_cases.h"

namespace wirelaw::rdmap {
namespace {

// --- the cases

template <class Peer>
void refuses(Peer& peer, Opcode opcode, std::size_t octets) {
  if (!peer.ok()) return;
  if (peer.run().declares(kExtensions)) return peer.skip("the IUT declares RFC 7306");
  const OctetBuffer ulpdu = Probe::ulpdu_of(peer.untagged(opcode), sample_octets(octets));
  peer.send_fpdu(ulpdu);
  const Response answer = await_terminate(peer);
  // Without the extensions there is no queue 3, on which an Atomic Response comes (RDMAP/A-09).
  Outcome no_queue = terminates(error::kDdpInvalidQn);
  if (opcode != Opcode::atomic_response) no_queue = noted(no_queue);
  if (!peer.judge(rule<"RDMAPX-8.2-2">, answer, {terminates(error::kUnexpectedOpcode), no_queue, noted(closes())},
                  "RFC 7306 is not declared"))
    return;
  judge_carried(peer, rule<"RDMAPX-8.2-2">, answer, ulpdu, Fault::Carries::ddp_header);
}

const CaseRow kUndeclared[] = {
    {"rdmapx/{}-refuses-immediate-data",
     {&rule<"RDMAPX-8.2-2">},
     "The IUT refuses Immediate Data if it does not declare RFC 7306.",
     with_each([](auto& peer) { refuses(peer, Opcode::immediate_data, 8); })},
    {"rdmapx/{}-refuses-immediate-data-with-se",
     {&rule<"RDMAPX-8.2-2">},
     "The IUT refuses Immediate Data with SE if it does not declare RFC 7306.",
     with_each([](auto& peer) { refuses(peer, Opcode::immediate_data_se, 8); })},
    {"rdmapx/{}-refuses-atomic-requests",
     {&rule<"RDMAPX-8.2-2">},
     "The IUT refuses an Atomic Request if it does not declare RFC 7306.",
     with_each([](auto& peer) { refuses(peer, Opcode::atomic_request, layout::kAtomicRequest); })},
    {"rdmapx/{}-refuses-atomic-responses",
     {&rule<"RDMAPX-8.2-2">},
     "The IUT refuses an Atomic Response if it does not declare RFC 7306.",
     with_each([](auto& peer) { refuses(peer, Opcode::atomic_response, layout::kAtomicResponse); })},
};

const CaseRow kFetchAddCases[] = {
    {"rdmapx/{}-adds",
     {&rule<"RDMAPX-5-2">, &rule<"RDMAPX-5.2.1-18">, &rule<"RDMAPX-5.1.1-7">, &rule<"RDMAPX-5.1.1-5">,
      &rule<"RDMAPX-5.2.1-4">},
     "The IUT adds all 64 bits, with carries, for a FetchAdd with a mask of zero, and returns the original value.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       set_word(peer, *at, 0);
       expect_original(peer, rule<"RDMAPX-5.2.1-18">, fetch_add_of(*at, 0xffffffff), 0,
                       "the first operation on a word of zero");
       expect_original(peer, rule<"RDMAPX-5.1.1-7">, fetch_add_of(*at, 1), 0xffffffff, "0xffffffff was added to 0");
       expect_original(peer, rule<"RDMAPX-5.1.1-5">, fetch_add_of(*at, kAllOnes), 0x100000000,
                       "1 was added to 0xffffffff");
       expect_word(peer, rule<"RDMAPX-5.1.1-5">, *at, 0xffffffff, "2^64 - 1 was added: the sum wraps");
       expect_original(peer, rule<"RDMAPX-5.2.1-4">, fetch_add_of(*at, 0), 0xffffffff, "FetchAdd");
       expect_original(peer, rule<"RDMAPX-5-2">, cmp_swap_of(*at, 7, kAllOnes, 0xffffffff, kAllOnes), 0xffffffff,
                       "CmpSwap");
     })},
    {"rdmapx/{}-adds-field-by-field",
     {&rule<"RDMAPX-5.1.1-6">},
     "The IUT adds each field separately for a FetchAdd with a mask.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       set_word(peer, *at, 0);
       // Fields of 8, 24 and 32 bits.
       constexpr std::uint64_t kMask = 0x8000000080000080;
       expect_original(peer, rule<"RDMAPX-5.1.1-6">, fetch_add_of(*at, 0xffffffffffffffff, kMask), 0,
                       "all fields at their largest value");
       expect_original(peer, rule<"RDMAPX-5.1.1-6">, fetch_add_of(*at, 0x0000000000000101, kMask), kAllOnes,
                       "every field was 0");
       expect_word(peer, rule<"RDMAPX-5.1.1-6">, *at, 0xffffffff00000000,
                   "1 was added to the two lower fields: the carry out of each is dropped");
     })},
    {"rdmapx/{}-passes-over-reserved-bits",
     {&rule<"RDMAPX-5.2.1-2">, &rule<"RDMAPX-5.2.1-9">, &rule<"RDMAPX-4.1-4">},
     "The IUT ignores reserved bits, Invalidate STag, and the compare fields of a FetchAdd.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       set_word(peer, *at, 0);
       AtomicRequest request = fetch_add_of(*at, 1);
       request.reserved_and_opcode |= 0xfffffff0;
       expect_original(peer, rule<"RDMAPX-5.2.1-2">, request, 0, "all reserved bits were set");
       request = fetch_add_of(*at, 1);
       request.compare = 0x1234;
       request.compare_mask = 0;
       expect_original(peer, rule<"RDMAPX-5.2.1-9">, request, 1,
                       "Compare Data and Compare Mask do not apply to a FetchAdd");
       send_atomic(peer, fetch_add_of(*at, 1), [](ddp::Header& h) { h.rsvd_ulp_rest = kNobodysStag; });
       const Response answer = await_response(peer);
       const auto response = response_in(answer);
       if (peer.ok())
         peer.require(rule<"RDMAPX-4.1-4">, response && response->original_value == 2, "the value 2",
                      response ? fmt::format("{}", response->original_value) : to_text(answer),
                      "Invalidate STag was set");
     })},
    {"rdmapx/{}-works-in-order",
     {&rule<"RDMAPX-5.2.1-17">, &rule<"RDMAPX-7-9">, &rule<"RDMAPX-5.4-5">, &rule<"RDMAPX-7-11">},
     "The IUT executes a Write and several operations on one word, sent together, each on the result of the one "
     "before.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       set_word(peer, *at, 0);
       expect_original(peer, rule<"RDMAPX-5.4-5">, fetch_add_of(*at, 3), 0, "a Write of zero came before");
       set_word(peer, *at, 0x10);
       // The order of octets in the IUT's memory is not known; 0x10 in one octet is in one octet still.
       send_atomic(peer, fetch_add_of(*at, 0));
       const Response written = await_response(peer);
       const auto value = response_in(written);
       if (!peer.ok()) return;
       if (!peer.require(rule<"RDMAPX-7-11">, value && value->original_value != 3, "the written value",
                         value ? fmt::format("0x{:016x}", value->original_value) : to_text(written),
                         "a Write came before the operation"))
         return;
       for (std::uint64_t i = 0; i < 2; ++i) {
         expect_original(peer, i == 0 ? rule<"RDMAPX-5.2.1-17"> : rule<"RDMAPX-7-9">, fetch_add_of(*at, 1),
                         value->original_value + i, "one more than before");
       }
     })},
};

const CaseRow kCmpSwapCases[] = {
    {"rdmapx/{}-compares-and-swaps",
     {&rule<"RDMAPX-5.1.2-2">, &rule<"RDMAPX-5.1.2-3">, &rule<"RDMAPX-5.1.2-4">},
     "The IUT compares the bits of one mask and swaps those of the other for a CmpSwap.",
     with_each([](auto& peer) {
       const auto at = word_of(peer);
       if (!at) return;
       set_word(peer, *at, 0);
       expect_original(peer, rule<"RDMAPX-5.1.2-4">, cmp_swap_of(*at, 0x1122334455667788, kAllOnes, 0, kAllOnes), 0,
                       "a word of zero");
       expect_original(peer, rule<"RDMAPX-5.1.2-2">, cmp_swap_of(*at, 0xffffffffffffffff, 0xff00, 0x88, 0xff),
                       0x1122334455667788, "the word was swapped");
       expect_original(peer, rule<"RDMAPX-5.1.2-4">, cmp_swap_of(*at, 0, kAllOnes, 0x99, 0xff), 0x112233445566ff88,
                       "the second octet was swapped, where the first was 0x88");
       expect_word(peer, rule<"RDMAPX-5.1.2-3">, *at, 0x112233445566ff88, "the first octet was not 0x99");
     })},
};

// Immediate Data gives an echoing application no octets. It may answer with an empty Send.
void expect_echo_past_empty(ReadyResponder& responder, const Rule& rule, std::string_view explanation) {
  const OctetBuffer data = responder.good_data();
  responder.stimulates_own_rule();
  responder.send(data);
  if (!responder.ok()) return;
  auto echo = responder.next_send();
  if (echo && echo->empty()) echo = responder.next_send();
  responder.require_echo(rule, echo, data, explanation);
}

const CaseRow kImmediate[] = {
    {"rdmapx/responder-takes-immediate-data",
     {&rule<"RDMAPX-4.1-4">},
     "The IUT accepts Immediate Data whatever its Invalidate STag, and serves Sends before and after it.",
     with<ReadyResponder>([](auto& responder) {
       if (!responder.ok() || !declares_extensions(responder)) return;
       responder.expect_goes_on(rule<"RDMAPX-4.1-4">, "before");
       send_immediate(responder, 8, [](ddp::Header& h) { h.rsvd_ulp_rest = kNobodysStag; });
       expect_echo_past_empty(responder, rule<"RDMAPX-4.1-4">, "Immediate Data with an Invalidate STag came before");
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> extension_cases() {
  return cases_of_tables({kUndeclared, kFetchAddCases, kCmpSwapCases, kImmediate});
}

}  // namespace wirelaw::rdmap
