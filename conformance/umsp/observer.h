// SPDX-License-Identifier: Apache-2.0
// Judges what two UMSP nodes send each other on one TCP connection, or in UDP datagrams: finds the instructions, and
// judges each by its own octets and by the earlier ones.
#pragma once

#include <memory>

#include "conformance/protocol.h"

namespace wirelaw::umsp {

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits);

}  // namespace wirelaw::umsp
