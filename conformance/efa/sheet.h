// SPDX-License-Identifier: Apache-2.0
// The names that all rule sheets of EFA RDM use. Each section of the document that has rules has a folder.
#pragma once

#include "conformance/sheet.h"
#include "reference/efa/deviations.h"

namespace wirelaw::efa {

struct Words : SheetWords {
  using enum Deviation;
  static constexpr Role requester = Role::initiator;
  static constexpr Role responder = Role::responder;
};

}  // namespace wirelaw::efa
