// SPDX-License-Identifier: Apache-2.0
// The observer of a flow of RoCEv2: packets of both queue pairs, and the datagrams that made and end their connection.
#pragma once

#include <memory>

#include "conformance/observer.h"
#include "conformance/protocol.h"

namespace wirelaw::roce {

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits);

}  // namespace wirelaw::roce
