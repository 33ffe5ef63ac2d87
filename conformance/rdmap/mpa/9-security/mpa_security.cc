// SPDX-License-Identifier: Apache-2.0
// RFC 5044, sections 9.3 and 9.4: IPsec.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection9_3 = Section{"RFC 5044 9.3"}.by(Observable::api);
constexpr Section kSection9_4 = Section{"RFC 5044 9.4"}.by(Observable::api);

constinit const Rule kIpsecImplemented =
    kSection9_3.must("MPA-9.3-1", "IPsec is implemented.",
                     "IPsec lies below TCP: an administrator configures it, and a trace of it holds no MPA.");
constinit const Rule kAsForStorage =
    kSection9_4.must("MPA-9.4-1", "IPsec follows the requirements that RFC 3723 has for IP storage.", "As MPA-9.3-1.");
constinit const Rule kDeleteIsNoReason =
    kSection9_4.must_not("MPA-9.4-2", "That an IKE phase 2 SA is deleted is no reason to tear down a stream.",
                         "As MPA-9.3-1: the key exchange is not part of the stream.");

constexpr const Rule* kRules[] = {&kIpsecImplemented, &kAsForStorage, &kDeleteIsNoReason};

}  // namespace

SectionRules s9_security_rules() {
  return {kRules};
}

}  // namespace wirelaw::rdmap
