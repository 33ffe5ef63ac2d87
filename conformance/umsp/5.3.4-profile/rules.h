// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct ProfileRules : Words {
  static constexpr std::string_view kS5_3_4 = "RFC 3018 5.3.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-5.3.4-1", must, any, kS5_3_4, none, octets,
       "A profile is 4 octets, S0 its most significant bit.", "UMSP/A5; octets that break it are another profile"},
      {"UMSP-5.3.4-2", must, any, kS5_3_4, stimulus, octets,
       "A side offers no function in its profile that it does not provide.", {},
       {{comparison_offered_alone, executor}}},
      {"UMSP-5.3.4-3", must, any, kS5_3_4, stimulus, octets,
       "A receiver answers negatively, or not at all, to what its profile does not offer: it does not execute it.", {},
       {{profile_ignored, executor}}},
      {"UMSP-5.3.4-4", must, any, kS5_3_4, trace, absence,
       "S0 0 of the receiving side: no fragmented instructions are sent to it."},
      {"UMSP-5.3.4-5", must, any, kS5_3_4, trace, absence,
       "S1 0 of the receiving side: no sequences are sent to it."},
      {"UMSP-5.3.4-6", must, any, kS5_3_4, trace, absence,
       "S2 0 of the receiving side: no transactions are sent to it."},
      {"UMSP-5.3.4-7", must, any, kS5_3_4, trace, absence,
       "S3 0 of what a side says of its zero-session: no requests between VMs are sent to it without a session.",
       "a warning: what is said of the zero-session informs, and binds nobody (5.8)"},
      {"UMSP-5.3.4-8", must, any, kS5_3_4, trace, absence,
       "S4 0 of the receiving side: no requests between VMs are sent to it in that session."},
      {"UMSP-5.3.4-9", must, any, kS5_3_4, trace, octets,
       "S5 is 0."},
      {"UMSP-5.3.4-10", must, any, kS5_3_4, trace, absence,
       "S6 0: no 16-octet addresses are used in instructions of exchange.",
       "judged by the codes that have such an address for certain"},
      {"UMSP-5.3.4-11", must, any, kS5_3_4, trace, absence,
       "S7 0: no header in short form is used.", "not where S8 is 0 too, which would leave no header at all"},
      {"UMSP-5.3.4-12", must, any, kS5_3_4, trace, absence,
       "S8 0: no header in extended form is used.", "not where S7 is 0 too, which would leave no header at all"},
      {"UMSP-5.3.4-13", must, any, kS5_3_4, trace, absence,
       "S9 0: no extension header with up to 254 octets of DATA is used.", "S10 allows any length"},
      {"UMSP-5.3.4-14", must, any, kS5_3_4, trace, absence,
       "S10 0: no extension header with more DATA than 254 octets is used."},
      {"UMSP-5.3.4-15", must, any, kS5_3_4, none, octets,
       "S11 to S15 are one number, S11 its upper bit.", "a definition"},
      {"UMSP-5.3.4-16", must, any, kS5_3_4, trace, absence,
       "The data field in operands is no longer than (S11-S15 plus 1) times 4 octets.",
       "UMSP/A36; 15 is not judged, as the text prints four ones"},
      {"UMSP-5.3.4-17", must, any, kS5_3_4, stimulus, octets,
       "S11-S15 all ones: the length of data is bound by the instruction's format alone.", "UMSP/A36",
       {{long_data_refused, executor}}},
      {"UMSP-5.3.4-18", must, any, kS5_3_4, trace, octets,
       "S16-S19 of the profile asked for are 1, the UMSP version."},
      {"UMSP-5.3.4-19", must, any, kS5_3_4, none, octets,
       "S16-S19 of the profile offered are the priority of the job, any value.", "all values are allowed"},
      {"UMSP-5.3.4-20", must, any, kS5_3_4, api, octets,
       "Of two jobs that with the greater priority goes first in queues, transport and computing.",
       "what is above or below the protocol layer is not on the wire"},
      {"UMSP-5.3.4-21", must, any, kS5_3_4, trace, absence,
       "S20 1: headers have OPR_LENGTH 7, the extended form.",
       "UMSP/A37; judged where the receiver offers it and the sender was asked for it, or offers it too"},
      {"UMSP-5.3.4-22", must, any, kS5_3_4, trace, absence,
       "S20 1: each extension header and the operands begin at a multiple of four octets.",
       "UMSP/A37; a warning: whether HEAD_LENGTH counts what fills a header is not said"},
      {"UMSP-5.3.4-23", must, any, kS5_3_4, none, octets,
       "S20 1: what fills the end of each header up to four octets is zero.",
       "where HEAD_LENGTH counts it, it is DATA like any other; else it reads as the header behind it"},
      {"UMSP-5.3.4-24", must, any, kS5_3_4, trace, absence,
       "S21 0: no procedure of an object is called or sought by name."},
      {"UMSP-5.3.4-25", must, any, kS5_3_4, trace, absence,
       "S22 0: no object is sought or created by name."},
      {"UMSP-5.3.4-26", must, any, kS5_3_4, stimulus, octets,
       "S23 1: executions on the VM are answered by RSP.", "an answer that is missing: UMSP-3.1-12",
       {{executions_answered_by_rsp_p, executor}}},
      {"UMSP-5.3.4-27", must, any, kS5_3_4, trace, absence,
       "S24 0 of the receiving side: no reading or comparison is sent to it."},
      {"UMSP-5.3.4-28", must, any, kS5_3_4, trace, absence,
       "S25 0 of the receiving side: no writing is sent to it."},
      {"UMSP-5.3.4-29", must, any, kS5_3_4, trace, absence,
       "S26 0 of the receiving side: no control transfer is sent to it."},
      {"UMSP-5.3.4-30", must, any, kS5_3_4, trace, absence,
       "S27 0 of the receiving side: no SYN is sent to it."},
      {"UMSP-5.3.4-31", must, any, kS5_3_4, trace, absence,
       "S28 0 of the receiving side: no instructions of work with objects are sent to it."},
      {"UMSP-5.3.4-32", must, any, kS5_3_4, trace, absence,
       "S29 0: an object's memory is neither read, written nor compared at once, its procedures are called instead."},
      {"UMSP-5.3.4-33", must, any, kS5_3_4, trace, octets,
       "S28 0: S29 is 0 too."},
      {"UMSP-5.3.4-34", must, any, kS5_3_4, trace, absence,
       "S30 0 of what a side says of its zero-session: no MVRUN is sent to it without a session.",
       "a warning: what is said of the zero-session informs, and binds nobody (5.8)"},
      {"UMSP-5.3.4-35", must, any, kS5_3_4, trace, octets,
       "S31 is 0."},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ProfileRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ProfileRules, I> {
};
