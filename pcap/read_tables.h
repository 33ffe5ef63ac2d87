// SPDX-License-Identifier: Apache-2.0
// The tables of what is read, for the page that lists it (docs/what-is-read.md).
#pragma once

#include <span>
#include <vector>

#include "pcap/carriers.h"
#include "pcap/link.h"

namespace wirelaw::pcap {

struct CarrierRow {
  Layer layer;                 // announces the carrier
  const char* name = nullptr;  // as in Carrier
};

std::vector<CarrierRow> carrier_rows();
std::span<const LinkType> link_types();

}  // namespace wirelaw::pcap
