// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct WriteRules : Words {
  static constexpr std::string_view k3_3Table3_8 = "EFA RDM v4 3.3, table 3.8";
  static constexpr std::string_view k3_3Table3_9 = "EFA RDM v4 3.3, table 3.9";
  static constexpr std::string_view kSection = "EFA RDM v4 3.3";
  static constexpr std::string_view k3_3EfaRmaIov = "EFA RDM v4 3.3, efa_rma_iov";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.3-10", must, requester, k3_3Table3_8, trace, octets,
       "An EAGER_RTW carries as many octets as the buffers in its rma_iov hold together.",
       "EFA/A-28, EFA/A-29; DC_EAGER_RTW alike", {connid_padded, rtw_data_short}},
      {"EFA-3.3-20", must, requester, k3_3Table3_9, trace, octets,
       "msg_length of a LONGCTS_RTW is the sum of the lengths in its rma_iov.", "EFA/A-29; DC_LONGCTS_RTW alike",
       {longcts_length_short, longcts_length_long, rtw_length_differs}},
      {"EFA-3.3-21", must, requester, k3_3Table3_9, trace, octets,
       "A LONGCTS_RTW carries the beginning of its data, less than msg_length.",
       "EFA/A-23b: all of it is warned of, as the write would have fitted one packet"},
      {"EFA-3.3-22", must, requester, k3_3Table3_9, trace, absence,
       "send_id of a write names no operation of the requester that still waits for its peer.",
       "EFA/A-73; DC_EAGER_RTW and DC_LONGCTS_RTW alike"},
      {"EFA-3.3-23", should, requester, k3_3Table3_9, trace, octets,
       "credit_request of a LONGCTS_RTW is not zero: the requester is ready to send.", "EFA/A-43b: warned of",
       {{credit_request_zero, warning}}},
      {"EFA-3.3-24", must, responder, kSection, api, octets,
       "A write takes no receive buffer of the responder's application; it goes where rma_iov says.",
       "The application's buffers show it."},
      {"EFA-3.3-25", must, responder, kSection, trace, absence,
       "A LONGCTS_RTW that leaves data for later is answered by a CTS.", "EFA/A-72, EFA/A-85"},
      {"EFA-3.3-201", must, responder, k3_3Table3_8, stimulus, octets,
       "The data of an EAGER_RTW is placed where its rma_iov says.", {}, {write_not_placed, writes_whole_words}},
      {"EFA-3.3-202", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "The data of a write fills several buffers in the order of rma_iov.", {},
       {request_data_lost, buffers_reversed}},
      {"EFA-3.3-203", must, responder, k3_3Table3_8, stimulus, octets,
       "A write of nothing, with an empty buffer or none at all, is taken.",
       "EFA/A-28, E-13: deployed requesters send one to get a HANDSHAKE", {msg_ids_shared, dies_of_empty_write}},
      {"EFA-3.3-204", must, responder, k3_3Table3_9, stimulus, octets,
       "A long-CTS write is allowed by CTS and placed where its rma_iov says.", {},
       {request_data_lost, part_delivered}},
      {"EFA-3.3-205", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "A write that does not lie within registered memory under its key changes nothing and does no harm.",
       "the document names the memory by its key, and no reaction where there is none",
       {key_ignored, bounds_ignored, lengths_ignored}},
      {"EFA-3.3-206", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "A write whose data, buffers and msg_length do not agree changes nothing beyond its buffers and does no harm.",
       "EFA/A-29", {lengths_ignored, dies_of_bad_key}},
      {"EFA-3.3-207", must, responder, k3_3Table3_9, stimulus, octets,
       "A LONGCTS_RTW that comes again while it is under way does no harm.", {}, {connid_needed}},
      {"EFA-3.3-208", must, responder, k3_3Table3_8, stimulus, octets,
       "A write with CQ data is placed like one without.", {}, {cts_recv_id_changes}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::WriteRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::WriteRules, I> {
};
