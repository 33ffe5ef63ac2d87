// SPDX-License-Identifier: Apache-2.0
// The facts that an IUT in the initiator role must know about its tester before it begins, for protocols in which an
// address is not enough (EFA RDM 1.4: the connection ID).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/offers.h"

namespace wirelaw {

// A trigger finds each value in its environment under WIRELAW_ and this name.
using Introductions = std::map<std::string, std::string, std::less<>>;

inline constexpr OfferKind<Introductions> kIntroductions{};

// Call it before CaseRun::trigger(). Does nothing if the IUT takes no introductions.
inline void introduce(const Transport& transport, std::string_view name, std::string value) {
  if (Introductions* const all = transport.offers().find(kIntroductions))
    all->insert_or_assign(std::string(name), std::move(value));
}

}  // namespace wirelaw
