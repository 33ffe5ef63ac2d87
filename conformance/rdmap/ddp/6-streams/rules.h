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
      "Between DDP and the layers above and below it, inside one implementation";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-6.1-1", must, any, kSection6_1, none, octets,
       "The ULP enables DDP at both ends at the same point, for both directions.",
       "Over TCP the start frames do this: judged by MPA's start-up rules"},
      {"DDP-6.2-1", must_not, any, kSection6_2, api, octets,
       "DDP does not start the teardown of a stream on its own.", kBetweenLayers},
      {"DDP-6.2.1-1", should, any, kSection6_2_1, none, octets,
       "Before a graceful teardown, DDP has transferred all data of the ULP.", "Judged by RDMAP-6.2-1 and -2"},
      {"DDP-6.2.1-2", must, any, kSection6_2_1, api, octets,
       "After a graceful teardown, DDP returns an error for further requests of the local ULP.",
       "The caller of the verbs sees the error", {{posts_after_disconnect, "verbs pair"}}},
      {"DDP-6.2.1-3", must, any, kSection6_2_1, none, octets,
       "If data comes after a graceful teardown of the LLP, DDP tears the stream down abortively.",
       "TCP carries no data after a FIN; if a capture seems to contain some, reassembly reports it"},
      {"DDP-6.2.1-4", should, any, kSection6_2_1, stimulus, octets,
       "When one direction is closed, DDP still sends what is due in the other.",
       "If the LLP supports half-closed streams, which a TCP implementation need not: a warning. The report of the "
       "state to the ULP is between two layers of one implementation", {{zero_length_read_unanswered, warning}}},
      {"DDP-6.2.1-5", must, any, kSection6_2_1, api, octets,
       "If the ULP then requests a graceful teardown, DDP asks the LLP to close the other half gracefully.",
       "RDMAP/V-01: rdma_disconnect after the peer's close makes the IUT close", {{never_closes, "verbs"}}},
      {"DDP-6.2.1-6", should, any, kSection6_2_1, api, octets,
       "After the ULP has closed its half gracefully, DDP still receives on the other half.",
       "Deployed stacks have no verb that closes one half"},
      {"DDP-6.2.2-1", must, any, kSection6_2_2, api, octets,
       "DDP reports the loss of the LLP to the ULP as a fatal error.", "RDMAP/V-01: by any report of the verbs",
       {{error_not_surfaced, "verbs"}}},
      {"DDP-6.2.2-2", must, any, kSection6_2_2, api, octets,
       "DDP reports a fatal error of the LLP to the ULP as fatal.", "RDMAP/V-01: by any report of the verbs",
       {{error_not_surfaced, "verbs"}}},
      {"DDP-6.2.2-3", must, any, kSection6_2_2, stimulus, octets,
       "A receiver treats a segment of another DDP version as a fatal error: 1/1/04 if tagged, 1/2/06 if untagged.",
       "RDMAP/A-08, RDMAP/A-11", {accepts_ddp_version}},
      {"DDP-6.2.2-4", should, any, kSection6_2_2, api, octets,
       "After a fatal error of the LLP, DDP reports it and completes outstanding requests in error.",
       "The completions of the verbs show it", {{work_not_flushed, "verbs pair"}}},
      {"DDP-6.2.2-6", must_not, any, kSection6_2_2, api, octets,
       "After a fatal error, DDP does not terminate the stream before the local ULP requests it.", kBetweenLayers},
      {"DDP-7-1", should, any, kSection7, api, octets,
       "DDP passes errors of the LLP up to the ULP.", "RDMAP/V-01: by any report of the verbs",
       {{error_not_surfaced, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpStreamsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpStreamsRules, I> {
};
