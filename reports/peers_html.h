// SPDX-License-Identifier: Apache-2.0
// The front page of the peers as one that needs no network.
#pragma once

#include <string_view>

#include "reports/peers.h"

namespace wirelaw {

// `pages`: as of write_peers(), whose pages of each peer it links to.
void write_peers_html(const PeerList& list, std::string_view pages, std::string_view version, Output& out);

}  // namespace wirelaw
