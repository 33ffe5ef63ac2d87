// SPDX-License-Identifier: Apache-2.0
// Judges what two UMSP nodes send each other on one TCP connection, or in UDP datagrams: instructions found, each
// judged by its own octets and by what came before.
#pragma once

#include <memory>

#include "conformance/protocol.h"

namespace wirelaw::umsp {

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits);

// Whether the first octets of a side, or a datagram, may be UMSP: the header of an instruction that the document
// defines, with flags that its table prints.
Plausible is_plausible(Octets first);

}  // namespace wirelaw::umsp
