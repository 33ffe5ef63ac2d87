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
  static constexpr std::string_view kCodeNamesIt = "The code names the header";
  static constexpr std::string_view kInQueue = "How long an instruction has waited is not on the wire";
  static constexpr std::string_view kAboveTheWire = "What VMs and applications do is not on the wire";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-8.1-1", must, any, kAlignment, none, octets,
       "_ALIGNMENT aligns what follows to a multiple of 4 to 16 octets.", "UMSP/A38; senders may use it freely"},
      {"UMSP-8.1-2", must, any, kAlignment, stimulus, octets,
       "A receiver accepts _ALIGNMENT anywhere.", "UMSP/A38", {{alignment_refused, executor}}},
      {"UMSP-8.1-3", must, any, kAlignment, none, octets,
       "_ALIGNMENT has HEAD_CODE 8.", kCodeNamesIt},
      {"UMSP-8.1-4", must, any, kAlignment, trace, octets,
       "_ALIGNMENT has 1 to 7 words of DATA.", "UMSP/A38"},
      {"UMSP-8.1-5", must, any, kAlignment, trace, octets,
       "_ALIGNMENT has HOB 0."},
      {"UMSP-8.1-6", must, any, kAlignment, trace, octets,
       "A sender sets DATA of _ALIGNMENT to zero."},
      {"UMSP-8.1-7", must, any, kAlignment, none, octets,
       "Extension headers and operands begin at an even octet.",
       "The parts before them are counted in words of two octets"},
      {"UMSP-8.2-1", must, any, kMsg, trace, octets,
       "The text of _MSG is ASCII."},
      {"UMSP-8.2-2", may, any, kMsg, none, octets,
       "A receiver may log, display or ignore _MSG.", "A permission"},
      {"UMSP-8.2-3", must, any, kMsg, none, octets,
       "_MSG has HEAD_CODE 9.", kCodeNamesIt},
      {"UMSP-8.2-4", must, any, kMsg, trace, octets,
       "_MSG has 1 to 127 words of DATA.", "UMSP/A18"},
      {"UMSP-8.2-5", must, any, kMsg, trace, octets,
       "_MSG has HOB 0."},
      {"UMSP-8.2-6", must, any, kMsg, stimulus, octets,
       "A receiver accepts several _MSG headers in one instruction.", {}, {{second_msg_refused, executor}}},
      {"UMSP-8.3-1", must, any, kName, none, octets,
       "_NAME names a job, a VM, an object or a procedure.",
       "UMSP/A35; the instruction defines what the name belongs to"},
      {"UMSP-8.3-2", must, any, kName, none, octets,
       "_NAME has HEAD_CODE 10.", kCodeNamesIt},
      {"UMSP-8.3-3", must, any, kName, trace, octets,
       "_NAME has 1 to 127 words of DATA.", "UMSP/A18, UMSP/A39"},
      {"UMSP-8.3-4", must, any, kName, trace, octets,
       "_NAME has HOB 0."},
      {"UMSP-8.3-5", must, any, kName, trace, octets,
       "The name in _NAME is ASCII.", "UMSP/A18"},
      {"UMSP-8.4-1", must, any, kData, trace, octets,
       "Only instructions between VMs have a _DATA header."},
      {"UMSP-8.4-2", must, any, kData, trace, octets,
       "Only DATA, WRITE, MVCODE, MVRUN, OBJ_WRITE, NEW, SYS_NEW and NOP have a _DATA header.",
       "Another one is a warning: the sections of these instructions name the header, but 8.4 gives no complete list"},
      {"UMSP-8.4-3", must, any, kData, none, octets,
       "A sender uses _DATA if the data is not in the operands.", "Judged if both have data: 6.1.2, 6.1.3, 6.4, 6.6"},
      {"UMSP-8.4-4", must, any, kData, none, octets,
       "_DATA has HEAD_CODE 11.", kCodeNamesIt},
      {"UMSP-8.4-5", must, any, kData, trace, octets,
       "_DATA has at least one word of DATA."},
      {"UMSP-8.4-6", must, any, kData, none, octets,
       "_DATA has at most 2147483647 words of DATA.", "UMSP/A41; 31 bits cannot count more"},
      {"UMSP-8.4-7", must, any, kData, trace, octets,
       "_DATA has HOB 1."},
      {"UMSP-8.4-8", must, any, kData, stimulus, octets,
       "A receiver accepts any octets in _DATA.", {}, {{data_taken_for_text, executor}}},
      {"UMSP-8.5-1", must, any, kLifeTime, none, octets,
       "_LIFE_TIME has HEAD_CODE 12.", kCodeNamesIt},
      {"UMSP-8.5-2", must, any, kLifeTime, trace, octets,
       "_LIFE_TIME has 1 or 2 words of DATA."},
      {"UMSP-8.5-3", must, any, kLifeTime, trace, octets,
       "_LIFE_TIME has HOB 1."},
      {"UMSP-8.5-4", must, any, kLifeTime, none, octets,
       "DATA of _LIFE_TIME is a time in units of 1.024 milliseconds, in 2 or 4 octets.",
       "Any value is a time; UMSP-8.5-2 judges the length"},
      {"UMSP-8.5-5", must, any, kLifeTime, api, octets,
       "A sender subtracts the time in the queue to the transport from the lifetime.", kInQueue},
      {"UMSP-8.5-6", must, any, kLifeTime, api, octets,
       "A sender reduces the lifetime when it forms the packet for the transport.", kInQueue},
      {"UMSP-8.5-7", must, any, kLifeTime, stimulus, octets,
       "A receiver counts the lifetime only of a fragmented instruction.", {}, {{life_time_counted_whole, executor}}},
      {"UMSP-8.5-8", must, any, kLifeTime, stimulus, octets,
       "A receiver subtracts the time of reassembly from the lifetime of a fragmented instruction.", {},
       {{assembly_not_counted, executor}, {expired_executed, executor}}},
      {"UMSP-8.5-9", must, any, kLifeTime, stimulus, octets,
       "A receiver executes an unfragmented instruction, whatever its _LIFE_TIME is.", {},
       {{short_life_refused, executor}}},
      {"UMSP-8.5-10", must, any, kLifeTime, api, octets,
       "A receiver passes the value of _LIFE_TIME to the VM.", kAboveTheWire},
      {"UMSP-8.5-11", must_not, any, kLifeTime, api, octets,
       "The lifetime does not include the time on the transport.", "The wire does not show what was counted"},
      {"UMSP-8.5-12", must, any, kLifeTime, none, octets,
       "For a fragmented instruction, only the first fragment's time on the transport is not counted.",
       "A receiver does not know when the first one was sent"},
      {"UMSP-8.5-13", must, any, kLifeTime, api, octets,
       "A sender stops sending a sequence when the lifetime of one of its instructions has ended.", kInQueue},
      {"UMSP-8.5-14", must_not, any, kLifeTime, trace, octets,
       "A sender does not put _LIFE_TIME into the instructions of a transaction."},
      {"UMSP-8.5-15", must, any, kLifeTime, trace, absence,
       "For a fragmented instruction, only the NOP with the first fragment has _LIFE_TIME.", {},
       {{own_life_time, initiator}}},
      {"UMSP-8.5-16", must, any, kLifeTime, trace, octets,
       "A sender removes _LIFE_TIME from an instruction that it fragments."},
      {"UMSP-8.5-17", must, any, kLifeTime, api, octets,
       "A sender does not send the remaining fragments after the lifetime has ended.", kInQueue},
      {"UMSP-8.5-18", must, any, kLifeTime, api, octets,
       "The VM of the sender sets the lifetime.", kAboveTheWire},
      {"UMSP-8.5-19", must, any, kLifeTime, api, octets,
       "A sender sends the lifetime together with the data.", "The wire does not show whether a VM has set one"},
      {"UMSP-8.5-20", must, any, kLifeTime, stimulus, octets,
       "A receiver does not execute an instruction whose lifetime has ended.", {}, {{expired_executed, executor}}},
      {"UMSP-8.5-21", must, any, kLifeTime, stimulus, absence,
       "A receiver sends a negative response to an instruction with ASK 1 whose lifetime has ended.", {},
       {{expired_unanswered, executor}}},
      {"UMSP-8.5-22", must_not, any, kLifeTime, stimulus, octets,
       "A receiver does not answer an instruction with ASK 0 whose lifetime has ended.", {},
       {{expired_always_answered, executor}}},
      {"UMSP-8.5-23", may, any, kLifeTime, none, octets,
       "A sender may send data whose lifetime ends soon before other data.", "A permission"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::CommonExtensionHeadersRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::CommonExtensionHeadersRules, I> {
};
