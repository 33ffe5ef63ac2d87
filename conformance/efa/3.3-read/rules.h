// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct ReadRules : Words {
  static constexpr std::string_view k3_3Table3_10 = "EFA RDM v4 3.3, table 3.10";
  static constexpr std::string_view k3_3Table3_12 = "EFA RDM v4 3.3, table 3.12";
  static constexpr std::string_view kSection = "EFA RDM v4 3.3";
  static constexpr std::string_view k3_3EfaRmaIov = "EFA RDM v4 3.3, efa_rma_iov";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.3-50", must, requester, k3_3Table3_10, trace, octets,
       "A requester sets msg_length of a SHORT_RTR to the sum of the lengths in its rma_iov.", "EFA/A-29",
       {rtr_length_differs}},
      {"EFA-3.3-51", must, requester, k3_3Table3_12, trace, octets,
       "A requester sets msg_length of a LONGCTS_RTR to the sum of the lengths in its rma_iov.", "EFA/A-29",
       {rtr_length_differs}},
      {"EFA-3.3-52", must, requester, kSection, trace, octets,
       "A requester asks in a SHORT_RTR for at most what one READRSP can carry, and uses LONGCTS_RTR for longer "
       "reads.", "EFA/A-70: a trace does not show the MTU", {{short_rtr_too_long, "small packets"}}},
      {"EFA-3.3-53", must, requester, k3_3Table3_12, trace, octets,
       "A requester sets recv_length of a LONGCTS_RTR to more than zero, because the request serves as the first CTS.",
       {}, {rtr_recv_length_zero}},
      {"EFA-3.3-54", should, requester, k3_3Table3_12, trace, octets,
       "A requester sets recv_length of a LONGCTS_RTR to at most msg_length.", "EFA/A-24b: a violation is a warning"},
      {"EFA-3.3-55", must, requester, k3_3Table3_10, trace, absence,
       "A requester does not reuse in a SHORT_RTR the recv_id of a receive operation that is still in progress.",
       "EFA/A-73"},
      {"EFA-3.3-56", must, requester, k3_3Table3_12, trace, absence,
       "A requester does not reuse in a LONGCTS_RTR the recv_id of a receive operation that is still in progress.",
       "EFA/A-73"},
      {"EFA-3.3-57", must, requester, kSection, trace, absence,
       "A requester sends a CTS when it has received all that its LONGCTS_RTR allowed, if the read is not complete.",
       "EFA/A-85"},
      {"EFA-3.3-221", must, responder, k3_3Table3_10, stimulus, octets,
       "A responder answers a SHORT_RTR by a READRSP with the octets that its rma_iov names.", {},
       {handshake_needed, reads_confused}},
      {"EFA-3.3-222", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "A responder returns the octets of several buffers in the order of rma_iov.", {}, {buffers_reversed}},
      {"EFA-3.3-223", must, responder, k3_3Table3_12, stimulus, octets,
       "A responder answers a LONGCTS_RTR by a READRSP and CTSDATA with all octets that its rma_iov names.",
       "EFA/A-26", {handshake_needed, ctsdata_missing}},
      {"EFA-3.3-224", must, responder, k3_3Table3_12, stimulus, octets,
       "A responder sends no more octets, including those of READRSP, than recv_length and the later CTS packets have "
       "allowed.", "EFA/A-25b", {data_beyond_window, ctsdata_twice}},
      {"EFA-3.3-225", must, responder, k3_3Table3_10, stimulus, octets,
       "A responder keeps working after a read of zero octets, with an empty buffer or without buffers.", "E-13",
       {dies_of_empty_read}},
      {"EFA-3.3-226", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "A responder returns no octets and keeps working after a read outside the memory that is registered under its "
       "key.", "The document identifies the memory by its key, and defines no reaction if there is none",
       {key_ignored, dies_of_bad_key}},
      {"EFA-3.3-227", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "A responder keeps working after a read whose msg_length is not the sum of its buffers.", "EFA/A-29",
       {dies_of_empty_read}},
      {"EFA-3.3-228", must, responder, k3_3Table3_12, stimulus, octets,
       "A responder keeps working after a read request that is repeated while the read is in progress.", {},
       {dies_of_duplicate}},
      {"EFA-3.3-229", must, responder, k3_3Table3_12, stimulus, octets,
       "A responder returns no more than was requested and keeps working if recv_length is zero or exceeds the read.",
       {}, {ctsdata_twice, dies_of_zero_window}},
      {"EFA-3.3-230", must, responder, k3_3Table3_10, stimulus, octets,
       "A responder keeps working after a SHORT_RTR for more than one packet can carry.", {}, {dies_of_contradiction}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ReadRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ReadRules, I> {
};
