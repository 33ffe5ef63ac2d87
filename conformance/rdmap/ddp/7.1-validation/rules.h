// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpValidationRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 7.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-7.1-1", must, any, kSection, stimulus, octets,
       "A receiver places an untagged segment only if its QN is valid for the stream.", "RDMAP/A-09",
       {accepts_queue_number, accepts_read_queue}},
      {"DDP-7.1-2", must, any, kSection, stimulus, octets,
       "A receiver places an untagged segment only if it has a buffer for its QN and MSN.", "RDMAP/A-26",
       {{accepts_without_buffer, responder}, {accepts_without_buffer, initiator, warning}}},
      {"DDP-7.1-3", must, any, kSection, stimulus, octets,
       "A receiver places an untagged segment only if its MO is inside the buffer.", "RDMAP/A-22",
       {{accepts_mo, warning}, accepts_read_mo}},
      {"DDP-7.1-4", must, any, kSection, stimulus, octets,
       "A receiver places an untagged segment only if MO plus length is inside the buffer.",
       "RDMAP/A-22; also RFC 5040, 5.3: a Send that is longer than its buffer is an error",
       {{accepts_too_long, "pair"}, buffer_short_by_one, {buffer_long_by_one, responder}}},
      {"DDP-7.1-5", must, any, kSection, stimulus, octets,
       "A receiver places an untagged segment only if its MSN is that of an available buffer.", "RDMAP/A-22",
       {accepts_read_msn, {accepts_msn, responder}, {accepts_msn, initiator, warning}}},
      {"DDP-7.1-6", must, any, kSection, stimulus, octets,
       "A receiver places a tagged segment only if its STag is valid for the stream.", "RDMAP/A-25, RDMAP/A-67",
       {accepts_stag, {accepts_foreign_stag, initiator, warning}}},
      {"DDP-7.1-7", must, any, kSection, stimulus, octets,
       "A receiver places a tagged segment only if the buffer of its STag permits the access.", "RDMAP/A-27",
       {{accepts_access, responder}}},
      {"DDP-7.1-8", must, any, kSection, stimulus, octets,
       "A receiver places a tagged segment only if its TO is inside the buffer.", {}, {{accepts_bounds, "pair"}}},
      {"DDP-7.1-9", must, any, kSection, stimulus, octets,
       "A receiver places a tagged segment only if TO plus length is inside the buffer.", {},
       {{places_what_fits, "pair"}}},
      {"DDP-7.1-10", must, any, kSection, stimulus, octets,
       "A receiver places a tagged segment only if TO plus length does not wrap.", "RDMAP/A-22", {accepts_wrap}},
      {"DDP-7.1-11", must, any, kSection, api, octets,
       "After such an error, a receiver places nothing more of the segment.", "The owner of the buffer sees it",
       {{places_what_fits, "verbs pair"}, {places_after_error, "verbs"}}},
      {"DDP-7.1-12", should, any, kSection, none, octets,
       "DDP's error report contains the DDP header, the type and the length of the segment.",
       "Seen in the Terminate that results: RDMAP-4.8"},
      {"DDP-7.1-13", must, any, kSection, stimulus, octets,
       "After such an error, a receiver silently discards all segments that come.", "RDMAP/A-77",
       {{accepts_queue_number, responder}}},
      {"DDP-7.1-14", should, any, kSection, none, octets,
       "After such an error, DDP lets the ULP send one more message.", "The Terminate is that message: RDMAP-7.1"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpValidationRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpValidationRules, I> {
};
