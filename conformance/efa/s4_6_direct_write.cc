// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.6: RDMA-Write based data transfer.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s4_6_rules() {
  return {};
}

}  // namespace wirelaw::efa
