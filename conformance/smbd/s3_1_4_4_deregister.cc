// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.4: an upper layer takes its memory back.
#include "conformance/section.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kApi = Section{"[MS-SMBD] 3.1.4.4"}.by(Observable::api);

}  // namespace

constinit const Rule kDeregistersEach =
    kApi.must("SMBD-3.1.4.4-1", "Each region that a descriptor names is taken back from the provider.",
              "shown by an RDMA operation, which fails");
constinit const Rule kDeregisterErrorReturned =
    kApi.must("SMBD-3.1.4.4-2", "An error of any of them is passed to the upper layer.", "the upper layer sees it");
constinit const Rule kAccessComplete = kApi.must(
    "SMBD-3.1.4.4-3", "What the peer has begun is complete when it is done.", "shown by memory that changes no more");
constinit const Rule kNoFurtherAccess = kApi.must("SMBD-3.1.4.4-4", "From then on the peer reaches none of it.",
                                                  "shown by an RDMA operation, which ends the connection");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(broken_by(kDeregistersEach, {deregistered_stays}),
                                        broken_by(kDeregisterErrorReturned, {deregistered_stays}),
                                        broken_by(kNoFurtherAccess, {deregistered_stays}));

}  // namespace

SectionRules deregister_rules() {
  static constexpr const Rule* kRules[] = {&kDeregistersEach, &kDeregisterErrorReturned, &kAccessComplete,
                                           &kNoFurtherAccess};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd
