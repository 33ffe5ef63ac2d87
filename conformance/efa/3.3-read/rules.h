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
       "msg_length of a SHORT_RTR is the sum of the lengths in its rma_iov.", "EFA/A-29", {rtr_length_differs}},
      {"EFA-3.3-51", must, requester, k3_3Table3_12, trace, octets,
       "msg_length of a LONGCTS_RTR is the sum of the lengths in its rma_iov.", "EFA/A-29", {rtr_length_differs}},
      {"EFA-3.3-52", must, requester, kSection, trace, octets,
       "A SHORT_RTR asks for no more than one READRSP can carry; what is longer is read by LONGCTS_RTR.",
       "EFA/A-70: a trace does not show the MTU", {{short_rtr_too_long, "small packets"}}},
      {"EFA-3.3-53", must, requester, k3_3Table3_12, trace, octets,
       "recv_length of a LONGCTS_RTR is more than zero: the request serves as the first CTS.", {},
       {rtr_recv_length_zero}},
      {"EFA-3.3-54", should, requester, k3_3Table3_12, trace, octets,
       "recv_length of a LONGCTS_RTR is at most msg_length.", "EFA/A-24b: warned of"},
      {"EFA-3.3-55", must, requester, k3_3Table3_10, trace, absence,
       "recv_id of a SHORT_RTR names no receive operation of the requester that is still under way.", "EFA/A-73"},
      {"EFA-3.3-56", must, requester, k3_3Table3_12, trace, absence,
       "recv_id of a LONGCTS_RTR names no receive operation of the requester that is still under way.", "EFA/A-73"},
      {"EFA-3.3-57", must, requester, kSection, trace, absence,
       "When all that its LONGCTS_RTR has allowed has come, and the read goes on, the requester sends a CTS.",
       "EFA/A-85"},
      {"EFA-3.3-221", must, responder, k3_3Table3_10, stimulus, octets,
       "A SHORT_RTR is answered by a READRSP with the octets that its rma_iov names.", {},
       {handshake_needed, reads_confused}},
      {"EFA-3.3-222", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "A read of several buffers gives their octets in the order of rma_iov.", {}, {buffers_reversed}},
      {"EFA-3.3-223", must, responder, k3_3Table3_12, stimulus, octets,
       "A LONGCTS_RTR is answered by a READRSP and CTSDATA with all the octets that its rma_iov names.", "EFA/A-26",
       {handshake_needed, ctsdata_missing}},
      {"EFA-3.3-224", must, responder, k3_3Table3_12, stimulus, octets,
       "No more octets come than recv_length, and the CTS after it, have allowed; READRSP counts.", "EFA/A-25b",
       {data_beyond_window, ctsdata_twice}},
      {"EFA-3.3-225", must, responder, k3_3Table3_10, stimulus, octets,
       "A read of nothing, with an empty buffer or none at all, does no harm.", "E-13", {dies_of_empty_read}},
      {"EFA-3.3-226", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "A read that does not lie within registered memory under its key brings no octets and does no harm.",
       "the document names the memory by its key, and no reaction where there is none",
       {key_ignored, dies_of_bad_key}},
      {"EFA-3.3-227", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "A read whose msg_length is not the sum of its buffers does no harm.", "EFA/A-29", {dies_of_empty_read}},
      {"EFA-3.3-228", must, responder, k3_3Table3_12, stimulus, octets,
       "A read request that comes again while it is under way does no harm.", {}, {dies_of_duplicate}},
      {"EFA-3.3-229", must, responder, k3_3Table3_12, stimulus, octets,
       "A recv_length of nothing, or of more than the read, brings no more than the read and does no harm.", {},
       {ctsdata_twice, dies_of_zero_window}},
      {"EFA-3.3-230", must, responder, k3_3Table3_10, stimulus, octets,
       "A SHORT_RTR for more than one packet holds does no harm.", {}, {dies_of_contradiction}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ReadRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ReadRules, I> {
};
