// SPDX-License-Identifier: Apache-2.0
// The upper layer of a reference connection, in the hands of a case.
#pragma once

#include <memory>

#include "conformance/smbd/upper_layer.h"
#include "harness/peers/rdmap_upper.h"

namespace wirelaw::smbd {

// `reach` gives connections whose upper layer is a smbd::Layer.
std::unique_ptr<UpperLayer> make_driven(rdmap::ReachUpper reach, VirtualTime& time);

}  // namespace wirelaw::smbd
