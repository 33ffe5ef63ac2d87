// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct InitializationRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 6.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-6.1-1", must, any, kSection, none, octets,
       "After RDMA is enabled, a sender sends only RDMA Messages until the stream is torn down.",
       "Anything else breaks MPA's framing, DDP-4.4-1 or RDMAP-4.1-7"},
      {"RDMAP-6.1-3", must, any, kSection, none, octets,
       "RDMAP supports as many inbound RDMA Reads as were negotiated.", "The same as RDMAP-5.2.2-2"},
      {"RDMAP-6.1-5", must, any, kSection, api, octets,
       "RDMAP supports as many outbound RDMA Reads as were negotiated.",
       "The ULP decides how many are outstanding: shown by a consumer of verbs that posts as many",
       {{ord_off_by_one, "verbs pair"}}},
      {"RDMAP-6.1-6", must_not, any, kSection, trace, absence,
       "A side has no more RDMA Reads outstanding than were negotiated.",
       "RDMAP/A-19, RDMAP/A-40: the limit is known if RFC 6581's ORD and IRD were exchanged; a Read is outstanding "
       "until the last segment of its response. Atomic Operations that fill the limit are a warning (RDMAP/A-66)"},
      {"RDMAP-6.1-7", must_not, any, kSection, stimulus, octets,
       "RDMAP accepts no more inbound RDMA Reads at once than were negotiated.",
       "RDMAP/A-19: the text names no code for an excess Read, and serving more than was announced is a warning",
       {{exceeds_ird, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::InitializationRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::InitializationRules, I> {
};
