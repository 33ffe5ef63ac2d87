// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.5: the twenty rules of ordering and completion; RDMAP-5.5-<n> is rule n (12 has two halves).
// Those that a stimulus can show are in ordering_cases.cc.
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5040 5.5"}.by(Observable::none);
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr std::string_view kPermits = "it permits or describes, and demands nothing of an implementation";
constexpr std::string_view kVerbs = "the completions of the verbs show it";

constinit const Rule k1 = kSection.may("RDMAP-5.5-1", "Messages on different streams are in no order.", kPermits);
constinit const Rule k2 =
    kSection.may("RDMAP-5.5-2", "Operations from the two ends of a stream are in no order.", kPermits);
constinit const Rule k3 = kSection.may("RDMAP-5.5-3", "Messages may be placed in any order.", kPermits);
constinit const Rule k4 =
    kSection.may("RDMAP-5.5-4", "The buffer of a Send may hold anything until the Send is delivered.", kPermits);
constinit const Rule k5 = kSection.may(
    "RDMAP-5.5-5", "The buffer of an RDMA Write may hold anything until a later Send is delivered.", kPermits);
constinit const Rule k6 = kSection.may(
    "RDMAP-5.5-6", "The sink of an RDMA Read may hold anything until the response is delivered.", kPermits);
constinit const Rule k7 = kSection.may(
    "RDMAP-5.5-7", "A buffer that the ULP changes while an operation changes it may hold anything.", kPermits);
constinit const Rule k8 =
    kSection.may("RDMAP-5.5-8", "What is read from a buffer that the ULP changes meanwhile may be anything.", kPermits);
constinit const Rule k9 =
    kSection.may("RDMAP-5.5-9", "A completed Write or Send need not have reached the remote ULP.", kPermits);
constinit const Rule k11 = kAtVerbs.must(
    "RDMAP-5.5-11", "Read Responses are delivered to the requester's ULP in the order in which DDP delivered them.",
    "RDMAP/A-14; the completions of the verbs show it");
constinit const Rule k12b = kAtVerbs.must(
    "RDMAP-5.5-21", "Rule 12: a ULP that must not have its read overtaken by a later write holds that write back.",
    "RDMAP/A-18, RDMAP/V-04: a duty of the ULP, for which verbs have IBV_SEND_FENCE");
constinit const Rule k13 =
    kAtVerbs.must("RDMAP-5.5-13", "Messages go to DDP in the order in which the ULP submitted the operations.",
                  "known to the user of the verbs");
constinit const Rule k14 = kAtVerbs.must_not(
    "RDMAP-5.5-14", "A Send or Write is not complete at its source before DDP has completed it.", kVerbs);
constinit const Rule k15 =
    kAtVerbs.must("RDMAP-5.5-15", "Operations complete at their source in the order of their submission.", kVerbs);
constinit const Rule k18 = kSection.may(
    "RDMAP-5.5-18", "A Send may complete at the remote peer before an earlier Read is answered.", kPermits);
constinit const Rule k19 =
    kAtVerbs.must_not("RDMAP-5.5-19", "A Read does not complete before DDP has delivered its response.", kVerbs);
constinit const Rule k20 =
    kSection.must("RDMAP-5.5-20", "Responses go to DDP in the order in which the requests were delivered.",
                  "RDMAP/A-13: judged by RDMAP-5.2.2-6");

constexpr Breach kBreaches[] = {
    {Deviation::read_completion_lost, k11, {.given = "verbs pair"}},
    {Deviation::work_reordered, k13, {.given = "verbs pair"}},
    {Deviation::completes_early, k14, {.given = "verbs"}},
    {Deviation::completions_reordered, k15, {.given = "verbs pair"}},
    {Deviation::reads_complete_early, k19, {.given = "verbs pair"}},
    {Deviation::fence_ignored, k12b, {.given = "verbs pair"}},
};

}  // namespace

SectionRules ordering_rules() {
  static constexpr const Rule* kRules[] = {&k1,  &k2,   &k3,  &k4,  &k5,  &k6,  &k7,  &k8, &k9,
                                           &k11, &k12b, &k13, &k14, &k15, &k18, &k19, &k20};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
