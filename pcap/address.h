// SPDX-License-Identifier: Apache-2.0
// Addresses, by the names that they have among captures.
#pragma once

#include "reference/network/address.h"

namespace wirelaw::pcap {

using wirelaw::Address;
using wirelaw::Endpoint;
using wirelaw::parse_address;
using wirelaw::parse_endpoint;
using wirelaw::to_string;

}  // namespace wirelaw::pcap
