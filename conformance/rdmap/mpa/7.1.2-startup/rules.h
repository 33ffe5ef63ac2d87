// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaStartupRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 7.1.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-7.1.2-1", must, initiator, kSection, stimulus, octets,
       "The Initiator sends a valid Request.", "The rules of 7.1.1 judge the faults of a Request that is complete.",
       {key_of_other_role, private_data_length_long, request_cut}},
      {"MPA-7.1.2-2", must, responder, kSection, trace, order,
       "The Responder sends its Reply only after a Request has come.", {}, {reply_before_request}},
      {"MPA-7.1.2-3", must, responder, kSection, stimulus, octets,
       "The Responder closes the connection on a malformed Request.", {}, {accepts_bad_key}},
      {"MPA-7.1.2-4", should, responder, kSection, api, octets,
       "The Responder answers unacceptable private data with a Reply with R=1.",
       "The ULP decides what is acceptable, by rdma_reject. Rules 2 and 6 both ask for it.",
       {{reject_closes, "verbs"}}},
      {"MPA-7.1.2-5", should, responder, kSection, trace, octets,
       "The Responder answers a valid Request with acceptable private data with a Reply with R=0.",
       "RDMAP/A-63: no answer at all is a warning, as the ULP may take its time. RDMAP/A-64: so is a close on private "
       "data that is longer than the responder's buffer.",
       {key_of_other_role, private_data_length_long, reply_missing, rejects_everything}},
      {"MPA-7.1.2-6", must, initiator, kSection, trace, order,
       "The Initiator sends nothing after its Request until the Reply has come.",
       "Rule 3, and the note to rule 2: FPDUs before the Reply are not possible.",
       {private_data_length_short, request_twice, fpdu_before_reply}},
      {"MPA-7.1.2-7", must, initiator, kSection, stimulus, octets,
       "The Initiator closes the connection on a malformed Reply.",
       "RDMAP/A-34: an Initiator that sends a Terminate 2/0/04 first gets a warning.", {accepts_bad_key}},
      {"MPA-7.1.2-8", must, responder, kSection, trace, octets,
       "A Responder that has rejected the connection has left MPA and sends no FPDU.",
       "RDMAP/A-31: it may close the connection, leave it open, or use it for something else. An FPDU is recognised "
       "by its CRC.", {{fpdu_after_rejection, "needs-reads"}}},
      {"MPA-7.1.2-9", must, initiator, kSection, trace, octets,
       "An Initiator that has been rejected has left MPA and sends no FPDU.", "RDMAP/A-31, as MPA-7.1.2-8.",
       {fpdu_after_rejection}},
      {"MPA-7.1.2-10", must, initiator, kSection, stimulus, octets,
       "An Initiator that receives a Request recognises it, and closes the connection.", {}, {accepts_bad_key}},
      {"MPA-7.1.2-11", should, initiator, kSection, stimulus, octets,
       "An Initiator that has been accepted enters Full Operation.", {}, {revision_zero}},
      {"MPA-7.1.2-12", must, responder, kSection, trace, order,
       "The Responder sends no FPDU and no marker before it has received an FPDU.",
       "RDMAP/A-32: the only exception, on an enhanced connection, is a Terminate of RFC 6581 (2/0/05 to 2/0/07): a "
       "warning.", {private_data_length_short, fpdu_before_first}},
      {"MPA-7.1.2-13", should, responder, kSection, stimulus, octets,
       "A Responder that receives no Request gives up after some time.",
       "The text names no time; a case waits as long as the user allows.", {{never_times_out, warning}}},
      {"MPA-7.1.2-14", should, any, kSection, stimulus, octets,
       "A side gives up after a reasonable time if a start frame is incomplete or does not come.", "As MPA-7.1.2-13.",
       {{never_times_out, warning}}},
      {"MPA-7.1.2-15", should, any, kSection, api, octets,
       "The ULP limits the time that it waits for FPDUs and for application messages.",
       "Only the ULP knows what it waits for."},
      {"MPA-7.1.2-16", must, any, kSection, api, octets,
       "A receiver has a large enough buffer for private data, and writes no more than PD_Length octets to it.",
       "Memory of one implementation; a sanitizer or a crash shows it."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaStartupRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaStartupRules, I> {
};
