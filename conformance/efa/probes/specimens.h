// SPDX-License-Identifier: Apache-2.0
// A complete packet of each type with every header that it may have, for cases that modify one.
#pragma once

#include "conformance/efa/probes/probe.h"

namespace wirelaw::efa {

// A packet with one element in every array, every optional header, IDs that nobody has assigned and, if the type
// carries data, a few octets after the headers.
struct Specimen {
  OctetBuffer octets;
  std::size_t headers = 0;  // octets in front of the data
};
Specimen specimen(const Identity& identity, const Layout& layout);

// The types that have a format.
std::vector<const Layout*> formats();

}  // namespace wirelaw::efa
