// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct CommonExtensionHeadersRules : Words {
  static constexpr std::string_view kAlignment = "RFC 3018 8.1";
  static constexpr std::string_view kMsg = "RFC 3018 8.2";
  static constexpr std::string_view kName = "RFC 3018 8.3";
  static constexpr std::string_view kData = "RFC 3018 8.4";
  static constexpr std::string_view kLifeTime = "RFC 3018 8.5";
  static constexpr std::string_view kCodeNamesIt = "the code is what names the header";
  static constexpr std::string_view kInQueue = "how long what is sent has waited is not on the wire";
  static constexpr std::string_view kAboveTheWire = "what VMs and applications do is not on the wire";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-8.1-1", must, any, kAlignment, none, octets,
       "_ALIGNMENT brings what follows to a multiple of 4 to 16 octets.", "UMSP/A38; it may be used as one likes"},
      {"UMSP-8.1-2", must, any, kAlignment, stimulus, octets,
       "A receiver takes _ALIGNMENT anywhere.", "UMSP/A38", {{alignment_refused, executor}}},
      {"UMSP-8.1-3", must, any, kAlignment, none, octets,
       "_ALIGNMENT has HEAD_CODE 8.", kCodeNamesIt},
      {"UMSP-8.1-4", must, any, kAlignment, trace, octets,
       "_ALIGNMENT has 1 to 7 words of DATA.", "UMSP/A38"},
      {"UMSP-8.1-5", must, any, kAlignment, trace, octets,
       "_ALIGNMENT has HOB 0."},
      {"UMSP-8.1-6", must, any, kAlignment, trace, octets,
       "DATA of _ALIGNMENT is zero."},
      {"UMSP-8.1-7", must, any, kAlignment, none, octets,
       "Extension headers and operands begin at an even octet.",
       "all in front of them is counted in words of two octets"},
      {"UMSP-8.2-1", must, any, kMsg, trace, octets,
       "The text of _MSG is ASCII."},
      {"UMSP-8.2-2", may, any, kMsg, none, octets,
       "A receiver logs _MSG, shows it or ignores it.", "a permission"},
      {"UMSP-8.2-3", must, any, kMsg, none, octets,
       "_MSG has HEAD_CODE 9.", kCodeNamesIt},
      {"UMSP-8.2-4", must, any, kMsg, trace, octets,
       "_MSG has 1 to 127 words of DATA.", "UMSP/A18"},
      {"UMSP-8.2-5", must, any, kMsg, trace, octets,
       "_MSG has HOB 0."},
      {"UMSP-8.2-6", must, any, kMsg, stimulus, octets,
       "A receiver takes several _MSG in one instruction.", {}, {{second_msg_refused, executor}}},
      {"UMSP-8.3-1", must, any, kName, none, octets,
       "_NAME names a job, a VM, an object or a procedure.", "UMSP/A35; what a name is of is its instruction's"},
      {"UMSP-8.3-2", must, any, kName, none, octets,
       "_NAME has HEAD_CODE 10.", kCodeNamesIt},
      {"UMSP-8.3-3", must, any, kName, trace, octets,
       "_NAME has 1 to 127 words of DATA.", "UMSP/A18, UMSP/A39"},
      {"UMSP-8.3-4", must, any, kName, trace, octets,
       "_NAME has HOB 0."},
      {"UMSP-8.3-5", must, any, kName, trace, octets,
       "The name in _NAME is ASCII.", "UMSP/A18"},
      {"UMSP-8.4-1", must, any, kData, trace, octets,
       "_DATA comes with instructions between VMs, and with no other."},
      {"UMSP-8.4-2", must, any, kData, trace, octets,
       "_DATA comes with DATA, WRITE, MVCODE, MVRUN, OBJ_WRITE, NEW, SYS_NEW or NOP.",
       "another one warns: these are those whose sections name the header, which 8.4 does not say to be all"},
      {"UMSP-8.4-3", must, any, kData, none, octets,
       "_DATA is used where the data are not in the operands.", "judged where both are: 6.1.2, 6.1.3, 6.4, 6.6"},
      {"UMSP-8.4-4", must, any, kData, none, octets,
       "_DATA has HEAD_CODE 11.", kCodeNamesIt},
      {"UMSP-8.4-5", must, any, kData, trace, octets,
       "_DATA has a word of DATA at least."},
      {"UMSP-8.4-6", must, any, kData, none, octets,
       "_DATA has 2147483647 words of DATA at most.", "UMSP/A41; 31 bits count no more"},
      {"UMSP-8.4-7", must, any, kData, trace, octets,
       "_DATA has HOB 1."},
      {"UMSP-8.4-8", must, any, kData, stimulus, octets,
       "A receiver takes any octets in _DATA.", {}, {{data_taken_for_text, executor}}},
      {"UMSP-8.5-1", must, any, kLifeTime, none, octets,
       "_LIFE_TIME has HEAD_CODE 12.", kCodeNamesIt},
      {"UMSP-8.5-2", must, any, kLifeTime, trace, octets,
       "_LIFE_TIME has 1 or 2 words of DATA."},
      {"UMSP-8.5-3", must, any, kLifeTime, trace, octets,
       "_LIFE_TIME has HOB 1."},
      {"UMSP-8.5-4", must, any, kLifeTime, none, octets,
       "_LIFE_TIME is a time in units of 1.024 milliseconds, in 2 or 4 octets.",
       "any value is a time; the octets: UMSP-8.5-2"},
      {"UMSP-8.5-5", must, any, kLifeTime, api, octets,
       "The time in the queue to the transport is taken off the lifetime.", kInQueue},
      {"UMSP-8.5-6", must, any, kLifeTime, api, octets,
       "The lifetime is lowered when the transport's packet is formed.", kInQueue},
      {"UMSP-8.5-7", must, any, kLifeTime, stimulus, octets,
       "A receiver counts the lifetime of a fragmented instruction, and of no other.", {},
       {{life_time_counted_whole, executor}}},
      {"UMSP-8.5-8", must, any, kLifeTime, stimulus, octets,
       "A receiver takes the time of assembly off the lifetime of a fragmented instruction.", {},
       {{assembly_not_counted, executor}, {expired_executed, executor}}},
      {"UMSP-8.5-9", must, any, kLifeTime, stimulus, octets,
       "A receiver executes an instruction that is not fragmented, whatever its _LIFE_TIME.", {},
       {{short_life_refused, executor}}},
      {"UMSP-8.5-10", must, any, kLifeTime, api, octets,
       "The value of _LIFE_TIME is passed to the VM of the receiver.", kAboveTheWire},
      {"UMSP-8.5-11", must_not, any, kLifeTime, api, octets,
       "The time on the transport does not count.", "what was counted is not on the wire"},
      {"UMSP-8.5-12", must, any, kLifeTime, none, octets,
       "Of fragments, the first one's time on the transport alone does not count.",
       "a receiver does not know when the first one was sent"},
      {"UMSP-8.5-13", must, any, kLifeTime, api, octets,
       "A sequence is not sent further once the lifetime of one of its instructions is over.", kInQueue},
      {"UMSP-8.5-14", must_not, any, kLifeTime, trace, octets,
       "_LIFE_TIME is not in the instructions of a transaction."},
      {"UMSP-8.5-15", must, any, kLifeTime, trace, absence,
       "Of a fragmented instruction, _LIFE_TIME is in the NOP with the first fragment alone.", {},
       {{own_life_time, initiator}}},
      {"UMSP-8.5-16", must, any, kLifeTime, trace, octets,
       "_LIFE_TIME is taken out of an instruction that is fragmented."},
      {"UMSP-8.5-17", must, any, kLifeTime, api, octets,
       "The rest of the fragments is not sent once the lifetime is over.", kInQueue},
      {"UMSP-8.5-18", must, any, kLifeTime, api, octets,
       "The lifetime is set by the VM of the sender.", kAboveTheWire},
      {"UMSP-8.5-19", must, any, kLifeTime, api, octets,
       "The lifetime goes with the data.", "whether a VM has set one is not on the wire"},
      {"UMSP-8.5-20", must, any, kLifeTime, stimulus, octets,
       "An instruction whose lifetime is over is not executed.", {}, {{expired_executed, executor}}},
      {"UMSP-8.5-21", must, any, kLifeTime, stimulus, absence,
       "An instruction with ASK 1 whose lifetime is over gets a negative response.", {},
       {{expired_unanswered, executor}}},
      {"UMSP-8.5-22", must_not, any, kLifeTime, stimulus, octets,
       "An instruction with ASK 0 whose lifetime is over gets no response.", {}, {{expired_always_answered, executor}}},
      {"UMSP-8.5-23", may, any, kLifeTime, none, octets,
       "Data whose lifetime is nearly over may be sent before others.", "a permission"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::CommonExtensionHeadersRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::CommonExtensionHeadersRules, I> {
};
