// SPDX-License-Identifier: Apache-2.0
// Prints EFA RDM packets, with the field names of the dissector (pcap/wireshark/efa_rdm.lua).
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::efa {

Decoded decode_for_people(Octets octets);

}  // namespace wirelaw::efa
