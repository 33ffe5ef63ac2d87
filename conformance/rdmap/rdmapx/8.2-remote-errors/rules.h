// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct RemoteErrorsRules : Words {
  static constexpr std::string_view kSection = "RFC 7306 8.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAPX-8.2-1", must, any, kSection, stimulus, octets,
       "DDP validates all fields of the segments of these messages.", {},
       {{accepts_wrong_queue, "rfc7306"}, {accepts_msn, "rfc7306"}, {accepts_extension_mo, "rfc7306"},
        {accepts_extension_mo, "extended"}, {accepts_wrong_queue, "extended"}}},
      {"RDMAPX-8.2-2", must, any, kSection, stimulus, octets,
       "A receiver validates the opcode, and answers an unknown one with 0/2/06.",
       "RDMAP/A-10, RDMAP/A-21: a receiver that does not support these messages answers this", {accepts_opcode}},
      {"RDMAPX-8.2-3", must, any, kSection, stimulus, octets,
       "A receiver validates the RDMAP version of these messages.", {}, {{accepts_rdmap_version, "rfc7306"}}},
      {"RDMAPX-8.2-4", must, any, kSection, stimulus, octets,
       "A responder checks that the target of an Atomic Request is aligned."},
      {"RDMAPX-8.2-5", must, any, kSection, stimulus, octets,
       "A responder answers a target that is not aligned with a Terminate 0/2/07.", {},
       {{terminate_code_wrong, "rfc7306"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::RemoteErrorsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::RemoteErrorsRules, I> {
};
