// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct ProfileRules : Words {
  static constexpr std::string_view kS5_3_4 = "RFC 3018 5.3.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-5.3.4-1", must, any, kS5_3_4, none, octets,
       "A profile has 4 octets; S0 is its most significant bit.", "UMSP/A5; other octets are another profile"},
      {"UMSP-5.3.4-2", must, any, kS5_3_4, stimulus, octets,
       "A side offers only functions in its profile that it provides.", {}, {{comparison_offered_alone, executor}}},
      {"UMSP-5.3.4-3", must, any, kS5_3_4, stimulus, octets,
       "A receiver does not execute what its profile does not offer: it sends a negative response or none.", {},
       {{profile_ignored, executor}}},
      {"UMSP-5.3.4-4", must, any, kS5_3_4, trace, absence,
       "If the receiving side offers S0 0, the sender sends no fragmented instructions."},
      {"UMSP-5.3.4-5", must, any, kS5_3_4, trace, absence,
       "If the receiving side offers S1 0, the sender sends no sequences."},
      {"UMSP-5.3.4-6", must, any, kS5_3_4, trace, absence,
       "If the receiving side offers S2 0, the sender sends no transactions."},
      {"UMSP-5.3.4-7", must, any, kS5_3_4, trace, absence,
       "If the receiving side offers S3 0 for its zero-session, the sender sends no requests between VMs without a "
       "session.", "A warning: the profile of the zero-session is information and binds no node (5.8)"},
      {"UMSP-5.3.4-8", must, any, kS5_3_4, trace, absence,
       "If the receiving side offers S4 0, the sender sends no requests between VMs in that session."},
      {"UMSP-5.3.4-9", must, any, kS5_3_4, trace, octets,
       "A side sets S5 to 0."},
      {"UMSP-5.3.4-10", must, any, kS5_3_4, trace, absence,
       "If S6 is 0, a sender uses no 16-octet addresses in exchange instructions.",
       "Judged for the codes that certainly have such an address"},
      {"UMSP-5.3.4-11", must, any, kS5_3_4, trace, absence,
       "If S7 is 0, a sender uses no header in short form.",
       "Not judged if S8 is also 0, which would leave no header at all"},
      {"UMSP-5.3.4-12", must, any, kS5_3_4, trace, absence,
       "If S8 is 0, a sender uses no header in extended form.",
       "Not judged if S7 is also 0, which would leave no header at all"},
      {"UMSP-5.3.4-13", must, any, kS5_3_4, trace, absence,
       "If S9 is 0, a sender uses no extension header with up to 254 octets of DATA.", "S10 allows any length"},
      {"UMSP-5.3.4-14", must, any, kS5_3_4, trace, absence,
       "If S10 is 0, a sender uses no extension header with more than 254 octets of DATA."},
      {"UMSP-5.3.4-15", must, any, kS5_3_4, none, octets,
       "S11 to S15 form one number; S11 is its most significant bit.", "A definition"},
      {"UMSP-5.3.4-16", must, any, kS5_3_4, trace, absence,
       "A data field in operands is at most (S11-S15 plus 1) times 4 octets long.",
       "UMSP/A36; the value 15 is not judged, since the RFC prints four ones"},
      {"UMSP-5.3.4-17", must, any, kS5_3_4, stimulus, octets,
       "If S11-S15 are all ones, only the instruction's format limits the length of data.", "UMSP/A36",
       {{long_data_refused, executor}}},
      {"UMSP-5.3.4-18", must, any, kS5_3_4, trace, octets,
       "A side sets S16-S19 of the profile that it requires to 1, the UMSP version."},
      {"UMSP-5.3.4-19", must, any, kS5_3_4, none, octets,
       "S16-S19 of the profile that a side offers are the priority of the job.", "All values are allowed"},
      {"UMSP-5.3.4-20", must, any, kS5_3_4, api, octets,
       "A node gives the job with the higher priority precedence in queues, transport and computing.",
       "What is above or below the protocol layer is not on the wire"},
      {"UMSP-5.3.4-21", must, any, kS5_3_4, trace, absence,
       "If S20 is 1, headers have OPR_LENGTH 7, which is the extended form.",
       "UMSP/A37; judged if the receiver offers S20 and the sender either was required to use it or offers it too"},
      {"UMSP-5.3.4-22", must, any, kS5_3_4, trace, absence,
       "If S20 is 1, each extension header and the operands begin at a multiple of four octets.",
       "UMSP/A37; a warning: the RFC does not say whether HEAD_LENGTH counts the padding of a header"},
      {"UMSP-5.3.4-23", must, any, kS5_3_4, none, octets,
       "If S20 is 1, a sender pads the end of each header to four octets with zeros.",
       "If HEAD_LENGTH counts the padding, it is DATA like any other; otherwise it reads as the next header"},
      {"UMSP-5.3.4-24", must, any, kS5_3_4, trace, absence,
       "If S21 is 0, a sender neither calls nor looks up an object's procedure by name."},
      {"UMSP-5.3.4-25", must, any, kS5_3_4, trace, absence,
       "If S22 is 0, a sender neither looks up nor creates an object by name."},
      {"UMSP-5.3.4-26", must, any, kS5_3_4, stimulus, octets,
       "If S23 is 1, a node answers instructions that its VM executes with RSP.",
       "UMSP-3.1-12 judges a missing response", {{executions_answered_by_rsp_p, executor}}},
      {"UMSP-5.3.4-27", must, any, kS5_3_4, trace, absence,
       "If the receiving side offers S24 0, the sender sends no read or comparison."},
      {"UMSP-5.3.4-28", must, any, kS5_3_4, trace, absence,
       "If the receiving side offers S25 0, the sender sends no write."},
      {"UMSP-5.3.4-29", must, any, kS5_3_4, trace, absence,
       "If the receiving side offers S26 0, the sender sends no control transfer."},
      {"UMSP-5.3.4-30", must, any, kS5_3_4, trace, absence,
       "If the receiving side offers S27 0, the sender sends no SYN."},
      {"UMSP-5.3.4-31", must, any, kS5_3_4, trace, absence,
       "If the receiving side offers S28 0, the sender sends no object instructions."},
      {"UMSP-5.3.4-32", must, any, kS5_3_4, trace, absence,
       "If S29 is 0, a sender does not read, write or compare object memory directly, but calls the object's "
       "procedures."},
      {"UMSP-5.3.4-33", must, any, kS5_3_4, trace, octets,
       "If S28 is 0, a side also sets S29 to 0."},
      {"UMSP-5.3.4-34", must, any, kS5_3_4, trace, absence,
       "If the receiving side offers S30 0 for its zero-session, the sender sends no MVRUN without a session.",
       "A warning: the profile of the zero-session is information and binds no node (5.8)"},
      {"UMSP-5.3.4-35", must, any, kS5_3_4, trace, octets,
       "A side sets S31 to 0."},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ProfileRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ProfileRules, I> {
};
