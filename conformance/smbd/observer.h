// SPDX-License-Identifier: Apache-2.0
// The observer of SMB Direct. It judges the messages of both sides that RDMAP or RoCEv2 delivers.
#pragma once

#include <memory>

#include "conformance/observer.h"
#include "conformance/protocol.h"

namespace wirelaw::smbd {

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits);

}  // namespace wirelaw::smbd
