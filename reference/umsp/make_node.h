// SPDX-License-Identifier: Apache-2.0
// Makes a node that conforms or commits deviations.
#pragma once

#include <memory>

#include "reference/umsp/deviations.h"
#include "reference/umsp/node/node.h"

namespace wirelaw::umsp {

std::unique_ptr<Node> make_node(const NodeOptions& options, const Deviations& deviations = {});

}  // namespace wirelaw::umsp
