// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct DeliveryCompleteRules : Words {
  static constexpr std::string_view k4_2FormatOfRECEIPT = "EFA RDM v4 4.2, format of RECEIPT";
  static constexpr std::string_view kSection = "EFA RDM v4 4.2";
  static constexpr std::string_view k4_2DCMediumMessage = "EFA RDM v4 4.2, DC medium message";
  static constexpr std::string_view k3_2SendId4_2 = "EFA RDM v4 3.2, send_id; 4.2";
  static constexpr std::string_view k2_1_4_2 = "EFA RDM v4 2.1; 4.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-4.2-1", must, responder, k4_2FormatOfRECEIPT, trace, absence,
       "A responder sets send_id of a RECEIPT to that of a delivery complete operation of the requester.", {},
       {receipt_wrong_send_id}},
      {"EFA-4.2-2", must_not, responder, kSection, trace, absence,
       "A responder sends no RECEIPT for an operation that a delivery complete packet did not begin.", {},
       {{receipt_unasked, requester}, receipt_unasked}},
      {"EFA-4.2-3", must, responder, k4_2FormatOfRECEIPT, trace, absence,
       "A responder sets msg_id of a RECEIPT for a message to that of the message.",
       "EFA/A-46: any value is right for a write, which has no msg_id, and for an atomic, for which deployed "
       "receivers send 0", {receipt_wrong_msg_id}},
      {"EFA-4.2-4", must, responder, kSection, trace, absence,
       "A responder answers an operation by exactly one RECEIPT.", "EFA/A-76",
       {{receipt_twice, warning}, {receipt_early, warning}, {duplicates_delivered, "stimulus"}}},
      {"EFA-4.2-5", must, responder, kSection, trace, absence,
       "A responder sends a RECEIPT only after it has received all data of the operation.",
       "EFA/A-67: judged if data comes after it, and at the end. Only the API shows whether the data is in the "
       "application's buffer"},
      {"EFA-4.2-6", must, requester, k4_2DCMediumMessage, trace, absence,
       "A requester uses the same send_id in all segments of a DC medium message.", "EFA/A-05"},
      {"EFA-4.2-7", must, responder, kSection, trace, absence,
       "A responder sends a RECEIPT for an operation whose data it has received, unless the operation may lack a "
       "receive.", "EFA/A-67, EFA/A-72, EFA/A-85: judged for messages with at least one CTS, writes and atomics",
       {{receipt_missing, warning}}},
      {"EFA-4.2-8", must_not, requester, k3_2SendId4_2, trace, absence,
       "A requester does not reuse the send_id of an operation that still waits for its RECEIPT.", "EFA/A-66"},
      {"EFA-4.2-20", must, requester, kSection, api, octets,
       "A requester writes the completion of a delivery complete operation only after the RECEIPT has come.",
       "EFA/A-34. Only the application sees its completion queue, which must stay empty while the RECEIPT is held "
       "back"},
      {"EFA-4.2-21", must, responder, kSection, api, octets,
       "A responder sends the RECEIPT only when the data is in the buffer that its application has provided.",
       "Only the application can look into that buffer. A case tests this for messages: no RECEIPT before any receive"},
      {"EFA-4.2-22", must, requester, k2_1_4_2, api, octets,
       "A requester returns an error to an application that requires delivery complete if the peer does not support "
       "it.", "The error goes to the application. On the wire the operation is only absent"},
      {"EFA-4.2-23", must, requester, kSection, api, octets,
       "A requester sends a DC packet, not its plain counterpart, if the application requires delivery complete.",
       "Only the application's call shows what it requires. A plain packet on the wire breaks nothing by itself"},
      {"EFA-4.2-201", must, responder, kSection, stimulus, octets,
       "A responder delivers each kind of delivery complete message, and returns a RECEIPT with its send_id.",
       "EFA/A-05", {part_delivered, receipt_missing}},
      {"EFA-4.2-202", must, responder, kSection, stimulus, octets,
       "A responder has the data of a delivery complete write in memory when it sends the RECEIPT.", "EFA/A-05",
       {receipt_missing}},
      {"EFA-4.2-203", must, responder, kSection, stimulus, octets,
       "A responder has executed a delivery complete atomic when it sends the RECEIPT.", "EFA/A-05",
       {atomic_done_twice}},
      {"EFA-4.2-204", must, responder, kSection, stimulus, octets,
       "A responder sends no RECEIPT for a delivery complete message or write that lacks data.", {}, {part_delivered}},
      {"EFA-4.2-205", must, responder, kSection, stimulus, octets,
       "A responder sends the RECEIPT of a message when its data is in the buffer of a receive, and not before.",
       "Tried only if the application receives a single tag (parameter tag)", {{receipt_early, "one tag"}}},
      {"EFA-4.2-221", must, requester, kSection, stimulus, octets,
       "A requester keeps working after a repeated RECEIPT, even one that comes late.", {}, {dies_of_unknown_id}},
      {"EFA-4.2-222", must, requester, kSection, stimulus, octets,
       "A requester accepts the RECEIPT of a write or an atomic whatever its msg_id.", "EFA/A-46", {receipt_compared}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::DeliveryCompleteRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::DeliveryCompleteRules, I> {
};
