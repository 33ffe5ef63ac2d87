// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EcePeerToPeerRules : Words {
  static constexpr std::string_view kSection = "RFC 6581 9.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-9.2-1", must, initiator, kSection, trace, octets,
       "With A zero, B, C and D of a request are zero.", {}, {enhanced_rtr_bits_without_a}},
      {"ECE-9.2-2", must, responder, kSection, trace, octets,
       "With A zero, B, C and D of a reply are zero.", {}, {enhanced_rtr_bits_without_a}},
      {"ECE-9.2-3", must, initiator, kSection, trace, octets,
       "With A set, the initiator sets B, C and D for all that it supports: at least one of them.",
       "An initiator that supports none cannot do what it asks for: warned, as no sentence forbids it.",
       {{enhanced_no_rtr_bits, warning}}},
      {"ECE-9.2-4", must, responder, kSection, trace, octets,
       "The reply to a request with A set has A set.", "Of an accepting reply.",
       {enhanced_a_not_echoed, enhanced_little_endian}},
      {"ECE-9.2-5", must, responder, kSection, trace, octets,
       "The reply to a request with A zero has A zero.", "Of an accepting reply.", {enhanced_a_unasked}},
      {"ECE-9.2-6", must, responder, kSection, none, octets,
       "A responder of enhanced connections supports at least one kind of ready-to-receive indication.",
       "Its reply names it: ECE-9.2-7."},
      {"ECE-9.2-7", must, responder, kSection, trace, octets,
       "A reply with A set has at least one of B, C and D set, whether or not the initiator had named it.",
       "The text has a hole where just one kind is common to both (SHOULD); but with none set the initiator could "
       "never do what A asks of it.", {enhanced_no_rtr_bits, zero_length_read_unanswered, zero_length_write_checked}},
      {"ECE-9.2-8", should, responder, kSection, api, octets,
       "The reply sets the flag of each kind that both support.",
       "What the responder supports is known there alone; it is not required to name all."},
      {"ECE-9.2-10", must, initiator, kSection, stimulus, octets,
       "An initiator that can give none of the reply's indications sends a Terminate 2/0/07 and ends the connection.",
       {}, {rtr_mismatch_ignored}},
      {"ECE-9.2-11", must, any, kSection, stimulus, octets,
       "With A zero, B, C and D are ignored when they come.", {}, {enhanced_a_unasked}},
      {"ECE-9.2-12", must, initiator, kSection, api, octets,
       "The initiator sets A for the peer-to-peer model, and leaves it zero for client and server.",
       "Which model is wanted is the ULP's to say."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EcePeerToPeerRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EcePeerToPeerRules, I> {
};
