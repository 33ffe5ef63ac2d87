// SPDX-License-Identifier: Apache-2.0
// EFA RDM packets for people, with the field names of the dissector (pcap/wireshark/efa_rdm.lua).
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::efa {

Decoded decode_for_people(Octets octets);

}  // namespace wirelaw::efa
