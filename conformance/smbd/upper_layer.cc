// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/upper_layer.h"

namespace wirelaw::smbd {

const OfferKind<UpperLayer> kUpperLayer{};

}  // namespace wirelaw::smbd
