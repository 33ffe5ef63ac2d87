// SPDX-License-Identifier: Apache-2.0
// The front page about the peers as HTML that needs no network.
#pragma once

#include <string_view>

#include "reports/peers.h"

namespace wirelaw {

// `pages`: as in write_peers(). The page links to the pages of the peers.
void write_peers_html(const PeerList& list, std::string_view pages, std::string_view version, Output& out);

}  // namespace wirelaw
