// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.2: when REQ packets have the raw address header.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s2_2_rules() {
  return {};
}

}  // namespace wirelaw::efa
