// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 6: setting streams up and tearing them down.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpStreamsRules : Words {
  static constexpr std::string_view kSection6_1 = "RFC 5041 6.1";
  static constexpr std::string_view kSection6_2 = "RFC 5041 6.2";
  static constexpr std::string_view kSection6_2_1 = "RFC 5041 6.2.1";
  static constexpr std::string_view kSection6_2_2 = "RFC 5041 6.2.2";
  static constexpr std::string_view kSection7 = "RFC 5041 7";
  static constexpr std::string_view kBetweenLayers =
      "between DDP and the layers above and below it, of one implementation";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-6.1-1", must, any, kSection6_1, none, octets,
       "The ULP enables both ends for DDP at the same time, in both directions.",
       "over TCP the start frames do that: judged by MPA's rules of them"},
      {"DDP-6.2-1", must_not, any, kSection6_2, api, octets,
       "DDP does not begin to tear a stream down by itself.", kBetweenLayers},
      {"DDP-6.2.1-1", should, any, kSection6_2_1, none, octets,
       "Before a graceful teardown all data of the ULP has been transferred.", "judged by RDMAP-6.2-1 and -2"},
      {"DDP-6.2.1-2", must, any, kSection6_2_1, api, octets,
       "After a graceful teardown further requests of the local ULP return an error.",
       "the caller of the verbs sees the error", {{posts_after_disconnect, "verbs pair"}}},
      {"DDP-6.2.1-3", must, any, kSection6_2_1, none, octets,
       "Data that comes after a graceful teardown of the LLP tears the stream down abortively.",
       "TCP carries no data behind a FIN; a capture in which it seems to is reported by the reassembly"},
      {"DDP-6.2.1-4", should, any, kSection6_2_1, stimulus, octets,
       "When one direction is closed, what is to be sent in the other still is.",
       "Where the LLP supports half-closed streams, which an implementation of TCP's need not: warned. That the "
       "state is reported to the ULP is between two layers of one implementation",
       {{zero_length_read_unanswered, warning}}},
      {"DDP-6.2.1-5", must, any, kSection6_2_1, api, octets,
       "When the ULP then asks for a graceful teardown, DDP asks the LLP to close the other half gracefully.",
       "RDMAP/V-01: rdma_disconnect behind the peer's close ends in a close of ours", {{never_closes, "verbs"}}},
      {"DDP-6.2.1-6", should, any, kSection6_2_1, api, octets,
       "After the ULP has closed its half gracefully, reception stays enabled on the other.",
       "no verb of deployed stacks closes one half"},
      {"DDP-6.2.2-1", must, any, kSection6_2_2, api, octets,
       "The loss of the LLP is reported to the ULP as a fatal error.", "RDMAP/V-01: in whichever way verbs report it",
       {{error_not_surfaced, "verbs"}}},
      {"DDP-6.2.2-2", must, any, kSection6_2_2, api, octets,
       "A fatal error of the LLP is reported to the ULP as one.", "RDMAP/V-01: in whichever way verbs report it",
       {{error_not_surfaced, "verbs"}}},
      {"DDP-6.2.2-3", must, any, kSection6_2_2, stimulus, octets,
       "A segment of another DDP version is a fatal error: 1/1/04 where it is tagged, 1/2/06 where not.",
       "RDMAP/A-08, RDMAP/A-11", {accepts_ddp_version}},
      {"DDP-6.2.2-4", should, any, kSection6_2_2, api, octets,
       "After a fatal error of the LLP it is reported, and outstanding requests complete with an error.",
       "the completions of the verbs show it", {{work_not_flushed, "verbs pair"}}},
      {"DDP-6.2.2-6", must_not, any, kSection6_2_2, api, octets,
       "After a fatal error the stream is not terminated before the local ULP says so.", kBetweenLayers},
      {"DDP-7-1", should, any, kSection7, api, octets,
       "Errors of the LLP are passed up to the ULP.", "RDMAP/V-01: in whichever way verbs report it",
       {{error_not_surfaced, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpStreamsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpStreamsRules, I> {
};
