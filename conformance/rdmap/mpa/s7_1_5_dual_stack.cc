// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.5: two stacks at one connection.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/rule_of.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5044 7.1.5";

constinit const Rule kQuietChange =
    api_rule("MPA-7.1.5-1", Level::should, Role::any, kSection,
             "DDP and MPA are enabled only while no more streaming data is expected to come.",
             "What the ULP expects is known above MPA.");
constinit const Rule kTcpKept =
    unseen_rule("MPA-7.1.5-2", Level::must, Role::any, kSection,
                "TCP's rules are kept while the stacks change: what is lost or overtaken is put right.",
                "TCP is not judged here; octets that go missing show as FPDUs that do not hold.");

constexpr const Rule* kRules[] = {&kQuietChange, &kTcpKept};

}  // namespace

RuleList s7_1_5_dual_stack_rules() {
  return kRules;
}

}  // namespace wirelaw::rdmap
