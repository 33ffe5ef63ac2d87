// SPDX-License-Identifier: Apache-2.0
// The cases of a protocol, collected from its sections.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "conformance/breach.h"
#include "conformance/case.h"
#include "conformance/catalogue.h"
#include "conformance/edited_case.h"

namespace wirelaw {

class CaseSuite {
 public:
  // The cases of each section, in the order of the specification. `found` are cases derived from them. They follow
  // them.
  explicit CaseSuite(std::initializer_list<std::vector<Case>> sections, std::vector<edits::FoundCase> found = {});

  // If there are found cases, the first call needs the protocol's catalogue.
  std::span<const Case> cases() const;

 private:
  mutable std::vector<Case> cases_;
  mutable std::vector<edits::FoundCase> found_;  // found cases that are not in cases_ yet
};

}  // namespace wirelaw
