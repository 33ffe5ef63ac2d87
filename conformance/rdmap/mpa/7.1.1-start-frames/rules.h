// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaStartFramesRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 7.1.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-7.1.1-1", must, initiator, kSection, trace, order,
       "The Initiator's start frame begins with the key \"MPA ID Req Frame\".",
       "Octets of the ULP may come first. If the other side has not used MPA either, the connection may not be iWARP: "
       "a warning.", {key_wrong}},
      {"MPA-7.1.1-2", must, responder, kSection, stimulus, octets,
       "The Responder checks the key of the Request, and closes the connection if it is wrong.",
       "Section 7.1.2, rule 5, says the same.", {accepts_bad_key}},
      {"MPA-7.1.1-3", must, responder, kSection, trace, order,
       "The Responder's start frame begins with the key \"MPA ID Rep Frame\".", {}, {key_wrong}},
      {"MPA-7.1.1-4", must, initiator, kSection, stimulus, octets,
       "The Initiator checks the key of the Reply, and closes the connection if it is wrong.",
       "Section 7.1.2, rule 5, says the same.", {accepts_bad_key}},
      {"MPA-7.1.1-5", must_not, any, kSection, trace, octets,
       "A sender whose peer has not set M sends no markers.", {}, {markers_unasked}},
      {"MPA-7.1.1-6", must_not, responder, kSection, stimulus, octets,
       "The Responder does not check R in a Request.", {}, {closes_on_rejected_bit_in_request}},
      {"MPA-7.1.1-7", must, initiator, kSection, trace, octets,
       "The Initiator sets R to zero in a Request.", "The text says \"is set to zero\".", {rejected_bit_in_request}},
      {"MPA-7.1.1-8", must, any, kSection, trace, octets,
       "A sender sets the reserved bits of a start frame to zero.",
       "Four bits, as RFC 6581 uses the fifth for S; ECE-6-1 judges S in a frame of revision 1 (RDMAP/A-30).",
       {start_reserved_set}},
      {"MPA-7.1.1-9", must_not, any, kSection, stimulus, octets,
       "A receiver accepts a start frame whatever its reserved bits are.", {}, {closes_on_reserved_bits}},
      {"MPA-7.1.1-10", must, any, kSection, trace, octets,
       "The revision of a start frame is 1, or 2 by RFC 6581; 0 is the RDMA Consortium's.",
       "RDMAP/A-11, RDMAP/A-30. RFC 6581 lets a sender use \"two or higher\", but nothing defines more than 2: a "
       "warning.", {revision_zero, {revision_three, warning}}},
      {"MPA-7.1.1-11", must, any, kSection, stimulus, octets,
       "A receiver checks the revision, and closes the connection if it cannot interoperate with it.",
       "RDMAP/A-30: a receiver may support more revisions than it must.",
       {{accepts_any_revision, warning}, dies_of_bad_start}},
      {"MPA-7.1.1-12", should, any, kSection, api, octets,
       "MPA reports the received revision to the ULP.", "The interface to the ULP shows it."},
      {"MPA-7.1.1-13", must, any, kSection, trace, absence,
       "PD_Length is the length of the private data that follows it.",
       "Seen if a side ends its stream before all of it has come. Octets after too short a PD_Length count as an FPDU "
       "that comes too early (MPA-7.1.2-6, MPA-7.1.2-12)."},
      {"MPA-7.1.1-14", must, any, kSection, trace, octets,
       "A sender sends at most 512 octets of private data.", {}, {private_data_too_long}},
      {"MPA-7.1.1-15", must, any, kSection, stimulus, octets,
       "A receiver closes the connection if PD_Length is above 512.", "Section 7.1.2, rule 9, says the same.",
       {accepts_long_private_data}},
      {"MPA-7.1.1-16", must, any, kSection, stimulus, octets,
       "A receiver closes the connection if the private data does not have the length that PD_Length gives.",
       "Data that is too short counts only when the stream ends. Section 7.1.2, rule 9, says the same; rule 10 leaves "
       "the time to the implementation, so silence is a warning.",
       {{accepts_octets_behind_request, warning}, {dies_of_bad_start, responder},
        {dies_of_bad_start, initiator, warning}}},
      {"MPA-7.1.1-17", should, any, kSection, api, octets,
       "MPA passes PD_Length and private data to the ULP.", "RDMAP/V-06: the events of librdmacm show it.",
       {{private_data_not_passed, "verbs pair"}}},
      {"MPA-7.1.1-18", must, any, kSection, api, octets,
       "A receiver that closes the connection at start-up reports the cause locally as an error.",
       "An event of librdmacm shows it to an initiator; a responder's application does not yet know of the "
       "connection.", {{start_error_not_reported, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaStartFramesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaStartFramesRules, I> {
};
