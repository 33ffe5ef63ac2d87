// SPDX-License-Identifier: Apache-2.0
// What an IUT in the initiator's role has to know of its tester before it begins, for protocols in which a place to
// connect to is not enough (EFA RDM 1.4: the connection ID).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/offers.h"

namespace wirelaw {

// A trigger finds each in its environment as WIRELAW_ and this name.
using Introductions = std::map<std::string, std::string, std::less<>>;

inline constexpr OfferKind<Introductions> kIntroductions{};

// Before CaseRun::trigger(). Nothing happens where the IUT takes no introductions.
inline void introduce(const Transport& transport, std::string_view name, std::string value) {
  if (Introductions* const all = transport.offers().find(kIntroductions))
    all->insert_or_assign(std::string(name), std::move(value));
}

}  // namespace wirelaw
