// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct ExtensionHeadersRules : Words {
  static constexpr std::string_view kSection = "RFC 3018 3.2";
  static constexpr std::string_view kReadsAsAnother =
      "The form itself: octets that break it read as another extension header";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-3.2-1", must, any, kSection, none, octets,
       "If EXT is 1, the instruction has 1 to 30 extension headers.", "There cannot be none; UMSP-3.2-30 judges more"},
      {"UMSP-3.2-2", may, any, kSection, none, octets,
       "Extension headers may carry information that the header has no field for.", "A purpose, not a requirement"},
      {"UMSP-3.2-3", must, any, kSection, none, octets,
       "A sender puts data that is too long for operands into an extension header.",
       "UMSP/A6; operands cannot be longer, and the sections of the instructions define the use of _DATA"},
      {"UMSP-3.2-4", must, any, kSection, trace, octets,
       "A sender uses only HEAD_CODEs that the document defines.",
       "UMSP/B25; others are a warning: HOB defines how a receiver handles an unknown header, so there may be some"},
      {"UMSP-3.2-5", must, any, kSection, none, octets,
       "The fields of an extension header have the order of the figure; fields that are absent take no room.",
       kReadsAsAnother},
      {"UMSP-3.2-6", must, any, kSection, none, octets,
       "If HXT is 0, HEAD_LENGTH alone gives the length, and HEAD_LENGTH_EXT is absent.", kReadsAsAnother},
      {"UMSP-3.2-7", must, any, kSection, none, octets,
       "If HXT is 1, HEAD_LENGTH and HEAD_LENGTH_EXT together give the length, in 31 bits.", kReadsAsAnother},
      {"UMSP-3.2-8", must, any, kSection, none, octets,
       "The length of an extension header is that of DATA, in words of two octets.",
       "UMSP/A18; 5.7.1, 7 and 8 judge a wrong count"},
      {"UMSP-3.2-9", must, any, kSection, none, octets,
       "If HXT is 1, HEAD_LENGTH is the upper 7 bits of the length.", kReadsAsAnother},
      {"UMSP-3.2-10", must, any, kSection, none, octets,
       "If HXT is 1, HEAD_LENGTH_EXT is the lower 24 bits of the length.", kReadsAsAnother},
      {"UMSP-3.2-11", must, any, kSection, none, octets,
       "The last extension header of an instruction has HSL 1.", "Without it, the receiver reads another header"},
      {"UMSP-3.2-12", must, any, kSection, stimulus, octets,
       "A receiver takes what follows an extension header with HSL 1 as operands.", {},
       {{last_header_overlooked, executor}}},
      {"UMSP-3.2-13", must, any, kSection, none, octets,
       "All extension headers before the last one have HSL 0.", "With HSL 1, the receiver reads operands"},
      {"UMSP-3.2-14", must_not, any, kSection, stimulus, octets,
       "A receiver does not execute an instruction that has an extension header with HOB 1 that it cannot process.",
       "UMSP/B25", {{obligatory_headers_ignored, executor}}},
      {"UMSP-3.2-15", must, any, kSection, stimulus, absence,
       "If an instruction has ASK 1 and an extension header with HOB 1 that the receiver cannot process, it gets a "
       "negative response.", "UMSP/B25",
       {{obligatory_headers_ignored, executor}, {obligatory_header_unanswered, executor}}},
      {"UMSP-3.2-16", must, any, kSection, stimulus, octets,
       "A receiver ignores an unknown extension header with HOB 0 and executes the instruction.", {},
       {{unknown_headers_refused, executor}}},
      {"UMSP-3.2-17", must, any, kSection, stimulus, octets,
       "A receiver processes all extension headers, including those after a faulty one.", {},
       {{obligatory_headers_ignored, executor}, {headers_behind_unknown_ignored, executor}}},
      {"UMSP-3.2-18", must_not, any, kSection, stimulus, octets,
       "A receiver ignores the value of HRZ.", {}, {{reserved_bits_checked, executor}}},
      {"UMSP-3.2-19", must, any, kSection, trace, octets,
       "A sender sets HRZ to 0."},
      {"UMSP-3.2-20", must, any, kSection, none, octets,
       "If HXT is 0, HEAD_CODE alone is the code.", kReadsAsAnother},
      {"UMSP-3.2-21", must, any, kSection, none, octets,
       "If HXT is 1, HEAD_CODE is the upper 5 bits of the code, and HEAD_CODE_EXT is the lower 8.", kReadsAsAnother},
      {"UMSP-3.2-22", must, any, kSection, none, octets,
       "If HXT is 0, HEAD_CODE_EXT is absent.", kReadsAsAnother},
      {"UMSP-3.2-23", must, any, kSection, none, octets,
       "If HXT is 0, RESERVED is absent.", kReadsAsAnother},
      {"UMSP-3.2-24", must_not, any, kSection, stimulus, octets,
       "A receiver ignores the value of RESERVED.", {}, {{reserved_bits_checked, executor}}},
      {"UMSP-3.2-25", must, any, kSection, trace, octets,
       "A sender sets RESERVED to 0."},
      {"UMSP-3.2-26", must, any, kSection, none, octets,
       "If HXT is 0, DATA has at most 254 octets.", "7 bits cannot count more"},
      {"UMSP-3.2-27", must, any, kSection, none, octets,
       "If HXT is 1, DATA has at most 4294967294 octets.", "UMSP/A41; 31 bits cannot count more"},
      {"UMSP-3.2-28", must, any, kSection, none, octets,
       "DATA has the format that the code defines.", "Sections 5.7.1, 7 and 8 judge it for each code"},
      {"UMSP-3.2-29", must, any, kSection, none, octets,
       "A receiver processes extension headers in the order in which they follow each other.",
       "The order matters only for headers of one code, such as _SET_MBASE (7.6), and shows when a receiver executes"},
      {"UMSP-3.2-30", must_not, any, kSection, trace, octets,
       "An instruction does not have more than 30 extension headers."},
      {"UMSP-3.2-31", must_not, any, kSection, stimulus, octets,
       "A receiver does not execute an instruction that has more than 30 extension headers.", {},
       {{many_headers_executed, executor}}},
      {"UMSP-3.2-32", must, any, kSection, stimulus, absence,
       "A receiver of more than 30 extension headers in an instruction breaks off its session.", "UMSP/A18c",
       {{many_headers_executed, executor}, {many_headers_refused, executor}}},
      {"UMSP-3.2-33", must, any, kSection, stimulus, octets,
       "A receiver accepts the codes 0 to 30 in both the short and the extended form.", {},
       {{unknown_headers_refused, executor}, {extended_heads_refused, executor}}},
      {"UMSP-3.2-34", must, any, kSection, trace, octets,
       "A sender uses the extended form for codes of 31 or more.", "UMSP/A18b"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ExtensionHeadersRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ExtensionHeadersRules, I> {
};
