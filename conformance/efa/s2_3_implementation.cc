// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.3: the HANDSHAKE and the application.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

constinit const Rule kHandshakeUnknownToCaller{
    "EFA-2.3-1",
    Level::must_not,
    Role::any,
    "EFA RDM v4 2.3",
    Observable::api,
    "A HANDSHAKE that cannot be sent, as its peer has gone, is no error of the application's.",
    "the application's completion queue shows it: no entry for a HANDSHAKE, whatever became of it"};
constinit const Rule kHandshakeNotWaitedFor{"EFA-2.3-2",
                                            Level::should,
                                            Role::any,
                                            "EFA RDM v4 2.3",
                                            Observable::api,
                                            "An endpoint can be closed while its HANDSHAKE is on its way.",
                                            "fi_close of an endpoint that has just taken its first packet shows it"};

RuleList s2_3_rules() {
  static constexpr const Rule* kRules[] = {&kHandshakeUnknownToCaller, &kHandshakeNotWaitedFor};
  return kRules;
}

}  // namespace wirelaw::efa
