// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.5: the twenty rules of ordering and completion; RDMAP-5.5-<n> is rule n (12 has two halves).
// Those that a stimulus can show are in s5_5_cases.cc.
#include "conformance/rdmap/messages.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5040 5.5";
constexpr std::string_view kPermits = "it permits or describes, and demands nothing of an implementation";
constexpr std::string_view kVerbs = "the completions of the verbs show it";

constexpr Rule ordering_rule(std::string_view id, Level level, Observable observable, std::string_view summary,
                             std::string_view note) {
  return rdmap_rule(id, level, kSection, observable, summary, note);
}

constinit const Rule k1 = ordering_rule("RDMAP-5.5-1", Level::may, Observable::none,
                                        "Messages on different streams are in no order.", kPermits);
constinit const Rule k2 = ordering_rule("RDMAP-5.5-2", Level::may, Observable::none,
                                        "Operations from the two ends of a stream are in no order.", kPermits);
constinit const Rule k3 =
    ordering_rule("RDMAP-5.5-3", Level::may, Observable::none, "Messages may be placed in any order.", kPermits);
constinit const Rule k4 =
    ordering_rule("RDMAP-5.5-4", Level::may, Observable::none,
                  "The buffer of a Send may hold anything until the Send is delivered.", kPermits);
constinit const Rule k5 =
    ordering_rule("RDMAP-5.5-5", Level::may, Observable::none,
                  "The buffer of an RDMA Write may hold anything until a later Send is delivered.", kPermits);
constinit const Rule k6 =
    ordering_rule("RDMAP-5.5-6", Level::may, Observable::none,
                  "The sink of an RDMA Read may hold anything until the response is delivered.", kPermits);
constinit const Rule k7 =
    ordering_rule("RDMAP-5.5-7", Level::may, Observable::none,
                  "A buffer that the ULP changes while an operation changes it may hold anything.", kPermits);
constinit const Rule k8 =
    ordering_rule("RDMAP-5.5-8", Level::may, Observable::none,
                  "What is read from a buffer that the ULP changes meanwhile may be anything.", kPermits);
constinit const Rule k9 = ordering_rule("RDMAP-5.5-9", Level::may, Observable::none,
                                        "A completed Write or Send need not have reached the remote ULP.", kPermits);
constinit const Rule k11 =
    ordering_rule("RDMAP-5.5-11", Level::must, Observable::api,
                  "Read Responses are delivered to the requester's ULP in the order in which DDP delivered them.",
                  "A-14; the completions of the verbs show it");
constinit const Rule k12b =
    ordering_rule("RDMAP-5.5-21", Level::must, Observable::api,
                  "Rule 12: a ULP that must not have its read overtaken by a later write holds that write back.",
                  "A-18, V-04: a duty of the ULP, for which verbs have IBV_SEND_FENCE");
constinit const Rule k13 = ordering_rule("RDMAP-5.5-13", Level::must, Observable::api,
                                         "Messages go to DDP in the order in which the ULP submitted the operations.",
                                         "known to the user of the verbs");
constinit const Rule k14 =
    ordering_rule("RDMAP-5.5-14", Level::must_not, Observable::api,
                  "A Send or Write is not complete at its source before DDP has completed it.", kVerbs);
constinit const Rule k15 =
    ordering_rule("RDMAP-5.5-15", Level::must, Observable::api,
                  "Operations complete at their source in the order of their submission.", kVerbs);
constinit const Rule k18 =
    ordering_rule("RDMAP-5.5-18", Level::may, Observable::none,
                  "A Send may complete at the remote peer before an earlier Read is answered.", kPermits);
constinit const Rule k19 = ordering_rule("RDMAP-5.5-19", Level::must_not, Observable::api,
                                         "A Read does not complete before DDP has delivered its response.", kVerbs);
constinit const Rule k20 = ordering_rule("RDMAP-5.5-20", Level::must, Observable::none,
                                         "Responses go to DDP in the order in which the requests were delivered.",
                                         "A-13: judged by RDMAP-5.2.2-6");

}  // namespace

RuleList ordering_rules() {
  static constexpr const Rule* kRules[] = {&k1,  &k2,   &k3,  &k4,  &k5,  &k6,  &k7,  &k8, &k9,
                                           &k11, &k12b, &k13, &k14, &k15, &k18, &k19, &k20};
  return kRules;
}

}  // namespace wirelaw::rdmap
