// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7.1: which error is told to the peer, and with what.
#include <algorithm>

#include "conformance/rdmap/terminate_seen.h"

namespace wirelaw::rdmap {
namespace {

constexpr Rule rule(std::string_view id, Level level, Observable observable, std::string_view summary,
                    std::string_view note = {}) {
  return {id, level, Role::any, "RFC 5040 7.1", observable, summary, note};
}

constinit const Rule kAbsentIsZero =
    rule("RDMAP-7.1-2", Level::must, Observable::trace, "Headers that HdrCt does not announce are not there, or zero.",
         "A-04: zeros are a warning");

}  // namespace

RuleList error_surfacing_rules() {
  static constinit const Rule kToUlp = rule("RDMAP-7.1-1", Level::must, Observable::api,
                                            "An error is reported to the local ULP, as far as that is possible.",
                                            "A completion in error or an error event of the verbs shows it");
  static constinit const Rule kOwnErrors =
      rule("RDMAP-7.1-3", Level::must, Observable::api,
           "An error found while a message is created sends a Terminate in its place, without headers.",
           "A-20: only the application can bring such an error about, with a buffer of its own that is not valid");
  static constexpr const Rule* kRules[] = {&kToUlp, &kAbsentIsZero, &kOwnErrors};
  return kRules;
}

void judge_absent_headers(Judge& judge, const TerminateSeen& seen) {
  if (seen.terminate.cut) return;
  const Octets tail = seen.terminate.tail;
  const bool zero = std::ranges::all_of(tail, [](Octet octet) { return octet == 0; });
  const OctetRange where = seen.at(seen.octets - tail.size(), tail.size());
  const auto want = expected("nothing behind what HdrCt announces");
  const auto got = actual([&] { return fmt::format("{} octets{}", tail.size(), zero ? " of zero" : ""); });
  if (!tail.empty() && zero)
    judge.advise(kAbsentIsZero, false, where, want, got);
  else
    judge.require(kAbsentIsZero, zero, where, want, got);
}

}  // namespace wirelaw::rdmap
