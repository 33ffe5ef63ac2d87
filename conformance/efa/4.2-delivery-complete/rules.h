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
       "send_id of a RECEIPT is that of a delivery complete operation of the endpoint that it goes to.", {},
       {receipt_wrong_send_id}},
      {"EFA-4.2-2", must_not, responder, kSection, trace, absence,
       "No RECEIPT is sent for an operation that was not begun by a delivery complete packet.", {},
       {{receipt_unasked, requester}, receipt_unasked}},
      {"EFA-4.2-3", must, responder, k4_2FormatOfRECEIPT, trace, absence,
       "msg_id of a RECEIPT for a message is that of the message.",
       "EFA/A-46: a write has none, and deployed receivers send 0 for atomics; there any is right",
       {receipt_wrong_msg_id}},
      {"EFA-4.2-4", must, responder, kSection, trace, absence,
       "An operation is answered by one RECEIPT.", "EFA/A-76",
       {{receipt_twice, warning}, {receipt_early, warning}, {duplicates_delivered, "stimulus"}}},
      {"EFA-4.2-5", must, responder, kSection, trace, absence,
       "A RECEIPT is sent after all data of the operation has come.",
       "EFA/A-67: judged when data comes behind it, and at the end; that the data is where the application wants it, "
       "only the API shows"},
      {"EFA-4.2-6", must, requester, k4_2DCMediumMessage, trace, absence,
       "All segments of a DC medium message have the same send_id.", "EFA/A-05"},
      {"EFA-4.2-7", must, responder, kSection, trace, absence,
       "An operation whose data has come, and needs no receive that may be missing, is answered by a RECEIPT.",
       "EFA/A-67, EFA/A-72, EFA/A-85: messages of one CTS or more, writes and atomics", {{receipt_missing, warning}}},
      {"EFA-4.2-8", must_not, requester, k3_2SendId4_2, trace, absence,
       "A send operation does not take the send_id of another one that waits for its RECEIPT.", "EFA/A-66"},
      {"EFA-4.2-20", must, requester, kSection, api, octets,
       "The sender writes the completion of a delivery complete operation after the RECEIPT has come.",
       "EFA/A-34. Only the application sees its completion queue: it must stay empty while the RECEIPT is held back"},
      {"EFA-4.2-21", must, responder, kSection, api, octets,
       "When the RECEIPT is sent, the data is in the buffer that the application has given for it.",
       "Only the application can look into that buffer; a case shows the message side of it, a RECEIPT before any "
       "receive"},
      {"EFA-4.2-22", must, requester, k2_1_4_2, api, octets,
       "Where the peer lacks delivery complete, an application that requires it gets an error.",
       "The error goes to the application; on the wire the operation is only absent"},
      {"EFA-4.2-23", must, requester, kSection, api, octets,
       "What an application wants delivery complete is sent by a DC packet, not by its plain counterpart.",
       "What the application wants is in its call; a plain packet on the wire breaks nothing by itself"},
      {"EFA-4.2-201", must, responder, kSection, stimulus, octets,
       "A delivery complete message of each kind is delivered, and a RECEIPT with its send_id comes back.",
       "EFA/A-05", {part_delivered, receipt_missing}},
      {"EFA-4.2-202", must, responder, kSection, stimulus, octets,
       "When the RECEIPT of a delivery complete write comes, its data is in memory.", "EFA/A-05", {receipt_missing}},
      {"EFA-4.2-203", must, responder, kSection, stimulus, octets,
       "When the RECEIPT of a delivery complete atomic comes, it has taken place.", "EFA/A-05", {atomic_done_twice}},
      {"EFA-4.2-204", must, responder, kSection, stimulus, octets,
       "No RECEIPT comes for a delivery complete message or write of which data is missing.", {}, {part_delivered}},
      {"EFA-4.2-205", must, responder, kSection, stimulus, octets,
       "The RECEIPT of a message is sent when its data is in the buffer of a receive, and not before.",
       "only where the application receives one tag alone (parameter tag)", {{receipt_early, "one tag"}}},
      {"EFA-4.2-221", must, requester, kSection, stimulus, octets,
       "A RECEIPT that comes again, also late, does no harm.", {}, {dies_of_unknown_id}},
      {"EFA-4.2-222", must, requester, kSection, stimulus, octets,
       "The RECEIPT of a write or an atomic is taken, whatever its msg_id.", "EFA/A-46", {receipt_compared}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::DeliveryCompleteRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::DeliveryCompleteRules, I> {
};
