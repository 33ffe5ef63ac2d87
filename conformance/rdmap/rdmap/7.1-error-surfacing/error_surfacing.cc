// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7.1: which error is reported to the peer, and with what.
#include <algorithm>

#include "conformance/rdmap/rdmap/terminate_seen.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection{"RFC 5040 7.1"};
constexpr Section kAtVerbs = kSection.by(Observable::api);

constinit const Rule kToUlp =
    kAtVerbs.must("RDMAP-7.1-1", "An error is reported to the local ULP, as far as that is possible.",
                  "A completion in error or an error event of the verbs shows it");
constinit const Rule kAbsentIsZero = kSection.must(
    "RDMAP-7.1-2", "Headers that HdrCt does not announce are not there, or zero.", "RDMAP/A-04: zeros are a warning");
constinit const Rule kOwnErrors = kAtVerbs.must(
    "RDMAP-7.1-3", "An error found while a message is created sends a Terminate in its place, without headers.",
    "RDMAP/A-20: only the application can bring such an error about, with a buffer of its own that is not valid");

constexpr Breach kBreaches[] = {
    {Deviation::error_not_surfaced, kToUlp, {.given = "verbs pair"}},
    {Deviation::local_fault_ignored, kToUlp, {.given = "pair"}},
    {Deviation::terminate_tail, kAbsentIsZero},
    {Deviation::terminate_missing, kOwnErrors, {.given = "verbs"}},
};

}  // namespace

SectionRules error_surfacing_rules() {
  static constexpr const Rule* kRules[] = {&kToUlp, &kAbsentIsZero, &kOwnErrors};
  return {kRules, kBreaches};
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
