// SPDX-License-Identifier: Apache-2.0
// A live IUT that waits at an SRD queue pair.
#pragma once

#include <memory>

#include "harness/environment.h"
#include "harness/srd/address.h"

namespace wirelaw {

// As Wireshark's dissector of EFA RDM is called in captures (pcap/exported_pdu.h).
inline constexpr std::string_view kSrdDissector = "efa_rdm";

// What `peer` leaves open, one that is started for each case says in its first line, as a URI. An error where there is
// no device of ours.
tl::expected<std::unique_ptr<Iut>, CarriageError> make_listening_srd_iut(const SrdPlace& peer);

}  // namespace wirelaw
