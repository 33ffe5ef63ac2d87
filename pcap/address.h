// SPDX-License-Identifier: Apache-2.0
// Short names for addresses in captures.
#pragma once

#include "reference/network/address.h"

namespace wirelaw::pcap {

using wirelaw::Address;
using wirelaw::Endpoint;
using wirelaw::parse_address;
using wirelaw::parse_endpoint;
using wirelaw::to_string;

}  // namespace wirelaw::pcap
