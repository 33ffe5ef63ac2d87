// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EcePeerToPeerRules : Words {
  static constexpr std::string_view kSection = "RFC 6581 9.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-9.2-1", must, initiator, kSection, trace, octets,
       "If A is zero in a request, B, C and D are zero.", {}, {enhanced_rtr_bits_without_a}},
      {"ECE-9.2-2", must, responder, kSection, trace, octets,
       "If A is zero in a reply, B, C and D are zero.", {}, {enhanced_rtr_bits_without_a}},
      {"ECE-9.2-3", must, initiator, kSection, trace, octets,
       "An initiator that sets A sets at least one of B, C and D, for all kinds that it supports.",
       "An initiator that supports none cannot do what it requests: a warning, as no sentence forbids it.",
       {{enhanced_no_rtr_bits, warning}}},
      {"ECE-9.2-4", must, responder, kSection, trace, octets,
       "If A is set in a request, the responder sets A in its reply.", "Only for an accepting reply.",
       {enhanced_a_not_echoed, enhanced_little_endian}},
      {"ECE-9.2-5", must, responder, kSection, trace, octets,
       "If A is zero in a request, the responder leaves A zero in its reply.", "Only for an accepting reply.",
       {enhanced_a_unasked}},
      {"ECE-9.2-6", must, responder, kSection, none, octets,
       "A responder of enhanced connections supports at least one kind of ready-to-receive indication.",
       "Its reply names it: ECE-9.2-7."},
      {"ECE-9.2-7", must, responder, kSection, trace, octets,
       "A responder that sets A sets at least one of B, C and D, even if the initiator did not name it.",
       "For exactly one common kind, the text has only a SHOULD; but with none set, the initiator could never do what "
       "A requests.", {enhanced_no_rtr_bits, zero_length_read_unanswered, zero_length_write_checked}},
      {"ECE-9.2-8", should, responder, kSection, api, octets,
       "The responder sets the flag of each kind that both sides support.",
       "Only the responder knows what it supports; it need not name all."},
      {"ECE-9.2-10", must, initiator, kSection, stimulus, octets,
       "An initiator that can send none of the reply's indications sends a Terminate 2/0/07 and ends the connection.",
       {}, {rtr_mismatch_ignored}},
      {"ECE-9.2-11", must, any, kSection, stimulus, octets,
       "If A is zero, a receiver ignores B, C and D.", {}, {enhanced_a_unasked}},
      {"ECE-9.2-12", must, initiator, kSection, api, octets,
       "The initiator sets A for the peer-to-peer model, and clears it for the client-server model.",
       "The ULP decides on the model."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EcePeerToPeerRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EcePeerToPeerRules, I> {
};
