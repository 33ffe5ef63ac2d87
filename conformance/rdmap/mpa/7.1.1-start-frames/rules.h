// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaStartFramesRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 7.1.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-7.1.1-1", must, initiator, kSection, trace, order,
       "The Initiator's frame begins with the key \"MPA ID Req Frame\".",
       "Octets of the ULP may come first. Where the other side has shown no MPA either, the connection may not be "
       "meant to be iWARP: warned.", {key_wrong}},
      {"MPA-7.1.1-2", must, responder, kSection, stimulus, octets,
       "The Responder checks the key of the Request, and closes the connection on any other.",
       "Section 7.1.2, rule 5, says the same.", {accepts_bad_key}},
      {"MPA-7.1.1-3", must, responder, kSection, trace, order,
       "The Responder's frame begins with the key \"MPA ID Rep Frame\".", {}, {key_wrong}},
      {"MPA-7.1.1-4", must, initiator, kSection, stimulus, octets,
       "The Initiator checks the key of the Reply, and closes the connection on any other.",
       "Section 7.1.2, rule 5, says the same.", {accepts_bad_key}},
      {"MPA-7.1.1-5", must_not, any, kSection, trace, octets,
       "A side whose peer has not set M puts no markers into what it sends.", {}, {markers_unasked}},
      {"MPA-7.1.1-6", must_not, responder, kSection, stimulus, octets,
       "The Responder does not check R in a Request.", {}, {closes_on_rejected_bit_in_request}},
      {"MPA-7.1.1-7", must, initiator, kSection, trace, octets,
       "R is zero in a Request.", "The text says \"is set to zero\".", {rejected_bit_in_request}},
      {"MPA-7.1.1-8", must, any, kSection, trace, octets,
       "The reserved bits of a start frame are zero.",
       "Four bits, as RFC 6581 has taken the fifth for S; S in a frame of revision 1 is judged as ECE-6-1 "
       "(RDMAP/A-30).", {start_reserved_set}},
      {"MPA-7.1.1-9", must_not, any, kSection, stimulus, octets,
       "A receiver does not check the reserved bits: a frame is taken whatever they are.", {},
       {closes_on_reserved_bits}},
      {"MPA-7.1.1-10", must, any, kSection, trace, octets,
       "The revision of a start frame is 1, or 2 by RFC 6581; 0 is the RDMA Consortium's.",
       "RDMAP/A-11, RDMAP/A-30. RFC 6581 lets a sender use \"two or higher\", but nothing defines more than 2: warned.",
       {revision_zero, {revision_three, warning}}},
      {"MPA-7.1.1-11", must, any, kSection, stimulus, octets,
       "A receiver checks the revision, and closes the connection where it cannot interoperate with it.",
       "RDMAP/A-30: a receiver may be able to interoperate with more revisions than it need.",
       {{accepts_any_revision, warning}, dies_of_bad_start}},
      {"MPA-7.1.1-12", should, any, kSection, api, octets,
       "The revision that came is reported to the ULP.", "The interface to the ULP shows it."},
      {"MPA-7.1.1-13", must, any, kSection, trace, absence,
       "PD_Length is the length of the private data that follows it.",
       "Seen where a side ends its stream before all of it has come; what follows too short a PD_Length is taken for "
       "an FPDU that comes too early (MPA-7.1.2-6)."},
      {"MPA-7.1.1-14", must, any, kSection, trace, octets,
       "There are at most 512 octets of private data.", {}, {private_data_too_long}},
      {"MPA-7.1.1-15", must, any, kSection, stimulus, octets,
       "A receiver closes the connection on a PD_Length above 512.", "Section 7.1.2, rule 9, says the same.",
       {accepts_long_private_data}},
      {"MPA-7.1.1-16", must, any, kSection, stimulus, octets,
       "A receiver closes the connection where the private data is not as long as PD_Length says.",
       "Of data that is too short only where the stream ends. Section 7.1.2, rule 9, says the same; rule 10 leaves "
       "the time to the implementation, so that silence is warned of.",
       {{accepts_octets_behind_request, warning}, {dies_of_bad_start, responder},
        {dies_of_bad_start, initiator, warning}}},
      {"MPA-7.1.1-17", should, any, kSection, api, octets,
       "PD_Length and private data are passed to the ULP.", "RDMAP/V-06: the events of librdmacm show it.",
       {{private_data_not_passed, "verbs pair"}}},
      {"MPA-7.1.1-18", must, any, kSection, api, octets,
       "What makes a receiver close the connection at start-up is reported locally as an error.",
       "An event of librdmacm shows it to an initiator; a responder's application does not know of the connection yet.",
       {{start_error_not_reported, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaStartFramesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaStartFramesRules, I> {
};
