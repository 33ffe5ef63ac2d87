// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaStartupRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 7.1.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-7.1.2-1", must, initiator, kSection, stimulus, octets,
       "The Initiator sends a valid Request.",
       "What is wrong with one that is whole is judged by the rules of 7.1.1.",
       {key_of_other_role, private_data_length_long, request_cut}},
      {"MPA-7.1.2-2", must, responder, kSection, trace, order,
       "The Responder sends its Reply only when a Request has come.", {}, {reply_before_request}},
      {"MPA-7.1.2-3", must, responder, kSection, stimulus, octets,
       "On a Request that is not properly formatted the Responder closes the connection.", {}, {accepts_bad_key}},
      {"MPA-7.1.2-4", should, responder, kSection, api, octets,
       "Private data that is not acceptable is answered by a Reply with R=1.",
       "What is acceptable is the ULP's to say, by rdma_reject. Rules 2 and 6 both ask for it.",
       {{reject_closes, "verbs"}}},
      {"MPA-7.1.2-5", should, responder, kSection, trace, octets,
       "A proper Request with acceptable private data is answered by a Reply with R=0.",
       "RDMAP/A-63: a Request that is never answered, by anything, is warned of, as the ULP may take its time. "
       "RDMAP/A-64: so is the close on private data that is longer than the responder's buffer.",
       {key_of_other_role, private_data_length_long, reply_missing, rejects_everything}},
      {"MPA-7.1.2-6", must, initiator, kSection, trace, order,
       "The Initiator sends nothing behind its Request before the Reply has come.",
       "Rule 3, and the note to rule 2: FPDUs before the Reply are not possible.",
       {private_data_length_short, request_twice, fpdu_before_reply}},
      {"MPA-7.1.2-7", must, initiator, kSection, stimulus, octets,
       "On a Reply that is not properly formatted the Initiator closes the connection.",
       "RDMAP/A-34: an Initiator that sends a Terminate 2/0/04 first is warned.", {accepts_bad_key}},
      {"MPA-7.1.2-8", must, responder, kSection, trace, octets,
       "A Responder that has rejected the connection has left MPA: it sends no FPDU.",
       "RDMAP/A-31: closing the connection, leaving it open and using it for something else are all right. An FPDU "
       "is known by its CRC.", {{fpdu_after_rejection, "needs-reads"}}},
      {"MPA-7.1.2-9", must, initiator, kSection, trace, octets,
       "An Initiator that has been rejected leaves MPA: it sends no FPDU.", "RDMAP/A-31, as MPA-7.1.2-8.",
       {fpdu_after_rejection}},
      {"MPA-7.1.2-10", must, initiator, kSection, stimulus, octets,
       "An Initiator to which a Request comes takes it for what it is, and closes the connection.", {},
       {accepts_bad_key}},
      {"MPA-7.1.2-11", should, initiator, kSection, stimulus, octets,
       "An Initiator that has been accepted enters Full Operation.", {}, {revision_zero}},
      {"MPA-7.1.2-12", must, responder, kSection, trace, order,
       "The Responder sends no FPDU and no marker before it has received an FPDU.",
       "RDMAP/A-32: the only exception, on an enhanced connection, is a Terminate of RFC 6581 (2/0/05 to 2/0/07): "
       "warned.", {private_data_length_short, fpdu_before_first}},
      {"MPA-7.1.2-13", should, responder, kSection, stimulus, octets,
       "A Responder to which no Request comes gives up after some time.",
       "No time is named; a case waits as long as the user lets it.", {{never_times_out, warning}}},
      {"MPA-7.1.2-14", should, any, kSection, stimulus, octets,
       "A start frame that does not become whole, or does not come, makes a side give up after a reasonable time.",
       "As MPA-7.1.2-13.", {{never_times_out, warning}}},
      {"MPA-7.1.2-15", should, any, kSection, api, octets,
       "The ULP puts a time limit on waiting for FPDUs and for messages of the application.",
       "What the ULP waits for is known above MPA."},
      {"MPA-7.1.2-16", must, any, kSection, api, octets,
       "The buffer for private data is large enough, and no more than PD_Length is put there.",
       "Memory of one implementation; a sanitizer or a crash shows it."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaStartupRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaStartupRules, I> {
};
