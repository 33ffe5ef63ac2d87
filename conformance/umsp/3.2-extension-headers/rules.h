// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct ExtensionHeadersRules : Words {
  static constexpr std::string_view kSection = "RFC 3018 3.2";
  static constexpr std::string_view kReadsAsAnother =
      "the form itself: octets that break it read as another extension header";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-3.2-1", must, any, kSection, none, octets,
       "With EXT 1 there are 1 to 30 extension headers.", "none cannot be; more: UMSP-3.2-30"},
      {"UMSP-3.2-2", may, any, kSection, none, octets,
       "Extension headers carry what the header has no field for.", "a purpose, no demand"},
      {"UMSP-3.2-3", must, any, kSection, none, octets,
       "Data that operands cannot hold go in an extension header.",
       "UMSP/A6; operands cannot be longer, and the instructions' sections say where _DATA belongs"},
      {"UMSP-3.2-4", must, any, kSection, trace, octets,
       "HEAD_CODE is one that the document defines.",
       "UMSP/B25; another one warns: HOB says what becomes of a header that the receiver does not know, so there may "
       "be some"},
      {"UMSP-3.2-5", must, any, kSection, none, octets,
       "The fields come in the order of the figure, without those that are absent.", kReadsAsAnother},
      {"UMSP-3.2-6", must, any, kSection, none, octets,
       "With HXT 0 HEAD_LENGTH counts alone: there is no HEAD_LENGTH_EXT.", kReadsAsAnother},
      {"UMSP-3.2-7", must, any, kSection, none, octets,
       "With HXT 1 HEAD_LENGTH and HEAD_LENGTH_EXT count together, in 31 bits.", kReadsAsAnother},
      {"UMSP-3.2-8", must, any, kSection, none, octets,
       "The length counts words of two octets of DATA.", "UMSP/A18; a wrong count: 5.7.1, 7, 8"},
      {"UMSP-3.2-9", must, any, kSection, none, octets,
       "With HXT 1 HEAD_LENGTH is the upper 7 bits of the length.", kReadsAsAnother},
      {"UMSP-3.2-10", must, any, kSection, none, octets,
       "With HXT 1 HEAD_LENGTH_EXT is the lower 24 bits of the length.", kReadsAsAnother},
      {"UMSP-3.2-11", must, any, kSection, none, octets,
       "HSL is 1 in the last extension header.", "without it another header is read"},
      {"UMSP-3.2-12", must, any, kSection, stimulus, octets,
       "A receiver takes what is behind an extension header with HSL 1 for operands.", {},
       {{last_header_overlooked, executor}}},
      {"UMSP-3.2-13", must, any, kSection, none, octets,
       "HSL is 0 in the extension headers in front of the last.", "with it operands are read"},
      {"UMSP-3.2-14", must_not, any, kSection, stimulus, octets,
       "An instruction with an extension header of HOB 1 that the receiver cannot process is not executed.",
       "UMSP/B25", {{obligatory_headers_ignored, executor}}},
      {"UMSP-3.2-15", must, any, kSection, stimulus, absence,
       "Such an instruction with ASK 1 gets a negative response.", "UMSP/B25",
       {{obligatory_headers_ignored, executor}, {obligatory_header_unanswered, executor}}},
      {"UMSP-3.2-16", must, any, kSection, stimulus, octets,
       "An unknown extension header of HOB 0 has no influence: the instruction is executed.", {},
       {{unknown_headers_refused, executor}}},
      {"UMSP-3.2-17", must, any, kSection, stimulus, octets,
       "A receiver processes all extension headers, those behind a faulty one too.", {},
       {{obligatory_headers_ignored, executor}, {headers_behind_unknown_ignored, executor}}},
      {"UMSP-3.2-18", must_not, any, kSection, stimulus, octets,
       "A receiver does not look at HRZ.", {}, {{reserved_bits_checked, executor}}},
      {"UMSP-3.2-19", must, any, kSection, trace, octets,
       "HRZ is sent as 0."},
      {"UMSP-3.2-20", must, any, kSection, none, octets,
       "With HXT 0 HEAD_CODE alone is the code.", kReadsAsAnother},
      {"UMSP-3.2-21", must, any, kSection, none, octets,
       "With HXT 1 HEAD_CODE is the upper 5 bits of the code, and HEAD_CODE_EXT the lower 8.", kReadsAsAnother},
      {"UMSP-3.2-22", must, any, kSection, none, octets,
       "With HXT 0 there is no HEAD_CODE_EXT.", kReadsAsAnother},
      {"UMSP-3.2-23", must, any, kSection, none, octets,
       "With HXT 0 there is no RESERVED.", kReadsAsAnother},
      {"UMSP-3.2-24", must_not, any, kSection, stimulus, octets,
       "A receiver does not look at RESERVED.", {}, {{reserved_bits_checked, executor}}},
      {"UMSP-3.2-25", must, any, kSection, trace, octets,
       "RESERVED is sent as 0."},
      {"UMSP-3.2-26", must, any, kSection, none, octets,
       "With HXT 0 DATA has 254 octets at most.", "7 bits count no more"},
      {"UMSP-3.2-27", must, any, kSection, none, octets,
       "With HXT 1 DATA has 4294967294 octets at most.", "UMSP/A41; 31 bits count no more"},
      {"UMSP-3.2-28", must, any, kSection, none, octets,
       "DATA is as the code defines it.", "judged by code: 5.7.1, 7, 8"},
      {"UMSP-3.2-29", must, any, kSection, none, octets,
       "A receiver processes extension headers in their order.",
       "only headers of one code depend on their order, such as _SET_MBASE (7.6), which a receiver's execution shows"},
      {"UMSP-3.2-30", must_not, any, kSection, trace, octets,
       "No instruction has more than 30 extension headers."},
      {"UMSP-3.2-31", must_not, any, kSection, stimulus, octets,
       "An instruction with more than 30 extension headers is not executed.", {}, {{many_headers_executed, executor}}},
      {"UMSP-3.2-32", must, any, kSection, stimulus, absence,
       "The receiver of more than 30 extension headers breaks off the session.", "UMSP/A18c",
       {{many_headers_executed, executor}, {many_headers_refused, executor}}},
      {"UMSP-3.2-33", must, any, kSection, stimulus, octets,
       "A receiver takes the codes 0 to 30 in the short and in the extended form.", {},
       {{unknown_headers_refused, executor}, {extended_heads_refused, executor}}},
      {"UMSP-3.2-34", must, any, kSection, trace, octets,
       "A code of 31 or more comes in the extended form.", "UMSP/A18b"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ExtensionHeadersRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ExtensionHeadersRules, I> {
};
