// SPDX-License-Identifier: Apache-2.0
// What an IUT in the initiator's role has to know of its tester before it begins, for protocols in which a place to
// connect to is not enough (EFA RDM 1.4: the connection ID).
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "conformance/case.h"

namespace wirelaw {

// What a run is besides, where it can tell its IUT anything.
class IntroducingRun {
 public:
  virtual ~IntroducingRun() = default;
  // A trigger finds it in its environment as WIRELAW_ and this name. To be said before CaseRun::trigger().
  virtual void introduce(std::string_view name, std::string value) = 0;
};

inline void introduce(CaseRun& run, std::string_view name, std::string value) {
  if (auto* const with = dynamic_cast<IntroducingRun*>(&run)) with->introduce(name, std::move(value));
}

}  // namespace wirelaw
