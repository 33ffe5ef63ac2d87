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
       "atomic_datatype is one that fi_atomic defines.",
       "EFA/A-30: 0 to 13 are; up to 63 later releases may have more, which is warned of", {atomic_type_undefined}},
      {"EFA-3.3-101", must, requester, k3_3Table3_13, trace, octets,
       "atomic_op is one that fi_atomic defines.", "EFA/A-30: 0 to 18 are; 19 came later and is warned of",
       {atomic_op_undefined}},
      {"EFA-3.3-102", must, requester, k3_3Table3_13, trace, octets,
       "atomic_op of a WRITE_RTA is one of fi_atomic: neither a read nor one that compares.",
       "EFA/A-30; DC_WRITE_RTA alike", {atomic_op_of_other_call}},
      {"EFA-3.3-103", must, requester, k3_3Table3_14, trace, octets,
       "atomic_op of a FETCH_RTA is one of fi_fetch_atomic: not one that compares.", "EFA/A-30",
       {atomic_op_of_other_call}},
      {"EFA-3.3-104", must, requester, k3_3Table3_14, trace, octets,
       "atomic_op of a COMPARE_RTA is one of fi_compare_atomic: a swap.", "EFA/A-30", {atomic_op_of_other_call}},
      {"EFA-3.3-105", must, requester, kSection, trace, octets,
       "The operation is defined for the datatype: bits of integers only, order of real numbers only.", "EFA/A-30"},
      {"EFA-3.3-106", must, requester, k3_3Table3_13, trace, octets,
       "A WRITE_RTA carries one operand for every value of its buffers.", "EFA/A-29; DC_WRITE_RTA alike",
       {connid_padded, atomic_operand_short}},
      {"EFA-3.3-107", must, requester, k3_3Table3_14, trace, octets,
       "A FETCH_RTA carries one operand for every value of its buffers; none is needed to read.",
       "EFA/A-29, EFA/A-30", {connid_padded, atomic_operand_short}},
      {"EFA-3.3-108", must, requester, k3_3Table3_14, trace, octets,
       "A COMPARE_RTA carries two segments, `buf` and `compare`, each as long as its buffers.", "EFA/A-29, EFA/A-30",
       {connid_padded, atomic_operand_short}},
      {"EFA-3.3-109", must, requester, kSection, trace, octets,
       "Every buffer of an atomic holds whole values of its datatype.",
       "Not judged of long double, whose size is the machine's"},
      {"EFA-3.3-110", must, requester, k3_3Table3_14, trace, absence,
       "recv_id of a FETCH_RTA or COMPARE_RTA names no atomic of the requester still without answer.", "EFA/A-73"},
      {"EFA-3.3-111", must, requester, kSection, trace, absence,
       "send_id of a DC_WRITE_RTA names no operation of the requester that still waits for its peer.", "EFA/A-05"},
      {"EFA-3.3-241", must, responder, k3_3Table3_13, stimulus, octets,
       "A WRITE_RTA changes the memory by its operation.", "EFA/A-30", {atomic_done_twice}},
      {"EFA-3.3-242", must, responder, k3_3Table3_14, stimulus, octets,
       "A FETCH_RTA changes the memory by its operation.", "EFA/A-30", {atomic_done_twice}},
      {"EFA-3.3-243", must, responder, k3_3Table3_15, stimulus, octets,
       "The ATOMRSP to a FETCH_RTA has the values before the operation.", {},
       {duplicates_delivered, atomic_wrong_result, atomics_repeated}},
      {"EFA-3.3-244", must, responder, k3_3Table3_14, stimulus, octets,
       "A COMPARE_RTA changes the memory by its operation, its data being `buf` and then `compare`.", "EFA/A-30",
       {atomic_compare_first}},
      {"EFA-3.3-245", must, responder, k3_3Table3_15, stimulus, octets,
       "The ATOMRSP to a COMPARE_RTA has the values before the operation.", {}, {atomic_wrong_result}},
      {"EFA-3.3-246", must, responder, k3_3Table3_14, stimulus, octets,
       "FI_ATOMIC_READ gives the values, with an operand and without one.", "EFA/A-30", {atomic_read_needs_operand}},
      {"EFA-3.3-247", should, responder, k3_3Table3_13, stimulus, octets,
       "Atomics take place in the order of their msg_id, among messages too.",
       "EFA/A-19: one sequence; ordered atomics are the application's choice, so that this warns",
       {{atomics_in_arrival_order, warning}}},
      {"EFA-3.3-248", must, responder, k3_3Table3_13, stimulus, octets,
       "An atomic whose packet comes again is not done again.", {}, {duplicates_delivered, atomics_repeated}},
      {"EFA-3.3-249", must, responder, k3_3Table3_13, stimulus, octets,
       "An operation or datatype that fi_atomic does not have, or that does not belong to the call, changes nothing "
       "and does no harm.", "EFA/A-30", {atomic_undefined_done, dies_of_contradiction}},
      {"EFA-3.3-250", must, responder, k3_3Table3_14, stimulus, octets,
       "An atomic with fewer or more octets of operands than its buffers hold changes nothing beyond them and does "
       "no harm.", {}, {atomic_operands_beyond, dies_of_contradiction}},
      {"EFA-3.3-251", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "An atomic on what is not registered memory under its key changes nothing and does no harm.", {},
       {dies_of_bad_key}},
      {"EFA-3.3-252", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "The operands of an atomic are those of its buffers in the order of rma_iov.", {}, {atomic_wrong_result}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::AtomicRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::AtomicRules, I> {
};
