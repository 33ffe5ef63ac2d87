// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpValidationRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 7.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-7.1-1", must, any, kSection, stimulus, octets,
       "An untagged segment is placed only if its QN is valid for the stream.", "RDMAP/A-09",
       {accepts_queue_number, accepts_read_queue}},
      {"DDP-7.1-2", must, any, kSection, stimulus, octets,
       "An untagged segment is placed only if a buffer is there for its QN and MSN.", "RDMAP/A-26",
       {{accepts_without_buffer, responder}, {accepts_without_buffer, initiator, warning}}},
      {"DDP-7.1-3", must, any, kSection, stimulus, octets,
       "An untagged segment is placed only if its MO lies in the buffer.", "RDMAP/A-22",
       {{accepts_mo, warning}, accepts_read_mo}},
      {"DDP-7.1-4", must, any, kSection, stimulus, octets,
       "An untagged segment is placed only if its MO and length together lie in the buffer.",
       "RDMAP/A-22; also RFC 5040, 5.3: a Send that is longer than its buffer is an error",
       {{accepts_too_long, "pair"}, buffer_short_by_one, {buffer_long_by_one, responder}}},
      {"DDP-7.1-5", must, any, kSection, stimulus, octets,
       "An untagged segment is placed only if its MSN is that of a buffer that is available.", "RDMAP/A-22",
       {accepts_read_msn, {accepts_msn, responder}, {accepts_msn, initiator, warning}}},
      {"DDP-7.1-6", must, any, kSection, stimulus, octets,
       "A tagged segment is placed only if its STag is valid for the stream.", "RDMAP/A-25, RDMAP/A-67",
       {accepts_stag, {accepts_foreign_stag, initiator, warning}}},
      {"DDP-7.1-7", must, any, kSection, stimulus, octets,
       "A tagged segment is placed only if the buffer of its STag allows that.", "RDMAP/A-27",
       {{accepts_access, responder}}},
      {"DDP-7.1-8", must, any, kSection, stimulus, octets,
       "A tagged segment is placed only if its TO lies in the buffer.", {}, {{accepts_bounds, "pair"}}},
      {"DDP-7.1-9", must, any, kSection, stimulus, octets,
       "A tagged segment is placed only if its TO and length together lie in the buffer.", {},
       {{places_what_fits, "pair"}}},
      {"DDP-7.1-10", must, any, kSection, stimulus, octets,
       "A tagged segment is placed only if its TO and length together do not wrap.", "RDMAP/A-22", {accepts_wrap}},
      {"DDP-7.1-11", must, any, kSection, api, octets,
       "After such an error nothing more of the segment is placed.", "the owner of the buffer sees it",
       {{places_what_fits, "verbs pair"}, {places_after_error, "verbs"}}},
      {"DDP-7.1-12", should, any, kSection, none, octets,
       "The report of an error has the DDP header, the type and the length of the segment.",
       "seen in the Terminate that comes of it: RDMAP-4.8"},
      {"DDP-7.1-13", must, any, kSection, stimulus, octets,
       "After such an error all segments that come are dropped in silence.", {}, {{accepts_queue_number, responder}}},
      {"DDP-7.1-14", should, any, kSection, none, octets,
       "After such an error the ULP can send one more message.", "the Terminate is that message: RDMAP-7.1"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpValidationRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpValidationRules, I> {
};
