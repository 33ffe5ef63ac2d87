// SPDX-License-Identifier: Apache-2.0
// The front page about the peers: each version of each peer, its tested role, and what was found.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/peers.h"
#include "reports/peers_signs.h"

namespace wirelaw {

// All runs of one peer and version in one role. A cause that any of them shows counts once.
struct PeersCell {
  std::vector<const PeerRun*> runs;
  std::array<std::size_t, kSeverities.size()> causes{};  // by kSeverities
  std::size_t judged = 0, failed = 0;                    // number of rules of the tested protocol

  // "critical", … for the worst cause that counts; "pass"; "nothing" if nothing was judged.
  std::string_view word() const;
};

struct PeersColumn {
  std::string protocol, role;
  bool operator==(const PeersColumn&) const = default;
};

struct PeersRow {
  const PeerPage* peer;
  std::string version;
  std::vector<PeersCell> cells;  // by column
};

struct PeersMatrix {
  std::vector<PeersColumn> columns;  // grouped by protocol; both in the order of first appearance
  std::vector<PeersRow> rows;
};

// The result refers to `list`.
PeersMatrix peers_matrix_of(const PeerList& list);

// Writes a table in Markdown, with the links of write_peers().
void put_peers_matrix(const PeersMatrix& matrix, std::string_view pages, Output& out);
// "3 critical, 15 minor": the causes that count; empty if there are none.
std::string causes_of(const PeersCell& cell);

}  // namespace wirelaw
