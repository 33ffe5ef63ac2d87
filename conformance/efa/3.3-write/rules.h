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
       "A requester sends in an EAGER_RTW as many octets as all buffers in its rma_iov contain.",
       "EFA/A-28, EFA/A-29; also for DC_EAGER_RTW", {connid_padded, rtw_data_short}},
      {"EFA-3.3-20", must, requester, k3_3Table3_9, trace, octets,
       "A requester sets msg_length of a LONGCTS_RTW to the sum of the lengths in its rma_iov.",
       "EFA/A-29; also for DC_LONGCTS_RTW", {longcts_length_short, longcts_length_long, rtw_length_differs}},
      {"EFA-3.3-21", must, requester, k3_3Table3_9, trace, octets,
       "A requester sends in a LONGCTS_RTW the beginning of its data, less than msg_length octets.",
       "EFA/A-23b: all the data is a warning, as the write would have fitted in one packet"},
      {"EFA-3.3-22", must, requester, k3_3Table3_9, trace, absence,
       "A requester does not reuse for a write the send_id of an operation that still waits for the peer.",
       "EFA/A-73; also for DC_EAGER_RTW and DC_LONGCTS_RTW"},
      {"EFA-3.3-23", should, requester, k3_3Table3_9, trace, octets,
       "A requester sets credit_request of a LONGCTS_RTW to the number of packets that it is ready to send, at least "
       "one.", "EFA/A-43b: a violation is a warning", {{credit_request_zero, warning}}},
      {"EFA-3.3-24", must, responder, kSection, api, octets,
       "A responder places a write where rma_iov says, and uses no receive buffer of its application.",
       "The application's buffers show it."},
      {"EFA-3.3-25", must, responder, kSection, trace, absence,
       "A responder answers a LONGCTS_RTW by a CTS if some data is still to come.", "EFA/A-72, EFA/A-85"},
      {"EFA-3.3-201", must, responder, k3_3Table3_8, stimulus, octets,
       "A responder places the data of an EAGER_RTW where its rma_iov says.", {},
       {write_not_placed, writes_whole_words}},
      {"EFA-3.3-202", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "A responder fills the buffers of a write in the order of rma_iov.", {}, {request_data_lost, buffers_reversed}},
      {"EFA-3.3-203", must, responder, k3_3Table3_8, stimulus, octets,
       "A responder accepts a write of zero octets, with an empty buffer or without buffers.",
       "EFA/A-28, E-13: deployed requesters send one to get a HANDSHAKE", {msg_ids_shared, dies_of_empty_write}},
      {"EFA-3.3-204", must, responder, k3_3Table3_9, stimulus, octets,
       "A responder allows a long-CTS write by CTS, and places its data where its rma_iov says.", {},
       {request_data_lost, part_delivered}},
      {"EFA-3.3-205", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "A responder changes nothing and keeps working after a write outside the memory that is registered under its "
       "key.", "The document identifies the memory by its key, and defines no reaction if there is none",
       {key_ignored, bounds_ignored, lengths_ignored}},
      {"EFA-3.3-206", must, responder, k3_3EfaRmaIov, stimulus, octets,
       "After a write whose data, buffers and msg_length disagree, a responder changes nothing beyond its buffers and "
       "keeps working.", "EFA/A-29", {lengths_ignored, dies_of_bad_key}},
      {"EFA-3.3-207", must, responder, k3_3Table3_9, stimulus, octets,
       "A responder keeps working after a LONGCTS_RTW that is repeated while the write is in progress.", {},
       {connid_needed}},
      {"EFA-3.3-208", must, responder, k3_3Table3_8, stimulus, octets,
       "A responder places the data of a write with CQ data like that of any other write.", {}, {cts_recv_id_changes}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::WriteRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::WriteRules, I> {
};
