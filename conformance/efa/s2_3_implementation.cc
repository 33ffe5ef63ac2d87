// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.3: the HANDSHAKE and the application.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kSection{"EFA RDM v4 2.3", kEither, Observable::api};

}  // namespace

constinit const Rule kHandshakeUnknownToCaller = kSection.must_not(
    "EFA-2.3-1", "A HANDSHAKE that cannot be sent, as its peer has gone, is no error of the application's.",
    "the application's completion queue shows it: no entry for a HANDSHAKE, whatever became of it");
constinit const Rule kHandshakeNotWaitedFor =
    kSection.should("EFA-2.3-2", "An endpoint can be closed while its HANDSHAKE is on its way.",
                    "fi_close of an endpoint that has just taken its first packet shows it");

SectionRules s2_3_rules() {
  static constexpr const Rule* kRules[] = {&kHandshakeUnknownToCaller, &kHandshakeNotWaitedFor};
  return {kRules};
}

}  // namespace wirelaw::efa
