// SPDX-License-Identifier: Apache-2.0
// RFC 5044, sections 9.3 and 9.4: IPsec.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/rule_of.h"

namespace wirelaw::rdmap {
namespace {

constinit const Rule kIpsecImplemented =
    api_rule("MPA-9.3-1", Level::must, Role::any, "RFC 5044 9.3", "IPsec is implemented.",
             "IPsec lies below TCP: an administrator configures it, and a trace of it holds no MPA.");
constinit const Rule kAsForStorage =
    api_rule("MPA-9.4-1", Level::must, Role::any, "RFC 5044 9.4",
             "IPsec follows the requirements that RFC 3723 has for IP storage.", "As MPA-9.3-1.");
constinit const Rule kDeleteIsNoReason =
    api_rule("MPA-9.4-2", Level::must_not, Role::any, "RFC 5044 9.4",
             "That an IKE phase 2 SA is deleted is no reason to tear down a stream.",
             "As MPA-9.3-1: the key exchange is not part of the stream.");

constexpr const Rule* kRules[] = {&kIpsecImplemented, &kAsForStorage, &kDeleteIsNoReason};

}  // namespace

RuleList s9_security_rules() {
  return kRules;
}

}  // namespace wirelaw::rdmap
