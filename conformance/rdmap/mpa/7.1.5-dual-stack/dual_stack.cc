// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.5: two stacks at one connection.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5044 7.1.5"}.by(Observable::api);
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kQuietChange =
    kSection.should("MPA-7.1.5-1", "DDP and MPA are enabled only while no more streaming data is expected to come.",
                    "What the ULP expects is known above MPA.");
constinit const Rule kTcpKept = kNotJudged.must(
    "MPA-7.1.5-2", "TCP's rules are kept while the stacks change: what is lost or overtaken is put right.",
    "TCP is not judged here; octets that go missing show as FPDUs that do not hold.");

constexpr const Rule* kRules[] = {&kQuietChange, &kTcpKept};

}  // namespace

SectionRules s7_1_5_dual_stack_rules() {
  return {kRules};
}

}  // namespace wirelaw::rdmap
