// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct AtomicRules : Words {
  static constexpr std::string_view k3_3Table3_13 = "EFA RDM v4 3.3, table 3.13";
  static constexpr std::string_view k3_3Table3_14 = "EFA RDM v4 3.3, table 3.14";
  static constexpr std::string_view kSection = "EFA RDM v4 3.3";
  static constexpr std::string_view k3_3Table3_15 = "EFA RDM v4 3.3, table 3.15";
  static constexpr std::string_view k3_3EfaRmaIov = "EFA RDM v4 3.3, efa_rma_iov";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.3-100", must, requester, k3_3Table3_13, trace, octets,
       "A requester sends only an atomic_datatype that fi_atomic defines.",
       "EFA/A-30: fi_atomic defines 0 to 13. Later releases may define more, up to 63, which is a warning",
       {atomic_type_undefined}},
      {"EFA-3.3-101", must, requester, k3_3Table3_13, trace, octets,
       "A requester sends only an atomic_op that fi_atomic defines.",
       "EFA/A-30: fi_atomic defines 0 to 18. 19 came later and is a warning", {atomic_op_undefined}},
      {"EFA-3.3-102", must, requester, k3_3Table3_13, trace, octets,
       "A requester sends in a WRITE_RTA only an atomic_op of fi_atomic, which neither reads nor compares.",
       "EFA/A-30; also for DC_WRITE_RTA", {atomic_op_of_other_call}},
      {"EFA-3.3-103", must, requester, k3_3Table3_14, trace, octets,
       "A requester sends in a FETCH_RTA only an atomic_op of fi_fetch_atomic, which does not compare.", "EFA/A-30",
       {atomic_op_of_other_call}},
      {"EFA-3.3-104", must, requester, k3_3Table3_14, trace, octets,
       "A requester sends in a COMPARE_RTA only an atomic_op of fi_compare_atomic, which is a swap.", "EFA/A-30",
       {atomic_op_of_other_call}},
      {"EFA-3.3-105", must, requester, kSection, trace, octets,
       "A requester sends only an operation that its datatype supports: bitwise for integers, ordering for real "
       "numbers.", "EFA/A-30"},
      {"EFA-3.3-106", must, requester, k3_3Table3_13, trace, octets,
       "A WRITE_RTA contains one operand for every value of its buffers.", "EFA/A-29; also for DC_WRITE_RTA",
       {connid_padded, atomic_operand_short}},
      {"EFA-3.3-107", must, requester, k3_3Table3_14, trace, octets,
       "A FETCH_RTA contains one operand for every value of its buffers, and may contain none for a read.",
       "EFA/A-29, EFA/A-30", {connid_padded, atomic_operand_short}},
      {"EFA-3.3-108", must, requester, k3_3Table3_14, trace, octets,
       "A COMPARE_RTA contains two segments, `buf` and `compare`, each as long as its buffers.", "EFA/A-29, EFA/A-30",
       {connid_padded, atomic_operand_short}},
      {"EFA-3.3-109", must, requester, kSection, trace, octets,
       "A requester sends an atomic only on buffers that contain whole values of its datatype.",
       "Not judged for long double, whose size depends on the machine"},
      {"EFA-3.3-110", must, requester, k3_3Table3_14, trace, absence,
       "A requester does not reuse in a FETCH_RTA or COMPARE_RTA the recv_id of an atomic that still waits for its "
       "answer.", "EFA/A-73"},
      {"EFA-3.3-111", must, requester, kSection, trace, absence,
       "A requester does not reuse in a DC_WRITE_RTA the send_id of an operation that still waits for the peer.",
       "EFA/A-05"},
      {"EFA-3.3-241", must, responder, k3_3Table3_13, stimulus, octets,
       "A responder changes the memory by the operation of a WRITE_RTA.", "EFA/A-30", {atomic_done_twice}},
      {"EFA-3.3-242", must, responder, k3_3Table3_14, stimulus, octets,
       "A responder changes the memory by the operation of a FETCH_RTA.", "EFA/A-30", {atomic_done_twice}},
      {"EFA-3.3-243", must, responder, k3_3Table3_15, stimulus, octets,
       "A responder answers a FETCH_RTA by an ATOMRSP with the values from before the operation.", {},
       {duplicates_delivered, atomic_wrong_result, atomics_repeated}},
      {"EFA-3.3-244", must, responder, k3_3Table3_14, stimulus, octets,
       "A responder changes the memory by the operation of a COMPARE_RTA, whose data is `buf` followed by `compare`.",
       "EFA/A-30", {atomic_compare_first}},
      {"EFA-3.3-245", must, responder, k3_3Table3_15, stimulus, octets,
       "A responder answers a COMPARE_RTA by an ATOMRSP with the values from before the operation.", {},
       {atomic_wrong_result}},
      {"EFA-3.3-246", must, responder, k3_3Table3_14, stimulus, octets,
       "A responder returns the values for FI_ATOMIC_READ, with or without operands.", "EFA/A-30",
       {atomic_read_needs_operand}},
      {"EFA-3.3-247", should, responder, k3_3Table3_13, stimulus, octets,
       "A responder executes atomics in the order of their msg_id, together with messages.",
       "EFA/A-19: they share one sequence. Ordered atomics are the application's choice, so a violation is a warning",
       {{atomics_in_arrival_order, warning}}},
      {"EFA-3.3-248", must, responder, k3_3Table3_13, stimulus, octets,
       "A responder does not execute an atomic again if its packet is repeated.", {},
       {duplicates_delivered, atomics_repeated}},
      {"EFA-3.3-249", must, responder, k3_3Table3_13, stimulus, octets,
       "A responder changes nothing and keeps working after an operation or datatype that is undefined or does not "
       "belong to the call.", "EFA/A-30", {atomic_undefined_done, dies_of_contradiction}},
      {"EFA-3.3-250", must, responder, k3_3Table3_14, stimulus, octets,
       "After an atomic whose operands are shorter or longer than its buffers, a responder changes nothing beyond the "
       "buffers and keeps working.", {}, {atomic_operands_beyond, dies_of_contradiction}},
      {"EFA-3.3-251", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "A responder changes nothing and keeps working after an atomic on memory that is not registered under its key.",
       {}, {dies_of_bad_key}},
      {"EFA-3.3-252", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "A responder applies the operands of an atomic to its buffers in the order of rma_iov.", {},
       {atomic_wrong_result}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::AtomicRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::AtomicRules, I> {
};
