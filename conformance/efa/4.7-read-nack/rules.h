// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct ReadNackRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 4.7";
  static constexpr std::string_view k4_7_2_6 = "EFA RDM v4 4.7 (2.6)";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-4.7-2", must, responder, kSection, trace, absence,
       "A responder sets send_id of a READ_NACK to that of a request from the requester whose data is to be read.", {},
       {nack_wrong_send_id}},
      {"EFA-4.7-3", must, responder, kSection, trace, absence,
       "A responder refuses a request by exactly one READ_NACK.", "EFA/A-71", {{nack_twice, warning}}},
      {"EFA-4.7-4", must, responder, kSection, trace, absence,
       "A responder sends the READ_NACK to a runting message only after all its RUNTREAD packets.",
       "EFA/A-04, EFA/A-74", {nack_early}},
      {"EFA-4.7-5", must_not, responder, kSection, trace, absence,
       "A responder does not answer a request whose data is read by both EOR and READ_NACK.", "EFA/A-75"},
      {"EFA-4.7-6", must, requester, kSection, trace, absence,
       "A requester uses the msg_id of the refused message in the LONGCTS_RTM that follows a READ_NACK.",
       "EFA/A-15: a violation is a warning, as the text does not state it", {{nacked_new_msg_id, warning}}},
      {"EFA-4.7-7", must, requester, kSection, trace, absence,
       "A requester uses the msg_length of the refused message in the LONGCTS_RTM that follows a READ_NACK.",
       "EFA/A-15, EFA/A-16", {longcts_length_short, longcts_length_long, nacked_length_differs}},
      {"EFA-4.7-8", must_not, requester, kSection, trace, absence,
       "A requester sends no application data in the LONGCTS_RTM that follows a READ_NACK.", {}, {nacked_with_data}},
      {"EFA-4.7-9", must, requester, kSection, trace, absence,
       "A requester uses the tag of the refused message, or none, in the LONGCTS_RTM that follows a READ_NACK."},
      {"EFA-4.7-10", should, requester, kSection, trace, octets,
       "A requester sets bit 13 of flags in the LONGCTS_RTM that follows a READ_NACK, because deployed receivers "
       "recognise it by that bit.", "EFA/A-15: the document does not define the bit. Its absence is a warning",
       {{nacked_flag_missing, warning}}},
      {"EFA-4.7-11", must_not, requester, kSection, trace, absence,
       "A requester does not set bit 13 of flags in a LONGCTS_RTM that does not follow a READ_NACK.", "EFA/A-15"},
      {"EFA-4.7-12", must, requester, kSection, trace, absence,
       "A requester whose message was refused sends a LONGCTS_RTM for it.", "EFA/A-85"},
      {"EFA-4.7-13", must, responder, kSection, api, octets,
       "A responder refuses a read if it could not register its memory.",
       "Only an observer beside the device sees whether a registration failed"},
      {"EFA-4.7-14", must, responder, kSection, trace, absence,
       "A responder answers the LONGCTS_RTM that follows a READ_NACK by a CTS, since its receive is already known.",
       "EFA/A-85"},
      {"EFA-4.7-30", must, requester, k4_7_2_6, trace, absence,
       "A requester whose LONGREAD_RTW was refused by READ_NACK sends a LONGCTS_RTW for it.",
       "EFA/A-17, EFA/A-72: a violation is a warning at the end. The write may have been given up, and a capture may "
       "lack packets", {{nack_not_followed, warning, "stimulus"}}},
      {"EFA-4.7-201", must, responder, kSection, stimulus, octets,
       "A responder that refused to read a message delivers it when its LONGCTS_RTM and its data follow.",
       "EFA/A-15, EFA/A-16", {{cts_never, "no registrations"}, {offsets_ignored, "no registrations"}}},
      {"EFA-4.7-202", must, responder, kSection, stimulus, octets,
       "A responder keeps working after a READ_NACK if a request follows that is not the expected one.", "EFA/A-15",
       {{dies_of_duplicate, "no registrations"}}},
      {"EFA-4.7-203", must, responder, kSection, stimulus, octets,
       "A responder that refused to read a write places it when it comes by LONGCTS_RTW.",
       "EFA/A-17: the text speaks of messages, but newer releases refuse writes as well",
       {{request_data_lost, "no registrations"}}},
      {"EFA-4.7-221", must, requester, kSection, stimulus, octets,
       "A requester resumes a message by long-CTS when its receiver refuses to read it.", "EFA/A-15",
       {nack_not_followed}},
      {"EFA-4.7-222", must, requester, kSection, stimulus, octets,
       "A requester keeps working after a repeated READ_NACK, even one that comes late.", {}, {dies_of_unknown_id}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ReadNackRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ReadNackRules, I> {
};
