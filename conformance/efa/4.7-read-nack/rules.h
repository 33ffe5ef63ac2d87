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
       "send_id of a READ_NACK is that of a request of the other side whose data is to be read.", {},
       {nack_wrong_send_id}},
      {"EFA-4.7-3", must, responder, kSection, trace, absence,
       "A request is refused by one READ_NACK.", "EFA/A-71", {{nack_twice, warning}}},
      {"EFA-4.7-4", must, responder, kSection, trace, absence,
       "The READ_NACK to a runting message comes after all its RUNTREAD packets.", "EFA/A-04, EFA/A-74", {nack_early}},
      {"EFA-4.7-5", must_not, responder, kSection, trace, absence,
       "A request whose data is read is answered by EOR or by READ_NACK, not by both.", "EFA/A-75"},
      {"EFA-4.7-6", must, requester, kSection, trace, absence,
       "The LONGCTS_RTM that follows a READ_NACK has the msg_id of the message that was refused.",
       "EFA/A-15: warned of, as the text does not say it", {{nacked_new_msg_id, warning}}},
      {"EFA-4.7-7", must, requester, kSection, trace, absence,
       "The LONGCTS_RTM that follows a READ_NACK has the msg_length of the message that was refused.",
       "EFA/A-15, EFA/A-16", {longcts_length_short, longcts_length_long, nacked_length_differs}},
      {"EFA-4.7-8", must_not, requester, kSection, trace, absence,
       "The LONGCTS_RTM that follows a READ_NACK carries no application data.", {}, {nacked_with_data}},
      {"EFA-4.7-9", must, requester, kSection, trace, absence,
       "The LONGCTS_RTM that follows a READ_NACK has the tag of the message that was refused, or none."},
      {"EFA-4.7-10", should, requester, kSection, trace, octets,
       "The LONGCTS_RTM that follows a READ_NACK has bit 13 of flags set, by which deployed receivers know it.",
       "EFA/A-15: not of the document; its absence is warned of", {{nacked_flag_missing, warning}}},
      {"EFA-4.7-11", must_not, requester, kSection, trace, absence,
       "No LONGCTS_RTM but one that follows a READ_NACK has bit 13 of flags set.", "EFA/A-15"},
      {"EFA-4.7-12", must, requester, kSection, trace, absence,
       "A sender whose message was refused sends a LONGCTS_RTM for it.", "EFA/A-85"},
      {"EFA-4.7-13", must, responder, kSection, api, octets,
       "A receiver refuses a read where it could not register its memory.",
       "Whether a registration failed is seen only beside the device"},
      {"EFA-4.7-14", must, responder, kSection, trace, absence,
       "The LONGCTS_RTM that follows a READ_NACK is answered by a CTS: its receive has been found before.",
       "EFA/A-85"},
      {"EFA-4.7-30", must, requester, k4_7_2_6, trace, absence,
       "A requester whose LONGREAD_RTW was refused by READ_NACK sends a LONGCTS_RTW for it.",
       "EFA/A-17, EFA/A-72: warned of at the end; the write may have been given up, and a capture may lack packets",
       {{nack_not_followed, warning, "stimulus"}}},
      {"EFA-4.7-201", must, responder, kSection, stimulus, octets,
       "A message that the responder has refused to read is delivered when its LONGCTS_RTM and its data follow.",
       "EFA/A-15, EFA/A-16", {{cts_never, "no registrations"}, {offsets_ignored, "no registrations"}}},
      {"EFA-4.7-202", must, responder, kSection, stimulus, octets,
       "A request after a READ_NACK that is not what should follow does no harm.", "EFA/A-15",
       {{dies_of_duplicate, "no registrations"}}},
      {"EFA-4.7-203", must, responder, kSection, stimulus, octets,
       "A write that the responder has refused to read is placed when it comes by LONGCTS_RTW.",
       "EFA/A-17: the text speaks of messages; newer releases refuse writes as well",
       {{request_data_lost, "no registrations"}}},
      {"EFA-4.7-221", must, requester, kSection, stimulus, octets,
       "A message that its receiver refuses to read goes on by long-CTS.", "EFA/A-15", {nack_not_followed}},
      {"EFA-4.7-222", must, requester, kSection, stimulus, octets,
       "A READ_NACK that comes again, also late, does no harm.", {}, {dies_of_unknown_id}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ReadNackRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ReadNackRules, I> {
};
